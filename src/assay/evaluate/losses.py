"""The definition of a loss. Every table, page, test and gate uses it, or reads what was decided here."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import comb, fsum, hypot
from statistics import NormalDist

import msgspec

from assay.core.case import ORIGINAL
from assay.core.comparison import Outcome
from assay.core.estimate import FAMILY, Estimate, Interval, Key, by_slice, find, key_of
from assay.core.judgement import BelowChance, Divided, Loss
from assay.core.label import Label
from assay.core.label_space import LabelSpace
from assay.core.pair import is_score
from assay.evaluate.intervals import Z95, binomial_tail
from assay.evaluate.paired import LEVEL, holm
from assay.evaluate.seeds import merge_seeds, system_of, systems_of


def is_clear(p: float | None) -> bool:
    """True if a difference is significant; `p` is corrected for all tests that are read together."""
    return p is not None and p < LEVEL


def outcome_of(difference: float, p: float | None) -> Outcome:
    """The outcome of a difference between two accuracies on the same cases.

    >>> outcome_of(-0.1, 0.01), outcome_of(0.1, 0.01), outcome_of(-0.1, 0.05)
    ('worse', 'better', 'not significant')
    """
    if not is_clear(p) or not difference:
        return "not significant"
    return "better" if difference > 0 else "worse"


def is_loss(drop: float | None, p: float | None) -> bool:
    """True if cases are answered significantly worse than their source pairs.

    `drop` is the accuracy on the pairs minus that on the cases. `p` comes from its paired test, corrected by Holm's
    method over the families of the suite, or over all of their labels.

    >>> is_loss(0.04, 0.004), is_loss(0.04, 0.088), is_loss(-0.04, 0.004), is_loss(None, None)
    (True, False, False, False)
    """
    return drop is not None and outcome_of(-drop, p) == "worse"


def find_losses(estimates: Iterable[Estimate]) -> tuple[Loss, ...]:
    """The slices with a loss, for every model, and for every system if all of its seeds have the loss."""
    given = list(estimates)
    drops, tests, kept = (by_slice(given, name) for name in ("drop", "holm", "consistency"))
    relabelled = [e for e in given if e.name == "drop" and {*e.slice} == {*FAMILY} and key_of(e.slice) not in kept]
    against = _against_same_labels(given, {key_of(e.slice) for e in relabelled})
    found = []
    for key, measured in by_slice(given).items():
        drop, before, p = against.get(key, (None, None, None))
        if key in kept:
            drop, p = (figures[key].value if key in figures else None for figures in (drops, tests))
        if is_loss(drop, p):
            assert drop is not None
            assert p is not None
            found.append(Loss(slice=measured.slice, drop=drop, before=before, p=p))
    return (*found, *_of_systems(found, systems_of(given)))


FEWEST_WITH_NEW_LABELS = 20
"""With fewer cases of a family with new labels, or fewer unmodified pairs of one of them, no loss is marked."""


def _against_same_labels(given: Sequence[Estimate], wanted: Collection[Key]) -> dict[Key, tuple[float, float, float]]:
    """For families whose edits change labels: the drop, the accuracy it starts from, and a corrected p value.

    A family is compared with unmodified pairs of the same suite that have the family's own shares of labels. Both sides
    are taken as independent, and their standard errors come from the ends of the intervals that face each other
    (Newcombe 1998). Near 100% a rate over few cases is skewed, so the p of a drop is never below the binomial p, as if
    the unmodified pairs' share were known. Holm's method covers these families and the model's other tests of whole
    families.
    """
    labels = find(given, "accuracy", (*FAMILY, "label"))
    raw: dict[tuple[str, str], dict[Key, float]] = {}
    for e in given:
        if e.name == "mcnemar" and {*e.slice} == {*FAMILY} and e.value is not None and key_of(e.slice) not in wanted:
            raw.setdefault((e.slice["model"], e.slice["suite"]), {})[key_of(e.slice)] = e.value
    found: dict[Key, tuple[float, float, float]] = {}
    for e in given:
        if e.name != "accuracy" or key_of(e.slice) not in wanted or e.value is None or e.high is None:
            continue
        model, suite, family = (e.slice[name] for name in FAMILY)
        own = {place[3]: own for place, own in labels.items() if place[:3] == (model, suite, family)}
        base = {label: labels.get((model, suite, ORIGINAL, label)) for label in own}
        if (
            e.n < FEWEST_WITH_NEW_LABELS
            or not own
            or not all(each and each.n >= FEWEST_WITH_NEW_LABELS for each in base.values())
        ):
            continue
        shares = {label: own[label].n / sum(each.n for each in own.values()) for label in own}
        known = {label: (each.value or 0.0, each.low or 0.0) for label, each in base.items() if each}
        before = fsum(shares[label] * known[label][0] for label in own)
        error = hypot(e.high - e.value, *(shares[label] * (known[label][0] - known[label][1]) for label in own)) / Z95
        drop = before - e.value
        p = 2 * NormalDist().cdf(-abs(drop) / error) if error > 0 else 1.0
        if drop > 0 and e.low is not None:
            p = min(1.0, max(p, 2 * binomial_tail(Interval(e.low, e.high), e.value, before)))
        raw.setdefault((model, suite), {})[key_of(e.slice)] = p
        found[key_of(e.slice)] = (drop, before, p)
    for tests in raw.values():
        for key, p in zip(tests, holm([*tests.values()]), strict=True):
            if key in found:
                found[key] = (*found[key][:2], p)
    return found


def _of_systems(found: Sequence[Loss], systems: dict[str, int]) -> list[Loss]:
    seeds: dict[tuple[tuple[str, str], ...], list[Loss]] = {}
    for each in found:
        system = system_of(each.slice["model"], systems)
        if system in systems:
            seeds.setdefault(tuple({**each.slice, "model": system}.items()), []).append(each)
    return [
        msgspec.structs.replace(merge_seeds(own), slice=dict(where))
        for where, own in seeds.items()
        if len(own) >= systems[dict(where)["model"]]
    ]


Counts = Mapping[str, Mapping[str, Mapping[str, int]]]  # numbers of cases by suite, family and label


def best_constant(labels: Mapping[str, int]) -> float:
    """The accuracy of the best constant answer; neutral and contradiction are right on non-entailment, too.

    >>> best_constant({"entailment": 4, "neutral": 3, "non-entailment": 3}), best_constant({})
    (0.6, 0.0)
    """
    others = max(labels.get(Label.NEUTRAL, 0), labels.get(Label.CONTRADICTION, 0))
    right = max(labels.get(Label.ENTAILMENT, 0), others + labels.get(Label.NON_ENTAILMENT, 0))
    return right / max(sum(labels.values()), 1)


def below_chance(estimates: Iterable[Estimate], counts: Counts) -> tuple[BelowChance, ...]:
    """Labels that are significantly below the accuracy of guessing, in families without source pairs to compare with.

    Where some cases of a family have two labels and others three, non-entailment is guessed from two, everything else
    from three: a guess from three labels is right on more of the non-entailment, and one from two on more of the
    entailment. Holm's method covers all such labels of a model. The standard error comes from the end of the interval
    that faces the accuracy of guessing.
    """
    given = list(estimates)
    compared = {tuple(e.slice[name] for name in FAMILY) for e in given if e.name == "drop"}
    measured: dict[str, list[tuple[BelowChance, float]]] = {}
    for (*place, _), e in find(given, "accuracy", (*FAMILY, "label")).items():
        labels = counts.get(e.slice["suite"], {}).get(e.slice["family"], {})
        label = e.slice["label"]
        chance = LabelSpace.of(labels if label == Label.ENTAILMENT else [label]).chance
        if tuple(place) in compared or e.value is None or e.low is None or e.high is None:
            continue
        error = (e.high - e.value) / Z95
        p = 2 * NormalDist().cdf((e.value - chance) / error) if error > 0 and e.value < chance else 1.0
        found = BelowChance(slice=e.slice, value=e.value, low=e.low, high=e.high, chance=chance)
        measured.setdefault(e.slice["model"], []).append((found, p))
    return tuple(
        found
        for own in measured.values()
        for (found, _), p in zip(own, holm([p for _, p in own]), strict=True)
        if is_clear(p)
    )


NO_GROUP = {*FAMILY, "label", "variant", "heuristic", "subcase", "category", "template", "severity"}
"""Names in slices that are not groups of a corpus."""

MOST_VALUES = 12  # a group with more values than this is too large for a table


def find_divided_groups(estimates: Iterable[Estimate]) -> tuple[Divided, ...]:
    """The families where two values of a group differ significantly for some model."""
    given = [e for e in estimates if e.name == "accuracy"]
    found: list[Divided] = []
    for group in dict.fromkeys(name for e in given for name in e.slice if name not in NO_GROUP):
        own = list(find(given, "accuracy", (*FAMILY, group)).values())
        values = {e.slice[group] for e in own}
        if len(values) <= MOST_VALUES and not any(map(is_score, values)):
            gaps = _gaps(own, len(values))
            # Smaller gaps are not worth a table.
            places = sorted((place for place in gaps if gaps[place] >= 0.05), key=lambda place: -gaps[place])
            found += [Divided(group=group, suite=place[0], family=place[1], gap=gaps[place]) for place in places]
    return tuple(found)


def _gaps(own: Sequence[Estimate], values: int) -> dict[tuple[str, str], float]:
    """By suite and family, the gap between a group's values for the model with the largest gap."""
    places: dict[tuple[str, str], dict[str, list[Estimate]]] = {}
    for e in own:
        by_model = places.setdefault((e.slice["suite"], e.slice["family"]), {})
        by_model.setdefault(e.slice["model"], []).append(e)
    tests = comb(values, 2) * sum(map(len, places.values()))
    return {place: max(_gap(each, tests) for each in by_model.values()) for place, by_model in places.items()}


def _gap(own: Iterable[Estimate], tests: int) -> float:
    """The gap between a model's best and worst value; 0 if chance explains it, given the number of tests.

    The standard error comes from the ends that face each other (Newcombe 1998): near 0 and 1, the others are too close.
    Bonferroni's correction covers all pairs of values.
    """
    measured = [
        (e.value, e.low, e.high) for e in own if e.value is not None and e.low is not None and e.high is not None
    ]
    if len(measured) < 2:
        return 0.0
    best, worst = max(measured), min(measured)
    error = hypot(best[0] - best[1], worst[2] - worst[0]) / Z95
    gap = best[0] - worst[0]
    clear = error > 0 and 2 * NormalDist().cdf(-gap / error) * tests < LEVEL
    return gap if clear else 0.0
