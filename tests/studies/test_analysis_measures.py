"""The statistics of the papers' analyses, compared with other ways to work them out."""

import numpy
import pytest

from assay.core.case import Case, Recipe, case_from
from assay.core.edit import Edit
from assay.core.label import Label
from assay.core.pair import Pair
from assay.evaluate.case_columns import Encoder
from assay.evaluate.intervals import clustered_share
from assay.studies.analyses.analysis_result import SliceShares
from assay.studies.analyses.epochs import Trace, find_shared_errors
from assay.studies.analyses.error_causes import Excess
from assay.studies.analyses.prediction_of_failure import Scores, correlate_scores
from assay.studies.analyses.swap_training import Swapping
from assay.studies.plan.study_metrics import deviation

SHARES = [0, 25, 50, 100]


def cases(count: int) -> list[Case]:
    recipe = Recipe(transform="original/v1", seed=0)
    pairs = [
        Pair(id=f"{n}", premise=f"It rains {n} times.", hypothesis="It is wet.", label=Label.NEUTRAL)
        for n in range(count)
    ]
    return [case_from(pair, Edit(), family="original", recipe=recipe) for pair in pairs]


def test_deviations_are_those_of_the_scores() -> None:
    encoder = Encoder()
    columns = encoder.cases(cases(40))
    right = numpy.arange(40)[None] < numpy.array([20, 10, 30, 24])[:, None]  # (shares, cases)
    swapping = Swapping(SHARES, suite="s", encoder=encoder)
    swapping.add(columns, right)
    found = {each.name: each for each in swapping.estimates({"model": "m"}) if "swapped" not in each.slice}
    scores = dict(zip(SHARES, right.mean(axis=1).tolist(), strict=True))
    assert found["deviation"].value == pytest.approx(deviation([scores]))
    assert found["deviation as printed"].value == pytest.approx(deviation([scores], as_printed=True))
    assert found["deviation"].value == pytest.approx(0.25 + 0.25 + 0.04)
    low, high = found["deviation"].low, found["deviation"].high
    assert low is not None
    assert high is not None
    assert low < 0.54 < high


def test_chunks_add_up() -> None:
    encoder, whole = Encoder(), Encoder()
    right = numpy.arange(40)[None] % numpy.array([2, 3, 4, 5])[:, None] == 0
    parted, at_once = Swapping(SHARES, suite="s", encoder=encoder), Swapping(SHARES, suite="s", encoder=whole)
    parted.add(encoder.cases(cases(40)[:15]), right[:, :15])
    parted.add(encoder.cases(cases(40)[15:]), right[:, 15:])
    at_once.add(whole.cases(cases(40)), right)
    assert parted.estimates({}) == at_once.estimates({})


def test_a_correlation_is_pearsons_and_a_partial_one_that_of_residuals() -> None:
    chance = numpy.random.default_rng(1)
    plain = chance.random(9)
    test, target = plain + chance.random(9) / 2, plain + chance.random(9) / 3
    systems = [f"s{number}" for number in range(9)]
    correlation, partial = correlate_scores(
        Scores(list(test), list(target), list(plain), systems), {"family": "negation"}
    )
    assert correlation.value == pytest.approx(numpy.corrcoef(test, target)[0, 1])
    rests = [each - numpy.polyval(numpy.polyfit(plain, each, 1), plain) for each in (test, target)]
    assert partial.value == pytest.approx(numpy.corrcoef(rests[0], rests[1])[0, 1])
    assert correlation.low is not None
    assert correlation.low < (correlation.value or 0) < (correlation.high or 0)


def test_seeds_of_a_system_count_as_one_system() -> None:
    test, target = [0.1, 0.2, 0.3, 0.5, 0.4, 0.7], [0.2, 0.1, 0.4, 0.4, 0.6, 0.6]
    seeds = correlate_scores(Scores(test * 3, target * 3, [0.5] * 18, list("abcdef") * 3), {})[0]
    alone = correlate_scores(Scores(test, target, [0.5] * 6, list("abcdef")), {})[0]
    assert seeds.n == alone.n == 6
    for name in ("value", "low", "high"):
        assert getattr(seeds, name) == pytest.approx(getattr(alone, name))


def test_a_system_with_more_seeds_does_not_count_more() -> None:
    test, target = [0.1, 0.2, 0.3, 0.5, 0.4], [0.2, 0.1, 0.4, 0.4, 0.6]
    alone = correlate_scores(Scores(test, target, [0.5] * 5, list("abcde")), {})[0]
    more = correlate_scores(Scores([*test, 0.4, 0.4], [*target, 0.6, 0.6], [0.5] * 7, list("abcdeee")), {})[0]
    assert more.value == pytest.approx(alone.value)


