"""The sums that shares and paired shares are made of, for every slice and model."""

from collections import Counter

import numpy

from assay.evaluate.count.cells import Cells, SliceSums
from assay.evaluate.count.columns import Ints
from assay.evaluate.interval import ClusteredShare
from assay.evaluate.paired import PairedShares


class ShareTally:
    """Adds up hits and trials by slice and model, without keeping clusters."""

    def __init__(self, models: int) -> None:
        self._sums = SliceSums(len(ClusteredShare._fields), models)

    def add(self, cells: Cells, hits: Ints, met: Ints) -> None:
        """Add the hits of each cell, (models, cells); `met` says when each slice appeared."""
        trials = cells.trials
        own = [cells.per_slice(each) for each in (hits, hits * hits, hits * trials)]  # each (models, slices)
        alike = [cells.per_slice(each) for each in (trials, numpy.ones_like(trials), trials * trials)]  # each (slices,)
        hit, squared, times = own
        n, clusters, trials_squared = (numpy.broadcast_to(each, hit.shape) for each in alike)
        sums = numpy.stack([hit, n, clusters, squared, times, trials_squared])  # (sums, models, slices)
        self._sums.add(cells.slices, sums.transpose(2, 0, 1), met)

    def shares(self, model: int) -> dict[int, ClusteredShare]:
        """A model's shares by slice code, in order of appearance."""
        rows = self._sums.totals[..., model].tolist()
        return {code: ClusteredShare(*row) for code, row in zip(self._sums.codes(), rows, strict=True)}


class PairedTally:
    """Adds up which answers are right, by slice and model, without keeping clusters.

    Each model's first answers are compared with its second.
    """

    def __init__(self, models: int) -> None:
        self._sums = SliceSums(7, models)
        self._nets: list[dict[int, Counter[int]]] = [{} for _ in range(models)]

    def add(self, cells: Cells, first: Ints, second: Ints, met: Ints) -> Ints:
        """Add whether each entry's two answers are right, (models, entries); returns how many both got right."""
        both = cells.per_cell(first * second)  # (models, cells)
        only_first = cells.per_cell(first) - both
        only_second = cells.per_cell(second) - both
        nets, trials = only_first - only_second, cells.trials
        own = [
            cells.per_slice(each) for each in (both, only_first, only_second, nets * trials)
        ]  # each (models, slices)
        alike = [cells.per_slice(each) for each in (trials, numpy.ones_like(trials), trials * trials)]  # each (slices,)
        sums = numpy.stack([*own, *(numpy.broadcast_to(each, own[0].shape) for each in alike)])  # (7, models, slices)
        self._sums.add(cells.slices, sums.transpose(2, 0, 1), met)
        self._count(cells, numpy.abs(nets))
        return both

    def _count(self, cells: Cells, nets: Ints) -> None:
        """Count the clusters by net difference, which has few distinct values."""
        lengths = numpy.diff(numpy.append(cells.firsts, len(cells.starts)))
        slices = numpy.repeat(cells.slices, lengths)  # (cells,)
        width = int(nets.max()) + 1
        for counted, of_model in zip(self._nets, nets, strict=True):
            kinds, times = numpy.unique(slices * width + of_model, return_counts=True)
            for kind, count in zip(kinds.tolist(), times.tolist(), strict=True):
                code, net = divmod(kind, width)
                counted.setdefault(code, Counter())[net] += count

    def shares(self, model: int) -> dict[int, PairedShares]:
        """A model's paired shares by slice code, in order of appearance."""
        found = {}
        for code, row in zip(self._sums.codes(), self._sums.totals[..., model].tolist(), strict=True):
            both, only_first, only_second, nets_trials, n, clusters, trials_squared = row
            found[code] = PairedShares(
                n=n,
                both=both,
                only_first=only_first,
                only_second=only_second,
                clusters=clusters,
                nets=self._nets[model][code],
                nets_trials=nets_trials,
                trials_squared=trials_squared,
            )
        return found
