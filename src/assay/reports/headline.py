"""What a report says first: each model in one sentence."""

from typing import NamedTuple

from assay.reports.leading import leading, subjects
from assay.reports.view import View
from assay.reports.words import finding_words, verdict_words


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
    found = view.findings(model)
    said = verdict_words(verdict, found, two_way=model in view.two_way)
    worst = f": {finding_words(found[0], view.names).removesuffix('.')}" if found else ""
    words = f"{said.headline[0].lower()}{said.headline[1:]}{worst}"
    return Headline(model, view.name(model), words, said.tone, first)
