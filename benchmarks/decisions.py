"""How often decisions go wrong: gates with a margin, repeated runs of one model, planned samples, certified thresholds,
corrected rates of judges, and diagnoses.

Answers are simulated on the cases of real suites, which share premises and word pairs as they do.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from itertools import product
from math import sqrt
from pathlib import Path

import numpy

import assay
from assay.core.comparison import ComparedSlice
from assay.core.estimate import Estimate
from assay.evaluate.case_columns import Bools, CaseColumns, Encoder, Floats, Ints
from assay.evaluate.diagnose.planting import are_named, honest_answers, measure_sensitivity, planted_rules
from assay.evaluate.diagnose.shortcut_rules import ground_of
from assay.evaluate.model_comparison import compared_shares, judge_differences
from assay.evaluate.paired import LEVEL, paired_shares
from assay.evaluate.slice_sums import ALL_LABELS, WIDTH, PairedTally, make_cells, slice_of
from assay.evaluate.support.certified_threshold import certify_threshold
from assay.evaluate.support.threshold_metrics import Scored
from assay.run.plan_sample import ALIKE, CHANGED, plan_families
from assay.score.judged_rate import correct_share
from calibrating.diagnosis import cases_of, honest_model, named_shortcuts
from calibrating.rate import Rate

FAMILIES = ("original", "negation", "numeracy", "antonymy", "lexical")
MARGIN = 0.05
Generator = numpy.random.Generator


def flips(rng: Generator, group: Ints, share: float, alike: float) -> Bools:
    """(cases,) Which cases change: a share of them, and some by whole groups."""
    together = rng.random(len(group)) < sqrt(alike)
    return numpy.where(together, (rng.random(group.max() + 1) < share)[group], rng.random(len(group)) < share)


def changed_answers(rng: Generator, baseline: Bools, group: Ints, *, loss: float, change: float, alike: float) -> Bools:
    """(cases,) Answers that lose a share of the cases, besides as many gains as further losses."""
    right = baseline.mean()
    lost = flips(rng, group, (loss + change / 2) / right, alike)
    gained = flips(rng, group, change / 2 / (1 - right), alike)
    return numpy.where(baseline, ~lost, gained)


def compare(
    cases: CaseColumns, encoder: Encoder, one: Bools, other: Bools, margin: float | None
) -> tuple[ComparedSlice, ...]:
    """Whole families with their verdicts; labels have a correction of their own and are left out."""
    counted = make_cells(cases.family * WIDTH + ALL_LABELS, cases.cluster, cases.unit)
    tally = PairedTally(1)
    tally.add(counted, one.astype(numpy.int64)[None], other.astype(numpy.int64)[None], counted.met)
    rows = [
        compared_shares({"suite": "stress", "family": encoder.families[slice_of(code)[0]]}, shares)
        for code, shares in tally.shares(0).items()
    ]
    return judge_differences(rows, margin)


def gates(draws: int, seed: int, cases: CaseColumns, encoder: Encoder) -> Iterable[Rate]:
    """A model that lost the margin in every family, or in one; and the same model again."""
    for where, hit in (("every family", None), ("lexical alone", "lexical"), ("negation alone", "negation")):
        for alike in (0.0, 0.5):
            passed = certain = whole = 0
            equal = 0.0
            for draw in range(draws):
                rng = numpy.random.default_rng([seed, draw, int(10 * alike)])
                baseline = flips(rng, cases.unit, 0.8, alike)
                candidate = baseline.copy()
                for number, family in enumerate(encoder.families):
                    rows = numpy.flatnonzero(cases.family == number)
                    loss = MARGIN if hit in (None, family) else 0.0
                    candidate[rows] = changed_answers(
                        rng, baseline[rows], cases.unit[rows], loss=loss, change=0.04, alike=alike
                    )
                outcomes = {
                    row.slice["family"]: row.margin.outcome
                    for row in compare(cases, encoder, candidate, baseline, MARGIN)
                    if row.margin
                }
                lost = [outcome for family, outcome in outcomes.items() if hit in (None, family)]
                passed += "within margin" in lost
                certain += "worse" in lost
                same = compare(
                    cases,
                    encoder,
                    changed_answers(rng, baseline, cases.unit, loss=0.0, change=0.02, alike=alike),
                    baseline,
                    MARGIN,
                )
                tests = [row.margin for row in same if row.margin]
                equal += sum(test.outcome == "within margin" for test in tests) / len(tests)
                whole += all(test.outcome == "within margin" for test in tests if test.smallest is None)
            power = f"{certain / draws:.2f} fail; equal models: {equal / draws:.2f} of the families pass, "
            power += f"in {whole / draws:.2f} all that are large enough"
            yield Rate(
                f"gate within {MARGIN:.0%}", f"{MARGIN:.0%} lost in {where}, alike {alike}", passed, draws, 0.05, power
            )


def repeats(draws: int, seed: int, cases: CaseColumns, encoder: Encoder) -> Iterable[Rate]:
    """One model that was run twice, some of whose answers differ at random."""
    for change, alike in ((0.02, 0.0), (0.1, 0.0), (0.1, 0.5)):
        wrong = 0
        for draw in range(draws):
            rng = numpy.random.default_rng([seed, draw, 7])
            baseline = flips(rng, cases.unit, 0.75, alike)
            again = changed_answers(rng, baseline, cases.unit, loss=0.0, change=change, alike=alike)
            wrong += any(row.verdict != "not significant" for row in compare(cases, encoder, again, baseline, None))
        yield Rate("better or worse", f"the same model twice, {change:.0%} differ, alike {alike}", wrong, draws, 0.05)


def plans(draws: int, seed: int, cases: CaseColumns, encoder: Encoder) -> Iterable[Rate]:
    """Samples of the planned size: the loss of one family is found in four draws of five, alone or beside others."""
    effect = 0.05
    found = {family: numpy.bincount(cases.unit[cases.family == place]) for place, family in enumerate(encoder.families)}
    groups = {family: sizes[sizes > 0] for family, sizes in found.items()}
    for family, sizes in groups.items():
        for others in ({}, groups):
            planned = {**others, family: sizes}
            plans = plan_families(planned, pairs=len(sizes), effect=effect)
            [plan] = [each for each in plans if each.family == family]
            missed = sum(
                not _is_found(
                    numpy.random.default_rng([seed, draw, 11]), sizes, plan.pairs_needed, effect, len(planned)
                )
                for draw in range(draws)
            )
            about = f"{family}, {plan.pairs_needed:,} groups of cases" + (f", {len(others)} families" if others else "")
            yield Rate("planned sample", about, missed, draws, 0.2, f"{1 - missed / draws:.2f} found, planned 0.80")


def _is_found(rng: Generator, sizes: Ints, groups: int, effect: float, tests: int) -> bool:
    """True if a sample of so many groups shows the loss, where no other of the tests has one."""
    drawn = rng.choice(sizes, groups)
    group = numpy.repeat(numpy.arange(len(drawn)), drawn)
    together = rng.random(len(group)) < sqrt(ALIKE)
    lost, gained = (CHANGED + effect) / 2, (CHANGED - effect) / 2
    own, shared = rng.random(len(group)), rng.random(len(drawn))[group]
    outcome = numpy.where(together, shared, own)
    parts = (outcome >= 0, outcome > lost + gained, (outcome > lost) & (outcome <= lost + gained), outcome <= lost)
    counts = [numpy.bincount(group, weights=part, minlength=len(drawn)) for part in parts]
    row = compared_shares({}, paired_shares(numpy.stack(counts, axis=1)))
    return row.difference < 0 and row.p is not None and row.p < LEVEL / tests


def crowd(score: Floats) -> Floats:
    """Scores as of a confident model: between 0.982 and 0.999, many of them equal."""
    return numpy.asarray((1 / (1 + numpy.exp(-4 - 3 * score))).round(4))


def thresholds(draws: int, seed: int, cases: CaseColumns, _: Encoder) -> Iterable[Rate]:
    """Certified thresholds of scores whose true false support is known."""
    groups = {
        "single claims": numpy.arange(300),
        "three claims per source": numpy.repeat(numpy.arange(150), 3),
        "premises of the bundled pairs": numpy.unique(cases.cluster[cases.original], return_inverse=True)[1],
    }
    known = numpy.linspace(0, 1, 10**5)  # the lowest of these that passes gives the true false support
    scales = ("from 0 to 1", "near 1 with four decimals")
    for (kind, group), bound, scale in product(groups.items(), (0.05, 0.1), scales):
        broken = none = 0
        recalls = []
        passing = known if scale == scales[0] else crowd(known)
        for draw in range(draws):
            rng = numpy.random.default_rng([seed, draw, int(100 * bound), scales.index(scale)])
            together = rng.random(len(group)) < 0.7
            others = numpy.where(together, rng.beta(1, 4, group.max() + 1)[group], rng.beta(1, 4, len(group)))
            score = numpy.concatenate([others, rng.beta(4, 1.5, 300)])
            if scale != scales[0]:
                score = crowd(score)
            supported = numpy.arange(len(score)) >= len(others)
            clusters = numpy.concatenate([group, 10**6 + numpy.arange(300)])
            found = certify_threshold(Scored(score, supported, clusters, clusters % 256), bound)
            none += found.threshold is None
            at = numpy.inf if found.threshold is None else found.threshold
            broken += bool((1 - known[passing >= at].min(initial=1)) ** 4 > bound)
            recalls.append(found.recall or 0.0)
        power = f"recall {numpy.mean(recalls):.2f}, none in {none / draws:.2f}"
        about = f"{kind}, {len(group)} unsupported, scores {scale}"
        yield Rate(f"false support at most {bound:.0%}", about, broken, draws, 0.05, power)


def judged(draws: int, seed: int, _: CaseColumns, __: Encoder) -> Iterable[Rate]:
    """Rates that a judge counted, corrected for its errors on known cases: how often the interval misses the truth."""
    for truth in (0.1, 0.5, 0.9):
        for recall, specificity, known in ((0.9, 0.8, 50), (0.9, 0.8, 400), (0.7, 0.7, 100), (0.98, 0.95, 100)):
            missed, widths = 0, []
            for draw in range(draws):
                rng = numpy.random.default_rng([seed, draw, known])
                counted = rng.binomial(1000, truth * recall + (1 - truth) * (1 - specificity))
                right = [rng.binomial(known, share) / known for share in (recall, specificity)]
                found = correct_share(
                    counted, 1000, *(Estimate(name="accuracy", value=each, n=known) for each in right)
                )
                missed += not found.low <= truth <= found.high
                widths.append(found.high - found.low)
            condition = f"{truth:.0%} true, judge {recall:.0%} and {specificity:.0%} right on {known} known each"
            yield Rate("corrected rate of a judge", condition, missed, draws, 0.05, f"width {numpy.mean(widths):.2f}")


def reliances(draws: int, seed: int, _: CaseColumns, __: Encoder) -> Iterable[Rate]:
    """Shortcuts that are planted with the reliance that the sensitivity table gives, into a tenth of the draws."""
    evidence = cases_of(200, seed)[0]
    models = max(draws // 10, 1)
    for rule in planted_rules(evidence):
        [stated] = measure_sensitivity(evidence, shortcuts=[rule.name])
        if stated.weakest is not None:
            named = sum(are_named(evidence, rule, [stated.weakest] * models, first=10**6 * seed))
            about = f"{stated.shortcut}: decides {stated.weakest:.0%}, 200 pairs"
            yield Rate("reliance that is noticed", about, models - named, models, 0.2, f"{named / models:.2f} noticed")


def honest(draws: int, seed: int, _: CaseColumns, __: Encoder) -> Iterable[Rate]:
    """Honest models like those that shortcuts are planted into, and of all kinds: half of the draws each."""
    evidence = cases_of(200, seed)[0]
    ground, models = ground_of(evidence), max(draws // 2, 1)
    for about in ("those that shortcuts are planted into", "of all kinds"):
        wrong = 0
        for draw in range(models):
            rng = numpy.random.default_rng([seed, draw, 13])
            is_any = about == "of all kinds"
            answers = honest_model(draw, evidence, rng) if is_any else honest_answers(ground, rng)
            wrong += any(named_shortcuts(evidence, answers))
        yield Rate("diagnosis: a shortcut", f"honest models, {about}, 200 pairs", wrong, models, 0.05)


PARTS: Mapping[str, Callable[[int, int, CaseColumns, Encoder], Iterable[Rate]]] = {
    "gates": gates,
    "repeats": repeats,
    "plans": plans,
    "thresholds": thresholds,
    "judged": judged,
    "reliances": reliances,
    "honest": honest,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=[*PARTS])
    parser.add_argument("--draws", type=int, default=2000, help="draws per row (default: 2000)")
    parser.add_argument("--seed", type=int, default=33, help="seed of all draws (default: 33)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        suite = assay.build(FAMILIES, assay.read("bundled"), out=Path(folder) / "suite")
        encoder = Encoder()
        cases = encoder.cases(list(suite))
    broken = 0
    print("| decision | condition | at most | wrong | draws | power |\n| --- | --- | --: | --: | --: | --- |")
    for name in [options.only] if options.only else PARTS:
        for row in PARTS[name](options.draws, options.seed, cases, encoder):
            low, high = row.interval
            share = f"{row.wrong / row.draws:.1%} ({low:.1%} to {high:.1%})"
            print(
                f"| {row.verdict} | {row.condition} | {row.nominal:.0%} | {share} | {row.draws:,} | {row.power} |",
                flush=True,
            )
            broken += not row.holds
    sys.exit(bool(broken))


if __name__ == "__main__":
    main()
