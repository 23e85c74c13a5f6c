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

UNFOLDED = 256 << 20
"""Bytes of one line."""

READ = """
import resource, sys
from assay.core.errors import BadInputError
from assay.corpora.reading import read
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
    assert "line of more than 16 MiB" in said
    assert int(megabytes) < 100
