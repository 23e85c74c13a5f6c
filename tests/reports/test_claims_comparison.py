"""Two models of claims: the verdict in terms of what passes, with paired intervals and tests."""

from itertools import product
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.fixtures.web import claim_rows

import assay
from assay.core.comparison import ComparedRanking, ComparedSlice, Comparison, Outcome, RankingOutcome
from assay.core.estimate import Interval
from assay.core.judgement import Effect
from assay.core.label import Label
from assay.evaluate.model_comparison import compared_shares, judge_differences
from assay.evaluate.paired import mcnemar, paired_shares
from assay.gate.gate_report import points_of
from assay.gate.metric_rules import Gate, losses_of
from assay.reports.claims_comparison import claims_rows, claims_verdict, shortcut_contrasts
from assay.reports.tables.comparison_tables import comparison_rows, comparison_sheet, margin_words, outcome_words

CHANGES: dict[Outcome, tuple[int, int]] = {"better": (30, 2), "worse": (2, 30), "not significant": (5, 3)}
"""Claims that only the candidate gets right, and only the baseline."""


def family_rows(
    family: str, unsupported: tuple[int, int], supported: tuple[int, int], n: int = 100
) -> list[ComparedSlice]:
    """Two models on the claims of both labels, n of each, half of which both get right."""
    rows, everything = [], []
    where = {"suite": "s", "family": family}
    for label, (ours, theirs) in ((Label.NON_ENTAILMENT, unsupported), (Label.ENTAILMENT, supported)):
        counts = [[1, 1, 0, 0]] * (n // 2) + [[1, 0, 1, 0]] * ours + [[1, 0, 0, 1]] * theirs
        counts += [[1, 0, 0, 0]] * (n - len(counts))
        everything += counts
        rows.append(compared_shares({**where, "label": label.value}, paired_shares(counts)))
    return [compared_shares(where, paired_shares(everything)), *rows]


def compared(
    unsupported: tuple[int, int],
    supported: tuple[int, int],
    *others: str,
    margin: float | None = None,
    rankings: tuple[ComparedRanking, ...] = (),
) -> Comparison:
    """Two models on a user's claims, and on other families with a loss."""
    rows = family_rows("original", unsupported, supported)
    rows += [row for family in others for row in family_rows(family, (1, 9), (1, 9))]
    return Comparison(
        candidate="b",
        candidate_run="r",
        baseline="a",
        baseline_run="r",
        test="paired",
        slices=judge_differences(rows, margin),
        rankings=rankings,
    )


@pytest.mark.parametrize(("false_support", "recall"), [*product(CHANGES, CHANGES)])
def test_the_headline_says_what_is_gained_and_lost(false_support: Outcome, recall: Outcome) -> None:
    found = compared(CHANGES[false_support], CHANGES[recall])
    rows = claims_rows(found)
    assert (rows["false-support"].verdict, rows["recall"].verdict) == (false_support, recall)
    verdict = claims_verdict(found, "a", "b")
    assert verdict is not None
    said = verdict.headline
    assert ("lets fewer unsupported claims through" in said) == (false_support == "better")
    assert ("20.0% instead of 48.0%" in said) == (false_support == "better")
    assert ("lets more unsupported" in said) == (false_support == "worse")
    assert ("accepts more supported" in said) == (recall == "better")
    assert ("accepts fewer supported" in said) == (recall == "worse")
    assert ("but it" in said) == ({false_support, recall} == {"better", "worse"})
    is_open = [false_support, recall].count("not significant")
    assert ("No difference is shown" in said) == (is_open == 1)
    assert ("These claims don't tell a and b apart" in said) == (is_open == 2)
    assert len(verdict.undecided) == is_open
    accuracy = found.slices[0].verdict
    assert ("b is right more often than a" in said) == (accuracy == "better")
    assert ("b is right less often than a" in said) == (accuracy == "worse")


def ranked(candidate: float, verdict: RankingOutcome) -> tuple[ComparedRanking]:
    """A ROC-AUC of the candidate, and one of 0.6 of the baseline."""
    ends = {"candidate_interval": Interval(0.5, 0.8), "baseline_interval": Interval(0.5, 0.8), "low": 0.01, "high": 0.3}
    where = {"suite": "s", "family": "original"}
    area = {"candidate": candidate, "baseline": 0.6, "difference": candidate - 0.6, "p": 0.001, "adjusted": 0.001}
    return (ComparedRanking(slice=where, n=200, verdict=verdict, **ends, **area),)  # type: ignore[arg-type]


def test_the_headline_never_contradicts_the_accuracy_or_the_auc() -> None:
    """Accuracy is the mean of both kinds of claims, so that it can be significant where neither kind is."""
    verdict = claims_verdict(compared((15, 5), (15, 5), rankings=ranked(0.5, "lower")), "a", "b")
    assert verdict is not None
    assert verdict.headline == (
        "b is right more often than a: 65.0% instead of 55.0%. No difference is shown in the unsupported claims that "
        "get through: 45.0% (a) and 35.0% (b), or in the supported claims that they accept: 55.0% (a) and 65.0% (b). "
        "The scores of b rank claims worse: AUC 50.0 instead of 60.0"
    )
    assert verdict.numbers[0].startswith("Accuracy: 55.0% -> 65.0% (+10.0 points")
    alone = claims_verdict(compared((5, 3), (5, 3), rankings=ranked(0.7, "higher")), "a", "b")
    assert alone is not None
    assert alone.headline.startswith("At their thresholds, these claims don't tell a and b apart. a lets ")
    assert alone.headline.endswith("The scores of b rank claims better: AUC 70.0 instead of 60.0")


def test_a_shortcut_that_only_one_of_two_models_follows_is_named(tmp_path: Path) -> None:
    pairs = assay.read("bundled", limit=60)
    record = assay.run(pairs, families="negation", models=["assay:majority", "assay:overlap"], out=tmp_path)
    assert record.diagnosis
    effects = (Effect(name="number", rule="it has a number", follows=True), Effect(name="length", rule="it is long"))
    without = (replace(effects[0], follows=False), effects[1])
    diagnosed = [
        replace(record.diagnosis, profiles=(replace(record.diagnosis.profiles[0], model="m", effects=found),))
        for found in (without, effects)
    ]
    old, new = ((replace(record, diagnosis=found), "m", name) for found, name in zip(diagnosed, "ab", strict=True))
    assert shortcut_contrasts(old, new) == ["b follows a shortcut that a doesn't: a number."]
    assert shortcut_contrasts(new, old) == ["b follows a shortcut that a doesn't: a number."]
    assert shortcut_contrasts(new, new) == []
    open_effects = (replace(without[0], possible=True),)
    maybe = replace(diagnosed[0], profiles=(replace(diagnosed[0].profiles[0], effects=open_effects),))
    assert shortcut_contrasts((replace(record, diagnosis=maybe), "m", "a"), new) == []


def test_a_margin_is_asked_of_false_support_and_recall_too() -> None:
    """Fewer supported claims are lost than unsupported ones are gained: accuracy alone would pass."""
    found = compared((0, 12), (40, 0), margin=0.05)
    outcomes = {row.slice.get("label", "all"): row.margin.outcome for row in found.slices if row.margin}
    assert outcomes == {"all": "within margin", "non-entailment": "worse", "entailment": "within margin"}
    words = margin_words(found)
    assert words == [
        "Shown to lose less than 5 points: accuracy on your claims, recall.",
        "Significantly worse: false support.",
    ]
    gate = Gate(run="r", baseline="q", outcome="fail", margin=0.05, rules=(), comparisons=(found,), notes=())
    assert [row.slice["label"] for _, row in gate.losses] == ["non-entailment"]
    [broken] = [point for point in points_of(gate) if not point.holds]
    assert broken.what == "false support at most 5 points above a"
    assert broken.value == pytest.approx(0.5)
    assert broken.context.startswith("was 0.3800")
    few = margin_words(compared((3, 3), (3, 3), margin=0.05))
    assert "A loss of 5 points is not excluded: " in few[-1]
    assert "more unsupported claims" in few[-1]


def test_a_gate_without_a_margin_fails_if_false_support_rises() -> None:
    found = compared((0, 12), (12, 0))
    gate = Gate(run="r", baseline="q", outcome="fail", rules=(), comparisons=(found,), notes=())
    assert [row.slice["label"] for _, row in gate.losses] == ["non-entailment"]
    assert [point.what for point in points_of(gate) if not point.holds] == [
        "false support not significantly higher than a"
    ]
    assert not [row for row in losses_of(compared((5, 3), (5, 3), "negation")) if "label" in row.slice]


def test_the_verdict_on_the_claims_does_not_depend_on_what_else_was_tested() -> None:
    alone, *more = (compared((13, 2), (3, 9), *others, margin=0.05) for others in ((), ("negation", "scope", "names")))
    assert alone.slices[1].verdict == "better"
    for found in more:
        assert found.slices[: len(alone.slices)] == alone.slices
        assert claims_verdict(found, "a", "b") == claims_verdict(alone, "a", "b")


def test_edited_families_are_corrected_among_themselves() -> None:
    found = compared((13, 2), (3, 9), "negation", "scope", "names")
    edited = [row for row in found.families if row.slice["family"] != "original"]
    assert [row.adjusted for row in edited] == pytest.approx([3 * (row.p or 0) for row in edited])


def test_false_support_is_the_mirror_image_of_accuracy_with_the_same_test() -> None:
    row = claims_rows(compared((12, 2), (0, 0)))["false-support"]
    assert (row.candidate, row.baseline) == (1 - 0.62, 1 - 0.52)
    assert row.difference == pytest.approx(-0.1)
    assert row.p == mcnemar(2, 12)
    assert row.low is not None
    assert row.high is not None
    assert row.low < -0.1 < row.high < 0
    assert (row.only_candidate, row.only_baseline) == (2, 12), "claims that pass with one of the two only"


def test_what_the_claims_can_not_tell_is_said_with_the_number_that_could() -> None:
    verdict = claims_verdict(compared((9, 3), (0, 0)), "a", "b")
    assert verdict is not None
    unsupported, supported = verdict.undecided
    assert "Of 100 unsupported claims, 3 pass only with b and 9 only with a. Chance alone can do that" in unsupported
    assert "more unsupported claims would show it" in unsupported
    assert supported == "Both models accept the same supported claims."
    alone = claims_verdict(compared((13, 4), (0, 0)), "a", "b")
    assert alone is not None
    assert "Alone, that would count as a difference. Among 3 tests" in alone.undecided[0]


def test_training_runs_are_not_said_to_accept_the_same_claims() -> None:
    """A row over several training runs has no counts of claims that only one side gets right."""
    found = compared((9, 3), (0, 0))
    rows = [replace(row, clusters=None, only_candidate=0, only_baseline=0) for row in found.slices]
    verdict = claims_verdict(replace(found, test="seeds", slices=tuple(rows)), "a", "b")
    assert verdict is not None
    assert all("other training runs of both may accept others" in words for words in verdict.undecided)


def test_every_door_has_both_numbers(tmp_path: Path) -> None:
    source = tmp_path / "claims.csv"
    source.write_text(claim_rows())
    models = {"strict": _strict, "lax": lambda pairs: [0.9 for _ in pairs]}
    run = assay.run(source, families=("negation",), models=models, out=tmp_path, cache=False)
    compared = assay.compare(run, models=["lax", "strict"])
    [found] = compared.comparisons
    rows = claims_rows(found)
    own = run.find("false-support", ("model",), family="original")
    assert rows["false-support"].candidate == pytest.approx(own["object:strict",].value)
    assert rows["false-support"].baseline == 1.0
    shown = {row.cells[0].text.strip(): row.cells for row in comparison_sheet(found).rows}
    assert shown["false support"][3].value == rows["false-support"].difference
    assert shown["recall"][3].value == rows["recall"].difference
    lines = [row for row in comparison_rows(compared) if row["metric"] in rows]
    assert [row["difference"] for row in lines] == [row.difference for row in rows.values()]
    words = outcome_words(found)
    assert words[0].startswith("object:strict is right more often than object:lax: ")
    assert "It lets fewer unsupported claims through: 0.0% instead of 100.0%" in words[0]
    assert words[2].startswith("False support: 100.0% -> ")


def _strict(pairs: list[tuple[str, str]]) -> list[float]:
    """Accepts a claim whose words are all in the evidence."""
    return [float({*claim.split()} <= {*evidence.split()}) for evidence, claim in pairs]
