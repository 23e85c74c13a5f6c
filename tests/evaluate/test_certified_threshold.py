"""Thresholds with a promise: they keep it, and say what is missing where there is none."""

import numpy
import pytest
from scipy.stats import binom

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


def test_as_many_more_claims_as_are_asked_for_certify_four_times_out_of_five() -> None:
    rng, bound, share = numpy.random.default_rng(3), 0.05, 0.02
    seen = scored((numpy.arange(50) == 0).astype(float), numpy.ones(5))  # 2% of the unsupported claims score 1
    more = certify_threshold(seen, bound).more_claims
    assert more is not None
    hits = rng.binomial(50 + more, share, 2_000)
    assert 0.7 <= numpy.mean(binom.cdf(hits, 50 + more, bound) <= 0.05) <= 0.9


def test_more_claims_are_needed_where_they_share_sources() -> None:
    single = certify_threshold(scored(numpy.zeros(20), numpy.ones(5)), 0.05)
    shared = certify_threshold(scored(numpy.zeros(20), numpy.ones(5), numpy.arange(20) // 4), 0.05)
    assert single.more_claims is not None
    assert shared.more_claims is not None
    assert (shared.more_claims + 20) / (single.more_claims + 20) == pytest.approx(4, abs=0.1)


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
