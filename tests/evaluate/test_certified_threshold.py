"""Thresholds with a promise: they keep it, and say what is missing where there is none."""

import numpy
import pytest
from scipy.stats import binom, norm

from assay.core.errors import UserError
from assay.evaluate.support.certified_threshold import betting_p, binomial_below, certify_threshold
from assay.evaluate.support.threshold_metrics import Scored


def scored(others: numpy.ndarray, supported: numpy.ndarray, cluster: numpy.ndarray | None = None) -> Scored:
    score = numpy.concatenate([others, supported])
    cluster = numpy.arange(len(others)) if cluster is None else cluster
    clusters = numpy.concatenate([cluster, 10_000 + numpy.arange(len(supported))])
    return Scored(score, numpy.arange(len(score)) >= len(others), clusters, clusters % 256)


@pytest.mark.parametrize(("hits", "n", "share"), [(0, 59, 0.05), (3, 200, 0.05), (40, 150, 0.2)])
def test_the_binomial_tail_is_scipys(hits: int, n: int, share: float) -> None:
    assert binomial_below(hits, n, share) == pytest.approx(binom.cdf(hits, n, share), rel=1e-10)


def test_the_promise_is_kept_19_times_in_20() -> None:
    rng = numpy.random.default_rng(0)
    broken = 0
    for _ in range(400):
        found = certify_threshold(scored(rng.beta(1, 4, 150), rng.beta(4, 1, 50)), 0.1)
        broken += found.threshold is not None and (1 - found.threshold) ** 4 > 0.1  # the true false support
    assert broken <= 30  # 5% of 400 are 20; more than 30 would be rarer than 1 in 100


def test_the_promise_is_kept_where_claims_of_a_source_are_alike() -> None:
    rng = numpy.random.default_rng(1)
    broken = certified = 0
    for _ in range(150):
        cluster = numpy.repeat(numpy.arange(200), rng.integers(1, 4, 200))
        found = certify_threshold(scored(rng.beta(1, 4, 200)[cluster], rng.beta(4, 1, 50), cluster), 0.1)
        certified += found.threshold is not None
        broken += found.threshold is not None and (1 - found.threshold) ** 4 > 0.1
    assert certified > 100
    assert broken <= 14


def test_recall_is_the_largest_of_all_that_qualify() -> None:
    rng = numpy.random.default_rng(2)
    given = scored(rng.beta(1, 6, 300), rng.beta(6, 1, 300))
    strict, lax = certify_threshold(given, 0.02), certify_threshold(given, 0.2)
    assert strict.threshold is not None
    assert lax.threshold is not None
    assert strict.threshold > lax.threshold
    assert (strict.recall or 0) <= (lax.recall or 0)


def test_no_threshold_is_an_answer_with_what_is_missing() -> None:
    few = certify_threshold(scored(numpy.zeros(20), numpy.ones(20)), 0.05)
    assert few.threshold is few.recall is None
    assert few.more_claims == 39  # 59 with no false support are enough for 5%
    hopeless = certify_threshold(scored(numpy.ones(500), numpy.ones(500)), 0.05)
    assert hopeless.threshold is hopeless.more_claims is None


@pytest.mark.parametrize("per_source", [1, 4])
@pytest.mark.parametrize("passing", [0, 1])
def test_no_fewer_claims_than_are_said_to_be_missing_certify(per_source: int, passing: int) -> None:
    others = (numpy.arange(40) < passing).astype(float)
    given = others, numpy.ones(5), numpy.arange(40) // per_source
    more = certify_threshold(scored(*given), 0.05).more_claims
    assert more

    def with_more(n: int) -> float | None:
        grown = numpy.concatenate([others, numpy.zeros(n)])
        return certify_threshold(scored(grown, numpy.ones(5), numpy.arange(40 + n) // per_source), 0.05).recall

    assert with_more(more) == 1
    assert with_more(more - per_source) is None


def test_a_certified_threshold_is_as_low_as_the_scores_allow() -> None:
    """Confident models crowd between hundredths, where a grid would lose nearly all recall."""
    others = numpy.concatenate([numpy.linspace(0.1, 0.9, 97), [0.9731, 0.9742, 0.9768]])
    supported = numpy.linspace(0.9732, 0.9799, 40)
    found = certify_threshold(scored(others, supported), 0.05)  # at most 1 of 100 may pass
    assert found.threshold == 0.97423
    assert found.false_support == 0.01
    assert found.recall == (supported > 0.9742).mean()


@pytest.mark.parametrize("per_source", [1, 3])
def test_the_promise_is_kept_for_scores_that_crowd_near_1(per_source: int) -> None:
    rng = numpy.random.default_rng(4)
    broken = certified = 0
    cluster = numpy.arange(150) // per_source
    for _ in range(300):
        logits = rng.normal(5, 2, 150)[cluster]
        found = certify_threshold(
            scored(1 / (1 + numpy.exp(-logits)), 1 / (1 + numpy.exp(-rng.normal(9, 2, 50))), cluster), 0.2
        )
        certified += found.threshold is not None
        if found.threshold is not None:
            broken += norm.sf(numpy.log(found.threshold / (1 - found.threshold)), 5, 2) > 0.2
    assert certified > 200
    assert broken <= 24


def test_a_threshold_that_accepts_no_supported_claim_is_not_certified() -> None:
    """Ten unsupported claims score above every supported one: 10% is kept only where nothing is accepted."""
    given = numpy.concatenate([numpy.full(90, 0.1), numpy.linspace(0.8, 0.9, 10)]), numpy.full(50, 0.5)
    none = certify_threshold(scored(*given), 0.1)
    assert none.threshold is none.recall is None
    assert certify_threshold(scored(*given), 0.2).recall == 1


def test_a_bet_against_a_broken_bound_loses() -> None:
    rng = numpy.random.default_rng(3)
    sizes = rng.integers(1, 5, 300)
    low = [betting_p(rng.binomial(sizes, 0.1).astype(float), sizes, 0.1) < 0.05 for _ in range(200)]
    assert sum(low) <= 18
    assert betting_p(rng.binomial(sizes, 0.01).astype(float), sizes, 0.1) < 0.001


@pytest.mark.parametrize(("bound", "confidence", "said"), [(5, 0.95, "write 0.05"), (0.05, 95, "Write 0.95")])
def test_shares_are_shares(bound: float, confidence: float, said: str) -> None:
    with pytest.raises(UserError, match=said):
        certify_threshold(scored(numpy.zeros(5), numpy.ones(5)), bound, confidence)
