"""How a sample of a corpus is drawn."""

import msgspec


class Sampling(msgspec.Struct, frozen=True, kw_only=True):
    """A random sample of pairs, with each label and genre in its share."""

    n: int
    """How many pairs."""
    seed: int = 0
    """It decides which pairs are drawn."""
