"""Length mismatch (Naik et al. 2018): a premise that is much longer but says nothing more."""

from typing import ClassVar

from assay.core.edit import Side
from assay.core.protocols import Fidelity
from assay.stress.tautology import STRICT, Quirks, Tautology

AT_THE_VERY_END = Quirks(final_stop=False)
"""The paper's example; the released script has no version for premises."""


class LengthMismatch(Tautology, frozen=True, kw_only=True, cache_hash=True):
    """Adds a tautology to the premise five times; it misleads models that get lost in long premises.

    >>> from random import Random
    >>> from assay.core.label import Label
    >>> from assay.core.pair import Pair
    >>> pair = Pair(id="1", premise="It rains.", hypothesis="It is wet.", label=Label.ENTAILMENT)
    >>> LengthMismatch(times=2)(pair, Random(0))[0].apply(pair)[0]
    'It rains and true is true and true is true.'
    """

    tautology: str = "and true is true"
    times: int = 5

    family: ClassVar[str] = "length-mismatch"
    side: ClassVar[Side] = "premise"
    quirks: ClassVar[dict[Fidelity, Quirks]] = {"strict": STRICT, "paper": AT_THE_VERY_END, "code": AT_THE_VERY_END}
