"""Texts that are too long for a model: measured, reported, and left out."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Literal, NoReturn, Protocol

import msgspec
import numpy

from assay.core.errors import UserError
from assay.core.pair import Pair
from assay.core.protocols import Adapter, CountsTokens, Learner, Model, TextModel, Texts, offers
from assay.core.registry import option
from assay.run.build.case_selection import without
from assay.run.predict.answer_gathering import CaseTexts, call_model
from assay.run.predict.model_names import keep_open, model_name
from assay.run.workers.pool import in_batches
from assay.storage.suite import Suite

Truncate = Literal["premise", "error"]

EXAMPLES = 3


class Named(Protocol):
    """A case, which has a family, or a row of a task."""

    @property
    def id(self) -> str: ...


def refuse(name: str, too_long: Iterable[Named]) -> NoReturn:
    """Stop, with the number of cases in each family and a few of their ids."""
    cases = list({case.id: case for case in too_long}.values())
    shown = ", ".join(repr(case.id) for case in cases[:EXAMPLES])
    raise UserError(
        f"{len(cases):,} cases are too long for {name}{by_family(cases)}, such as {shown}.\n"
        f"  Ask about all of each premise, window by window, with {option('windows', 'max')}; or cut off the end of "
        f"the premises with {option('truncate', 'premise')}: each such answer is marked and counted."
    )


def refuse_hypothesis(name: str, case: CaseTexts) -> NoReturn:
    """Stop at a case that can't be asked however much of its premise is cut off."""
    raise UserError(
        f"The hypothesis of {case.id!r} ({case.family}) is longer than {name} takes, and only premises are ever cut: "
        f"{case.hypothesis[:80]!r}...\n  Leave that pair out of the corpus."
    )


def foretold(name: str, too_long: Iterable[CaseTexts]) -> str:
    """A warning about what will be cut off; empty if nothing will."""
    cases = list(too_long)
    if not cases:
        return ""
    return (
        f"{name}: the premises of {len(cases):,} cases are longer than it takes{by_family(cases)}. Their ends are cut "
        f"off, and the answers are marked. {option('windows', 'max')} asks about all of each premise, window by "
        f"window; {option('truncate', 'error')} stops instead."
    )


def by_family(cases: Iterable[Named]) -> str:
    """Number of cases each family has, in brackets.

    >>> by_family([CaseTexts("1", "", "", "original"), CaseTexts("2", "", "", "negation")])
    ' (original 1, negation 1)'
    """
    counts = Counter(family for case in cases if (family := getattr(case, "family", "")))
    return f" ({', '.join(f'{family} {n:,}' for family, n in counts.items())})" if counts else ""


LEAST = 200
"""A hypothesis of fewer words fits into 512 tokens, so no model is loaded to find that out."""


def drop_oversized(
    suites: Mapping[str, Suite],
    models: Sequence[str],
    given: Mapping[str, Model | Learner | Adapter],
    names: Mapping[str, str],
) -> Iterator[tuple[str, Suite, str]]:
    """Each suite with its name, without what a model can't take, and what a user should know about that."""
    asked = {name: [case for case in suite.decoded(CaseTexts) if _is_long(case)] for name, suite in suites.items()}
    reasons: dict[str, str] = {}
    for model in models if any(asked.values()) else ():
        with keep_open(model, given.get(model), names) as ready:
            if offers(ready, TextModel):
                cases = [case for some in asked.values() for case in some if case.id not in reasons]
                why = f"its hypothesis is longer than {model} takes"
                reasons |= {case.id: why for case in _refused(model, ready, cases)}
    for name, suite in suites.items():
        gone = [case for case in asked[name] if case.id in reasons]
        said = (
            f"{len(gone):,} cases are left out{by_family(gone)} for every model: {reasons[gone[0].id]}, and only "
            "premises are ever cut."
            if gone
            else ""
        )
        yield name, without(suite, {case.id: reasons[case.id] for case in gone}) if gone else suite, said


def _is_long(case: CaseTexts) -> bool:
    return len(case.hypothesis) > LEAST and len(case.hypothesis.split(None, LEAST)) > LEAST


def _refused(name: str, model: TextModel, cases: Sequence[CaseTexts]) -> Iterator[CaseTexts]:
    for chunk in in_batches(cases, 256):
        ready = call_model(name, partial(model.ready, [case.texts for case in chunk]))
        yield from (case for case, each in zip(chunk, ready, strict=True) if not each.fits)


AT_ONCE = 1024


class LengthSpread(msgspec.Struct, frozen=True, kw_only=True):
    """Distribution of a length over the pairs of a corpus."""

    median: int
    """Half of them have no more."""
    most: int
    p95: int
    """Nineteen of twenty have no more."""


class LengthFit(msgspec.Struct, frozen=True, kw_only=True):
    """The share of the pairs that fits a model."""

    model: str
    longest: int
    """The most tokens in a pair."""
    tokens: LengthSpread
    """The tokens of both texts together."""
    too_long: int
    """Pairs that it takes only with their premise cut off, or in windows."""
    refused: int
    """Pairs that it can't take at all, because the hypothesis alone is too long."""


class Lengths(msgspec.Struct, frozen=True, kw_only=True):
    """Lengths of the texts of a corpus."""

    pairs: int
    """Number of pairs."""
    premise: LengthSpread
    """Words of premises."""
    hypothesis: LengthSpread
    """Words of hypotheses."""
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
