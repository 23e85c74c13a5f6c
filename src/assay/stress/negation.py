"""Negation (Naik et al. 2018): a tautology with a strong negation word."""

from typing import ClassVar

from assay.stress.tautology import Tautology


class Negation(Tautology, frozen=True, kw_only=True, cache_hash=True):
    """Adds a clause with "not" to the hypothesis; it misleads models that take "not" for contradiction.

    >>> from random import Random
    >>> from assay.core.label import Label
    >>> from assay.core.pair import Pair
    >>> pair = Pair(id="1", premise="It rains.", hypothesis="It is wet.", label=Label.ENTAILMENT)
    >>> Negation()(pair, Random(0))[0].apply(pair)[1]
    'It is wet and false is not true.'
    """

    tautology: str = "and false is not true"

    family: ClassVar[str] = "negation"
