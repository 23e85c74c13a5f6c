"""The cases of a run: searched, filtered, counted and sorted; the filter is in the address."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import urlencode

import msgspec
from starlette.responses import Response

from assay.core.case import family_rank
from assay.core.label_space import LABELS
from assay.core.run_record import RunRecord
from assay.reports.view import ReportView
from assay.run.case_index.case_filter import ORDERS, CaseFilter, Count, FilteredCases
from assay.run.case_index.case_index import CaseIndex, same_cases
from assay.serve.addresses import change_query, run_link
from assay.serve.auth import AuthorisedRequest, HttpError, routes_for
from assay.serve.background import Building
from assay.serve.case_view import ShownCase, shown_case, view_of_index
from assay.serve.served_runs import RunOverview

PAGE = 20
"""Cases on a page."""

FEW = 8
"""Values of a facet that are shown at once; the others unfold."""

SHOWS = {
    "": "all cases",
    "wrong": "wrong",
    "right": "right",
    "flipped": "source right, copy wrong",
    "alone": "only this model is wrong",
    "beats": "right, and the other model is wrong",
    "differ": "differs from the other model",
}
"""Which answers of a model are of interest, in words."""

ORDER_NAMES = {
    "case": "place in the run",
    "disagreement": "disagreement of the two models",
    "confidence": "confidence of the model",
    "length": "length",
    **{name: name for name in ("suite", "family", "variant", "label", "answer")},
}
"""Sort orders in words."""

NAMES = {"suite": "Suite", "family": "Family", "variant": "Variant", "label": "Right label", "answer": "Answer"}
"""Display names of facets."""

FIRST = ("family", "label", "answer", "variant", "suite")
"""Facets that come before the groups."""


class RunQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Query parameters about the run that cases are in."""

    beside: str = ""
    """Another run of the same suites, whose models appear as MODEL in RUN."""


class Query(RunQuery, frozen=True, kw_only=True):
    """Query parameters about cases. Groups are named group.NAME."""

    words: str = ""
    model: str = ""
    other: str = ""
    show: str = ""
    answer: str = ""
    sure_from: float | None = None
    sure_to: float | None = None
    suite: str = ""
    family: str = ""
    variant: str = ""
    label: str = ""
    order: str = "case"
    down: bool = False
    page: int = 1


class Value(NamedTuple):
    """A value of a facet."""

    name: str
    """Display name."""
    link: str
    """Where it leads: to the cases with this value, or without the filter if it is chosen."""
    is_chosen: bool
    """True if only cases with this value are shown."""
    found: Count
    """Cases with this value."""


class FilterFacet(NamedTuple):
    """A facet beside the cases."""

    title: str
    values: Sequence[Value]
    """Its values, the most frequent first, unless they have an order of their own."""
    most: int
    """The largest count."""

    @property
    def few(self) -> Sequence[Value]:
        """The values that are shown at once."""
        return self.values[:FEW]

    @property
    def more(self) -> Sequence[Value]:
        """The values that unfold."""
        return self.values[FEW:]

    @property
    def is_unfolded(self) -> bool:
        """True if a value that unfolds is chosen."""
        return any(value.is_chosen for value in self.more)


def choice_of(asked: AuthorisedRequest) -> CaseFilter:
    """The filter in an address."""
    given = {name: value for name, value in asked.query.items() if value}
    groups = {name: given.pop(name) for name in [*given] if name.startswith("group.")}
    try:
        query = msgspec.convert(given, Query, strict=False)
        fields = msgspec.to_builtins(query)
        plain = {name: fields[name] for name in CaseFilter.__struct_fields__ if name in fields}
        named = {name: fields[name] for name in ("suite", "family", "variant", "label") if fields[name]}
        return msgspec.convert({**plain, "facets": {**named, **groups}}, CaseFilter)
    except msgspec.ValidationError as error:
        raise HttpError(422, f"This address can't be read: {error}.", "Start again from the list of cases.") from error


def query_of(choice: CaseFilter) -> str:
    """A filter as the query of an address.

    >>> query_of(CaseFilter(model="m", show="wrong", facets={"family": "negation"}))
    'model=m&show=wrong&family=negation'
    """
    plain = {name: value for name, value in msgspec.to_builtins(choice).items() if name != "facets"}
    given = {name: "1" if value is True else value for name, value in plain.items() if value not in ("", None, False)}
    if given.get("order") == "case":
        del given["order"]
    return urlencode(given | choice.facets)


def page_of(asked: AuthorisedRequest) -> int:
    """The page that an address asks for."""
    given = asked.query.get("page", "1")
    return max(1, int(given)) if given.isascii() and given.isdigit() and len(given) < 9 else 1


class Unready(NamedTuple):
    """A run whose cases can't be shown yet."""

    run: RunOverview
    building: Building
    """The progress of its index."""


def ready_index(asked: AuthorisedRequest) -> CaseIndex | Unready:
    """The index of the run, with another run's answers if the address names one; or which of the two is not ready."""
    names = [asked.path["run"], *filter(None, [asked.query.get("beside")])]
    found = []
    for run in map(asked.site.runs.get, names):
        index = asked.site.indexes.get(run)
        if isinstance(index, Building):
            return Unready(run, index)
        found.append(index)
    return found[0].beside(found[1]) if len(found) > 1 else found[0]


def index_of(asked: AuthorisedRequest) -> CaseIndex | Response:
    """The index of the run, or a page that says how far it is."""
    index = ready_index(asked)
    if isinstance(index, Unready):
        return asked.page("building.html", status=202, run=index.run, building=index.building)
    return index


def is_other(one: RunRecord, other: RunRecord) -> bool:
    """True if another run has the same cases."""
    return one.id != other.id and same_cases(one, other)


