"""Scoring answers that were made elsewhere."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

import msgspec

from assay.core.case import ORIGINAL, THRESHOLD, Case, Prediction
from assay.core.dataframes import ShownTable, TableRecord, share
from assay.core.errors import BadInputError, UserError
from assay.core.estimate import Estimate, SupportCurve, find
from assay.core.judgement import Judgement
from assay.core.label import Label, LabelReader
from assay.core.label_space import THREE_LABELS, LabelledRecord, LabelSpace
from assay.core.manifest import CaseSource
from assay.core.protocols import Learner
from assay.core.registry import option
from assay.evaluate.case_columns import Encoder, answer_columns, answer_row
from assay.evaluate.suite_metrics import SuiteMetrics
from assay.evaluate.verdict import judge_estimates
from assay.reports.formatting import interval
from assay.run.predict.answer_checks import DirectionCheck, answer_cases
from assay.run.predict.answer_files import EXAMPLES, read_predictions
from assay.run.predict.model_names import ModelLike, is_model, keep_open, resolve_models
from assay.run.predict.windows import WindowedModel, Windows
from assay.run.stored_run import AT_ONCE, recut
from assay.run.workers.pool import BATCH, in_batches
from assay.score.answer_matching import GoldCheck, MatchedAnswers, by_text

Missing = Literal["stop", "wrong", "drop"]


class Score(TableRecord, LabelledRecord, frozen=True, kw_only=True):
    """The numbers of a file of answers, and how well it matches the cases."""

    cases: int
    answered: int
    missing: int
    missing_counted: Missing  # the treatment of missing answers
    unknown: int  # answers that belong to no case of this suite or corpus
    estimates: tuple[Estimate, ...]
    judgement: Judgement  # losses, findings and a verdict
    support: tuple[SupportCurve, ...] = ()
    """The threshold curves, if there are probabilities and cases are judged by two labels."""
    notes: tuple[str, ...] = ()  # notes for the user about the answers that were read
    gold_differs: int = 0
    """Cases whose right label is another one in the file of answers; that of the suite or corpus is used."""
    suites: dict[str, CaseSource] = msgspec.field(default_factory=dict)
    """Where the cases come from, by the name of suite or corpus; empty if the file does not say."""

    def _tables(self, *, brief: bool) -> list[ShownTable]:  # noqa: ARG002 - it is small everywhere
        """Accuracy by family, with the ROC-AUC if there are scores."""
        places = "suite", "family"
        areas = find(self.estimates, "roc-auc", places)
        rows = []
        for place, e in find(self.estimates, "accuracy", places).items():
            area = [share(areas[place].value if place in areas else None)] if areas else []
            rows.append([*place, share(e.value), interval(e), *area, e.n])
        caption = f"{self.answered:,} of {self.cases:,} cases answered; accuracy in %"
        ranked = ["ROC-AUC"] if areas else []
        return [ShownTable(caption, ["suite", "family", "accuracy", "95% interval", *ranked, "cases"], rows)]


class Judging(NamedTuple):
    missing: Missing = "stop"
    space: LabelSpace = THREE_LABELS
    by_scores: bool = True  # True if answers that are support scores mean two labels
    threshold: float = THRESHOLD  # the support score from which an answer is entailment, if a file has scores


def score_answers(
    cases: Iterable[Case], path: str | Path, *, suite: str, labels: Mapping[str, str], how: Judging
) -> Score:
    """Join answers to cases by id, by the pair's id if a case is the pair itself, or by texts, and measure."""
    reader = LabelReader({**how.space.names, **labels}, needed=True, usual=True)
    gold: dict[str, Label] = {}
    answers = MatchedAnswers(str(path), read_predictions(str(path), reader=reader, threshold=how.threshold, gold=gold))
    check = GoldCheck(gold, suite, how.space)
    score = measure_cases(check.joined(cases, answers), path, name=Path(path).name, suite=suite, how=how)
    if not score.answered:
        example = next(iter(answers.given))
        said = "the answers have no ids, and no texts are equal" if by_text(example) else f"its first id is {example!r}"
        raise BadInputError(
            f"none of its {answers.unused:,} answers belongs to one of the {score.cases:,} cases; {said}",
            where=str(path),
            hint="The file probably belongs to another suite or corpus.",
        )
    notes = tuple(filter(None, (reader.note, check.note)))
    return msgspec.structs.replace(
        score, unknown=answers.unused, gold_differs=0 if check.beside_scores else check.differ, notes=notes
    )


