"""Scoring answers that were made elsewhere."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Literal, NamedTuple, Protocol

import msgspec

from assay.bench.ask.answer_files import EXAMPLES, read_predictions
from assay.bench.ask.gold_check import GoldCheck
from assay.bench.ask.matching import Answers, by_text
from assay.bench.shards import in_batches
from assay.bench.stored import AT_ONCE, unparted
from assay.core.case import Case, Recipe, case_from
from assay.core.errors import BadInputError
from assay.core.label import Label, LabelReader, in_two
from assay.core.options import option
from assay.core.pair import Pair
from assay.core.prediction import THRESHOLD, Prediction
from assay.core.results.estimate import Estimate
from assay.core.results.judgement import Judgement
from assay.core.results.support import SupportCurve
from assay.core.suite import Origin
from assay.evaluate.board import Board
from assay.evaluate.collapse import Collapse
from assay.evaluate.count.columns import Encoder, answer_columns, answer_row
from assay.evaluate.judge.verdict import judge
from assay.stress.original import as_it_is

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
    gold_differs: int = 0
    """Cases whose right label is another one in the file of answers; that of the suite or corpus is used."""
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
    two_way: bool | None = None
    """Whether neutral and contradiction count as one label; None means that they do if answers are support scores."""
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
    """Join answers to cases by id, by the pair's id if a case is the pair itself, or by texts, and measure."""
    reader = LabelReader({**how.names, **labels}, needed=True, usual=True)
    gold: dict[str, Label] = {}
    answers = Answers(str(path), read_predictions(str(path), reader=reader, threshold=how.threshold, gold=gold))
    check = GoldCheck(gold, suite, two_way=bool(how.two_way))
    score = measured(check.joined(cases, answers), path, name=Path(path).name, suite=suite, how=how)
    if not score.answered:
        example = next(iter(answers.given))
        said = "the answers have no ids, and no texts are equal" if by_text(example) else f"its first id is {example!r}"
        raise BadInputError(
            f"none of its {answers.unused:,} answers belongs to one of the {score.cases:,} cases; {said}",
            where=str(path),
            hint="It belongs to another suite or corpus.",
        )
    notes = tuple(filter(None, (reader.note, check.note)))
    return msgspec.structs.replace(score, unknown=answers.unused, gold_differs=check.differ, notes=notes)


def measured(
    joined: Iterator[tuple[Case, Prediction | None]],
    path: str | Path,
    *,
    name: str,
    suite: str,
    how: Judging,
) -> Score:
    """Measure cases that come with their answers; `path` is where the answers come from, for errors."""
    joined, first = _with_first(joined)
    two_way = bool(first and first.threshold is not None) if how.two_way is None else how.two_way
    encoder = Encoder(two_way=two_way)
    board = Board([name], suite=suite, encoder=encoder, collapse=how.collapse)
    counts = _Counts(joined)
    counted = (each for each in counts if each[1] is not None or how.missing != "drop")
    labels: dict[str, Counter[str]] = {}
    batches = (list(map(list, zip(*batch, strict=True))) for batch in in_batches(counted, AT_ONCE))
    for cases, answers in unparted(batches, lambda case: case.root):
        said = [None if answer is None else answer_row(answer) for answer in answers]
        board.add(encoder.cases(cases), answer_columns([said]))
        for case in cases:
            labels.setdefault(case.family, Counter())[case.compared_with.value] += 1
    total, answered = counts.total, counts.answered
    if 0 < answered < total and how.missing == "stop":
        raise BadInputError(
            f"no answer for {total - answered:,} of {total:,} cases, such as {', '.join(map(repr, counts.without))}",
            where=str(path),
            hint=f"Count them as wrong with {option('missing', 'wrong')}, or leave them out with "
            f"{option('missing', 'drop')}.",
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
        judgement=judge(estimates, {suite: in_two(labels) if two_way else labels}),
        two_way=two_way,
        names=dict(how.names),
    )


def _with_first(
    joined: Iterator[tuple[Case, Prediction | None]],
) -> tuple[Iterator[tuple[Case, Prediction | None]], Prediction | None]:
    """Cases with their answers, and the first answer of all."""
    seen: list[tuple[Case, Prediction | None]] = []
    for each in joined:
        seen.append(each)
        if each[1] is not None:
            break
    return chain(seen, joined), seen[-1][1] if seen else None


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
