"""From answers to gold labels: the answer of most annotators, or what was decided where they disagree."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import msgspec

from assay.annotate.agreement import AnswerShare, FullyAnnotatedCase, figures, question_kappas
from assay.annotate.layouts import AnnotatorAnswer, LayoutName, SampledCase
from assay.core.label import Label
from assay.evaluate.error_categories import NO_GOLD, SortedError

Given = Mapping[str, AnnotatorAnswer]  # one person's answers, by case id


class AnnotatedPair(msgspec.Struct, frozen=True, kw_only=True):
    """A pair with the annotators' labels, as a line of a corpus."""

    id: str
    premise: str
    hypothesis: str
    gold_label: Label | Literal["-"]
    """The majority's or the adjudicated label; `-`, as in SNLI, if no label has more than half of the answers."""
    annotator_labels: tuple[Label, ...]  # one label per person, in the order of their names
    votes: dict[str, int]
    built_label: Label  # the label from the builder or the corpus
    group: dict[str, str]
    adjudicated: Literal[True] | msgspec.UnsetType = msgspec.UNSET


class NotedPair(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    premise: str
    hypothesis: str
    gold_label: Label  # the label from the builder or the corpus
    annotator_notes: tuple[str, ...]  # one per person, in the order of their names
    group: dict[str, str]


Outcome = AnnotatedPair | SortedError | NotedPair


class Merged(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a merge."""

    layout: LayoutName
    drawn: int
    annotators: tuple[str, ...]
    gold: dict[str, int]  # cases with a gold label, by label
    discarded: dict[str, int]  # cases without one, by reason
    confirmed: int  # cases whose gold label is the one they were built with
    adjudicated: int = 0
    figures: tuple[AnswerShare, ...] = ()  # the metrics of the layout's paper
    kappas: dict[str, float | None] = {}  # Fleiss' kappa of each question that everybody must answer, by column
    names: dict[str, str] = {}  # the user's own names for labels, each with our name


class LabelledCases(NamedTuple):
    outcomes: list[Outcome]  # in the order of the sample; without discarded ones
    merged: Merged


def decide_gold(drawn: Sequence[SampledCase], answers: Mapping[str, Given], decided: Given) -> LabelledCases:
    """Give each case its gold label: what was `decided` about it, or the answer of more than half of the people.

    With the three questions about events, a case is discarded if any annotator finds a sentence incorrect.
    """
    discarded: Counter[str] = Counter()
    outcomes: list[Outcome] = []
    whole: list[FullyAnnotatedCase] = []
    for case in drawn:
        said = [given[case.id] for given in answers.values() if case.id in given]
        found = _outcome(case, said, len(answers), decided.get(case.id))
        if isinstance(found, str):
            discarded[found] += 1
            continue
        if NO_GOLD in (found.gold_label, getattr(found, "category", "")):
            discarded["no majority"] += 1
        outcomes.append(found)
        if said and len(said) == len(answers):
            whole.append(FullyAnnotatedCase(case, said))
    pairs = [each for each in outcomes if isinstance(each, AnnotatedPair)]
    gold = Counter(str(each.gold_label) for each in pairs if each.gold_label != NO_GOLD)
    layout = drawn[0].asked
    merged = Merged(
        layout=layout.name,
        drawn=len(drawn),
        annotators=tuple(answers),
        gold=dict(sorted(gold.items())),
        discarded=dict(discarded.most_common()),
        confirmed=sum(each.gold_label is each.built_label for each in pairs),
        adjudicated=sum(case.id in decided for case in drawn),
        figures=figures(layout, whole, tuple(answers)),
        kappas=question_kappas(layout, whole),
        names=drawn[0].names,
    )
    return LabelledCases(outcomes, merged)


def _outcome(
    case: SampledCase, said: list[AnnotatorAnswer], annotators: int, decision: AnnotatorAnswer | None
) -> Outcome | str:
    if case.layout == "events" and any(each.label is None for each in ([decision] if decision else said)):
        return "a sentence is incorrect"
    if len(said) < max(annotators, 1) and not decision:
        return "not answered by all"
    match case.layout:
        case "errors" | "own":
            return _sorted(case, [each.answers["category"] for each in said], decision)
        case "notes":
            return NotedPair(
                id=case.id,
                premise=case.premise,
                hypothesis=case.hypothesis,
                gold_label=case.built_label,
                annotator_notes=tuple(each.answers["note"] for each in said),
                group=case.group,
            )
    return _labelled(case, [each.label for each in said if each.label], decision)


def _labelled(case: SampledCase, said: list[Label], decision: AnnotatorAnswer | None) -> AnnotatedPair:
    votes = Counter(said)
    majority = next((label for label, n in votes.items() if 2 * n > votes.total()), NO_GOLD)
    return AnnotatedPair(
        id=case.id,
        premise=case.premise,
        hypothesis=case.hypothesis,
        gold_label=(decision and decision.label) or majority,
        annotator_labels=tuple(said),
        votes={each.value: n for each, n in sorted(votes.items())},
        built_label=case.built_label,
        group=case.group,
        adjudicated=True if decision else msgspec.UNSET,
    )


def _sorted(case: SampledCase, said: list[str], decision: AnnotatorAnswer | None) -> SortedError:
    votes = Counter(said)
    most = next((category for category, n in votes.items() if 2 * n > len(said)), NO_GOLD)
    return SortedError(
        id=case.id,
        premise=case.premise,
        hypothesis=case.hypothesis,
        gold_label=case.built_label,
        answer=case.answer,
        category=decision.answers["category"] if decision else most,
        annotator_categories=tuple(said),
        votes=dict(sorted(votes.items())),
        group=case.group,
        adjudicated=True if decision else msgspec.UNSET,
    )
