"""Measured numbers with their uncertainty, and curves of support scores."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import msgspec

from assay.core.dataframes import frame_library
from assay.core.errors import UserError

if TYPE_CHECKING:
    import pandas
    import polars

FEW_CLUSTERS = 30  # an interval that rests on fewer clusters is marked


class Interval(NamedTuple):
    """A 95% interval."""

    low: float
    high: float


class SeedRange(NamedTuple):
    """From the lowest to the highest of several seeds of one system. It says nothing about other seeds or cases."""

    low: float
    high: float


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """A number, its interval and the slice that it was measured on.

    What was not measured is None, not zero.

    >>> Estimate(name="accuracy", value=None, n=0).value is None
    True
    """

    name: str
    value: float | None
    low: float | None = None
    """Lower end of the 95% interval; of a mean over seeds, the lowest of them. `ends` says which it is."""
    high: float | None = None  # upper end of the 95% interval; of a mean over seeds, the highest of them
    n: int
    slice: dict[str, str] = {}
    """The slice: model, family, label, group; of a mean over seeds also `seeds`, how many there are."""
    clusters: int | None = None
    """Number of premises its cases have, or word pairs if they are fewer; None if the interval does not count them."""

    @property
    def has_few_clusters(self) -> bool:
        """True if its interval is based on so few clusters that it is reliable only if the clusters are similar."""
        return self.clusters is not None and self.clusters < FEW_CLUSTERS

    @property
    def ends(self) -> Interval | SeedRange | None:
        """The interval from `low` to `high`; None if neither is known.

        >>> Estimate(name="band", value=0.5, low=0.4, high=0.6, n=40, slice={"model": "esim", "seeds": "3"}).ends
        SeedRange(low=0.4, high=0.6)
        """
        if self.low is None or self.high is None:
            return None
        return (SeedRange if "seeds" in self.slice else Interval)(self.low, self.high)


FAMILY = ("model", "suite", "family")  # the names in the slice of a whole family; finer slices have more
Key = frozenset[tuple[str, str]]  # a slice that numbers can be looked up by


def key_of(where: Mapping[str, str]) -> Key:
    return frozenset(where.items())


def by_slice(estimates: Iterable[Estimate], name: str = "accuracy") -> dict[Key, Estimate]:
    """The numbers of one name, by their slices."""
    return {key_of(e.slice): e for e in estimates if e.name == name}


def find(
    estimates: Iterable[Estimate], name: str, by: Sequence[str] = FAMILY, **where: str
) -> dict[tuple[str, ...], Estimate]:
    """The numbers of one name, on slices with exactly these names, by the values of those names.

    A slice always has a model, a suite and a family. Slices with other names, such as label, are only searched if `by`
    or `where` mentions those names. `where` says which values to keep.

    >>> place = {"model": "m", "suite": "s", "family": "negation"}
    >>> whole = Estimate(name="accuracy", value=0.5, n=40, slice=place)
    >>> label = Estimate(name="accuracy", value=0.2, n=20, slice={**place, "label": "neutral"})
    >>> [*find([whole, label], "accuracy", ("model", "family"))]
    [('m', 'negation')]
    >>> find([whole, label], "accuracy", ["label"], family="negation")[("neutral",)].value
    0.2
    """
    names = {*FAMILY, *by, *where}
    found: dict[tuple[str, ...], Estimate] = {}
    for e in estimates:
        if e.name == name and e.slice.keys() == names and where.items() <= e.slice.items():
            key = tuple(e.slice[each] for each in by)
            if key in found and found[key].slice != e.slice:
                one, other = found[key].slice, e.slice
                differ = next(each for each in one if one[each] != other[each])
                raise UserError(
                    f"There are several numbers {name!r} by {', '.join(by)}: for {differ} {one[differ]!r} and "
                    f"{other[differ]!r}.\n  Add {differ!r} to `by`, or choose one: {differ}={one[differ]!r}."
                )
            found[key] = e
    return found


CHOSEN = "chosen"  # the value of a slice whose threshold was chosen on one half of the source pairs


class CurveLine(msgspec.Struct, frozen=True, kw_only=True):
    """A metric along a curve; None where it is undefined, such as precision without any positive answer."""

    value: tuple[float | None, ...]
    low: tuple[float | None, ...]
    high: tuple[float | None, ...]


class ScoreBin(msgspec.Struct, frozen=True, kw_only=True):
    """Cases with similar scores."""

    score: float
    supported: float
    """The fraction of these cases that are supported; in a calibrated model, the same as the mean score."""
    low: float | None
    high: float | None
    n: int


class CertifiedThreshold(msgspec.Struct, frozen=True, kw_only=True):
    """A threshold with a guaranteed bound on false support, or the reason why there is none."""

    bound: float  # the largest fraction of unsupported claims that may pass
    confidence: float
    threshold: float | None  # claims with this score or more pass; None if no threshold qualifies
    false_support: float | None  # the fraction of these unsupported claims that pass
    recall: float | None
    """The fraction of supported claims that pass. No other threshold that qualifies lets more of them pass."""
    unsupported: int  # the number of unsupported claims that it is based on
    more_claims: int | None = None
    """The fewest further unsupported claims that certify a threshold with a recall above 0, reached if none of them
    passes; None if a threshold qualifies, or if too many claims pass at each that accepts a supported claim."""


class SupportCurve(msgspec.Struct, frozen=True, kw_only=True):
    """A model's support scores in one family."""

    slice: dict[str, str]
    n: int  # number of cases that have a score
    supported: int  # number of them that are supported: their label is entailment
    threshold: float | None
    """The score from which the answer of the model is entailment; None if the most probable of three labels decides."""
    chosen: float | None
    """The threshold that was chosen on one half of the source pairs; None if that half lacks one of the labels."""
    thresholds: tuple[float, ...]
    lines: dict[str, CurveLine]
    """Recall, precision and f1 of supported cases, balanced accuracy and false support, by name."""
    reliability: tuple[ScoreBin, ...]
    """Scores compared with the share of supported cases, in bins of equal width; empty bins are left out."""
    coverage: tuple[float, ...]  # shares of the cases that are answered, most confident first
    risk: CurveLine  # the fraction of wrong answers among them, with 95% intervals
    certified: tuple[CertifiedThreshold, ...] = ()
    """For each bound on false support, the lowest threshold that keeps it with 95% confidence."""

    def to_pandas(self) -> "pandas.DataFrame":
        """The curve as a pandas data frame: a row for each threshold, with every metric and its interval.

        `pandas.concat(curve.to_pandas() for curve in record.support)` has the curves of a run.
        """
        return cast("pandas.DataFrame", frame_library("pandas").DataFrame(self._columns()))

    def to_polars(self) -> "polars.DataFrame":
        """The curve as a polars data frame, with the same columns."""
        return cast("polars.DataFrame", frame_library("polars").DataFrame(self._columns()))

    def _columns(self) -> dict[str, list[Any]]:
        metrics: dict[str, list[Any]] = {}
        for name, line in self.lines.items():
            metrics |= {name: [*line.value], f"{name}.low": [*line.low], f"{name}.high": [*line.high]}
        slices = {name: [value] * len(self.thresholds) for name, value in self.slice.items()}
        return {**slices, "threshold": [*self.thresholds], **metrics}
