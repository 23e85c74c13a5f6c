"""The figures of a layout, as its paper reports them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import NamedTuple

import msgspec

from assay.bench.annotation.questions import Answered, Drawn, Layout
from assay.core.label import Label
from assay.evaluate.agreement import fleiss_kappa


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """A share of cases, or of answers."""

    what: str
    """What is counted: `label` if most annotators give the label that a case was built with, and so on."""
    share: float
    """The share."""
    n: int
    """Of how many cases."""


class Said(NamedTuple):
    """A case that everybody answered."""

    case: Drawn
    """The case."""
    answers: list[Answered]
    """By annotator."""

    @property
    def built(self) -> Label:
        """The label that it was built with; one of two if the set has two."""
        return self.case.label.two_way if self.case.two_way else self.case.label


def figures(layout: Layout, said: Sequence[Said], annotators: Sequence[str]) -> tuple[Share, ...]:
    """What the paper reports: people's accuracy, what most people agree on, or the sources of errors."""
    if not said:
        return ()
    match layout.name:
        case "label":
            return tuple(_accuracies(said, annotators))
        case "check":
            return tuple(_agreed(said))
        case "errors":
            return tuple(_sources(layout, said))
    return ()


def question_kappas(layout: Layout, said: Sequence[Said]) -> dict[str, float | None]:
    """Fleiss' kappa of each question; none if questions may stay open or are free, or only one person answered."""
    if layout.name in ("events", "notes") or not said or len(said[0].answers) < 2:
        return {}
    return {
        question.column: fleiss_kappa([Counter(each.answers[question.column] for each in one.answers) for one in said])
        for question in layout.questions
    }


def _accuracies(said: Sequence[Said], annotators: Sequence[str]) -> Iterator[Share]:
    """McCoy et al. (2019): the mean accuracy of people, on all cases and by label, and the accuracy of each person."""
    labels = [label for label in Label if any(one.built is label for one in said)]
    for name, cases in {
        "all": said,
        **{each.value: [one for one in said if one.built is each] for each in labels},
    }.items():
        yield Share(what=name, share=fmean(_right(cases, place) for place in range(len(annotators))), n=len(cases))
    for place, name in enumerate(annotators):
        yield Share(what=f"annotator {name}", share=_right(said, place), n=len(said))


def _right(said: Sequence[Said], place: int) -> float:
    return fmean(one.answers[place].label is one.built for one in said)


def _agreed(said: Sequence[Said]) -> Iterator[Share]:
    """Naik et al. (2018): the cases on which most annotators agree about label, grammar and difficulty."""
    most = {
        "label": [_most([each.label is one.built for each in one.answers]) for one in said],
        "grammatical": [_most([each.answers["grammatical"] == "yes" for each in one.answers]) for one in said],
        "easy": [_most([each.answers["easy"] == "yes" for each in one.answers]) for one in said],
    }
    for what, agreed in most.items():
        yield Share(what=what, share=fmean(agreed), n=len(said))
    single = [each.label is one.built for one in said for each in one.answers]
    yield Share(what="single labels", share=fmean(single), n=len(said))


def _most(answers: Sequence[bool]) -> bool:
    return 2 * sum(answers) > len(answers)


def _sources(layout: Layout, said: Sequence[Said]) -> Iterator[Share]:
    """Naik et al. (2018), section 2: the share of each source of errors, by what most annotators say."""
    (question,) = layout.questions
    for category in question.choices:
        agreed = [_most([each.answers[question.column] == category for each in one.answers]) for one in said]
        yield Share(what=category, share=fmean(agreed), n=len(said))
