"""What is exported says the same when it is read again."""

import csv
import json
from pathlib import Path

import pytest
import yaml
from markdown_it import MarkdownIt
from tests.conftest import Assay, pair
from tests.fixtures.runs import read_again

import assay as package
from assay.core.errors import AssayError, OutputExistsError, UnknownNameError, UserError
from assay.core.label import Label
from assay.core.label_space import TWO_LABELS
from assay.export.export_suite import ENDINGS, TARGETS, export_notes, export_suite
from assay.storage.suite import Suite

TEXTS = ("Zoë said \"no\", then 'yes'.", "a, b; c", "日本語 \\ back", "{curly} #hash", "NULL", "  spaced  ")
LINES = ("two\nlines", "a\ttab", 'a "quote"\nand, a comma', "carriage\r\nreturn")


def suite_of(texts: tuple[str, ...], folder: Path) -> Suite:
    three = (Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION)
    pairs = [
        pair(i, premise=text, hypothesis=f"So {text}", label=three[i % 3], group={"genre": "travel", "heuristic": "x"})
        for i, text in enumerate(texts)
    ]
    corpus = package.FakeCorpus(pairs, name='memory: "é"')
    return package.build(["original", "negation"], corpus, out=folder, switches={"fidelity": "paper"})


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    return suite_of(TEXTS, tmp_path / "suite")


@pytest.mark.parametrize("target", [each for each in TARGETS if each != "lm-eval"])  # which has tests of its own
def test_texts_labels_and_ids_come_back(target: str, suite: Suite, tmp_path: Path) -> None:
    out = export_suite(suite, target, tmp_path / f"out{ENDINGS[target]}")
    cases = list(suite)
    found = read_again(out)
    assert [(p.id, p.premise, p.hypothesis) for p in found] == [(c.id, c.premise, c.hypothesis) for c in cases]
    two_way = target == "hans"
    assert [p.label for p in found] == [TWO_LABELS.read(c.compared_with) if two_way else c.compared_with for c in cases]


@pytest.mark.parametrize(
    ("target", "form", "group"),
    [
        ("snli", "snli/v1", {}),
        ("mnli", "mnli/v1", {"genre": "travel"}),
        ("hans", "hans/v1", {"heuristic": "x"}),
        ("glue", "glue/v1", {"genre": "travel"}),
        ("csv", "pairs/v1", {"family": "original"}),
        ("parquet", "assay-suite/v1", {"family": "original"}),
        ("hf", "assay-suite/v1", {"family": "original"}),
    ],
)
def test_the_format_is_recognised(target: str, form: str, group: dict[str, str], suite: Suite, tmp_path: Path) -> None:
    corpus = package.read(export_suite(suite, target, tmp_path / f"out{ENDINGS[target]}"))
    first = next(iter(corpus))
    assert corpus.format == form
    assert group.items() <= first.group.items()


@pytest.mark.parametrize("target", ["snli", "mnli", "csv", "parquet", "hf"])
@pytest.mark.parametrize("text", LINES)
def test_tabs_and_line_breaks_survive(target: str, text: str, tmp_path: Path) -> None:
    suite = suite_of((text,), tmp_path / "suite")
    out = export_suite(suite, target, tmp_path / f"out{ENDINGS[target]}")
    assert [p.premise for p in read_again(out)] == [text, text]


@pytest.mark.parametrize("target", ["hans", "glue"])
@pytest.mark.parametrize("text", LINES)
def test_a_table_of_tabs_refuses_what_it_can_not_hold(target: str, text: str, tmp_path: Path) -> None:
    suite = suite_of(("fine", text), tmp_path / "suite")
    out = tmp_path / "out.tsv"
    with pytest.raises(UserError, match=r"'original/v1:p1' contains a tab or a line break.*\n.*--to snli"):
        export_suite(suite, target, out)
    assert [path.name for path in tmp_path.iterdir()] == ["suite"]


