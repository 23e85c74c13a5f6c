"""Drawing a sample of a corpus in one pass: each label and genre in its share, whatever the order of the pairs."""

from collections import Counter
from collections.abc import Iterable, Mapping
from heapq import heapify, heappop, heappush, heapreplace
from typing import TypeVar

from assay.core.errors import UserError
from assay.core.manifest import Sampling
from assay.core.pair import Pair, Record
from assay.core.rng import KeyedRandom

R = TypeVar("R", bound=Record)
Stratum = tuple[str, str]  # a label and a genre; empty if there is none


def draw_pairs(records: Iterable[R], sampling: Sampling, *, name: str) -> list[R]:
    """The sample, in the order of the corpus; `name` is the corpus in error messages.

    Each stratum holds at most as many records as the sample: those with the lowest random numbers, keyed by id.
    """
    rng = KeyedRandom(sampling.seed, transform="sample/v1")
    lowest: dict[Stratum, list[tuple[float, int, R]]] = {}
    sizes: Counter[Stratum] = Counter()
    for place, record in enumerate(records):
        stratum = (record.label.value, record.group.get("genre", "")) if isinstance(record, Pair) else ("", "")
        sizes[stratum] += 1
        held = lowest.setdefault(stratum, [])
        entry = (-rng.keyed(record.id).random(), place, record)  # negative, because a heap keeps its smallest first
        if len(held) < sampling.n:
            heappush(held, entry)
        elif entry > held[0]:
            heapreplace(held, entry)
    if sampling.n < len(sizes):
        raise UserError(
            f"--sample {sampling.n}: {name} has {len(sizes)} combinations of label and genre, and a sample holds at "
            f"least one pair of each.\n  Ask for {len(sizes)} or more."
        )
    seats = draw_shares(sizes, sampling.n)
    chosen = [entry for stratum, held in lowest.items() for entry in sorted(held, reverse=True)[: seats[stratum]]]
    return [record for _, _, record in sorted(chosen, key=lambda entry: entry[1])]


def draw_shares(sizes: Mapping[Stratum, int], n: int) -> dict[Stratum, int]:
    """The number to draw from each stratum: at least one, and beyond that in proportion (Webster's method).

    >>> draw_shares({("neutral", ""): 90, ("entailment", ""): 29, ("contradiction", ""): 1}, 12)
    {('neutral', ''): 8, ('entailment', ''): 3, ('contradiction', ''): 1}
    """
    seats = dict.fromkeys(sizes, 1)
    waiting = [(-sizes[stratum] / 3, stratum) for stratum in sizes if sizes[stratum] > 1]
    heapify(waiting)
    for _ in range(n - len(seats)):
        if not waiting:
            break
        _, stratum = heappop(waiting)
        seats[stratum] += 1
        if seats[stratum] < sizes[stratum]:
            heappush(waiting, (-sizes[stratum] / (2 * seats[stratum] + 1), stratum))
    return seats
