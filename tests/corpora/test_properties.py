"""What holds for any input: what is written comes back, and nothing but our own errors comes out."""

import csv
import gzip
import io
import json
import tempfile
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import duckdb
import pytest
import zstandard
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assay.core import registry
from assay.core.edit import Skip
from assay.core.errors import AssayError, BadRecordError
from assay.core.label import NAMES, NUMBERS, UNLABELLED, Label, LabelReader
from assay.core.protocols import Row
from assay.corpora.reader import read

EXAMPLES = settings(max_examples=50, deadline=None)

AWKWARD = [
    '"',
    "'",
    ",",
    "\t",
    "\n",
    "\r\n",
    "\\",
    "\u2028",
    "\u2029",
    "\x85",
    "\u202e",
    "שלום",
    "👩‍👩‍👧",
    "e\u0301",
    "{",
    "[",
    ":",
    "﻿",
]
ALPHABET = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
TEXTS = st.lists(st.one_of(st.text(ALPHABET, max_size=8), st.sampled_from(AWKWARD)), min_size=1, max_size=6).map(
    "".join
)
SENTENCES = TEXTS.filter(lambda text: bool(text.strip()))
PAIRS = st.lists(st.tuples(SENTENCES, SENTENCES, st.sampled_from(list(Label))), min_size=1, max_size=8)

Pairs = list[tuple[str, str, Label]]


def as_jsonl(pairs: Pairs, path: Path) -> None:
    rows = [{"premise": p, "hypothesis": h, "label": label} for p, h, label in pairs]
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8", newline="")


def as_escaped_jsonl(pairs: Pairs, path: Path) -> None:
    path.write_text(
        "".join(json.dumps({"premise": p, "hypothesis": h, "label": label}) + "\n" for p, h, label in pairs)
    )


def as_csv(pairs: Pairs, path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("premise", "hypothesis", "label"), *pairs])


def as_parquet(pairs: Pairs, path: Path) -> None:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE pairs (premise TEXT, hypothesis TEXT, label TEXT)")
        connection.executemany("INSERT INTO pairs VALUES (?, ?, ?)", [(p, h, label.value) for p, h, label in pairs])
        connection.execute(f"COPY pairs TO '{path}' (FORMAT parquet)")


def as_tsv(pairs: Pairs, path: Path) -> None:
    lines = ["premise\thypothesis\tlabel", *("\t".join(pair) for pair in pairs)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="")


def round_trip(pairs: Pairs, write: Callable[[Pairs, Path], None], ending: str) -> Pairs:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"pairs.{ending}"
        write(pairs, path)
        return [(pair.premise, pair.hypothesis, pair.label) for pair in read(path)]


@pytest.mark.parametrize(("write", "ending"), [(as_jsonl, "jsonl"), (as_escaped_jsonl, "jsonl"), (as_csv, "csv")])
@EXAMPLES
@given(pairs=PAIRS)
@example(pairs=[("a\rb", ' "x"\r\n', Label.NEUTRAL), ("q", '"', Label.NEUTRAL)])
def test_what_is_written_is_read(write: Callable[[Pairs, Path], None], ending: str, pairs: Pairs) -> None:
    assert round_trip(pairs, write, ending) == pairs


@settings(EXAMPLES, max_examples=15)
@given(pairs=PAIRS)
def test_what_is_written_to_parquet_is_read(pairs: Pairs) -> None:
    assert round_trip(pairs, as_parquet, "parquet") == pairs


@EXAMPLES
@given(pairs=PAIRS)
def test_what_is_written_to_tsv_is_read(pairs: Pairs) -> None:
    held = [(p, h, label) for p, h, label in pairs if not set(p + h) & set("\t\n")]
    if held:
        assert round_trip(held, as_tsv, "tsv") == held


LINES = st.lists(
    st.one_of(
        st.binary(max_size=30),
        st.text(max_size=30).map(lambda text: text.encode("utf-8", "surrogatepass")),
        st.sampled_from(
            [b"premise,hypothesis,label", b"premise\thypothesis\tlabel", b"index\tsentence1\tsentence2\tlabel"]
        ),
        st.sampled_from(
            [
                b'a,"b,neutral',
                b'"',
                b"a\tb\tentails",
                b"{}",
                b"[]",
                b"{",
                b'{"premise": 1}',
                b"\xef\xbb\xbf",
                b"\xff\xfe",
            ]
        ),
        st.just(b"word" + b" 0.5" * 12),
        st.just(b'{"premise": "a", "hypothesis": "b", "label": "neutral"}'),
    ),
    max_size=8,
).map(b"\n".join)

NAMES_OF_FILES = ["x", "x.jsonl", "x.json", "x.csv", "x.tsv", "x.txt", "x.parquet"]


