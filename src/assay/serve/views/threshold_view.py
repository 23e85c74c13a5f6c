"""The threshold of a model with scores: the claims that pass, certified thresholds, and changed answers."""

from collections.abc import Iterator, Sequence
from itertools import product
from shlex import quote
from typing import Annotated, Any, NamedTuple

import msgspec
import numpy
from starlette.responses import Response

from assay.core.case import THRESHOLD
from assay.core.estimate import SupportCurve
from assay.core.label import Label
from assay.core.run_record import RunRecord
from assay.evaluate.case_columns import ENTAILMENT
from assay.evaluate.support.support_scores import CERTIFIED
from assay.reports.formatting import as_written
from assay.reports.threshold_points import (
    PROMISE,
    SHOWN,
    ThresholdPoint,
    certified_at,
    curve_of,
    first_within,
    nearest,
    own_numbers,
    points_of,
    threshold_within,
    useful,
    why_not,
)
from assay.run.case_index.case_filter import CaseFilter, FilteredCases
from assay.run.case_index.case_index import CaseIndex
from assay.serve.addresses import cases_link
from assay.serve.auth import AuthorisedRequest, HttpError, routes_for
from assay.serve.case_view import ShownCase, shown_case
from assay.serve.run_view import ServedView, run_view
from assay.serve.served_files import shown_path

BARS = 50  # bars of the chart of scores
MOST = 10  # flipped cases that are shown at once


class ThresholdQuery(msgspec.Struct, frozen=True, kw_only=True):
    model: str = ""
    at: float | None = None
    cost: Annotated[float, msgspec.Meta(gt=0, le=1e6)] | None = None
    """The number of stopped supported claims that cost as much as one unsupported claim that passes."""


class Flips(NamedTuple):
    """Claims with the same label whose answer changes in the same way."""

    label: str
    stops: bool  # True if they pass now and would not pass at the threshold
    is_gain: bool  # True if their new answer is right
    n: int
    link: str  # all of them
    cases: Sequence[ShownCase]


def show(asked: AuthorisedRequest) -> Response:
    query, site = asked.asked_for(ThresholdQuery), asked.site
    run = site.runs.get(asked.path["run"])
    record = site.runs.whole(run.id)
    view, curves = run_view(record), curves_of(record)
    if not curves:
        raise HttpError(
            404,
            "No model of this run has a threshold.",
            "A threshold needs scores, and cases with two labels: `assay run --two-way`.",
        )
    curve = curves.get(query.model) or next(iter(curves.values()))
    points = points_of(curve)
    cheapest = None if query.cost is None else cheapest_at(points, curve, query.cost)
    at = cheapest or _start(curve, points)
    index = None if site.pages.is_bundle else site.indexes.ready(run)
    if query.at is not None:
        at = _point_at(index, curve, points, query.at)
        points = sorted({each.threshold: each for each in (*points, at)}.values(), key=lambda each: each.threshold)
    bound = min((each.bound for each in useful(curve) if (each.threshold or 0) <= at.threshold), default=None)
    return asked.page(
        "threshold.html",
        run=run,
        view=view,
        models=[*curves],
        curve=curve,
        own=own_numbers(view, curve),
        at=at,
        bound=bound,
        missing=_missing(curve),
        gate=None if bound is None else propose_gate(curve, points, bound, at),
        only_here=_only_here(curve, at, bound),
        rows=[*_bound_rows(curve, points)],
        cost=query.cost,
        cheapest=cheapest,
        folder=quote(f"{site.folder.name}/{run.id}" if site.pages.is_bundle else shown_path(run.folder)),
        gated=quote(curve.slice["model"]),
        shown=SHOWN,
        marks=[*_marks(curve)],
        lines={name: _line(points, name) for name in ("false-support", "recall")},
        bands={name: _band(points, name) for name in ("false-support", "recall")},
        bars=_score_bars(index, view, curve) if index else None,
        most_bars=BARS,
        most_flips=MOST,
        flips=[each for each in _flips(index, view, curve, at.threshold) if each.n] if index else None,
        as_written=as_written,
        beside=beside,
        data={"points": [[point.threshold, point.numbers] for point in points]},
    )


def _start(curve: SupportCurve, points: Sequence[ThresholdPoint]) -> ThresholdPoint:
    """The threshold that keeps the usual bound, or else the one with the highest balanced accuracy."""
    chosen = THRESHOLD if curve.chosen is None else curve.chosen
    return threshold_within(curve, PROMISE) or nearest(points, chosen)


class BoundRow(NamedTuple):
    """The thresholds that keep a bound on false support."""

    bound: float
    certified: ThresholdPoint | None  # for new claims
    why: str  # the reason why none is certified; empty if one is
    here: ThresholdPoint | None  # on these claims; none if no threshold with a recall above 0 keeps it


