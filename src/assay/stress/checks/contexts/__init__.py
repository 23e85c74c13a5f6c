"""What every check asks about a word in its sentence: whether it is claimed, and of one known thing.

Each rule takes a `Place`, and returns a reason to doubt, or nothing:

- `unclaimed`: a question, an order, a negation, a condition, a possibility or a quantifier reaches the word;
- `picks_out`: the word is an adjective before a noun, and may describe one of several things;
- `general`: the sentence says what is so of a kind of things, not of known ones.

`may_undo` asks the same of whole sentences with numbers, where any such word may undo a comparison.
"""

from assay.stress.checks.contexts.general import general
from assay.stress.checks.contexts.operators import may_undo
from assay.stress.checks.contexts.picking import picks_out
from assay.stress.checks.contexts.place import Contrast, Kind, Place
from assay.stress.checks.contexts.scope import scope
from assay.stress.checks.contexts.sentences import sentence

__all__ = ["Contrast", "Kind", "Place", "general", "may_undo", "picks_out", "scope", "sentence", "unclaimed"]


def unclaimed(place: Place) -> str:
    """Why the sentence may not claim what the word says; empty if it does."""
    return sentence(place) or scope(place)