def survives(name: str, data: bytes, **options: Any) -> None:
    """Read all of it; only Assay's own errors may come out."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        corpus = read(path, **options)
        message = name
        try:
            list(corpus.records())
        except AssayError as error:
            message = str(error)
        assert name in message
        assert corpus.rows == corpus.pairs + sum(corpus.skipped.values()) or options["on_error"] == "stop"


@pytest.mark.parametrize("mode", ["stop", "skip"])
@settings(EXAMPLES, max_examples=150)
@given(data=LINES, name=st.sampled_from(NAMES_OF_FILES[:-1]))
def test_any_bytes_as_text(mode: str, data: bytes, name: str) -> None:
    survives(name, data, on_error=mode)


@settings(EXAMPLES, max_examples=10)
@given(data=st.binary(max_size=60))
def test_any_bytes_as_parquet(data: bytes) -> None:
    survives("x.parquet", b"PAR1" + data + b"PAR1", on_error="skip")


@EXAMPLES
@given(data=LINES, encoding=st.sampled_from(["utf-16", "utf-8-sig", "cp1252", "shift-jis", "utf-7", "ascii"]))
def test_any_bytes_in_any_encoding(data: bytes, encoding: str) -> None:
    survives("x.csv", data, on_error="skip", encoding=encoding)


def zipped(data: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x.jsonl", data)
    return buffer.getvalue()


PACKERS = {"gzip": gzip.compress, "zstandard": zstandard.ZstdCompressor(write_checksum=True).compress, "zip": zipped}


@pytest.mark.parametrize("packer", PACKERS)
@settings(EXAMPLES, max_examples=100)
@given(data=LINES, where=st.floats(0, 1), flip=st.integers(0, 255), cut=st.integers(0, 40))
def test_any_damage_to_a_compressed_file(packer: str, data: bytes, where: float, flip: int, cut: int) -> None:
    packed = bytearray(PACKERS[packer](data))
    packed[min(int(where * len(packed)), len(packed) - 1)] ^= flip
    survives("x.jsonl", bytes(packed[: len(packed) - cut]), on_error="skip")


@EXAMPLES
@given(
    data=st.binary(max_size=80),
    magic=st.sampled_from([b"\x1f\x8b", b"\x1f\x8b\x08\0", b"\x28\xb5\x2f\xfd", b"PK\x03\x04", b"PK\x05\x06"]),
)
def test_any_bytes_that_start_as_compressed(data: bytes, magic: bytes) -> None:
    survives("x.jsonl", magic + data, on_error="skip")


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.sampled_from(["neutral", "-", "Ann sat."]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=3)),
)
COLUMNS = """
premise hypothesis label gold_label sentence1 sentence2 sentence1_parse annotator_labels label1 pairID id group genre
index sentence_A sentence_B entailment_judgment pair_ID question options correct rationale text text_a text_b 0 1 2 word
values
"""
OWN_FORMATS = [name for name in registry.formats.names() if registry.formats.target(name).source == "nli-assay"]
FIELDS = st.dictionaries(st.sampled_from(COLUMNS.split()), VALUES)
FILES = st.sampled_from(["x.jsonl", "multinli_0.9_negation_matched.jsonl", "multinli_0.9_other.jsonl"])


@pytest.mark.parametrize("name", OWN_FORMATS)
@EXAMPLES
@given(fields=FIELDS, file=FILES)
def test_any_row_becomes_a_record_a_skip_or_a_bad_record(name: str, fields: dict[str, Any], file: str) -> None:
    with suppress(BadRecordError):
        record = registry.formats.get(name)().record(Row(1, fields, file), LabelReader())
        assert isinstance(record, Skip) or isinstance(record.id, str)


@EXAMPLES
@given(
    name=st.sampled_from([*NAMES, *NUMBERS, *UNLABELLED]), upper=st.booleans(), blanks=st.sampled_from(["", " ", "\t"])
)
def test_labels_are_read_in_any_case_and_with_blanks_around(name: str, upper: bool, blanks: str) -> None:
    spelled = blanks + (name.upper() if upper else name) + blanks
    assert LabelReader()(spelled) == (NAMES.get(name) or NUMBERS.get(name))


@EXAMPLES
@given(value=st.one_of(VALUES, st.text()))
def test_any_other_label_is_a_bad_record(value: object) -> None:
    with suppress(BadRecordError):
        assert LabelReader()(value) in (None, *Label)


@EXAMPLES
@given(
    own=st.dictionaries(st.text(min_size=1).filter(lambda text: text == text.strip()), st.sampled_from([*Label, "-"])),
    other=st.text(),
)
def test_own_spellings_come_first(own: dict[str, str], other: str) -> None:
    reader = LabelReader(own)
    for value, name in own.items():
        assert reader(value) == (None if name == "-" else name)
