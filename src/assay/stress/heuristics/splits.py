"""Disjoint halves of all premises, the same for every grammar, seed and fidelity.

A premise's half depends on whether an even number of its words have an odd digest, so pairs with the same premise are
in the same half.
"""

import hashlib
from functools import cache
from typing import Literal

from assay.stress.heuristics.patterns import ARTICLE

Split = Literal["evaluation", "training"]
SPLITS: tuple[Split, Split] = ("evaluation", "training")


@cache
def word_bit(word: str) -> int:
    """0 or 1, by the word alone; articles are ignored, so that a doubled one changes nothing."""
    return 0 if word == ARTICLE else hashlib.blake2b(word.encode(), digest_size=1).digest()[0] & 1