class CaseQuery:
    """The filter in the address of a run's cases, and the addresses of what it leads to."""

    def __init__(self, asked: AuthorisedRequest, run: str) -> None:
        self.run = run_link(run)
        self.given = dict(asked.query.items())
        self.as_given = asked.request.url.query

    @property
    def beside(self) -> str:
        """Another run, whose answers are shown too; empty if there is none."""
        return self.given.get("beside", "")

    def url(self, path: str = "cases", /, **changes: str | int | None) -> str:
        """The address with some parts of the query changed: None removes a part, and every change removes the page."""
        texts = {name: None if value is None else str(value) for name, value in changes.items()}
        return change_query(f"{self.run}/{path}", self.given.items(), **texts)

    def case_url(self, case: ShownCase) -> str:
        """The page of one case, which knows the way back."""
        return f"{self.run}/cases/{case.number}" + (f"?{self.as_given}" if self.as_given else "")


class CasePage(NamedTuple):
    """The cases on one page of a list."""

    cases: Sequence[ShownCase]
    number: int
    total: int
    """Cases on all pages."""

    @property
    def first(self) -> int:
        """The place of its first case in the list."""
        return (self.number - 1) * PAGE + 1

    @property
    def pages(self) -> int:
        """The number of pages."""
        return -(-self.total // PAGE)


def show(asked: AuthorisedRequest) -> Response:
    """The page."""
    index = index_of(asked)
    if isinstance(index, Response):
        return index
    view = view_of_index(index)
    chosen = FilteredCases(index, choice_of(asked))
    query = CaseQuery(asked, index.record.id)
    number = page_of(asked)
    rows = index.rows(chosen.rows((number - 1) * PAGE, PAGE))
    return asked.page(
        "cases.html",
        run=index.record,
        others=[each.record.id for each in asked.site.runs.readable() if is_other(index.record, each.record)],
        view=view,
        choice=chosen.choice,
        query=query,
        facets=[*_facets(chosen, view, query)],
        page=CasePage([shown_case(row, view) for row in rows], number, len(chosen)),
        shows=SHOWS,
        orders={name: ORDER_NAMES[name] for name in ORDERS},
        slices={name: query_of(each) for name, each in asked.site.slices.all().items()},
        chips=_chips(chosen.choice, view),
    )


def _facets(chosen: FilteredCases, view: ReportView, query: CaseQuery) -> Iterator[FilterFacet]:
    index, choice = chosen.index, chosen.choice
    names = [name for name in FIRST if name != "answer" or choice.model]
    for name in [*names, *index.groups]:
        counts = chosen.counts(name)
        picked = choice.answer if name == "answer" else choice.facets.get(name, "")
        if len(counts) > 1 or picked:
            yield FilterFacet(
                NAMES.get(name) or name.removeprefix("group."),
                [
                    Value(
                        view.label(each.value) if name in ("label", "answer") else each.value,
                        query.url(**{name: None if each.value == picked else each.value}),
                        each.value == picked,
                        each,
                    )
                    for each in _in_order(name, counts)
                ],
                max((each.n for each in counts), default=1),
            )


def _in_order(name: str, counts: list[Count]) -> list[Count]:
    if name in ("label", "answer", "suite"):
        return counts
    if name == "family":
        return sorted(counts, key=lambda each: (family_rank(each.value), each.value))
    return sorted(counts, key=lambda each: -each.n)


def _chips(choice: CaseFilter, view: ReportView) -> list[tuple[str, dict[str, None]]]:
    """The chosen filters in words, each with the parts of the address to remove."""
    made: list[tuple[str, dict[str, None]]] = []
    for name, value in choice.facets.items():
        shown = view.label(value) if name == "label" and value in LABELS else value
        made.append((f"{NAMES.get(name, name.removeprefix('group.'))}: {shown}", {name: None}))
    if choice.words:
        made.append((f"with {choice.words}", {"words": None}))
    if choice.show:
        other = f" ({view.name(choice.other)})" if choice.show in ("beats", "differ") else ""
        made.append((f"{view.name(choice.model)}: {SHOWS[choice.show]}{other}", {"show": None}))
    if choice.answer:
        shown = view.label(choice.answer) if choice.answer in LABELS else choice.answer
        made.append((f"{view.name(choice.model)} answers {shown}", {"answer": None}))
    if choice.sure_from is not None or choice.sure_to is not None:
        low, high = choice.sure_from or 0, 100 if choice.sure_to is None else choice.sure_to
        made.append((f"confidence {low:g} to {high:g}%", {"sure_from": None, "sure_to": None}))
    return made


def detail(asked: AuthorisedRequest) -> Response:
    """A case: its source pair, its siblings, where it comes from, and every model's answer."""
    index = index_of(asked)
    if isinstance(index, Response):
        return index
    given = asked.path["case"]
    number = int(given) if given.isascii() and given.isdigit() and len(given) < 10 else len(index)
    if number >= len(index):
        raise HttpError(404, f"There is no case {given} in this run.", f"It has {len(index):,} cases, from 0 on.")
    view = view_of_index(index)
    siblings: list[ShownCase] = [shown_case(row, view) for row in index.rows(index.siblings(number)[:MOST_SIBLINGS])]
    return asked.page(
        "case.html",
        run=index.record,
        view=view,
        case=shown_case(index.row(number), view),
        siblings=siblings,
        more=len(index.siblings(number)) - len(siblings),
        query=CaseQuery(asked, index.record.id),
    )


MOST_SIBLINGS = 60
"""Largest number of cases of one source pair that are shown with a case."""

ROUTES = [routes_for("/runs/{run}/cases", show), routes_for("/runs/{run}/cases/{case}", detail)]
