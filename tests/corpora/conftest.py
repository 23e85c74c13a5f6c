"""Ways in which a corpus reaches the readers."""

import gzip
import io
import json
import sys
import zipfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pytest
import zstandard

WAYS = ("plain", "gzip", "zip", "zstandard", "stdin", "gzip on stdin", "zip on stdin", "zstandard on stdin")

Deliver = Callable[[str, bytes, str], str]


def packed(name: str, data: bytes, way: str) -> bytes:
    if way == "gzip":
        return gzip.compress(data)
    if way == "zstandard":
        half = len(data) // 2  # two frames, as parallel compressors write them
        return b"".join(zstandard.ZstdCompressor().compress(part) for part in (data[:half], data[half:]))
    if way == "zip":
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(f"release/{name}", data)
            archive.writestr("release/README.txt", "What this is.")
            archive.writestr("__MACOSX/release/._" + name, b"\0\1")
        return buffer.getvalue()
    return data


@pytest.fixture
def deliver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Deliver:
    """Put a file where a way of reading finds it, and name it as a user would."""
    endings = {"gzip": ".gz", "zstandard": ".zst"}

    def put(name: str, data: bytes, way: str = "plain") -> str:
        kind = way.removesuffix(" on stdin")
        data = packed(name, data, kind)
        if "stdin" in way:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(data))))
            return "-"
        path = tmp_path / (Path(name).stem + ".zip" if way == "zip" else name + endings.get(way, ""))
        path.write_bytes(data)
        return str(path)

    return put


@pytest.fixture
def json_lines() -> Callable[[Iterable[Mapping[str, object]]], bytes]:
    def encode(rows: Iterable[Mapping[str, object]]) -> bytes:
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()

    return encode
