"""Files of answers that were made elsewhere: JSON lines, csv, tsv, and what their rows mean."""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeVar

import msgspec

from assay.core.case import DECIMALS, THRESHOLD, Answer, Prediction, text_digest
from assay.core.errors import BadInputError, BadRecordError, ModelError, UnknownLabelError, did_you_mean
from assay.core.label import NUMBERS, Label, LabelReader
from assay.core.label_space import TWO_LABELS
from assay.core.protocols import Row
from assay.corpora.byte_streams import open_streams
from assay.corpora.formats.pairs import named_columns, question_of, usual_column
from assay.corpora.reader import with_all_unknown
from assay.corpora.table_files import open_table
from assay.corpora.text_tables import Fault
from assay.models.adapters.answer_parsing import SCORES, support_score

T = TypeVar("T")
Names = tuple[str, ...]

IDS = ("id", "pairID", "case", "uid")
ANSWER = "prediction"
PREDICTED = (ANSWER, "predicted", "predicted_label", "pred", "pred_label")  # columns that can only be the answer
ANSWERS = (*PREDICTED, "label", "gold_label")  # columns that hold the answer; the HANS format calls it gold_label
LISTED = ("predicted_scores", "logits", "scores")  # a score for each label number, before or after a softmax
BY_TEXT = "text:"  # prefix of the name of an answer without an id; a digest of its two texts and a count follow
PROBABILITIES = "probabilities"
TOLERANCE = 0.01  # tolerance of the sum of probabilities: files contain rounded numbers
EXAMPLES = 3


def read_predictions(
    path: str, *, reader: LabelReader, threshold: float = THRESHOLD, gold: dict[str, Label] | None = None
) -> dict[str, Prediction]:
    """Answers by id, from JSON lines, csv or tsv; support scores are compared with the threshold.

    Answers without an id are named by their two texts and counted where texts repeat. `gold` takes the right labels
    that stand next to answers, by the same names.
    """
    found: dict[str, Prediction] = {}
    repeated: Counter[str] = Counter()
    texts: Counter[str] = Counter()

    def meaning(row: Row) -> tuple[Prediction | None, Label | None]:
        return _read_prediction(row, reader, threshold), None if gold is None else gold_in(row.fields, reader)

    for _, (prediction, right) in read_rows(path, meaning):
        if prediction is None:
            continue
        name = prediction.id
        if name.startswith(BY_TEXT):
            prediction = msgspec.structs.replace(prediction, id=f"{name}:{texts[name]}")
            texts[name] += 1
        elif name in found:
            repeated[name] += 1
        found[prediction.id] = prediction
        if gold is not None and right is not None:
            gold[prediction.id] = right
    if not found:
        raise BadInputError("empty: it has no answers", where=path)
    if unclear := reader.ambiguity("of its answers"):
        raise BadInputError(str(unclear), where=path, hint=unclear.hint)
    if repeated:
        raise BadInputError(
            f"{len(repeated):,} ids are answered more than once, such as {next(iter(repeated))!r}",
            where=path,
            hint="Keep one answer per id.",
        )
    return found


def read_rows(path: str, meaning: Callable[[Row], T], *, encoding: str = "utf-8") -> Iterator[tuple[str, T]]:
    """The rows of a file of answers as read, each with its location."""
    for stream in open_streams(path):
        with open_table(stream, encoding=encoding) as table:
            for row in table.rows if table else ():
                where = f"{stream.where}:{row.number}"
                try:
                    if isinstance(row, Fault):
                        raise row.error
                    meant = meaning(row)
                except UnknownLabelError as error:
                    every = with_all_unknown(error, table.rows, meaning) if table else error
                    raise BadInputError(str(every), where=where, hint=every.hint) from error
                except BadRecordError as error:
                    raise BadInputError(str(error), where=where, hint=error.hint) from error
                yield where, meant


def _read_prediction(row: Row, label: LabelReader, threshold: float) -> Prediction | None:
    """The answer in a row; None if a log, or a line of the stress tests' evaluator, has none."""
    fields = row.fields
    told = find_column(fields, PREDICTED)
    if (scored := score_column(fields)) and not told:
        return scored_in(fields, scored, name=_name_answer(fields), threshold=threshold)
    if (told and fields[told] is None) or (not told and "source" in fields):
        return None
    return answer_in(fields, label, name=_name_answer(fields))


def answer_in(fields: Mapping[str, Any], label: LabelReader, *, name: str, columns: Names = ANSWERS) -> Prediction:
    """The answer in a row that has a label, probabilities, or both, which must agree."""
    shares = probabilities_of(fields, label)
    if shares and not find_column(fields, columns):
        answer: Label | None = max(shares, key=shares.__getitem__)
    else:
        answer = label(column_of(fields, columns, "answer"))
    if answer is None:
        raise BadRecordError("no label in the answer", hint="Leave the line out to leave a case unanswered.")
    if shares:
        _refuse_improbable(name, answer, shares)
    return Prediction(id=name, label=answer, probabilities=shares)


def score_column(fields: Mapping[str, Any]) -> str:
    """The column with a support score; empty if there is none, or if there are probabilities by label."""
    return next((name for name in SCORES if name in fields and PROBABILITIES not in fields), "")


