"""Lengths of a corpus's texts, and how many pairs fit each model."""

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from functools import partial

import msgspec
import numpy

from assay.core.pair import Pair
from assay.core.protocols import CountsTokens, Texts, offers
from assay.run.predict.answer_checks import call_model
from assay.run.predict.model_names import keep_open, model_name
from assay.run.workers.pool import in_batches

AT_ONCE = 1024


class LengthSpread(msgspec.Struct, frozen=True, kw_only=True):
    """Distribution of a length over the pairs of a corpus."""

    median: int
    most: int
    p95: int


class LengthFit(msgspec.Struct, frozen=True, kw_only=True):
    """The fraction of the pairs that fits a model."""

    model: str
    longest: int
    tokens: LengthSpread  # the tokens of both texts together
    too_long: int  # pairs that it takes only with their premise cut off, or in windows
    refused: int  # pairs that it can't take at all, because the hypothesis alone is too long


class Lengths(msgspec.Struct, frozen=True, kw_only=True):
    """Lengths of the texts of a corpus."""

    pairs: int
    premise: LengthSpread
    hypothesis: LengthSpread
    fits: tuple[LengthFit, ...] = ()  # the share that fits each model; models that have no tokens are left out


def measure_lengths(pairs: Iterable[Pair], models: Sequence[str] = ()) -> Lengths | None:
    """The lengths of pairs, from one pass; None if there are none."""
    words: list[tuple[int, int]] = []
    with ExitStack() as stack:
        opened = {name: stack.enter_context(keep_open(name, None, {})) for name in map(model_name, models)}
        counting = {name: model for name, model in opened.items() if offers(model, CountsTokens)}
        tokens: dict[str, list[int]] = {name: [] for name in counting}
        refused = Counter[str]()
        for some in in_batches(pairs, AT_ONCE):
            texts = [Texts(pair.premise, pair.hypothesis) for pair in some]
            words += [(len(each.premise.split()), len(each.hypothesis.split())) for each in texts]
            for name, model in counting.items():
                counts = call_model(name, partial(model.count_tokens, texts))
                long = [each for each, count in zip(texts, counts, strict=True) if count > model.longest]
                tokens[name] += counts
                refused[name] += sum(not each.fits for each in model.ready(long)) if long else 0
        if not words:
            return None
        premises, hypotheses = zip(*words, strict=True)
        return Lengths(
            pairs=len(words),
            premise=_summarise_lengths(premises),
            hypothesis=_summarise_lengths(hypotheses),
            fits=tuple(
                LengthFit(
                    model=name,
                    longest=model.longest,
                    tokens=_summarise_lengths(tokens[name]),
                    too_long=sum(count > model.longest for count in tokens[name]) - refused[name],
                    refused=refused[name],
                )
                for name, model in counting.items()
            ),
        )


def _summarise_lengths(values: Sequence[int]) -> LengthSpread:
    return LengthSpread(
        median=int(numpy.median(values)), p95=int(numpy.percentile(values, 95, method="higher")), most=max(values)
    )
