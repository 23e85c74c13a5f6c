"""Accuracy by family and label, compared with unmodified pairs; models side by side, seeds, variants, thresholds."""

from collections import Counter

from assay.core.case import ORIGINAL
from assay.core.estimate import CHOSEN, FAMILY, Estimate, key_of
from assay.core.label import Label
from assay.reports.formatting import as_written, point_ends, points
from assay.reports.phrases import LOST
from assay.reports.published.published_results import published_values
from assay.reports.tables.group_tables import group_sheet
from assay.reports.tables.sheet import (
    TEST,
    Sheet,
    SheetCell,
    SheetColumn,
    SheetRow,
    answers_of,
    around,
    count,
    heads_of,
    labels_of,
    numbers,
    p_of_test,
    row_of,
    share,
    share_cell,
    sheet_row,
    slice_key,
    sorted_places,
    texts,
    values_seen,
)
from assay.reports.view import ReportView

CHANGE = (
    SheetColumn("change", True, note="Change: compared with the unmodified pairs of the same cases, in points."),
    SheetColumn("95% of it", True, is_detail=True),
    SheetColumn("p", True, is_detail=True, note=TEST),
    SheetColumn(
        "both", True, note="Both: right on the unmodified pair and on the edited pair, if the label stays the same."
    ),
)
"""Columns that compare a family with its unmodified pairs."""

TEMPLATED = " Intervals of generated cases are for the same templates with other words."


def accuracy(view: ReportView) -> Sheet:
    """Accuracy by model and family, compared with the unmodified pairs if the run has them, and by label."""
    found, by_label, drops = view.find("accuracy"), view.find("accuracy", "label"), view.find("drop")
    labels = labels_of(by_label.values())
    changes = CHANGE if any(place in drops for place in found) else ()
    tests, both = view.find("holm"), view.find("consistency")
    has_templates = any(each.slice["family"] == "heuristics" for each in found.values())
    rows = []
    for place, each in found.items():
        change = [SheetCell("")] * len(changes)
        if drop := drops.get(place):
            change = [
                SheetCell("")
                if drop.value is None
                else SheetCell(points(-drop.value), -drop.value, key_of(drop.slice) in view.lost),
                SheetCell(point_ends(drop.low, drop.high, sign=-1)),
                p_of_test(tests.get(place)),
                share(both.get(place), empty=""),
            ]
        shares = (loss_share(view, by_label.get((*place, label))) for label in labels)
        rows.append(row_of(view, each, share(each), around(each), *change, *shares, count(each.n)))
    return Sheet(
        "accuracy",
        "Accuracy by family",
        f"In %, for all cases and by label.{TEMPLATED if has_templates else ''}",
        (*heads_of(view), *numbers("accuracy", "95%"), *changes, *numbers(*map(view.label, labels), "cases")),
        tuple(rows),
        mark=LOST,
    )


def loss_share(view: ReportView, estimate: Estimate | None) -> SheetCell:
    """An accuracy, marked if it shows a significant loss."""
    return share(estimate, marked=estimate is not None and slice_key(estimate) in view.lost)


def side_by_side(view: ReportView) -> Sheet:
    """One row per model, one column per family, as in table 3 of Naik et al. (2018).

    A single family is also shown by label. A system of several seeds has its own row, with their means.
    """
    found = {slice_key(e): e for e in view.estimates if e.name in ("accuracy", "band")}
    whole = [e for key, e in found.items() if {name for name, _ in key} == {*FAMILY}]
    places = dict.fromkeys((e.slice["suite"], e.slice["family"]) for e in whole)
    columns = {
        f"{family} ({suite})" if view.repeats else family: {"suite": suite, "family": family}
        for suite, family in places
    }
    if len(places) == 1:
        [place] = columns.values()
        labels = labels_of(view.find("accuracy", "label").values())
        columns |= {view.label(label): {**place, "label": label} for label in labels}
    models = values_seen(whole, "model")
    shares = {model: [found.get(key_of({"model": model, **where})) for where in columns.values()] for model in models}
    rows = [sheet_row(model, view.name(model), *(loss_share(view, e) for e in own)) for model, own in shares.items()]
    most = [count(max((e.n for e in own if e), default=0)) for own in zip(*shares.values(), strict=True)]
    is_naik = {*values_seen(whole, "family")} <= published_values("naik2018", "family")
    notes = {ORIGINAL: "Original: the unmodified pairs."}
    return Sheet(
        "naik",
        "Accuracy by family, as in Naik et al. (2018)" if is_naik else "Accuracy by model and family",
        "Accuracy in %.",
        (*texts("model"), *(SheetColumn(name, True, note=notes.get(name, "")) for name in columns)),
        (*rows, sheet_row("", "cases", *most)) if rows else (),
        mark=LOST,
        suites=tuple(values_seen(whole, "suite")),
    )


