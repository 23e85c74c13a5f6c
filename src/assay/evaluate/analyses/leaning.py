"""What a judge leans on, from its answers to the same pairs under several variants of the question."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from assay.core.label import Label
from assay.core.results.estimate import Estimate
from assay.evaluate.analyses.shares import estimate_of
from assay.evaluate.bootstrap import Draws, bootstrap
from assay.evaluate.interval import clustered_share

AS_ASKED = "as asked"
AGAIN = "asked again"
BLANK = "no premise"
SWAPPED = "names swapped"

Bools = NDArray[numpy.bool_]

FEWEST_CLUSTERS = 10
"""Fewer premises than this give no interval by resampling them: it would be too narrow, even empty."""


class Answers(NamedTuple):
    """Answers to one variant of the question, in the order of the pairs."""

    labels: Sequence[Label]
    """What was answered."""
    unclear: Sequence[bool]
    """Whether the reply had no label, so that the answer is a fallback."""


class Questions(NamedTuple):
    """The pairs, and which variants belong together."""

    gold: Sequence[Label]
    """The right answers."""
    premises: Sequence[str]
    """The premises; pairs with the same one are a cluster."""
    labels: Sequence[Label]
    """The labels to choose from, in the order of the prompt."""
    orders: Mapping[str, Sequence[Label]]
    """Variants that list the labels in these orders: each label has each place once."""
    wordings: Sequence[str]
    """Variants that word the question in other ways."""
    swapped: Mapping[Label, Label]
    """Labels that exchange their names in the variant SWAPPED."""


class Leanings:
    """Figures about a judge.

    >>> asked = Questions([Label.NEUTRAL], ["p"], [Label.NEUTRAL, Label.ENTAILMENT], {}, [], {})
    >>> once = Answers([Label.NEUTRAL], [False])
    >>> {each.name: each.value for each in Leanings(asked, {AS_ASKED: once, AGAIN: once}).figures() if not each.slice}
    {'self-agreement': 1.0}
    """

    def __init__(self, asked: Questions, answers: Mapping[str, Answers]) -> None:
        self._asked = asked
        self._answers = answers
        _, self._cluster = numpy.unique(numpy.array(asked.premises), return_inverse=True)

    def figures(self) -> Iterator[Estimate]:
        """All figures for which there are answers."""
        for variant in self._answers:
            yield self._share("accuracy", self._right(variant), variant=variant)
            yield self._share("unclear", numpy.array(self._answers[variant].unclear, dtype=bool), variant=variant)
            for label in self._asked.labels:
                yield self._share("answer", self._says(variant) == label, variant=variant, label=label.value)
        if AGAIN in self._answers:
            yield self._share("self-agreement", self._same(AS_ASKED, AGAIN))
        if len(self._orders) > 1:
            yield self._share("order-effect", ~self._same(*self._orders))
            yield from self._places()
        if len(self._wordings) > 1:
            yield self._share("prompt-agreement", self._same(*self._wordings))
            yield self._spread()
        if SWAPPED in self._answers:
            yield from self._swap()

    @property
    def _orders(self) -> list[str]:
        return [variant for variant in self._asked.orders if variant in self._answers]

    @property
    def _wordings(self) -> list[str]:
        return [variant for variant in self._asked.wordings if variant in self._answers]

    def _places(self) -> Iterator[Estimate]:
        """How often each place in the list of labels is chosen: a judge that ignores places gives each the same."""
        for place in range(len(self._asked.labels)):
            chosen = [self._says(variant) == self._asked.orders[variant][place] for variant in self._orders]
            hits = numpy.sum(chosen, axis=0)
            yield self._share("place", hits, trials=len(chosen), place=str(place + 1))

    def _swap(self) -> Iterator[Estimate]:
        """Whether answers follow the meaning or the name when two labels exchange their names."""
        before, after = self._says(AS_ASKED), self._says(SWAPPED)
        exchanged = {label.value: other.value for label, other in self._asked.swapped.items()}
        touched = numpy.isin(before, [*exchanged])
        renamed = numpy.array([exchanged.get(label, label) for label in before.tolist()])
        yield self._share("name-effect", before != after)
        yield self._share("keeps-name", (renamed == after) & touched, trials=touched)

    def _spread(self) -> Estimate:
        """The difference between the best and the worst wording."""
        right = [self._per_cluster(self._right(variant)) for variant in self._wordings]
        sums = numpy.stack([*right, self._per_cluster(numpy.ones(len(self._cluster)))], axis=-1)

        def spread(totals: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
            shares = totals[..., :-1] / totals[..., -1:]
            return numpy.asarray(shares.max(axis=-1, keepdims=True) - shares.min(axis=-1, keepdims=True))

        value = float(spread(sums.sum(axis=0, keepdims=True))[0, 0])
        enough = len(sums) >= FEWEST_CLUSTERS
        low, high = (bootstrap(sums, spread, Draws("prompt-spread"))[0] if enough else None) or (None, None)
        return Estimate(name="prompt-spread", value=value, low=low, high=high, n=len(self._cluster))

    def _says(self, variant: str) -> NDArray[numpy.str_]:
        return numpy.array([label.value for label in self._answers[variant].labels])

    def _right(self, variant: str) -> Bools:
        two_way = Label.NON_ENTAILMENT in self._asked.labels
        gold = [(label.two_way if two_way else label).value for label in self._asked.gold]
        return numpy.asarray(self._says(variant) == numpy.array(gold))

    def _same(self, *variants: str) -> Bools:
        first, *others = (self._says(variant) for variant in variants)
        return numpy.asarray(numpy.all([first == other for other in others], axis=0))

    def _per_cluster(self, values: NDArray[numpy.generic]) -> NDArray[numpy.float64]:
        return numpy.asarray(numpy.bincount(self._cluster, weights=values), dtype=numpy.float64)

    def _share(self, name: str, hits: NDArray[numpy.generic], *, trials: int | Bools = 1, **where: str) -> Estimate:
        of_each = numpy.broadcast_to(numpy.asarray(trials, dtype=numpy.int64), hits.shape)
        return estimate_of(name, clustered_share(self._per_cluster(hits), self._per_cluster(of_each)), where)
