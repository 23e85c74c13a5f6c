"""Verdicts over several trainings, ties among frequent errors, and orders of systems."""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from assay.evaluate.seeds import band, exchange_p
from assay.evaluate.trainings import FEWEST, adjust_tests, compare_hits, judge_trainings
from assay.studies.analyses.epochs import Trace, find_shared_errors
from assay.studies.plan.study_metrics import Matched, compare_order
from assay.studies.plan.study_record import StudyFigure
from calibrating.rate import Rate

STUDIES = Path(__file__).parents[2] / "docs" / "results" / "studies"

ROWS = 12
"""Rows of a table."""

Noise = Callable[[numpy.random.Generator, tuple[int, ...]], numpy.ndarray]


class Kind(NamedTuple):
    """Cases on which trainings of one condition differ."""

    name: str
    suites: tuple[str, ...]
    family: str
    by: set[str]
    accuracy: float
    cases: int


KINDS = (
    Kind("unmodified pairs", ("matched", "mismatched"), "original", set(), 0.52, 1000),
    Kind("negation", ("matched", "mismatched"), "negation", set(), 0.42, 1000),
    Kind("HANS by heuristic", ("hans",), "original", {"heuristic", "label"}, 0.5, 1000),
    Kind("HANS by label", ("hans",), "original", {"label"}, 0.5, 1000),
    Kind("Breaking NLI", ("breaking",), "original", set(), 0.5, 800),
)

