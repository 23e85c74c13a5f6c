"""The cases of a run: searched, filtered, counted and sorted; the filter is in the address."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urlencode

import msgspec
from starlette.responses import Response

from assay.core.case import family_rank
from assay.core.label import Label
from assay.core.run_record import RunRecord
from assay.run.case_index.case_filter import ORDERS, CaseFilter, Count, FilteredCases
from assay.run.case_index.case_index import CaseIndex, IndexedCase, same_cases
from assay.serve.addresses import change_query, run_link
from assay.serve.auth import AuthorisedRequest, HttpError, routes_for
from assay.serve.case_view import ShownCase, shown_case, view_of_index
from assay.serve.facet_words import facet_words, suite_words, value_words
from assay.serve.run_view import ServedView
from assay.serve.served_runs import RunOverview

PAGE = 20  # cases on a page
ROWS = 50  # cases on a page of the table
DENSE = "table"  # the value of `view` in the address for the table
MOST_ANSWERS = 3  # columns of answers in the table
FEW = 8  # values of a facet that are shown at once; the others unfold

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
    "worst": "worst first",
    "case": "place in the run",
    "disagreement": "disagreement",
    "confidence": "confidence",
    "length": "length",
    **{name: name for name in ("suite", "family", "variant", "label", "answer")},
}
"""Sort orders in words."""

FACETS = ("suite", "family", "variant", "label")  # facets of every run
FIRST = ("family", "label", "answer", "variant", "suite")  # facets that come before the groups


class RunQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Query parameters about the run that cases are in."""

    beside: str = ""  # another run of the same suites, whose models appear as MODEL in RUN


class Query(CaseFilter, frozen=True, kw_only=True):
    """Query parameters about cases. Groups are named group.NAME."""

    beside: str = ""
    suite: str = ""
    family: str = ""
    variant: str = ""
    label: str = ""
    page: int = 1


class Value(NamedTuple):
    name: str
    link: str  # where it leads: to the cases with this value, or without the filter if it is chosen
    is_chosen: bool
    n: int  # cases with this value that are shown
    of: int  # cases with this value, regardless of the model's answers
    title: str = ""


class FilterFacet(NamedTuple):
    title: str
    about: str  # one sentence
    values: Sequence[Value]  # its values, the most frequent first, unless they have an order of their own
    share: str  # the share that the bars show; empty if they show counts


def choice_of(asked: AuthorisedRequest) -> CaseFilter:
    """The filter that an address describes."""
    given = {name: value for name, value in asked.query.items() if value}
    facets = {name: given[name] for name in given if name.startswith("group.") or name in FACETS}
    try:
        return msgspec.convert({**given, "facets": facets}, CaseFilter, strict=False)
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
    """The page number in an address."""
    given = asked.query.get("page", "1")
    return max(1, int(given)) if given.isascii() and given.isdigit() and len(given) < 9 else 1


def index_of(asked: AuthorisedRequest) -> CaseIndex:
    """The index of the run, with another run's answers if the address names one."""
    index = asked.site.indexes.get(asked.site.runs.get(asked.path["run"]))
    beside = asked.query.get("beside")
    return index.beside(asked.site.indexes.get(asked.site.runs.get(beside))) if beside else index


def is_other(one: RunRecord, other: RunRecord) -> bool:
    """True if another run has the same cases."""
    return one.id != other.id and same_cases(one, other)


class CaseQuery:
    """The filter in the address of a run's cases, and the addresses that it leads to."""

    def __init__(self, asked: AuthorisedRequest, run: str) -> None:
        self.run = run_link(run)
        self.given = {name: value for name, value in asked.query.items() if name != "at"}

    @property
    def beside(self) -> str:
        """Another run, whose answers are shown too; empty if there is none."""
        return self.given.get("beside", "")

    def url(self, path: str = "cases", /, **changes: str | int | None) -> str:
        """The address with some parts of the query changed: None removes a part, and every change removes the page."""
        texts = {name: None if value is None else str(value) for name, value in changes.items()}
        return change_query(f"{self.run}/{path}", self.given.items(), **texts)

    def case_url(self, number: int, at: int | None = None) -> str:
        """The address of one case, with its position in the list."""
        return change_query(f"{self.run}/cases/{number}", self.given.items(), at=None if at is None else str(at))


