"""Two models side by side, of one run or of two: the verdicts, the largest differences, and their cases."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any, Literal, NamedTuple
from urllib.parse import urlencode

import msgspec
from starlette.responses import HTMLResponse, RedirectResponse, Response

from assay.core.case import ORIGINAL, family_rank
from assay.core.comparison import ComparedRanking, ComparedSlice, Comparison, Comparisons
from assay.core.label import Label
from assay.core.label_space import LabelNames
from assay.core.run_record import RunRecord
from assay.evaluate.losses import is_clear
from assay.evaluate.verdict import LARGE
from assay.reports.charts.comparison_charts import difference_chart
from assay.reports.claims_comparison import KINDS, TITLES, claims_rows, claims_verdict, shortcut_contrasts
from assay.reports.formatting import p_value, percent, points
from assay.reports.page.html_page import Metric, comparison_page
from assay.reports.phrases import short_name
from assay.reports.tables.comparison_tables import comparison_sheet, fallen_labels, outcome_words
from assay.reports.threshold_points import PROMISE, certified_at, curve_of, first_within, points_of
from assay.reports.view import view_of
from assay.run.case_index.case_filter import CaseFilter, FilteredCases
from assay.run.case_index.case_index import name_in, same_cases
from assay.run.compare_runs import compare_runs
from assay.serve.addresses import cases_link, compare_link
from assay.serve.auth import AuthorisedRequest, HttpError, routes_for
from assay.serve.background import is_small
from assay.serve.case_view import shown_case
from assay.serve.html_pages import Tab
from assay.serve.model_differences import PROPERTY, Differences, differences
from assay.serve.run_view import is_about_claims, run_view
from assay.serve.served_runs import RunOverview, tell_apart
from assay.serve.views.download_cases import as_file
from assay.storage.suite import slug

TAB = Tab("Compare", "/compare")
MOST = 10  # differences and cases that are shown at once
MOST_FALLS = 2  # labels that fall although their family does not, which the headline names
MARGIN = 3.0  # the default margin in points

BADGES = {"within margin": ("pass", "good"), "worse": ("fail", "bad"), "inconclusive": ("inconclusive", "unsure")}
"""Words and tones of the outcomes of a margin."""


class CompareQuery(msgspec.Struct, frozen=True, kw_only=True):
    of: list[str] = []  # two models, each named RUN/MODEL, the baseline first
    margin: float = MARGIN
    order: Literal["", "age"] = ""
    """`age` makes the model of the older run the baseline, whatever the order in the address."""


class ComparedModel(NamedTuple):
    run: RunOverview
    model: str

    @property
    def key(self) -> str:
        """Its name in an address: RUN/MODEL."""
        return f"{self.run.id}/{self.model}"


class FamilyLine(NamedTuple):
    row: ComparedSlice
    link: str  # the cases on which the two differ; empty if they can't be put side by side
    badge: tuple[str, str]  # the outcome of the margin, with its tone
    falls: Sequence[tuple[str, ComparedSlice]]
    """Labels that are significantly worse although the family is not, by name."""


def show(asked: AuthorisedRequest) -> Response:
    """The page: a choice of two models, or the two that were chosen."""
    query = asked.asked_for(CompareQuery, several=("of",))
    if len(query.of) != 2:
        return _choice(asked, query.of, is_asked=bool(query.order))
    one, other = (_side(asked, each) for each in query.of)
    if one == other:
        return _choice(asked, query.of, is_same=True)
    if query.order == "age":
        baseline, candidate = (side.key for side in sorted((one, other), key=lambda side: side.run.age))
        return RedirectResponse(compare_link(baseline, candidate), status_code=303)
    margin = _margin(query)
    (found,) = (compared := _compared(asked, one, other, margin)).comparisons
    baseline, candidate = names_of(one, other)
    names = run_view(one.run.record).names
    noun = "claims" if is_about_claims(one.run.record) else "pairs"
    whole = sorted(found.families, key=_place)
    chart = difference_chart(found, "difference", names=(candidate, baseline))
    main = next((row for row in whole if row.slice["family"] == ORIGINAL), None)
    claims = claims_rows(found)
    beyond = _beyond(asked, one, other, (baseline, candidate), of_claims=bool(claims))
    link = beyond.get("link") or (lambda **_: "")
    sides = ((one, baseline), (other, candidate))
    stored = [(asked.site.runs.whole(side.run.id), side.model, name) for side, name in sides]
    falls = [*fallen_labels(found), *dropped_labels(whole, found.slices)]
    of_claims = claims_verdict(found, baseline, candidate)
    if of_claims:  # its headline has them
        falls = [row for row in falls if row.slice["family"] != ORIGINAL]
    others = _elsewhere(main, whole, falls)
    return asked.page(
        "compared.html",
        sides=[(name, side.run, *_place_words(side)) for side, name in sides],
        of=query.of,
        swapped=f"{compare_link(other.key, one.key)}&margin={100 * margin:g}",
        shared=f"/compare/report.html?{urlencode({'of': [one.key, other.key], 'margin': 100 * margin}, doseq=True)}",
        margin=100 * margin,
        verdict=of_claims.headline if of_claims else _verdict((baseline, candidate), noun, main, others),
        tone=_tone([*claims.values(), *([main] if main else []), *(_own_ranking(found) if of_claims else [])]),
        facts=[
            *(of_claims.undecided if of_claims else ()),
            *shortcut_contrasts(*stored),
            *(f"Edited {noun}: {candidate} is {each}." for each in others if of_claims),
            *_fall_words(found, falls, candidate, names),
        ],
        noun=noun,
        main=main,
        questions=[*_questions(main, claims, noun)],
        decisions=[*_decisions(*stored)] if claims else [],
        bound=PROMISE,
        metrics=[*_metrics(found, claims)],
        lines=[
            FamilyLine(
                row,
                link(**row.slice),
                BADGES[row.margin.outcome] if row.margin else ("", ""),
                [(names(each.slice["label"]), each) for each in falls if each.slice.items() >= row.slice.items()],
            )
            for row in whole
        ],
        words=outcome_words(found, names),
        names=names,
        titles=TITLES,
        own="your claims" if claims else ORIGINAL,
        chart=chart,
        sheet=comparison_sheet(found, names, references=compared.references),
        notes=compared.notes,
        data={"charts": {chart.name: chart.spec}, "examples": {"models": [], "cases": []}},
        **beyond,
    )


ANSWERS = "predictions:"  # the start of the name of a model that is a file of answers


def names_of(one: ComparedModel, other: ComparedModel) -> tuple[str, str]:
    """The names of two models on the page; a file of answers is called after its file."""
    apart = tell_apart((one.model, one.run), (other.model, other.run))
    files = [re.sub(rf"^{ANSWERS}(?:.*/)?", "", short_name(side.model)) for side in (one, other)]
    if files[0] == files[1]:
        files = [short_name(side.model) for side in (one, other)]
    return files[0] + apart[0], files[1] + apart[1]


def _place_words(side: ComparedModel) -> tuple[str, str]:
    """The origin of a model in words: its run, or the data if the run is called after a file of answers."""
    own = f"{short_name(side.model)} on "
    is_file = own.startswith(ANSWERS) and side.run.name.startswith(own)
    return ("on", side.run.name.removeprefix(own)) if is_file else ("in", side.run.name)


class MarginQuestion(NamedTuple):
    """The question of whether a loss above the margin is excluded, with its answer."""

    about: str  # such as "accuracy on your claims"
    badge: tuple[str, str]  # the outcome, with its tone
    words: str


def _questions(main: ComparedSlice | None, claims: Mapping[str, ComparedSlice], noun: str) -> Iterator[MarginQuestion]:
    asked = {f"accuracy on {'your' if claims else 'the unmodified'} {noun}": (main, noun)} if main else {}
    asked |= {TITLES[name].lower(): (row, f"{KINDS[name]} claims") for name, row in claims.items()}
    for about, (row, of) in asked.items():
        if row is not None and row.margin is not None:
            words = {
                "within margin": "yes: a larger loss is excluded (one-sided 95% bound; intervals here are two-sided).",
                "worse": "no: it is significantly worse.",
                "inconclusive": undecided_words(row, of),
            }
            yield MarginQuestion(about, BADGES[row.margin.outcome], words[row.margin.outcome])


class Decision(NamedTuple):
    """The threshold of a model that keeps a bound on false support, with its recall."""

    model: str
    certified: tuple[float, float] | None  # the threshold that keeps it for new claims, and its recall
    here: tuple[float, float] | None  # the lowest that keeps it on these claims


def _decisions(*sides: tuple[RunRecord, str, str]) -> Iterator[Decision]:
    """One for each side, given as its run, model and name; none if a side has no scores of claims."""
    curves = [(name, curve_of(view_of([record]), model)) for record, model, name in sides]
    for name, curve in curves if all(curve for _, curve in curves) else []:
        if curve is not None:
            promise, here = certified_at(curve, PROMISE), first_within(points_of(curve), PROMISE)
            certified = None
            if promise and promise.threshold is not None and promise.recall:
                certified = promise.threshold, promise.recall
            yield Decision(name, certified, (here.threshold, here.value("recall") or 0.0) if here else None)


def _own_ranking(found: Comparison) -> list[ComparedRanking]:
    return [row for row in found.rankings if row.slice["family"] == ORIGINAL]


def share(asked: AuthorisedRequest) -> Response:
    """The comparison as one file, which opens in any browser."""
    query = asked.asked_for(CompareQuery, several=("of",))
    if len(query.of) != 2:
        raise HttpError(422, "A comparison has two models.", "Choose two, and download their comparison.")
    one, other = (_side(asked, each) for each in query.of)
    found = _compared(asked, one, other, _margin(query))
    records = dict.fromkeys(each.run.id for each in (one, other))
    made = comparison_page(found, [asked.site.runs.whole(run) for run in records])
    name = "-and-".join(slug(f"{short_name(each.model)}-{each.run.name}".replace(".", "-")) for each in (one, other))
    return HTMLResponse(made, headers=as_file(f"{name}.html"))


def _margin(query: CompareQuery) -> float:
    return min(max(query.margin, 0.1), 99.0) / 100


def _tone(rows: Sequence[ComparedSlice | ComparedRanking]) -> str:
    """Good or bad if all that is significant is so; empty if nothing is, or if it is a trade."""
    words = {"higher": "better", "lower": "worse"}
    verdicts = {words.get(row.verdict, row.verdict) for row in rows} & {"better", "worse"}
    return {"better": "good", "worse": "bad"}[verdicts.pop()] if len(verdicts) == 1 else ""


def dropped_labels(whole: Sequence[ComparedSlice], rows: Sequence[ComparedSlice]) -> list[ComparedSlice]:
    """Labels that drop far in families that are better as a whole, though too few cases show it."""
    better = [row.slice for row in whole if row.verdict == "better"]
    found = [row for row in rows if "label" in row.slice and row.verdict != "worse" and row.difference <= -LARGE]
    return [row for row in found if any(where.items() <= row.slice.items() for where in better)]


def _place(row: ComparedSlice) -> tuple[int, str]:
    return family_rank(row.slice["family"]), row.slice["suite"]


def _elsewhere(main: ComparedSlice | None, whole: Sequence[ComparedSlice], falls: Sequence[ComparedSlice]) -> list[str]:
    """Families other than the unmodified pairs where the two differ, by outcome."""
    families: dict[str, list[str]] = {"better": [], "better on the whole but not for every label": [], "worse": []}
    better, mixed, worse = families.values()
    for row in whole:
        if row.verdict == "better" and row is not main:
            falls_here = any(each.slice.items() >= row.slice.items() for each in falls)
            (mixed if falls_here else better).append(row.slice["family"])
        elif row.verdict == "worse" and row is not main:
            worse.append(row.slice["family"])
    return [f"{outcome} in {', '.join(there)}" for outcome, there in families.items() if there]


def _verdict(names: tuple[str, str], noun: str, main: ComparedSlice | None, others: Sequence[str]) -> str:
    """The outcome on the unmodified pairs, then where else the two differ."""
    (baseline, candidate), elsewhere = names, "; ".join(others)
    if main is None:
        return f"{candidate} against {baseline}: {elsewhere or 'no significant difference in any family'}"
    if main.verdict in ("better", "worse"):
        said = f"{candidate} is {main.verdict} than {baseline} on the unmodified {noun}"
        return f"{said}; {elsewhere}" if elsewhere else said
    if main.verdict == "not significant":
        said = f"No significant difference between {candidate} and {baseline} on the unmodified {noun}"
    else:
        said = f"{candidate} against {baseline}: {main.verdict}"
    return f"{said}; {candidate} is {elsewhere}" if elsewhere else said


def undecided_words(row: ComparedSlice, noun: str) -> str:
    """The reason why a margin test is open, for people who don't know statistics, and what would settle it."""
    test = row.margin
    if test is None or test.outcome != "inconclusive":
        return ""
    passing = row.slice.get("label") == Label.NON_ENTAILMENT  # the row is of false support, so less of it is better
    worse, better = ("rise", row.only_baseline) if passing else ("loss", row.only_candidate)
    loss, changed = f"a {worse} of {100 * test.margin:g} points", row.only_candidate + row.only_baseline
    if test.smallest is not None:
        said = (
            f"These {row.n:,} {noun} are too few: even if no answer had changed, they could only exclude a {worse} of "
            f"{100 * test.smallest:.1f} points"
        )
    elif is_clear(test.uncorrected):
        said = (
            f"Alone, these {noun} would exclude {loss}. But {test.tests} such questions are tested together, and among "
            "so many, chance alone makes one look this good too often"
        )
    elif row.clusters is None:
        said = f"Other training runs may well bring {loss}"
    else:
        said = (
            f"{changed:,} of {row.n:,} answers changed between right and wrong, {better:,} of them for the "
            f"better. New {noun} may still bring {loss}"
        )
    if test.more_pairs:
        more = noun if "label" in row.slice else "source pairs"
        said += f". If nothing was lost, about {test.more_pairs:,} more {more} would show it"
    return f"{said}."


