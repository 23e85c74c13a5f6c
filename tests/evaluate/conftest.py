"""Cases and answers, measured as a run measures them."""

from collections.abc import Sequence

from assay.core.case import Case, Prediction
from assay.core.estimate import Estimate
from assay.core.label_space import Collapse, LabelSpace
from assay.evaluate.case_columns import CaseColumns, Encoder, answer_columns, answer_row
from assay.evaluate.suite_metrics import SuiteMetrics

Answered = tuple[Case, Prediction | None]


def columns(cases: Sequence[Case]) -> tuple[CaseColumns, Encoder]:
    """Cases as columns, with the names of their numbers."""
    encoder = Encoder()
    return encoder.cases(cases), encoder


def board_of(*chunks: Sequence[Answered], collapse: Collapse = "argmax", model: str = "m") -> SuiteMetrics:
    """A board to which one model's answers were added, chunk by chunk."""
    encoder = Encoder(LabelSpace(collapse=collapse))
    board = SuiteMetrics([model], suite="s", encoder=encoder)
    for chunk in chunks:
        if chunk:
            said = [answer_row(answer) if answer else None for _, answer in chunk]
            board.add(encoder.cases([case for case, _ in chunk]), answer_columns([said]))
    return board


def measured(asked: Sequence[Answered], collapse: Collapse = "argmax", *, model: str = "m") -> list[Estimate]:
    """Every figure of one model's answers."""
    return board_of(asked, collapse=collapse, model=model).estimates()
