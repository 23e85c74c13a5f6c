"""Scoring answers that were made elsewhere."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Literal, NamedTuple, Protocol

import msgspec

from assay.bench.ask.answer_files import ANSWER, EXAMPLES, column_of, read_predictions, read_rows
from assay.bench.ask.matching import Answers
from assay.bench.shards import in_batches
from assay.bench.stored import AT_ONCE, unparted
from assay.core.case import Case, Recipe, case_from
from assay.core.errors import BadInputError, BadRecordError
from assay.core.label import Label, LabelReader, in_two
from assay.core.pair import Pair
from assay.core.prediction import THRESHOLD, Prediction
from assay.core.protocols import Row
from assay.core.results.estimate import Estimate
from assay.core.results.judgement import Judgement
from assay.core.results.support import SupportCurve
from assay.core.suite import Origin
from assay.corpora.formats.stress_tests import released_test
from assay.evaluate.board import Board
from assay.evaluate.collapse import Collapse
from assay.evaluate.count.columns import Encoder, answer_columns, answer_row
from assay.evaluate.judge.verdict import judge
from assay.stress.original import as_it_is

SUBMISSION = "submission"
"""The family of lines that don't say which released test they belong to."""

GOLD = ("gold_label", "label")

Missing = Literal["stop", "wrong", "drop"]


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of a file of answers, and how well it matches the cases."""

    cases: int
    """Cases of the suite or corpus."""
    answered: int
    """Cases with an answer."""
    missing: int
    """Cases without one."""
    missing_counted: Missing
    """What was done about them."""
    unknown: int
    """Answers that belong to no case of this suite or corpus."""
    estimates: tuple[Estimate, ...]
    """Every figure."""
    judgement: Judgement
    """What the figures amount to: losses, findings and a verdict."""
    support: tuple[SupportCurve, ...] = ()
    """The threshold curves, if there are probabilities and cases are judged by two labels."""
    notes: tuple[str, ...] = ()
    """What a careful user should know about the answers that were read."""
    suites: dict[str, Origin] = {}
    """Where the cases come from, by the name of suite or corpus; empty if the file does not say."""
    two_way: bool = False
    """Whether neutral and contradiction count as one label, in cases and answers."""
    names: dict[str, str] = {}
    """The user's own names for labels, each with our name."""


class Judging(NamedTuple):
    """How answers are judged."""

    missing: Missing = "stop"
    """What to do about cases without an answer."""
    collapse: Collapse = "argmax"
    """How three-way answers are read if cases have two labels."""
    two_way: bool = False
    """Whether neutral and contradiction count as one label, in cases and answers."""
    names: Mapping[str, str] = MappingProxyType({})
    """The user's own names for labels, each with our name."""
    threshold: float = THRESHOLD
    """The support score from which an answer is entailment, if a file has scores."""


class Cases(Protocol):
    """A suite, or any other iterable of cases."""

    def __iter__(self) -> Iterator[Case]: ...


AS_IT_IS = Recipe(transform="original/v1", seed=0)


def pair_as_case(pair: Pair) -> Case:
    """A pair of a corpus as a case of the family `original`, with the pair's id."""
    case = case_from(pair, as_it_is(pair), family="original", recipe=AS_IT_IS)
    return msgspec.structs.replace(case, id=pair.id)


def score_answers(
    cases: Cases | Iterator[Case],
    path: str | Path,
    *,
    suite: str,
    labels: Mapping[str, str],
    how: Judging,
) -> Score:
    """Join answers to the cases of a suite by id, or by the pair's id if a case is the pair itself, and measure."""
    reader = LabelReader({**how.names, **labels}, needed=True)
    answers = Answers(str(path), read_predictions(str(path), reader=reader, threshold=how.threshold))
    joined = ((case, answers.to(case)) for case in cases)
    score = measured(joined, path, name=Path(path).name, suite=suite, how=how)
    if not score.answered:
        example = next(iter(answers.given))
        raise BadInputError(
            f"none of its {answers.unused:,} answers belongs to one of the {score.cases:,} cases; "
            f"its first id is {example!r}",
            where=str(path),
            hint="It belongs to another suite or corpus.",
        )
    return msgspec.structs.replace(score, unknown=answers.unused, notes=_notes(reader))


