"""Every measure of a run, from one pass over its suites and the stored answers."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec
import numpy

from assay.core import registry
from assay.core.case import Case, Recipe, case_from
from assay.core.errors import UnknownNameError, did_you_mean
from assay.core.estimate import Estimate, SupportCurve
from assay.core.judgement import Judgement
from assay.core.label import Label
from assay.core.label_space import THREE_LABELS, LabelSpace
from assay.core.manifest import Manifest
from assay.core.pair import Pair
from assay.core.registry import split_alias
from assay.core.run_record import RunRecord, RunSpec
from assay.corpora.cards import DataCard, find_card
from assay.evaluate.accuracy import RIGHT
from assay.evaluate.case_columns import EXPECTATIONS, Bools, Encoder, Floats, Ints, confidence, sum_labels
from assay.evaluate.seeds import bands, spellings, split_seed
from assay.evaluate.suite_metrics import SuiteMetrics
from assay.evaluate.verdict import judge
from assay.run.stored_run import JoinedAnswers, StoredRun
from assay.stress.original import unchanged_edit


class RunMetrics(NamedTuple):
    """Metrics of the answers to one suite, or to all suites of a run."""

    estimates: list[Estimate]
    curves: list[SupportCurve]
    """The threshold curves of models that give probabilities, in suites that are judged by two labels."""


def measure_run(run: StoredRun, spec: RunSpec) -> RunMetrics:
    """Every figure of a run."""
    space = spec.label_space({name: suite.manifest for name, suite in run.suites.items()})
    parts = [measure(run, suite, space) for suite in run.suites]
    found = [estimate for part in parts for estimate in part.estimates]
    return RunMetrics(found + bands(found), [curve for part in parts for curve in part.curves])


def measure(run: StoredRun, suite: str, space: LabelSpace = THREE_LABELS) -> RunMetrics:
    """Every model's figures on one of the run's suites."""
    encoder = Encoder(space)
    models = [each.model for each in run.models]
    board = SuiteMetrics(models, suite=suite, encoder=encoder)
    for each in run.joined(suite, encoder):
        board.add(each.cases, each.answers)
    return RunMetrics(board.estimates(), board.curves())


def judge_run(estimates: Iterable[Estimate], suites: Mapping[str, Manifest], spec: RunSpec) -> Judgement:
    """The judgement of a run's metrics."""
    space = spec.label_space(suites)
    return judge(estimates, {name: space.count(manifest.counts) for name, manifest in suites.items()})


def labels_read(each: JoinedAnswers, encoder: Encoder, manifest: Manifest) -> Ints:
    """(models, cases) The codes of the answers, as they are judged.

    Neutral and contradiction are added up if that is asked for and the family has only two labels.
    """
    label = each.answers.label
    if encoder.space.collapse == "sum":
        binary = {
            family
            for family, labels in manifest.counts.items()
            if encoder.space.is_binary or Label.NON_ENTAILMENT in labels
        }
        sum_up = numpy.array([family in binary for family in encoder.families])[each.cases.family]
        label = numpy.where(sum_up, sum_labels(label, each.answers.probabilities), label)
    return encoder.read(label)


class JudgedAnswers(NamedTuple):
    """Models' results on some cases; each field is (models, cases)."""

    label: Ints
    """The codes of the answers, collapsed if needed."""
    confidence: Floats
    """The models' confidence; NaN if they give none."""
    right: Bools
    """True if the answers are the labels, claimed or not."""
    held: Bools
    """True if they are right on the source pair."""
    failed: Bools
    """True if they fail to do what the case expects."""


def judged_answers(each: JoinedAnswers, label: Ints) -> JudgedAnswers:
    """Models' results on a chunk of cases, with their answers as `labels_read` reads them."""
    cases, answers = each.cases, each.answers
    right = RIGHT[label, cases.label]
    held = right[:, cases.source] & (cases.source >= 0)
    drops = cases.expects == EXPECTATIONS.index("drop")
    return JudgedAnswers(
        label=label,
        confidence=confidence(label, answers.probabilities),
        right=right,
        held=held,
        failed=numpy.where(cases.claims, ~right, held & (right == drops)),
    )


def facts_of_data(suites: Mapping[str, Manifest]) -> dict[str, dict[str, str]]:
    """Facts from the cards of each suite's data; suites of data without a card are left out."""
    found = ((name, find_card(manifest.source)) for name, manifest in suites.items())
    return {name: _facts(card) for name, card in found if card}


def facts_of_models(models: Iterable[str]) -> dict[str, str]:
    """The first sentence of the docstring of each model, or of its kind."""
    found = {}
    for model in models:
        kind, _, name = split_alias(model).model.partition(":")
        try:
            known = registry.models.get(name) if kind == "assay" else registry.adapters.get(kind)
        except UnknownNameError:
            continue
        if said := (known.__doc__ or "").strip().partition("\n")[0]:
            found[model] = said
    return found


def _facts(card: DataCard) -> dict[str, str]:
    paper = f"{card.paper.authors} ({card.paper.year}), {card.paper.title}" if card.paper else ""
    facts = {"data": card.title, "paper": paper, "licence": card.licence, "from": card.homepage, "limits": card.limits}
    return {name: value for name, value in facts.items() if value}


def named_models(record: RunRecord, names: Sequence[str]) -> list[str]:
    """The run's models with these names, or all if there are none; a system's name means all its seeds."""
    there = [each.model for each in record.models]
    chosen: dict[str, None] = {}
    for name in names:
        exact = [each for each in there if name in spellings(each)]
        found = exact or [each for each in there if name in spellings(split_seed(each).system)]
        if not found:
            known = sorted({spelling for each in there for spelling in spellings(each)})
            raise UnknownNameError(
                f"No model {name!r} in {record.id}{did_you_mean(name, known)} Choose from {', '.join(there)}."
            )
        chosen |= dict.fromkeys(found)
    return list(chosen) if names else there


AS_IT_IS = Recipe(transform="original/v1", seed=0)


def pair_as_case(pair: Pair) -> Case:
    """A pair of a corpus as a case of the family `original`, with the pair's id."""
    case = case_from(pair, unchanged_edit(pair), family="original", recipe=AS_IT_IS)
    return msgspec.structs.replace(case, id=pair.id)
