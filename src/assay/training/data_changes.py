"""Changes of the training data: sampling, swapping, adding cases, and keeping them apart from a test."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, get_args

import msgspec

from assay.core.case import Case
from assay.core.edit import Replacement
from assay.core.errors import UserError
from assay.core.label import Label
from assay.core.pair import Pair, Parses, premise_cluster
from assay.core.rng import rng_for

SWAPPED = (Label.NEUTRAL, Label.CONTRADICTION)
"""Labels that stay right when premise and hypothesis are swapped; entailment does not."""


def sample_pairs(pairs: Iterable[Pair], rate: float, *, seed: int) -> Iterator[Pair]:
    """About this fraction of the pairs; the same ones in any order."""
    for pair in pairs:
        if rate >= 1 or rng_for(seed, transform="sample/v1", pair=pair.id).random() < rate:
            yield pair


def swap_pairs(pairs: Sequence[Pair], share: float, *, seed: int) -> list[Pair]:
    """Swap the texts of exactly this fraction of the neutral and contradiction pairs; their labels stay.

    >>> pairs = [Pair(id=str(n), premise="p", hypothesis="h", label=Label.NEUTRAL) for n in range(4)]
    >>> sum(pair.premise == "h" for pair in swap_pairs(pairs, 0.5, seed=0))
    2
    """
    if not 0 <= share <= 1:
        raise UserError(f"A fraction must be between 0 and 1, not {share}.")
    free = [place for place, pair in enumerate(pairs) if pair.label in SWAPPED]
    free.sort(key=lambda place: rng_for(seed, transform="swap-training/v1", pair=pairs[place].id).random())
    chosen = set(free[: round(share * len(free))])
    return [_swap_texts(pair) if place in chosen else pair for place, pair in enumerate(pairs)]


def _swap_texts(pair: Pair) -> Pair:
    group = {**pair.group, "swapped": "yes"}
    given = pair.parses or Parses()
    parses = Parses(
        premise=given.hypothesis,
        hypothesis=given.premise,
        premise_binary=given.hypothesis_binary,
        hypothesis_binary=given.premise_binary,
    )
    return Pair(
        id=pair.id,
        premise=pair.hypothesis,
        hypothesis=pair.premise,
        label=pair.label,
        group=group,
        parses=parses if pair.parses else None,
    )


def cases_as_pairs(cases: Iterable[Case], *, prefix: str, withhold: Mapping[str, Sequence[str]]) -> Iterator[Pair]:
    """The cases of a suite as training pairs, without those that have no label or whose group is withheld."""
    for case in cases:
        if case.label is None:
            continue
        group = {"family": case.family, **case.group}
        if any(group.get(name) in values for name, values in withhold.items()):
            continue
        yield Pair(
            id=case_name(prefix, case), premise=case.premise, hypothesis=case.hypothesis, label=case.label, group=group
        )


def case_name(prefix: str, case: Case) -> str:
    """The id of a case as a training pair."""
    return f"{prefix}:{case.id}"


class PairCounts(msgspec.Struct, frozen=True, kw_only=True):
    """Counts of a training corpus."""

    pairs: int
    labels: dict[str, int]
    sources: dict[str, int]
    """Pairs by where they come from."""
    swapped: int
    unlabelled: int = 0
    """Cases of added suites that have no label, such as swapped pairs, and were left out."""
    apart: dict[str, int] = {}
    """Cases of added suites that were left out because they share something with a test, counted by what they share."""
    repeated: int = 0
    """Forgotten pairs, which get more passes in each epoch."""


class PairSource(NamedTuple):
    name: str
    pairs: Sequence[Pair]
    share: float = 1.0
    """The number of these that take part in an epoch."""
    unlabelled: int = 0
    """Cases that were left out because they have no label."""
    premises: Mapping[str, str] = {}
    """For cases, by id: a short name for the premise of the source pair, which an edit may have changed."""
    apart: Mapping[str, int] = {}
    """Cases that were left out because they share something with a test."""
    passes: Mapping[str, int] = {}
    """How often a pair takes part in an epoch, by id, for pairs that occur more than once."""


def count_pairs(parts: Sequence[PairSource]) -> PairCounts:
    labels = Counter(pair.label.value for part in parts for pair in part.pairs)
    apart = sum((Counter(part.apart) for part in parts), Counter[str]())
    return PairCounts(
        pairs=sum(len(part.pairs) for part in parts),
        labels=dict(sorted(labels.items())),
        sources={part.name: len(part.pairs) for part in parts},
        swapped=sum(pair.group.get("swapped") == "yes" for part in parts for pair in part.pairs),
        unlabelled=sum(part.unlabelled for part in parts),
        apart=dict(sorted(apart.items())),
        repeated=sum(len(part.passes) for part in parts),
    )


Shared = Literal["premises", "words", "templates"]
SHARED: tuple[Shared, ...] = get_args(Shared)

TEMPLATE = ("subcase", "template")
"""Groups that name the template of a generated case."""


class Mark(NamedTuple):
    """A kind of content that training and a test must not share."""

    kind: Shared
    value: str


class Decontamination:
    """Finds cases that share content with the cases of a test."""

    def __init__(self, test: Iterable[Case], by: Collection[Shared] = SHARED) -> None:
        self.by = by
        self._marks = {mark for case in test for mark in marks_of(case)}

    def find_shared(self, case: Case) -> Shared | None:
        """The first thing that a case shares with the test."""
        return next((mark.kind for mark in marks_of(case) if mark.kind in self.by and mark in self._marks), None)

    def split(self, cases: Iterable[Case]) -> tuple[list[Case], Counter[str]]:
        """The cases that share nothing, and how many share what."""
        kept, left_out = [], Counter[str]()
        for case in cases:
            if kind := self.find_shared(case):
                left_out[kind] += 1
            else:
                kept.append(case)
        return kept, left_out


def marks_of(case: Case) -> Iterator[Mark]:
    """The premises of a case and of its source pair, the words that its edit exchanges, and its template.

    A text that an edit adds, such as "and true is true", is a template: the same for all pairs.
    """
    yield Mark("premises", case.cluster)
    yield Mark("premises", premise_cluster(case.premise))
    edit = case.provenance.edit
    for change in (*edit.premise, *edit.hypothesis):
        yield from _change_marks(change)
    if all(name in case.group for name in TEMPLATE):
        yield Mark("templates", " ".join(case.group[name] for name in TEMPLATE))


def _change_marks(change: Replacement) -> Iterator[Mark]:
    old, new = (" ".join(text.lower().split()) for text in (change.old, change.new))
    if not old:
        yield Mark("templates", new)
        return
    for text in (old, new):
        if text:
            yield Mark("words", text)
