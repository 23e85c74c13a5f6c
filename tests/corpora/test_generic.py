"""The generic reader: usual columns, mapped columns and labels, and the containers of everybody's own files."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

from assay.core.case import Case, Recipe, case_from
from assay.core.edit import Edit
from assay.core.errors import AssayError, BadInputError, UserError
from assay.core.label import Label
from assay.core.pair import Pair
from assay.core.serialise import to_json
from assay.corpora.formats.pairs import id_of_texts
from assay.corpora.reader import read

WAYS = ("plain", "gzip", "zip", "zstandard", "stdin", "gzip on stdin", "zstandard on stdin")
CONTAINERS = ("jsonl", "csv", "tsv", "parquet")

ROWS: list[dict[str, Any]] = [
    {"premise": "Rain fell, hard.", "hypothesis": "It rained.", "label": "entailment", "id": "a", "genre": "news"},
    {"premise": "Rain fell, hard.", "hypothesis": "It was dry.", "label": "contradiction", "id": "b", "genre": "news"},
    {"premise": "Rain fell, hard.", "hypothesis": "Wind blew.", "label": "-", "id": "c", "genre": "news"},
]


def encoded(rows: list[dict[str, Any]], container: str, folder: Path) -> bytes:
    if container == "jsonl":
        return "".join(json.dumps(row) + "\n" for row in rows).encode()
    if container == "tsv":
        return "".join("\t".join(map(str, line)) + "\n" for line in [rows[0], *(r.values() for r in rows)]).encode()
    if container == "csv":
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
        return text.getvalue().encode()
    source, target = folder / "rows.source", folder / "rows.target"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with duckdb.connect() as connection:
        connection.execute(
            f"COPY (FROM read_json('{source}', format='newline_delimited')) TO '{target}' (FORMAT parquet)"
        )
    return target.read_bytes()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("container", CONTAINERS)
def test_usual_columns(container: str, way: str, deliver: Callable[..., str], tmp_path: Path) -> None:
    corpus = read(deliver(f"mine.{container}", encoded(ROWS, container, tmp_path), way))
    first, second = corpus
    assert first == Pair(
        id="a", premise="Rain fell, hard.", hypothesis="It rained.", label=Label.ENTAILMENT, group={"genre": "news"}
    )
    assert second.label is Label.CONTRADICTION
    assert (corpus.format, corpus.rows, dict(corpus.skipped)) == ("pairs/v1", 3, {"no gold label": 1})


@pytest.mark.parametrize("container", CONTAINERS)
def test_columns_and_labels_are_mapped_and_further_names_become_slices(
    container: str, deliver: Callable[..., str], tmp_path: Path
) -> None:
    rows = [
        {"text_a": "Ann owns a boat.", "text_b": "Ann owns something.", "y": "SUPPORTS", "topic": "boats", "key": "k1"},
        {"text_a": "Ann owns a boat.", "text_b": "Ann owns nothing.", "y": "REFUTES", "topic": "boats", "key": "k2"},
        {"text_a": "Ann owns a boat.", "text_b": "Ann is rich.", "y": "?", "topic": "", "key": "k3"},
    ]
    corpus = read(
        deliver(f"claims.{container}", encoded(rows, container, tmp_path)),
        columns={"premise": "text_a", "hypothesis": "text_b", "label": "y", "id": "key", "subject": "topic"},
        labels={"SUPPORTS": "entailment", "REFUTES": "contradiction", "?": "-"},
    )
    pairs = list(corpus)
    assert [(pair.id, pair.label.value, pair.group) for pair in pairs] == [
        ("k1", "entailment", {"subject": "boats"}),
        ("k2", "contradiction", {"subject": "boats"}),
    ]
    assert dict(corpus.skipped) == {"no gold label": 1}


@pytest.mark.parametrize("container", CONTAINERS)
def test_numbers_follow_the_hugging_face_convention(
    container: str, deliver: Callable[..., str], tmp_path: Path
) -> None:
    rows = [{"premise": "Ann sat.", "hypothesis": f"Claim {n}.", "label": n} for n in (0, 1, 2, -1)]
    corpus = read(deliver(f"hub.{container}", encoded(rows, container, tmp_path)))
    assert [pair.label.value for pair in corpus] == ["entailment", "neutral", "contradiction"]
    assert dict(corpus.skipped) == {"no gold label": 1}
    assert "0=entailment, 1=neutral, 2=contradiction" in corpus.notes()[0]


@pytest.mark.parametrize("container", ["jsonl", "csv", "tsv", "parquet"])
def test_two_numbers_stop_the_reading_until_their_meaning_is_given(
    container: str, deliver: Callable[..., str], tmp_path: Path
) -> None:
    rows = [{"premise": "Ann sat.", "hypothesis": f"Claim {n}.", "label": int(n > 1)} for n in range(5)]
    path = deliver(f"two.{container}", encoded(rows, container, tmp_path))
    with pytest.raises(BadInputError) as caught:
        list(read(path))
    assert str(caught.value) == (
        f"{path}: the numbers 0 (2) and 1 (3) in the column 'label' can be read in several ways\n"
        "  If 0 means supported: --labels 0=entailment,1=non-entailment\n"
        "  If 0 means not supported: --labels 0=non-entailment,1=entailment\n"
        "  If it is part of a set that numbers labels as SNLI does: --labels 0=entailment,1=neutral"
    )
    corpus = read(path, labels={"0": "non-entailment", "1": "entailment"})
    assert [pair.label.value for pair in corpus] == 2 * ["non-entailment"] + 3 * ["entailment"]
    assert corpus.notes() == []


@pytest.mark.parametrize(("labels", "asked"), [([0, 1, 2], False), ([0, 0], True), ([1, 2], True), ([0, -1, 2], True)])
def test_only_all_three_numbers_are_those_of_snli(labels: list[int], asked: bool) -> None:
    corpus = read([("Ann sat.", f"Claim {n}.", label) for n, label in enumerate(labels)])
    if asked:
        with pytest.raises(BadInputError, match="can be read in several ways"):
            list(corpus)
    else:
        assert [pair.label.value for pair in corpus] == ["entailment", "neutral", "contradiction"]


def test_data_sets_of_claims_number_three_labels_in_several_orders() -> None:
    rows = [{"evidence": "Ann sat.", "claim": f"Claim {n}.", "label": n} for n in range(3)]
    with pytest.raises(BadInputError, match=r'If 1 means contradiction: .*"1": "contradiction", "2": "neutral"'):
        list(read(rows))


def test_numbers_in_the_columns_of_another_format_are_asked_for_too(
    deliver: Callable[..., str], tmp_path: Path
) -> None:
    rows = [{"sentence1": "Ann sat.", "sentence2": f"Claim {n}.", "gold_label": n} for n in (0, 1)]
    for more in ({}, {"index": 1}, {"captionID": "1"}, {"annotator_labels": "e"}):
        data = encoded([{**row, **more} for row in rows], "tsv", tmp_path)
        with pytest.raises(BadInputError, match=r"the numbers 0 \(1\) and 1 \(1\) .* can be read in several ways"):
            list(read(deliver("two.tsv", data), on_error="skip"))


def test_numbers_of_a_published_set_keep_their_meaning(deliver: Callable[..., str]) -> None:
    rows = [
        {"sentence1": "Ann sat.", "sentence2": f"Claim {n}.", "gold_label_log": n, "gold_label_prag": n} for n in (0, 1)
    ]
    data = "".join(json.dumps(row) + "\n" for row in rows).encode()
    assert [pair.label.value for pair in read(deliver("implicature.jsonl", data))] == ["entailment", "neutral"]


@pytest.mark.parametrize(
    ("column", "supports"),
    [
        *(
            (column, 0)
            for column in ("is_hallucination", "hallucinated", "unsupported", "not_entailment", "unfaithful")
        ),
        *((column, 1) for column in ("supported", "entailment", "is_entailment", "faithful", "consistent", "factual")),
    ],
)
def test_the_name_of_the_column_says_what_numbers_mean(column: str, supports: int) -> None:
    corpus = read([{"premise": "Ann sat.", "hypothesis": f"Claim {n}.", column: n} for n in (0, 1)])
    found = {n: pair.label.value for n, pair in enumerate(corpus)}
    assert found == {supports: "entailment", 1 - supports: "non-entailment"}


def test_floats_are_numbers_and_booleans_are_not(deliver: Callable[..., str]) -> None:
    lines = [
        f'{{"premise": "Ann sat.", "hypothesis": "Claim.", "label": {value}}}\n'.encode()
        for value in ("1.0", "1", "true", "null")
    ]
    corpus = read(deliver("kinds.jsonl", b"".join(lines)), on_error="skip", labels={"1": "neutral"})
    assert [pair.label.value for pair in corpus] == ["neutral", "neutral"]
    assert dict(corpus.skipped) == {"unknown label": 1, "no gold label": 1}


def test_columns_may_change_from_line_to_line(deliver: Callable[..., str]) -> None:
    data = (
        b'{"premise": "Ann sat.", "hypothesis": "She sat.", "label": "e"}\n'
        b'{"id": "x", "sentence1": "Ann sat.", "sentence2": "She stood.", "gold_label": "c", "genre": "news"}\n'
    )
    assert [(pair.id, pair.group) for pair in read(deliver("mixed.jsonl", data))] == [
        (id_of_texts("Ann sat.", "She sat."), {}),
        ("x", {"genre": "news"}),
    ]


def test_hub_names_of_parses_are_kept(deliver: Callable[..., str]) -> None:
    row = {
        "premise": "Ann sat.",
        "premise_parse": "(S ...)",
        "hypothesis": "She sat.",
        "hypothesis_binary_parse": "( a b )",
    }
    [pair] = read(deliver("hub.jsonl", json.dumps({**row, "label": "e"}).encode()))
    assert pair.parses is not None
    assert (pair.parses.premise, pair.parses.hypothesis_binary, pair.parses.hypothesis) == ("(S ...)", "( a b )", None)


def test_byte_order_mark_and_windows_line_ends(deliver: Callable[..., str]) -> None:
    data = b'\xef\xbb\xbfpremise,hypothesis,label\r\nAnn sat.,"She\r\nsat.",e\r\n\r\n'
    [pair] = read(deliver("windows.csv", data))
    assert (pair.premise, pair.hypothesis) == ("Ann sat.", "She\r\nsat.")


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16", "utf-16-le", "cp1252"])
def test_other_encodings(encoding: str, deliver: Callable[..., str]) -> None:
    text = 'premise,hypothesis,label\nZoë sat in a café.,"Zoë\nsat.",entailment\n'
    [pair] = read(deliver("old.csv", text.encode(encoding)), encoding=encoding)
    assert (pair.premise, pair.hypothesis) == ("Zoë sat in a café.", "Zoë\nsat.")


def test_limit_counts_records(deliver: Callable[..., str], tmp_path: Path) -> None:
    path = deliver("mine.jsonl", encoded(ROWS, "jsonl", tmp_path))
    corpus = read(path, limit=2)
    assert len(list(corpus)) == corpus.rows == 2
    with pytest.raises(UserError, match="limit 0"):
        read(path, limit=0)


def test_reading_twice_gives_the_same(deliver: Callable[..., str], tmp_path: Path) -> None:
    corpus = read(deliver("mine.jsonl", encoded(ROWS, "jsonl", tmp_path)))
    assert list(corpus) == list(corpus)
    assert corpus.rows == 3


def test_summary_names_the_file_not_the_machine(deliver: Callable[..., str], tmp_path: Path) -> None:
    corpus = read(deliver("mine.jsonl", encoded(ROWS, "jsonl", tmp_path), "gzip"))
    list(corpus)
    summary = corpus.summary()
    assert (summary.name, summary.rows, summary.pairs) == ("mine.jsonl", 3, 2)
    assert summary.labels == {"contradiction": 1, "entailment": 1}
    assert len(summary.digest) == 64


def test_the_cases_of_a_suite_are_a_corpus(tmp_path: Path) -> None:
    pair = Pair(id="7", premise="Ann sat.", hypothesis="She sat.", label=Label.ENTAILMENT, group={"genre": "news"})
    case = case_from(pair, Edit(variant="v"), family="original", recipe=Recipe(transform="original/v1", seed=0))
    lines = json.dumps(json.loads(to_json(case))) + "\n"
    (tmp_path / "manifest.json").write_text("{}")
    (tmp_path / "cases.jsonl").write_text(lines)
    expected = {"genre": "news", "family": "original", "variant": "v"}
    for source in (tmp_path, tmp_path / "cases.jsonl"):
        corpus = read(source)
        [found] = corpus
        assert corpus.format == "assay-suite/v1"
        assert (found.id, found.premise, found.label, found.group) == (case.id, "Ann sat.", Label.ENTAILMENT, expected)


@pytest.mark.parametrize("field", ["group", "provenance"])
def test_a_nested_field_that_is_too_deep_is_named(field: str, deliver: Callable[..., str]) -> None:
    row = {**dict.fromkeys(Case.__struct_fields__, "x"), "label": "neutral", field: "[" * 9999}
    with pytest.raises(BadInputError, match=r"x\.jsonl:1: nested too deeply"):
        list(read(deliver("x.jsonl", json.dumps(row).encode())))


def test_problems_are_refused_where_pairs_are_needed(deliver: Callable[..., str]) -> None:
    row = {"question": "How many?", "options": ["A)1"], "rationale": "", "correct": "A"}
    with pytest.raises(UserError, match=r"holds Problems \(aqua-rat/v1\)"):
        list(read(deliver("dev.json", json.dumps(row).encode())))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"columns": {"premise": "sentense1"}}, "did you mean 'sentence1'"),
        ({"columns": {"premise": "a"}, "input_format": "snli"}, "generic format only"),
        ({"input_format": "snil"}, "did you mean 'snli'"),
        ({"labels": {"0": "entailmnt"}}, "did you mean 'entailment'"),
        ({"encoding": "klingon"}, "no such encoding"),
        ({"encoding": "base64"}, "no such encoding"),
        ({"on_error": "ignore"}, "'stop' or 'skip'"),
    ],
)
def test_wrong_options_say_what_was_meant(options: dict[str, Any], message: str, deliver: Callable[..., str]) -> None:
    path = deliver("x.jsonl", b'{"sentence1": "Ann sat.", "sentence2": "She sat.", "gold_label": "neutral"}\n')
    with pytest.raises(UserError, match=message):
        list(read(path, **options))


HUB_ROWS = {
    "premise": ["Ann sat.", "Ann sat.", "Ann sat."],
    "hypothesis": ["She sat.", "She stood.", "Why?"],
    "label": [2, 0, -1],
}


def hub() -> Any:
    return pytest.importorskip("datasets", reason="the extra hf is not installed")


@pytest.mark.parametrize("splits", [False, True])
def test_hub_folder_from_save_to_disk_goes_by_class_names(splits: bool, tmp_path: Path) -> None:
    datasets = hub()
    names = datasets.ClassLabel(names=["contradiction", "neutral", "entailment"])
    text = datasets.Value("string")
    features = datasets.Features({"premise": text, "hypothesis": text, "label": names})
    data = datasets.Dataset.from_dict(HUB_ROWS, features=features)
    (datasets.DatasetDict({"dev": data, "test": data}) if splits else data).save_to_disk(str(tmp_path / "saved"))
    corpus = read(f"hf:{tmp_path / 'saved'}" + ("@dev" if splits else ""))
    assert [pair.label.value for pair in corpus] == ["entailment", "contradiction"]
    assert dict(corpus.skipped) == {"no gold label": 1}
    if splits:
        with pytest.raises(UserError, match="2 splits: dev, test"):
            list(read(f"hf:{tmp_path / 'saved'}"))
        with pytest.raises(UserError, match="no split 'train'; it has dev, test"):
            list(read(f"hf:{tmp_path / 'saved'}@train"))


def test_hub_folder_with_json_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    datasets = hub()
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    folder = tmp_path / "folder"
    folder.mkdir()
    rows = [dict(zip(HUB_ROWS, values, strict=True)) for values in zip(*HUB_ROWS.values(), strict=True)]
    (folder / "train.jsonl").write_bytes(encoded(rows, "jsonl", tmp_path))
    corpus = read(f"hf:{folder}", labels={"0": "entailment", "2": "contradiction"})
    assert [pair.label.value for pair in corpus] == ["contradiction", "entailment"]


def test_hub_name_that_is_not_there(tmp_path: Path) -> None:
    hub()
    with pytest.raises(AssayError, match="can't be loaded"):
        list(read(f"hf:{tmp_path / 'nowhere'}"))


def test_bundled_corpus_is_balanced() -> None:
    corpus = read()
    pairs = list(corpus)
    assert corpus.labels == {"entailment": 250, "neutral": 250, "contradiction": 250}
    assert len({pair.premise for pair in pairs}) == 250
    assert len({pair.group["genre"] for pair in pairs}) == 10
    assert not corpus.skipped


def test_unknown_columns_say_how_to_name_them(deliver: Callable[..., str]) -> None:
    with pytest.raises(BadInputError, match="no known format has the columns 'a', 'b'") as caught:
        list(read(deliver("x.csv", b"a,b\n1,2\n")))
    assert "--columns premise=" in caught.value.hint


def test_semicolons_as_spreadsheets_write_them_where_the_comma_is_for_decimals(deliver: Callable[..., str]) -> None:
    head = "\ufeffpremise;hypothesis;label;score\r\n"
    text = f'{head}"Ann; she sat, there.";She sat.;e;0,93\r\nAnn sat.;"She\r\nstood.";c;0,1\r\n'
    first, second = read(deliver("excel.csv", text.encode()))
    assert (first.premise, first.hypothesis, first.label) == ("Ann; she sat, there.", "She sat.", Label.ENTAILMENT)
    assert (second.hypothesis, second.label) == ("She\r\nstood.", Label.CONTRADICTION)


@pytest.mark.parametrize("separator", ["\t", ",", ";"])
def test_bare_carriage_returns(separator: str, deliver: Callable[..., str]) -> None:
    lines = [("premise", "hypothesis", "label"), ("Ann sat.", "She sat.", "e"), ("Ann sat.", "She stood.", "c")]
    data = "".join(separator.join(line) + "\r" for line in lines).encode()
    assert [pair.label.value for pair in read(deliver("mac.txt", data))] == ["entailment", "contradiction"]