def _bound_rows(curve: SupportCurve, points: Sequence[ThresholdPoint]) -> Iterator[BoundRow]:
    for each in curve.certified:
        found = certified_at(curve, each.bound)
        certified = nearest(points, found.threshold) if found and found.threshold is not None else None
        yield BoundRow(each.bound, certified, "" if certified else why_not(each), first_within(points, each.bound))


def _point_at(
    index: CaseIndex | None, curve: SupportCurve, points: Sequence[ThresholdPoint], at: float
) -> ThresholdPoint:
    """The numbers at any threshold: those of the next point of the curve if the same claims pass, or else counted."""
    at = min(max(at, 0.0), 1.0)
    near = nearest(points, at)
    if index is None or abs(near.threshold - at) < 1e-9:
        return near
    scores = index.of_model("shares", curve.slice["model"])[:, ENTAILMENT]
    own = {}
    for label in (Label.ENTAILMENT, Label.NON_ENTAILMENT):
        where = {name: curve.slice[name] for name in ("suite", "family")} | {"label": label.value}
        own[label] = scores[FilteredCases(index, CaseFilter(facets=where)).ordered()]
    for point in points:
        low, high = numpy.float32(min(point.threshold, at)), numpy.float32(max(point.threshold, at))
        if not any(((each >= low) & (each < high)).any() for each in own.values()):
            return point._replace(threshold=at)
    passing, right = (
        float((own[label] >= numpy.float32(at)).mean()) for label in (Label.NON_ENTAILMENT, Label.ENTAILMENT)
    )
    return ThresholdPoint(at, {"false-support": (passing, None, None), "recall": (right, None, None)})


def beside(score: float, threshold: float) -> str:
    """A score with three decimals, or with as many as show on which side of the threshold it is.

    >>> beside(0.61234, 0.9), beside(0.979812, 0.98)
    ('0.612', '0.9798')
    """
    passes = score >= threshold
    shown = (f"{score:.{decimals}f}" for decimals in range(3, 17))
    return next((each for each in shown if (float(each) >= threshold) == passes), as_written(score))


class CertifiedMark(NamedTuple):
    """The label of a certified threshold in the chart."""

    x: float  # in %
    words: str
    row: int  # labels of neighbouring thresholds are in rows below each other


def _marks(curve: SupportCurve) -> Iterator[CertifiedMark]:
    """A label for each certified threshold: the bounds that it keeps, of which the lower ones have no other."""
    bounds: dict[float, list[str]] = {}
    for each in useful(curve):
        bounds.setdefault(each.threshold or 0.0, []).append(f"{100 * each.bound:g}")
    for row, (threshold, kept) in enumerate(sorted(bounds.items())):
        yield CertifiedMark(100 * threshold, f"{', '.join(kept)}%", row)


def cheapest_at(points: Sequence[ThresholdPoint], curve: SupportCurve, cost: float) -> ThresholdPoint | None:
    """The threshold with the lowest cost on these claims; of several, the highest.

    A supported claim that is stopped costs 1, and an unsupported claim that passes costs `cost`.
    """

    def total(point: ThresholdPoint) -> float:
        passing, right = point.value("false-support") or 0.0, point.value("recall") or 0.0
        return cost * passing * (curve.n - curve.supported) + (1 - right) * curve.supported

    return min(reversed(points), key=total, default=None)


def _missing(curve: SupportCurve) -> str:
    """The reason why no bound is certified, and for which bound the fewest claims are missing; empty if one is."""
    if not curve.certified or useful(curve):
        return ""
    able = [each for each in curve.certified if each.more_claims is not None]
    if not able:
        return f"{why_not(curve.certified[0])}, so it takes another model"
    least = min(able, key=lambda each: each.more_claims or 0)
    return f"{why_not(least)} for a bound of {_share(least.bound)}"


def _share(bound: float) -> str:
    return f"{100 * bound:g}%"


def _only_here(curve: SupportCurve, at: ThresholdPoint, certified: float | None) -> str:
    """The bounds that a threshold keeps on these claims alone, in words; empty if all are certified."""
    here = at.value("false-support")
    kept = [each for each in curve.certified if here is not None and here <= each.bound < (certified or 1)]
    if not kept:
        return ""
    least = min(kept, key=lambda each: each.bound)
    found = certified_at(curve, least.bound)
    bound, n = _share(least.bound), curve.n - curve.supported
    said = f"{as_written(at.threshold)} keeps {bound} on these {n:,} unsupported claims only."
    if found and found.threshold is not None:
        return f"{said} For new claims, {bound} is certified from {as_written(found.threshold)}."
    return f"{said} None is certified to keep {bound} for new claims: {why_not(least)}."