def _fall_words(found: Comparison, falls: Sequence[ComparedSlice], candidate: str, names: LabelNames) -> list[str]:
    """One sentence for each label that falls although its family does not, and for what rises there."""

    def told(row: ComparedSlice, words: str) -> str:
        change = f"{percent(row.baseline)} → {percent(row.candidate)}%"
        if row.verdict not in ("better", "worse"):
            change += f" of {row.n}, not significant"
        return f"In {row.slice['family']}, {candidate} is right on {words} {names(row.slice['label'])} cases: {change}."

    shown = falls[:MOST_FALLS]
    places = [{**row.slice, "label": ""} for row in shown]
    rises = [row for row in found.slices if row.verdict == "better" and {**row.slice, "label": ""} in places]
    lines = [*(told(row, "fewer") for row in shown), *(told(row, "more") for row in rises if "label" in row.slice)]
    more = len(falls) - MOST_FALLS
    return [*lines, f"The table below has {more} more such falls."] if more > 0 else lines


def _metrics(found: Comparison, claims: Mapping[str, ComparedSlice]) -> Iterator[Metric]:
    """The main numbers: accuracy, or false support and recall of claims; and how well scores rank them."""
    main = [("Accuracy", row, "cases") for row in found.families if row.slice["family"] == ORIGINAL]
    of_claims = [(TITLES[name], row, f"{KINDS[name]} claims") for name, row in claims.items()]
    for title, row, words in [*of_claims, *main]:
        change = f"{percent(row.baseline)}% → {percent(row.candidate)}%"
        around = "" if row.low is None or row.high is None else f" ({points(row.low)} to {points(row.high)})"
        note = f"{points(row.difference)} points{around}, corrected p {p_value(row.adjusted)}, {row.n:,} {words}"
        yield Metric(title, change, note, "")
    for ranking in found.rankings:
        if ranking.slice["family"] == ORIGINAL:
            change = f"{percent(ranking.baseline)} → {percent(ranking.candidate)}"
            around = ""
            if ranking.low is not None and ranking.high is not None:
                around = f" ({points(ranking.low)} to {points(ranking.high)})"
            note = f"{points(ranking.difference)} points{around}, corrected p {p_value(ranking.adjusted)}"
            yield Metric("AUC", change, note, "")


