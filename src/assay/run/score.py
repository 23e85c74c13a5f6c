"""Scoring answers that were made elsewhere."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, Protocol

import msgspec

from assay.core.case import Case, Recipe, case_from
from assay.core.edit import Edit
from assay.core.errors import BadInputError, BadRecordError, did_you_mean
from assay.core.estimate import Estimate
from assay.core.label import LabelReader
from assay.core.pair import Pair
from assay.core.prediction import Prediction
from assay.core.protocols import Row
from assay.corpora.containers import opened
from assay.corpora.source import streams
from assay.corpora.table import Fault
from assay.evaluate.accuracy import Accuracy

IDS = ("id", "pairID", "case", "uid")
ANSWERS = ("prediction", "predicted", "label", "gold_label")
"""Columns that hold the answer; the HANS format calls it gold_label."""

EXAMPLES = 3

Missing = Literal["stop", "wrong", "drop"]


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of a file of answers, and how well it fits the cases."""

    cases: int
    """Cases of the suite or corpus."""
    answered: int
    """Cases with an answer."""
    missing: int
    """Cases without one."""
    missing_counted: Missing
    """What was done about them."""
    unknown: int
    """Answers to no case of this suite or corpus."""
    estimates: tuple[Estimate, ...]
    """Every figure."""


class Cases(Protocol):
    """A suite, or anything else that gives cases."""

    def __iter__(self) -> Iterator[Case]: ...


def pairs_as_cases(pairs: Iterator[Pair]) -> Iterator[Case]:
    """The pairs of a corpus as cases, under their own ids."""
    recipe = Recipe(transform="original/v1", seed=0)
    for pair in pairs:
        yield msgspec.structs.replace(case_from(pair, Edit(), family="original", recipe=recipe), id=pair.id)


def score_answers(
    cases: Cases | Iterator[Case], path: str | Path, *, labels: Mapping[str, str], missing: Missing = "stop"
) -> Score:
    """Join answers to cases by id, and measure."""
    answers = read_predictions(str(path), labels=labels)
    known = len(answers)
    board = Accuracy(model=Path(path).name)
    total = used = 0
    without: list[str] = []
    count_without = 0
    for case in cases:
        total += 1
        answer = answers.pop(case.id, None)
        if answer is not None:
            used += 1
        else:
            count_without += 1
            without += [case.id] if len(without) < EXAMPLES else []
            if missing == "drop":
                continue
        board.add(case, answer)
    if not used:
        example = next(iter(answers), "")
        raise BadInputError(
            f"none of its {known:,} ids is among the {total:,} cases: it answers another suite (its first id is {example!r}, a case's is {without[0]!r})"
            if without
            else "there is no case to score",
            where=str(path),
        )
    if count_without and missing == "stop":
        raise BadInputError(
            f"no answer for {count_without:,} of {total:,} cases, such as {', '.join(map(repr, without))}",
            where=str(path),
            hint="Count them as wrong with --missing wrong, or leave them out with --missing drop.",
        )
    return Score(
        cases=total,
        answered=used,
        missing=count_without,
        missing_counted=missing,
        unknown=len(answers),
        estimates=tuple(board.estimates()),
    )


def read_predictions(path: str, *, labels: Mapping[str, str]) -> dict[str, Prediction]:
    """Answers by id, from JSON lines, csv or tsv."""
    reader = LabelReader(labels)
    found: dict[str, Prediction] = {}
    repeated: Counter[str] = Counter()
    for stream in streams(path):
        with opened(stream, encoding="utf-8") as table:
            if table is None:
                raise BadInputError("empty: there is no answer in it", where=stream.where)
            for row in table.rows:
                try:
                    if isinstance(row, Fault):
                        raise row.error
                    prediction = _prediction(row, reader)
                except BadRecordError as error:
                    raise BadInputError(str(error), where=f"{stream.where}:{row.number}", hint=error.hint) from error
                if prediction.id in found:
                    repeated[prediction.id] += 1
                found[prediction.id] = prediction
    if repeated:
        raise BadInputError(
            f"{len(repeated):,} ids are answered more than once, such as {next(iter(repeated))!r}",
            where=path,
            hint="Keep one answer an id.",
        )
    return found


def _prediction(row: Row, label: LabelReader) -> Prediction:
    answer = label(_column(row.fields, ANSWERS, "answer"))
    if answer is None:
        raise BadRecordError("no label in the answer", hint="Leave the line out to leave a case unanswered.")
    return Prediction(id=str(_column(row.fields, IDS, "id")), label=answer)


def _column(fields: Mapping[str, Any], names: tuple[str, ...], what: str) -> Any:
    for name in names:
        if name in fields:
            return fields[name]
    there = ", ".join(map(repr, fields))
    raise BadRecordError(
        f"no column with the {what}",
        detail=f"there are {there}{did_you_mean(names[0], fields)}",
        hint=f"Call it {' or '.join(names)}.",
    )
