"""What is known about the data and the models of a run, for its record."""

from collections.abc import Iterable, Mapping

from assay.core import registry
from assay.core.alias import aliased
from assay.core.errors import UnknownNameError
from assay.core.suite import Manifest
from assay.corpora.cards import Card, card_of


def facts_of_data(suites: Mapping[str, Manifest]) -> dict[str, dict[str, str]]:
    """What the cards say about the data of each suite; suites of data without a card are left out."""
    found = ((name, card_of(manifest.source)) for name, manifest in suites.items())
    return {name: _facts(card) for name, card in found if card}


def facts_of_models(models: Iterable[str]) -> dict[str, str]:
    """What each model, or its kind, says about itself in one sentence."""
    found = {}
    for model in models:
        kind, _, name = aliased(model).model.partition(":")
        try:
            known = registry.models.get(name) if kind == "assay" else registry.adapters.get(kind)
        except UnknownNameError:
            continue
        if said := (known.__doc__ or "").strip().partition("\n")[0]:
            found[model] = said
    return found


def _facts(card: Card) -> dict[str, str]:
    paper = f"{card.paper.authors} ({card.paper.year}), {card.paper.title}" if card.paper else ""
    facts = {"data": card.title, "paper": paper, "licence": card.licence, "from": card.homepage, "limits": card.limits}
    return {name: value for name, value in facts.items() if value}
