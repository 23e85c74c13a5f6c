"""Any text comes back from every file that we write, or is refused with the id of its case; nothing is half written."""

import csv
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.conftest import case, pair
from tests.fixtures.runs import read_again

import assay
from assay.annotate.layouts import SheetStorage
from assay.annotate.merge_answers import merge_answers
from assay.annotate.sample import draw_sample
from assay.core.case import Case
from assay.core.errors import UserError
from assay.core.manifest import Storage
from assay.core.pair import Pair
from assay.corpora.byte_streams import LINE_LIMIT
from assay.corpora.formats.row_writer import json_line
from assay.export.export_suite import ENDINGS, TARGETS, export_suite
from assay.storage.suite import Suite

BREAKS = ("\r", "\n", "\r\n", "\0", "\t", " ", "\u2028", "\u2029", "\x85", "\x0b", "\x1c", "\ufeff", "\u202e")
SIGNS = ('"', '""', "'", ",", ";", "\\", "\\n", "{", "[", "=1+1", "-5", "@x", "NULL", "null", "日本", "👩‍👧")
AWKWARD = st.sampled_from((*BREAKS, *SIGNS))
PIECES = st.one_of(AWKWARD, st.text(st.characters(exclude_categories=["Cs"]), max_size=5))
TEXTS = st.lists(PIECES, min_size=1, max_size=5).map("".join)
SENTENCES = TEXTS.filter(lambda text: bool(text.strip()))
PAIRS = st.lists(st.tuples(TEXTS, SENTENCES, SENTENCES), min_size=1, max_size=4, unique_by=lambda each: each[0])
Rows = list[tuple[str, str, str]]

REFUSED = {"hans": "\t\n\r\0", "glue": "\t\n\r\0", "csv": "\0"}
"""What a format can't hold; the others hold everything."""


def built(rows: Rows, folder: Path, storage: Storage = "jsonl") -> Suite:
    pairs = [pair(id=name, premise=one, hypothesis=two) for name, one, two in rows]
    return assay.build("original", pairs, out=folder, storage=storage)


def texts(found: Sequence[Case | Pair]) -> Rows:
    return [(each.id, each.premise, each.hypothesis) for each in found]


def unfit(found: Rows, marks: str) -> list[str]:
    return [row[0] for row in found if any(mark in text for text in row for mark in marks)]


@pytest.mark.parametrize("target", TARGETS)
@settings(max_examples=25)
@given(rows=PAIRS)
@example(rows=[("1", "a\rb", "\rc\r"), ("2", " a ", '"\n"')])
@example(rows=[("1", "fine", "fine too"), ("2", "a\0b", "c")])
@example(rows=[("\r\n", "a", "b"), ("\u2028", "\u2028a", "b\x85")])
def test_every_export_gives_texts_back_or_names_the_case(target: str, rows: Rows) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        suite = built(rows, folder / "suite")
        cases = texts(list(suite))
        out = folder / f"out{ENDINGS[target]}"
        if refused := unfit(cases, REFUSED.get(target, "")):
            with pytest.raises(UserError) as error:
                export_suite(suite, target, out)
            assert str(error.value).startswith(repr(refused[0]))
            assert [path.name for path in folder.iterdir()] == ["suite"]
        else:
            export_suite(suite, target, out)
            assert texts(read_again(out / "data" / "original.jsonl" if target == "lm-eval" else out)) == cases


@pytest.mark.parametrize("storage", ["jsonl", "jsonl.zst", "parquet"])
@settings(max_examples=15)
@given(rows=PAIRS)
@example(rows=[("1", "a\rb", "\0c\r")])
def test_every_storage_of_a_suite_holds_any_text(storage: Storage, rows: Rows) -> None:
    with tempfile.TemporaryDirectory() as folder:
        suite = built(rows, Path(folder) / "suite", storage)
        wanted = [(f"original/v1:{name}", one, two) for name, one, two in rows]
        assert texts(list(suite)) == texts(read_again(suite.folder)) == wanted