def test_csv_opens_elsewhere(suite: Suite, tmp_path: Path) -> None:
    out = export_suite(suite, "csv", tmp_path / "out.csv")
    with out.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["premise"] for row in rows[::2]] == list(TEXTS)
    assert json.loads(rows[0]["group"]) == {"genre": "travel", "heuristic": "x"}


@pytest.mark.parametrize("storage", ["jsonl", "jsonl.zst", "parquet"])
def test_every_storage_is_exported(storage: str, tmp_path: Path) -> None:
    corpus = package.read("bundled", limit=4)
    suite = package.build("negation", corpus, out=tmp_path / "suite", storage=storage)
    for target in ("snli", "parquet"):
        out = package.export(tmp_path / "suite", target, out=tmp_path / f"{target}{ENDINGS[target]}")
        assert [p.id for p in read_again(out)] == [c.id for c in suite]


@pytest.mark.parametrize("target", TARGETS)
def test_what_is_there_stays_unless_it_may_go(target: str, suite: Suite, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_text("precious")
    with pytest.raises(OutputExistsError, match="--overwrite"):
        export_suite(suite, target, out)
    assert out.read_text() == "precious"
    with pytest.raises(OutputExistsError, match=r"--overwrite (does not replace|replaces nothing else)"):
        export_suite(suite, target, out, overwrite=True)
    assert out.read_text() == "precious"
    out.unlink()
    export_suite(suite, target, out)
    export_suite(suite, target, out, overwrite=True)
    assert out.is_dir() or out.read_bytes()
    with pytest.raises(UserError, match="is the suite that is exported"):
        export_suite(suite, target, suite.folder, overwrite=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "suite"]


def test_an_unknown_target_is_guessed(suite: Suite, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="'snil'; did you mean 'snli'"):
        export_suite(suite, "snil", tmp_path / "out")


def test_a_damaged_suite_leaves_nothing(suite: Suite, tmp_path: Path) -> None:
    with suite.cases_file.open("a") as file:
        file.write("{}\n")
    for target in TARGETS:
        with pytest.raises(AssayError, match=r"cases\.jsonl"):
            export_suite(suite, target, tmp_path / "out")
        assert [path.name for path in tmp_path.iterdir()] == ["suite"]


def test_the_name_is_made_where_none_is_given(assay: Assay, tmp_path: Path) -> None:
    assay("build", "negation", "--limit", 2, "--out", "folder/my-suite", "--workers", 1)
    said = assay("export", "folder/my-suite/", "--to", "hans").stderr
    assert said == "Written to folder/my-suite-hans.txt\n"
    assert (tmp_path / "folder" / "my-suite-hans.txt").is_file()


def test_a_summary_for_machines(assay: Assay) -> None:
    assay("build", "swap", "original", "--limit", 3, "--out", "mine", "--workers", 1)
    done = assay("export", "mine", "--to", "lm-eval", "--json")
    told = json.loads(done.stdout)
    assert told["notes"] == [done.stderr.splitlines()[0]]
    assert told["notes"][0].startswith("3 cases, such as swapped pairs")
    assert {**told, "notes": []} == {
        "suite": "mine",
        "to": "lm-eval",
        "written": "mine-lm-eval",
        "cases": 3,
        "notes": [],
    }


@pytest.mark.parametrize("target", [each for each in TARGETS if each != "lm-eval"])
def test_swapped_pairs_get_no_label(target: str, tmp_path: Path) -> None:
    needs_labels = target in ("hans", "glue")
    suite = package.build("swap", package.read("bundled", limit=6), out=tmp_path / "suite")
    out = export_suite(suite, target, tmp_path / f"out{ENDINGS[target]}")
    corpus = package.read(out)
    assert [each.id for each in corpus] == [case.id for case in suite if case.family == "original"]
    assert corpus.rows - corpus.pairs == (0 if needs_labels else 6)
    [note] = export_notes(suite, target)
    assert note.startswith("6 cases, such as swapped pairs, have no label: ")
    assert note.endswith("so they are left out.") == needs_labels


def test_a_card_counts_swapped_pairs_without_a_label(tmp_path: Path) -> None:
    suite = package.build("swap", package.read("bundled", limit=6), out=tmp_path / "suite")
    assert "| swap | 6 | none 6 |" in (export_suite(suite, "hf", tmp_path / "out") / "README.md").read_text()


def test_the_hub_folder_loads_offline_and_has_a_card(
    suite: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    out = export_suite(suite, "hf", tmp_path / "folder")
    card = (out / "README.md").read_text()
    head = yaml.safe_load(card.split("---")[1])
    assert head["pretty_name"] == 'Assay suite of memory: "é"'
    assert head["configs"][0]["data_files"] == [{"split": "test", "path": "data/test.parquet"}]
    assert "| negation | 6 | contradiction 2, entailment 2, neutral 2 |" in card
    assert suite.manifest.digest in card
    assert (out / "manifest.json").read_bytes() == (suite.folder / "manifest.json").read_bytes()

    datasets = pytest.importorskip("datasets")
    loaded = datasets.load_dataset(str(out), cache_dir=str(tmp_path / "cache"))
    assert list(loaded) == ["test"]
    assert loaded["test"]["premise"] == [case.premise for case in suite]
    assert loaded["test"]["label"] == [case.compared_with.value for case in suite]


def test_no_name_is_markup_in_a_card(tmp_path: Path) -> None:
    def card(name: str) -> str:
        corpus = package.FakeCorpus([pair()], name=name)
        switches = {"tautology": name, "fidelity": "paper"}
        suite = package.build("negation", corpus, out=tmp_path / f"suite{len(name)}", switches=switches)
        return (export_suite(suite, "hf", tmp_path / f"out{len(name)}") / "README.md").read_text()

    def markup(text: str) -> list[str]:
        blocks = MarkdownIt("commonmark").enable("table").parse(text.split("---\n", 2)[2])
        return [each.type for block in blocks for each in (block, *(block.children or ()))]

    assert markup(card("<b> *c* `d`\n# e | [f](g)")) == markup(card("x"))


def test_two_labels_in_a_format_of_three_are_noted(tmp_path: Path) -> None:
    pairs = [pair(i, label=label) for i, label in enumerate((Label.ENTAILMENT, Label.NON_ENTAILMENT))]
    suite = package.build("original", pairs, out=tmp_path / "two")
    for target in TARGETS:
        notes = export_notes(suite, target)
        assert (notes != []) == (target in ("snli", "mnli", "glue"))
        assert all(note.startswith("1 cases are labelled non-entailment") for note in notes)


FORMULAS = ("=1+1", "+1 degree", "-5 degrees", "@home", "\t=1", "\r=1", "\n=1", "\uff1d1")


def test_formulas_are_escaped_where_it_is_asked_for(tmp_path: Path, assay: Assay) -> None:
    suite_of((*FORMULAS, "1 = 1", "'=1"), tmp_path / "suite")
    plain = assay("export", "suite", "--to", "csv", "--out", "plain.csv").stderr
    escaped = assay("export", "suite", "--to", "csv", "--out", "escaped.csv", "--set", "escape_formulas=yes").stderr
    assert plain.startswith("16 cases have a text that a spreadsheet takes for a formula: they are written unchanged")
    assert escaped.startswith(
        "16 cases have a text that a spreadsheet takes for a formula: they now begin with an apostrophe"
    )
    assert [p.premise for p in read_again(tmp_path / "plain.csv")[::2]] == [*FORMULAS, "1 = 1", "'=1"]
    found = read_again(tmp_path / "escaped.csv")
    assert [p.premise for p in found[::2]] == [*(f"'{text}" for text in FORMULAS), "1 = 1", "'=1"]
    assert found[0].hypothesis == "So =1+1"


def test_only_csv_is_for_spreadsheets(suite: Suite, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="--set escape_formulas=yes needs --to csv"):
        export_suite(suite, "glue", tmp_path / "out.tsv", escape_formulas=True)
    assert export_notes(suite, "csv") == export_notes(suite, "csv", escape_formulas=True) == []
