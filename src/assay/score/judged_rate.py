"""The rate that a judge counts in a file without labels, corrected for its errors in a run with known labels."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from assay.core.case import ORIGINAL, THRESHOLD, Prediction
from assay.core.errors import BadInputError, BadRecordError, UserError
from assay.core.estimate import Estimate
from assay.core.label import Label, LabelReader
from assay.core.registry import label_option, option
from assay.core.run_record import RunRecord
from assay.evaluate.judged_share import JudgedShare, correct_share
from assay.evaluate.seeds import spellings
from assay.evaluate.support.threshold_curves import figures_at
from assay.run.predict.answer_files import LISTED, PREDICTED, find_column, read_rows, score_column
from assay.run.stored_run import Run, open_run
from assay.score.scoring import read_answer


def judged_rate(
    answers: str | Path,
    judge: Run,
    *,
    model: str | None = None,
    labels: Mapping[str, str] | None = None,
    threshold: float = THRESHOLD,
) -> JudgedShare:
    """The fraction of texts that a judge calls supported, corrected for its errors on the claims of a stored run.

    `answers` is a file with the judge's predictions or scores and no right labels. `judge` is a run of the same judge
    on claims whose labels are known, judged by two labels; `model` names the judge if the run has several models.
    """
    record = open_run(judge)
    name = _judge(record, model)
    reader = LabelReader(labels or {}, usual=True)
    rows = [found for _, found in read_rows(str(answers), lambda row: _read(row.fields, reader, threshold))]
    given = [answer.label for answer, _ in rows if answer is not None]
    if not given:
        raise BadInputError("empty: it has no predictions", where=str(answers))
    known = _accuracies(record, name, threshold if any(by_score for _, by_score in rows) else None)
    return correct_share(sum(label is Label.ENTAILMENT for label in given), len(given), *known)


def _read(fields: Mapping[str, Any], reader: LabelReader, threshold: float) -> tuple[Prediction | None, bool]:
    """The answer in a row, and whether it is a score."""
    if not find_column(fields, PREDICTED) and not find_column(fields, LISTED) and not score_column(fields):
        raise BadRecordError(
            f"no column with an answer: there are {', '.join(map(repr, fields))}",
            hint="Call it prediction, or score if it is a support score.",
        )
    return read_answer(fields, reader, threshold), bool(score_column(fields))


def _accuracies(record: RunRecord, name: str, threshold: float | None) -> tuple[Estimate, Estimate]:
    """How often the judge is right on supported and on other claims of the run, at the threshold if it gives scores."""
    measured: Sequence[Estimate] = [e for e in record.estimates if e.name == "accuracy"]
    if threshold is not None:
        curves = [curve for curve in record.support if curve.slice["model"] == name]
        measured = [e for e in figures_at(curves, f"{threshold:g}") if e.name == "recall"]
    names = {"model", "suite", "family", "label"} | ({"threshold"} if threshold is not None else set())
    known = {
        e.slice["label"]: e
        for e in measured
        if {*e.slice} == names and e.slice["model"] == name and e.slice["family"] == ORIGINAL
    }
    found = [known.get(label.value) for label in (Label.ENTAILMENT, Label.NON_ENTAILMENT)]
    if found[0] is None or found[1] is None:
        at = "" if threshold is None else f" at the threshold {threshold:g}, which must be a hundredth"
        raise UserError(
            f"{record.id} does not say how often {name} is right on supported and on other claims{at}.\n"
            f"  Run it on claims of both kinds, judged by two labels: {label_option(True)}."
        )
    return found[0], found[1]


def _judge(record: RunRecord, model: str | None) -> str:
    """The judge by its name in the run."""
    tested = [each for each in record.models if not each.reference] or record.models
    there = [each.model for each in tested]
    found = [name for name in there if model is None or model in spellings(name)]
    if len(found) != 1:
        raise UserError(f"{record.id} has {', '.join(there)}. Say which one is the judge: {option('model', 'NAME')}.")
    return found[0]
