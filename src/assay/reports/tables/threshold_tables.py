"""Metrics of support scores: at the model's own threshold, at a chosen one, and without any."""

from assay.core.case import ORIGINAL
from assay.core.estimate import CHOSEN, CertifiedThreshold, Estimate
from assay.core.label import Label
from assay.core.prediction import DECIMALS
from assay.reports.formatting import percent
from assay.reports.tables.sheet import (
    Sheet,
    SheetCell,
    SheetColumn,
    SheetRow,
    around,
    count,
    heads_of,
    numbers,
    row_of,
    share,
    values_seen,
)
from assay.reports.view import ReportView

ENDS = "95%"
"""The head of a column of intervals."""


def thresholds(view: ReportView, *, brief: bool = False) -> Sheet:
    """Each family at both thresholds; `brief` has the unmodified pairs only."""
    rows = []
    for place, own in view.find("threshold").items():
        if not brief or own.slice["family"] == ORIGINAL:
            rows.append(_row(view, own, place))
            chosen = view.find("threshold", "threshold").get((*place, CHOSEN))
            rows += [_row(view, chosen, place)] if chosen else []
    supported = view.label(Label.ENTAILMENT)
    note = (
        "In %, at the model's threshold, and at one that was chosen for the highest balanced accuracy on half "
        f"of the unmodified pairs; figures are from the other half. Recall, precision and F1 are about {supported}. "
        f"False support: how much of the rest is taken for {supported}. AUC, AP: areas under the ROC curve and the "
        "precision-recall curve."
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
            found = [SheetCell("none"), SheetCell("-"), SheetCell("-"), SheetCell(_more(each))]
            if each.threshold is not None:
                shares = [SheetCell(percent(value), value) for value in (each.false_support, each.recall)]
                found = [SheetCell(_rounded(each.threshold), each.threshold), *shares, SheetCell("")]
            of = Estimate(name="certified", value=each.threshold, n=each.unsupported, slice=curve.slice)
            bound = SheetCell(f"{100 * each.bound:g}%", each.bound)
            rows.append(row_of(view, of, bound, *found, count(each.unsupported)))
    supported = view.label(Label.ENTAILMENT)
    note = (
        "The lowest threshold whose false support is at most the bound, with 95% confidence. Thresholds are tested "
        "from the strictest down until the first that is not shown to keep the bound. False support here and "
        f"recall ({supported}) in %."
    )
    columns = (
        *heads_of(view),
        *numbers("false support at most", "threshold", "here", "recall", "needs", "unsupported"),
    )
    return Sheet("certified", "Certified thresholds", note, columns, tuple(rows))


def _more(each: CertifiedThreshold) -> str:
    """The number of claims needed to certify a threshold."""
    if each.more_claims is None:
        return "another model: too many pass at every threshold"
    return f"about {each.more_claims:,} more unsupported claims"


def printed_thresholds(view: ReportView) -> Sheet:
    """The same without columns of intervals, for formats that put them below the figures."""
    sheet = thresholds(view)
    kept = [place for place, column in enumerate(sheet.columns) if column.name != ENDS]
    rows = tuple(row._replace(cells=tuple(row.cells[place] for place in kept)) for row in sheet.rows)
    return sheet._replace(columns=tuple(sheet.columns[place] for place in kept), rows=rows)


def _rounded(threshold: float | None) -> str:
    """A threshold with three decimals, unless these would make it 0 or 1.

    >>> _rounded(0.574626), _rounded(0.5), _rounded(0.99987)
    ('0.575', '0.5', '0.99987')
    """
    short = f"{threshold:.3g}"
    return f"{threshold:.{DECIMALS}g}" if short in ("0", "1") else short


def _row(view: ReportView, at: Estimate, place: tuple[str, ...]) -> SheetRow:
    """A family at one threshold."""
    chosen = at.slice.get("threshold", "")

    def figure(name: str, label: Label | None = None) -> Estimate | None:
        by = [*(["label"] if label else []), *(["threshold"] if chosen else [])]
        key = (*place, *([label.value] if label else []), *([chosen] if chosen else []))
        return view.find(name, *by).get(key)

    balanced, false = figure("balanced-accuracy"), figure("false-support")
    cells = [
        SheetCell(f"{_rounded(at.value)} {chosen}".strip(), at.value),
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
