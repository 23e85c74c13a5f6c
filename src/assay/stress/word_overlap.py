"""Word overlap (Naik et al. 2018): a tautology that dilutes what premise and hypothesis share."""

from typing import ClassVar

from assay.stress.tautology import Tautology


class WordOverlap(Tautology, frozen=True, kw_only=True, cache_hash=True):
    """Adds words that the premise lacks to the hypothesis; it misleads models that count shared words.

    >>> from random import Random
    >>> from assay.core.label import Label
    >>> from assay.core.pair import Pair
    >>> pair = Pair(id="1", premise="It rains.", hypothesis="It is wet.", label=Label.ENTAILMENT)
    >>> WordOverlap()(pair, Random(0))[0].apply(pair)[1]
    'It is wet and true is true.'
    """

    tautology: str = "and true is true"

    family: ClassVar[str] = "word-overlap"
