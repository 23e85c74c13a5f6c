"""Score answers without a run: files, Python objects, or one file with gold labels and answers."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec

from assay.core import registry
from assay.core.case import SUBMISSION, THRESHOLD, Case, Prediction
from assay.core.errors import BadInputError, BadRecordError, UserError
from assay.core.label import NUMBERS, Label, LabelReader, own_names
from assay.core.label_space import Collapse, LabelOptions, LabelSpace, merged_names
from assay.core.manifest import CaseSource
from assay.core.option_fields import OptionInfo, takes_options
from assay.core.pair import Pair
from assay.core.protocols import Row
from assay.corpora.evaluation_logs.log_fields import TEST
from assay.corpora.formats.pairs import LOOSE, USUAL, named_columns, question_of, usual_column
from assay.corpora.formats.test_suites import released_test
from assay.corpora.in_memory import store_pairs
from assay.corpora.reader import corpus_of
from assay.run.api import is_suite
from assay.run.measure import AS_IT_IS, pair_as_case
from assay.run.predict.answer_files import (
    LISTED,
    PREDICTED,
    answer_in,
    column_of,
    find_column,
    read_rows,
    score_column,
    scored_in,
)
from assay.run.predict.model_names import ModelLike, is_model_name
from assay.run.predict.windows import Windows
from assay.run.run_options import COLLAPSE
from assay.score.score_answers import Judging, Missing, Score, measure_cases, score_answers, score_given
from assay.storage.suite import Suite


class NumberEvidence:
    """Counts evidence for and against reading 0, 1, 2 as entailment, neutral, contradiction.

    >>> evidence = NumberEvidence()
    >>> evidence.add({"label": 0, "predicted_label": 0, "predicted_scores": [3, 1, 0]}, gold=0, answered=True)
    >>> read = LabelReader()
    >>> label = read(0)
    >>> evidence.notes(read)[1]
    'gold labels by number: 0 (1); answers by number: 0 (1)'
    """

    def __init__(self) -> None:
        self._gold: Counter[str] = Counter()
        self._answers: Counter[str] = Counter()
        self._lines = self._with_scores = 0
        self._scores = ""

    def add(self, fields: Mapping[str, Any], *, gold: object, answered: bool) -> None:
        """Count a line; an answer that contradicts its own scores has been refused before."""
        self._gold[str(gold).strip()] += 1
        told, listed = find_column(fields, PREDICTED), find_column(fields, LISTED)
        if answered and told:
            self._answers[str(fields[told]).strip()] += 1
            self._lines += 1
            if listed and isinstance(fields[listed], list):
                self._with_scores += 1
                self._scores = listed

    def notes(self, reader: LabelReader) -> list[str]:
        """Notes about how labels were read and, for numbers without names, what the file shows about them."""
        found = [reader.note] if reader.note else []
        if not reader.numbers:
            return found
        counted = f"gold labels by number: {_counts(self._gold)}"
        found.append(f"{counted}; answers by number: {_counts(self._answers)}" if self._answers else counted)
        if self._with_scores:
            lines = f"all {self._lines:,}" if self._lines == self._with_scores else f"{self._with_scores:,}"
            found.append(
                f"in {lines} lines, the highest of {self._scores} is the one with the number of the answer, "
                "so scores and labels have the same order"
            )
        if set(self._gold) <= {"0", "1"}:
            found.append(
                "no gold label is 2: if the set is two-way, use --labels 0=entailment,1=non-entailment,2=non-entailment"
            )
        elif set(self._gold) | set(self._answers) <= set(NUMBERS):
            found.append("accuracy over all labels does not depend on what the numbers mean; numbers by label do")
        return found


def _counts(found: Counter[str]) -> str:
    return ", ".join(f"{value} ({n:,})" for value, n in sorted(found.items()))


class SubmittedLine(NamedTuple):
    """A line that also holds the gold label."""

    gold: Label
    answer: Prediction | None
    source: str  # the test that it names; empty if the line does not say
    test: tuple[str, str] | None  # family and variant, if it is from a released test or an exported suite
    premise: str  # empty if the line does not have it


def score_submission(path: str | Path, *, labels: Mapping[str, str], how: Judging) -> Score:
    """Measure a file that holds both gold labels and answers, by the source that each line names.

    A line belongs to the family of its source or of the exported suite that it is from, or else to the family
    `submission`.
    Lines that share a premise are one cluster, and a line without a premise is a cluster of its own.
    """
    reader = LabelReader(labels, usual=True)
    evidence = NumberEvidence()
    lines = [*read_rows(str(path), lambda row: _read_line(row, reader, evidence, how.threshold))]
    if unclear := reader.ambiguity("of its labels"):
        raise BadInputError(str(unclear), where=str(path), hint=unclear.hint)
    if how.by_scores and LabelSpace.of(each.gold for _, each in lines).is_binary:
        how = how._replace(space=how.space.resize(True))

    def joined() -> Iterator[tuple[Case, Prediction | None]]:
        for number, (where, (gold, answer, source, test, premise)) in enumerate(lines):
            group = {"source": source} if source else {}
            case = pair_as_case(Pair(id=where, premise=premise, hypothesis="", label=gold, group=group))
            family, variant = test or (SUBMISSION, "")
            cluster = case.cluster if premise else str(number)
            case = msgspec.structs.replace(case, family=family, variant=variant, cluster=cluster)
            yield case, msgspec.structs.replace(answer, id=case.id) if answer else None

    name = Path(path).name
    score = measure_cases(joined(), path, name=name, suite=name, how=how)
    if not score.cases:
        raise BadInputError("empty: it has no answers", where=str(path))
    if not score.answered:
        raise BadInputError(
            f"none of its {score.cases:,} lines has a prediction",
            where=str(path),
            hint="To score it against a suite or a corpus, put that first: assay score SUITE|CORPUS PREDICTIONS.",
        )
    return msgspec.structs.replace(score, names=reader.names, notes=tuple(evidence.notes(reader)))


def _read_line(row: Row, label: LabelReader, evidence: NumberEvidence, threshold: float) -> SubmittedLine:
    fields = row.fields
    column = usual_column(tuple(fields), "label").column
    given = fields[column] if column else column_of(fields, ("gold_label", "label"), "gold label")
    gold = label(given, question_of(column) if column else None)
    if gold is None:
        raise BadRecordError("no gold label", hint="It can't be scored without one: leave the line out.")
    answer = read_answer(fields, label, threshold)
    evidence.add(fields, gold=given, answered=answer is not None)
    premise = fields.get(_premise_column(tuple(fields)))
    source = str(fields.get("source") or "")
    exported = [fields.get(name) for name in TEST]
    test = (str(exported[0]), str(exported[1])) if None not in exported else released_test(source)
    return SubmittedLine(gold, answer, source, test, premise if isinstance(premise, str) else "")


@lru_cache(maxsize=256)
def _premise_column(columns: tuple[str, ...]) -> str:
    """The likeliest column of premises, used only for clusters; empty if there is none."""
    return next(iter(named_columns(columns, (*USUAL["premise"], *LOOSE["premise"]))), "")


def read_answer(fields: Mapping[str, Any], label: LabelReader, threshold: float) -> Prediction | None:
    """The prediction or score in a row; None if it has neither."""
    told = find_column(fields, PREDICTED)
    if not told and (column := score_column(fields)):
        return scored_in(fields, column, name="", threshold=threshold)
    if not told and not find_column(fields, LISTED):
        return None
    if told and label(fields[told]) is None:
        return None
    return answer_in(fields, label, name="", columns=PREDICTED)


class ScoreOptions(LabelOptions, frozen=True, kw_only=True):
    source: Any
    predictions: Any = None  # a file of answers, predictions, or a model: its name, an object or a function
    labels: Mapping[str, str] | None = None  # meaning of labels in both files
    missing: Annotated[Missing, OptionInfo("If a case has no answer: stop, count it as wrong, or drop it.")] = "stop"
    threshold: Annotated[
        float,
        OptionInfo(
            "If the file has support scores: the score from which an answer is entailment.", at_least=0, at_most=1
        ),
    ] = THRESHOLD
    collapse: Annotated[Collapse, COLLAPSE] = "argmax"
    windows: str = ""  # splits long premises for a model that runs now


@takes_options(ScoreOptions, "source", "predictions")
def score(options: ScoreOptions) -> Score:
    """Score answers against a suite or a corpus; nothing is stored.

    Predictions are a file, `Prediction`s with the ids of the pairs or cases, or a model by name, as an object or as a
    function, which runs now. Without them, the source must be a file that holds both gold labels and predictions.
    Answers can be judged by two labels as in `run`; `windows` is for a model that runs now, and `threshold` for files
    with support scores.

    >>> from assay import read
    >>> found = score(read("bundled", limit=30), lambda pairs: ["neutral"] * len(pairs))
    >>> next(each.value for each in found.estimates if each.name == "accuracy")
    0.3333333333333333
    """
    source, predictions, labels = options.source, options.predictions, options.labels
    own = own_names(labels or {})
    how = Judging(
        missing=options.missing,
        space=_judging_space(LabelSpace.of([], names=own), options),
        by_scores=options.two_way is None,
        threshold=options.threshold,
    )
    if predictions is None:
        if not isinstance(source, str | Path):
            raise UserError("There are no predictions to score.")
        return score_submission(source, labels=labels or {}, how=how)
    if isinstance(source, str | Path) and is_suite(source):
        source = Suite.open(source)
    if isinstance(source, Suite):
        cases, name = iter(source), source.folder.absolute().name
        manifest = source.manifest
        origin = CaseSource(source=manifest.source, recipes=manifest.recipes)
        names = merged_names([manifest.names, own])
        space = msgspec.structs.replace(manifest.label_space, names=names)
        how = how._replace(space=_judging_space(space, options))
        found = _score_predictions(cases, predictions, name, labels, how, options.windows)
    else:
        corpus = corpus_of(source, labels=labels)
        name = corpus.name
        with store_pairs(corpus) as pairs:  # its labels are known only once all of it is read
            origin = CaseSource(source=corpus.summary(), recipes=(AS_IT_IS,))
            if options.two_way is None and origin.source.label_space.is_binary:
                how = how._replace(space=how.space.resize(True))
            found = _score_predictions(map(pair_as_case, pairs), predictions, name, labels, how, options.windows)
    return msgspec.structs.replace(found, suites={name: origin}, names=merged_names([origin.source.own_names, own]))


def _score_predictions(
    cases: Iterator[Case],
    predictions: str | Path | ModelLike | Iterable[Prediction],
    suite: str,
    labels: Mapping[str, str] | None,
    how: Judging,
    windows: str,
) -> Score:
    if isinstance(predictions, str | Path) and not Path(predictions).exists() and is_model_name(str(predictions)):
        if isinstance(predictions, Path):
            raise UserError(
                f"{predictions} names a model, but `score` reads a file of answers.\n"
                f"  Run the model: assay run --from PAIRS --family original --model {predictions}."
            )
    elif isinstance(predictions, str | Path):
        if f"{predictions}/v1" in registry.models.names() and not Path(predictions).exists():
            raise UserError(f"There is no file {predictions}. The model is called assay:{predictions}.")
        return score_answers(cases, predictions, suite=suite, labels=labels or {}, how=how)
    return score_given(cases, predictions, suite=suite, how=how, windows=Windows.parse(windows))


def _judging_space(space: LabelSpace, options: ScoreOptions) -> LabelSpace:
    """The label space to judge by, with the user's options applied."""
    return msgspec.structs.replace(options.resize(space), collapse=options.collapse)
