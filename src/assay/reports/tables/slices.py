"""Accuracy on slices that people saved."""

from assay.reports.tables.sheet import Cell, Row, Sheet, around, count, labels_of, numbers, seen, share, texts
from assay.reports.view import View


def slices(view: View) -> Sheet:
    """A line for each slice, suite and model: the accuracy on all cases, and by label."""
    found = {(e.slice["model"], e.slice["suite"], e.slice["slice"], e.slice.get("label", "")): e for e in view.slices}
    labels = labels_of(e for e in view.slices if "label" in e.slice)
    several = len(view.suites) > 1
    rows = []
    for name in seen(view.slices, "slice"):
        for (model, suite, own, label), e in found.items():
            if own == name and not label:
                places = [Cell(suite)] if several else []
                by_label = [share(found.get((model, suite, own, each))) for each in labels]
                cells = (Cell(name), *places, Cell(view.name(model)), share(e), around(e), *by_label, count(e.n))
                rows.append(Row(model, cells))
    heads = texts("slice", *(["suite"] if several else []), "model")
    figures = numbers("accuracy", "95 %", *(view.label(each) for each in labels), "cases")
    return Sheet(
        "slices",
        "Saved slices",
        "Accuracy in per cent on cases that were chosen and saved under a name in the browser.",
        (*heads, *figures),
        tuple(rows),
    )
