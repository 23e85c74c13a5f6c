"""Swapping premise and hypothesis (Wang et al. 2019): which text is on which side should matter."""

from random import Random
from typing import ClassVar

import msgspec

from assay.core.case import Case, text_digest
from assay.core.edit import Edit, Skip
from assay.core.label import Label
from assay.core.pair import Pair
from assay.core.protocols import Check, Excerpting, Fidelity
from assay.stress.original import CHANGED


class SwapCheck:
    """For the family swap. No label is claimed, so none is proven: the texts and the expectation are."""

    def __call__(self, case: Case) -> Skip | None:
        """Exchange the texts again and compare."""
        edit = case.provenance.edit
        if text_digest(case.hypothesis, case.premise) != case.provenance.source or edit.premise or edit.hypothesis:
            return CHANGED
        if case.premise == case.hypothesis:
            return Skip("not verified: both sides are the same text, so nothing was swapped")
        if case.label is not None or edit.label is not None:
            return Skip("not verified: a swapped pair has no label of its own")
        if case.expects != {"entailment": "drop"}.get(case.compared_with.value, "hold"):
            return Skip("not verified: entailment should drop, and the other labels hold")
        return None


SAME = Skip("both sides are the same text")

DROP = [Edit(premise_from="hypothesis", hypothesis_from="premise", expects="drop")]
HOLD = [Edit(premise_from="hypothesis", hypothesis_from="premise", expects="hold")]


class Swap(msgspec.Struct, frozen=True, kw_only=True):
    """Swaps premise and hypothesis; answers are compared with the pair's own label.

    The more specific text entails the more general one, and seldom the other way round, so entailment should drop.
    Contradiction goes both ways, and neutral pairs mostly stay neutral, so these two should hold.

    >>> pair = Pair(id="1", premise="A cook fries eggs.", hypothesis="Somebody cooks.", label=Label.ENTAILMENT)
    >>> [(edit.apply(pair), edit.expects) for edit in Swap()(pair, Random(0))]
    [(('Somebody cooks.', 'A cook fries eggs.'), 'drop')]
    """

    fidelity: Fidelity = "strict"
    """The paper swaps every pair; strict leaves out those whose two texts are the same."""

    family: ClassVar[str] = "swap"
    check: ClassVar[type[Check]] = SwapCheck
    excerpt: ClassVar[Excerpting] = "nearest"
    any_length: ClassVar[bool] = True
    with_original: ClassVar[bool] = True
    """It means nothing on its own: a suite of it includes the original pairs."""

    def __call__(self, pair: Pair, rng: Random) -> list[Edit] | Skip:  # noqa: ARG002 - nothing to decide
        if pair.premise == pair.hypothesis and self.fidelity == "strict":
            return SAME
        return DROP if pair.label is Label.ENTAILMENT else HOLD
