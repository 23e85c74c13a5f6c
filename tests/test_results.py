"""The page of results, the cards, and what they say about the papers' findings."""

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

from assay.bench.export.model import Agreement
from assay.bench.training.corpus import TrainSpec
from assay.bench.training.train import Made
from assay.core.run import Reading
from assay.train.changes import Counts

DOCS = Path(__file__).parent.parent / "tools" / "docs"


@pytest.fixture(scope="module")
def results() -> Any:
    sys.path.insert(0, str(DOCS))
    try:
        yield importlib.import_module("results")
    finally:
        sys.path.remove(str(DOCS))


def made(seed: int) -> Made:
    spec = TrainSpec(
        system="cbow/v1",
        switches={"hidden": "7"},
        sources=(Reading(source="/somewhere/snli/train.jsonl"), Reading(source="mnli/train.jsonl")),
        rates=(1.0, 0.15),
        dev=Reading(source="snli/dev.jsonl"),
        vectors="vectors/glove.txt",
    )
    return Made(
        spec=spec,
        seed=seed,
        data=Counts(pairs=1_234, labels={"neutral": 1_234}, sources={}, swapped=0),
        digests={},
        accuracy=0.5,
        epochs=3,
        stopped="",
        parameters=99,
        versions={},
    )


def model(results: Any, *figures: tuple[Any, ...], seeds: int = 1) -> Any:
    found = tuple(
        results.Figure(set=where, name=name, slice=slice_, value=value, low=value - 0.01, high=value + 0.01, n=100)
        for where, name, slice_, value in figures
    )
    return results.Measured(
        files={},
        size=1_000_000,
        sets={},
        agreement=Agreement(
            model="trained:cbow", identity="", precision="int8", pairs=1_000, same=996, largest=0.1, mean=0.0
        ),
        seeds=tuple(map(made, range(seeds))),
        figures=found,
        bands=tuple(each for each in found if each.name == "accuracy") if seeds > 1 else (),
    )


def said(results: Any, measured: Any) -> dict[str, str]:
    return {claim.text: results._repeated(claim, measured) for claim in results.CLAIMS}


def test_nothing_is_said_about_what_was_not_measured(results: Any) -> None:
    assert set(said(results, model(results)).values()) == {"-"}
    assert results.documents(Path("nowhere")) == {}


def test_a_finding_follows_its_figure(results: Any) -> None:
    text = 'A tautology with "not" costs accuracy'
    told = (
        (0.2, 0.001, "yes: -20.0 points"),
        (0.2, 0.06, "no: -20.0 points"),
        (0.005, 0.9, "no: -0.5 points"),
        (-0.1, 0.001, "no: +10.0 points"),
    )
    for drop, p, verdict in told:
        figures = [("stress", name, {"family": "negation"}, value) for name, value in (("drop", drop), ("holm", p))]
        assert said(results, model(results, *figures))[text] == verdict


def test_heuristics_are_leaned_on_only_if_all_three_are(results: Any) -> None:
    def answers(*shares: float) -> str:
        names = ("lexical_overlap", "subsequence", "constituent")
        figures = [
            ("hans", "accuracy", {"family": "original", "heuristic": name, "label": "non-entailment"}, share)
            for name, share in zip(names, shares, strict=True)
        ]
        return said(results, model(results, *figures))[
            "Less than chance is right where the heuristics fail (in the same order)"
        ]

    assert answers(0.1, 0.2, 0.3) == "yes: 10.0 / 20.0 / 30.0 %"
    assert answers(0.1, 0.2, 0.6).startswith("no")


def test_the_page_sets_published_figures_beside(results: Any) -> None:
    measured = model(
        results,
        ("snli-test", "accuracy", {"family": "original"}, 0.8),
        ("breaking-nli", "accuracy", {"family": "original"}, 0.5),
        ("stress", "accuracy", {"family": "negation"}, 0.42),
        ("stress", "kept", {"family": "swap", "label": "entailment"}, 0.3),
    )
    page = results.page({"cbow": measured, "esim": measured})
    assert "| negation | 42.0 (41.0-43.0) | 42.0 (41.0-43.0) | 39.5-53.0 |" in page
    assert "| yes: 50.0 against 80.0 % |" in page
    assert "| cbow | MultiNLI dev, matched: negation | 42.0 (41.0-43.0) |" in page
    assert "| esim | Breaking NLI: all | 50.0 (49.0-51.0) | 65.6-74.9 | glockner2018" in page
    assert "- cbow repeats 1 of 1 findings." in page


def test_a_card_tells_all_that_the_project_knows(results: Any) -> None:
    figure = ("snli-test", "accuracy", {"family": "original"}, 0.8)
    card = results.card("cbow", model(results, figure, seeds=2))
    for fact in ("4 of 1,000 labels changed (0.40%)", "1,234", "80.0 (79.0-81.0)", "## What not to use it for"):
        assert fact in card
    command = " ".join(card.partition("```sh\n")[2].partition("```")[0].replace("\\", "").split())
    assert command.startswith("assay train cbow --preset laptop --from snli/train.jsonl --from mnli/train.jsonl@0.15 ")
    assert command.endswith("--vectors vectors/glove.txt --set hidden=7 --seed 0 --seed 1 --out models/cbow")
    assert "/somewhere" not in card
