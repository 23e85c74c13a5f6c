"""Swapping premise and hypothesis (Wang et al. 2019): which text stands on which side should matter."""

from random import Random
from typing import ClassVar

import msgspec

from assay.core.edit import Edit, Skip
from assay.core.label import Label
from assay.core.pair import Pair
from assay.core.protocols import Fidelity

SAME = Skip("both sides are the same text")

DROP = [Edit(premise_from="hypothesis", hypothesis_from="premise", expects="drop")]
HOLD = [Edit(premise_from="hypothesis", hypothesis_from="premise", expects="hold")]


class Swap(msgspec.Struct, frozen=True, kw_only=True):
    """Exchanges premise and hypothesis; what answers are compared with is the pair's own label.

    The more special text entails the more general one, and seldom the other way round, so entailment should drop. What
    contradicts is contradicted, and neutral pairs mostly stay neutral, so these two should hold.

    >>> pair = Pair(id="1", premise="A cook fries eggs.", hypothesis="Somebody cooks.", label=Label.ENTAILMENT)
    >>> [(edit.apply(pair), edit.expects) for edit in Swap()(pair, Random(0))]
    [(('Somebody cooks.', 'A cook fries eggs.'), 'drop')]
    """

    fidelity: Fidelity = "strict"
    """The paper swaps every pair; strict leaves out those whose two texts are the same."""

    family: ClassVar[str] = "swap"
    any_length: ClassVar[bool] = True
    with_original: ClassVar[bool] = True
    """Alone it says nothing: a suite of it holds the original pairs too."""

    def __call__(self, pair: Pair, rng: Random) -> list[Edit] | Skip:  # noqa: ARG002 - nothing to decide
        if pair.premise == pair.hypothesis and self.fidelity == "strict":
            return SAME
        return DROP if pair.label is Label.ENTAILMENT else HOLD