def seeds(view: ReportView) -> Sheet:
    """Systems of several seeds: mean and range by family, and the means by label."""
    found, by_label = view.find("band", "seeds"), view.find("band", "seeds", "label")
    labels = labels_of(by_label.values())
    rows = []
    for place, each in found.items():
        means = [share(by_label.get((*place, label))) for label in labels]
        many = SheetCell(each.slice["seeds"], float(each.slice["seeds"]))
        rows.append(row_of(view, each, loss_share(view, each), around(each), *means, many, count(each.n)))
    return Sheet(
        "seeds",
        "Seeds of one system",
        "Mean accuracy over the seeds in %, range from the lowest seed to the highest, and means by label.",
        (*heads_of(view), *numbers("mean", "range", *map(view.label, labels), "seeds", "cases")),
        tuple(rows),
        mark=f"{LOST}, for every seed",
    )


def variants(view: ReportView) -> Sheet:
    """Variants of families, such as kinds of typos; a single variant has its family's numbers and is left out."""
    there: dict[tuple[str, str], set[str]] = {}
    for each in view.find("accuracy", "variant").values():
        there.setdefault((each.slice["suite"], each.slice["family"]), set()).add(each.slice["variant"])
    several = {place for place, names in there.items() if len(names) > 1}
    note = "Accuracy in %, for all cases and by label."
    return group_sheet(view, "variant", "Variants of families", note, places=several)


def severity(view: ReportView) -> Sheet:
    """Accuracy at each rung of a ladder, and the area under the curve."""
    found = view.find("accuracy", "severity")
    rungs = sorted(values_seen(found.values(), "severity"), key=int)
    rows = []
    for place, area in view.find("area").items():
        heights = [share(found.get((*place, rung))) for rung in rungs]
        rows.append(row_of(view, area, *heights, share(area), around(area), count(area.n)))
    note = "Accuracy in % by strength of the same test. Area: the mean accuracy along the curve."
    columns = numbers(*(f"strength {rung}" for rung in rungs), "area", "95%", "cases")
    return Sheet("severity", "Strength of a test", note, (*heads_of(view), *columns), tuple(rows))


def confusion(view: ReportView) -> Sheet:
    """Answers to the cases of each family and label."""
    found = view.find("answers", "label", "answer")
    answers = answers_of(found.values())
    first = {place[:-1]: e for place, e in reversed(found.items())}
    rows = []
    for each in sorted_places(first[place] for place in dict.fromkeys(place[:-1] for place in found)):
        place = tuple(each.slice[name] for name in ("model", "suite", "family", "label"))
        shares = [found.get((*place, answer)) for answer in answers]
        cells = [share_cell(e.value if e else 0.0) for e in shares]
        rows.append(row_of(view, each, view.label(each.slice["label"]), *cells, count(each.n)))
    note = "Answers to the cases of each family and label, in %."
    columns = (*texts("label"), *numbers(*map(view.label, answers), "cases"))
    return Sheet("confusion", "Answers by label", note, (*heads_of(view), *columns), tuple(rows))


def calibration(view: ReportView) -> Sheet:
    briers = view.find("brier")
    rows = []
    for place, each in view.find("calibration-error").items():
        value = briers[place].value if place in briers else None
        score = SheetCell("-" if value is None else f"{value:.3f}", value)
        rows.append(row_of(view, each, share(each), around(each), score, count(each.n)))
    note = (
        "Error: how far confidence is from accuracy on average, in points. Brier score: 0 is best; "
        "the worst is 1 for two labels, 2 for three."
    )
    columns = (*heads_of(view), *numbers("error", "95%", "Brier", "cases"))
    return Sheet("calibration", "Confidence", note, columns, tuple(rows))


def fallbacks(view: ReportView) -> Sheet:
    """Cases that a model could not judge, which got a fixed answer, with the reasons."""
    several = len(view.suites) > 1
    counted: dict[tuple[str, str], Counter[str]] = {}
    for (model, suite, _, reason), each in view.find("fallback", "note").items():
        counted.setdefault((model, suite), Counter())[reason] += round((each.value or 0.0) * each.n)
    rows = [
        sheet_row(model, view.name(model), *([SheetCell(suite)] if several else []), reason, count(n))
        for (model, suite), reasons in counted.items()
        for reason, n in reasons.most_common()
    ]
    note = "Cases that a model could not judge and gave a fixed answer to, by reason."
    columns = (*texts("model", *(["suite"] if several else []), "reason"), *numbers("cases"))
    return Sheet("fallbacks", "Not judged", note, columns, tuple(rows))


