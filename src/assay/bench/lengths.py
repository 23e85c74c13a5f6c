"""How long the texts of a corpus are, in words and in a model's tokens, and what would not fit into the model."""

from collections.abc import Iterable, Sequence
from contextlib import ExitStack

import msgspec
import numpy

from assay.bench.ask.checks import call_model
from assay.bench.ask.names import model_name
from assay.bench.ask.opening import opened
from assay.bench.shards import in_batches
from assay.core.pair import Pair
from assay.core.protocols import CountsTokens, Texts, offers

AT_ONCE = 1024


class Spread(msgspec.Struct, frozen=True, kw_only=True):
    """How a length is spread over the pairs of a corpus."""

    median: int
    """Half of them have no more."""
    most: int
    """The largest."""
    p95: int
    """Nineteen of twenty have no more."""


class Fit(msgspec.Struct, frozen=True, kw_only=True):
    """What a model takes of the pairs."""

    model: str
    """Its name."""
    longest: int
    """The most tokens in a pair."""
    tokens: Spread
    """The tokens of both texts together."""
    too_long: int
    """Pairs that it takes only with their premise cut off, or in windows."""
    refused: int
    """Pairs that it can't take at all, because the hypothesis alone is too long."""


class Lengths(msgspec.Struct, frozen=True, kw_only=True):
    """How long the texts of a corpus are."""

    pairs: int
    """How many pairs there are."""
    premise: Spread
    """Words of premises."""
    hypothesis: Spread
    """Words of hypotheses."""
    fits: tuple[Fit, ...] = ()
    """What each model takes; models that have no tokens are left out."""


def measure_lengths(pairs: Iterable[Pair], models: Sequence[str] = ()) -> Lengths | None:
    """The lengths of pairs, from one pass; None if there are none."""
    premises: list[int] = []
    hypotheses: list[int] = []
    with ExitStack() as stack:
        made = {name: stack.enter_context(opened(name, None, {})) for name in map(model_name, models)}
        counting = [_Counting(name, model) for name, model in made.items() if offers(model, CountsTokens)]
        for some in in_batches(pairs, AT_ONCE):
            texts = [Texts(pair.premise, pair.hypothesis) for pair in some]
            premises += [len(each.premise.split()) for each in texts]
            hypotheses += [len(each.hypothesis.split()) for each in texts]
            for each in counting:
                each.add(texts)
        if not premises:
            return None
        return Lengths(
            pairs=len(premises),
            premise=_spread(premises),
            hypothesis=_spread(hypotheses),
            fits=tuple(each.fit() for each in counting),
        )


class _Counting:
    """Counts the tokens of one model."""

    def __init__(self, name: str, model: CountsTokens) -> None:
        self.name = name
        self.model = model
        self.counts: list[int] = []
        self.refused = 0

    def add(self, texts: Sequence[Texts]) -> None:
        counts = call_model(self.name, lambda: self.model.count_tokens(texts))
        long = [each for each, count in zip(texts, counts, strict=True) if count > self.model.longest]
        self.counts += counts
        self.refused += sum(not each.fits for each in self.model.ready(long)) if long else 0

    def fit(self) -> Fit:
        longest = self.model.longest
        return Fit(
            model=self.name,
            longest=longest,
            tokens=_spread(self.counts),
            too_long=sum(count > longest for count in self.counts) - self.refused,
            refused=self.refused,
        )


def _spread(values: Sequence[int]) -> Spread:
    return Spread(
        median=int(numpy.median(values)),
        p95=int(numpy.percentile(values, 95, method="higher")),
        most=max(values),
    )
