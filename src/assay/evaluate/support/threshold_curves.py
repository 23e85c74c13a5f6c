"""Threshold curves: numbers at every hundredth, with intervals, and the scores as probabilities."""

from collections.abc import Iterable, Sequence

import numpy

from assay.core.case import ORIGINAL, SUBMISSION
from assay.core.estimate import CurveLine, Estimate, Interval, SupportCurve
from assay.core.label import Label
from assay.evaluate.case_columns import Floats
from assay.evaluate.intervals import ClusteredShare, cluster_share
from assay.evaluate.support.certified_threshold import BOUNDS, certify_threshold
from assay.evaluate.support.threshold_metrics import (
    ALONG,
    Scored,
    balanced_accuracy,
    decisions_at,
    f1,
    reliability,
    risk_coverage,
)

THRESHOLDS = (numpy.arange(101) / 100).round(2)
"""Thresholds of a curve."""


def curve_of(scored: Scored, where: dict[str, str], *, threshold: float, chosen: float | None) -> SupportCurve:
    """The curve of one model in one family; thresholds are certified on the claims themselves, not on edits of them."""
    certifies = where["family"] in (ORIGINAL, SUBMISSION) and scored.has_both
    coverage, risk = risk_coverage(scored.score, scored.supported, scored.cluster, threshold)
    return SupportCurve(
        slice=where,
        n=len(scored.score),
        supported=int(scored.supported.sum()),
        threshold=threshold,
        chosen=chosen,
        thresholds=tuple(THRESHOLDS.tolist()),
        lines=_lines(scored),
        reliability=reliability(scored.score, scored.supported, scored.cluster),
        coverage=_rounded(coverage.tolist()),
        risk=_line([each.value for each in risk], [each.interval for each in risk]),
        certified=tuple(certify_threshold(scored, bound) for bound in BOUNDS) if certifies else (),
    )


def figures_at(curves: Iterable[SupportCurve], threshold: str) -> list[Estimate]:
    """Each curve's value at a threshold, as an estimate whose slice names the threshold; empty if no curve has it.

    >>> line = CurveLine(value=(1.0, 0.25), low=(0.9, 0.2), high=(1.0, 0.5))
    >>> curve = SupportCurve(
    ...     slice={"family": "original"}, n=9, supported=4, threshold=0.5, chosen=None, thresholds=(0.0, 0.5),
    ...     lines={"false-support": line}, reliability=(), coverage=(), risk=CurveLine(value=(), low=(), high=()),
    ... )
    >>> [(e.name, e.value, e.slice.get("label")) for e in figures_at([curve], "0.50")]
    [('false-support', 0.25, None), ('recall', 0.75, 'non-entailment')]
    """
    if threshold.startswith(CERTIFIED):
        return [e for curve in curves for e in _at_certified(curve, threshold)]
    try:
        wanted = float(threshold)
    except ValueError:
        return []
    found = []
    for curve in curves:
        at = next((place for place, each in enumerate(curve.thresholds) if abs(each - wanted) < 1e-9), None)
        if at is not None:
            found += _at(curve, at, {**curve.slice, "threshold": threshold})
    return found


CERTIFIED = "certified:"
"""A threshold in a rule that begins with this names the bound on false support that it keeps."""


def _at_certified(curve: SupportCurve, threshold: str) -> list[Estimate]:
    """Recall and false support at a certified threshold; if none qualifies, no claim may pass."""
    where = {**curve.slice, "threshold": threshold}
    for each in curve.certified:
        if threshold == f"{CERTIFIED}{each.bound:g}":
            others = curve.n - curve.supported
            label = {**where, "label": Label.ENTAILMENT.value}
            return [
                Estimate(name="recall", value=each.recall or 0.0, n=curve.supported, slice=label),
                Estimate(name="false-support", value=each.false_support or 0.0, n=others, slice=where),
            ]
    return []


def _at(curve: SupportCurve, at: int, where: dict[str, str]) -> list[Estimate]:
    found = []
    for name, line in curve.lines.items():
        value, low, high = line.value[at], line.low[at], line.high[at]
        # These are about the supported cases alone.
        own = {**where, "label": Label.ENTAILMENT.value} if name in ("recall", "precision", "f1") else where
        n = {"recall": curve.supported, "false-support": curve.n - curve.supported}.get(name, curve.n)
        found.append(Estimate(name=name, value=value, low=low, high=high, n=n, slice=own))
        if name == "false-support" and value is not None:
            low, high = None if high is None else 1 - high, None if low is None else 1 - low
            own = {**where, "label": Label.NON_ENTAILMENT.value}
            found.append(Estimate(name="recall", value=1 - value, low=low, high=high, n=n, slice=own))
    return [e for e in found if e.value is not None]


def _lines(scored: Scored) -> dict[str, CurveLine]:
    supported, others = scored.supported, ~scored.supported
    shares: dict[str, list[ClusteredShare]] = {}
    for threshold in THRESHOLDS.tolist():
        yes = scored.score >= threshold
        if supported.any():
            shares.setdefault("recall", []).append(cluster_share(yes[supported], scored.cluster[supported]))
        if scored.has_both:
            shares.setdefault("precision", []).append(cluster_share(supported[yes], scored.cluster[yes]))
        if others.any():
            shares.setdefault("false-support", []).append(cluster_share(yes[others], scored.cluster[others]))
    lines = {
        name: _line([each.value for each in found], [each.interval for each in found]) for name, found in shares.items()
    }
    if scored.has_both:
        counts = decisions_at(scored.score, supported, THRESHOLDS)
        ends = scored.ends_along(THRESHOLDS)
        for name, values, own in zip(ALONG, (f1(counts), balanced_accuracy(counts)), ends, strict=True):
            lines[name] = _line(values.tolist(), own)
    return lines


def _line(values: Sequence[float | None], ends: Sequence[Interval | None]) -> CurveLine:
    return CurveLine(
        value=_rounded(values),
        low=_rounded([each and each.low for each in ends]),
        high=_rounded([each and each.high for each in ends]),
    )


def _rounded(values: "Sequence[float | None] | Floats") -> tuple[float, ...]:
    return tuple(value if value is None else round(value, 6) for value in values)  # type: ignore[misc]
