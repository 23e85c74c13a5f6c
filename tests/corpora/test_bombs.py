"""Small files that unfold to huge ones cost no memory, and are refused by the line that is too long."""

import gzip
import io
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from assay.core.errors import BadInputError
from assay.corpora import byte_streams
from assay.corpora.reader import read

UNFOLDED = 256 << 20
"""Bytes of one line."""

READ = """
import resource, sys
from assay.core.errors import BadInputError
from assay.corpora.reader import read
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
list(read("bundled"))
start = peak()
try:
    list(read(sys.argv[1]))
except BadInputError as error:
    print(peak() - start, error)
"""


def pieces() -> list[bytes]:
    return [b'{"premise": "', *[b"a" * (1 << 20)] * (UNFOLDED >> 20), b'"}\n']


def gzipped() -> bytes:
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", compresslevel=1) as file:
        file.writelines(pieces())
    return out.getvalue()


def zstandarded() -> bytes:
    packing = zstandard.ZstdCompressor().compressobj()
    return b"".join([*map(packing.compress, pieces()), packing.flush()])


def zipped() -> bytes:
    out = io.BytesIO()
    packing = zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1)
    with packing as archive, archive.open("x.jsonl", "w") as file:
        file.writelines(pieces())
    return out.getvalue()


@pytest.mark.parametrize(("pack", "ending"), [(gzipped, "jsonl.gz"), (zstandarded, "jsonl.zst"), (zipped, "zip")])
def test_a_bomb_is_refused_in_little_memory(pack: Callable[[], bytes], ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"bomb.{ending}"
    path.write_bytes(pack())
    assert path.stat().st_size < UNFOLDED // 100
    done = subprocess.run([sys.executable, "-c", READ, path], capture_output=True, text=True, check=True)
    megabytes, _, said = done.stdout.partition(" ")
    assert "line of more than 16 MiB" in said or "more than 250 times its size" in said
    assert int(megabytes) < 100


ROW = b'{"premise": "It rains.", "hypothesis": "It is wet.", "label": "neutral"}'


def padded() -> bytes:
    return b"".join(b" " * 40_000 + ROW + b"\n" for _ in range(100))


def archive_of(name: str, data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
    return out.getvalue()


WAYS: dict[str, Callable[[bytes], bytes]] = {
    "rows.jsonl.gz": gzip.compress,
    "rows.jsonl.zst": zstandard.compress,
    "rows.zip": lambda data: archive_of("rows.jsonl", data),
    "gz.zip": lambda data: archive_of("rows.jsonl.gz", gzip.compress(data)),
}


@pytest.mark.parametrize("name", WAYS)
def test_lines_padded_with_blanks_are_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / name
    path.write_bytes(WAYS[name](padded()))
    assert len(list(read(path))) == 100
    monkeypatch.setattr(byte_streams, "MOST_UNPACKED", 1 << 20)
    with pytest.raises(
        BadInputError, match=r"unpacks to more than 250 times its size.*\n  The file may be meant to exhaust"
    ):
        list(read(path))


def test_a_large_file_that_packs_well_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "rows.jsonl.zst"
    path.write_bytes(zstandard.compress(b"".join(ROW.replace(b"wet", b"%d" % i) + b"\n" for i in range(20_000)), 19))
    monkeypatch.setattr(byte_streams, "MOST_UNPACKED", 1 << 10)
    assert len(list(read(path))) == 20_000


def test_a_bomb_on_standard_input_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = io.BufferedReader(io.BytesIO(gzip.compress(padded())))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(packed))
    monkeypatch.setattr(byte_streams, "MOST_UNPACKED", 1 << 20)
    with pytest.raises(BadInputError, match="unpacks to more than 250 times its size"):
        list(read("-"))
