"""The rate that a judge counts in a file without labels, corrected for its errors in a run with known labels."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from assay.core.case import ORIGINAL
from assay.core.errors import BadInputError, UserError
from assay.core.label import Label, LabelReader
from assay.core.prediction import THRESHOLD
from assay.core.registry import option
from assay.core.run_record import RunRecord
from assay.evaluate.judged_share import JudgedShare, correct_share
from assay.evaluate.seeds import spellings
from assay.run.predict.answer_files import read_rows
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
    """The share of texts that a judge calls supported, corrected for its errors on the claims of a stored run.

    `answers` is a file with the judge's predictions or scores and no right labels. `judge` is a run of the same judge
    on claims whose labels are known, judged by two labels; `model` names the judge if the run has several models.
    """
    record = open_run(judge)
    name = _judge(record, model)
    found = record.find("accuracy", by=["label"], model=name, family=ORIGINAL)
    known = {label: estimate for (label,), estimate in found.items()}
    wanted = [known.get(label.value) for label in (Label.ENTAILMENT, Label.NON_ENTAILMENT)]
    first, second = wanted
    if first is None or second is None:
        raise UserError(
            f"{record.id} does not say how often {name} is right on supported and on other claims.\n"
            f"  Run it on claims of both kinds, judged by two labels: {option('two_way', True)}."
        )
    reader = LabelReader(labels or {}, usual=True)
    rows = [answer for _, answer in read_rows(str(answers), lambda row: read_answer(row.fields, reader, threshold))]
    given = [answer.label for answer in rows if answer is not None]
    if not given:
        raise BadInputError("empty: it has no predictions", where=str(answers))
    return correct_share(sum(label is Label.ENTAILMENT for label in given), len(given), first, second)


def _judge(record: RunRecord, model: str | None) -> str:
    """The judge by its name in the run."""
    there: Sequence[str] = [each.model for each in record.models if not each.reference] or [
        each.model for each in record.models
    ]
    found = [name for name in there if model is None or model in spellings(name)]
    if len(found) != 1:
        raise UserError(f"{record.id} has {', '.join(there)}. Say which one is the judge: {option('model', 'NAME')}.")
    return found[0]
