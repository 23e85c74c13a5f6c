"""Bad input: one clear message with file, line and a way out; or skipped, reported, and read on."""

import gzip
import io
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
import zstandard

from assay.core.errors import BadInputError
from assay.corpora.reader import read

HEADER = b"premise,hypothesis,label\n"


def good(number: int) -> bytes:
    return (
        f'{{"id": "{number}", "premise": "Ann sat.", "hypothesis": "Claim {number}.", "label": "neutral"}}\n'.encode()
    )


def row(number: int, separator: bytes = b",") -> bytes:
    return separator.join([b"Ann sat.", b"Claim %d." % number, b"neutral"]) + b"\n"


class Broken(NamedTuple):
    """A line that can't be read, among good ones."""

    name: str
    line: bytes
    message: str
    way_out: str = "--on-error skip"


ONE_OBJECT = "One JSON object per line"
TWICE = b'{"premise": "A.", "premise": "B.", "hypothesis": "C.", "label": "n"}\n'

JSON = {
    "not JSON": Broken("x.jsonl", b"Ann sat.\n", "not JSON", ONE_OBJECT),
    "half of an object": Broken("x.jsonl", b'{"premise": "Ann\n', "not JSON", ONE_OBJECT),
    "an array": Broken("x.jsonl", b'["Ann sat.", "She sat."]\n', "not a JSON object", "jq -c"),
    "a number": Broken("x.jsonl", b"17\n", "not a JSON object", ONE_OBJECT),
    "too deep": Broken("x.jsonl", b"[" * 100_000 + b"\n", "nested too deeply", "jq -c"),
    "too deep inside": Broken("x.jsonl", good(9).replace(b'"9"', b"[" * 9999), "nested too deeply", ONE_OBJECT),
    "missing column": Broken("x.jsonl", b'{"premise": "A.", "label": "n"}\n', "no column 'hypothesis'", "--columns"),
    "no text": Broken("x.jsonl", good(9).replace(b'"Ann sat."', b"1"), "column 'premise' is not text"),
    "null text": Broken("x.jsonl", good(9).replace(b'"Ann sat."', b"null"), "column 'premise' is not text"),
    "duplicate key": Broken("x.jsonl", TWICE, "duplicate column: 'premise'", "Rename"),
    "unknown label": Broken("x.jsonl", good(9).replace(b"neutral", b"perhaps"), "unknown label", "--labels perhaps="),
    "latin-1": Broken("x.jsonl", good(9).replace(b"Ann", b"Zo\xeb"), "wrong encoding: byte 0xeb", "--encoding latin-1"),
    "NUL": Broken("x.jsonl", good(9).replace(b"Ann", b"A\0n"), "NUL byte", "--encoding utf-16"),
    "lone surrogate": Broken("x.jsonl", good(9).replace(b"Ann", b"\\ud83d"), "not JSON", ONE_OBJECT),
    "overlong": Broken("x.jsonl", good(9).replace(b"Ann", b"A" * (17 << 20)), "more than 16 MiB", "jq -c"),
}


@pytest.mark.parametrize("position", [1, 3])
@pytest.mark.parametrize("broken", JSON.values(), ids=JSON)
def test_a_broken_line_of_json(broken: Broken, position: int, deliver: Callable[..., str]) -> None:
    lines = [good(1), good(2), good(3)]
    lines.insert(position - 1, broken.line)
    path = deliver(broken.name, b"".join(lines))
    with pytest.raises(BadInputError) as caught:
        list(read(path))
    assert caught.value.where == f"{path}:{position}"
    assert broken.message in str(caught.value)
    assert broken.way_out in caught.value.hint
    assert "--on-error skip" in caught.value.hint
    corpus = read(path, on_error="skip")
    assert [pair.id for pair in corpus] == ["1", "2", "3"]
    [problem] = corpus.problems
    assert problem.where == f"{path}:{position}"
    assert problem.reason in str(caught.value)
    assert dict(corpus.skipped) == {problem.reason: 1}
    assert corpus.rows == 4


