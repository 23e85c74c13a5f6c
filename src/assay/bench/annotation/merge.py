"""From annotators' files to a file of gold labels."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from assay.bench.annotation.gold import Given, Merged, Outcome, settled
from assay.bench.annotation.layouts import LAYOUTS
from assay.bench.annotation.questions import Answered, Drawn, Layout, answered
from assay.bench.annotation.sample import ADJUDICATION, KEY, files_of, read_sample
from assay.bench.ask.answer_files import read_rows
from assay.core.errors import BadInputError
from assay.core.files import refuse_existing, write_whole
from assay.core.protocols import Row

Unanswered = Literal["stop", "drop"]

ENDINGS = (".csv", ".tsv", ".jsonl")
EXAMPLES = 3


def merge_answers(
    folder: Path,
    out: Path,
    *,
    files: Sequence[Path] = (),
    missing: Unanswered = "stop",
    encoding: str = "utf-8",
    overwrite: bool = False,
) -> Merged:
    """Read annotators' files, those of the folder if none are named, and write the pairs with their gold labels.

    The gold label is what more than half say. With the three questions about events, a case is discarded if any
    annotator finds a sentence incorrect. If a set has two labels, answers have two as well. A file called
    `adjudication` decides: its answers count instead of the majority's.
    """
    refuse_existing(out, overwrite=overwrite)
    drawn = read_sample(folder)
    layout = LAYOUTS[next(iter(drawn.values())).layout]
    paths = _annotators(folder, files, out)
    decisions = paths.pop(ADJUDICATION, None) or next(iter(files_of(folder, ADJUDICATION)), None)
    decided = _answers(decisions, drawn, layout, "drop", encoding) if decisions else {}
    answers = {name: _answers(path, drawn, layout, missing, encoding) for name, path in paths.items()}
    if missing == "stop":
        _refuse_gaps(folder, drawn, answers, decided)
    found = settled(list(drawn.values()), answers, decided)
    write_whole(out, lines_of(found.outcomes), over_any=False)
    return found.merged


def lines_of(outcomes: Iterable[Outcome]) -> bytes:
    """The file of gold labels."""
    return b"".join(msgspec.json.encode(each, order="deterministic") + b"\n" for each in outcomes)


def _annotators(folder: Path, files: Sequence[Path], out: Path) -> dict[str, Path]:
    """The annotators' files, by name."""
    paths = list(files) or sorted(
        path
        for path in folder.iterdir()
        if path.suffix in ENDINGS and path.name != KEY and path.resolve() != out.resolve() and not _is_merged(path)
    )
    if not paths:
        raise BadInputError(
            "no annotator's file", where=str(folder), hint="Name the files, or draw a sample with annotators."
        )
    found: dict[str, Path] = {}
    for path in paths:
        if path.stem in found:
            raise BadInputError(
                f"the annotator {path.stem!r} has two files",
                where=str(path),
                hint="Rename one: a file is named after its annotator.",
            )
        found[path.stem] = path
    return found


def _is_merged(path: Path) -> bool:
    """Whether a file is what an earlier merge wrote."""
    if path.suffix != ".jsonl":
        return False
    with path.open("rb") as file:
        first = file.readline()
    return any(b'"annotator_%b":' % what in first for what in (b"labels", b"categories", b"notes"))


def _answers(
    path: Path, drawn: dict[str, Drawn], layout: Layout, missing: Unanswered, encoding: str
) -> dict[str, Answered]:
    def meant(row: Row) -> Answered | None:
        return answered(row.fields, drawn, layout, may_be_open=missing == "drop")

    keys = {case.id: case.key for case in drawn.values()}
    found: dict[str, Answered] = {}
    places: dict[str, str] = {}
    for where, answer in read_rows(str(path), meant, encoding=encoding):
        if answer is None:
            continue
        if answer.id in found:
            same = "again" if found[answer.id] == answer else "again, and differently"
            raise BadInputError(
                f"{keys[answer.id]!r} is answered {same}; the first answer is at {places[answer.id]}",
                where=where,
                hint="Keep one of them.",
            )
        found[answer.id], places[answer.id] = answer, where
    return found


def _refuse_gaps(folder: Path, drawn: Mapping[str, Drawn], answers: Mapping[str, Given], decided: Given) -> None:
    for name, given in answers.items():
        if gaps := [key for key, case in drawn.items() if case.id not in given and case.id not in decided]:
            raise BadInputError(
                f"{name} has not answered {len(gaps):,} of {len(drawn):,} cases, "
                f"such as {', '.join(map(repr, gaps[:EXAMPLES]))}",
                where=str(folder),
                hint="Wait for the rest, or leave such cases out with --missing drop.",
            )
