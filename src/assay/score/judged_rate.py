"""A judge's rate of supported texts in a file without labels, corrected for its errors in a run with known labels."""

from collections.abc import Mapping, Sequence
from math import sqrt
from pathlib import Path
from typing import Any

import msgspec

from assay.core.case import ORIGINAL, THRESHOLD, Prediction
from assay.core.errors import BadInputError, BadRecordError, UserError
from assay.core.estimate import Estimate
from assay.core.label import Label, LabelReader
from assay.core.registry import label_option, option
from assay.core.run_record import RunRecord
from assay.evaluate.intervals import Z95, wilson
from assay.evaluate.seeds import spellings
from assay.evaluate.support.support_scores import figures_at
from assay.run.predict.answer_files import LISTED, PREDICTED, find_column, read_rows, score_column
from assay.run.stored_run import Run, open_run
from assay.score.scoring import read_answer


class JudgedShare(msgspec.Struct, frozen=True, kw_only=True):
    """The fraction of texts that are supported, by a judge's count and after correction."""

    n: int  # texts that the judge decided about
    counted: float
    corrected: float
    low: float  # lower end of the corrected share's 95% interval, which includes the uncertainty about the judge
    high: float
    recall: float  # the fraction of supported cases that the judge calls supported
    false_support: float  # the fraction of other cases that the judge calls supported

    @property
    def sentence(self) -> str:
        """The result in words.

        >>> share = JudgedShare(
        ...     n=500, counted=0.8, corrected=0.75, low=0.68, high=0.82, recall=0.95, false_support=0.35
        ... )
        >>> share.sentence
        'The judge calls 80.0% of 500 supported. It misses 5.0% of the supported ones, and passes 35.0% of the others: \
corrected 75.0% (95% interval 68.0 to 82.0).'
        """
        return (
            f"The judge calls {self.counted:.1%} of {self.n:,} supported. It misses {1 - self.recall:.1%} of the "
            f"supported ones, and passes {self.false_support:.1%} of the others: corrected {self.corrected:.1%} (95% "
            f"interval {100 * self.low:.1f} to {100 * self.high:.1f})."
        )


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
            f"no column has an answer; the columns are {', '.join(map(repr, fields))}",
            hint="Call it prediction, or score if it is a support score.",
        )
    return read_answer(fields, reader, threshold), bool(score_column(fields))


def _accuracies(record: RunRecord, name: str, threshold: float | None) -> tuple[Estimate, Estimate]:
    """The judge's accuracies on supported and on other claims of the run, at the threshold if it gives scores."""
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


def correct_share(supported: int, n: int, recall: Estimate, specificity: Estimate) -> JudgedShare:
    """Correct a judged share by Rogan and Gladen's formula (1978), with the interval of Lang and Reiczigel (2014).

    `recall` and `specificity` are the judge's accuracies on supported and on other cases with known labels.

    >>> known = [Estimate(name="accuracy", value=value, n=200) for value in (0.9, 0.8)]
    >>> found = correct_share(600, 1000, *known)
    >>> round(found.corrected, 3), round(found.low, 3), round(found.high, 3)
    (0.571, 0.506, 0.637)
    >>> correct_share(600, 1000, *(Estimate(name="accuracy", value=0.5, n=200) for _ in range(2)))
    Traceback (most recent call last):
    ...
    assay.core.errors.UserError: This judge calls supported and unsupported cases supported equally often.
      No rate can be corrected for that. Use another judge, or test this one on more cases.
    """
    (sensitivity, n_first), (correct, n_second) = (_known(each) for each in (recall, specificity))
    if sensitivity + correct - 1 <= 0.05:
        raise UserError(
            "This judge calls supported and unsupported cases supported equally often.\n"
            "  No rate can be corrected for that. Use another judge, or test this one on more cases."
        )
    square = Z95 * Z95
    cases = n + square
    counted = (supported + square / 2) / cases
    first, second = (sensitivity * n_first + 1) / (n_first + 2), (correct * n_second + 1) / (n_second + 2)
    n_first, n_second = n_first + 2, n_second + 2
    gain = first + second - 1
    share = (counted + second - 1) / gain
    noise = counted * (1 - counted) / cases
    misses, passes = first * (1 - first) / n_first, second * (1 - second) / n_second
    shift = 2 * square * (share * misses - (1 - share) * passes)
    reach = Z95 * sqrt(noise + share * share * misses + (1 - share) ** 2 * passes) / gain
    if share + shift - reach >= 1 or share + shift + reach <= 0:
        raise UserError(
            f"The judge calls {supported / n:.1%} supported, but with its known errors it can only be from "
            f"{1 - correct:.1%} to {sensitivity:.1%}.\n"
            "  So the judge makes different errors on these texts. Test it on claims that resemble them."
        )
    return JudgedShare(
        n=n,
        counted=supported / n,
        corrected=min(1.0, max(0.0, (supported / n + correct - 1) / (sensitivity + correct - 1))),
        low=min(1.0, max(0.0, share + shift - reach)),
        high=min(1.0, max(0.0, share + shift + reach)),
        recall=sensitivity,
        false_support=1 - correct,
    )


def _known(accuracy: Estimate) -> tuple[float, float]:
    """An accuracy, and the effective number of independent cases."""
    assert accuracy.value is not None
    value, n = accuracy.value, float(accuracy.n)
    if accuracy.low is None or accuracy.high is None:
        return value, n
    low, high = 1.0, n
    for _ in range(40):
        middle = (low + high) / 2
        ends = wilson(value, middle)
        low, high = (low, middle) if ends.high - ends.low < accuracy.high - accuracy.low else (middle, high)
    return value, high
