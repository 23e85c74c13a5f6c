"""Two models, or two systems over their training runs, compared by how well their scores rank the same cases."""

from collections.abc import Sequence

import numpy

from assay.core.case import ORIGINAL
from assay.core.comparison import ComparedRanking, RankingOutcome
from assay.core.estimate import Estimate, Interval
from assay.evaluate.case_columns import ENTAILMENT, AnswerColumns, Bools, CaseColumns, Encoder, Floats, Ints, are_given
from assay.evaluate.intervals import flip_signs, freedom_of
from assay.evaluate.losses import is_clear
from assay.evaluate.seeds import exchange_p
from assay.evaluate.support.threshold_metrics import placements
from assay.evaluate.trainings import TrainingDifference, TrainingsTest, adjust_tests, difference_of

FEWEST_RANKED = 5  # with fewer clusters of supported cases, or of others, areas are not compared


def compare_areas(scores: Floats, supported: Bools, cluster: Ints, candidates: int = 1) -> TrainingDifference:
    """The difference of two areas under the ROC curve on the same cases (DeLong, DeLong and Clarke-Pearson 1988).

    The scores are (trainings, cases), those of the candidate first. Each case adds its placement to the
    difference: how often a supported case scores above the others, or another case below the supported ones.
    Placements are added up by cluster (Obuchowski 1997). Several training runs are random, too. The p value is never
    below that of flipping the sign of each cluster's difference, so that a few giant clusters that agree give no
    verdict.
    """
    _, cluster = numpy.unique(cluster, return_inverse=True)
    kinds = [len(numpy.unique(cluster[kind])) for kind in (supported, ~supported)]
    places = numpy.stack([placements(score, supported) for score in scores])  # (trainings, cases)
    areas = places[:, supported].mean(axis=1)
    sides = [areas[:candidates], areas[candidates:]]
    value = float(sides[0].mean() - sides[1].mean())
    if min(kinds) < FEWEST_RANKED:
        return TrainingDifference(value, None, None, None)
    gaps = places[:candidates].mean(axis=0) - places[candidates:].mean(axis=0)  # (cases,)
    weight = numpy.where(supported, 1 / supported.sum(), 1 / (~supported).sum())
    clusters = int(cluster.max()) + 1
    sums = numpy.bincount(cluster, weights=weight * (gaps - value)).astype(numpy.float64)
    sums /= numpy.maximum(1 - numpy.bincount(cluster, weights=weight) / 2, 0.5 / clusters)  # as if it were left out
    # As if one more case of the rarer kind were placed half a place better by one of the two.
    variance = float((sums**2).sum()) * (clusters - 1) / clusters + (0.5 / min(kinds)) ** 2 / min(kinds)
    between = [(float(side.var(ddof=1)) / len(side), len(side) - 1) for side in sides if len(side) > 1]
    freedom = freedom_of(sums, sizes=numpy.bincount(cluster))
    own = numpy.bincount(cluster, weights=weight * gaps).astype(numpy.float64)
    flips = flip_signs(own, 2.0)  # supported cases and others add the difference once each
    return difference_of(value, between, (variance, min(freedom, min(kinds) - 1)), flips)


class RankingBoard:
    """Collects the support scores of each training run of two sides, in a suite that is judged by two labels."""

    def __init__(self, *, suite: str, encoder: Encoder, candidates: int) -> None:
        self._suite, self._encoder, self._candidates = suite, encoder, candidates
        self._chunks: list[tuple[Ints, Bools, Ints, Floats]] = []

    def add(self, cases: CaseColumns, answers: AnswerColumns) -> None:
        """Add the labelled cases that every training run scored, the candidate's runs first."""
        there = cases.claims & numpy.stack([are_given(given) for given in answers.probabilities]).all(axis=0)
        if there.any():
            scores = numpy.nan_to_num(answers.probabilities[:, there, ENTAILMENT], nan=0.0)
            supported = cases.label[there] == ENTAILMENT
            self._chunks.append((cases.family[there], supported, cases.unit[there], scores))

    def tests(self) -> list[TrainingsTest]:
        """Every family with supported cases and others, with the areas of each training run.

        Two single models have no training runs to exchange.
        """
        if not self._chunks:
            return []
        family, supported, cluster = (numpy.concatenate([chunk[part] for chunk in self._chunks]) for part in range(3))
        scores = numpy.concatenate([chunk[3] for chunk in self._chunks], axis=1)
        found = []
        for code in dict.fromkeys(family.tolist()):
            own = family == code
            if not supported[own].any() or supported[own].all():
                continue
            areas = [float(placements(row[own], supported[own])[supported[own]].mean()) for row in scores]
            candidate, baseline = tuple(areas[: self._candidates]), tuple(areas[self._candidates :])
            found.append(
                TrainingsTest(
                    slice={"suite": self._suite, "family": self._encoder.families[code]},
                    n=int(own.sum()),
                    candidate=candidate,
                    baseline=baseline,
                    difference=compare_areas(scores[:, own], supported[own], cluster[own], self._candidates),
                    exchange=0.0 if len(areas) == 2 else exchange_p(candidate, baseline),
                )
            )
        return found


def judge_rankings(
    tests: Sequence[TrainingsTest], candidate: Sequence[Sequence[Estimate]], baseline: Sequence[Sequence[Estimate]]
) -> list[ComparedRanking]:
    """Every family with its verdict; the stored areas of each test give the intervals.

    Holm's correction is over the edited and generated families: what is said about the unmodified pairs must not
    depend on what else was tested.

    There is no verdict on systems of fewer than four training runs.
    """
    known, found = [], []
    for test in tests:
        is_alone = len(test.candidate) == len(test.baseline) == 1
        known.append((test.difference.p if is_alone else test.p, test.exchange))
    edited = [place for place, test in enumerate(tests) if test.slice["family"] != ORIGINAL]
    adjusted = [adjust_tests([each])[0] for each in known]
    for place, p in zip(edited, adjust_tests([known[place] for place in edited]), strict=True):
        adjusted[place] = p
    for test, p, ours, theirs in zip(tests, adjusted, candidate, baseline, strict=True):
        verdict: RankingOutcome = "not significant"
        if is_clear(p) and test.difference.value:
            verdict = "higher" if test.difference.value > 0 else "lower"
        found.append(
            ComparedRanking(
                slice=test.slice,
                n=test.n,
                candidate=float(numpy.mean(test.candidate)),
                candidate_interval=_ends(ours),
                baseline=float(numpy.mean(test.baseline)),
                baseline_interval=_ends(theirs),
                difference=test.difference.value,
                low=test.difference.low,
                high=test.difference.high,
                p=test.difference.p,
                adjusted=p,
                verdict=verdict,
            )
        )
    return found


def _ends(side: Sequence[Estimate]) -> Interval:
    """From the lowest end to the highest."""
    return Interval(min(e.low or 0.0 for e in side), max(e.high or 0.0 for e in side))
