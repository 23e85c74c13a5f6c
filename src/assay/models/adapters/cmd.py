"""cmd:PROGRAM, any program: one JSON line in, one JSON line out."""

import hashlib
import json
import os
import shlex
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, Full, Queue
from typing import Annotated, Literal

import msgspec

from assay.core.case import THRESHOLD, Answer
from assay.core.errors import ModelError, PartialAnswersError, UserError
from assay.core.label import Label, LabelReader
from assay.core.protocols import Ready, Texts
from assay.models.adapters.answer_parsing import Threshold, about, answer_from, named_labels, written_names
from assay.models.adapters.label_order import Declared, PlainTexts

UNSUPPORTED = "unsupported"  # meaning of a high score for a program that looks for claims without support
GRACE = 0.1  # seconds after the first batch in which unexpected output is an error
LONGEST_LINE = 1 << 16  # maximum number of bytes of an answer
MOST_WAITING = 1_000  # maximum number of answers that wait to be read
LAST_WORDS = 2_000  # bytes of a program's error output that are shown


class Command(msgspec.Struct, frozen=True, kw_only=True):
    """A program of your own: it reads JSON lines with premise and hypothesis, and answers each with a JSON line."""

    what: str
    """The program and its arguments, as a shell would split them; no shell is involved."""
    version: str = ""
    """If given, answers are kept beyond the run under this version: change it when the program changes."""
    batch: Annotated[int, msgspec.Meta(ge=1)] = 64
    """Lines written before waiting for answers."""
    keep: bool = True
    """True if one process answers everything. If not, each batch gets a new process, whose input is closed."""
    timeout: Annotated[float, msgspec.Meta(gt=0)] = 300.0
    """Seconds to wait for the next answer."""
    names: str = ""
    """Meaning of its labels, if they are neither ours nor the corpus's: `SUPPORTS:entailment,REFUTES:neutral`."""
    threshold: Threshold = THRESHOLD
    """If it answers with support scores, the score from which its answer is entailment."""
    labels: Literal["", "support", "unsupported"] = ""
    """If it answers with scores, what a high one means: `support`, or `unsupported` for a hallucination detector."""

    def with_names(self, names: Mapping[str, str]) -> "Command":
        """The same program, which may answer with the label names of a corpus."""
        return self if self.names else msgspec.structs.replace(self, names=written_names(names))

    def open(self) -> "Program":
        """Check the command; the program is started when it is first used."""
        try:
            words = shlex.split(self.what)
        except ValueError as error:
            raise UserError(f"cmd:{self.what}: {error}.") from error
        if not words:
            raise UserError("cmd: names no program.")
        return Program(words, self)


class Program(PlainTexts):
    def __init__(self, words: list[str], settings: Command) -> None:
        self.words = words
        self.settings = settings
        self.labels = settings.labels
        self._read_label = LabelReader(named_labels(settings.names), needed=True)
        self._running: _Running | None = None

    @property
    def identity(self) -> str:
        """Empty unless the user gives a version, because a program may depend on anything."""
        if not self.settings.version:
            return ""
        names = f" {self.settings.names}" if self.settings.names else ""
        if self.settings.threshold != THRESHOLD:
            names += f" {self.settings.threshold}"
        if self.labels == UNSUPPORTED:
            names += f" {UNSUPPORTED}"
        return hashlib.sha256(f"cmd {self.settings.what} {self.settings.version}{names}".encode()).hexdigest()

    def fix(self, labels: str) -> str:
        """Advice on how to declare the meaning of the scores."""
        return Declared(None, None, 1).fix(f"cmd:{self.settings.what}", labels)

    @property
    def budget(self) -> int:
        return self.settings.batch

    def answer(self, batch: Sequence[Ready], *, width: int) -> list[Answer]:  # noqa: ARG002 - all have the same size
        first = self._running is None
        if self._running is None:
            self._running = _Running(self.words, timeout=self.settings.timeout)
        running = self._running
        running.write([each.content for each in batch], close=not self.settings.keep)
        answers: list[Answer] = []
        try:
            for number, line in enumerate(running.lines(len(batch))):
                answers.append(self._read(line, number, batch[number].content))
        except ModelError as error:
            self.close()
            raise PartialAnswersError(f"cmd:{self.settings.what} {error}", answers=answers) from error
        if surplus := running.surplus(wait=GRACE if first else 0.0):
            self.close()
            raise ModelError(
                f"cmd:{self.settings.what} wrote more answers than there were pairs: {_shown(surplus)!r} "
                f"after {len(batch)} answers.\n"
                "  It must answer each line with exactly one line; otherwise answers can't be matched to pairs."
            )
        if not self.settings.keep:
            self.close()
        return answers

    def close(self) -> None:
        if self._running is not None:
            self._running.end()
            self._running = None

    def _read(self, line: bytes, number: int, pair: Texts) -> Answer:
        shown = _shown(line)
        try:
            reply = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise ModelError(f"gave an answer that is not JSON: {shown!r}") from error
        if isinstance(reply, dict) and reply.pop("id", number) != number:
            raise ModelError(f"answered out of order: line {number + 1} of the batch is {shown!r}")
        try:
            means = Label.NON_ENTAILMENT if self.labels == UNSUPPORTED else Label.ENTAILMENT
            return answer_from(reply, self._read_label, threshold=self.settings.threshold, means=means)
        except ModelError as error:
            raise ModelError(f"answered {shown!r}: {error}{about(pair)}") from error


