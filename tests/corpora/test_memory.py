"""Memory stays flat however many pairs there are."""

import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

READ = """
import resource, sys
from assay.corpora.reading import read
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
