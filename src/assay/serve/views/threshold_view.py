"""The threshold of a model with scores: the claims that pass, certified thresholds, and changed answers."""

from collections.abc import Iterator, Sequence
from itertools import product
from shlex import quote
from typing import Annotated, Any, NamedTuple

import msgspec
import numpy
from starlette.responses import Response

from assay.core.case import THRESHOLD
from assay.core.estimate import CertifiedThreshold, SupportCurve
from assay.core.label import Label
from assay.core.run_record import RunRecord
from assay.evaluate.case_columns import ENTAILMENT
from assay.evaluate.support.support_scores import CERTIFIED
from assay.reports.threshold_points import (
    PROMISE,
    SHOWN,
    ThresholdPoint,
    curve_of,
    first_within,
    nearest,
    own_numbers,
    points_of,
    threshold_within,
)
from assay.run.case_index.case_filter import CaseFilter, FilteredCases
from assay.run.case_index.case_index import CaseIndex
from assay.serve.addresses import cases_link
from assay.serve.auth import AuthorisedRequest, HttpError, routes_for
from assay.serve.case_view import ShownCase, shown_case
from assay.serve.run_view import ServedView, run_view
from assay.serve.served_files import shown_path

USELESS = (
    "This threshold accepts no supported claim, so it is of no use; the model can't keep this bound on these claims"
)
"""Warning about a certified threshold with a recall of 0."""

BARS = 50  # bars of the chart of scores
MOST = 10  # flipped cases that are shown at once


