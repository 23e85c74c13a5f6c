"""The verdict on each model, and everything that it is based on, decided once for a run."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from statistics import NormalDist
from typing import Any

import msgspec

from assay.core.case import ORIGINAL, SUBMISSION
from assay.core.estimate import FAMILY, Estimate, by_slice, find, key_of
from assay.core.judgement import (
    ConfidenceFinding,
    Finding,
    Heuristic,
    HeuristicFinding,
    Judgement,
    Loss,
    LossFinding,
    SidesFinding,
    SourceAccuracy,
    SwapOutcome,
    SwapVerdict,
    TwoWay,
    Verdict,
    VerdictOutcome,
)
from assay.core.label import Label
from assay.evaluate.intervals import Z95
from assay.evaluate.losses import Counts, below_chance, best_constant, find_divided_groups, find_losses, is_clear
from assay.evaluate.paired import holm
from assay.evaluate.seeds import merge_seeds, system_of, systems_of

LARGE = 0.1  # a loss or calibration error smaller than this, as a share, is only shown in tables
CHANCE = 0.5  # the accuracy of guessing between two labels, and the area under the ROC curve of scores that say nothing


def find_findings(
    estimates: Iterable[Estimate], losses: Iterable[Loss], swaps: Iterable[SwapVerdict]
) -> tuple[Finding, ...]:
    """Findings about every model, and about systems if all seeds share them; large losses first, the largest on top."""
    given = list(estimates)
    systems = systems_of(given)
    single = [each for each in losses if each.slice["model"] not in systems]
    found: list[Finding] = [
        *_large_losses(given, single),
        *_heuristics(given),
        *_sides(given, swaps),
        *_confidence(given),
    ]
    found += _of_systems(found, systems)
    return tuple(sorted(found, key=lambda each: each.after - each.before if isinstance(each, LossFinding) else 0.0))


def _large_losses(estimates: list[Estimate], losses: Sequence[Loss]) -> Iterator[LossFinding]:
    sources = by_slice(estimates, "source")
    for each in losses:
        where: dict[str, Any] = {**each.slice}
        if {*where} == {*FAMILY, "label"} and each.drop >= LARGE:
            before = each.before if each.before is not None else sources[key_of(where)].value or 0.0
            yield LossFinding(**where, before=before, after=before - each.drop, p=each.p)


def _heuristics(estimates: list[Estimate]) -> Iterator[HeuristicFinding]:
    """Heuristics that a model follows: better than guessing where they hold, and worse by ten points where they don't.

    A slight preference for entailment is not enough. Both must be shown at once; Holm's method covers the heuristics
    of a family.
    """
    shares = find(estimates, "accuracy", (*FAMILY, "heuristic", "label"))
    tested: dict[tuple[str, str, str], list[tuple[Heuristic, float]]] = {}
    for (model, suite, family, name, label), holds in shares.items():
        fails = shares.get((model, suite, family, name, Label.NON_ENTAILMENT.value))
        if label != Label.ENTAILMENT or not fails or holds.value is None or fails.value is None:
            continue
        if holds.low is not None and fails.high is not None:
            above = _tail_p(holds.value - CHANCE, holds.value - holds.low)
            below = _tail_p(CHANCE - LARGE - fails.value, fails.high - fails.value)
            found = Heuristic(name=name, holds=holds.value, fails=fails.value)
            tested.setdefault((model, suite, family), []).append((found, 2 * max(above, below)))
    for (model, suite, family), tests in tested.items():
        adjusted = holm([min(1.0, p) for _, p in tests])
        followed = [found for (found, _), p in zip(tests, adjusted, strict=True) if is_clear(p)]
        if followed:
            yield HeuristicFinding(model=model, suite=suite, family=family, heuristics=_sort_heuristics(followed))


def _tail_p(gap: float, reach: float) -> float:
    """The one-sided p of a gap, given half the width of its 95% interval."""
    return NormalDist().cdf(-gap / reach * Z95) if reach > 0 else float(gap <= 0)


def _sides(estimates: list[Estimate], swaps: Iterable[SwapVerdict]) -> Iterator[SidesFinding]:
    """Labels that change unexpectedly when premise and hypothesis are swapped."""
    tests = by_slice(estimates, "holm")
    for each in swaps:
        if not each.is_expected:
            test = tests.get(key_of(each.slice))
            p = test.value if test else None
            where: dict[str, Any] = {**each.slice}
            yield SidesFinding(**where, outcome=each.outcome, p=p if is_clear(p) else None)


def _confidence(estimates: list[Estimate]) -> Iterator[ConfidenceFinding]:
    """The family where confidence is farthest from accuracy, if the whole interval is far from zero."""
    errors = [e for e in estimates if e.name == "calibration-error"]
    for model in dict.fromkeys(e.slice["model"] for e in errors):
        worst = max((e for e in errors if e.slice["model"] == model), key=lambda e: e.low or 0.0)
        if (worst.low or 0.0) >= LARGE:
            where: dict[str, Any] = {**worst.slice}
            yield ConfidenceFinding(**where, error=worst.value or 0.0)


def _of_systems(found: Sequence[Finding], systems: dict[str, int]) -> Iterator[Finding]:
    """Findings that all seeds of a system share, with the means of their numbers."""
    together: dict[tuple[str, ...], list[Finding]] = {}
    for each in found:
        system = system_of(each.model, systems)
        if system in systems:
            together.setdefault((system, *_identity(each)), []).append(each)
    for (system, *_), seeds in together.items():
        if len(seeds) < systems[system]:
            continue
        one = merge_seeds(seeds)
        if isinstance(one, HeuristicFinding):
            by_seed = [each.heuristics for each in seeds if isinstance(each, HeuristicFinding)]
            named = [[each for own in by_seed for each in own if each.name == first.name] for first in one.heuristics]
            shared = [merge_seeds(same) for same in named if len(same) == len(seeds)]
            one = msgspec.structs.replace(one, heuristics=_sort_heuristics(shared))
        if not isinstance(one, HeuristicFinding) or one.heuristics:
            yield msgspec.structs.replace(one, model=system, seeds=len(seeds))


def _identity(finding: Finding) -> tuple[str, ...]:
    """Key by which findings of several seeds are the same: what their names and words say; their numbers may differ."""
    words = [
        value for name, value in msgspec.structs.asdict(finding).items() if isinstance(value, str) and name != "model"
    ]
    return type(finding).__name__, *words


def _sort_heuristics(heuristics: Iterable[Heuristic]) -> tuple[Heuristic, ...]:
    """The heuristics, the one that a model follows most closely first."""
    return tuple(sorted(heuristics, key=lambda each: each.fails - each.holds))


MARGIN = 0.05  # a share that moves by less than this holds


def judge_swaps(estimates: Iterable[Estimate]) -> tuple[SwapVerdict, ...]:
    """The outcome of swapping for each label of each model, if its source pairs are in the run."""
    given = list(estimates)
    by = (*FAMILY, "label")
    kept, sources, drops, tests = (find(given, name, by) for name in ("kept", "source", "drop", "holm"))
    return tuple(
        SwapVerdict(slice=each.slice, outcome=swap_outcome(sources[place], drops[place], tests.get(place)))
        for place, each in kept.items()
        if place in drops
    )


def swap_outcome(source: Estimate, drop: Estimate, test: Estimate | None) -> SwapOutcome:
    """True if a label's share drops or holds as it should: entailment drops, every other label holds.

    `test` is the corrected p of the drop. Whether nothing moves is decided by the interval alone.

    >>> where = {"label": "entailment"}
    >>> source = Estimate(name="source", value=0.9, n=400, slice=where)
    >>> drop = Estimate(name="drop", value=0.0, low=-0.01, high=0.01, n=400, slice=where)
    >>> swap_outcome(source, drop, None)
    'does not drop'
    """
    if drop.value is None or drop.low is None or drop.high is None:
        return "not measured"
    clear, should_drop = is_clear(test.value if test else None), drop.slice["label"] == Label.ENTAILMENT
    if not source.value and (should_drop or not drop.value):
        return "never right"
    if should_drop:
        if drop.low > MARGIN and clear:
            return "drops"
        if drop.high < MARGIN:
            return "does not drop"
        return "drops a little" if clear and drop.value > 0 else "undecided"
    if drop.low > -MARGIN and drop.high < MARGIN:
        return "holds"
    if clear:
        return "falls" if drop.value > 0 else "rises"
    return "undecided"


def find_two_label_models(estimates: Iterable[Estimate]) -> tuple[TwoWay, ...]:
    """Models, with their suites, that answer three-way cases with two labels.

    >>> here = {"model": "m", "suite": "s", "family": "original", "label": "neutral", "answer": "non-entailment"}
    >>> find_two_label_models([Estimate(name="answers", value=1.0, n=9, slice=here)])
    (TwoWay(model='m', suite='s'),)
    """
    given = [e.slice for e in estimates if e.name == "answers"]
    three_way = {(e["suite"], e["family"]) for e in given if e["label"] in (Label.NEUTRAL, Label.CONTRADICTION)}
    found = [e for e in given if e["answer"] == Label.NON_ENTAILMENT]
    places = dict.fromkeys((e["model"], e["suite"]) for e in found if (e["suite"], e["family"]) in three_way)
    return tuple(TwoWay(model=model, suite=suite) for model, suite in places)


UNUSABLE = 0.5  # if this fraction of a model's answers are fallbacks, nothing else is said about it


def judge_estimates(estimates: Iterable[Estimate], counts: Counts) -> Judgement:
    """The judgement of a run; `counts` are the cases by suite, family and label."""
    given = list(estimates)
    lost, swapped = find_losses(given), judge_swaps(given)
    unusable = _unusable(given)
    found = tuple(each for each in find_findings(given, lost, swapped) if each.model not in unusable)
    return Judgement(
        losses=lost,
        swaps=swapped,
        below_chance=below_chance(given, counts),
        two_label_models=find_two_label_models(given),
        divided=find_divided_groups(given),
        findings=found,
        verdicts=judge_models(given, found, counts),
    )


def judge_models(estimates: Sequence[Estimate], found: Sequence[Finding], counts: Counts) -> tuple[Verdict, ...]:
    """One for each model, in the order of the run; the seeds of a system share one."""
    systems = systems_of(estimates)
    own: dict[str, list[Estimate]] = {}
    for each in estimates:
        own.setdefault(system_of(each.slice["model"], systems), []).append(each)
    return tuple(
        _verdict(model, own[model], [each for each in found if each.model == model], counts, systems.get(model, 1))
        for model in own
    )


def _verdict(model: str, own: Sequence[Estimate], found: Sequence[Finding], counts: Counts, seeds: int) -> Verdict:
    wrong = {each.family for each in found if not isinstance(each, ConfidenceFinding)}
    tests = Counter(e.slice["model"] for e in own if e.name == "holm")
    source = _on_source(own, counts, seeds)
    outcome: VerdictOutcome
    if _unusable(own):
        outcome = "unusable"
    elif wrong:
        outcome = "wrong reasons"
    elif source and source.is_guessing:
        # Scores that rank unmodified pairs significantly better than chance, with every seed, are more than a guess.
        areas = [e for e in own if e.name == "roc-auc" and e.slice["family"] in (ORIGINAL, SUBMISSION)]
        ranks_well = bool(areas) and all(e.low is not None and e.low > CHANCE for e in areas)
        outcome = "bad threshold" if ranks_well else "guesses"
    elif found:
        outcome = "misjudges itself"
    else:
        outcome = "no loss" if tests else "not compared"
    return Verdict(
        model=model,
        outcome=outcome,
        wrong=len(wrong),
        families=len({e.slice["family"] for e in own if e.slice["family"] != ORIGINAL}),
        tests=max(tests.values(), default=0),
        source=source,
    )


def _unusable(estimates: Sequence[Estimate]) -> set[str]:
    """Models whose answers are mostly fallbacks."""
    fallbacks: Counter[str] = Counter()
    cases: dict[str, dict[tuple[str, str], int]] = {}
    for e in estimates:
        model, where = e.slice["model"], (e.slice["suite"], e.slice["family"])
        is_fallback = e.name == "fallback"
        if is_fallback:
            fallbacks[model] += round((e.value or 0.0) * e.n)
        if is_fallback or (e.name == "accuracy" and {*e.slice} == {*FAMILY}):
            cases.setdefault(model, {})[where] = e.n
    return {model for model, n in fallbacks.items() if n >= UNUSABLE * sum(cases[model].values())}


def _on_source(own: Sequence[Estimate], counts: Counts, seeds: int) -> SourceAccuracy | None:
    """The accuracy on the source pairs of the first suite that has any; over all seeds if there are several."""
    name, by = ("band", ("suite", "seeds")) if seeds > 1 else ("accuracy", ("model", "suite"))
    for e in find(own, name, by, family=ORIGINAL).values():
        if e.value is not None and e.low is not None and e.high is not None:
            labels = counts.get(e.slice["suite"], {}).get(ORIGINAL, {})
            return SourceAccuracy(value=e.value, low=e.low, high=e.high, chance=best_constant(labels), seeds=seeds)
    return None
