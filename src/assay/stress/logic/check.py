"""Check of the logic families: both texts are parsed, and all relevant worlds are enumerated."""

from functools import cache

from assay.core.case import Case
from assay.core.edit import Skip
from assay.stress.logic.proof.prover import Prover
from assay.stress.logic.template_family import own_lexicon
from assay.stress.original import CHANGED, source_of


class LogicCheck:
    """Check of all logic families. It knows the words and their meanings, but no template and no polarity."""

    def __call__(self, case: Case) -> Skip | None:
        """Parse both texts, and compare their truth in every world."""
        if case.provenance.edit.label is not None or source_of(case) is None:
            return CHANGED
        proof = _prover(case.provenance.recipe.options.get("templates", ""))(case.premise, case.hypothesis)
        if proof.label is None:
            return Skip(f"not verified: {proof.reason}")
        return None if proof.label is case.label else Skip("not verified: the proof gives another label")


@cache
def _prover(templates: object) -> Prover:
    return Prover(own_lexicon(str(templates)))
