"""The page of results, the cards, and what they say about the papers' findings."""

import importlib
import re
import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from tests.conftest import SHARED

from assay.core.run_record import CorpusReading
from assay.export.export_model import ExportAgreement
from assay.reports.published.published_results import figures
from assay.training.train_system import TrainingProvenance
from assay.training.training_corpus import PairCounts, TrainSpec

DOCS = Path(__file__).parent.parent / "tools" / "docs"


@pytest.fixture(scope="module")
def tools() -> Iterator[None]:
    sys.path.insert(0, str(DOCS))
    try:
        yield
    finally:
        sys.path.remove(str(DOCS))


@pytest.fixture(scope="module")
def results(tools: None) -> Any:
    return importlib.import_module("results")


@pytest.fixture(scope="module")
def measure(tools: None) -> Any:
    return importlib.import_module("measure")


def made(seed: int) -> TrainingProvenance:
    spec = TrainSpec(
        system="cbow/v1",
        switches={"hidden": "7"},
        sources=(CorpusReading(source="/somewhere/snli/train.jsonl"), CorpusReading(source="mnli/train.jsonl")),
        rates=(1.0, 0.15),
        dev=CorpusReading(source="snli/dev.jsonl"),
        vectors="vectors/glove.txt",
    )
    return TrainingProvenance(
        spec=spec,
        seed=seed,
        data=PairCounts(pairs=1_234, labels={"neutral": 1_234}, sources={}, swapped=0),
        digests={},
        accuracy=0.5,
        epochs=3,
        stopped="",
        parameters=99,
        versions={},
    )


