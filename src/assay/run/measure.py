"""Every measure of a run, from one pass over its suites and the stored answers, and its most telling failures."""

import hashlib
import heapq
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import zip_longest
from math import isnan
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy

from assay.core import registry
from assay.core.case import ORIGINAL, Case, Recipe, case_from
from assay.core.errors import UnknownNameError, check_known, did_you_mean
from assay.core.estimate import Estimate, SupportCurve
from assay.core.judgement import Example, ExampleAnswer, Judgement
from assay.core.label import Label
from assay.core.label_space import LABELS, THREE_LABELS, LabelSpace
from assay.core.manifest import Manifest
from assay.core.pair import Pair
from assay.core.registry import split_alias
from assay.core.run_record import RunRecord, RunSpec
from assay.corpora.cards import find_card
from assay.evaluate.accuracy import RIGHT
from assay.evaluate.case_columns import EXPECTATIONS, Bools, CaseColumns, Encoder, Floats, Ints, confidence, sum_labels
from assay.evaluate.seeds import bands, models_called, spellings
from assay.evaluate.suite_metrics import SuiteMetrics
from assay.evaluate.verdict import judge_estimates
from assay.run.stored_run import JoinedAnswers, Run, StoredRun, open_run, run_folder
from assay.stress.original import unchanged_edit


class RunMetrics(NamedTuple):
    """Metrics of the answers to one suite, or to all suites of a run."""

    estimates: list[Estimate]
    curves: list[SupportCurve]  # of models that give probabilities, in suites that are judged by two labels


def measure_run(run: StoredRun, spec: RunSpec) -> RunMetrics:
    """Every number of a run."""
    space = spec.label_space({name: suite.manifest for name, suite in run.suites.items()})
    parts = [measure(run, suite, space) for suite in run.suites]
    found = [estimate for part in parts for estimate in part.estimates]
    return RunMetrics(found + bands(found), [curve for part in parts for curve in part.curves])


def measure(run: StoredRun, suite: str, space: LabelSpace = THREE_LABELS) -> RunMetrics:
    """Every model's numbers on one of the run's suites."""
    encoder = Encoder(space)
    models = [each.model for each in run.models]
    board = SuiteMetrics(models, suite=suite, encoder=encoder)
    for each in run.joined(suite, encoder):
        board.add(each.cases, each.answers)
    return RunMetrics(board.estimates(), board.curves())


def judge_run(estimates: Iterable[Estimate], suites: Mapping[str, Manifest], spec: RunSpec) -> Judgement:
    """The judgement of a run, from its estimates."""
    space = spec.label_space(suites)
    return judge_estimates(estimates, {name: space.count(manifest.counts) for name, manifest in suites.items()})


def labels_read(each: JoinedAnswers, encoder: Encoder, manifest: Manifest) -> Ints:
    """(models, cases) The codes of the answers, as they are judged.

    Neutral and contradiction are added up if the options say so and the family has only two labels.
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

    label: Ints  # the codes of the answers, collapsed if needed
    confidence: Floats  # the models' confidence; NaN if they give none
    right: Bools  # True if the answer equals the label, even where the label is not claimed to be right
    held: Bools  # True if the model was right on the source pair
    failed: Bools  # True if the model fails to do what the case expects


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
    found = {}
    for name, manifest in suites.items():
        if card := find_card(manifest.source):
            paper = f"{card.paper.authors} ({card.paper.year}), {card.paper.title}" if card.paper else ""
            facts = {"data": card.title, "paper": paper, "licence": card.licence}
            facts |= {"from": card.homepage, "limits": card.limits}
            found[name] = {fact: value for fact, value in facts.items() if value}
    return found


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


def named_models(record: RunRecord, names: str | Sequence[str]) -> list[str]:
    """The run's models with these names, or all if there are none; a system's name means all its seeds."""
    names = [names] if isinstance(names, str) else names
    there = [each.model for each in record.models]
    chosen: dict[str, None] = {}
    for name in names:
        found = models_called(name, there)
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


A_MODEL = 3  # number of examples to keep of each family and model, of different labels where it fails on several
KEPT = 12  # number of candidates they are chosen from, so that they differ from each other
DIFFER = ("heuristic", "subcase", "category")  # groups of which examples should show several values

RankedFailure = tuple[bool, float, int, int, str, Example]
"""A failure of one model; larger is more telling. Its parts: whether the model was right on the source pair, its
confidence, how many models fail, how short the texts are, a digest that breaks ties independently of the order of the
corpus, and the example."""

Best = dict[tuple[int, int], dict[int, list[RankedFailure]]]
"""The most telling failures so far, by family and model and then by label, the least telling first."""


def telling_examples(folder: str | Path, record: RunRecord, *, a_model: int = A_MODEL) -> list[Example]:
    """The most telling failures of each model in each family, from one pass over the run's suites and answers."""
    run = StoredRun.of(folder, record)
    models = [each.model for each in record.models]
    found: dict[str, Example] = {}
    for name, manifest in record.suites.items():
        encoder = Encoder(record.label_space)
        best: Best = {}
        alone = [*manifest.counts] == [ORIGINAL]
        for each in run.joined(name, encoder):
            judged = judged_answers(each, labels_read(each, encoder, manifest))
            example = cache(partial(_read_example, name, models, each, judged))
            failed = judged.failed & (alone | ~each.cases.original)  # source pairs only if all cases are
            _add_failures(best, each.cases, judged, failed, example, max(KEPT, a_model))
        for heaps in best.values():
            candidates = sorted((each for heap in heaps.values() for each in heap), reverse=True)
            for one in _choose_different([each[-1] for each in candidates], a_model):
                found[f"{name}/{one.case.id}"] = one
    order = [*dict.fromkeys((e.slice["suite"], e.slice["family"]) for e in record.estimates)]  # as in the tables
    return sorted(found.values(), key=lambda each: order.index((each.suite, each.case.family)))


