"""One model held against another on the same cases, by family and label."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from assay.core.case import Case
from assay.core.comparison import Compared
from assay.evaluate.band import band, exchange
from assay.evaluate.correction import holm
from assay.evaluate.judge.loss import outcome_of
from assay.evaluate.paired import PairedShares
from assay.evaluate.power import smallest_difference

Place = tuple[tuple[str, str], ...]


class _Slice:
    """The cases of one slice; those of one source pair, which stand together, are one cluster."""

    def __init__(self) -> None:
        self.shares = PairedShares()
        self._root: str | None = None
        self._counts = [0, 0, 0, 0]  # neither, the baseline alone, the candidate alone, both

    def add(self, root: str, candidate: bool, baseline: bool) -> None:
        if root != self._root:
            self.close()
            self._root = root
        self._counts[2 * candidate + baseline] += 1

    def close(self) -> None:
        """Count the last source pair."""
        if any(self._counts):
            _, baseline, candidate, both = self._counts
            self.shares.add(both=both, only_first=candidate, only_second=baseline, trials=sum(self._counts))
            self._counts = [0, 0, 0, 0]


class Versus:
    """Adds up what two models got right, case by case.

    >>> Versus().compared()
    ()
    """

    def __init__(self) -> None:
        self._slices: dict[Place, _Slice] = {}

    def add(self, case: Case, *, suite: str, candidate: bool, baseline: bool) -> None:
        """Count one case: whether each of the two got it right."""
        family = (("suite", suite), ("family", case.family))
        for place in (family, (*family, ("label", case.label.value))):
            found = self._slices.get(place)
            if found is None:
                found = self._slices[place] = _Slice()
            found.add(case.root, candidate, baseline)

    def compared(self) -> tuple[Compared, ...]:
        """Every slice: a family, then its labels."""
        rows = [_paired(dict(place), part) for place, part in self._slices.items()]
        return judged(rows)


def _paired(where: dict[str, str], part: _Slice) -> Compared:
    part.close()
    shares = part.shares
    interval = shares.interval
    assert shares.first is not None
    assert shares.second is not None
    assert shares.p is not None
    return Compared(
        slice=where,
        n=shares.n,
        candidate=shares.first,
        baseline=shares.second,
        difference=shares.first - shares.second,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        only_candidate=shares.only_first,
        only_baseline=shares.only_second,
        p=shares.p,
        adjusted=shares.p,
        smallest=smallest_difference(shares.independent_cases, shares.disagreement or 0.0),
        verdict="undecided",
    )


class Seeds(NamedTuple):
    """What each seed of a system gave on one slice."""

    accuracies: Sequence[float]
    """One a seed."""
    n: int
    """How many cases they rest on."""


def seeds_compared(candidate: Mapping[Place, Seeds], baseline: Mapping[Place, Seeds]) -> tuple[Compared, ...]:
    """Two systems over their seeds, slice by slice.

    >>> place = (("suite", "s"), ("family", "f"))
    >>> [row] = seeds_compared({place: Seeds([0.8, 0.9], 50)}, {place: Seeds([0.5, 0.6], 50)})
    >>> round(row.difference, 2), round(row.p, 3), row.verdict
    (0.3, 0.333, 'undecided')
    """
    rows = []
    for place, ours in candidate.items():
        theirs = baseline.get(place)
        if theirs:
            bands = band(ours.accuracies), band(theirs.accuracies)
            p = exchange(ours.accuracies, theirs.accuracies)
            rows.append(
                Compared(
                    slice=dict(place),
                    n=min(ours.n, theirs.n),
                    candidate=bands[0].mean,
                    baseline=bands[1].mean,
                    difference=bands[0].mean - bands[1].mean,
                    p=p,
                    adjusted=p,
                    verdict="undecided",
                    candidate_band=bands[0],
                    baseline_band=bands[1],
                )
            )
    return judged(rows)


def judged(rows: Sequence[Compared]) -> tuple[Compared, ...]:
    """The rows with their verdicts: Holm's correction over all families, and over all labels of all families."""
    adjusted: dict[int, float] = {}
    for by_label in (False, True):
        places = [place for place, row in enumerate(rows) if ("label" in row.slice) is by_label]
        adjusted |= zip(places, holm([rows[place].p for place in places]), strict=True)
    return tuple(
        msgspec.structs.replace(row, adjusted=adjusted[place], verdict=outcome_of(row.difference, adjusted[place]))
        for place, row in enumerate(rows)
    )
