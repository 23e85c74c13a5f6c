"""From annotators' answers to gold labels."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec

from assay.bench.annotation.figures import Said, Share, figures, question_kappas
from assay.bench.annotation.layouts import LAYOUTS
from assay.bench.annotation.questions import Answered, Drawn, Layout, LayoutName, answered
from assay.bench.annotation.sample import KEY, read_sample
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


class SortedError(msgspec.Struct, frozen=True, kw_only=True):
    """A pair that a model got wrong, with the source of the error according to annotators."""

    id: str
    """The case."""
    premise: str
    """The text taken as true."""
    hypothesis: str
    """The claim to be judged."""
    gold_label: Label
    """The right label."""
    answer: Label | None
    """What the model said."""
    category: str
    """What more than half of the annotators say; `-` if there is no such category."""
    annotator_categories: tuple[str, ...]
    """One per person, in the order of their names."""
    votes: dict[str, int]
    """How many people name each category."""
    group: dict[str, str]
    """Its slices."""


class Merged(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a merge."""

    layout: LayoutName
    """What annotators were asked."""
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
    figures: tuple[Share, ...] = ()
    """What the layout's paper reports."""
    kappas: dict[str, float | None] = {}
    """Fleiss' kappa of each question that everybody must answer, by column."""
    names: dict[str, str] = {}
    """The user's own names for labels, each with our name."""


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
    annotator finds a sentence incorrect. If a set has two labels, answers have two as well.
    """
    refuse_existing(out, overwrite=overwrite)
    drawn = read_sample(folder)
    layout = LAYOUTS[next(iter(drawn.values())).layout]
    paths = _annotators(folder, files, out)
    answers = {name: _answers(path, drawn, layout, missing, encoding) for name, path in paths.items()}
    if missing == "stop":
        _refuse_gaps(folder, drawn, answers)
    discarded: Counter[str] = Counter()
    annotated: list[AnnotatedPair | SortedError] = []
    whole: list[Said] = []
    for case in drawn.values():
        said = [given[case.id] for given in answers.values() if case.id in given]
        found = _annotated(case, said, len(answers))
        if isinstance(found, str):
            discarded[found] += 1
            continue
        if NO_GOLD in (found.gold_label, getattr(found, "category", "")):
            discarded["no majority"] += 1
        annotated.append(found)
        whole.append(Said(case, said))
    write_whole(out, b"".join(msgspec.json.encode(each, order="deterministic") + b"\n" for each in annotated))
    pairs = [each for each in annotated if isinstance(each, AnnotatedPair)]
    gold = Counter(str(each.gold_label) for each in pairs if each.gold_label != NO_GOLD)
    return Merged(
        layout=layout.name,
        drawn=len(drawn),
        annotators=tuple(answers),
        gold=dict(sorted(gold.items())),
        discarded=dict(discarded.most_common()),
        confirmed=sum(each.gold_label is each.built_label for each in pairs),
        figures=figures(layout, whole, tuple(answers)),
        kappas=question_kappas(layout, whole),
        names=next(iter(drawn.values())).names,
    )


def _annotated(case: Drawn, said: list[Answered], annotators: int) -> AnnotatedPair | SortedError | str:
    if case.layout == "events" and any(each.label is None for each in said):
        return "a sentence is incorrect"
    if len(said) < annotators:
        return "not answered by all"
    if case.layout == "errors":
        return _sorted(case, [each.answers["category"] for each in said])
    votes = Counter(each.label for each in said if each.label)
    label, most = votes.most_common(1)[0]
    return AnnotatedPair(
        id=case.id,
        premise=case.premise,
        hypothesis=case.hypothesis,
        gold_label=label if 2 * most > annotators else NO_GOLD,
        annotator_labels=tuple(each.label for each in said if each.label),
        votes={each.value: n for each, n in sorted(votes.items())},
        built_label=case.label.two_way if case.two_way else case.label,
        group=case.group,
    )


def _sorted(case: Drawn, said: list[str]) -> SortedError:
    votes = Counter(said)
    category, most = votes.most_common(1)[0]
    return SortedError(
        id=case.id,
        premise=case.premise,
        hypothesis=case.hypothesis,
        gold_label=case.label.two_way if case.two_way else case.label,
        answer=case.answer,
        category=category if 2 * most > len(said) else NO_GOLD,
        annotator_categories=tuple(said),
        votes=dict(sorted(votes.items())),
        group=case.group,
    )


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
    return b'"annotator_labels":' in first or b'"annotator_categories":' in first


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


def _refuse_gaps(folder: Path, drawn: dict[str, Drawn], answers: dict[str, dict[str, Answered]]) -> None:
    for name, given in answers.items():
        if gaps := [key for key, case in drawn.items() if case.id not in given]:
            raise BadInputError(
                f"{name} has not answered {len(gaps):,} of {len(drawn):,} cases, "
                f"such as {', '.join(map(repr, gaps[:EXAMPLES]))}",
                where=str(folder),
                hint="Wait for the rest, or leave such cases out with --missing drop.",
            )
