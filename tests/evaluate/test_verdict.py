"""The verdict on each model."""

from tests.figures import COUNTS, band, lost, share

from assay.core.estimate import Estimate
from assay.core.judgement import SourceAccuracy, Verdict
from assay.evaluate.verdict import find_two_label_models, judge_estimates


def verdicts(*estimates: Estimate) -> tuple[Verdict, ...]:
    return judge_estimates(estimates, {"stress": COUNTS}).verdicts


def test_a_clear_loss_is_right_for_the_wrong_reasons() -> None:
    [one] = verdicts(share(0.9, family="original"), share(0.2, family="negation"), *lost("neutral", 0.9, 0.2, p=0.004))
    assert (one.outcome, one.wrong, one.families, one.tests) == ("wrong reasons", 1, 1, 1)
    assert one.source == SourceAccuracy(value=0.9, low=0.9 - 0.05, high=0.9 + 0.05, chance=1 / 3)


def test_no_loss_is_no_proof() -> None:
    [one] = verdicts(share(0.9, family="original"), *lost("neutral", 0.9, 0.89, p=1.0))
    assert one.outcome == "no loss"


def test_guessing_is_found() -> None:
    [one] = verdicts(share(0.34, family="original"), *lost("neutral", 0.3, 0.29, p=1.0))
    assert one.outcome == "guesses"


def test_confidence_alone_is_found() -> None:
    error = share(0.4, name="calibration-error", family="negation")
    [one] = verdicts(share(0.9, family="original"), *lost("neutral", 0.9, 0.89, p=1.0), error)
    assert (one.outcome, one.wrong) == ("misjudges itself", 0)


def test_without_source_pairs_nothing_is_claimed() -> None:
    [one] = verdicts(share(0.5, family="negation"))
    assert (one.outcome, one.source) == ("not compared", None)


def test_seeds_of_a_system_have_one_verdict_over_all_of_them() -> None:
    seeds = [share(0.5, model=f"trained:x@{seed}", family="original") for seed in (1, 2)]
    losses = [each for seed in (1, 2) for each in lost("neutral", 0.9, 0.1, model=f"trained:x@{seed}")]
    [one] = verdicts(*seeds, *losses, band(0.5, family="original"))
    assert (one.model, one.outcome, one.tests) == ("trained:x", "wrong reasons", 1)
    assert one.source
    assert (one.source.value, one.source.seeds) == (0.5, 2)
    assert not one.source.is_guessing


def test_a_model_that_fell_back_on_most_cases_is_not_judged_by_them() -> None:
    losses = lost("neutral", 0.9, 0.2, p=0.004)
    figures = (share(0.9, family="original"), share(0.2, family="negation"), *losses)
    for fell_back, outcome in ((0.9, "unusable"), (0.1, "wrong reasons")):
        fallbacks = [share(fell_back, name="fallback", family=family, note="x") for family in ("original", "negation")]
        found = judge_estimates((*figures, *fallbacks), {"stress": COUNTS})
        assert [each.outcome for each in found.verdicts] == [outcome]
        assert bool(found.findings) == (outcome == "wrong reasons")


def test_only_a_model_that_says_non_entailment_where_there_are_three_labels_answers_with_two() -> None:
    def said(answer: str, label: str) -> Estimate:
        return share(1.0, name="answers", family="original", label=label, answer=answer)

    assert not find_two_label_models([said("neutral", "contradiction"), said("entailment", "neutral")])
    assert not find_two_label_models([said("non-entailment", "non-entailment")])
    assert len(find_two_label_models([said("non-entailment", "neutral"), said("neutral", "neutral")])) == 1