class _Running:
    """A process with a thread that reads its output, so that neither side ever waits on a full pipe."""

    def __init__(self, words: list[str], *, timeout: float) -> None:
        self.timeout = timeout
        try:
            self.process = subprocess.Popen(  # noqa: S603 - the user's own program
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
        except OSError as error:
            raise UserError(
                f"cmd:{' '.join(words)} can't be started: {error.strerror}.\n"
                f"  Is {Path(words[0]).name!r} installed and executable?"
            ) from error
        self.said: Queue[bytes] = Queue(MOST_WAITING)
        self.complaints = b""
        """The end of its standard error."""
        self._is_over = threading.Event()
        listening = self._listen, self._hear_complaints
        self._listeners = [threading.Thread(target=each, daemon=True) for each in listening]
        for thread in self._listeners:
            thread.start()

    def write(self, pairs: Sequence[Texts], *, close: bool) -> None:
        """Write the pairs, in a thread: the program may answer before it has read everything."""
        data = b"".join(
            msgspec.json.encode({"id": number, "premise": pair.premise, "hypothesis": pair.hypothesis}) + b"\n"
            for number, pair in enumerate(pairs)
        )
        threading.Thread(target=self._say, args=(data, close), daemon=True).start()

    def lines(self, count: int) -> Iterator[bytes]:
        for number in range(count):
            try:
                line = self.said.get(timeout=self.timeout)
            except Empty as error:
                raise ModelError(
                    f"gave {number} of {count} answers and then nothing for {self.timeout:g} s.\n"
                    "  It must answer each line at once and flush its output; if it reads all input first, it needs "
                    "the option keep=no."
                ) from error
            if not line:
                code = self.process.wait()
                self._listeners[-1].join(timeout=GRACE)
                last = self.complaints.decode("utf-8", "replace").strip().splitlines()[-3:]
                words = "".join(f"\n  {line}" for line in last)
                raise ModelError(f"ended with code {code} after {number} of {count} answers.{words}")
            if len(line) > LONGEST_LINE:
                raise ModelError(f"gave an answer of more than {LONGEST_LINE:,} bytes: {_shown(line)!r}")
            yield line

    def surplus(self, *, wait: float) -> bytes:
        """Output beyond the answers; empty if none is written within `wait` seconds, or the program has ended."""
        try:
            line = self.said.get(timeout=wait) if wait else self.said.get_nowait()
        except Empty:
            return b""
        if not line:
            self.said.put(line)  # the next batch will notice that it has ended
        return line

    def end(self) -> None:
        """Close its input, and kill the process if it does not end."""
        self._is_over.set()
        assert self.process.stdin is not None
        with suppress(OSError):  # it is already gone
            self.process.stdin.close()
        try:
            self.process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for thread in self._listeners:
            thread.join(timeout=2)  # a child of the program may still have its pipes

    def _say(self, data: bytes, close: bool) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(data)
            self.process.stdin.flush()
            if close:
                self.process.stdin.close()
        except (OSError, ValueError):
            return  # it has ended, which the reader will notice

    def _listen(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as pipe:
            while line := pipe.readline(LONGEST_LINE + 1):
                self._put(line)
        self._put(b"")

    def _put(self, line: bytes) -> None:
        """Queue a line when there is room; it is dropped if it is no longer needed."""
        while not self._is_over.is_set():
            with suppress(Full):
                self.said.put(line, timeout=GRACE)
                return

    def _hear_complaints(self) -> None:
        """Read all of the program's standard error, and keep the end."""
        assert self.process.stderr is not None
        with self.process.stderr as pipe:
            while some := os.read(pipe.fileno(), 1 << 16):
                self.complaints = (self.complaints + some)[-LAST_WORDS:]


def _shown(line: bytes) -> str:
    return line[:80].decode("utf-8", "replace").strip()
