"""Asking a model: suites in, a file of predictions a suite out, in the suites' order."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import msgspec

from assay.bench.ask import long_input, plan, store
from assay.bench.ask.by_case import answers_by_case
from assay.bench.ask.gathering import Asked, Gathering
from assay.bench.ask.names import open_model
from assay.bench.shards import Crew, in_batches
from assay.bench.stages import Progress
from assay.core.files import write_errors
from assay.core.protocols import Endpoint, Model, SentenceModel, TextModel, Texts, offers
from assay.core.run import AnswerFile, ModelAnswers
from assay.core.suite import Suite

AT_ONCE = 512
"""Answers that are written together."""


class Asking(NamedTuple):
    """How models are asked."""

    truncate: long_input.Truncate = "error"
    """What happens to a premise that is longer than a model takes."""
    cache: bool = True
    """Whether answers are kept for other runs too."""
    tell: Callable[[str], None] = lambda _: None
    """Told what a user should know before the asking begins."""


def ask(
    name: str,
    suites: Mapping[str, Suite],
    folder: Path,
    *,
    crew: Crew,
    progress: Progress,
    how: Asking = Asking(),  # noqa: B008 - it is immutable
) -> ModelAnswers:
    """Have a model answer every case of the suites; its folder gets a file of predictions a suite."""
    model = open_model(name)
    with ExitStack() as stack:
        if hasattr(model, "close"):
            stack.callback(model.close)
        gathering = _gathering(name, model, folder, how)
        if gathering is None:
            answers = answers_by_case(name, model, suites, folder, crew=crew)
            files = {each: _write(folder / f"{each}.jsonl", answers(each), progress=progress) for each in suites}
            return ModelAnswers(model=name, files=files, notes=tuple(getattr(model, "notes", ())))
        with gathering.store:
            gathering.gather(_Cases(suites), progress)
            recalled = _Recalled(gathering)
            files = {
                each: _write(folder / f"{each}.jsonl", recalled.lines(suite), progress=lambda _: None)
                for each, suite in suites.items()
            }
            notes = _notes(name, model, gathering.store)
        if recalled.cut and how.truncate == "error":  # kept by a run that allowed it
            long_input.refuse(name, recalled.cut)
        return ModelAnswers(
            model=name,
            files=files,
            identity=gathering.model.identity,
            truncated=len(recalled.cut),
            notes=notes,
        )


def _notes(name: str, model: Model, kept: store.Store) -> tuple[str, ...]:
    """What a user should know; of a model that sees texts alone it is kept, as telling it anew needs the model."""
    if not offers(model, TextModel):
        return tuple(getattr(model, "notes", ()))
    key = plan.key_of("notes", name, "")  # three texts, so that it is no pair's
    if not (found := kept.get([key])):
        kept.put([(key, msgspec.msgpack.encode(getattr(model, "notes", ())))])
        found = kept.get([key])
    return msgspec.msgpack.decode(found[key], type=tuple[str, ...])


def _gathering(name: str, model: Model, folder: Path, how: Asking) -> Gathering | None:
    """How a model that sees texts alone is asked; None for one that looks at whole cases."""
    from assay.bench.ask.by_call import ByCall
    from assay.bench.ask.by_sentence import BySentence
    from assay.bench.ask.by_text import ByText

    if offers(model, SentenceModel):
        return BySentence(name, model, _store(model, folder, how), truncate=how.truncate)
    if offers(model, TextModel):
        return ByText(name, model, _store(model, folder, how), truncate=how.truncate)
    if offers(model, Endpoint):
        return ByCall(name, model, _store(model, folder, how), tell=how.tell)
    return None


def _store(model: TextModel | SentenceModel | Endpoint, folder: Path, how: Asking) -> store.Store:
    """The file of kept answers: the model's own, or the run's where nobody can tell what decides the answers."""
    if how.cache and model.identity:
        return store.Store(store.home() / f"{model.identity[:32]}.sqlite")
    return store.Store(folder / "kept.parts" / "answers.sqlite")


class _Cases:
    """The cases of all suites, as far as a model is concerned."""

    def __init__(self, suites: Mapping[str, Suite]) -> None:
        self.suites = suites

    def __iter__(self) -> Iterator[Asked]:
        for suite in self.suites.values():
            for case in suite:
                yield Asked(case.id, Texts(case.premise, case.hypothesis))


class _Recalled:
    """Kept answers, as JSON lines."""

    def __init__(self, gathering: Gathering) -> None:
        self.gathering = gathering
        self.cut: list[str] = []
        """Cases whose premise was cut off."""

    def lines(self, suite: Suite) -> Iterator[bytes]:
        encode = msgspec.json.Encoder(order="deterministic").encode
        for cases in in_batches(suite, AT_ONCE):
            answers = self.gathering.recall([Texts(case.premise, case.hypothesis) for case in cases])
            self.cut += [case.id for case, answer in zip(cases, answers, strict=True) if answer.truncated]
            yield b"".join(encode(answer.to(case.id)) + b"\n" for case, answer in zip(cases, answers, strict=True))


def _write(out: Path, pieces: Iterator[bytes], *, progress: Callable[[int], None]) -> AnswerFile:
    """The pieces, in order, as one file."""
    hashed = hashlib.sha256()
    n = 0
    with write_errors(out):
        out.parent.mkdir(parents=True, exist_ok=True)
        aside = out.with_suffix(".aside")
        file = aside.open("wb")
    try:
        for data in pieces:
            hashed.update(data)
            with write_errors(out):
                file.write(data)
            done = data.count(b"\n")
            n += done
            progress(done)
    finally:
        with write_errors(out):
            file.close()
    aside.replace(out)
    return AnswerFile(file=out.relative_to(out.parents[2]).as_posix(), digest=hashed.hexdigest(), n=n)
