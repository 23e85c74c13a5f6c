"""From annotators' files to a file of gold labels."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from assay.annotate.agreement import AnswerShare
from assay.annotate.gold import Merged, Outcome, decide_gold
from assay.annotate.layouts import AnnotationLayout, AnnotatorAnswer, SampledCase, read_answer
from assay.annotate.sample import ADJUDICATION, KEY, files_of, read_sample
from assay.core.errors import BadInputError
from assay.core.label_space import LabelNames
from assay.core.protocols import Row
from assay.run.predict.answer_files import read_rows
from assay.storage.files import refuse_existing, write_whole

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

    The gold label is the answer of more than half. With the three questions about events, a case is discarded if any
    annotator finds a sentence incorrect. For a two-label set, answers are reduced to two labels. A file called
    `adjudication` decides: its answers count instead of the majority's.
    """
    refuse_existing(out, overwrite=overwrite)
    drawn = read_sample(folder)
    layout = next(iter(drawn.values())).asked
    paths = _annotators(folder, files, out)
    decisions = paths.pop(ADJUDICATION, None) or next(iter(files_of(folder, ADJUDICATION)), None)
    decided = _answers(decisions, drawn, layout, "drop", encoding) if decisions else {}
    answers = {name: _answers(path, drawn, layout, missing, encoding) for name, path in paths.items()}
    for name, given in answers.items() if missing == "stop" else ():
        if gaps := [key for key, case in drawn.items() if case.id not in given and case.id not in decided]:
            raise BadInputError(
                f"{name} has not answered {len(gaps):,} of {len(drawn):,} cases, "
                f"such as {', '.join(map(repr, gaps[:EXAMPLES]))}",
                where=str(folder),
                hint="Wait for the rest, or leave such cases out with --missing drop.",
            )
    found = decide_gold(list(drawn.values()), answers, decided)
    write_whole(out, lines_of(found.outcomes), over_any=False)
    return found.merged


def lines_of(outcomes: Iterable[Outcome]) -> bytes:
    """The file of gold labels."""
    return b"".join(msgspec.json.encode(each, order="deterministic") + b"\n" for each in outcomes)


def _annotators(folder: Path, files: Sequence[Path], out: Path) -> dict[str, Path]:
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
    """True if a file is what an earlier merge wrote."""
    if path.suffix != ".jsonl":
        return False
    with path.open("rb") as file:
        first = file.readline()
    return any(b'"annotator_%b":' % what in first for what in (b"labels", b"categories", b"notes"))


def _answers(
    path: Path, drawn: dict[str, SampledCase], layout: AnnotationLayout, missing: Unanswered, encoding: str
) -> dict[str, AnnotatorAnswer]:
    def meant(row: Row) -> AnnotatorAnswer | None:
        return read_answer(row.fields, drawn, layout, may_be_open=missing == "drop")

    keys = {case.id: case.key for case in drawn.values()}
    found: dict[str, AnnotatorAnswer] = {}
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


def merged_lines(found: Merged) -> Iterator[str]:
    """Gold labels, why cases have none, and the numbers of the layout's paper."""
    names = LabelNames(found.names)
    people = ", ".join(found.annotators)
    if found.layout in ("errors", "own"):
        yield from _sources(found, people)
    elif found.layout == "notes":
        unanswered = sum(found.discarded.values())
        yield f"{found.drawn - unanswered:,} of {found.drawn:,} cases have notes from {people}"
    else:
        yield f"{sum(found.gold.values()):,} of {found.drawn:,} cases have a gold label from {people}"
        yield from (f"{count:>7,}  {names(label)}" for label, count in found.gold.items())
        yield from (f"{count:>7,}  have none: {reason}" for reason, count in found.discarded.items())
        yield f"{found.confirmed:>7,}  have the label that they were built with"
        yield from _figures(found, names)
    if found.adjudicated:
        yield f"{found.adjudicated:>7,}  decided by adjudication"
    for column, kappa in found.kappas.items():
        yield f"Fleiss' kappa of {column}: {'-' if kappa is None else f'{kappa:.4f}'}"


def _sources(found: Merged, people: str) -> Iterator[str]:
    what = "sources" if found.layout == "errors" else "categories"
    yield f"The {what} of {found.drawn:,} {'errors' if found.layout == 'errors' else 'cases'}, according to {people}"
    for each in found.figures:
        yield f"{_percent(each):>9}  {each.what}"
    for reason, count in found.discarded.items():
        yield f"{count:>7,}  {reason}"


def _figures(found: Merged, names: LabelNames) -> Iterator[str]:
    shares = {each.what: each for each in found.figures}
    if found.layout == "label" and shares:
        yield f"Accuracy of people, on average: {_percent(shares.pop('all'))}"
        for what, each in shares.items():
            person = what.removeprefix("annotator ")
            yield f"{_percent(each):>9}  {f'by {person}' if person != what else f'on {names(what)}'}"
    if found.layout == "check" and shares:
        yield "More than half of the people agree:"
        yield f"{_percent(shares['label']):>9}  on the label that a case was built with"
        yield f"{_percent(shares['grammatical']):>9}  that it is grammatical"
        yield f"{_percent(shares['easy']):>9}  that it is easy"
        yield f"{_percent(shares['single labels']):>9}  of single labels match the label that the case was built with"


def _percent(share: AnswerShare) -> str:
    return f"{100 * share.share:.1f}%"