def model(results: Any, *measured: tuple[Any, ...], seeds: int = 1) -> Any:
    found = tuple(
        results.Figure(set=where, name=name, slice=slice_, value=value, low=value - 0.01, high=value + 0.01, n=100)
        for where, name, slice_, value in measured
    )
    return results.Measured(
        files={},
        size=1_000_000,
        sets={},
        agreement=ExportAgreement(
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


def test_a_finding_follows_its_figure(results: Any) -> None:
    text = 'A hypothesis with "and false is not true" costs accuracy'
    told = (
        (0.2, 0.001, "yes: -20.0 points"),
        (0.2, 0.06, "no: -20.0 points"),
        (0.005, 0.9, "no: -0.5 points"),
        (-0.1, 0.001, "no: +10.0 points"),
    )
    for drop, p, verdict in told:
        figures = [
            ("code-matched", name, {"family": "negation"}, value) for name, value in (("drop", drop), ("holm", p))
        ]
        assert said(results, model(results, *figures))[text] == verdict


def test_findings_are_judged_on_the_papers_data_and_not_on_strict_cases(results: Any) -> None:
    strict = [("stress", name, {"family": "negation"}, value) for name, value in (("drop", 0.2), ("holm", 0.001))]
    assert set(said(results, model(results, *strict)).values()) == {"-"}


def test_every_finding_says_where_the_paper_has_it(results: Any) -> None:
    for claim in results.CLAIMS:
        assert re.search(r"section|Table", claim.place), claim.text
        tables = {each.table for each in figures() if each.paper == claim.paper}
        assert {*re.findall(r"Table (\w+)", claim.place)} <= tables, claim.text
    texts = " ".join(claim.text for claim in results.CLAIMS)
    assert "costs entailment more" not in texts  # Naik et al. do not say so
    assert "words in common" not in texts  # their tautologies take words in common away


def answers(family: str, shares: dict[tuple[str, str], float]) -> list[tuple[Any, ...]]:
    """What cases of each label were answered with on the released stress tests, and their accuracy."""
    found = [
        ("code-matched", "answers", {"family": family, "label": label, "answer": answer}, share)
        for (label, answer), share in shares.items()
    ]
    labels = {label for label, _ in shares}
    return [*found, *(("code-matched", "accuracy", {"family": family, "label": each}, 0.5) for each in labels)]


def test_not_makes_cbow_err_towards_contradiction_which_the_paper_did_not_find(results: Any) -> None:
    """Section 4.4: false neutral errors rise with "not", entailment and neutral taken for contradiction do not."""
    labels = ("entailment", "neutral", "contradiction")
    source = {(label, answer): 0.6 if label == answer else 0.2 for label in labels for answer in labels}
    negated = {(label, "contradiction"): 0.8 for label in labels} | {(label, "neutral"): 0.1 for label in labels}
    negated |= {(label, "entailment"): 0.1 for label in labels}
    found = said(results, model(results, *answers("original", source), *answers("negation", negated)))
    more, no_more = (text for text in found if text.startswith('With "not"'))
    assert found[more] == "no: 13.3 to 6.7% of pairs"
    assert found[no_more] == "no: 13.3 to 53.3% of pairs"
    grown = "Of the errors on them, a larger share answers neutral than of those on the source pairs"
    overlap = {(label, "neutral"): 0.9 for label in labels} | {(label, "entailment"): 0.1 for label in labels}
    found = said(results, model(results, *answers("original", source), *answers("word-overlap", overlap)))
    assert found[grown] == "yes: 33.3 to 90.0% of errors"


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


def test_the_page_sets_published_figures_only_beside_the_same_data(results: Any) -> None:
    measured = model(
        results,
        ("snli-test", "accuracy", {"family": "original"}, 0.8),
        ("breaking-nli", "accuracy", {"family": "original"}, 0.5),
        ("stress", "accuracy", {"family": "negation"}, 0.42),
        ("stress", "accuracy", {"family": "antonymy"}, 0.6),
        ("code-matched", "accuracy", {"family": "negation"}, 0.41),
        ("code-matched", "accuracy", {"family": "antonymy"}, 0.2),
        ("code-mismatched", "accuracy", {"family": "negation"}, 0.4),
        ("code-matched", "accuracy", {"family": "spelling", "variant": "keyboard"}, 0.4),
        ("aqua-code", "accuracy", {"family": "numeracy"}, 0.3),
        ("hans", "accuracy", {"family": "original", "heuristic": "subsequence", "label": "entailment"}, 0.9),
        ("stress", "kept", {"family": "swap", "label": "entailment"}, 0.3),
        ("snli-test", "kept", {"family": "swap", "label": "entailment"}, 0.3),
    )
    page = results.page({"infersent": measured, "minilm": measured})
    matched = columns(page, "From MultiNLI dev, matched")
    assert matched["negation"] == {
        "infersent": "41.0<br>(40.0-42.0)",
        "minilm": "41.0<br>(40.0-42.0)",
        "published": "39.5-52.4 (9 systems)",
        "cases": "100",
    }
    assert matched["spelling, keyboard"]["published"] == "47.7-68.5 (4 systems)"
    assert columns(page, "From MultiNLI dev, mismatched")["negation"]["published"] == "40.0-53.0 (9 systems)"
    strict = columns(page, "Stress tests by strict rules")
    assert strict["negation"] == {"infersent": "42.0<br>(41.0-43.0)", "minilm": "42.0<br>(41.0-43.0)", "cases": "100"}
    fidelity = columns(page, "What fidelity changes")
    assert fidelity["antonymy, strict"]["minilm"].startswith("60.0")
    assert fidelity["antonymy, code"]["minilm"].startswith("20.0")
    assert "recognise 60.0% of the strict ones and 20.0% of the released ones" in page
    same = page.partition("## The same system")[2].partition("\n## ")[0]
    assert (
        "| infersent | MultiNLI dev matched, code: negation | 41.0 (40.0-42.0) | 46.8 | MultiNLI | naik2018 3 |" in same
    )
    assert "| minilm |" not in same
    assert "strict" not in same
    related = page.partition("## Related")[2].partition("\n## ")[0]
    built, code = "MultiNLI dev matched, strict", "MultiNLI dev matched, code"
    assert f"| negation | {built} | {code} | fidelity | 39.5-52.4 (9 systems) | naik2018 3, wang2019 2 |" in related
    assert "| numeracy | AQuA-RAT train, a part, code | AQuA-RAT not stated, code | split | 21.2-31.3" in related
    swapped = columns(page, "Swapped, by label")
    assert swapped["MultiNLI dev, matched, entailment"]["published"] == "-"
    assert swapped["SNLI test, entailment"]["published"] != "-"
    assert "infersent yes: 50.0 against 80.0%; minilm yes: 50.0 against 80.0%" in page


def columns(page: str, heading: str) -> dict[str, dict[str, str]]:
    """The first table below a heading, by column and row."""
    below = page.partition(f"# {heading}\n")[2]
    lines = [line[2:-2].split(" | ") for line in below.partition("\n#")[0].splitlines() if line.startswith("| ")]
    head, _, *rows = lines
    head = ["", *head[1:]]
    return {name: {row[0]: row[place] for row in rows} for place, name in enumerate(head) if place}


def test_the_sets_have_the_data_that_the_pages_say(measure: Any, results: Any) -> None:
    """What is built, and what published figures it is set beside, are written down in two places."""
    DATA = importlib.import_module("measured").DATA  # noqa: N806 - its own name

    assert DATA.keys() == measure.SETS.keys()
    for key, source in measure.SETS.items():
        assert DATA[key].fidelity in ("", source.fidelity)
        assert ("mismatched" in source.file) == ("mismatched" in DATA[key].split)
        assert bool(DATA[key].fidelity) == (key in measure.BUILT)
    released = measure.SETS["code-mismatched"].families
    assert {"spelling:keyboard", "spelling:function-word", "spelling:adjacent-swap", "spelling:content-word"} < {
        *released
    }


class FakeSuite:
    """A suite of one case, which is asked with some words."""

    def __init__(self, words: str) -> None:
        self.manifest = SimpleNamespace(source=SimpleNamespace(name="x"))
        self.case = SimpleNamespace(premise=words, hypothesis=words, label="neutral")

    def __iter__(self) -> Iterator[Any]:
        return iter([self.case])

    def __len__(self) -> int:
        return 9


@pytest.mark.parametrize("tested", [True, False])
def test_bands_outlive_a_measurement_without_the_seeds(
    measure: Any, results: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tested: bool
) -> None:
    asked: list[str] = []

    def ask(models: list[str], key: str, suite: Any, work: Path) -> list[list[Any]]:
        asked.append(key)
        own = {"set": key, "name": "accuracy", "slice": {"family": "original"}, "n": 9}
        return [[measure.Figure(**own, value=0.25, low=None, high=None)] for _ in models]

    monkeypatch.setattr(measure, "ask", ask)
    monkeypatch.setattr(measure, "FOLDER", tmp_path)
    shipped = measure.HERE / "cbow"
    before = model(
        results,
        *((key, "accuracy", {"family": "original"}, 0.8) for key in ("snli-test", "hans", "snli-hard")),
        *([("snli-test", "holm", {"family": "swap"}, 0.8)] if tested else []),
        seeds=3,
    )
    files = {path.name: measure.digest(path) for path in shipped.glob("*.onnx")}
    sets = {
        key: measure.Set(source="x", cases=9, digest=measure.content_digest(FakeSuite(key)))
        for key in ("snli-test", "hans", "snli-hard")
    }
    stored = msgspec.structs.replace(before, files=files, sets=sets)
    (tmp_path / "cbow.json").write_bytes(msgspec.json.encode(stored))
    suites = {
        key: FakeSuite("changed" if key == "hans" else key) for key in ("snli-test", "snli-hard", "hans", "stress")
    }
    measure.measure("cbow", suites, Namespace(models=None, limit=None, work=tmp_path, again=False))
    after = msgspec.json.decode((tmp_path / "cbow.json").read_bytes(), type=measure.Measured)
    # What has not changed is not asked again, unless its swapped pairs were never tested.
    assert asked == (["hans", "stress"] if tested else ["snli-test", "hans", "stress"])
    assert [each.seed for each in after.seeds] == [0, 1, 2]
    assert {each.set for each in after.bands} == {"snli-test", "snli-hard"}
    values = {(each.set, each.value) for each in after.figures}
    assert values == {("snli-test", 0.8 if tested else 0.25), ("snli-hard", 0.8), ("hans", 0.25), ("stress", 0.25)}


def test_a_card_tells_all_that_the_project_knows(results: Any) -> None:
    figure = ("snli-test", "accuracy", {"family": "original"}, 0.8)
    card = importlib.import_module("cards").card("cbow", model(results, figure, seeds=2))
    for fact in ("4 of 1,000 labels changed (0.40%)", "1,234", "80.0 (79.0-81.0)", "results/data.md"):
        assert fact in card
    command = " ".join(card.partition("```sh\n")[2].partition("```")[0].replace("\\", "").split())
    assert command.startswith("assay train cbow --preset laptop --from snli/train.jsonl --from mnli/train.jsonl@0.15 ")
    assert command.endswith("--vectors vectors/glove.txt --set hidden=7 --seed 0 --seed 1 --out models/cbow")
    assert "/somewhere" not in card


@pytest.mark.slow
def test_the_results_of_the_pages_are_of_todays_suites(tools: None) -> None:
    """For the sets that the pages show; tools/docs/check_results.py checks the large built ones too."""
    if not (SHARED / "mnli" / "dev_matched.jsonl.gz").is_file():
        pytest.skip("no real data beside the project (../shared/data)")
    check = importlib.import_module("check_results")
    assert list(check.stale_results(SHARED, ["hans", "breaking-nli", "mnli-matched", "snli-test"])) == []
