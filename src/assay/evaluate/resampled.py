"""Figures that have no formula for their interval: calibration and areas, bootstrapped in constant memory.

Source pairs fall into a fixed number of groups by their names, and whole groups are drawn again. Groups are as
independent of each other as the pairs in them, so the interval is that of drawing pairs, but a million of them cost no
more than the groups.
"""

from collections.abc import Callable, Iterator, Mapping
from zlib import crc32

import numpy

from assay.core.case import Case
from assay.core.estimate import Estimate
from assay.core.label import Label
from assay.evaluate.bootstrap import Floats, bootstrap
from assay.evaluate.calibration import BINS, Calibration, calibration_error
from assay.evaluate.collapse import Collapse
from assay.evaluate.severity import areas

GROUPS = 256
"""As many as tell an interval's width to a few per cent."""

Key = tuple[tuple[str, str], ...]


class CalibrationFigures:
    """Calibration error and Brier's score of one model by family.

    Whether a family knows only two labels shows when a case has the second. Answers are counted both ways till then.

    >>> list(CalibrationFigures(model="m", suite="s").estimates())
    []
    """

    def __init__(self, *, model: str, suite: str, collapse: Collapse = "argmax") -> None:
        self._where = {"model": model, "suite": suite}
        self._collapse = collapse
        self._three_way: dict[str, dict[int, Calibration]] = {}
        self._two_way: dict[str, dict[int, Calibration]] = {}
        self._known_two_way: set[str] = set()

    def add(self, case: Case, probabilities: Mapping[Label, float]) -> None:
        """Count one answer."""
        family, group = case.family, _group(case)
        if case.label is Label.NON_ENTAILMENT:
            self._known_two_way.add(family)
        if family not in self._known_two_way:
            boards = self._three_way.setdefault(family, {})
            boards.setdefault(group, Calibration()).add(case.label, probabilities)
        boards = self._two_way.setdefault(family, {})
        boards.setdefault(group, Calibration(self._collapse)).add(case.label, probabilities)

    def estimates(self) -> Iterator[Estimate]:
        """Two figures a family."""
        for family in self._two_way:
            groups = (self._two_way if family in self._known_two_way else self._three_way)[family]
            where = {**self._where, "family": family}
            boards = groups.values()
            rows = numpy.array([[*board.sums.ravel(), (board.brier or 0.0) * board.n, board.n] for board in boards])
            n = sum(board.n for board in boards)
            yield _measured("calibration-error", rows, _error, n, where)
            yield _measured("brier", rows, _brier, n, where)


class AreaFigures:
    """The area under a model's curves of severity, by family and by family and label.

    >>> list(AreaFigures(model="m", suite="s").estimates())
    []
    """

    def __init__(self, *, model: str, suite: str) -> None:
        self._where = {"model": model, "suite": suite}
        self._curves: dict[Key, dict[int, dict[int, list[int]]]] = {}

    def add(self, case: Case, right: bool) -> None:
        """Count one answer, if the case is a rung of a ladder."""
        severity = case.provenance.recipe.severity
        if severity is None:
            return
        family = ("family", case.family)
        for key in ((family,), (family, ("label", case.label.value))):
            rungs = self._curves.setdefault(key, {}).setdefault(_group(case), {})
            counts = rungs.setdefault(severity, [0, 0])
            counts[0] += right
            counts[1] += 1

    def estimates(self) -> Iterator[Estimate]:
        """An area for each curve of two rungs or more."""
        for key, groups in self._curves.items():
            severities = sorted({rung for rungs in groups.values() for rung in rungs})
            if len(severities) > 1:
                rows = numpy.array([[rungs.get(rung, (0, 0)) for rung in severities] for rungs in groups.values()])
                flat = rows.reshape(len(rows), -1).astype(numpy.float64)  # (groups, severities * 2)
                n = int(rows[..., 1].sum())
                yield _measured("area", flat, _area_over(severities), n, {**self._where, **dict(key)})


def _group(case: Case) -> int:
    return crc32(case.root.encode()) % GROUPS


def _measured(
    name: str, rows: Floats, figure: Callable[[Floats], Floats], n: int, where: Mapping[str, str]
) -> Estimate:
    """The figure of all groups, and its interval where there is more than one."""
    value = float(figure(rows.sum(axis=0, keepdims=True))[0])
    key = " ".join((name, *(value for slot, value in where.items() if slot != "model")))  # whoever gave these answers
    low, high = (bootstrap(rows, figure, key=key) if len(rows) > 1 else None) or (None, None)
    return Estimate(name=name, value=value, low=low, high=high, n=n, slice=dict(where))


def _error(totals: Floats) -> Floats:
    return calibration_error(totals[:, : BINS * 3].reshape(len(totals), BINS, 3))


def _brier(totals: Floats) -> Floats:
    return numpy.asarray(totals[:, -2] / totals[:, -1])


def _area_over(severities: list[int]) -> Callable[[Floats], Floats]:
    def area(totals: Floats) -> Floats:
        counts = totals.reshape(len(totals), len(severities), 2)
        return areas(severities, counts[..., 0] / counts[..., 1])

    return area
