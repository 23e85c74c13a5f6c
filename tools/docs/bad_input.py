"""Makes `bad-input.md`: feeds each kind of bad input to the command line and shows what it says."""

import gzip
import os
import resource
import shlex
import sys
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from importlib.metadata import entry_points
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

import assay
from assay.cli.main import main

GOOD = (
    '{"id": "a", "premise": "It rains.", "hypothesis": "It is wet.", "label": "entailment"}\n'
    '{"id": "b", "premise": "It rains.", "hypothesis": "It is dry.", "label": "contradiction"}\n'
)
RUN = "assay run --from {} --family negation"
BUILD = "assay build negation --from {} --out suite"


class Trial(NamedTuple):
    """One kind of bad input."""

    title: str
    file: str
    """The file that is made, and what the command is given for it."""
    make: Callable[[Path], object]
    """Writes it."""
    command: str = BUILD
    note: str = ""
    """Anything to add on the page."""
    file_limit: int = 0
    """The most bytes that a file may have; 0 for no limit."""


def text(content: str, *, encoding: str = "utf-8") -> Callable[[Path], object]:
    """A file of text."""
    return lambda path: path.write_bytes(content.encode(encoding))


def _cut_off(path: Path) -> None:
    path.write_bytes(gzip.compress(GOOD.encode())[:-20])


