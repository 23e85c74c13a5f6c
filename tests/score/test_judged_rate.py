"""Rates that a judge counts, corrected for its known errors."""

import csv
from pathlib import Path

import pytest
from tests.conftest import Assay

import assay
from assay.core.errors import BadInputError, UserError
from assay.core.estimate import Estimate
from assay.score.judged_rate import correct_share, judged_rate


def judge(pairs: list[tuple[str, str]]) -> list[str]:
    """Right on most claims; takes every third unsupported one for supported."""
    return ["entailment" if "yes" in claim or claim.endswith("3.") else "non-entailment" for _, claim in pairs]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    with (tmp_path / "claims.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["evidence", "claim", "label"])
        for number in range(90):
            kind = "yes" if number % 2 else "no"
            rows.writerow(
                [f"Report {number} said {kind}.", f"It was {kind}, number {number % 9}.", f"{bool(number % 2)}"]
            )
    record = assay.run(
        tmp_path / "claims.csv",
        labels={"True": "entailment", "False": "non-entailment"},
        families="original",
        models={"judge": judge},
        out=tmp_path / "runs",
    )
    assert record.folder
    return Path(record.folder)


def test_a_rate_is_corrected_for_the_errors_of_its_judge(run: Path, tmp_path: Path, assay: Assay) -> None:
    verdicts = tmp_path / "verdicts.csv"
    verdicts.write_text(
        "id,prediction\n" + "".join(f"{n},{'entailment' if n < 50 else 'non-entailment'}\n" for n in range(100))
    )
    found = judged_rate(verdicts, run)
    assert (found.n, found.counted, found.recall) == (100, 0.5, 1.0)
    assert 0 < found.false_support < 0.3
    assert found.low < found.corrected < found.counted < 0.6
    assert f"corrected {found.corrected:.1%}" in " ".join(assay("score", verdicts, "--judged-by", run).stdout.split())


def test_a_run_without_both_kinds_of_claims_is_refused(run: Path, tmp_path: Path) -> None:
    (tmp_path / "verdicts.csv").write_text("id,prediction\n1,entailment\n")
    with pytest.raises(UserError, match="Say which one is the judge"):
        judged_rate(tmp_path / "verdicts.csv", run, model="nobody")


def test_a_judge_that_guesses_corrects_nothing() -> None:
    guess = Estimate(name="accuracy", value=0.5, n=100)
    with pytest.raises(UserError, match="equally often"):
        correct_share(60, 100, guess, guess)


def test_a_count_that_the_known_errors_rule_out_is_refused() -> None:
    known = [Estimate(name="accuracy", value=value, n=100) for value in (0.85, 0.7)]
    with pytest.raises(UserError, match=r"100\.0% supported, but with its known errors it can only be"):
        correct_share(500, 500, *known)


def test_a_file_without_an_answer_names_its_columns(run: Path, tmp_path: Path) -> None:
    (tmp_path / "verdicts.csv").write_text("id,verdict\n1,supported\n")
    with pytest.raises(BadInputError, match="no column has an answer; the columns are 'id', 'verdict'"):
        judged_rate(tmp_path / "verdicts.csv", run)