def measure_cases(
    joined: Iterator[tuple[Case, Prediction | None]], path: str | Path, *, name: str, suite: str, how: Judging
) -> Score:
    """Measure cases that come with their answers; `path` is where the answers come from, for errors."""
    seen: list[tuple[Case, Prediction | None]] = []  # up to the first answer
    for each in joined:
        seen.append(each)
        if each[1] is not None:
            break
    first = seen[-1][1] if seen else None
    scored = how.by_scores and first is not None and first.threshold is not None
    space = how.space.resize(True) if scored else how.space
    encoder = Encoder(space)
    board = SuiteMetrics([name], suite=suite, encoder=encoder)
    labels: dict[str, Counter[str]] = {}
    total, missing, examples = 0, 0, list[str]()
    batches = (list(map(list, zip(*batch, strict=True))) for batch in in_batches(chain(seen, joined), AT_ONCE))
    for cases, answers in recut(batches, lambda case: case.root):
        without = [case.id for case, answer in zip(cases, answers, strict=True) if answer is None]
        total, missing, examples = total + len(cases), missing + len(without), [*examples, *without][:EXAMPLES]
        kept = [place for place, answer in enumerate(answers) if answer is not None or how.missing != "drop"]
        if not kept:
            continue
        said = [None if (answer := answers[place]) is None else answer_row(answer) for place in kept]
        board.add(encoder.cases([cases[place] for place in kept]), answer_columns([said]))
        for place in kept:
            labels.setdefault(cases[place].family, Counter())[cases[place].compared_with.value] += 1
    if 0 < missing < total and how.missing == "stop":
        raise BadInputError(
            f"no answer for {missing:,} of {total:,} cases, such as {', '.join(map(repr, examples))}",
            where=str(path),
            hint=f"Count them as wrong with {option('missing', 'wrong')}, or leave them out with "
            f"{option('missing', 'drop')}.",
        )
    estimates = tuple(board.estimates())
    return Score(
        cases=total,
        answered=total - missing,
        missing=missing,
        missing_counted=how.missing,
        unknown=0,
        estimates=estimates,
        support=tuple(board.curves()),
        judgement=judge_estimates(estimates, {suite: space.count(labels)}),
        **space.stored(),
    )


NAME = "predictions"  # the model's name for predictions that come without a model


def score_given(
    cases: Iterator[Case],
    given: str | ModelLike | Iterable[Prediction],
    *,
    suite: str,
    how: Judging,
    windows: Windows | None = None,
) -> Score:
    """Join predictions to cases by id, or run the model on each case, and measure."""
    if isinstance(given, str) or is_model(given):
        names, objects = resolve_models([given])
        if len(names) > 1:
            raise UserError(f"{given} names {len(names)} models.\n  Name one of them: {names[0]}.")
        name = names[0]
        with keep_open(name, objects.get(name), how.space.names) as model:
            check = DirectionCheck(name, model)
            score = measure_cases(
                _answer_cases(cases, name, model, windows, check), name, name=name, suite=suite, how=how
            )
            return msgspec.structs.replace(score, notes=(*score.notes, *filter(None, [check.conclude()])))
    answers = _by_id(cast("Iterable[Prediction]", given))
    joined = ((case, answers.pop(case.id, None)) for case in cases)
    score = measure_cases(joined, NAME, name=NAME, suite=suite, how=how)
    if not score.answered:
        raise UserError(
            f"None of the predictions is about one of the {score.cases:,} cases; "
            f"the first id is {next(iter(answers), '')!r}."
        )
    return msgspec.structs.replace(score, unknown=len(answers))


def _by_id(given: Iterable[Prediction]) -> dict[str, Prediction]:
    answers: dict[str, Prediction] = {}
    if not isinstance(given, Iterable):
        raise UserError(f"Predictions must be a file, a model or an iterable, not {type(given).__name__}.")
    for each in given:
        if not isinstance(each, Prediction):
            raise UserError(
                f"Scoring needs predictions, but one has type {type(each).__name__}.\n"
                "  Make them with assay.Prediction(id=..., label=...), or pass a model or a file."
            )
        if each.id in answers:
            raise UserError(f"Two predictions are about {each.id!r}: give one per case.")
        answers[each.id] = each
    return answers


def _answer_cases(
    cases: Iterable[Case], name: str, model: Any, windows: Windows | None, check: DirectionCheck
) -> Iterator[tuple[Case, Prediction | None]]:
    if isinstance(model, Learner):
        cases = list(cases)
        model = model.fit(case for case in cases if case.family == "original")
    model = WindowedModel(model, windows) if windows else model
    for batch in in_batches(cases, BATCH):
        for case, answer in zip(batch, answer_cases(batch, name, model), strict=True):
            if case.family == ORIGINAL and case.label:
                check.add(case.label, case.premise, answer)
            yield case, answer
