"""Where one of two opposite words excludes the other: every place that a proof for antonyms accepts or refuses."""

from assay.stress.checks.antonym_contexts.adjectives import adjective
from assay.stress.checks.antonym_contexts.amounts import amount
from assay.stress.checks.antonym_contexts.nouns import noun
from assay.stress.checks.antonym_contexts.phrases import phrase
from assay.stress.checks.contexts import Place, scope, sentence


def doubt(place: Place) -> str:
    """Why both sentences might be true with this word; empty if its place makes them exclude each other."""
    return sentence(place) or phrase(place) or scope(place) or _position(place)


def _position(place: Place) -> str:
    if place.kind == "amount":
        return amount(place)
    return noun(place) if place.is_noun else adjective(place)
