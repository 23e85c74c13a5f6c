"""Scoring one file that holds gold labels and answers."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from assay.bench.ask.answer_files import (
    LISTED,
    PREDICTED,
    answer_in,
    column_of,
    located,
    read_rows,
    score_column,
    scored_in,
)
from assay.bench.judge.number_evidence import NumberEvidence
from assay.bench.judge.score import Judging, Score, measured, pair_as_case
from assay.core.case import Case
from assay.core.errors import BadInputError, BadRecordError
from assay.core.label import Label, LabelReader, are_two
from assay.core.pair import Pair
from assay.core.prediction import Prediction
from assay.core.protocols import Row
from assay.corpora.formats.columns import question_of, usual_column
from assay.corpora.formats.stress_tests import released_test

SUBMISSION = "submission"
"""The family of lines that don't say which released test they belong to."""

GOLD = ("gold_label", "label")


class Judged(NamedTuple):
    """A line that also holds the gold label."""

    gold: Label
    """The right answer."""
    answer: Prediction | None
    """The answer given, if any."""
    source: str
    """Which test it belongs to; empty if the line does not say."""


def score_submission(path: str | Path, *, labels: Mapping[str, str], how: Judging) -> Score:
    """Measure a file that holds both gold labels and answers, by the source that each line names.

    A line belongs to the family of its source, or to the family `submission` if its source is not a released test.
    """
    reader = LabelReader(labels, usual=True)
    evidence = NumberEvidence()
    lines = [*read_rows(str(path), lambda row: _judged(row, reader, evidence, how.threshold))]
    if unclear := reader.ambiguity("of its labels"):
        raise BadInputError(str(unclear), where=str(path), hint=unclear.hint)
    if how.two_way is None and are_two({each.gold for _, each in lines}):
        how = how._replace(two_way=True)

    def joined() -> Iterator[tuple[Case, Prediction | None]]:
        for where, (gold, answer, source) in lines:
            group = {"source": source} if source else {}
            case = pair_as_case(Pair(id=where, premise="", hypothesis="", label=gold, group=group))
            family, variant = released_test(source) or (SUBMISSION, "")
            case = msgspec.structs.replace(case, family=family, variant=variant)
            yield case, msgspec.structs.replace(answer, id=case.id) if answer else None

    name = Path(path).name
    score = measured(joined(), path, name=name, suite=name, how=how)
    if not score.cases:
        raise BadInputError("empty: it has no answers", where=str(path))
    if not score.answered:
        raise BadInputError(
            f"none of its {score.cases:,} lines has a prediction",
            where=str(path),
            hint="To score it against a suite or a corpus, put that first: assay score SUITE|CORPUS PREDICTIONS.",
        )
    return msgspec.structs.replace(score, names=reader.names, notes=tuple(evidence.notes(reader)))


def _judged(row: Row, label: LabelReader, evidence: NumberEvidence, threshold: float) -> Judged:
    fields = row.fields
    column = usual_column(tuple(fields), "label").column
    given = fields[column] if column else column_of(fields, GOLD, "gold label")
    gold = label(given, question_of(column) if column else None)
    if gold is None:
        raise BadRecordError("no gold label", hint="It can't be scored without one: leave the line out.")
    answer = _answer(fields, label, threshold)
    evidence.add(fields, gold=given, answered=answer is not None)
    return Judged(gold, answer, str(fields.get("source") or ""))


def _answer(fields: Mapping[str, Any], label: LabelReader, threshold: float) -> Prediction | None:
    told = located(fields, PREDICTED)
    if not told and (column := score_column(fields)):
        return scored_in(fields, column, name="", threshold=threshold)
    if not told and not located(fields, LISTED):
        return None
    if told and label(fields[told]) is None:
        return None
    return answer_in(fields, label, name="", columns=PREDICTED)