def test_intervals_of_correlations_cover_the_truth_for_few_systems() -> None:
    chance = numpy.random.default_rng(2)
    covered = 0
    for _ in range(400):
        system = chance.normal(size=(2, 7))
        system[1] = 0.8 * system[0] + 0.6 * system[1]
        test, target = numpy.repeat(system, 2, axis=1)
        found = correlate_scores(Scores(list(test), list(target), [0.5] * 14, [*"aabbccddeeffgg"]), {})[0]
        covered += (found.low or 0) <= 0.8 <= (found.high or 0)
    assert 0.92 < covered / 400 < 0.98


def test_without_source_pairs_there_is_no_partial_correlation() -> None:
    test, target = [0.1, 0.2, 0.3, 0.5, 0.4], [0.2, 0.1, 0.4, 0.4, 0.6]
    correlation, partial = correlate_scores(Scores(test, target, [float("nan")] * 5, list("abcde")), {})
    assert correlation.value is not None
    assert (partial.value, partial.low) == (None, None)


def test_too_few_systems_give_no_correlation() -> None:
    scores = Scores([0.1, 0.2, 0.3] * 2, [0.1, 0.2, 0.3] * 2, [0.5] * 6, ["a", "b", "c"] * 2)
    assert [each.value for each in correlate_scores(scores, {})] == [None, None]


def test_trials_of_one_cluster_count_less() -> None:
    hits = numpy.array([True, True, True, False, False, False] * 10)
    alone, together = SliceShares(), SliceShares()
    alone.add(numpy.zeros(60, dtype=numpy.int64), numpy.arange(60), hits)
    together.add(numpy.zeros(60, dtype=numpy.int64), numpy.arange(60) // 3, hits)
    one, other = alone.shares()[0], together.shares()[0]
    assert one.value == other.value == 0.5
    assert one.interval
    assert other.interval
    assert other.interval.high - other.interval.low > one.interval.high - one.interval.low
    assert other == clustered_share([3, 0] * 10, [3, 3] * 10)


def test_systems_that_err_independently_share_what_chance_gives() -> None:
    """Two thirds of the cases are wrong after every epoch; the first of them in file order would be shared."""
    rng = numpy.random.default_rng(3)
    gold = rng.integers(0, 3, 2000)
    traces = []
    for name in ("a", "b"):
        wrong = rng.random(2000) < 0.65
        answers = numpy.where(wrong, (gold + 1) % 3, gold)[None].repeat(3, axis=0)
        traces.append(Trace(name, gold, answers, numpy.arange(2000)))
    figures = {each.name: each.value for each in find_shared_errors(traces, most=400)}
    assert figures["by chance"] == 80
    assert figures["common"] == pytest.approx(80, abs=25)  # 8 is the standard deviation
    assert figures["over ties"] == pytest.approx(80, abs=10)


def finds_cue(seed: int, *, follows: float) -> bool:
    """Whether a cue is found that goes with the label and with words of the hypothesis, as the errors do.

    A model that does not follow it errs more often where it is, because of those words alone.
    """
    rng = numpy.random.default_rng(seed)
    label, words = rng.integers(2, size=900), rng.random((900, 3)) < 0.4
    pull = words @ numpy.array([1.0, 0.7, -0.8]) + 0.8 * label
    cue = rng.random(900) < 1 / (1 + numpy.exp(1.5 - 1.5 * pull))
    wrong = rng.random(900) < numpy.minimum(1.0, 1 / (1 + numpy.exp(1 - 1.5 * pull)) + follows * cue)
    found = Excess(["cue"])
    hypotheses = [frozenset(map(str, numpy.flatnonzero(row))) for row in words]
    found.add(cue[None], wrong[None], label=label, hypotheses=hypotheses, clusters=numpy.arange(900))
    assert wrong[cue].mean() > wrong[~cue].mean() + 0.1
    [[excess]] = found.estimates([{"model": "m"}])
    assert (excess.low, excess.high) == (None, None), "it is a description, not a test"
    return (excess.value or 0.0) > 0.1


def test_a_cue_that_label_and_hypothesis_explain_is_seldom_found() -> None:
    assert sum(finds_cue(seed, follows=0.0) for seed in range(60)) <= 6  # 5% would be 3, and 7 or more 3% likely


def test_a_cue_that_a_model_follows_is_found() -> None:
    assert sum(finds_cue(seed, follows=0.25) for seed in range(20)) >= 18


def test_nothing_is_said_about_a_cue_that_few_cases_have() -> None:
    found = Excess(["cue"])
    rare = numpy.arange(200) < 10
    found.add(rare[None], rare[None], label=rare * 0, hypotheses=[frozenset()] * 200, clusters=numpy.arange(200))
    assert found.estimates([{}]) == [[]]
