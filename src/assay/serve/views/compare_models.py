"""Two models side by side, of one run or of two: the verdicts, where they differ most, and the cases behind that."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

import numpy
from starlette.responses import HTMLResponse, Response

from assay.core.comparison import Comparisons
from assay.evaluate.case_columns import CLAIMED, Ints
from assay.evaluate.paired import holm
from assay.evaluate.slice_sums import PairedTally, cells
from assay.reports.page.comparison_page import comparison_page
from assay.reports.phrases import short_name
from assay.reports.view import view_of
from assay.run.case_index.case_filter import CaseFilter, FilteredCases
from assay.run.case_index.case_index import CaseIndex, name_in, same_cases
from assay.run.case_index.index_layout import RIGHT
from assay.run.compare_runs import compare_runs
from assay.serve.addresses import cases_link, compare_link
from assay.serve.auth import AuthorisedRequest, HttpError, routes_for
from assay.serve.background import PendingError, is_small
from assay.serve.case_view import shown_case, view_of_index
from assay.serve.html_pages import PageStep, Tab
from assay.serve.served_runs import RunOverview

FEWEST = 20
"""Slices with fewer cases are not tried: each test costs the others some of their strength."""

UNTRIED = ("group.old", "group.new", "group.template")
"""Groups that only repeat the texts."""

SURE = 0.05
"""The largest corrected p of a difference that is shown."""


class Difference(NamedTuple):
    """A slice on which two models differ."""

    where: dict[str, str]
    """The slice: a family, with a label, a variant or a group."""
    n: int
    """Number of cases it has."""
    one: float
    """The first model's accuracy."""
    other: float
    """The second model's accuracy."""
    only_one: int
    """Cases that only the first gets right."""
    only_other: int
    """Cases that only the second gets right."""
    p: float
    """The p, corrected by Holm's method for all slices that were tried."""


class Searched(NamedTuple):
    """The result of a search over all slices."""

    found: list[Difference]
    """Differences that chance does not explain, the largest first."""
    tried: int
    """Number of slices tried."""


def differences(index: CaseIndex, one: str, other: str) -> Searched:
    """Search all slices: families by label, variant and every group. Clusters count as they do everywhere."""
    claimed = numpy.flatnonzero(index.codes("expects") == CLAIMED)
    first, second = (
        ((index.of_model("flags", model)[claimed] & RIGHT) != 0).astype(numpy.int64) for model in (one, other)
    )
    tried: list[Difference] = []
    groups = [name for name in index.groups if name not in UNTRIED]
    for facet in ["family", "label", "variant", *groups]:
        tried += _tried(index, facet, claimed, first, second)
    corrected = holm([each.p for each in tried])
    sure = [each._replace(p=p) for each, p in zip(tried, corrected, strict=True) if p < SURE]
    return Searched(sorted(sure, key=lambda each: -abs(each.one - each.other)), len(tried))


def _tried(index: CaseIndex, facet: str, rows: Ints, first: Ints, second: Ints) -> Iterator[Difference]:
    """The slices of one facet within each family; of the facet `family`, the families themselves."""
    families = index.described.values["family"]
    values = index.described.values[facet]
    family = index.codes("family", rows).astype(numpy.int64)
    value = family * 0 if facet == "family" else index.codes(facet, rows).astype(numpy.int64)
    codes = family * len(values) + value
    if not len(codes):
        return
    tally = PairedTally(1)
    found = cells(codes, *index.clusters(rows))
    tally.add(found, first[None], second[None], found.met)
    for code, shares in tally.shares(0).items():
        of_family, of_facet = divmod(code, len(values))
        if shares.n < FEWEST or (facet != "family" and not values[of_facet]):
            continue
        where = {"family": families[of_family]} | ({} if facet == "family" else {facet: values[of_facet]})
        if shares.first is not None and shares.second is not None and shares.p is not None:
            yield Difference(
                where, shares.n, shares.first, shares.second, shares.only_first, shares.only_second, shares.p
            )


TAB = Tab("Compare", "/compare")

MOST = 10
"""Differences and cases that are shown at once."""


class ComparedModel(NamedTuple):
    """A model of a run."""

    run: RunOverview
    model: str


def show(asked: AuthorisedRequest) -> Response:
    """The page: a choice of two models, or the two that were chosen."""
    named = asked.query.getlist("of")
    if len(named) != 2:
        return _choice(asked, named)
    one, other = (_side(asked, each) for each in named)
    try:
        found = _compared(asked, one, other)
    except PendingError:
        return asked.page("comparing.html", status=202)
    frame = asked.frame(
        PageStep("Runs", "/"),
        PageStep("Compare", "/compare"),
        PageStep(f"{short_name(one.model)} and {short_name(other.model)}"),
    )
    if same_cases(one.run.record, other.run.record) and (one.run is other.run or not asked.site.pages.is_bundle):
        frame = frame._replace(top=frame.top + _beyond(asked, one, other))
    return HTMLResponse(comparison_page(found, [one.run.record, other.run.record], frame=frame))