def _choice(
    asked: AuthorisedRequest, chosen: Sequence[str], *, is_same: bool = False, is_asked: bool = False
) -> Response:
    runs = asked.site.runs.readable()
    return asked.page(
        "compare.html",
        status=422 if is_same else 200,
        runs=runs,
        chosen=len(chosen) if is_asked or chosen else None,
        is_same=is_same,
        named=_preselected(runs, list(dict.fromkeys(chosen))),
        view_of=lambda run: run_view(run.record),
        pairs=comparable(runs) if asked.site.pages.is_bundle else [],
        pair_name=pair_name,
        compare_link=compare_link,
    )


def _preselected(runs: Sequence[RunOverview], chosen: list[str]) -> list[str]:
    """Two different models: the chosen one with its nearest rival, or the newest two that share cases."""
    there = [ComparedModel(run, each.model).key for run in runs for each in run.record.models]
    chosen = [each for each in chosen if each in there]
    near = [run for run in runs if not chosen or run.id == chosen[0].partition("/")[0]]
    pair = next((found for run in near if (found := nearest_pair(run, runs))), ())
    return list(dict.fromkeys([*chosen, *(each.key for each in pair), *there]))[:2]


def judged_models(run: RunOverview) -> list[str]:
    """The models of a run that are not baselines, in the order in which they were named."""
    told = {each.model for each in run.told}
    return [each.model for each in run.record.models if each.model in told]