def gold_in(fields: Mapping[str, Any], label: LabelReader) -> Label | None:
    """The right label next to an answer; None if there is none, or none that can be read.

    >>> read = LabelReader()
    >>> gold_in({"label": 2, "predicted_label": 0}, read), gold_in({"id": "7", "label": 2}, read)
    (<Label.CONTRADICTION: 'contradiction'>, None)
    """
    if not find_column(fields, PREDICTED) and not score_column(fields):
        return None  # the label is the answer
    column = usual_column(tuple(fields), "label").column
    try:
        return label(fields[column], question_of(column)) if column else None
    except UnknownLabelError:
        return None


def _name_answer(fields: Mapping[str, Any]) -> str:
    """The id of an answer, or one made from its two texts."""
    if not find_column(fields, IDS):
        columns = tuple(fields)
        premise, hypothesis = (usual_column(columns, field).column for field in ("premise", "hypothesis"))
        if premise and hypothesis:
            return BY_TEXT + text_digest(str(fields[premise]), str(fields[hypothesis]))
    return str(column_of(fields, IDS, "id"))


def scored_in(fields: Mapping[str, Any], column: str, *, name: str, threshold: float) -> Prediction:
    """The answer in a row with a support score; a label next to it is the right answer, not the model's."""
    try:
        return Answer.scored(support_score(fields[column]), threshold=threshold).to(name)
    except ModelError as error:
        raise BadRecordError(
            f"the {column}{_of(name)}: {error}",
            hint="Leave the line out to leave a case unanswered; apply a sigmoid to scores of any size first.",
        ) from error


def _refuse_improbable(name: str, answer: Label, shares: Mapping[Label, float]) -> None:
    """Stop if label and probabilities disagree; if only one of them has three labels, both are compared as two."""
    most = max(shares.values())
    best = [label for label, share in shares.items() if share == most]
    is_binary = Label.NON_ENTAILMENT in (answer, *best) and answer not in shares
    if answer not in best and not (is_binary and TWO_LABELS.read(answer) in map(TWO_LABELS.read, best)):
        raise BadRecordError(
            f"the answer{_of(name, 'to')} is {answer}, but its most probable label is {best[0]}",
            detail=", ".join(f"{label} {share:g}" for label, share in shares.items()),
            hint="Leave out the label to use the most probable one, or leave out the probabilities.",
        )


def _of(name: str, word: str = "of") -> str:
    """The id of an answer, after a word; empty if the answer has none."""
    return "" if not name or name.startswith(BY_TEXT) else f" {word} {name!r}"


def probabilities_of(fields: Mapping[str, Any], label: LabelReader) -> dict[Label, float] | None:
    """The probability of each label: an object of labels, a list by number, or one column per label; None if absent."""
    listed = find_column(fields, LISTED)
    if listed and isinstance(fields[listed], list):
        return _read_listed(fields[listed], listed, label)
    given = fields.get(PROBABILITIES)
    if given is None:
        given = {name: fields[name] for name in Label if name in fields}
    if not given:
        return None
    try:
        shares = {known: float(share) for name, share in given.items() if (known := label(name)) is not None}
    except (AttributeError, TypeError, ValueError, OverflowError) as error:
        raise BadRecordError("probabilities that are not numbers", detail=repr(given)[:60]) from error
    if not all(0 <= share <= 1 for share in shares.values()) or abs(sum(shares.values()) - 1) > TOLERANCE:
        raise BadRecordError(
            "probabilities that do not add up to 1",
            detail=repr(given)[:80],
            hint="Apply a softmax to scores first, and include every label.",
        )
    return {known: shares[known] for known in Label if known in shares}


def _read_listed(scores: list[Any], column: str, label: LabelReader) -> dict[Label, float] | None:
    """Scores in the order of the label numbers, as probabilities; none if two numbers mean the same label.

    Their sum could then exceed the highest score, which is the one that the answer follows.
    """
    try:
        numbers = [float(score) for score in scores]
    except (TypeError, ValueError, OverflowError) as error:
        raise BadRecordError(f"{column} that are not numbers", detail=repr(scores)[:60]) from error
    if not numbers or not all(map(math.isfinite, numbers)):
        raise BadRecordError(f"{column} without a finite number for each label", detail=repr(scores)[:60])
    if len(numbers) < len(NUMBERS) and not label.own:
        raise BadRecordError(
            f"{len(numbers)} {column}: it is unclear which of them is entailment",
            hint="Say it: --labels 0=entailment,1=non-entailment, or the reverse.",
        )
    if min(numbers) < 0 or abs(sum(numbers) - 1) > TOLERANCE:
        most = max(numbers)
        powers = [math.exp(number - most) for number in numbers]
        numbers = [power / sum(powers) for power in powers]
    meant = [label(str(index)) for index in range(len(numbers))]
    if None in meant or len(set(meant)) < len(meant):
        return None
    shares = dict(zip(meant, numbers, strict=True))
    return {known: round(shares[known], DECIMALS) for known in Label if known in shares}


def find_column(fields: Mapping[str, Any], names: Names) -> str:
    """The first column of a row with one of these names, whatever its case; empty if there is none."""
    return _find_name(tuple(fields), names)


@lru_cache(maxsize=256)
def _find_name(columns: tuple[str, ...], names: Names) -> str:
    return next(iter(named_columns(columns, names)), "")


def column_of(fields: Mapping[str, Any], names: Names, what: str) -> Any:
    """The value in the first of these columns that a row has."""
    if found := find_column(fields, names):
        return fields[found]
    there = ", ".join(map(repr, fields))
    raise BadRecordError(
        f"no column with the {what}",
        detail=f"there are {there}{did_you_mean(names[0], fields)}",
        hint=f"Call it {' or '.join(names)}.",
    )