def answer_all(path: Path) -> None:
    """Fill an annotator's sheet as another program would."""
    if path.suffix == ".csv":
        with path.open(newline="", encoding="utf-8") as file:
            head, *rows = csv.reader(file)
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([head, *([*row[:3], "yes", "no", "no"] for row in rows)])
    else:
        path.write_bytes(path.read_bytes().replace(b'"q1_same_event": ""', b'"q1_same_event": "no"'))
        path.write_bytes(path.read_bytes().replace(b'"q3_incorrect": ""', b'"q3_incorrect": "no"'))


@pytest.mark.parametrize("storage", ["csv", "jsonl"])
@settings(max_examples=50)
@given(rows=PAIRS)
@example(rows=[("1", "a\rb", "\rc\r"), ("2", "=1", "'=1")])
def test_annotators_work_is_read_whatever_the_texts(storage: SheetStorage, rows: Rows) -> None:
    cases = [case(id=name, premise=one, hypothesis=two) for name, one, two in rows]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "sample"
        refused = [each.id for each in cases if "\0" in each.premise + each.hypothesis]  # ids are not in the file
        if storage == "csv" and refused:
            with pytest.raises(UserError) as error:
                draw_sample(cases, folder, annotators=("ann",), size=len(cases), storage=storage)
            assert str(error.value).startswith(tuple(map(repr, refused)))
            assert not folder.exists()
            return
        draw_sample(cases, folder, annotators=("ann",), size=len(cases), storage=storage)
        answer_all(folder / f"ann.{storage}")
        merge_answers(folder, folder / "gold.jsonl")
        assert sorted(texts(read_again(folder / "gold.jsonl"))) == sorted(texts(cases))


def test_a_sheet_that_can_not_hold_a_text_names_it_and_what_can(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"^'original/v1:p7' contains a NUL character.*\n  Draw with --storage jsonl"):
        draw_sample([case(7, premise="a\0b")], tmp_path / "sample", annotators=("ann",), size=1)
    assert not list(tmp_path.iterdir())


def test_a_spreadsheet_may_write_line_breaks_in_its_own_way(tmp_path: Path) -> None:
    draw_sample([case(premise="a\rb\r\nc")], tmp_path, annotators=("ann",), size=1)
    answer_all(tmp_path / "ann.csv")
    saved = (tmp_path / "ann.csv").read_bytes()
    (tmp_path / "ann.csv").write_bytes(saved.replace(b"a\rb\r\nc", b"a\nb\nc"))
    merge_answers(tmp_path, tmp_path / "gold.jsonl")
    assert [each.premise for each in read_again(tmp_path / "gold.jsonl")] == ["a\rb\r\nc"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x" * 131_073, "a text of more than 131,072 characters"),
        ("line\n" * 1_000, "too many lines of text"),
    ],
)
def test_csv_refuses_what_its_reader_would_not_take(text: str, said: str, tmp_path: Path) -> None:
    suite = built([("1", "fine", text)], tmp_path / "suite")
    with pytest.raises(UserError, match=f"^'original/v1:1' contains {said}"):
        export_suite(suite, "csv", tmp_path / "out.csv")
    export_suite(suite, "snli", tmp_path / "out.jsonl")
    shorter = built([("1", "fine", text[:-2])], tmp_path / "shorter")
    assert texts(read_again(export_suite(shorter, "csv", tmp_path / "out.csv"))) == texts(list(shorter))


def test_no_line_is_longer_than_a_reader_takes() -> None:
    longest = LINE_LIMIT - len('{"a": ""}\n')
    assert len(json_line({"a": "x" * longest}, name="1")) == LINE_LIMIT
    with pytest.raises(UserError, match=r"^'1' contains more than 16 MiB"):
        json_line({"a": "x" * (longest + 1)}, name="1")