class ThresholdQuery(msgspec.Struct, frozen=True, kw_only=True):
    model: str = ""
    at: float | None = None
    bound: float | None = None  # the bound on false support that was chosen; several may have the same threshold
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
    at = nearest(points, query.at) if query.at is not None else cheapest or _start(curve, points)
    chosen = PROMISE if query.at is None and query.cost is None else query.bound
    bound, unkept = _bound(curve, at, chosen), _unkept(curve, at, chosen)
    gate = propose_gate(curve, bound, at.threshold) if bound is not None else None
    index = None if site.pages.is_bundle else site.indexes.ready(run)
    return asked.page(
        "threshold.html",
        run=run,
        view=view,
        models=[*curves],
        curve=curve,
        own=own_numbers(view, curve),
        at=at,
        bound=bound,
        unkept=unkept,
        missing=_missing(curve),
        gate=_gate_instead(curve, chosen) if unkept else gate,
        rows=[*_bound_rows(curve, points)],
        chosen=chosen,
        cost=query.cost,
        cheapest=cheapest,
        useless=[each.bound for each in curve.certified if each.recall == 0],
        warning=USELESS,
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
        certified = nearest(points, each.threshold) if each.threshold is not None else None
        needed = (
            f"about {each.more_claims:,} more claims needed" if each.more_claims else "too many pass at every threshold"
        )
        yield BoundRow(each.bound, certified, "" if certified else needed, first_within(points, each.bound))


class CertifiedMark(NamedTuple):
    """The label of one or more certified thresholds in the chart."""

    x: float  # in %
    words: str


APART = 8.0  # certified thresholds that are closer to each other, in % of the chart's width, share a label


def _marks(curve: SupportCurve) -> Iterator[CertifiedMark]:
    """The labels of certified thresholds: the bounds that they keep."""
    there = sorted((100 * each.threshold, each.bound) for each in curve.certified if each.threshold is not None)
    while there:
        near = [each for each in there if each[0] - there[0][0] < APART]
        there = there[len(near) :]
        bounds = [f"{100 * bound:g}" for _, bound in near]
        yield CertifiedMark(near[0][0], f"{bounds[-1]}-{bounds[0]}%" if len(bounds) > 1 else f"{bounds[0]}%")


def cheapest_at(points: Sequence[ThresholdPoint], curve: SupportCurve, cost: float) -> ThresholdPoint | None:
    """The threshold with the lowest cost on these claims; of several, the highest.

    A supported claim that is stopped costs 1, and an unsupported claim that passes costs `cost`.
    """

    def total(point: ThresholdPoint) -> float:
        passing, right = point.value("false-support") or 0.0, point.value("recall") or 0.0
        return cost * passing * (curve.n - curve.supported) + (1 - right) * curve.supported

    return min(reversed(points), key=total, default=None)


def _bound(curve: SupportCurve, at: ThresholdPoint, chosen: float | None) -> float | None:
    """The chosen bound on false support if it is certified at a threshold, or else the smallest that is.

    A threshold that is certified for a bound is so for all higher thresholds too.
    """
    certified = (each for each in curve.certified if each.threshold is not None and each.threshold <= at.threshold)
    bounds = [each.bound for each in certified]
    return chosen if chosen in bounds else min(bounds, default=None)


def _why_not(each: CertifiedThreshold) -> str:
    """The reason why no threshold is certified to keep a bound."""
    if each.more_claims is None:
        return "too many unsupported claims pass at every threshold"
    return f"about {each.more_claims:,} more unsupported claims are needed"


def _missing(curve: SupportCurve) -> str:
    """The reason why no bound is certified, and for which bound the fewest claims are missing; empty if one is."""
    if not curve.certified or any(each.threshold is not None for each in curve.certified):
        return ""
    able = [each for each in curve.certified if each.more_claims is not None]
    if not able:
        return f"{_why_not(curve.certified[0])}, so it takes another model"
    least = min(able, key=lambda each: each.more_claims or 0)
    return f"{_why_not(least)} for a bound of {_share(least.bound)}"


def _share(bound: float) -> str:
    return f"{100 * bound:g}%"


def _unkept(curve: SupportCurve, at: ThresholdPoint, chosen: float | None) -> str:
    """The reason why a threshold is not certified for the chosen bound; empty if it is, or if none was chosen."""
    if chosen is None:
        return ""
    each = next((each for each in curve.certified if each.bound == chosen), None)
    if each is None:
        return f"A bound of {_share(chosen)} is not in the table above."
    if each.threshold is not None:
        if each.threshold <= at.threshold:
            return ""
        return f"At {at.threshold:.4g}, false support is not certified to be at most {_share(chosen)}."
    said = f"No threshold is certified to keep false support at {_share(chosen)}: {_why_not(each)}."
    here = at.value("false-support")
    if here is not None and here <= chosen:
        said += f" {at.threshold:.4g} keeps {_share(chosen)} on these {each.unsupported:,} unsupported claims only."
    return said


class ProposedGate(NamedTuple):
    """A bound on false support, and a threshold that is certified to keep it."""

    bound: float
    threshold: float
    rule: str


def propose_gate(curve: SupportCurve, bound: float, threshold: float) -> ProposedGate:
    is_measured = any(abs(each - threshold) < 1e-9 for each in curve.thresholds)
    place = f"{threshold:.4g}" if is_measured else f"{CERTIFIED}{bound:g}"  # a rule knows no other thresholds
    return ProposedGate(bound, threshold, f"claims.false-support<={bound:g} at threshold={place}")


def _gate_instead(curve: SupportCurve, chosen: float | None) -> ProposedGate | None:
    """The gate for a bound that is not certified where it was chosen.

    It is certified at a higher threshold, or else another bound is proposed, the strictest that a threshold keeps.
    """
    found = {each.bound: each.threshold for each in curve.certified if each.threshold is not None and each.recall}
    bound = chosen if chosen in found else min(found, default=None)
    return None if bound is None else propose_gate(curve, bound, found[bound])


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
            **{"score_below" if stops else "score_from": f"{at:g}"},
            order="confidence",
            down="1",
        )
        cases = [shown_case(row, view) for row in index.rows(chosen.rows(0, MOST))]
        yield Flips(view.label(label.value), stops, stops is (label is Label.NON_ENTAILMENT), len(chosen), link, cases)


ROUTES = [routes_for("/runs/{run}/threshold", show)]