def _add_failures(
    best: Best, cases: CaseColumns, judged: JudgedAnswers, failed: Bools, example: Callable[[int], Example], most: int
) -> None:
    """Add failures to the most telling ones of their family, model and label, if they rank high enough."""
    failing = failed.sum(axis=0)  # (cases,)
    confidence = numpy.nan_to_num(judged.confidence, nan=0.0)
    groups = []
    for model, of_model in enumerate(failed):
        rows = numpy.flatnonzero(of_model)
        places = cases.family[rows] * len(LABELS) + cases.label[rows]
        found = numpy.unique(places).tolist()
        groups += [(rows[places == place], model, *divmod(place, len(LABELS))) for place in found]
    for rows, model, family, label in sorted(groups, key=lambda group: (group[0][0], group[1])):
        heap = best.setdefault((family, model), {}).setdefault(label, [])
        ranks = numpy.stack([judged.held[model, rows], confidence[model, rows], failing[rows]])  # (3, failures)
        for place in _find_leading(ranks, most):
            held, sure, others = ranks[:, place].tolist()
            rank = (bool(held), sure, int(others))
            if len(heap) == most and rank < heap[0][:3]:
                continue
            found = example(int(rows[place]))
            brevity = -((len(found.case.premise) + len(found.case.hypothesis)) // 40)
            draw = hashlib.blake2b(found.case.id.encode(), digest_size=8).hexdigest()
            heapq.heappush(heap, (*rank, brevity, draw, found))
            if len(heap) > most:
                heapq.heappop(heap)


def _find_leading(ranks: Floats, most: int) -> list[int]:
    """The indices of the best failures, ranked by the three rows in turn; more if some tie."""
    first, second, third = ranks
    least = ranks[:, numpy.lexsort(ranks[::-1])[-most:][0]]
    beaten = (first < least[0]) | (first == least[0]) & (
        (second < least[1]) | (second == least[1]) & (third < least[2])
    )
    return numpy.flatnonzero(~beaten).tolist()


def _read_example(suite: str, models: Sequence[str], each: JoinedAnswers, judged: JudgedAnswers, row: int) -> Example:
    """A case with every model's answer to it and to its source pair."""
    case = msgspec.json.decode(each.lines[row], type=Case)
    source = int(each.cases.source[row])
    return Example(
        suite=suite,
        case=case,
        answers={
            model: ExampleAnswer(
                label=LABELS[judged.label[place, row]],
                confidence=_as_number(judged.confidence[place, row]),
                source=LABELS[judged.label[place, source]] if source >= 0 else None,
                failed=bool(judged.failed[place, row]),
            )
            for place, model in enumerate(models)
        },
        source_label=LABELS[each.cases.label[source]] if source >= 0 else None,
        proof=proof_of(case),
    )


def _choose_different(left: list[Example], most: int) -> Iterator[Example]:
    """The first few that differ in pair, label and group from those before them; then the first of the rest."""
    taken: set[str] = set()
    for _ in range(min(most, len(left))):
        best = max(left, key=lambda each: len(_list_traits(each.case) - taken))
        taken |= _list_traits(best.case)
        left.remove(best)
        yield best


def _list_traits(case: Case) -> set[str]:
    groups = {f"{name}={case.group[name]}" for name in DIFFER if name in case.group}
    return {f"label={case.compared_with}", f"cluster={case.cluster}", *groups}


def proof_of(case: Case) -> str:
    """The check that verified the label of a case; empty if no label is claimed, or there is no check."""
    recipe = case.provenance.recipe
    return _describe_check(recipe.transform) if recipe.claims_labels and case.expects == "label" else ""


@cache
def _describe_check(transform: str) -> str:
    try:
        kind = getattr(registry.transforms.get(transform), "check", None)
    except UnknownNameError:
        return ""
    said = (inspect.getdoc(inspect.getmodule(kind)) or inspect.getdoc(kind) or "") if kind else ""
    return said.partition("\n")[0]


def failures(
    run: Run, most: int = 10, *, models: str | Sequence[str] = (), families: str | Sequence[str] = ()
) -> list[Example]:
    """The most telling failures of a stored run, spread over families and models: each case, and each model's answer.

    There are as many as `most` says, if there are that many. `models` and `families` limit the search to these.

    >>> import tempfile
    >>> from assay import read, run
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     record = run(read("bundled", limit=30), families="negation", models="assay:overlap", out=folder)
    ...     worst = failures(record, 3)
    >>> [(each.case.family, each.case.label.value, each.answers["assay:overlap/v1"].label.value) for each in worst[:2]]
    [('negation', 'entailment', 'neutral'), ('negation', 'contradiction', 'neutral')]
    """
    record = open_run(run)
    asked = named_models(record, models)
    families = [families] if isinstance(families, str) else families
    known = list(dict.fromkeys(name for suite in record.suites.values() for name in suite.counts))
    for family in families:
        check_known(family, known, f"No family {family!r} in {record.id}")
    narrow = msgspec.structs.replace(record, models=tuple(each for each in record.models if each.model in asked))
    found = telling_examples(run_folder(record), narrow, a_model=most)
    wanted = [each for each in found if not families or each.case.family in families]
    return _spread_out(wanted, most, [each.model for each in narrow.models])


ENTAILED = LABELS.index(Label.ENTAILMENT)


def answers(run: Run, *, models: str | Sequence[str] = ()) -> Iterator[dict[str, Any]]:
    """Each case of a stored run with each model's answer, as rows for a data frame.

    `pandas.DataFrame(assay.answers("runs"))` has suite, family, case, source, premise, hypothesis, edit, label, model,
    prediction, score (the probability of entailment), confidence, right, and failed: the answer is not what the case
    expects. Label and prediction are those that the run compares: one of two, if it judges by two labels. Swapped pairs
    have no label.

    >>> import tempfile
    >>> from assay import read, run
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     record = run(read("bundled", limit=30), families="negation", models="assay:overlap", out=folder)
    ...     rows = list(answers(record))
    >>> len(rows), rows[0]["family"], rows[0]["label"], rows[0]["prediction"], rows[0]["right"]
    (60, 'original', 'entailment', 'neutral', False)
    """
    record = open_run(run)
    chosen = named_models(record, models)
    stored, space = StoredRun.of(run_folder(record), record), record.label_space
    for suite, manifest in record.suites.items():
        encoder = Encoder(space)
        for each in stored.joined(suite, encoder):
            judged = judged_answers(each, labels_read(each, encoder, manifest))
            for row, line in enumerate(each.lines):
                case = msgspec.json.decode(line, type=Case)
                label = LABELS[each.cases.label[row]].value if each.cases.claims[row] else None
                edit = case.provenance.edit
                known: dict[str, Any] = {
                    "suite": suite,
                    "family": case.family,
                    "case": case.id,
                    "source": case.root,
                    "premise": case.premise,
                    "hypothesis": case.hypothesis,
                    "edit": "; ".join(f"{one.old} -> {one.new}" for one in (*edit.premise, *edit.hypothesis)),
                    "label": label,
                }
                for place, model in enumerate(record.models):
                    if model.model in chosen:
                        code = judged.label[place, row]
                        yield known | {
                            "model": model.model,
                            "prediction": LABELS[code].value if code < len(LABELS) else None,
                            "score": _as_number(each.answers.probabilities[place, row, ENTAILED]),
                            "confidence": _as_number(judged.confidence[place, row]),
                            "right": bool(judged.right[place, row]) if label else None,
                            "failed": bool(judged.failed[place, row]),
                        }


def _as_number(value: float) -> float | None:
    return None if isnan(value) else float(value)


def _spread_out(found: Sequence[Example], most: int, models: Sequence[str]) -> list[Example]:
    """As many as requested: one family after the other, and within a family one model after the other."""
    by_family: dict[str, list[Example]] = {}
    for each in found:
        by_family.setdefault(each.case.family, []).append(each)
    turns = {
        family: _in_turns([[each for each in own if model in each.failing] for model in models])
        for family, own in by_family.items()
    }
    chosen = {id(each) for each in _in_turns([*turns.values()])[:most]}
    return [each for each in found if id(each) in chosen]


def _in_turns(rows: Sequence[Sequence[Example]]) -> list[Example]:
    """The first of each row, then the second of each, and so on; each example once."""
    ordered = (each for turn in zip_longest(*rows) for each in turn if each is not None)
    return list({id(each): each for each in ordered}.values())
