"""The numbers of a study's tables: accuracies of seeds as bands, and how far conditions move a system."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, permutations
from math import factorial
from statistics import fmean
from typing import Any, Literal, NamedTuple

import msgspec

from assay.core.comparison import Outcome
from assay.core.estimate import Estimate
from assay.core.rng import rng_for
from assay.evaluate.seeds import band
from assay.evaluate.trainings import Standing, TrainingsTest, adjust_tests, is_at_chance, judge_trainings
from assay.studies.plan.study_plan import TablePlan
from assay.studies.plan.study_record import StudyFigure, StudyTest

Place = tuple[tuple[str, str], ...]
Direction = Literal["same direction", "opposite direction", "none published"] | Outcome

FEWEST_SYSTEMS = 5  # with fewer systems, no order is rarer than one exchange in twenty, so nothing is said about it
MOST_EXCHANGES = 5040  # maximum number of permutations of systems; more are sampled
SAME = 1e-9  # differences below this are none


class Matched(NamedTuple):
    ours: StudyFigure  # ours, over its seeds
    theirs: float  # theirs, in the same unit
    where: str  # paper, table, row and column of the published number
    doubt: str = ""


class ConditionEffect(NamedTuple):
    """Effect of a condition, here and in the paper."""

    test: StudyTest  # ours, with its test
    theirs: float  # theirs: the condition's number minus the baseline's
    outcome: Direction  # direction of ours relative to theirs if it is significant; otherwise the reason for no verdict


class Order(NamedTuple):
    """Agreement of two rankings of systems."""

    same: int
    pairs: int  # all pairs that differ in both
    by_chance: float  # mean number of pairs in the same order if systems are exchanged at random
    share: float  # share of such exchanges that are as far from the average as ours, in either direction


def match_effects(matched: Iterable[Matched], tests: Iterable[StudyTest]) -> list[ConditionEffect]:
    known = {(each.ours.system, each.ours.condition, place_of(each.ours.slice)): each.theirs for each in matched}
    found = []
    for test in tests:
        place = place_of(test.slice)
        after = known.get((test.system, test.condition, place))
        before = known.get((test.system, test.baseline, place))
        if after is not None and before is not None:
            found.append(ConditionEffect(test, after - before, _judge_direction(test, after - before)))
    return found


def compare_order(matched: Sequence[Matched]) -> Order | None:
    """Pairs of systems under the same condition, on the same slice; None if there are too few systems to say anything.

    >>> compare_order([]) is None
    True
    """
    groups: dict[tuple[str, Place], dict[str, Matched]] = {}
    for each in matched:
        groups.setdefault((each.ours.condition, place_of(each.ours.slice)), {})[each.ours.system] = each
    systems = sorted({each.ours.system for each in matched})
    same, pairs = _same_order(groups.values(), dict(zip(systems, systems, strict=True)))
    if not pairs or len(systems) < FEWEST_SYSTEMS:
        return None
    counts = []
    for exchanged in _permute_systems(systems):
        count, there = _same_order(groups.values(), dict(zip(systems, exchanged, strict=True)))
        counts.append(count * pairs / there if there else pairs / 2)
    middle = fmean(counts)
    far = abs(same - middle) - 1e-9
    return Order(same, pairs, middle, fmean(abs(count - middle) >= far for count in counts))


def _same_order(groups: Iterable[Mapping[str, Matched]], exchanged: Mapping[str, str]) -> tuple[int, int]:
    """Pairs in the same order, and all pairs, if each system had the published numbers of another."""
    signs = [
        (group[one].ours.band.mean - group[other].ours.band.mean)
        * (group[exchanged[one]].theirs - group[exchanged[other]].theirs)
        for group in groups
        for one, other in combinations(group, 2)
        if exchanged[one] in group and exchanged[other] in group
    ]
    apart = [sign for sign in signs if abs(sign) > SAME**2]
    return sum(sign > 0 for sign in apart), len(apart)


def _permute_systems(systems: Sequence[str]) -> Iterable[Sequence[str]]:
    if factorial(len(systems)) <= MOST_EXCHANGES:
        return permutations(systems)
    rng = rng_for(0, transform="order/v1", pair=" ".join(systems))
    return (rng.sample(systems, len(systems)) for _ in range(MOST_EXCHANGES))


def place_of(where: Mapping[str, str]) -> Place:
    return tuple(sorted(where.items()))


def _judge_direction(test: StudyTest, theirs: float) -> Direction:
    if abs(theirs) < SAME:
        return "none published"
    if test.verdict not in ("better", "worse"):
        return test.verdict
    return "same direction" if test.difference * theirs > 0 else "opposite direction"


LEFT_OUT = 25  # the percentage of swapped pairs that the printed deviations leave out, contrary to the text


def ratio(swapped: float, unswapped: float) -> float:
    """A score after training with some pairs swapped, relative to training with none."""
    return swapped / unswapped


def deviation(rows: Iterable[Mapping[int, float]], *, as_printed: bool = False) -> float:
    """The sum of squared distances of all ratios from 1.

    Each row has the scores of one test set by the percentage of training pairs that were swapped, including 0. The text
    sums over all of them; the printed numbers only come out if 25% is left out (`as_printed`).

    >>> rows = [{0: 0.5, 25: 0.25, 50: 0.5, 100: 1.0}]
    >>> deviation(rows), deviation(rows, as_printed=True)
    (1.25, 1.0)
    """
    return sum(
        (ratio(score, row[0]) - 1) ** 2
        for row in rows
        for swapped, score in row.items()
        if swapped and not (as_printed and swapped == LEFT_OUT)
    )


PLACE = ("suite", "family")  # keys of every slice, apart from the model

DEVIATIONS = {"all shares": False, "as printed": True}
"""The two definitions of the deviation: over all shares, and without 25%."""


class TrainingRunMetrics(NamedTuple):
    system: str
    condition: str
    estimates: Sequence[Estimate]


RANKING, RANKED = "roc-auc", "roc-auc by two labels"
"""The measure of a table, and the number behind it: a run that is judged by three labels has no such area itself."""


def is_in(table: TablePlan, where: Mapping[str, str]) -> bool:
    """True if a slice belongs in a table.

    >>> is_in(TablePlan(title="", by=("label",)), {"suite": "s", "family": "f", "label": "neutral"})
    True
    """
    return (
        where.keys() == {*PLACE, *table.by}
        and (not table.suites or where["suite"] in table.suites)
        and (not table.families or where["family"] in table.families)
        and all(where[name] in values for name, values in table.only.items())
    )


def is_measured(table: TablePlan, name: str) -> bool:
    """True if a number of this name belongs in a table.

    Swapped pairs have no label, so no accuracy. By label of the source pair, `kept` is the share that keep it.

    >>> is_measured(TablePlan(title="All"), "kept"), is_measured(TablePlan(title="By label", by=("label",)), "kept")
    (False, True)
    """
    if table.measure != "accuracy":
        return name == (RANKED if table.measure == RANKING else table.measure)
    return name == "accuracy" or (name == "kept" and "label" in table.by)


def shows_everything(table: TablePlan) -> bool:
    """True if a table has the accuracy of every condition on every suite, with tests.

    >>> shows_everything(TablePlan(title="All")), shows_everything(TablePlan(title="By label", by=("label",)))
    (True, False)
    """
    return table == TablePlan(title=table.title, published=table.published)


def study_figures(table: TablePlan, trainings: Iterable[TrainingRunMetrics]) -> tuple[StudyFigure, ...]:
    found: dict[tuple[str, str, tuple[tuple[str, str], ...]], list[Estimate]] = {}
    for training in trainings:
        for each in training.estimates:
            where = {name: value for name, value in each.slice.items() if name != "model"}
            if is_measured(table, each.name) and each.value is not None and is_in(table, where):
                place = tuple((name, where[name]) for name in (*PLACE, *table.by))
                found.setdefault((training.system, training.condition, place), []).append(each)
    return tuple(
        _over_seeds(
            (system, condition),
            dict(where),
            seeds,
            measure="kept" if seeds[0].name == "kept" else "accuracy",
            low=seeds[0].low if len(seeds) == 1 else None,
            high=seeds[0].high if len(seeds) == 1 else None,
        )
        for (system, condition, where), seeds in found.items()
        if not table.conditions or condition in table.conditions or not condition
    )


def transfer_figures(trainings: Iterable[TrainingRunMetrics]) -> tuple[StudyFigure, ...]:
    """Metrics of transfer tasks by encoder, over seeds."""
    found: dict[tuple[str, str, str, str], list[Estimate]] = {}
    for training in trainings:
        for each in training.estimates:
            if each.value is not None and "task" in each.slice:
                found.setdefault((training.system, training.condition, each.slice["task"], each.name), []).append(each)
    return tuple(
        _over_seeds((system, condition), {"task": task, "measure": name}, seeds)
        for (system, condition, task, name), seeds in found.items()
    )


def _over_seeds(of: tuple[str, str], where: dict[str, str], seeds: Sequence[Estimate], **more: Any) -> StudyFigure:
    values = tuple(each.value for each in seeds if each.value is not None)
    n = max(each.n for each in seeds)
    return StudyFigure(system=of[0], condition=of[1], slice=where, band=band(values), values=values, n=n, **more)


def deviation_figures(
    table: TablePlan, trainings: Sequence[tuple[int, TrainingRunMetrics]], swapped: Mapping[str, int]
) -> tuple[StudyFigure, ...]:
    """Deviation of each system over all suites when it is trained with swapped pairs, by seed.

    Training runs come with their seeds; `swapped` is the percentage of each condition.
    """
    scores: dict[tuple[str, str, int], dict[str, dict[int, float]]] = {}
    sizes: dict[tuple[str, str], int] = {}
    for seed, training in trainings:
        for each in training.estimates:
            where = {name: value for name, value in each.slice.items() if name != "model"}
            is_shown = each.name == "accuracy" and is_in(table, where) and training.condition in swapped
            if is_shown and each.value is not None:
                place = (training.system, where["family"])
                rows = scores.setdefault((*place, seed), {})
                rows.setdefault(where["suite"], {})[swapped[training.condition]] = each.value
                sizes[place] = max(sizes.get(place, 0), each.n)
    needed = set(swapped.values())
    values: dict[tuple[str, str, str], list[float]] = {}
    for (system, family, _), rows in scores.items():
        if all(row.keys() == needed and row[0] for row in rows.values()):
            for name, as_printed in DEVIATIONS.items():
                values.setdefault((system, family, name), []).append(deviation(rows.values(), as_printed=as_printed))
    return tuple(
        StudyFigure(
            system=system,
            condition=name,
            slice={"family": family},
            band=band(seeds),
            values=tuple(seeds),
            n=sizes[system, family],
        )
        for (system, family, name), seeds in values.items()
    )


def study_tests(
    compared: tuple[str, str, str], tests: Iterable[TrainingsTest], standings: Sequence[Standing]
) -> Iterator[StudyTest]:
    """Every slice of a system, a condition and a baseline, without a verdict."""
    system, condition, baseline = compared
    for test in tests:
        yield StudyTest(
            system=system,
            condition=condition,
            baseline=baseline,
            slice=test.slice,
            n=test.n,
            seeds=test.trainings,
            difference=test.difference.value,
            low=test.difference.low,
            high=test.difference.high,
            p=test.p,
            exchange=test.exchange,
            at_chance=is_at_chance(test.slice, standings),
        )


def judge_tests(tests: Iterable[StudyTest]) -> tuple[StudyTest, ...]:
    """The tests of a table with their verdicts, corrected for all of them."""
    rows = list(tests)
    adjusted = adjust_tests([(row.p, row.exchange) for row in rows])
    return tuple(
        msgspec.structs.replace(
            row, adjusted=p, verdict=judge_trainings(row.difference, p, row.seeds, at_chance=row.at_chance)
        )
        for row, p in zip(rows, adjusted, strict=True)
    )
