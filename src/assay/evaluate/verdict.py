"""The verdict on each model, and everything that it is based on, decided once for a run."""

from collections import Counter
from collections.abc import Iterable, Sequence

from assay.core.case import ORIGINAL, SUBMISSION
from assay.core.estimate import FAMILY, Estimate, find
from assay.core.judgement import ConfidenceFinding, Finding, Judgement, SourceAccuracy, TwoWay, Verdict, VerdictOutcome
from assay.core.label import Label
from assay.evaluate.findings import findings, swaps
from assay.evaluate.losses import Counts, below_chance, find_divided_groups, losses
from assay.evaluate.seeds import system_of, systems_of


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


UNUSABLE = 0.5
"""If this share of a model's answers are fallbacks, nothing else is said about it."""


def judge(estimates: Iterable[Estimate], counts: Counts) -> Judgement:
    """The judgement of a run; `counts` are the cases by suite, family and label.

    >>> judge([], {}).verdicts
    ()
    """
    given = list(estimates)
    lost, swapped = losses(given), swaps(given)
    unusable = _unusable(given)
    found = tuple(each for each in findings(given, lost, swapped) if each.model not in unusable)
    return Judgement(
        losses=lost,
        swaps=swapped,
        below_chance=below_chance(given, counts),
        two_label_models=find_two_label_models(given),
        divided=find_divided_groups(given),
        findings=found,
        verdicts=verdicts(given, found, counts),
    )


def verdicts(estimates: Sequence[Estimate], found: Sequence[Finding], counts: Counts) -> tuple[Verdict, ...]:
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
        outcome = "bad threshold" if _ranks_well(own) else "guesses"
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


def _ranks_well(own: Sequence[Estimate]) -> bool:
    """True if support scores rank unmodified pairs significantly better than chance, with every seed."""
    areas = [e for e in own if e.name == "roc-auc" and e.slice["family"] in (ORIGINAL, SUBMISSION)]
    return bool(areas) and all(e.low is not None and e.low > EVEN_AREA for e in areas)


EVEN_AREA = 0.5
"""The area under the ROC curve of scores that say nothing."""


def _unusable(estimates: Sequence[Estimate]) -> set[str]:
    """Models of which most answers are fallbacks."""
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
            chance = max(labels.values(), default=0) / max(sum(labels.values()), 1)
            return SourceAccuracy(value=e.value, low=e.low, high=e.high, chance=chance, seeds=seeds)
    return None
