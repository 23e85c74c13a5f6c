"""What a report says first: which models it is about, where its cases come from, and the examples to show."""

from collections import Counter
from collections.abc import Collection, Iterable
from typing import NamedTuple

from assay.core.judgement import Example, Verdict
from assay.core.manifest import Manifest
from assay.reports.phrases import finding_words
from assay.reports.view import ReportView

FEW = 3
"""Up to this many models each have their own sentence at the top of a report."""

OURS = "assay:"
"""How the names of models begin that come with Assay."""


def subjects(view: ReportView) -> list[str]:
    """The models and systems that are no references: the user's own first, then those that are right most often."""
    judged = [each.model for each in view.judgement.verdicts]
    standing = {each.model: each.source.value for each in view.judgement.verdicts if each.source}
    own = [each for each in judged if not is_grey(view, each)]
    return sorted(own, key=lambda model: (model.startswith(OURS), -standing.get(model, 0.0)))


def leading(view: ReportView) -> list[str]:
    """The models that come first: the user's own, or else all; if they are many, the best of them."""
    there = subjects(view)
    own = [each for each in there if not each.startswith(OURS)] or there
    return own if len(own) <= FEW else own[:1]


def order_models(view: ReportView, models: Iterable[str]) -> list[str]:
    """Models as readers should meet them: those that the report is about first, references last."""
    places = {model: place for place, model in enumerate(subjects(view))}
    return sorted(models, key=lambda model: places.get(view.system(model), len(places)))


def is_grey(view: ReportView, model: str) -> bool:
    """Whether a model is only there to compare others with."""
    return model in view.references and len(view.references) < len(view.models)


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


def headlines(view: ReportView) -> list[Headline]:
    """One for each model and system; those that the report is about come first."""
    first = leading(view)
    return [
        _headline(view, model, first=model in first)
        for model in dict.fromkeys([*subjects(view), *(each.model for each in view.judgement.verdicts)])
    ]


def _headline(view: ReportView, model: str, *, first: bool) -> Headline:
    verdict = next(each for each in view.judgement.verdicts if each.model == model)
    diagnosed = view.diagnosis.headline(model) if view.diagnosis else ""
    return Headline(model, view.name(model), diagnosed or _judged(view, verdict), view.said(verdict).tone, first)


def _judged(view: ReportView, verdict: Verdict) -> str:
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


def most_telling(
    examples: Iterable[Example], most: int = FEW, *, models: Collection[str] | None = None
) -> list[Example]:
    """The most telling few: right before the edit and wrong after it, for many models, each in another family.

    With `models`, only what they fail on counts.
    """
    left = [each for each in examples if models is None or {*each.failing} & {*models}]
    left.sort(key=lambda each: _weight(each, models), reverse=True)
    chosen: list[Example] = []
    while left and len(chosen) < most:
        seen = {each.case.family for each in chosen}
        best = next((each for each in left if each.case.family not in seen), left[0])
        left.remove(best)
        chosen.append(best)
    return chosen


def _weight(example: Example, models: Collection[str] | None) -> tuple[int, int, int]:
    own = [answer for model, answer in example.answers.items() if models is None or model in models]
    flips = sum(answer.failed and answer.source is not None and answer.source is example.source_label for answer in own)
    brevity = -len(example.case.premise) - len(example.case.hypothesis)
    return flips, sum(answer.failed for answer in own), brevity


TEMPLATES = "templates"


class CaseOrigin(NamedTuple):
    """Cases from one corpus, or from templates."""

    n: int
    source: str
    """The corpus, or `templates`."""
    families: tuple[str, ...] = ()
    """The families that were made from templates."""


def sources(suites: Iterable[Manifest]) -> list[CaseOrigin]:
    """The cases by where they come from: corpora first, and those with most cases before others."""
    read: Counter[str] = Counter()
    made: Counter[str] = Counter()
    for suite in suites:
        if suite.source.format in {recipe.transform for recipe in suite.recipes}:  # a transform that brings its pairs
            made[suite.source.format.partition("/")[0]] += suite.cases
        else:
            read[suite.source.name] += suite.cases
    found = [CaseOrigin(n, name) for name, n in read.most_common()]
    return [*found, CaseOrigin(made.total(), TEMPLATES, tuple(made))] if made else found