class CasePage(NamedTuple):
    cases: Sequence[ShownCase]
    number: int
    total: int  # cases on all pages
    size: int  # cases on each page

    @property
    def first(self) -> int:
        """The place of its first case in the list."""
        return (self.number - 1) * self.size + 1

    @property
    def pages(self) -> int:
        return -(-self.total // self.size)


def show(asked: AuthorisedRequest) -> Response:
    index = index_of(asked)
    run, query = asked.site.runs.get(index.record.id), CaseQuery(asked, index.record.id)
    view = served_view(asked, index)
    chosen = FilteredCases(index, choice_of(asked))
    number = page_of(asked)
    is_dense = query.given.get("view") == DENSE
    size = ROWS if is_dense else PAGE
    rows = [*index.rows(chosen.rows((number - 1) * size, size))]
    named = [each for each in (chosen.choice.model, chosen.choice.other) if each]
    others = [each for each in asked.site.runs.readable() if is_other(index.record, each.record)]
    titles = {note.family: note.title for note in run.families}
    return asked.page(
        "cases.html",
        run=run,
        others=others,
        view=view,
        choice=chosen.choice,
        query=query,
        facets=[*_facets(chosen, view, query, titles)],
        titles=titles,
        page=CasePage([shown_case(row, view) for row in rows], number, len(chosen), size),
        is_dense=is_dense,
        answering=[*dict.fromkeys([*named, *view.models])][:MOST_ANSWERS],
        shows=SHOWS,
        few=FEW,
        orders={name: words for name, words in ORDER_NAMES.items() if name in ORDERS}
        | ({"worst": "false support first"} if index.record.label_space.is_binary else {}),
        slices={name: query_of(each) for name, each in asked.site.slices.all().items()},
        chips=_chips(index, chosen.choice, view),
        about=[*_about(chosen.choice, view, run)],
        sections={row.number: section_of(row, chosen) for row in rows} if _is_in_sections(chosen.choice) else {},
    )


def _about(choice: CaseFilter, view: ServedView, run: RunOverview) -> Iterator[tuple[str, str]]:
    """A sentence about the chosen family and suite."""
    family, suite = choice.facets.get("family", ""), choice.facets.get("suite", "")
    yield from ((note.family, note.title) for note in run.families if note.family == family)
    if suite in view.suites and len(view.suites) > 1:
        yield value_words(view, "suite", suite), suite_words(view, suite)


def _is_in_sections(choice: CaseFilter) -> bool:
    return choice.order == "worst" and not choice.down


def section_of(row: IndexedCase, chosen: FilteredCases) -> str:
    """The part of a list with the worst first that a case is in: confidence falls within each part."""
    model = chosen.choice.model
    if not row.failed[model]:
        return "Not wrong, the least confident first"
    is_binary = chosen.index.record.label_space.is_binary
    is_support = row.answers[model].label is Label.ENTAILMENT
    kind = ("False support" if is_support else "Missed support") if is_binary else "Wrong"
    repeats = row.source is not None and not row.held[model]
    return f"{kind}{', as before the edit' if repeats else ''}, the most confident first"


def served_view(asked: AuthorisedRequest, index: CaseIndex) -> ServedView:
    """The names of labels and models of the run, and of the run beside it."""
    runs, beside = asked.site.runs, asked.query.get("beside")
    return view_of_index(index, runs.get(index.record.id), runs.get(beside) if beside else None)


def _facets(
    chosen: FilteredCases, view: ServedView, query: CaseQuery, titles: Mapping[str, str]
) -> Iterator[FilterFacet]:
    index, choice = chosen.index, chosen.choice
    base = FilteredCases(index, msgspec.structs.replace(choice, show="")) if choice.show else chosen
    names = [name for name in FIRST if name != "answer" or choice.model]
    for name in [*names, *index.groups]:
        every = base.counts(name)
        picked = choice.answer if name == "answer" else choice.facets.get(name, "")
        if len(every) < 2 and (not picked or _filters_nothing(index, name)):
            continue
        if choice.show in ("", "wrong"):
            shown = {each.value: each.failed for each in every}
        else:
            shown = {each.value: each.n for each in chosen.counts(name)}
        yield FilterFacet(
            *facet_words(name),
            [
                Value(
                    value_words(view, name, each.value),
                    query.url(**{name: None if each.value == picked else each.value}),
                    each.value == picked,
                    shown.get(each.value) or 0,
                    each.n,
                    titles.get(each.value, "") if name == "family" else "",
                )
                for each in _in_order(name, every)
            ],
            (SHOWS[choice.show] if choice.show else "wrong") if choice.model else "",
        )


def _in_order(name: str, counts: list[Count]) -> list[Count]:
    if name in ("label", "answer", "suite"):
        return counts
    if name == "family":
        return sorted(counts, key=lambda each: (family_rank(each.value), each.value))
    return sorted(counts, key=lambda each: -each.n)


def _filters_nothing(index: CaseIndex, facet: str) -> bool:
    """True if all cases of the run have the same value of a facet."""
    return len(index.described.values[facet]) < 2


def _chips(index: CaseIndex, choice: CaseFilter, view: ServedView) -> list[tuple[str, dict[str, None]]]:
    """The chosen filters in words, each with the parts of the address to remove."""
    made: list[tuple[str, dict[str, None]]] = []
    for name, value in choice.facets.items():
        if _filters_nothing(index, name):
            continue
        made.append((f"{facet_words(name).title}: {value_words(view, name, value)}", {name: None}))
    if choice.words:
        made.append((f"with {choice.words}", {"words": None}))
    if choice.show:
        other = f" ({view.name(choice.other)})" if choice.show in ("beats", "differ") else ""
        made.append((f"{view.name(choice.model)}: {SHOWS[choice.show]}{other}", {"show": None}))
    if choice.answer:
        shown = value_words(view, "answer", choice.answer)
        made.append((f"{view.name(choice.model)} answers {shown}", {"answer": None}))
    if choice.score_from is not None or choice.score_below is not None:
        below = "" if choice.score_below is None else f", below {choice.score_below:g}"
        words = f"score of {view.name(choice.model)} from {choice.score_from or 0:g}{below}"
        made.append((words, {"score_from": None, "score_below": None}))
    if choice.sure_from is not None or choice.sure_to is not None:
        low, high = choice.sure_from or 0, 100 if choice.sure_to is None else choice.sure_to
        made.append((f"confidence {low:g} to {high:g}%", {"sure_from": None, "sure_to": None}))
    return made


def detail(asked: AuthorisedRequest) -> Response:
    """A case: its source pair, its siblings, where it comes from, and every model's answer."""
    index = index_of(asked)
    given = asked.path["case"]
    number = int(given) if given.isascii() and given.isdigit() and len(given) < 10 else len(index)
    if number >= len(index):
        raise HttpError(404, f"There is no case {given} in this run.", f"It has {len(index):,} cases, from 0 on.")
    query = CaseQuery(asked, index.record.id)
    view = served_view(asked, index)
    siblings = [shown_case(row, view) for row in index.rows(index.siblings(number)[:MOST_SIBLINGS])]
    return asked.page(
        "case.html",
        run=asked.site.runs.get(index.record.id),
        view=view,
        case=shown_case(index.row(number), view),
        titles={note.family: note.title for note in asked.site.runs.get(index.record.id).families},
        siblings=siblings,
        more=len(index.siblings(number)) - len(siblings),
        query=query,
        near=_neighbours(asked, index, query, number),
    )


class Neighbours(NamedTuple):
    """The place of a case in the list that it was opened from."""

    at: int
    total: int
    previous: str
    next: str


def _neighbours(asked: AuthorisedRequest, index: CaseIndex, query: CaseQuery, number: int) -> Neighbours | None:
    """The cases before and after a case; None if the list has changed, or the case was not opened from one."""
    given = asked.query.get("at", "")
    if not (given.isascii() and given.isdigit() and len(given) < 10):
        return None
    at, chosen = int(given), FilteredCases(index, choice_of(asked))
    rows = chosen.rows(max(0, at - 1), 3 if at else 2)
    here = min(at, 1)
    if len(rows) <= here or rows[here] != number:
        return None
    links = {place: query.case_url(rows[place], at + place - here) for place in range(len(rows))}
    return Neighbours(at, len(chosen), links.get(here - 1, ""), links.get(here + 1, ""))


MOST_SIBLINGS = 60  # largest number of cases of one source pair that are shown with a case
ROUTES = [routes_for("/runs/{run}/cases", show), routes_for("/runs/{run}/cases/{case}", detail)]
