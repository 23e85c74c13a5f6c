"""Two models side by side, of one run or of two: the verdicts, where they differ most, and the cases behind that."""

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from starlette.responses import HTMLResponse, Response

from assay.app.web.background import PendingError
from assay.app.web.gate import Asked, Refused, route
from assay.app.web.indexes import is_small
from assay.app.web.runs import Found
from assay.app.web.show.case import shown_case, view_of_index
from assay.app.web.show.links import cases_link, compare_link
from assay.app.web.show.pages import Step
from assay.app.web.show.tabs import Tab
from assay.bench.browse.choice import Choice, Chosen
from assay.bench.browse.differences import Searched, differences
from assay.bench.browse.index import CaseIndex, name_in, same_cases
from assay.bench.judge.compare import compare_runs
from assay.core.results.comparison import Comparisons
from assay.reports.view import view_of
from assay.reports.words import short_name
from assay.reports.write.page.comparison import comparison_page

TAB = Tab("Compare", "/compare")

MOST = 10
"""Differences and cases that are shown at once."""


class Side(NamedTuple):
    """A model of a run."""

    run: Found
    """The run."""
    model: str
    """The model."""


def show(asked: Asked) -> Response:
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
        Step("Runs", "/"), Step("Compare", "/compare"), Step(f"{short_name(one.model)} and {short_name(other.model)}")
    )
    if same_cases(one.run.record, other.run.record) and (one.run is other.run or not asked.site.pages.is_bundle):
        frame = frame._replace(top=frame.top + _beyond(asked, one, other))
    return HTMLResponse(comparison_page(found, [one.run.record, other.run.record], frame=frame))


def _choice(asked: Asked, named: list[str]) -> Response:
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


def comparable(runs: Sequence[Found]) -> list[tuple[str, str]]:
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


def _side(asked: Asked, given: str) -> Side:
    name, _, model = given.partition("/")
    run = asked.site.runs.get(name)
    if model not in [each.model for each in run.record.models]:
        raise Refused(404, f"There is no model {model} in {name}.", "Choose two models again.")
    return Side(run, model)


def _compared(asked: Asked, one: Side, other: Side) -> Comparisons:
    """The comparison, made once: the first that was chosen is the baseline."""
    folders = list(dict.fromkeys([one.run.folder, other.run.folder]))
    key = ("compare", one.run.record.seal, other.run.record.seal, one.model, other.model)
    work = asked.site.background
    do = work.at_once if is_small(one.run.record) and is_small(other.run.record) else work.result
    return do(key, _compare, folders, (one.model, other.model))


def _compare(folders: list[Path], models: tuple[str, str]) -> Comparisons:
    return compare_runs(folders, models=models)


def _beyond(asked: Asked, one: Side, other: Side) -> str:
    """What needs the same cases: the slices where the two differ most, and the cases where they disagree most."""
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
    apart = Chosen(index, Choice(model=models[0], other=models[1], show="differ", order="disagreement", down=True))
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


ROUTES = [route("/compare", show)]
