"""What a report says first: each model in one sentence."""

from typing import NamedTuple

from assay.core.results.judgement import Verdict
from assay.reports.leading import leading, subjects
from assay.reports.view import View
from assay.reports.words import finding_words


class Headline(NamedTuple):
    """A model in one sentence."""

    model: str
    """The model, or a system of several seeds."""
    name: str
    """Its name for people."""
    words: str
    """What it does, without the subject and the final stop."""
    tone: str
    """Whether that is bad, good or unsure."""
    first: bool
    """Whether the report is about this model: it comes first and is not grey."""


def headlines(view: View) -> list[Headline]:
    """One for each model and system; those that the report is about come first."""
    first = leading(view)
    return [
        _headline(view, model, first=model in first)
        for model in dict.fromkeys([*subjects(view), *(each.model for each in view.judgement.verdicts)])
    ]


def _headline(view: View, model: str, *, first: bool) -> Headline:
    verdict = next(each for each in view.judgement.verdicts if each.model == model)
    diagnosed = view.diagnosis.headline(model) if view.diagnosis else ""
    return Headline(model, view.name(model), diagnosed or _judged(view, verdict), view.said(verdict).tone, first)


def _judged(view: View, verdict: Verdict) -> str:
    """The verdict with the worst that was found."""
    found = view.findings(verdict.model)
    words = {
        "unusable": "gave no usable answer to most cases",
        "wrong reasons": "fails clearly",
        "guesses": "is not clearly better than always giving one label",
        "misjudges itself": "shows no clear loss, but its confidence is off",
        "no loss": "shows no clear loss",
        "not compared": "was not asked about source pairs, so nothing can be compared",
    }[verdict.outcome]
    return f"{words}: {finding_words(found[0], view.names).removesuffix('.')}" if found else words