ROWS = {
    "too few": Broken("x.csv", b"Ann sat.,She sat.\n", "wrong number of columns: 2, but the header names 3"),
    "too many": Broken("x.csv", b"Ann sat.,She sat.,neutral,really\n", "wrong number of columns: 4"),
    "unknown label": Broken("x.csv", b"Ann sat.,She sat.,perhaps\n", "unknown label: 'perhaps'", "--labels"),
    "latin-1": Broken("x.csv", b"Zo\xeb sat.,She sat.,neutral\n", "wrong encoding", "--encoding latin-1"),
    "NUL": Broken("x.csv", b"Ann\0 sat.,She sat.,neutral\n", "NUL byte", "utf-16"),
    "quote that opens and never closes": Broken(
        "x.csv", b'"Ann sat.,She sat.,neutral\n', "broken csv", "quotation marks"
    ),
    "quote that closes too early": Broken("x.csv", b'"Ann" sat.,She sat.,neutral\n', "broken csv", "quotation marks"),
    "overlong": Broken("x.csv", b"A" * (17 << 20) + b",She sat.,neutral\n", "more than 16 MiB"),
    "huge field": Broken(
        "x.csv", b"A" * (1 << 18) + b",She sat.,neutral\n", "broken csv: field larger", "quotation marks"
    ),
    "too few in tsv": Broken("x.tsv", b"Ann sat.\tShe sat.\n", "wrong number of columns"),
    "a tab inside of tsv": Broken("x.tsv", b"Ann\tsat.\tShe sat.\tneutral\n", "wrong number of columns: 4"),
    "latin-1 in tsv": Broken("x.tsv", b"Zo\xeb sat.\tShe sat.\tneutral\n", "wrong encoding", "--encoding latin-1"),
    "NUL in tsv": Broken("x.tsv", b"Ann\0 sat.\tShe sat.\tneutral\n", "NUL byte", "utf-16"),
}


@pytest.mark.parametrize("position", [2, 4])
@pytest.mark.parametrize("broken", ROWS.values(), ids=ROWS)
def test_a_broken_row_below_a_header(broken: Broken, position: int, deliver: Callable[..., str]) -> None:
    separator = b"\t" if broken.name == "x.tsv" else b","
    lines = [HEADER.replace(b",", separator), row(1, separator), row(2, separator), row(3, separator)]
    lines.insert(position - 1, broken.line)
    path = deliver(broken.name, b"".join(lines))
    with pytest.raises(BadInputError) as caught:
        list(read(path))
    assert caught.value.where == f"{path}:{position}"
    assert broken.message in str(caught.value)
    assert broken.way_out in caught.value.hint
    corpus = read(path, on_error="skip")
    assert [pair.hypothesis for pair in corpus] == ["Claim 1.", "Claim 2.", "Claim 3."]
    assert [problem.where for problem in corpus.problems] == [f"{path}:{position}"]
    assert corpus.rows == 4


def test_a_stray_quote_loses_no_row_of_a_long_file(deliver: Callable[..., str]) -> None:
    rows = [row(number) for number in range(5000)]
    path = deliver("x.csv", HEADER + b'"Ann sat.,She sat.,neutral\n' + b"".join(rows))
    corpus = read(path, on_error="skip")
    assert len(list(corpus)) == 5000
    assert [problem.where for problem in corpus.problems] == [f"{path}:2"]


HEADERS = {
    "duplicate column": Broken("x.csv", b"premise,hypothesis,premise,label\n", "duplicate column: 'premise'", "Rename"),
    "duplicate column of tsv": Broken(
        "x.tsv", b"premise\thypothesis\tlabel\tlabel\n", "duplicate column: 'label'", "Rename"
    ),
    "latin-1": Broken("x.csv", b"pr\xe9misse,hypothesis,label\n", "wrong encoding", "--encoding"),
    "NUL": Broken("x.csv", b"premise\0,hypothesis,label\n", "NUL byte", "utf-16"),
    "open quote": Broken("x.csv", b'"premise,hypothesis,label\n', "broken csv header", "quotation marks"),
    "one column": Broken("x.csv", b"premise\n", "neither JSON lines nor columns", "JSON objects, or a header"),
    "overlong": Broken("x.csv", b"a," * (9 << 20) + b"\n", "more than 16 MiB", "One record per line"),
}


