"""Lengths of a corpus's texts, and how many pairs fit each model."""

from collections.abc import Iterable, Sequence
from contextlib import ExitStack

import msgspec
import numpy

from assay.core.pair import Pair
from assay.core.protocols import CountsTokens, Texts, offers
from assay.run.predict.answer_gathering import call_model
from assay.run.predict.model_names import keep_open, model_name
from assay.run.workers.pool import in_batches

AT_ONCE = 1024


class LengthSpread(msgspec.Struct, frozen=True, kw_only=True):
    """Distribution of a length over the pairs of a corpus."""

    median: int
    """Half of them have no more."""
    most: int
    p95: int
    """Nineteen of twenty have no more."""


class LengthFit(msgspec.Struct, frozen=True, kw_only=True):
    """The fraction of the pairs that fits a model."""

    model: str
    longest: int
    tokens: LengthSpread
    """The tokens of both texts together."""
    too_long: int
    """Pairs that it takes only with their premise cut off, or in windows."""
    refused: int
    """Pairs that it can't take at all, because the hypothesis alone is too long."""


class Lengths(msgspec.Struct, frozen=True, kw_only=True):
    """Lengths of the texts of a corpus."""

    pairs: int
    premise: LengthSpread
    hypothesis: LengthSpread
    fits: tuple[LengthFit, ...] = ()
    """The share that fits each model; models that have no tokens are left out."""


def measure_lengths(pairs: Iterable[Pair], models: Sequence[str] = ()) -> Lengths | None:
    """The lengths of pairs, from one pass; None if there are none."""
    premises: list[int] = []
    hypotheses: list[int] = []
    with ExitStack() as stack:
        made = {name: stack.enter_context(keep_open(name, None, {})) for name in map(model_name, models)}
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

    def fit(self) -> LengthFit:
        longest = self.model.longest
        return LengthFit(
            model=self.name,
            longest=longest,
            tokens=_spread(self.counts),
            too_long=sum(count > longest for count in self.counts) - self.refused,
            refused=self.refused,
        )


def _spread(values: Sequence[int]) -> LengthSpread:
    return LengthSpread(
        median=int(numpy.median(values)),
        p95=int(numpy.percentile(values, 95, method="higher")),
        most=max(values),
    )
