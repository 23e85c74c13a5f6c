"""The result of comparing models: numbers side by side, each with an outcome."""

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from assay.core.case import ORIGINAL
from assay.core.dataframes import ShownNumber, ShownTable, TableRecord, share
from assay.core.estimate import Interval
from assay.core.label import Label
from assay.core.label_space import TWO_WAY_KEY, LabelNames

Outcome = Literal[
    "better", "worse", "not significant", "one training", "too few trainings", "at chance on unmodified pairs"
]
"""Outcomes of a comparison. The last three are about trained systems: no verdict is possible."""


RankingOutcome = Literal["higher", "lower", "not significant"]

MarginOutcome = Literal["within margin", "worse", "inconclusive"]


class MarginTest(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Test of whether the loss on a slice is smaller than a margin."""

    margin: float
    p: float  # p value of a loss this small if the true loss equals the margin, corrected for the number of slices
    outcome: MarginOutcome
    more_pairs: int | None = None
    """Further source pairs that would show it four times out of five if both models are equally good; None if nothing
    more is needed, or if it depends on training runs."""
    smallest: float | None = None
    """The smallest margin that this number of cases could ever show; None if it can show the requested one."""
    uncorrected: float | None = None  # p value of this test alone
    tests: int = 0
    """Number of tests that `p` is corrected for; 0 if the slice has too few cases to be among them."""
    is_generated: bool = False  # True if the family generates its pairs, so that a larger corpus adds none


class Band(msgspec.Struct, frozen=True, kw_only=True):
    """A number over several seeds of one system."""

    mean: float
    low: float
    high: float
    deviation: float | None  # their standard deviation; None for a single seed
    n: int


class Banded(msgspec.Struct, frozen=True, kw_only=True):
    """The accuracy of one system over its seeds."""

    system: str
    slice: dict[str, str]
    band: Band


class ComparedSlice(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Two models on one slice of the cases."""

    slice: dict[str, str]
    n: int
    candidate: float  # the accuracy of the model that is judged
    baseline: float  # the accuracy of the model that it is compared with
    difference: float
    low: float | None = None
    """Lower end of the difference's 95% interval; for systems of several seeds, over other training runs and cases."""
    high: float | None = None
    only_candidate: int = 0
    only_baseline: int = 0
    p: float | None  # p value of the difference; None if there are too few training runs to tell
    adjusted: float | None  # the same p, corrected for the number of slices by Holm's method
    independent: float | None = None
    """The effective number of cases; smaller than their number if cases share premises or word pairs."""
    smallest: float | None = None
    """The smallest true difference that these cases detect four times out of five, corrected for the number of slices;
    None if they detect none."""
    more_cases: int | None = None
    """Further cases that would show the difference four times out of five if it is as large as here; None if it is
    significant, or if there is none to show."""
    clusters: int | None = None  # groups of cases that share a premise or a word pair
    typical: float = 1.0  # the mean size of the group that a random case is in
    margin: MarginTest | None = None  # True if the loss is shown to be below the requested margin
    verdict: Outcome  # the outcome for the candidate: better or worse if the adjusted p is below 0.05
    candidate_band: Band | None = None  # the candidate's seeds, if either side has several
    baseline_band: Band | None = None


class ComparedRanking(msgspec.Struct, frozen=True, kw_only=True):
    """Ranking quality of two models' support scores in a family, independent of the threshold."""

    slice: dict[str, str]
    n: int
    candidate: float  # the ROC-AUC of the model that is judged; of a system, the mean of its seeds
    candidate_interval: Interval  # its 95% interval; of a system, from the lowest end of its seeds to the highest
    baseline: float  # the ROC-AUC of the model that it is compared with
    baseline_interval: Interval
    difference: float
    low: float | None  # lower end of the difference's 95% interval; None with too few supported cases or others
    high: float | None
    p: float | None  # p value of the difference, on the same cases; None if it can't be computed
    adjusted: float | None
    """The same p, corrected for the number of families by Holm's method; None if there is no verdict."""
    verdict: RankingOutcome  # the outcome for the candidate: higher or lower if the adjusted p is below 0.05


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """A model compared with another."""

    candidate: str
    candidate_run: str  # the runs that hold the candidate; several if there are several seeds
    baseline: str
    baseline_run: str
    test: Literal["paired", "seeds"]
    """A paired test on the same cases, or a test in which training runs and cases are both random."""
    slices: tuple[ComparedSlice, ...]
    rankings: tuple[ComparedRanking, ...] = ()  # families in which both models give support scores, on the same cases

    @property
    def families(self) -> list[ComparedSlice]:
        """The rows of whole families, without those of their labels."""
        return [row for row in self.slices if "label" not in row.slice]


def own_claims(slices: Sequence[Mapping[str, str]]) -> list[list[int]]:
    """The places of the slices of a user's own claims, for each suite that has any: all of them, and each label.

    >>> def of(family: str, *labels: str) -> list[dict[str, str]]:
    ...     return [{"suite": "s", "family": family} | ({"label": label} if label else {}) for label in labels]
    >>> own_claims([*of("original", "", "entailment", "non-entailment"), *of("negation", "", "non-entailment")])
    [[0, 1, 2]]
    >>> own_claims(of("original", "", "entailment", "neutral"))
    []
    """
    suites: dict[str, list[int]] = {}
    for place, where in enumerate(slices):
        if where["family"] == ORIGINAL:
            suites.setdefault(where["suite"], []).append(place)
    return [
        places
        for places in suites.values()
        if any(slices[place].get("label") == Label.NON_ENTAILMENT for place in places)
    ]


class Comparisons(TableRecord, msgspec.Struct, frozen=True, kw_only=True, rename={"binary_suites": TWO_WAY_KEY}):
    """Everything that was compared."""

    runs: tuple[str, ...]
    comparisons: tuple[Comparison, ...]
    bands: tuple[Banded, ...]
    notes: tuple[str, ...]  # notes for the reader, such as cases that only one run has
    binary_suites: tuple[str, ...] = ()  # suites in which neutral and contradiction count as one label
    names: dict[str, str] = {}  # the user's own names for labels, each with our name
    references: tuple[str, ...] = ()  # models that are references: baselines that decide by a known rule

    def _tables(self, *, brief: bool) -> list[ShownTable]:
        """Each pair of models by family, in a notebook also by label, and the bands of seeds."""
        names = LabelNames(self.names)
        columns = ["suite", "family", "label", "candidate", "baseline", "difference", "p", "verdict", "cases"]
        found = [
            ShownTable(
                f"{each.candidate} in {each.candidate_run} against {each.baseline} in {each.baseline_run}",
                columns,
                [_slice_cells(row, names) for row in (each.families if brief else each.slices)],
            )
            for each in self.comparisons
        ]
        bands = [_band_cells(each) for each in self.bands if not brief or "label" not in each.slice]
        heads = ["system", "on", "mean", "lowest seed", "highest seed", "seeds"]
        return found + ([ShownTable("Accuracy in % over the seeds of a system", heads, bands)] if bands else [])


def _slice_cells(row: ComparedSlice, names: LabelNames) -> list[object]:
    where = row.slice
    shares = (share(value) for value in (row.candidate, row.baseline, row.difference))
    return [
        *(where["suite"], where["family"], names(where.get("label", "all"))),
        *shares,
        ShownNumber("-" if row.adjusted is None else f"{row.adjusted:.3f}" if row.adjusted >= 0.001 else "<0.001"),
        *(row.verdict, row.n),
    ]


def _band_cells(each: Banded) -> list[object]:
    ends = (share(value) for value in (each.band.mean, each.band.low, each.band.high))
    return [each.system, ", ".join(each.slice.values()), *ends, each.band.n]