def nearest_pair(run: RunOverview, runs: Sequence[RunOverview]) -> tuple[ComparedModel, ComparedModel] | None:
    """The nearest comparison: the first two models of a run, or its only one with a run of the same cases.

    That is the run before it, or if it is the first, the one after it. The older run comes first.
    """
    own = judged_models(run)
    if len(own) > 1:
        return ComparedModel(run, own[0]), ComparedModel(run, own[1])
    others = [
        each for each in runs if each.id != run.id and same_cases(each.record, run.record) and judged_models(each)
    ]
    nearest = [each for each in others if each.age < run.age] or others[::-1]
    if not own or not nearest:
        return None
    models = judged_models(nearest[0])
    rival = next((each for each in models if short_name(each) == short_name(own[0])), models[0])
    one, other = sorted((ComparedModel(run, own[0]), ComparedModel(nearest[0], rival)), key=lambda each: each.run.age)
    return one, other


def pair_name(one: str, other: str) -> str:
    """Two models, each given as RUN/MODEL, for people.

    >>> pair_name("first/assay:overlap/v1", "first/assay:esim/v1")
    'overlap and esim in first'
    >>> pair_name("first/assay:overlap/v1", "second/assay:overlap/v1")
    'overlap in first and in second'
    >>> pair_name("first/assay:overlap/v1", "second/assay:esim/v1")
    'overlap in first and esim in second'
    """
    (run, _, model), (second, _, rival) = one.partition("/"), other.partition("/")
    if run == second:
        return f"{short_name(model)} and {short_name(rival)} in {run}"
    other = "" if short_name(model) == short_name(rival) else f"{short_name(rival)} "
    return f"{short_name(model)} in {run} and {other}in {second}"