NOISES: dict[str, Noise] = {
    "normal": lambda rng, shape: rng.normal(size=shape),
    "heavy-tailed": lambda rng, shape: rng.standard_t(3, size=shape) / 3**0.5,
    "two-valued": lambda rng, shape: rng.choice([-1.0, 1.0], size=shape),
    "one side five times less": lambda rng, shape: rng.normal(size=shape) * numpy.repeat([1, 0.2], shape[-1] // 2),
}
"""How trainings vary, with a standard deviation of 1. Two-valued trainings differ on all rows of a table at once."""


THREE_GIANTS = numpy.repeat(numpy.arange(63), [1] * 60 + [60] * 3)

CLUSTERED: tuple[tuple[str, numpy.ndarray, numpy.ndarray | None, float, bool], ...] = (
    ("100 of 1 and 1 of 200", numpy.repeat(numpy.arange(101), [1] * 100 + [200]), None, 0.2, False),
    ("60 of 1 and 3 of 60", THREE_GIANTS, None, 0.3, False),
    ("60 of 1 and 3 of 60", THREE_GIANTS, None, 0.5, True),
    ("60 of 1 and 3 of 20", numpy.repeat(numpy.arange(63), [1] * 60 + [20] * 3), None, 0.5, True),
    ("60 of 1 and 5 of 60", numpy.repeat(numpy.arange(65), [1] * 60 + [60] * 5), None, 0.5, True),
    ("40 clusters of 5", numpy.repeat(numpy.arange(40), 5), None, 0.3, False),
    ("150 word pairs crossed with 15 premises", numpy.arange(450) % 150, numpy.arange(450) // 30, 0.15, False),
)
"""A name, the cluster of each case, that of the other kind if it is what makes a difference, by how much, and whether
each cluster is wholly for one side by so much, or more or less so."""


def rates(draws: int, seed: int) -> Iterable[Rate]:
    yield from _verdicts(draws, seed)
    yield from _clustered(draws, seed)
    yield from _ties(draws, seed)
    yield from _orders(draws, seed)


def deviation(kind: Kind) -> float:
    """The standard deviation of trainings that the committed records show (root mean square)."""
    found = [
        figure["band"]["deviation"] ** 2
        for path in sorted(STUDIES.glob("*/*.json"))
        for table in json.loads(path.read_bytes()).get("tables", [])
        for figure in table["figures"]
        if figure["band"]["n"] > 1
        and figure["slice"].get("suite") in kind.suites
        and figure["slice"].get("family") == kind.family
        and figure["slice"].keys() - {"suite", "family"} == kind.by
    ]
    return float(numpy.mean(found) ** 0.5)


def _verdicts(draws: int, seed: int) -> Iterator[Rate]:
    for kind in KINDS:
        spread = deviation(kind)
        about = f"{kind.name}, trainings vary by {100 * spread:.1f} points"
        for seeds in (3, 4, 6):
            for noise in NOISES if seeds >= FEWEST else ("normal",):
                where = f"{about} ({noise}), {seeds} against {seeds} trainings"
                few = max(draws // 2, 1) if seeds >= FEWEST else max(draws // 20, 1)  # a verdict is impossible
                null = [_table(kind, spread, seeds, noise, shift=0.0, draw=(seed, draw)) for draw in range(few)]
                power = ""
                if seeds >= FEWEST:
                    shift = 3 * spread
                    some = range(max(draws // 10, 1))
                    real = [_table(kind, spread, seeds, noise, shift=shift, draw=(seed, draw)) for draw in some]
                    one, of_table = (numpy.mean([each[part] for each in real]) for part in (0, 1))
                    power = f"{one:.2f} alone, {of_table:.2f} in a table of {ROWS}, at {100 * shift:.1f} points"
                yield Rate("better or worse, one test", where, sum(each[0] for each in null), few, 0.05, power)
                yield Rate(f"better or worse, in {ROWS} tests", where, sum(each[2] for each in null), few, 0.05)


def _table(
    kind: Kind, spread: float, seeds: int, noise: str, *, shift: float, draw: tuple[int, int]
) -> tuple[bool, float, bool]:
    """Whether the first row alone has a verdict, which share of a table's rows have one, and whether any has."""
    rng = numpy.random.default_rng([*draw, seeds, len(noise), kind.cases, int(1e6 * spread), int(1e6 * shift)])
    own, alike = NOISES[noise](rng, (ROWS, 2 * seeds)), NOISES[noise](rng, (2 * seeds,))
    weight = 1.0 if noise == "two-valued" else 0.5  # of what the rows of a training have in common
    trainings = spread * ((1 - weight) ** 0.5 * own + weight**0.5 * alike)  # (rows, trainings)
    moved = numpy.repeat([shift / 2, -shift / 2], seeds)
    tests = []
    for row in trainings + moved:
        hits = _hits(rng, kind, row)
        found = compare_hits(hits[:seeds], hits[seeds:], numpy.ones(kind.cases, dtype=numpy.int64))
        accuracies = hits.mean(axis=1).tolist()
        moved_by_chance = exchange_p(accuracies[:seeds], accuracies[seeds:])
        tests.append((found.value, found.p if seeds >= FEWEST else None, moved_by_chance))
    alone = [_is_verdict(value, [(p, other)], 0, seeds) for value, p, other in tests[:1]]
    read = [(p, other) for _, p, other in tests]
    together = [_is_verdict(value, read, place, seeds) for place, (value, _, _) in enumerate(tests)]
    return alone[0], float(numpy.mean(together)), any(together)


def _clustered(draws: int, seed: int) -> Iterator[Rate]:
    """Trainings hardly vary, but one side is better on some clusters and the other on others."""
    for name, by, other, apart, whole in CLUSTERED:
        gaps = apart, whole
        wrong = sum(_by_clusters(by, other, gaps, 0.0, (seed, draw)) for draw in range(draws))
        found = sum(_by_clusters(by, other, gaps, 0.15, (seed, draw)) for draw in range(draws // 5))
        how = "each wholly for one side by" if whole else "whose difference varies by"
        where = f"{name}, {how} {100 * apart:.0f} points, 4 against 4 trainings"
        power = f"{found / max(draws // 5, 1):.2f} at 15 points"
        yield Rate("better or worse, one test", where, wrong, draws, 0.05, power)


def _by_clusters(
    by: numpy.ndarray, other: numpy.ndarray | None, gaps: tuple[float, bool], shift: float, draw: tuple[int, int]
) -> bool:
    """True if cases of these clusters get a verdict; those of the other kind are what differs, if there are any."""
    rng = numpy.random.default_rng([*draw, len(by), int(100 * shift)])
    deciding = by if other is None else other
    apart, whole = gaps
    sides = (rng.choice([-1.0, 1.0], deciding.max() + 1) if whole else rng.normal(size=deciding.max() + 1))[deciding]
    gap = shift + apart * sides
    chances = 0.65 + rng.normal(0, 0.01, (8, 1)) + rng.choice([-0.15, 0.15], len(by))
    chances += numpy.repeat([0.5, -0.5], 4)[:, None] * gap
    right = (rng.random(chances.shape) < chances).astype(numpy.int64)
    hits, trials = _counts(right, by)
    crossed = None if other is None else (*_counts(right, other), right)
    found = compare_hits(hits[:4], hits[4:], trials, crossed)
    accuracies = right.mean(axis=1).tolist()
    return _is_verdict(found.value, [(found.p, exchange_p(accuracies[:4], accuracies[4:]))], 0, 4)


def _counts(right: numpy.ndarray, clusters: numpy.ndarray) -> tuple[NDArray[numpy.int64], NDArray[numpy.int64]]:
    """Hits, (trainings, clusters), and trials."""
    hits = [numpy.bincount(clusters, weights=row) for row in right]
    return numpy.rint(numpy.stack(hits)).astype(numpy.int64), numpy.bincount(clusters)


def _is_verdict(value: float, read: list[tuple[float | None, float]], place: int, seeds: int) -> bool:
    return judge_trainings(value, adjust_tests(read)[place], seeds) in ("better", "worse")


def _hits(rng: numpy.random.Generator, kind: Kind, trainings: numpy.ndarray) -> NDArray[numpy.int64]:
    """Which cases each training gets right: cases are easy or hard, and the two conditions differ from case to case."""
    easy = rng.choice([-0.25, 0.25], size=kind.cases)
    apart = rng.choice([-0.1, 0.1], size=kind.cases)
    side = numpy.repeat([1, -1], len(trainings) // 2)
    chances = kind.accuracy + trainings[:, None] + easy + side[:, None] * apart  # (trainings, cases)
    return numpy.asarray(rng.random(chances.shape) < chances, dtype=numpy.int64)


def _ties(draws: int, seed: int) -> Iterator[Rate]:
    """Systems that err independently share no more of their frequent errors than chance gives."""
    for cases, epochs in ((2000, 3), (3000, 3), (2000, 10)):
        excess = []
        for draw in range(draws):
            rng = numpy.random.default_rng([seed, draw, cases, epochs])
            gold, places = rng.integers(0, 3, cases), numpy.arange(cases)
            traces = []
            for name in "ab":
                always = rng.random(cases) < 0.6
                wrong = (gold + rng.integers(1, 3, (epochs, cases))) % 3
                answers = numpy.where(always | (rng.random((epochs, cases)) < 0.1), wrong, gold)
                traces.append(Trace(f"{name}{draw}", gold, answers, places))
            shared, chance = (each.value for each in find_shared_errors(traces) if each.name in ("common", "by chance"))
            assert shared is not None
            assert chance is not None
            sd = (chance * (1 - 400 / cases) ** 2) ** 0.5
            excess.append(abs(shared - chance) > 1.96 * sd + 0.5)  # shared errors are a whole number
        yield Rate(
            "errors in common, beyond chance",
            f"{cases:,} cases, {epochs} epochs, independent systems",
            sum(excess),
            len(excess),
            0.05,
        )


def _orders(draws: int, seed: int) -> Iterator[Rate]:
    """Systems with a rank of their own, here and in a paper, over 12 tests on which they differ a little."""
    for systems in (5, 6):
        rare = []
        for draw in range(draws):
            rng = numpy.random.default_rng([seed, draw, systems])
            ours, theirs = (rng.normal(size=(systems, 1)) + 0.5 * rng.normal(size=(systems, ROWS)) for _ in range(2))
            rows = [
                Matched(
                    StudyFigure(
                        system=str(system),
                        condition="plain",
                        slice={"suite": str(place)},
                        band=band([float(ours[system, place])]),
                        n=1000,
                    ),
                    float(theirs[system, place]),
                    "",
                )
                for system in range(systems)
                for place in range(ROWS)
            ]
            found = compare_order(rows)
            assert found is not None
            rare.append(found.share < 0.05)
        where = f"{systems} systems, {ROWS} tests, unrelated orders"
        yield Rate("share of exchanges below 5%", where, sum(rare), len(rare), 0.05)