class ProposedGate(NamedTuple):
    """A bound on false support, and a threshold that is certified to keep it."""

    bound: float
    threshold: float
    rule: str


def propose_gate(
    curve: SupportCurve, points: Sequence[ThresholdPoint], bound: float, at: ThresholdPoint
) -> ProposedGate:
    """A gate at a threshold of the record: a rule knows no others. The next one above may let the same claims pass."""
    same = (each.threshold for each in points if each.numbers == at.numbers)
    known = [each for each in same if any(abs(each - own) < 1e-9 for own in curve.thresholds)]
    place = as_written(min(known, key=lambda each: abs(each - at.threshold))) if known else f"{CERTIFIED}{bound:g}"
    return ProposedGate(bound, at.threshold, f"claims.false-support<={bound:g} at threshold={place}")


def curves_of(record: RunRecord) -> dict[str, SupportCurve]:
    """The models with a threshold, and their curves on the unmodified claims."""
    view = run_view(record)
    return {model: curve for model in view.models if (curve := curve_of(view, model))}


def _line(points: Sequence[ThresholdPoint], name: str) -> str:
    """The points of an SVG line, in a square of 100."""
    known = [(each.threshold, each.numbers[name][0]) for each in points if name in each.numbers]
    return _svg((x, y) for x, y in known if y is not None)


def _band(points: Sequence[ThresholdPoint], name: str) -> str:
    """The outline of the intervals around a line."""
    known = [(each.threshold, *each.numbers[name][1:]) for each in points if name in each.numbers]
    there = [(x, low, high) for x, low, high in known if low is not None and high is not None]
    return _svg([*((x, low) for x, low, _ in there), *((x, high) for x, _, high in reversed(there))])


def _svg(points: Any) -> str:
    return " ".join(f"{100 * x:.2f},{100 - 100 * y:.2f}" for x, y in points)


class ScoreBar(NamedTuple):
    """The claims of one label with scores from a value to the next."""

    place: int
    height: float  # as a share of the highest bar
    title: str
    link: str  # leads to the claims


def _score_bars(index: CaseIndex, view: ServedView, curve: SupportCurve) -> dict[str, list[ScoreBar]]:
    """The claims by score, for each label; bars without claims are left out."""
    model = curve.slice["model"]
    scores = index.of_model("shares", model)[:, ENTAILMENT]
    where = {name: curve.slice[name] for name in ("suite", "family")}
    edges = (numpy.arange(BARS) / BARS).astype(numpy.float32)  # as a filter compares scores
    counts = {}
    for label in (Label.ENTAILMENT, Label.NON_ENTAILMENT):
        rows = FilteredCases(index, CaseFilter(facets={**where, "label": label.value})).ordered()
        places = numpy.searchsorted(edges, scores[rows], side="right") - 1
        counts[label] = numpy.bincount(numpy.maximum(places, 0), minlength=BARS)
    most = max(1, *(int(each.max()) for each in counts.values()))
    found: dict[str, list[ScoreBar]] = {}
    for label, heights in counts.items():
        for place in numpy.flatnonzero(heights).tolist():
            n, low, high = int(heights[place]), place / BARS, (place + 1) / BARS
            choice = {"model": model, **where, "label": label.value, "order": "confidence", "down": "1"}
            bounds = {"score_from": f"{low:g}"} | ({"score_below": f"{high:g}"} if high < 1 else {})
            title = f"{n:,} {view.label(label.value)}, score from {low:g} to {high:g}"
            link = cases_link(index.record.id, **choice, **bounds)
            found.setdefault(label.value, []).append(ScoreBar(place, n / most, title, link))
    return found


def _flips(index: CaseIndex, view: ServedView, curve: SupportCurve, at: float) -> Iterator[Flips]:
    """The claims that the model's own answer and a threshold decide differently."""
    where = {name: curve.slice[name] for name in ("suite", "family")}
    for answer, label in product((Label.ENTAILMENT, Label.NON_ENTAILMENT), repeat=2):
        stops = answer is Label.ENTAILMENT
        choice = CaseFilter(
            model=curve.slice["model"],
            answer=answer.value,
            score_from=None if stops else at,
            score_below=at if stops else None,
            facets={**where, "label": label.value},
            order="confidence",
            down=True,
        )
        chosen = FilteredCases(index, choice)
        link = cases_link(
            index.record.id,
            model=choice.model,
            answer=choice.answer,
            **choice.facets,
            **{"score_below" if stops else "score_from": as_written(at)},
            order="confidence",
            down="1",
        )
        cases = [shown_case(row, view) for row in index.rows(chosen.rows(0, MOST))]
        yield Flips(view.label(label.value), stops, stops is (label is Label.NON_ENTAILMENT), len(chosen), link, cases)


ROUTES = [routes_for("/runs/{run}/threshold", show)]
