"""Two systems over several trainings: trainings and cases are both random, in studies and in comparisons alike."""

from collections.abc import Sequence

import numpy
import pytest
from scipy.stats import t as student
from scipy.stats import ttest_ind
from tests.conftest import case
from tests.evaluate.conftest import columns

from assay.core.comparison import Outcome
from assay.core.label import Label
from assay.evaluate.case_columns import Bools
from assay.evaluate.intervals import student_95, student_p
from assay.evaluate.model_comparison import judge_systems
from assay.evaluate.trainings import Standing, TrainingBoard, compare_hits, is_at_chance
from assay.studies.plan.study_metrics import judge_tests, study_tests

E, N, C, _ = Label


@pytest.mark.parametrize("freedom", [1, 1.7, 3, 6.5, 40, 2000])
def test_student_is_that_of_scipy(freedom: float) -> None:
    for t in (0.1, 1.0, 2.5, 9.0, 60.0):
        assert student_p(t, freedom) == pytest.approx(2 * student.sf(t, freedom), rel=1e-9)
    assert student_95(freedom) == pytest.approx(student.ppf(0.975, freedom), rel=1e-5)


def test_where_trainings_differ_most_it_is_the_test_of_welch() -> None:
    """If all cases of a training are right or wrong alike, only trainings vary, with two degrees of freedom."""
    trials = numpy.full(40, 1000)
    first, second = (numpy.array([[10 * hits] * 40 for hits in side]) for side in ([60, 70, 66], [41, 52, 30]))
    found = compare_hits(first, second, trials)
    theirs = ttest_ind(first[:, 0], second[:, 0], equal_var=False)
    assert found.p == pytest.approx(2 * student.sf(theirs.statistic, 2))
    assert found.p is not None
    assert found.p > theirs.pvalue


def test_a_single_training_varies_by_its_cases_alone() -> None:
    rng = numpy.random.default_rng(0)
    first, second = rng.integers(0, 2, (2, 1, 400))
    apart = first[0] - second[0]
    expected = apart.var(ddof=1) / 400
    found = compare_hits(first, second, numpy.ones(400, dtype=numpy.int64))
    assert found.high is not None
    reach = found.high - found.value
    assert reach == pytest.approx(student.ppf(0.975, 399) * expected**0.5)


def verdicts(right: Bools, candidates: int, *, label: Label = E) -> dict[str, set[Outcome]]:
    """The verdicts of a study and of a comparison of the same answers: (trainings, cases)."""
    cases, encoder = columns([case(number, family="original", label=label) for number in range(right.shape[1])])
    board = TrainingBoard(suite="s", encoder=encoder, candidates=candidates)
    board.add(cases, right)
    tests = [each for each in board.tests() if "label" not in each.slice]
    studied = judge_tests(study_tests(("esim", "new", "old"), tests, []))
    compared = judge_systems(tests, [])
    assert [each.adjusted for each in studied] == [each.adjusted for each in compared]
    return {"study": {each.verdict for each in studied}, "compare": {each.verdict for each in compared}}


def answers(rng: numpy.random.Generator, accuracies: Sequence[float]) -> Bools:
    return rng.random((len(accuracies), 500)) < numpy.array(accuracies)[:, None]


@pytest.mark.parametrize(("seeds", "said"), [(1, "one training"), (2, "too few trainings"), (3, "too few trainings")])
def test_few_trainings_allow_no_verdict_however_far_apart(seeds: int, said: Outcome) -> None:
    right = answers(numpy.random.default_rng(1), [0.9] * seeds + [0.1] * seeds)
    assert verdicts(right, seeds) == {"study": {said}, "compare": {said}}


def test_four_trainings_allow_one() -> None:
    right = answers(numpy.random.default_rng(1), [0.7, 0.71, 0.69, 0.7, 0.5, 0.52, 0.49, 0.5])
    assert verdicts(right, 4) == {"study": {"better"}, "compare": {"better"}}


def test_trainings_of_one_condition_seldom_differ() -> None:
    """With trainings that vary by ten points, as on HANS, at most 5% of comparisons may have a verdict."""
    rng = numpy.random.default_rng(2)
    found = [
        verdicts(answers(rng, numpy.clip(0.5 + 0.1 * rng.normal(size=8), 0, 1).tolist()), 4)["study"]
        for _ in range(200)
    ]
    assert sum(each <= {"better", "worse"} for each in found) <= 18  # 9%, where more than that has a chance of 0.5%


def test_cases_are_random_too() -> None:
    """Trainings that all answer alike differ on 20 cases by 3 of them, which another 20 cases may not show."""
    right = numpy.zeros((8, 20), dtype=bool)
    right[:, :10] = True
    right[:4, 10:13] = True
    assert verdicts(right, 4)["study"] == {"not significant"}


def test_one_large_cluster_shows_no_difference() -> None:
    """All trainings agree that one cluster of 200 cases is easier for one side, and on nothing else."""
    trials = numpy.array([200, *[1] * 100])
    easy = numpy.tile([170, *[1, 0, 1, 1] * 25], (4, 1))
    hard = numpy.tile([120, *[0, 1, 1, 1] * 25], (4, 1))
    found = compare_hits(easy, hard, trials)
    assert found.p is not None
    assert found.p > 0.05


def test_premises_count_where_word_pairs_do() -> None:
    """One side is better on three of four premises, which 200 cases share that each exchange other words."""
    cases, encoder = columns(
        [case(number, premise=f"Cook {number % 4}.", unit=f"words {number}") for number in range(200)]
    )
    rng = numpy.random.default_rng(5)
    chances = numpy.where(numpy.arange(200) % 4 < 3, 0.8, 0.4) * numpy.ones((8, 1))
    chances[4:] = 0.6
    board = TrainingBoard(suite="s", encoder=encoder, candidates=4)
    board.add(cases, rng.random(chances.shape) < chances)
    [test] = [each for each in board.tests() if "label" not in each.slice]
    assert test.exchange < 0.05
    assert test.p is not None
    assert test.p > 0.05


@pytest.mark.parametrize(
    ("slice_", "expected"),
    [
        ({"suite": "snli", "family": "original"}, False),  # a fall to chance is seen where it happens
        ({"suite": "snli", "family": "original", "label": "contradiction"}, False),
        ({"suite": "snli", "family": "original", "genre": "news"}, True),
        ({"suite": "breaking", "family": "original"}, True),
        ({"suite": "stress", "family": "negation"}, False),  # both are above the best guess there
    ],
)
def test_a_system_at_chance_gets_no_verdict_elsewhere(slice_: dict[str, str], expected: bool) -> None:
    """33.3% on SNLI and 26 points more on Breaking NLI, where another constant answer is right."""
    plain = Standing("snli", candidate=False, baseline=True, has_edits=False)
    challenge = Standing("breaking", candidate=False, baseline=False, has_edits=False)
    own = [Standing("stress", candidate=True, baseline=True, has_edits=True)] if slice_["suite"] == "stress" else []
    assert is_at_chance(slice_, [plain, challenge, *own]) is expected


def test_the_best_guess_is_the_most_frequent_label() -> None:
    labels = [E] * 50 + [N] * 30 + [C] * 20
    cases, encoder = columns([case(number, family="original", label=label) for number, label in enumerate(labels)])
    constant = numpy.array([label is E for label in labels])
    board = TrainingBoard(suite="s", encoder=encoder, candidates=2)
    board.add(
        cases, numpy.stack([constant, constant, constant | (numpy.arange(100) < 90), numpy.ones(100, dtype=bool)])
    )
    standing = board.standing()
    assert standing == Standing("s", candidate=False, baseline=True, has_edits=False)