@pytest.mark.parametrize("mode", ["stop", "skip"])
@pytest.mark.parametrize("broken", HEADERS.values(), ids=HEADERS)
def test_a_broken_header_is_fatal_in_both_modes(broken: Broken, mode: str, deliver: Callable[..., str]) -> None:
    path = deliver(broken.name, broken.line + row(1) + row(2))
    with pytest.raises(BadInputError) as caught:
        list(read(path, on_error=mode))
    assert caught.value.where == f"{path}:1"
    assert broken.message in caught.value.fact
    assert broken.way_out in caught.value.hint


@pytest.mark.parametrize("mode", ["stop", "skip"])
def test_a_header_without_a_needed_column(mode: str, deliver: Callable[..., str]) -> None:
    path = deliver("x.csv", b"premise,hypothesis,lable\n" + row(1))
    with pytest.raises(BadInputError) as caught:
        list(read(path, on_error=mode))
    assert path in str(caught.value)
    assert "no column" in str(caught.value)


@pytest.mark.parametrize("mode", ["stop", "skip"])
@pytest.mark.parametrize("way", ["plain", "gzip", "zip", "zstandard", "stdin"])
@pytest.mark.parametrize("data", [b"", b"\n\r\n \n", HEADER, b"\xef\xbb\xbf"], ids=["empty", "blank", "header", "mark"])
def test_an_empty_file(data: bytes, way: str, mode: str, deliver: Callable[..., str]) -> None:
    path = deliver("x.csv", data, way)
    with pytest.raises(BadInputError, match="it has no records") as caught:
        list(read(path, on_error=mode))
    assert path in caught.value.where
    assert caught.value.hint


@pytest.mark.parametrize("name", ["x.jsonl", "x.csv"])
def test_utf_16_without_saying_so(name: str, deliver: Callable[..., str]) -> None:
    text = (good(1) + good(2) if name == "x.jsonl" else HEADER + row(1) + row(2)).decode()
    path = deliver(name, text.encode("utf-16"))
    with pytest.raises(BadInputError) as caught:
        list(read(path))
    assert caught.value.where == f"{path}:1"
    assert "--encoding utf-16" in caught.value.hint
    assert len(list(read(path, encoding="utf-16"))) == 2


def test_a_wrong_guess_at_the_encoding_names_the_line(deliver: Callable[..., str]) -> None:
    path = deliver("x.jsonl", good(1) + good(2).replace(b"Ann", "Zoë".encode("cp1252") + b"\x81") + good(3))
    with pytest.raises(BadInputError, match="wrong encoding") as caught:
        list(read(path, encoding="cp1252"))
    assert caught.value.where == f"{path}:2"
    corpus = read(path, encoding="cp1252", on_error="skip")
    assert [pair.id for pair in corpus] == ["1", "3"]


def lines_of(count: int) -> bytes:
    """Lines that don't compress to nothing."""
    return b"".join(good(number).replace(b"Ann", os.urandom(20).hex().encode()) for number in range(count))


