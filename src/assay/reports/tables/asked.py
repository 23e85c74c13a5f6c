"""What models say about one pair, as a table."""

from assay.core.label import Label
from assay.core.results.asked import AskedPair
from assay.evaluate.accuracy import is_right
from assay.reports.tables.sheet import Cell, Column, Row, Sheet, texts
from assay.reports.words import short_name

CUT = "premise cut off"
"""The mark of an answer to a premise whose end the model did not see."""


def answers_sheet(asked: AskedPair) -> Sheet:
    """Each model's answer with its probabilities."""
    there = {label for answer in asked.answers.values() for label in answer.probabilities or {}}
    labels = [label for label in Label if label in there]
    rows = []
    for model, answer in asked.answers.items():
        shares = [(answer.probabilities or {}).get(label) for label in labels]
        cells = (Cell("-") if share is None else Cell(f"{share:.3f}", share) for share in shares)
        is_wrong = asked.label is not None and not is_right(answer.label, asked.label)
        said = f"{answer.label} ({CUT})" if answer.truncated else answer.label
        rows.append(Row("", (Cell(short_name(model)), Cell(said, marked=is_wrong), *cells)))
    columns = (*texts("", "answer"), *(Column(label, is_number=True) for label in labels))
    return Sheet("answers", "", "", columns, tuple(rows))
