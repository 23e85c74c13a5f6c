"""Comparisons of models as tables."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from math import ceil
from typing import get_args

from assay.core.case import ORIGINAL, family_rank
from assay.core.comparison import (
    Banded,
    ComparedRanking,
    ComparedSlice,
    Comparison,
    Comparisons,
    MarginOutcome,
    Outcome,
)
from assay.core.dataframes import REFERENCE
from assay.core.estimate import Estimate, key_of
from assay.core.label import Label
from assay.core.label_space import LabelNames
from assay.core.run_record import RunRecord
from assay.evaluate.seeds import mean_interval
from assay.evaluate.trainings import FEWEST, has_enough_trainings
from assay.reports.claims_comparison import KINDS, TITLES, claims_measures, claims_rows, claims_verdict
from assay.reports.formatting import ends, percent, points
from assay.reports.phrases import KNOWN, PLAIN, short_name, two_way_words
from assay.reports.tables.sheet import (
    Part,
    Sheet,
    SheetCell,
    SheetRow,
    count,
    numbers,
    p_cell,
    share,
    share_cell,
    sheet_row,
    texts,
)

PAIRED = (
    "Accuracy in %, differences in points, on the same cases. p: paired test that counts shared premises and word "
    "pairs, with Holm's correction; the interval has none. "
)
SHOWS = (
    "shows: the smallest true difference that this number of cases would detect four times out of five, after the "
    "correction."
)
WITHIN = "within: whether the family is shown to have lost fewer points than that."
SEEDS = (
    "Mean accuracy in %, with range and number of seeds. Interval and p: other training runs and cases, with "
    "Holm's correction."
)

BANDS = (
    "95%: interval of the mean over other training runs on these cases, by Student's t. Range: lowest and highest seed."
)

RANKING = (
    "ROC-AUC: how well support scores rank the cases, whatever the threshold; compared by a paired test of DeLong's "
    "kind, corrected for the edited families."
)

OF_CLAIMS = (
    "False support and recall: the unsupported and the supported claims that pass; lower false support is better."
)

_CLAIMS = {
    Label.ENTAILMENT.value: f"{KINDS['recall']} claims",
    Label.NON_ENTAILMENT.value: f"{KINDS['false-support']} claims",
}
"""The names of margins for single labels, which only claims have."""

MARGIN_OUTCOMES: Mapping[MarginOutcome, str] = {
    "within margin": "pass",
    "worse": "fail",
    "inconclusive": "inconclusive",
}
"""The outcomes of a margin, in the words of a gate."""


def comparison_parts(found: Comparisons) -> list[Part]:
    """Each pair of models as a table with its outcome, then the bands."""
    names = LabelNames(found.names)
    parts: list[Part] = []
    for each in found.comparisons:
        sheet = comparison_sheet(each, names, references=found.references)
        parts += [sheet.title if _is_same(each) else sheet, *outcome_words(each, names), ""]
    judged = [two_way_words(names)] if found.binary_suites else []
    return [*judged, *parts, *([band_sheet(found.bands, names)] if found.bands else [])]


def comparison_sheet(each: Comparison, names: LabelNames = PLAIN, *, references: Collection[str] = ()) -> Sheet:
    """Two models by family, with the labels below each family; baselines are marked."""
    paired = each.test == "paired"
    margin = next((row.margin.margin for row in each.slices if row.margin), None)
    rows: list[SheetRow] = []
    suite = None
    compared: list[ComparedSlice | ComparedRanking] = [*each.slices, *each.rankings]
    claims = claims_rows(each)
    replaced = {key_of(row.slice): (TITLES[name].lower(), row) for name, row in claims.items()}
    for own in sorted(compared, key=_order(each.slices)):
        title, row = replaced.get(key_of(own.slice), ("", own))
        cells = _cells(row, names, paired=paired, title=title)
        if margin is not None:  # which says more than the size that the cases would show
            test = row.margin if isinstance(row, ComparedSlice) else None
            within = SheetCell(MARGIN_OUTCOMES[test.outcome], marked=test.outcome == "worse") if test else SheetCell("")
            cells = (*(cells[:6] + cells[7:] if paired else cells), within)
        if row.slice["suite"] != suite:
            suite = row.slice["suite"]
            rows.append(sheet_row("", suite, *(SheetCell("") for _ in cells[1:])))
        rows.append(SheetRow("", cells))
    size = numbers(*(("cases",) if margin is not None else ("shows", "cases"))) if paired else ()
    figures = (*numbers("candidate", "baseline", "difference", "95%", "p"), *size)
    marked = f" {REFERENCE.capitalize()}: {KNOWN}" if {each.candidate, each.baseline} & set(references) else ""
    note = (
        (PAIRED + (WITHIN if margin is not None else SHOWS) if paired else SEEDS)
        + (f" {OF_CLAIMS}" if claims else "")
        + (f" {RANKING}" if each.rankings else "")
        + marked
    )
    last = texts("verdict") if margin is None else texts("verdict", f"within {100 * margin:g}")
    return Sheet("comparison", title_of(each, references), note, (*texts(""), *figures, *last), tuple(rows))


def band_sheet(bands: Sequence[Banded], names: LabelNames = PLAIN) -> Sheet:
    rows = []
    for each in bands:
        where = (each.slice["suite"], each.slice["family"], names(each.slice.get("label", "all")))
        mean, around = each.band.mean, mean_interval(each.band)
        figures = share_cell(mean), ends(*around), ends(each.band.low, each.band.high), count(each.band.n)
        rows.append(sheet_row("", short_name(each.system), *where, *figures))
    columns = (*texts("system", "suite", "family", "label"), *numbers("mean", "95%", "range", "seeds"))
    return Sheet("bands", "Seeds of one system, accuracy in %", BANDS, columns, tuple(rows))


def title_of(each: Comparison, references: Collection[str] = ()) -> str:
    """The names of the two models; baselines are marked."""
    one, other = (
        f"{short_name(name)} ({REFERENCE})" if name in references else short_name(name)
        for name in (each.candidate, each.baseline)
    )
    if each.candidate_run == each.baseline_run:
        return f"{one} against {other} in {each.candidate_run}"
    return f"{one} in {each.candidate_run} against {other} in {each.baseline_run}"


def _cells(
    row: ComparedSlice | ComparedRanking, names: LabelNames, *, paired: bool, title: str = ""
) -> tuple[SheetCell, ...]:
    is_same, smallest, texts = False, SheetCell("-"), [percent(row.candidate), percent(row.baseline)]
    name = "    ROC-AUC"
    if isinstance(row, ComparedSlice):
        label = title or names(row.slice.get("label", "all"))
        name = f"    {label}" if "label" in row.slice else f"  {row.slice['family']}"
        is_same, smallest = paired and _is_identical(row), share_cell(row.smallest)
        bands = (row.candidate_band, row.baseline_band)
        texts = [
            f"{text} ({ends(band.low, band.high)}, n={band.n})" if band else text
            for text, band in zip(texts, bands, strict=True)
        ]
    around = "-" if row.low is None or row.high is None or is_same else f"{points(row.low)} {points(row.high)}"
    return (
        SheetCell(name),
        SheetCell(texts[0], row.candidate),
        SheetCell(texts[1], row.baseline),
        SheetCell(points(row.difference), row.difference),
        SheetCell(around),
        p_cell(row.adjusted),
        *((smallest, count(row.n)) if paired else ()),
        SheetCell("no case differs" if is_same else row.verdict, marked=row.verdict in ("worse", "lower")),
    )


def _is_identical(row: ComparedSlice) -> bool:
    """True if both models are right and wrong on the same cases, so that there is no difference to estimate."""
    return not row.only_candidate and not row.only_baseline


def _order(rows: Sequence[ComparedSlice]) -> Callable[[ComparedSlice | ComparedRanking], tuple[int, int, int]]:
    """Suites in order of appearance, families in their usual order, labels below their family in the usual order."""
    suites = list(dict.fromkeys(row.slice["suite"] for row in rows))
    families = sorted(dict.fromkeys(row.slice["family"] for row in rows), key=family_rank)
    labels = ["", *Label]

    def key(row: ComparedSlice | ComparedRanking) -> tuple[int, int, int]:
        where = row.slice
        return suites.index(where["suite"]), families.index(where["family"]), labels.index(where.get("label", ""))

    return key


def fallen_labels(each: Comparison) -> list[ComparedSlice]:
    """Labels that are significantly worse in a family that is not worse as a whole, the largest fall first."""
    whole = {_family(row): row.verdict for row in each.families}
    found = [row for row in each.slices if "label" in row.slice and row.verdict == "worse"]
    return sorted((row for row in found if whole.get(_family(row)) != "worse"), key=lambda row: row.difference)


def _family(row: ComparedSlice) -> tuple[str, str]:
    return row.slice["suite"], row.slice["family"]


def outcome_words(each: Comparison, names: LabelNames = PLAIN) -> list[str]:
    """The outcome for whole families and for labels that fall although their family does not, in words."""
    if _is_same(each):
        cases = sum(row.n for row in each.families)
        return [f"No difference: right and wrong on the same cases, in all {cases:,}.", *margin_words(each)]
    whole = [(row.verdict.capitalize(), row.slice["family"]) for row in each.families]
    ranked = [(f"ROC-AUC {row.verdict}", row.slice["family"]) for row in each.rankings]
    lines = list(claims_words(each))
    for outcome in (*map(str.capitalize, get_args(Outcome)), "ROC-AUC higher", "ROC-AUC lower"):
        there = [family for verdict, family in (*whole, *ranked) if verdict == outcome]
        if there:
            lines.append(f"{outcome}: {', '.join(sorted(dict.fromkeys(there), key=family_rank))}.")
    falls = [
        f"{row.slice['family']} ({names(row.slice['label'])} {percent(row.baseline)} -> {percent(row.candidate)})"
        for row in fallen_labels(each)
    ]
    lines += [f"Worse for one label: {', '.join(falls)}."] if falls else []
    lines += [*margin_words(each), *_repeat_words(each)]
    if not has_enough_trainings(each):
        lines.append(f"{trainings_of(each)} can't show a difference, however large: a verdict needs {FEWEST} of each.")
    return lines


def claims_words(each: Comparison) -> Iterator[str]:
    """The verdict on two models of claims, line by line."""
    sides = ((each.baseline, each.baseline_run), (each.candidate, each.candidate_run))
    is_same = each.baseline == each.candidate
    if verdict := claims_verdict(each, *(f"{short_name(model)}{f' in {run}' * is_same}" for model, run in sides)):
        yield f"{verdict.headline}."
        yield from verdict.numbers
        yield from verdict.undecided


def margin_words(each: Comparison) -> list[str]:
    """Families by the outcome of their margin tests, with what an open one needs."""
    measures = claims_measures(each)
    tests = [
        (_slice_words(row.slice, measures.get(key_of(row.slice)), of_claims=bool(measures)), row.margin)
        for row in each.slices
        if row.margin is not None
    ]
    if not tests:
        return []
    points = f"{100 * tests[0][1].margin:g} points"
    needed = needed_words(each.slices)
    said = {
        "within margin": f"Shown to lose less than {points}",
        "worse": "Significantly worse",
        "inconclusive": f"A loss of {points} is not excluded",
    }
    return [
        f"{words}: {', '.join(there)}{needed if outcome == 'inconclusive' else ''}."
        for outcome, words in said.items()
        if (there := [family for family, test in tests if test.outcome == outcome])
    ]


def _slice_words(where: Mapping[str, str], measure: str | None, *, of_claims: bool) -> str:
    if measure:
        return TITLES[measure].lower()
    return "accuracy on your claims" if of_claims and where["family"] == ORIGINAL else where["family"]


def needed_words(rows: Iterable[ComparedSlice]) -> str:
    """The source pairs and generated pairs that would settle all inconclusive families; empty if none would."""
    more, times = {"": 0}, 1.0
    for row in rows:
        if row.margin is not None and row.margin.more_pairs and row.clusters:
            if row.margin.is_generated:
                times = max(times, 1 + row.margin.more_pairs / row.clusters)
            else:
                label = row.slice.get("label", "")
                more[label] = max(more.get(label, 0), row.margin.more_pairs)
    parts = [f"{pairs:,} more {_CLAIMS[label] if label else 'source pairs'}" for label, pairs in more.items() if pairs]
    parts += [f"{ceil(times)} times as many generated pairs (--per-subcase)"] if times > 1 else []
    return f"; about {' and '.join(parts)} are needed if nothing was lost" if parts else ""


def _repeat_words(each: Comparison) -> list[str]:
    """The difference between two runs of one model on the same cases."""
    if each.candidate != each.baseline or each.test != "paired":
        return []
    cases = sum(row.n for row in each.families)
    flipped = sum(row.only_candidate + row.only_baseline for row in each.families)
    return [f"The same model in both runs: {flipped:,} of {cases:,} cases ({flipped / cases:.1%}) flip right or wrong."]


def trainings_of(each: Comparison) -> str:
    sides = [side.n for side in (each.slices[0].candidate_band, each.slices[0].baseline_band) if side]
    return f"{' against '.join(map(str, sides))} training runs"


def _is_same(each: Comparison) -> bool:
    """True if both models are right and wrong on the same cases, and rank them equally well."""
    is_ranked_alike = all(row.candidate == row.baseline for row in each.rankings)
    return each.test == "paired" and all(map(_is_identical, each.slices)) and is_ranked_alike


CSV_COLUMNS = (
    *("candidate", "candidate_run", "baseline", "baseline_run", "suite", "family", "label", "metric", "cases"),
    *("candidate_value", "baseline_value", "difference", "low", "high", "interval", "p", "adjusted_p", "verdict"),
    *("seeds", "lowest_seed", "highest_seed"),
)
OVER_CASES, OVER_TRAININGS = "95% over other cases", "95% over other training runs and cases"
OF_MEAN = "95% of the mean over other training runs on these cases"


def comparison_rows(found: Comparisons) -> Iterator[dict[str, object]]:
    """Each comparison of a slice and each band of seeds in full precision, by column; `interval` says what it is of."""
    for each in found.comparisons:
        pair = {name: getattr(each, name) for name in ("candidate", "candidate_run", "baseline", "baseline_run")}
        rows: list[tuple[str, ComparedSlice | ComparedRanking]] = [("accuracy", row) for row in each.slices]
        rows += [*claims_rows(each).items(), *(("roc-auc", row) for row in each.rankings)]
        for metric, row in rows:
            bands = (row.candidate_band, row.baseline_band) if isinstance(row, ComparedSlice) else ()
            yield {
                **pair,
                **row.slice,
                "metric": metric,
                "cases": row.n,
                "candidate_value": row.candidate,
                "baseline_value": row.baseline,
                **{name: getattr(row, name) for name in ("difference", "low", "high", "p", "verdict")},
                "interval": "" if row.low is None else OVER_CASES if each.test == "paired" else OVER_TRAININGS,
                "adjusted_p": row.adjusted,
                "seeds": " and ".join(str(band.n) for band in bands if band),
            }
    for banded in found.bands:
        band = banded.band
        low, high = mean_interval(band)
        ends_of_mean = {"low": low, "high": high, "interval": "" if low is None else OF_MEAN}
        seeds = {"seeds": band.n, "lowest_seed": band.low, "highest_seed": band.high}
        value = {"candidate": banded.system, "metric": "accuracy", "candidate_value": band.mean}
        yield {**value, **banded.slice, **ends_of_mean, **seeds}


def sort_by_time(runs: Sequence[RunRecord]) -> list[RunRecord]:
    return sorted(runs, key=lambda run: run.created)


def accuracy_courses(runs: Sequence[RunRecord]) -> dict[tuple[str, str, str], list[Estimate | None]]:
    """Accuracies of the models that at least two runs have, by model, suite and family.

    There is one for each run, in the order of time; None in a run without it.
    """
    found = [run.find("accuracy", ("model", "suite", "family")) for run in sort_by_time(runs)]
    places = dict.fromkeys(place for each in found for place in each)
    models = list(dict.fromkeys(place[0] for place in places))
    made = {}
    for model, suite, family in sorted(places, key=lambda place: (models.index(place[0]), family_rank(place[2]))):
        figures = [each.get((model, suite, family)) for each in found]
        if sum(each is not None for each in figures) > 1:
            made[model, suite, family] = figures
    return made


def trend_sheet(runs: Sequence[RunRecord]) -> Sheet:
    """A line for each model and family, a column for each run."""
    rows = [
        sheet_row(model, short_name(model), suite, family, *map(share, figures))
        for (model, suite, family), figures in accuracy_courses(runs).items()
    ]
    return Sheet(
        "trend",
        "Over the runs",
        "Accuracy in %, from the first run to the last.",
        (*texts("model", "suite", "family"), *numbers(*(run.id for run in sort_by_time(runs)))),
        tuple(rows),
    )
