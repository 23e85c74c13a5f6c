"""Planning how many source pairs a run needs."""

from pathlib import Path

import pytest
from tests.conftest import Assay

import assay
from assay.core.errors import UserError
from assay.run.plan_sample import plan


def test_more_families_and_smaller_losses_need_more_pairs() -> None:
    one = {each.family: each for each in plan("bundled", families="negation", effect=0.1)}
    two = {each.family: each for each in plan("bundled", families=["negation", "antonymy"], effect=0.1)}
    small = {each.family: each for each in plan("bundled", families="negation", effect=0.05)}
    assert one["negation"].pairs_needed < two["negation"].pairs_needed < small["negation"].pairs_needed
    assert two["antonymy"].pairs_needed > two["negation"].pairs_needed, "it gives fewer cases, which share words"


def test_a_run_draws_as_many_pairs_as_its_loss_needs(tmp_path: Path) -> None:
    told: list[str] = []
    record = assay.run(
        "bundled", families="negation", models="assay:majority", effect=0.2, out=tmp_path, tell=told.append
    )
    [wanted] = {each.pairs_needed for each in plan("bundled", families="negation", effect=0.2)}
    assert sum(record.suites["stress"].counts["original"].values()) == wanted < 750
    assert f"Drawing {wanted} source pairs" in told[0]


@pytest.mark.parametrize(
    ("options", "said"), [({"effect": 5.0}, "write 0.05"), ({"effect": 0.1, "sample": 60}, "Leave out")]
)
def test_bad_plans_are_refused_before_anything_runs(tmp_path: Path, options: dict[str, float], said: str) -> None:
    with pytest.raises(UserError, match=said):
        assay.run("bundled", families="negation", models="assay:majority", out=tmp_path / "runs", **options)
    assert not (tmp_path / "runs").exists()


def test_a_dry_run_prints_the_plan(assay: Assay) -> None:
    said = assay("run", "--dry-run", "--effect", "0.1", "--family", "negation", "--model", "assay:majority").stdout
    assert "detect a loss of 10 points" in said
    assert "negation" in said