def _choice(asked: AuthorisedRequest, named: list[str]) -> Response:
    runs = asked.site.runs.readable()
    return asked.page(
        "compare.html",
        runs=runs,
        named=named,
        view_of=lambda run: view_of([run.record]),
        pairs=comparable(runs) if asked.site.pages.is_bundle else [],
        pair_name=pair_name,
        compare_link=compare_link,
    )


def pair_name(one: str, other: str) -> str:
    """Two models, each given as RUN/MODEL, for people.

    >>> pair_name("first/assay:overlap/v1", "first/assay:esim/v1")
    'overlap and esim in first'
    >>> pair_name("first/assay:overlap/v1", "second/assay:overlap/v1")
    'overlap in first and in second'
    """
    (run, _, model), (second, _, rival) = one.partition("/"), other.partition("/")
    if run == second:
        return f"{short_name(model)} and {short_name(rival)} in {run}"
    return f"{short_name(model)} in {run} and in {second}"


def comparable(runs: Sequence[RunOverview]) -> list[tuple[str, str]]:
    """The pairs of models that a bundle compares, each named RUN/MODEL.

    These are any two of one run, and a model with itself in an earlier run of the same suites.
    """
    pairs = []
    for place, run in enumerate(runs):
        own = [f"{run.record.id}/{each.model}" for each in run.record.models]
        pairs += [*combinations(own, 2)]
        for earlier in runs[place + 1 :]:
            if same_cases(earlier.record, run.record):
                before = [f"{earlier.record.id}/{each.model}" for each in earlier.record.models]
                known = {each.partition("/")[2]: each for each in before}
                pairs += [(known[each.partition("/")[2]], each) for each in own if each.partition("/")[2] in known]
    return pairs


def _side(asked: AuthorisedRequest, given: str) -> ComparedModel:
    name, _, model = given.partition("/")
    run = asked.site.runs.get(name)
    if model not in [each.model for each in run.record.models]:
        raise HttpError(404, f"There is no model {model} in {name}.", "Choose two models again.")
    return ComparedModel(run, model)


def _compared(asked: AuthorisedRequest, one: ComparedModel, other: ComparedModel) -> Comparisons:
    """The comparison, made once: the first that was chosen is the baseline."""
    folders = list(dict.fromkeys([one.run.folder, other.run.folder]))
    key = ("compare", one.run.record.seal, other.run.record.seal, one.model, other.model)
    work = asked.site.background
    do = work.at_once if is_small(one.run.record) and is_small(other.run.record) else work.result
    return do(key, _compare, folders, (one.model, other.model))


def _compare(folders: list[Path], models: tuple[str, str]) -> Comparisons:
    return compare_runs(folders, models=models)


def _beyond(asked: AuthorisedRequest, one: ComparedModel, other: ComparedModel) -> str:
    """Comparisons that need the same cases: slices where the two differ most, and cases where they disagree most."""
    index, second = (asked.site.indexes.get(each.run) for each in (one, other))
    if not isinstance(index, CaseIndex) or not isinstance(second, CaseIndex):
        return asked.site.pages.part("beyond.html", index=None)
    models, place = (one.model, other.model), {}
    if one.run is not other.run:
        index, models = index.beside(second), (one.model, name_in(other.model, other.run.record))
        place = {"beside": other.run.record.id}
    key = ("differences", one.run.record.seal, other.run.record.seal, *models)
    searched: Searched = asked.site.background.at_once(key, differences, index, *models)
    view = view_of_index(index)
    apart = FilteredCases(
        index, CaseFilter(model=models[0], other=models[1], show="differ", order="disagreement", down=True)
    )
    pair = {"model": models[0], "other": models[1], "show": "differ", "order": "disagreement", "down": "1", **place}
    return asked.site.pages.part(
        "beyond.html",
        index=index,
        one=view.name(models[0]),
        other=view.name(models[1]),
        searched=searched,
        most=MOST,
        total=len(apart),
        cases=[shown_case(row, view) for row in index.rows(apart.rows(0, MOST))],
        models=models,
        place=f"?{urlencode(place)}" if place else "",
        run=one.run.record.id,
        link=lambda **where: cases_link(one.run.record.id, **(pair | where)),
    )


ROUTES = [routes_for("/compare", show)]
