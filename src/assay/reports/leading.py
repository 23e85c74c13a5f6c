"""Which models a report is about: they come first, and references follow in grey."""

from collections.abc import Iterable

from assay.reports.view import View

FEW = 3
"""Up to this many models each have their own sentence at the top of a report."""

OURS = "assay:"
"""How the names of models begin that come with Assay."""


def subjects(view: View) -> list[str]:
    """The models and systems that are no references: the user's own first, then those that are right most often."""
    judged = [each.model for each in view.judgement.verdicts]
    standing = {each.model: each.source.value for each in view.judgement.verdicts if each.source}
    own = [each for each in judged if not is_grey(view, each)]
    return sorted(own, key=lambda model: (model.startswith(OURS), -standing.get(model, 0.0)))


def leading(view: View) -> list[str]:
    """The models that come first: the user's own, or else all; if they are many, the best of them."""
    there = subjects(view)
    own = [each for each in there if not each.startswith(OURS)] or there
    return own if len(own) <= FEW else own[:1]


def ordered(view: View, models: Iterable[str]) -> list[str]:
    """Models as readers should meet them: those that the report is about first, references last."""
    places = {model: place for place, model in enumerate(subjects(view))}
    return sorted(models, key=lambda model: places.get(view.system(model), len(places)))


def is_grey(view: View, model: str) -> bool:
    """Whether a model is only there to compare others with."""
    return model in view.references and len(view.references) < len(view.models)
