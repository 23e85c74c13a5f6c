"""Two models of claims: the verdict in terms of what passes, with paired intervals and tests."""

from itertools import product
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.fixtures.web import claim_rows

import assay
from assay.core.comparison import Comparison, Outcome
from assay.core.label import Label
from assay.evaluate.model_comparison import compared_shares, judge_differences
from assay.evaluate.paired import mcnemar, paired_shares
from assay.reports.claims_comparison import claims_rows, claims_verdict
from assay.reports.tables.comparison_tables import comparison_rows, comparison_sheet, outcome_words

CHANGES: dict[Outcome, tuple[int, int]] = {"better": (30, 2), "worse": (2, 30), "not significant": (5, 3)}
"""Claims that only the candidate gets right, and only the baseline."""


def compared(unsupported: tuple[int, int], supported: tuple[int, int], n: int = 100) -> Comparison:
    """Two models on the claims of both labels, n of each, half of which both get right."""
    rows = []
    for label, (ours, theirs) in ((Label.NON_ENTAILMENT, unsupported), (Label.ENTAILMENT, supported)):
        counts = [[1, 1, 0, 0]] * (n // 2) + [[1, 0, 1, 0]] * ours + [[1, 0, 0, 1]] * theirs
        counts += [[1, 0, 0, 0]] * (n - len(counts))
        where = {"suite": "s", "family": "original", "label": label.value}
        rows.append(compared_shares(where, paired_shares(counts)))
    return Comparison(
        candidate="b",
        candidate_run="r",
        baseline="a",
        baseline_run="r",
        test="paired",
        slices=judge_differences(rows),
    )


@pytest.mark.parametrize(("false_support", "recall"), [*product(CHANGES, CHANGES)])
def test_the_headline_says_what_is_gained_and_lost(false_support: Outcome, recall: Outcome) -> None:
    found = compared(CHANGES[false_support], CHANGES[recall])
    rows = claims_rows(found)
    assert (rows["false-support"].verdict, rows["recall"].verdict) == (false_support, recall)
    verdict = claims_verdict(found, "a", "b")
    assert verdict is not None
    said = verdict.headline
    assert ("b lets fewer unsupported claims through than a: 20.0% instead of 48.0%" in said) == (
        false_support == "better"
    )
    assert ("lets more unsupported" in said) == (false_support == "worse")
    assert ("accepts more supported" in said) == (recall == "better")
    assert ("accepts fewer supported" in said) == (recall == "worse")
    assert ("but it" in said) == ({false_support, recall} == {"better", "worse"})
    is_open = [false_support, recall].count("not significant")
    assert ("No difference is shown" in said) == (is_open == 1)
    assert ("These claims don't tell b and a apart" in said) == (is_open == 2)
    assert len(verdict.undecided) == is_open


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
    assert "Alone, that would count as a difference. Among 2 tests" in alone.undecided[0]


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
    assert words[0].startswith(
        "object:strict lets fewer unsupported claims through than object:lax: 0.0% instead of 100.0%"
    )
    assert words[1].startswith("False support: 100.0% -> ")


def _strict(pairs: list[tuple[str, str]]) -> list[float]:
    """Accepts a claim whose words are all in the evidence."""
    return [float({*claim.split()} <= {*evidence.split()}) for evidence, claim in pairs]
