"""Memory stays flat however many pairs there are."""

import gzip
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pytest

READ = """
import resource, sys
from assay.corpora.reader import read
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
for _ in read(sys.argv[1], limit=20_000): pass
start = peak()
corpus = read(sys.argv[1])
for _ in corpus: pass
assert corpus.pairs == 120_000
print(peak() - start)
"""


@pytest.mark.parametrize("ending", ["json", "parquet"])
def test_a_hundred_thousand_pairs_cost_little_more_than_their_ids(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"many.{ending}"
    with duckdb.connect() as connection:
        connection.execute(
            "COPY (SELECT 'p' || i AS id, repeat('A dog barks. ', 8) AS premise, 'A cat barks ' || i AS hypothesis, "
            f"'neutral' AS label FROM range(120000) t(i)) TO '{path}' (FORMAT {ending})"
        )
    done = subprocess.run([sys.executable, "-c", READ, path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 25, "megabytes"


BOUNDED = """
import resource, sys
from assay.corpora.reader import read
pages = int(open("/proc/self/statm").read().split()[0])
most = pages * resource.getpagesize() + (96 << 20)
resource.setrlimit(resource.RLIMIT_AS, (most, most))
corpus = read(sys.argv[1], on_error="skip")
print([pair.premise for pair in corpus.records()], corpus.rows)
"""


def blank_lines() -> Iterator[bytes]:
    yield from (b"  \n" * 1_000_000 for _ in range(4))
    yield b"premise,hypothesis,label\nIt rains.,It is wet.,neutral\n"


def open_quotes() -> Iterator[bytes]:
    yield b'premise,hypothesis,label\n"'
    yield from (b'","' * 500_000 + b"\n" for _ in range(60))
    yield b'"\nIt rains.,It is wet.,neutral\n'


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="looks at a process in /proc")
@pytest.mark.parametrize(("pieces", "read"), [(blank_lines, "['It rains.'] 1"), (open_quotes, "['It rains.'] ")])
def test_a_small_file_that_unfolds_needs_little_memory(
    pieces: Callable[[], Iterator[bytes]], read: str, tmp_path: Path
) -> None:
    path = tmp_path / "bomb.csv.gz"
    with gzip.open(path, "wb") as file:
        file.writelines(pieces())
    assert path.stat().st_size < 1 << 20
    done = subprocess.run([sys.executable, "-c", BOUNDED, path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(read)
