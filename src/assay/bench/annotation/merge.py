"""From annotators' answers to gold labels."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec

from assay.bench.annotation.questions import Answered, Drawn, answered
from assay.bench.annotation.sample import SAMPLE, read_sample
from assay.bench.ask.answer_files import read_rows
from assay.core.errors import BadInputError
from assay.core.files import refuse_existing, write_whole
from assay.core.label import Label
from assay.core.protocols import Row

Unanswered = Literal["stop", "drop"]

ENDINGS = (".csv", ".tsv", ".jsonl")
EXAMPLES = 3
NO_GOLD: Literal["-"] = "-"


class AnnotatedPair(msgspec.Struct, frozen=True, kw_only=True):
    """A pair with the annotators' labels, as a line of a corpus."""

    id: str
    """The case."""
    premise: str
    """The text taken as true."""
    hypothesis: str
    """The claim to be judged."""
    gold_label: Label | Literal["-"]
    """What most annotators say; `-`, as in SNLI, if no label has more than half of them."""
    annotator_labels: tuple[Label, ...]
    """One label per person, in the order of their names."""
    votes: dict[str, int]
    """How many annotators gave each label."""
    built_label: Label
    """The label from the builder or the corpus."""
    group: dict[str, str]
    """Its slices."""


class Merged(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a merge."""

    drawn: int
    """Cases in the sample."""
    annotators: tuple[str, ...]
    """The annotators who answered."""
    gold: dict[str, int]
    """Cases with a gold label, by label."""
    discarded: dict[str, int]
    """Cases without one, by reason."""
    confirmed: int
    """Cases whose gold label is the one they were built with."""


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

    A case is discarded if any annotator finds a sentence incorrect. The gold label is what more than half say.
    """
    refuse_existing(out, overwrite=overwrite)
    drawn = read_sample(folder)
    answers = {name: _answers(path, drawn, missing, encoding) for name, path in _annotators(folder, files, out).items()}
    if missing == "stop":
        _refuse_gaps(folder, drawn, answers)
    discarded: Counter[str] = Counter()
    annotated = []
    for case in drawn.values():
        said = [given[case.id] for given in answers.values() if case.id in given]
        found = _annotated(case, said, len(answers))
        if isinstance(found, str):
            discarded[found] += 1
            continue
        if found.gold_label == NO_GOLD:
            discarded["no majority"] += 1
        annotated.append(found)
    write_whole(out, b"".join(msgspec.json.encode(each, order="deterministic") + b"\n" for each in annotated))
    gold = Counter(str(each.gold_label) for each in annotated if each.gold_label != NO_GOLD)
    return Merged(
        drawn=len(drawn),
        annotators=tuple(answers),
        gold=dict(sorted(gold.items())),
        discarded=dict(discarded.most_common()),
        confirmed=sum(each.gold_label is each.built_label for each in annotated),
    )


def _annotated(case: Drawn, said: list[Label | None], annotators: int) -> AnnotatedPair | str:
    if None in said:
        return "a sentence is incorrect"
    if len(said) < annotators:
        return "not answered by all"
    votes = Counter(label for label in said if label)
    label, most = votes.most_common(1)[0]
    return AnnotatedPair(
        id=case.id,
        premise=case.premise,
        hypothesis=case.hypothesis,
        gold_label=label if 2 * most > annotators else NO_GOLD,
        annotator_labels=tuple(label for label in said if label),
        votes={each.value: n for each, n in sorted(votes.items())},
        built_label=case.label,
        group=case.group,
    )


def _annotators(folder: Path, files: Sequence[Path], out: Path) -> dict[str, Path]:
    """The annotators' files, by name."""
    paths = list(files) or sorted(
        path
        for path in folder.iterdir()
        if path.suffix in ENDINGS and path.name != SAMPLE and path.resolve() != out.resolve() and not _is_merged(path)
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
        return b'"annotator_labels":' in file.readline()


def _answers(path: Path, drawn: dict[str, Drawn], missing: Unanswered, encoding: str) -> dict[str, Label | None]:
    def meant(row: Row) -> Answered | None:
        return answered(row.fields, drawn, may_be_open=missing == "drop")

    found: dict[str, Label | None] = {}
    places: dict[str, str] = {}
    for where, answer in read_rows(str(path), meant, encoding=encoding):
        if answer is None:
            continue
        if answer.id in found:
            same = "again" if found[answer.id] is answer.label else "again, and differently"
            raise BadInputError(
                f"{answer.id!r} is answered {same}; the first answer is at {places[answer.id]}",
                where=where,
                hint="Keep one of them.",
            )
        found[answer.id], places[answer.id] = answer.label, where
    return found


def _refuse_gaps(folder: Path, drawn: dict[str, Drawn], answers: dict[str, dict[str, Label | None]]) -> None:
    for name, given in answers.items():
        if gaps := [case for case in drawn if case not in given]:
            raise BadInputError(
                f"{name} has not answered {len(gaps):,} of {len(drawn):,} cases, "
                f"such as {', '.join(map(repr, gaps[:EXAMPLES]))}",
                where=str(folder),
                hint="Wait for the rest, or leave such cases out with --missing drop.",
            )