def comparable(runs: Sequence[RunOverview]) -> list[tuple[str, str]]:
    """The pairs of models that a bundle compares, each named RUN/MODEL.

    These are any two of one run, a model with itself in an earlier run of the same suites, and a run of one model with
    the nearest run.
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
        if near := nearest_pair(run, runs):
            pairs.append((near[0].key, near[1].key))
    return list(dict.fromkeys(pairs))


def _side(asked: AuthorisedRequest, given: str) -> ComparedModel:
    name, _, model = given.partition("/")
    run = asked.site.runs.get(name)
    if model not in [each.model for each in run.record.models]:
        raise HttpError(404, f"There is no model {model} in {name}.", "Choose two models again.")
    return ComparedModel(run, model)


def _compared(asked: AuthorisedRequest, one: ComparedModel, other: ComparedModel, margin: float) -> Comparisons:
    """The comparison, cached; the model that was chosen first is the baseline."""
    folders = list(dict.fromkeys([one.run.folder, other.run.folder]))
    key = ("compare", one.run.record.seal, other.run.record.seal, one.model, other.model, margin)
    quick = is_small(one.run.record) and is_small(other.run.record)
    title = "Comparing every case of the two models"
    models = (one.model, other.model)
    return asked.site.background.result(key, _compare, folders, models, margin, title=title, at_once=quick)


def _compare(folders: list[Path], models: tuple[str, str], margin: float) -> Comparisons:
    return compare_runs(folders, models=models, margin=margin)


def _beyond(
    asked: AuthorisedRequest, one: ComparedModel, other: ComparedModel, names: tuple[str, str], *, of_claims: bool
) -> dict[str, Any]:
    """Comparisons that need the same cases: slices where the two differ most, and cases where they disagree most."""
    across = one.run is not other.run
    if not same_cases(one.run.record, other.run.record) or (across and asked.site.pages.is_bundle):
        return {"index": None}
    index, second = (asked.site.indexes.ready(each.run) for each in (one, other))
    if index is None or second is None:
        return {"index": None, "is_preparing": True}
    models, place = (one.model, other.model), {}
    if across:
        index, models = index.beside(second), (one.model, name_in(other.model, other.run.record))
        place = {"beside": other.run.id}
    key = ("differences", one.run.record.seal, other.run.record.seal, *models)
    found: Differences = asked.site.background.result(
        key, partial(differences, of_claims=of_claims), index, *models, at_once=True
    )
    view = run_view(index.record, shown=dict(zip(models, names, strict=True)), more=index.models)
    pair = {"model": models[0], "other": models[1], "show": "differ", "order": "disagreement"}
    apart = FilteredCases(index, msgspec.convert({**pair, "down": True}, CaseFilter))
    return {
        "index": index,
        "differences": [
            (title, rows[:MOST], len(rows), sum(row.is_significant for row in rows))
            for title, rows in (("Your claims", found.claims), ("Edited claims" if of_claims else "", found.others))
            if rows
        ],
        "total": len(apart),
        "cases": [shown_case(row, view) for row in index.rows(apart.rows(0, MOST))],
        "models": models,
        "place": f"?{urlencode(place)}" if place else "",
        "run": one.run.id,
        "link": lambda **where: (
            "" if PROPERTY in where else cases_link(one.run.id, **{**pair, "down": "1", **place, **where})
        ),
    }


ROUTES = [routes_for("/compare", show), routes_for("/compare/report.html", share)]
