"""Labels that a model gets right less often than guessing would."""

import importlib
from pathlib import Path

import pytest

from assay.core.estimate import Estimate
from assay.evaluate.losses import below_chance

ROOT = Path(__file__).parents[2]
PLACE = {"model": "m", "suite": "s", "family": "f"}


def accuracy(high: float | None, label: str = "neutral", **where: str) -> Estimate:
    return Estimate(name="accuracy", value=0.1, low=0.0, high=high, n=90, slice={**PLACE, "label": label, **where})


@pytest.mark.parametrize(
    ("labels", "high", "found"),
    [
        (["entailment", "neutral"], 0.3, True),
        (["entailment", "neutral"], 0.34, False),
        (["entailment", "non-entailment"], 0.45, True),
        (["entailment", "non-entailment"], 0.5, False),
        (["entailment", "contradiction", "non-entailment"], 0.45, True),
        (["non-entailment", "contradiction"], 0.45, False),
        (["non-entailment", "contradiction", "entailment"], 0.45, False),
        (["non-entailment", "contradiction", "entailment"], 0.3, True),
        (["contradiction"], 0.3, True),
        (["contradiction"], None, False),
    ],
)
def test_the_whole_interval_must_be_below_chance(labels: list[str], high: float | None, found: bool) -> None:
    counts = {"s": {"f": dict.fromkeys(labels, 9)}}
    assert bool(below_chance([accuracy(high, labels[-1])], counts)) is found


def test_families_with_source_pairs_are_left_to_the_drop() -> None:
    drop = Estimate(name="drop", value=0.0, n=90, slice=PLACE)
    assert not below_chance([accuracy(0.1), drop], {"s": {"f": {"neutral": 9}}})


def test_only_whole_labels_count() -> None:
    assert not below_chance([accuracy(0.1, genre="travel")], {"s": {"f": {"neutral": 9}}})


def test_a_guesser_is_seldom_below_guessing(monkeypatch: pytest.MonkeyPatch) -> None:
    """In families with one label space and with two, with equal labels and unequal ones, clustered in two ways."""
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    rows = list(importlib.import_module("calibrating.guessing").rates(draws=40, seed=1))
    assert len({row.condition for row in rows}) == len(rows) == 24
    wrong, draws = sum(row.wrong for row in rows), sum(row.draws for row in rows)
    assert wrong <= 0.05 * draws
    assert {"two labels", "three labels", "both kinds of labels"} == {row.condition.partition(",")[0] for row in rows}