ENDS = "95%"  # the head of a column of intervals


def thresholds(view: ReportView, *, brief: bool = False) -> Sheet:
    """Each family with the model's own answers and at a chosen threshold; `brief` has the unmodified pairs only."""
    rows = []
    for place, own in view.find("threshold").items():
        if not brief or own.slice["family"] == ORIGINAL:
            rows.append(_row(view, own, place))
            chosen = view.find("threshold", "threshold").get((*place, CHOSEN))
            rows += [_row(view, chosen, place)] if chosen else []
    supported = view.label(Label.ENTAILMENT)
    note = (
        "In %, for the model's own answers, as everywhere else (at its own threshold, if it has one), and at a chosen "
        "threshold: the one with the highest balanced accuracy on half of the unmodified pairs. Its numbers are "
        f"from the other half alone. Recall, precision and F1 are about {supported}. "
        f"False support: the share of the others that is accepted as {supported}. AUC, AP: areas under the ROC curve "
        "and the precision-recall curve."
    )
    columns = (
        *heads_of(view),
        *numbers("threshold", "balanced", ENDS, "recall"),
        *(SheetColumn(name, is_number=True, is_detail=True) for name in ("precision", "F1")),
        *numbers("false support", ENDS, "AUC"),
        SheetColumn("AP", is_number=True, is_detail=True),
        *numbers("cases"),
    )
    suites = tuple(values_seen(view.find("threshold").values(), "suite"))
    return Sheet("thresholds", "Scores and thresholds", note, columns, tuple(rows), suites=suites)


def certified_thresholds(view: ReportView) -> Sheet:
    """For each bound on false support, the lowest threshold that is certified to keep it."""
    rows = []
    for curve in view.curves:
        for each in curve.certified:
            more = "another model: too many pass at every useful threshold"
            more = more if each.more_claims is None else f"at least {each.more_claims:,} more"
            found = [SheetCell("none"), SheetCell("-"), SheetCell("-"), SheetCell(more)]
            if each.threshold is not None and each.recall:
                shares = map(share_cell, (each.false_support, each.recall))
                found = [SheetCell(as_written(each.threshold), each.threshold), *shares, SheetCell("")]
            of = Estimate(name="certified", value=each.threshold, n=each.unsupported, slice=curve.slice)
            bound = SheetCell(f"{100 * each.bound:g}%", each.bound)
            rows.append(row_of(view, of, bound, count(each.unsupported), *found))
    supported = view.label(Label.ENTAILMENT)
    note = (
        "The lowest threshold whose false support is at most the bound, with 95% confidence. Thresholds are tested "
        "from the strictest down until the first that is not shown to keep the bound. False support here and "
        f"recall ({supported}) in %. Needs: the unsupported claims it would take, if none of them passes. None: no "
        "threshold that still accepts supported claims."
    )
    columns = (
        *heads_of(view),
        *numbers("false support at most", "unsupported", "threshold", "here", "recall", "needs"),
    )
    return Sheet("certified", "Certified thresholds", note, columns, tuple(rows))


def printed_thresholds(view: ReportView) -> Sheet:
    """The same without columns of intervals, for formats that put them below the numbers."""
    sheet = thresholds(view)
    return sheet.only(place for place, column in enumerate(sheet.columns) if column.name != ENDS)


def _row(view: ReportView, at: Estimate, place: tuple[str, ...]) -> SheetRow:
    """A family at one threshold."""
    chosen = at.slice.get("threshold", "")

    def figure(name: str, label: Label | None = None) -> Estimate | None:
        by = [*(["label"] if label else []), *(["threshold"] if chosen else [])]
        key = (*place, *([label.value] if label else []), *([chosen] if chosen else []))
        return view.find(name, *by).get(key)

    balanced, false = figure("balanced-accuracy"), figure("false-support")
    cells = [
        SheetCell("own answers" if at.value is None else f"{as_written(at.value)} {chosen}".strip(), at.value),
        share(balanced),
        around(balanced) if balanced else SheetCell(""),
        *(share(figure(name, Label.ENTAILMENT)) for name in ("recall", "precision", "f1")),
        share(false),
        around(false) if false else SheetCell(""),
        *(
            share(None if chosen else figure(name), empty="" if chosen else "-")
            for name in ("roc-auc", "average-precision")
        ),
    ]
    counted = [figure("recall", label) for label in (Label.ENTAILMENT, Label.NON_ENTAILMENT)]
    return row_of(view, at, *cells, count(sum(each.n for each in counted if each)))