@pytest.mark.parametrize("kind", ["gzip", "zstandard"])
@pytest.mark.parametrize("count", [3, 5000])
def test_a_truncated_file_gives_what_is_whole(kind: str, count: int, tmp_path: Path) -> None:
    data = lines_of(count)
    packed = gzip.compress(data) if kind == "gzip" else zstandard.ZstdCompressor().compress(data)
    path = tmp_path / ("x.jsonl.gz" if kind == "gzip" else "x.jsonl.zst")
    path.write_bytes(packed[: -len(packed) // 3])
    with pytest.raises(BadInputError, match="truncated") as caught:
        list(read(path))
    assert caught.value.where.startswith(str(path))
    assert "Download the file again" in caught.value.hint
    corpus = read(path, on_error="skip")
    found = len(list(corpus.records()))
    assert count // 2 < found < count or count == 3
    assert [problem.reason for problem in corpus.problems] == ["the compressed file is truncated"]
    assert corpus.problems[0].where == f"{path}:{found + 1}"


@pytest.mark.parametrize("kind", ["gzip", "zstandard"])
def test_a_damaged_file(kind: str, tmp_path: Path) -> None:
    data = lines_of(5000)
    packed = bytearray(
        gzip.compress(data) if kind == "gzip" else zstandard.ZstdCompressor(write_checksum=True).compress(data)
    )
    packed[-6] ^= 255  # in the checksum, so that all lines are read before it shows
    packed[-2] ^= 255
    path = tmp_path / "x.jsonl"
    path.write_bytes(packed)
    with pytest.raises(BadInputError, match="damaged"):
        list(read(path))
    corpus = read(path, on_error="skip")
    assert len(list(corpus)) > 4000
    assert len(corpus.problems) == 1


def zipped(**members: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


@pytest.mark.parametrize("mode", ["stop", "skip"])
def test_a_truncated_zip(mode: str, tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    path.write_bytes(zipped(**{"x.jsonl": lines_of(100)})[:-40])
    with pytest.raises(BadInputError, match="not a readable zip") as caught:
        list(read(path, on_error=mode))
    assert caught.value.where == str(path)
    assert "again" in caught.value.hint


def test_a_zip_with_a_damaged_member(tmp_path: Path) -> None:
    data = bytearray(zipped(**{"x.jsonl": lines_of(5000)}))
    data[len(data) // 2] ^= 255
    path = tmp_path / "x.zip"
    path.write_bytes(data)
    with pytest.raises(BadInputError, match=r"damaged|not JSON|wrong encoding|NUL") as caught:
        list(read(path))
    assert caught.value.where.startswith(f"{path}/x.jsonl:")
    corpus = read(path, on_error="skip")
    assert len(list(corpus)) > 1000
    assert corpus.problems


@pytest.mark.parametrize("mode", ["stop", "skip"])
@pytest.mark.parametrize("name", ["../x.jsonl", "a/../../x.jsonl", "/etc/x.jsonl", "..\\x.jsonl", "C:/x.jsonl"])
def test_a_zip_whose_member_leaves_the_folder(name: str, mode: str, tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    path.write_bytes(zipped(**{name: good(1), "y.jsonl": good(2)}))
    with pytest.raises(BadInputError, match="leaves the folder") as caught:
        list(read(path, on_error=mode))
    assert caught.value.where == str(path)
    assert "trust" in caught.value.hint


def test_an_encrypted_member(tmp_path: Path) -> None:
    data = bytearray(zipped(**{"x.jsonl": good(1)}))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path = tmp_path / "x.zip"
    path.write_bytes(data)
    with pytest.raises(BadInputError, match="can't be opened") as caught:
        list(read(path))
    assert caught.value.where == f"{path}/x.jsonl"


def test_zips_without_what_is_wanted(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    path.write_bytes(zipped(**{"image.png": b"", "README.txt": b"Hello"}))
    with pytest.raises(BadInputError, match="no data file in the zip"):
        list(read(path))
    with pytest.raises(BadInputError, match=r"no member 'y\.jsonl'"):
        list(read(path / "y.jsonl"))


def test_duplicate_ids(deliver: Callable[..., str]) -> None:
    path = deliver("x.jsonl", good(1) + good(2) + good(1) + good(3))
    with pytest.raises(BadInputError, match="duplicate id: '1'") as caught:
        list(read(path))
    assert caught.value.where == f"{path}:3"
    assert "unique" in caught.value.hint
    corpus = read(path, on_error="skip")
    assert [pair.id for pair in corpus] == ["1", "2", "3"]
    assert [(problem.reason, problem.where) for problem in corpus.problems] == [("duplicate id", f"{path}:3")]


@pytest.mark.parametrize("mode", ["stop", "skip"])
def test_all_records_unlabelled(mode: str, deliver: Callable[..., str]) -> None:
    path = deliver("x.jsonl", good(1).replace(b"neutral", b"-") + good(2).replace(b"neutral", b"hidden"))
    corpus = read(path, on_error=mode)
    with pytest.raises(BadInputError, match=r"none of its 2 records can be used: no gold label \(2\)") as caught:
        list(corpus)
    assert caught.value.where == path
    assert "--labels" in caught.value.hint
    assert list(corpus.records()) == []
    assert corpus.notes() == ["none of its 2 records can be used: no gold label (2)"]


def test_a_first_line_that_lacks_a_mapped_column(deliver: Callable[..., str]) -> None:
    path = deliver("x.jsonl", b'{"b": "She sat.", "y": "n"}\n{"a": "Ann sat.", "b": "She sat.", "y": "n"}\n')
    mapped = {"premise": "a", "hypothesis": "b", "label": "y"}
    with pytest.raises(BadInputError, match="no column 'a'") as caught:
        list(read(path, columns=mapped))
    assert caught.value.where == f"{path}:1"
    corpus = read(path, columns=mapped, on_error="skip")
    assert [pair.premise for pair in corpus] == ["Ann sat."]
    assert [problem.where for problem in corpus.problems] == [f"{path}:1"]


def test_all_records_broken(deliver: Callable[..., str]) -> None:
    path = deliver("x.jsonl", b"a\nb\n")
    corpus = read(path, on_error="skip")
    with pytest.raises(BadInputError, match=r"not JSON \(2\); the first problem is at .*x\.jsonl:1"):
        list(corpus)
    assert len(corpus.problems) == 2


def test_many_broken_lines_before_the_first_good_one(deliver: Callable[..., str]) -> None:
    corpus = read(deliver("x.jsonl", b"junk\n" * 500 + good(1)), on_error="skip")
    assert [pair.id for pair in corpus] == ["1"]
    assert len(corpus.problems) == 500


def test_a_folder_with_several_files(tmp_path: Path) -> None:
    for name in ("train.jsonl", "dev.jsonl"):
        (tmp_path / name).write_bytes(good(1))
    with pytest.raises(BadInputError, match="2 data files") as caught:
        list(read(tmp_path))
    assert str(tmp_path / "dev.jsonl") in caught.value.hint
    (tmp_path / "train.jsonl").unlink()
    (tmp_path / "README.txt").write_text("Words.")
    assert len(list(read(tmp_path))) == 1


def test_a_folder_with_nothing_in_it(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="no data file in this folder") as caught:
        list(read(tmp_path))
    assert ".jsonl" in caught.value.hint


def test_a_path_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="no such file") as caught:
        list(read(tmp_path / "nothing.jsonl"))
    assert caught.value.where == str(tmp_path / "nothing.jsonl")
    assert caught.value.hint


PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\n\0\0\0\nIDATx"


@pytest.mark.parametrize("mode", ["stop", "skip"])
def test_a_picture(mode: str, deliver: Callable[..., str]) -> None:
    path = deliver("x.png", PNG)
    with pytest.raises(BadInputError, match="wrong encoding: byte 0x89") as caught:
        list(read(path, on_error=mode))
    assert caught.value.where == f"{path}:1"
    assert "If it is a text file" in caught.value.hint


@pytest.mark.parametrize("data", [b"PAR1 and no more", b"", good(1)])
def test_parquet_that_is_none(data: bytes, deliver: Callable[..., str]) -> None:
    path = deliver("x.parquet", data)
    with pytest.raises(BadInputError, match="not a readable parquet file") as caught:
        list(read(path))
    assert caught.value.where == path
    assert caught.value.hint


MEMORY = """
import resource, sys
from assay.corpora.reader import read
corpus = read(sys.argv[1], on_error="skip", limit=1)
list(corpus.records())
start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
corpus = read(sys.argv[1], on_error="skip")
ids = [pair.id for pair in corpus]
assert ids == ["1", "2"], ids
assert [problem.where.rpartition(":")[2] for problem in corpus.problems] == ["2"]
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - start) >> 10)
"""


@pytest.mark.parametrize("way", ["plain", "gzip", "zstandard"])
def test_a_line_of_fifty_megabytes_costs_less_than_its_size(way: str, deliver: Callable[..., str]) -> None:
    path = deliver("x.jsonl", good(1) + b'{"premise": "' + b"A" * (50 << 20) + b'"}\n' + good(2), way)
    done = subprocess.run([sys.executable, "-c", MEMORY, path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 45, "megabytes"
