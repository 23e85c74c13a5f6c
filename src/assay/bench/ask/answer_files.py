"""Files of answers that were made elsewhere: JSON lines, csv, tsv, and what their rows mean."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from assay.core.errors import BadInputError, BadRecordError, ModelError, did_you_mean
from assay.core.label import Label, LabelReader
from assay.core.prediction import THRESHOLD, Answer, Prediction
from assay.core.protocols import Row
from assay.corpora.files.containers import opened
from assay.corpora.files.source import streams
from assay.corpora.files.table import Fault
from assay.models.answering.replies import SCORES, support_score

T = TypeVar("T")

IDS = ("id", "pairID", "case", "uid")
ANSWER = "prediction"
ANSWERS = (ANSWER, "predicted", "label", "gold_label")
"""Columns that hold the answer; the HANS format calls it gold_label."""

PROBABILITIES = "probabilities"
TOLERANCE = 0.01
"""How far the sum of probabilities may be from 1: files contain rounded numbers."""

EXAMPLES = 3
"""How many ids an error names."""


def read_predictions(path: str, *, reader: LabelReader, threshold: float = THRESHOLD) -> dict[str, Prediction]:
    """Answers by id, from JSON lines, csv or tsv; support scores are compared with the threshold."""
    found: dict[str, Prediction] = {}
    repeated: Counter[str] = Counter()
    for _, prediction in read_rows(path, lambda row: _prediction(row, reader, threshold)):
        if prediction is None:
            continue
        if prediction.id in found:
            repeated[prediction.id] += 1
        found[prediction.id] = prediction
    if not found:
        raise BadInputError("empty: it has no answers", where=path)
    if repeated:
        raise BadInputError(
            f"{len(repeated):,} ids are answered more than once, such as {next(iter(repeated))!r}",
            where=path,
            hint="Keep one answer per id.",
        )
    return found


def read_rows(path: str, meaning: Callable[[Row], T], *, encoding: str = "utf-8") -> Iterator[tuple[str, T]]:
    """What the rows of a file of answers mean, each with its location."""
    for stream in streams(path):
        with opened(stream, encoding=encoding) as table:
            for row in table.rows if table else ():
                where = f"{stream.where}:{row.number}"
                try:
                    if isinstance(row, Fault):
                        raise row.error
                    meant = meaning(row)
                except BadRecordError as error:
                    raise BadInputError(str(error), where=where, hint=error.hint) from error
                yield where, meant


def _prediction(row: Row, label: LabelReader, threshold: float) -> Prediction | None:
    """The answer in a row; None if a line of the stress tests' evaluator has none."""
    scored = next((name for name in SCORES if name in row.fields), "")
    if scored and ANSWER not in row.fields and PROBABILITIES not in row.fields:
        return _scored(row.fields, scored, threshold)
    if ANSWER not in row.fields and "source" in row.fields:
        return None
    shares = probabilities_of(row.fields, label)
    if shares and not any(name in row.fields for name in ANSWERS):
        answer: Label | None = max(shares, key=shares.__getitem__)
    else:
        answer = label(column_of(row.fields, ANSWERS, "answer"))
    if answer is None:
        raise BadRecordError("no label in the answer", hint="Leave the line out to leave a case unanswered.")
    name = str(column_of(row.fields, IDS, "id"))
    if shares:
        _refuse_improbable(name, answer, shares)
    return Prediction(id=name, label=answer, probabilities=shares)


def _scored(fields: Mapping[str, Any], column: str, threshold: float) -> Prediction:
    """The answer in a row with a support score; a label next to it is the right answer, not the model's."""
    name = str(column_of(fields, IDS, "id"))
    try:
        return Answer.scored(support_score(fields[column]), threshold=threshold).to(name)
    except ModelError as error:
        raise BadRecordError(
            f"the {column} of {name!r}: {error}",
            hint="Leave the line out to leave a case unanswered; apply a sigmoid to scores of any size first.",
        ) from error


def _refuse_improbable(name: str, answer: Label, shares: Mapping[Label, float]) -> None:
    """Stop if label and probabilities disagree; if only one of them has three labels, both are compared as two."""
    most = max(shares.values())
    best = [label for label, share in shares.items() if share == most]
    two_way = Label.NON_ENTAILMENT in (answer, *best) and answer not in shares
    if answer not in best and not (two_way and answer.two_way in (label.two_way for label in best)):
        raise BadRecordError(
            f"the answer to {name!r} is {answer}, but its most probable label is {best[0]}",
            detail=", ".join(f"{label} {share:g}" for label, share in shares.items()),
            hint="Leave out the label to use the most probable one, or leave out the probabilities.",
        )


def probabilities_of(fields: Mapping[str, Any], label: LabelReader) -> dict[Label, float] | None:
    """The probability of each label: an object of labels, or one column per label; None if there is neither."""
    given = fields.get(PROBABILITIES)
    if given is None:
        given = {name: fields[name] for name in Label if name in fields}
    if not given:
        return None
    try:
        shares = {known: float(share) for name, share in given.items() if (known := label(name)) is not None}
    except (AttributeError, TypeError, ValueError) as error:
        raise BadRecordError("probabilities that are not numbers", detail=repr(given)[:60]) from error
    if not all(0 <= share <= 1 for share in shares.values()) or abs(sum(shares.values()) - 1) > TOLERANCE:
        raise BadRecordError(
            "probabilities that do not add up to 1",
            detail=repr(given)[:80],
            hint="Apply a softmax to scores first, and include every label.",
        )
    return {known: shares[known] for known in Label if known in shares}


def column_of(fields: Mapping[str, Any], names: tuple[str, ...], what: str) -> Any:
    """The first of these columns that a row has."""
    for name in names:
        if name in fields:
            return fields[name]
    there = ", ".join(map(repr, fields))
    raise BadRecordError(
        f"no column with the {what}",
        detail=f"there are {there}{did_you_mean(names[0], fields)}",
        hint=f"Call it {' or '.join(names)}.",
    )
