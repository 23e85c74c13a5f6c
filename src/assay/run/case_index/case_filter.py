"""Choosing cases: a filter, the selected cases in order, and counts for each facet."""

from collections.abc import Iterator, Mapping
from functools import cached_property, reduce
from typing import Any, Literal, NamedTuple

import msgspec
import numpy

from assay.core.errors import UserError, did_you_mean
from assay.evaluate.case_columns import ENTAILMENT, Bools, Ints
from assay.run.case_index.case_index import ALL, FAILED, HELD, RIGHT, CaseIndex

Show = Literal["", "wrong", "right", "flipped", "alone", "differ", "beats"]
"""Filter of the model's answers: all; wrong; right; wrong where the source pair was right; wrong where all
others are right; other than the other model's; right where the other model is wrong."""

ORDERS = ("case", "worst", "suite", "family", "variant", "label", "answer", "confidence", "disagreement", "length")

FEW = 2  # if fewer than one in this many rows are needed, not all are sorted


class CaseFilter(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A selection of cases and their order. A field that is empty filters nothing."""

    words: str = ""
    model: str = ""
    other: str = ""
    show: Show = ""
    answer: str = ""
    sure_from: float | None = None  # lowest confidence of the model, in %
    sure_to: float | None = None  # highest confidence of the model, in %
    score_from: float | None = None  # lowest support score: the model's probability of entailment
    score_below: float | None = None  # scores at or above this value are left out
    facets: dict[str, str] = {}  # the value of each chosen facet: suite, family, variant, label, and group.NAME
    order: str = "case"
    down: bool = False  # True if the largest come first


class Count(NamedTuple):
    """A value of a facet."""

    value: str
    n: int  # the number of cases with this value, given all other filters
    failed: int | None  # number of them that the model gets wrong; None if no model is chosen


Counts = tuple[Ints, Ints | None]  # cases by code, and how many the model gets wrong; None if no model is chosen


class FilteredCases:
    """The cases that a filter selects. Facets select kinds of cases; all other filters select single cases.

    Facets let kinds of cases through, everything else lets cases through.
    """

    def __init__(self, index: CaseIndex, choice: CaseFilter) -> None:
        self.index, self.choice = index, _check_filter(index, choice)
        self._kinds = {
            name: numpy.asarray(index.of_kinds(name) == _code_of(index, name, value))
            for name, value in self.choice.facets.items()
        }
        self._cases = dict(_find_masks(index, self.choice))

    @cached_property
    def mask(self) -> Bools | None:
        """The selected cases; None means all."""
        return self._let_through(self._cases)

    def __len__(self) -> int:
        return int(self._in_kinds[0][self._other_kinds("")].sum())

    def rows(self, start: int, most: int) -> list[int]:
        """Some rows, in the order that was requested."""
        if self.choice.order == "case" and not self.choice.down:
            if self.mask is None:
                return [*range(start, min(start + most, len(self.index)))]
            found = numpy.flatnonzero(self.mask)[start : start + most]
        else:
            found = self.ordered(first=start + most)[start:]
        return [int(row) for row in found]

    def ordered(self, *, first: int | None = None) -> Ints:
        """The rows in the order that was requested, all or the first; ties stay in the order of the run.

        Of answers that are equally bad, those to different pairs and families come first.
        """
        rows = None if self.mask is None else numpy.flatnonzero(self.mask)
        keys = numpy.asarray(_sort_key(self.index, self.choice, ALL if rows is None else rows))
        if self.choice.down:
            keys = -keys
        most = len(keys) if first is None else min(first, len(keys))
        if self.choice.order != "worst":
            found = _find_smallest(keys, most)
            return found if rows is None else rows[found]
        if 0 < most < len(keys):
            tied = numpy.flatnonzero(keys <= numpy.partition(keys, most - 1)[most - 1])
            keys, rows = keys[tied], tied if rows is None else rows[tied]
        elif rows is None:
            rows = numpy.arange(len(keys))
        return rows[_spread(keys, self.index.column("pair")[rows], self.index.codes("family", rows))][:most]

    def counts(self, facet: str) -> list[Count]:
        """Cases by value of a facet, if only the other filters applied; absent values are left out."""
        values = self.index.described.values[facet]
        found, failed = self._answers() if facet == "answer" else self._of_kinds(facet)
        return [
            Count(value, int(found[code]), None if failed is None else int(failed[code]))
            for code, value in enumerate(values)
            if found[code] and value
        ]

    def _of_kinds(self, facet: str) -> Counts:
        """Number of cases that have each code of a facet."""
        others = self._other_kinds(facet)
        codes, size = self.index.of_kinds(facet)[others], len(self.index.described.values[facet])
        n, failed = self._in_kinds
        wrong = None if failed is None else _sum_counts(codes, failed[others], size)
        return (_sum_counts(codes, n[others], size), wrong)

    def _answers(self) -> Counts:
        """Number of cases that have each answer of the model."""
        mask = self._let_through({name: each for name, each in self._cases.items() if name != "answer"})
        answers = self.index.of_model("answer", self.choice.model)
        return self._counted(answers, mask, len(self.index.described.values["answer"]))

    @cached_property
    def _in_kinds(self) -> Counts:
        """The number of cases of each kind that all filters except the facets select."""
        index, model = self.index, self.choice.model
        if not self._cases:
            return (index.sizes(""), index.sizes(model) if model else None)
        return self._counted(index.column("kind"), reduce(numpy.logical_and, self._cases.values()), index.kinds)

    def _counted(self, codes: Any, mask: Bools | None, size: int) -> Counts:
        """Number of cases that have each code, and how many of them the model gets wrong."""
        model = self.choice.model
        failed = self.index.flagged(model, FAILED) if model else None
        if mask is not None:
            codes = numpy.compress(mask, codes)  # several times faster than codes[mask]
            failed = None if failed is None else numpy.compress(mask, failed)
        wrong = None if failed is None else numpy.bincount(numpy.compress(failed, codes), minlength=size)
        return (numpy.bincount(codes, minlength=size), wrong)

    def _other_kinds(self, facet: str) -> Bools:
        """The kinds that all facets except one select."""
        others = [each for name, each in self._kinds.items() if name != facet]
        return reduce(numpy.logical_and, others, numpy.ones(self.index.kinds, dtype=bool))

    def _let_through(self, masks: Mapping[str, Bools]) -> Bools | None:
        """The cases that these masks and all facets select; None means all."""
        of_facets = [self._other_kinds("").take(self.index.column("kind"))] if self._kinds else []
        every = [*masks.values(), *of_facets]
        return reduce(numpy.logical_and, every) if every else None


def _sum_counts(codes: Ints, counts: Ints, size: int) -> Ints:
    """The sum of the counts with each code; whole numbers up to 2^53 are exact as floats."""
    return numpy.bincount(codes, weights=counts, minlength=size).astype(numpy.int64)


def _find_smallest(keys: Any, first: int) -> Ints:
    """The positions of the smallest keys in order; much faster than sorting everything if there are few of them.

    >>> _find_smallest(numpy.array([3, 1, 2, 1, 1, 9, 8, 7]), 3).tolist()
    [1, 3, 4]
    """
    if first * FEW >= len(keys):
        return numpy.argsort(keys, kind="stable")[:first]
    last = numpy.partition(keys, first - 1)[first - 1]
    below = numpy.flatnonzero(keys < last)
    found = numpy.concatenate([below, numpy.flatnonzero(keys == last)[: first - len(below)]])
    return found[numpy.argsort(keys[found], kind="stable")]


def _spread(keys: Any, pairs: Ints, families: Ints) -> Ints:
    """The order of rows by key. Families take turns among rows with equal keys, each with another pair.

    >>> _spread(numpy.zeros(4), numpy.array([0, 0, 1, 1]), numpy.array([0, 1, 0, 1])).tolist()
    [0, 3, 2, 1]
    """
    chance = pairs.astype(numpy.uint32) * STRIDE + families.astype(numpy.uint32) * HALF  # other pairs for each family
    copies = _turns((), families, pairs, keys)
    turns = _turns((chance, copies), families, keys)
    return numpy.lexsort((families, turns, keys))


STRIDE, HALF = numpy.uint32(0x9E3779B9), numpy.uint32(0x7FEB352D)
"""Odd numbers near 0.62 and 0.5 of 2^32: multiples of them, without what is beyond 32 bits, lie far apart."""


def _turns(within: tuple[Any, ...], *groups: Any) -> Ints:
    """The rank of each row within its group, sorted by the keys `within`."""
    order = numpy.lexsort((*within, *groups))
    starts = numpy.zeros(len(order), dtype=bool)
    for group in groups:
        starts[1:] |= numpy.diff(group[order]) != 0
    places = numpy.arange(len(order))
    turns = numpy.empty_like(places)
    turns[order] = places - numpy.maximum.accumulate(numpy.where(starts, places, 0))
    return turns


def _code_of(index: CaseIndex, facet: str, value: str) -> int:
    """The code of a value of a facet; an unused code if the value is unknown."""
    values = index.described.values[facet]
    return values.index(value) if value in values else len(values)


def _find_masks(index: CaseIndex, choice: CaseFilter) -> Iterator[tuple[str, Bools]]:
    """The cases that each filter lets through, by its name."""
    if choice.words:
        yield "words", index.search(choice.words)
    if choice.show:
        yield "show", _find_shown(index, choice)
    if choice.answer:
        code = _code_of(index, "answer", choice.answer)
        yield "answer", numpy.asarray(index.of_model("answer", choice.model) == code)
    if choice.sure_from is not None:
        yield "sure_from", numpy.asarray(index.of_model("confidence", choice.model) * 100 >= _bound(choice.sure_from))
    if choice.sure_to is not None:
        yield "sure_to", numpy.asarray(index.of_model("confidence", choice.model) * 100 <= _bound(choice.sure_to))
    if choice.score_from is not None or choice.score_below is not None:
        scores = index.of_model("shares", choice.model)[:, ENTAILMENT]
        low, high = _bound(choice.score_from or 0), _bound(2 if choice.score_below is None else choice.score_below)
        yield "score", numpy.asarray((scores >= low) & (scores < high))


def _bound(value: float) -> numpy.float32:
    """A bound rounded as stored scores are, which are float32, and within their range.

    >>> float(_bound(0.5)), float(_bound(1e300))
    (0.5, 1000.0)
    """
    return numpy.float32(min(max(value, -1000.0), 1000.0))


def _find_shown(index: CaseIndex, choice: CaseFilter) -> Bools:
    model, other = choice.model, choice.other
    flags = index.of_model("flags", model)
    if choice.show == "differ":
        return numpy.asarray(index.of_model("answer", model) != index.of_model("answer", other))
    if choice.show == "beats":
        return numpy.asarray((flags & RIGHT != 0) & (index.of_model("flags", other) & FAILED != 0))
    if choice.show == "alone":
        others = [index.flagged(each, FAILED) for each in index.described.models if each != model]
        return numpy.asarray((flags & FAILED != 0) & ~reduce(numpy.logical_or, others, numpy.zeros(len(index), bool)))
    if choice.show == "flipped":
        return numpy.asarray(flags & (FAILED | HELD) == FAILED | HELD)
    return numpy.asarray(flags & (RIGHT if choice.show == "right" else FAILED) != 0)


def _sort_key(index: CaseIndex, choice: CaseFilter, rows: Any) -> Any:
    """The sort key of each row."""
    order = choice.order
    if order == "case":
        return numpy.arange(len(index))[rows]
    if order == "disagreement":
        return index.disagreement(choice.model, choice.other, rows)
    if order == "worst":
        return _distance_from_worst(index, choice.model, rows)
    if order == "confidence":
        return numpy.nan_to_num(index.of_model("confidence", choice.model)[rows], nan=-1.0)
    if order == "length":
        lines = index.column("line")
        return (numpy.append(lines[1:], lines[-1]) - lines)[rows]
    codes = index.of_model("answer", choice.model)[rows] if order == "answer" else index.codes(order, rows)
    names = index.described.values[order]
    rank = numpy.argsort(numpy.argsort(numpy.array(names)))  # by name, not by code
    return rank[codes]


def _distance_from_worst(index: CaseIndex, model: str, rows: Any) -> Any:
    """A key that is smallest for the worst answers.

    Wrong answers come first: of two-label suites, false support before all others. Copies of a pair that was already
    wrong before the edit come last. Otherwise, what the model is most confident about comes first.
    """
    flags = index.of_model("flags", model)[rows]
    confidence = index.of_model("confidence", model)[rows]
    sure = numpy.where(numpy.isnan(confidence), 0.5, confidence.astype(numpy.float64))
    failed, repeats = flags & FAILED != 0, (index.column("source")[rows] >= 0) & (flags & HELD == 0)
    is_false_support = index.record.label_space.is_binary & (index.of_model("answer", model)[rows] == ENTAILMENT)
    worse = 2 * (1 + 2 * is_false_support.astype(numpy.int16) + ~repeats)
    return numpy.where(failed, -worse - sure, sure)


def _check_filter(index: CaseIndex, choice: CaseFilter) -> CaseFilter:
    """Check that a filter names existing facets and models, and fill in the models that it needs."""
    known = [*index.facets]
    for name in choice.facets:
        if name not in known:
            raise UserError(f"There is no facet {name!r}{did_you_mean(name, known)} Choose from {', '.join(known)}.")
    if choice.order not in ORDERS:
        raise UserError(f"Can't sort by {choice.order!r}{did_you_mean(choice.order, ORDERS)} Use {', '.join(ORDERS)}.")
    for model in filter(None, (choice.model, choice.other)):
        index.model(model)
    pair = choice.show in ("differ", "beats") or choice.order == "disagreement"
    asks = choice.show or choice.answer or choice.order in ("worst", "answer", "confidence", "disagreement")
    bounds = (choice.sure_from, choice.sure_to, choice.score_from, choice.score_below)
    model, other = choice.model, choice.other
    if not model and (asks or any(bound is not None for bound in bounds)):
        model = next((each for each in index.described.models if each != other), "")
    if pair and (not other or other == model):
        other = next((each for each in index.described.models if each != model), "")
    if pair and not other:
        raise UserError(
            "Two models are needed, but the run has one.\n"
            "  Choose another run beside it, or run another model on the same suites."
        )
    facets: Mapping[str, str] = {name: value for name, value in choice.facets.items() if value}
    return msgspec.structs.replace(choice, model=model, other=other, facets=dict(facets))