def score_submission(path: str | Path, *, labels: Mapping[str, str], how: Judging) -> Score:
    """Measure a file that holds both gold labels and answers, by the source that each line names.

    A line belongs to the family of its source, or to the family `submission` if its source is not a released test.
    """
    reader = LabelReader(labels)

    def joined() -> Iterator[tuple[Case, Prediction | None]]:
        for where, (gold, answer, source) in read_rows(str(path), lambda row: _judged(row, reader)):
            group = {"source": source} if source else {}
            case = pair_as_case(Pair(id=where, premise="", hypothesis="", label=gold, group=group))
            family, variant = released_test(source) or (SUBMISSION, "")
            case = msgspec.structs.replace(case, family=family, variant=variant)
            yield case, Prediction(id=case.id, label=answer) if answer else None

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
    return msgspec.structs.replace(score, notes=_notes(reader))


def _notes(reader: LabelReader) -> tuple[str, ...]:
    return (reader.note,) if reader.note else ()


def measured(
    joined: Iterator[tuple[Case, Prediction | None]],
    path: str | Path,
    *,
    name: str,
    suite: str,
    how: Judging,
) -> Score:
    """Measure cases that come with their answers; `path` is where the answers come from, for errors."""
    encoder = Encoder(two_way=how.two_way)
    board = Board([name], suite=suite, encoder=encoder, collapse=how.collapse)
    counts = _Counts(joined)
    counted = (each for each in counts if each[1] is not None or how.missing != "drop")
    labels: dict[str, Counter[str]] = {}
    batches = (list(map(list, zip(*batch, strict=True))) for batch in in_batches(counted, AT_ONCE))
    for cases, answers in unparted(batches, lambda case: case.root):
        said = [None if answer is None else answer_row(answer) for answer in answers]
        board.add(encoder.cases(cases), answer_columns([said]))
        for case in cases:
            labels.setdefault(case.family, Counter())[case.label.value] += 1
    total, answered = counts.total, counts.answered
    if 0 < answered < total and how.missing == "stop":
        raise BadInputError(
            f"no answer for {total - answered:,} of {total:,} cases, such as {', '.join(map(repr, counts.without))}",
            where=str(path),
            hint="Count them as wrong with --missing wrong, or leave them out with --missing drop.",
        )
    estimates = tuple(board.estimates())
    return Score(
        cases=total,
        answered=answered,
        missing=total - answered,
        missing_counted=how.missing,
        unknown=0,
        estimates=estimates,
        support=tuple(board.curves()),
        judgement=judge(estimates, {suite: in_two(labels) if how.two_way else labels}),
        two_way=how.two_way,
        names=dict(how.names),
    )


class _Counts:
    """Cases with their answers, counted in the process."""

    def __init__(self, joined: Iterator[tuple[Case, Prediction | None]]) -> None:
        self._joined = joined
        self.total = 0
        self.answered = 0
        self.without: list[str] = []
        """A few cases that have no answer."""

    def __iter__(self) -> Iterator[tuple[Case, Prediction | None]]:
        for case, answer in self._joined:
            self.total += 1
            if answer is not None:
                self.answered += 1
            elif len(self.without) < EXAMPLES:
                self.without.append(case.id)
            yield case, answer


class Judged(NamedTuple):
    """A line that also holds the gold label."""

    gold: Label
    """The right answer."""
    answer: Label | None
    """The answer given, if any."""
    source: str
    """Which test it belongs to; empty if the line does not say."""


def _judged(row: Row, label: LabelReader) -> Judged:
    gold = label(column_of(row.fields, GOLD, "gold label"))
    if gold is None:
        raise BadRecordError("no gold label", hint="It can't be scored without one: leave the line out.")
    answer = label(row.fields[ANSWER]) if ANSWER in row.fields else None
    return Judged(gold, answer, str(row.fields.get("source") or ""))
