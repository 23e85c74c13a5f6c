"""How a sample of a corpus is drawn."""

import msgspec


class Sampling(msgspec.Struct, frozen=True, kw_only=True):
    """A number of pairs, drawn by chance; every label and genre is there in its share."""

    n: int
    """How many pairs."""
    seed: int = 0
    """Chance is keyed by it."""
