"""What models answered, how sure they were, and where they could not judge."""

from collections import Counter

from assay.reports.numbers import percent
from assay.reports.tables.order import answers_of, sorted_places
from assay.reports.tables.sheet import Cell, Row, Sheet, around, count, heads_of, numbers, row_of, share, texts
from assay.reports.view import View


def confusion(view: View) -> Sheet:
    """What the cases of each family and label were answered with."""
    found = view.find("answers", "label", "answer")
    answers = answers_of(found.values())
    first = {place[:-1]: e for place, e in reversed(found.items())}
    rows = []
    for each in sorted_places(first[place] for place in dict.fromkeys(place[:-1] for place in found)):
        place = tuple(each.slice[name] for name in ("model", "suite", "family", "label"))
        shares = [found.get((*place, answer)) for answer in answers]
        cells = [Cell(percent(e.value), e.value) if e else Cell("0.0", 0.0) for e in shares]
        rows.append(row_of(view, each, Cell(view.label(each.slice["label"])), *cells, count(each.n)))
    note = "Answers to the cases of each family and label, in per cent."
    columns = (*texts("label"), *numbers(*map(view.label, answers), "cases"))
    return Sheet("confusion", "Answers by label", note, (*heads_of(view), *columns), tuple(rows))


def calibration(view: View) -> Sheet:
    """How well confidence matches accuracy."""
    briers = view.find("brier")
    rows = []
    for place, each in view.find("calibration-error").items():
        value = briers[place].value if place in briers else None
        score = Cell("-" if value is None else f"{value:.3f}", value)
        rows.append(row_of(view, each, share(each), around(each), score, count(each.n)))
    note = (
        "Error: how far confidence is from accuracy on average, in points. Brier score: 0 is best; "
        "the worst is 1 for two labels, 2 for three."
    )
    columns = (*heads_of(view), *numbers("error", "95 %", "Brier", "cases"))
    return Sheet("calibration", "Confidence", note, columns, tuple(rows))


def fallbacks(view: View) -> Sheet:
    """How often a model could not judge a case and fell back on a fixed answer, and why."""
    several = len(view.suites) > 1
    counted: dict[tuple[str, str], Counter[str]] = {}
    for (model, suite, _, reason), each in view.find("fallback", "note").items():
        counted.setdefault((model, suite), Counter())[reason] += round((each.value or 0.0) * each.n)
    rows = [
        Row(model, (Cell(view.name(model)), *([Cell(suite)] if several else []), Cell(reason), count(n)))
        for (model, suite), reasons in counted.items()
        for reason, n in reasons.most_common()
    ]
    note = "Cases that a model could not judge and gave a fixed answer to, by reason."
    columns = (*texts("model", *(["suite"] if several else []), "reason"), *numbers("cases"))
    return Sheet("fallbacks", "Not judged", note, columns, tuple(rows))
