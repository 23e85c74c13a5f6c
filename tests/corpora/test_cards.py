"""The cards say what is true of the readers, and the page on formats runs."""

import doctest
from pathlib import Path

import pytest

import assay
from assay.core import registry
from assay.core.label import Label
from assay.core.manifest import Source
from assay.corpora.cards import DataCard, find_card, load_cards
from assay.corpora.reader import read

DOCS = Path(__file__).parents[2] / "docs" / "reference" / "formats.md"


def named(name: str) -> DataCard:
    return next(card for card in load_cards() if card.name == name)


@pytest.mark.parametrize("card", load_cards(), ids=lambda card: card.name)
def test_a_card_names_a_known_format_and_known_labels(card: DataCard) -> None:
    assert card.format in registry.formats.names()
    assert set(card.labels) <= set(Label)
    assert all([card.title, card.licence, card.homepage.startswith("https://"), card.purpose])
    assert card.paper or card.name == "bundled"


def test_every_data_set_has_its_card() -> None:
    ours = {"aqua-rat", "breaking-nli", "bundled", "glue-mnli", "glue-rte", "hans"}
    ours |= {"multinli", "scitail", "sick", "snli", "stress-tests"}
    logic = {"conjnli", "counterfactual", "curriculum", "glue-diagnostic", "imppres", "med", "monli", "negation-nli"}
    assert {card.name for card in load_cards()} == ours | logic | {"scone", "taxinli"}


@pytest.mark.parametrize(
    ("name", "form", "card"),
    [
        ("bundled", "pairs/v1", "bundled"),
        ("snli_1.0_test.jsonl", "snli/v1", "snli"),
        ("multinli_0.9_negation_matched.jsonl", "stress-tests/v1", "stress-tests"),
        ("multinli_1.0_dev_matched.jsonl", "mnli/v1", "multinli"),
        ("hf:nyu-mll/glue:rte@validation", "pairs/v1", "glue-rte"),
        ("MED.tsv", "med/v1", "med"),
        ("nmonli_test.jsonl", "monli/v1", "monli"),
        ("two_not_scoped.csv", "scone/v1", "scone"),
        ("conj_dev.tsv", "pairs/v1", "conjnli"),
        ("dev_mismatched.tsv", "negation-nli/v1", "negation-nli"),
        ("dev_mismatched.tsv", "glue/v1", "glue-mnli"),
        ("test.tsv", "counterfactual/v1", "counterfactual"),
        ("hf:facebook/imppres:implicature_modals@modals", "pairs/v1", "imppres"),
        ("mine.csv", "pairs/v1", None),
        ("mine.jsonl", "snli/v1", None),
        ("bundled", "memory", None),
        ("hf:me/snli@test", "pairs/v1", None),
    ],
)
def test_a_card_belongs_to_a_data_set_and_not_to_a_format(name: str, form: str, card: str | None) -> None:
    source = Source(name=name, format=form, digest="", rows=0, pairs=0, labels={}, skipped={})
    found = find_card(source)
    assert (found.name if found else None) == card


def test_a_run_on_somebodys_own_pairs_says_nothing_of_ours(tmp_path: Path) -> None:
    mine = tmp_path / "mine.csv"
    mine.write_text("premise,hypothesis,label\nIt rains.,It is wet.,entailment\n")
    record = assay.run(mine, families="negation", models="assay:majority", out=tmp_path / "runs")
    assert record.cards == {}
    bundled = assay.run(
        assay.read("bundled", limit=3), families="negation", models="assay:majority", out=tmp_path / "runs"
    )
    assert bundled.cards["stress"]["licence"] == "Apache-2.0"


def test_the_bundled_card_counts_what_is_there() -> None:
    card = named("bundled")
    corpus = read("bundled")
    pairs = list(corpus)
    assert f"{len(pairs)} pairs, {len({pair.premise for pair in pairs})} premises" in card.title
    assert set(corpus.labels) == set(card.labels)
    for genre in {pair.group["genre"] for pair in pairs}:
        assert genre.replace("-", " ").replace("_", " ") in card.purpose
        assert len({pair.premise for pair in pairs if pair.group["genre"] == genre}) == 25


def test_the_page_on_formats_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(DOCS), module_relative=False)
    assert tried > 10
    assert not failed


def test_the_page_on_formats_lists_every_format() -> None:
    text = DOCS.read_text()
    own = [name for name in registry.formats.names() if registry.formats.target(name).source == "nli-assay"]
    assert [name for name in own if f"`{name.partition('/')[0]}`" not in text] == []