def _leaving(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("../pairs.jsonl", GOOD)


def _two_files(path: Path) -> None:
    path.mkdir()
    for name in ("dev.jsonl", "train.jsonl"):
        (path / name).write_text(GOOD)


def _built(path: Path) -> None:
    path.write_text(GOOD)
    (path.parent / "suite").mkdir()


def _damaged(path: Path) -> None:
    assay.build("negation", assay.read("bundled", limit=3), out=path)
    cases = path / "cases.jsonl"
    cases.write_text(cases.read_text().replace("false", "truth"))


def _changed_run(path: Path) -> None:
    record = assay.run(assay.read("bundled", limit=3), families="negation", models="assay:overlap", out=path.parent)
    (path.parent / record.id).rename(path)
    stored = path / "record.json"
    stored.write_text(stored.read_text().replace('"value": 0.', '"value": 0.9', 1))


def _function(answers: str) -> Callable[[Path], object]:
    """Pairs, and a function of a user's own that returns this."""

    def make(path: Path) -> None:
        path.write_text(GOOD)
        (path.parent / "my_model.py").write_text(f"def f(pairs):\n    return {answers}\n")

    return make


def _program(code: str) -> Callable[[Path], object]:
    """Pairs, and a program that does this."""

    def make(path: Path) -> None:
        path.write_text(GOOD)
        (path.parent / "answer.sh").write_text(f"{code}\n")

    return make


def _answers(path: Path) -> None:
    path.write_text(GOOD)
    (path.parent / "answers.csv").write_text("pairID,gold_label\nex0,entailment\n")


UNLABELLED = GOOD.replace("entailment", "-").replace("contradiction", "-")
BROKEN = f'{{"id": 1, "premise": \n{GOOD}{GOOD.splitlines()[0]}\n'


def _of_another_version(path: Path) -> None:
    path.write_text(GOOD)
    folder = path.with_name("my-system")
    folder.mkdir()
    (folder / "system.json").write_text('{"schema": 1, "system": "cbow/v9", "config": {}, "labels": ["entailment"]}')
    (folder / "training.json").write_text('{"versions": {"assay": "9.9.9"}}')


TRIALS = (
    Trial("An empty file", "pairs.jsonl", text("")),
    Trial("A missing file", "pears.jsonl", lambda _: None),
    Trial("A line that is not JSON", "pairs.jsonl", text(GOOD + '{"id": "c", "premise": \n')),
    Trial("A JSON array instead of lines", "pairs.json", text('[{"premise": "It rains."}]\n')),
    Trial("Unknown column names", "pairs.csv", text("first,second,third\nIt rains.,It is wet.,yes\n")),
    Trial(
        "Two columns that could be meant",
        "pairs.csv",
        text("evidence,context,claim,label\nIt rains.,It is May.,It is wet.,entailment\n"),
    ),
    Trial("A missing column", "pairs.jsonl", text('{"premise": "It rains.", "hypothesis": "It is wet."}\n')),
    Trial("A duplicate column", "pairs.csv", text("premise,hypothesis,label,label\nIt rains.,It is wet.,e,n\n")),
    Trial("A row with too few columns", "pairs.csv", text("premise,hypothesis,label\nIt rains.,It is wet.\n")),
    Trial(
        "Unknown labels",
        "pairs.csv",
        text("premise,hypothesis,label\nIt rains.,It is wet.,TRUE\nIt rains.,It is dry.,FALSE\n"),
    ),
    Trial("No gold label anywhere", "pairs.jsonl", text(UNLABELLED)),
    Trial("A duplicate id", "pairs.jsonl", text(GOOD + GOOD.splitlines()[0] + "\n")),
    Trial("The wrong encoding", "pairs.csv", text("premise,hypothesis,label\nA café.,A bar.,n\n", encoding="latin-1")),
    Trial("NUL bytes", "pairs.jsonl", text(GOOD.replace("wet", "w\0t"))),
    Trial("A line of 50 MB", "pairs.jsonl", text(f'{{"premise": "{"x" * 50_000_000}"}}\n')),
    Trial("A truncated gzip file", "pairs.jsonl.gz", _cut_off),
    Trial("A zip with a member outside the folder", "pairs.zip", _leaving),
    Trial("A folder with several data files", "corpus", _two_files),
    Trial("An output folder that already exists", "pairs.jsonl", _built),
    Trial(
        "A full disk",
        "pairs.jsonl",
        text(GOOD),
        note="Simulated here with a limit on the size of files, which fails in the same place.",
        file_limit=300,
    ),
    Trial("An unknown family", "pairs.jsonl", text(GOOD), "assay build negatoin --from {} --out suite"),
    Trial("A misspelt setting", "run.yaml", text("sed: 3\n"), "assay run --config {}"),
    Trial("A damaged suite", "suite", _damaged, "assay verify {}"),
    Trial("A run whose record was changed", "run", _changed_run, "assay gate {} --rule 'negation.accuracy>=0.9'"),
    Trial("Answers to other cases", "answers.csv", text("id,label\n1,neutral\n"), "assay score bundled {}"),
    Trial("An unknown kind of model", "pairs.jsonl", text(GOOD), f"{RUN} --model transformers:bert"),
    Trial("A misspelt option of a model", "pairs.jsonl", text(GOOD), f"{RUN} --model 'hf:bert?lables=e,n,c'"),
    Trial(
        "A model that returns too few answers",
        "pairs.jsonl",
        _function("['neutral']"),
        f"{RUN} --model python:my_model:f",
    ),
    Trial(
        "A model that returns NaN",
        "pairs.jsonl",
        _function("[{'entailment': float('nan'), 'neutral': 0.5}] * len(pairs)"),
        f"{RUN} --model python:my_model:f",
    ),
    Trial(
        "A model that does not name its outputs",
        "pairs.jsonl",
        _function("[[0.5, 0.3, 0.2]] * len(pairs)"),
        f"{RUN} --model python:my_model:f",
    ),
    Trial(
        "A program that dies halfway",
        "pairs.jsonl",
        _program("""read line; echo '"neutral"'; echo 'out of memory' >&2; exit 1"""),
        f"{RUN} --model 'cmd:sh answer.sh'",
        "The answers so far are stored, and the same command resumes from there.",
    ),
    Trial(
        "A program that answers garbage",
        "pairs.jsonl",
        _program("while read line; do echo 'I think so'; done"),
        f"{RUN} --model 'cmd:sh answer.sh'",
    ),
    Trial(
        "An endpoint that does not answer",
        "pairs.jsonl",
        text(GOOD),
        f"{RUN} --no-cache --model 'openai:tiny@http://127.0.0.1:9/v1?retries=1'",
    ),
    Trial(
        "Answers to another suite, in a run",
        "pairs.jsonl",
        _answers,
        f"{RUN} --model predictions:answers.csv",
    ),
    Trial(
        "A system that another version trained",
        "pairs.jsonl",
        _of_another_version,
        f"{RUN} --model trained:my-system",
    ),
    Trial(
        "Continuing after broken records",
        "pairs.jsonl",
        text(BROKEN),
        f"{BUILD} --on-error skip",
        "With `--on-error skip` a broken record is left out, counted by reason, and named in `problems.jsonl`.",
    ),
)

HEAD = """\
# What happens on bad input

Each message says what is wrong, in which file and line, and how to fix it. There is no traceback unless you add
`--debug`. Exit codes: 0 done, 1 a check failed, 2 the input was wrong, 3 something outside Assay failed.

By default the first broken record stops the command. Nothing is then written under the name that you asked for, because
results go to a temporary name first and are renamed when they are complete. Records without a gold label (`-`, `-1`,
`hidden`) are not broken: they are left out, and the command shows how many there were.

Every message below is real.
"""


def page() -> str:
    """The whole page."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as fresh:
        return fresh.submit(_sections).result()


def _sections() -> str:
    """All sections; each command gets a copy of this process, because loading Assay takes longer than most of them."""
    for name in ("assay.reports.write.output_formats", "assay.run.api"):
        import_module(name)
    return "\n".join([HEAD, *map(_section, TRIALS)])


def _section(trial: Trial) -> str:
    with tempfile.TemporaryDirectory() as folder:
        command = trial.command.format(trial.file)
        code, said = _said(trial, command, Path(folder))
        said = "\n".join(line.rstrip() for line in said.splitlines() if line.strip())
        said = said.replace(f"{Path(folder).resolve()}/", "")  # it has another name each time
        for name in _of_other_packages():
            said = said.replace(f" {name},", "")
        problems = Path(folder) / "suite" / "problems.jsonl"
        if problems.is_file():
            said += f"\n$ cat suite/problems.jsonl\n{problems.read_text().rstrip()}"
    note = f"{trial.note} Exit code {code}.".strip()
    return f"## {trial.title}\n\n{note}\n\n```console\n$ {command}\n{said}\n```\n"


def _said(trial: Trial, command: str, folder: Path) -> tuple[int | None, str]:
    """The exit code of a command, and what it printed to both streams."""
    copies = get_context("fork")
    pipes = [copies.Pipe(duplex=False) for _ in ("stdout", "stderr")]
    copy = copies.Process(target=_run, args=(trial, command, folder, [end for _, end in pipes]))
    copy.start()
    said = ""
    for read, write in pipes:
        write.close()
        with os.fdopen(read.fileno(), encoding="utf-8", closefd=False) as stream:
            said += stream.read()
        read.close()
    copy.join()
    return copy.exitcode, said


def _run(trial: Trial, command: str, folder: Path, streams: Sequence[Connection]) -> None:
    trial.make(folder / trial.file)
    for number, stream in enumerate(streams, start=1):
        os.dup2(stream.fileno(), number)
        stream.close()
    sys.stdout, sys.stderr = (os.fdopen(number, "w", encoding="utf-8") for number in (1, 2))
    os.chdir(folder)
    os.environ.clear()
    if trial.file_limit:
        sys.dont_write_bytecode = True  # Python would store modules that it compiles under the limit, cut off
        resource.setrlimit(resource.RLIMIT_FSIZE, (trial.file_limit, trial.file_limit))
    sys.argv = shlex.split(command)
    main()


def _of_other_packages() -> list[str]:
    """The kinds of models of other packages: what happens to be installed must not change the page."""
    return [
        entry.name.partition("/")[0]
        for entry in entry_points(group="assay.adapters")
        if entry.dist and entry.dist.name != "nli-assay"
    ]
