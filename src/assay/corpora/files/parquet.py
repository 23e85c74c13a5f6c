"""Parquet files to rows."""

import glob
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from assay.core.errors import BadInputError
from assay.core.guard.duck import connect
from assay.core.protocols import Row
from assay.corpora.files.table import Fault, Table, table

BATCH = 4096


def parquet_table(name: str, path: Path, *, where: str) -> Table:
    """The rows of a parquet file, read in batches."""
    import duckdb

    def rows() -> Iterator[Row | Fault]:
        batches = iter(lambda: result.fetchmany(BATCH), [])
        try:
            for number, values in enumerate(chain.from_iterable(batches), 1):
                yield Row(number, dict(zip(columns, values, strict=True)), name)
        except duckdb.Error as error:
            raise _damaged(error, where) from error
        finally:
            connection.close()

    connection = connect()
    try:
        connection.execute("SET enable_progress_bar = false")  # it would mix with the results
        result = connection.execute("SELECT * FROM read_parquet(?, hive_partitioning=false)", [glob.escape(str(path))])
    except duckdb.Error as error:
        connection.close()
        raise _damaged(error, where) from error
    columns = [column[0] for column in result.description or ()]
    return table(name, "parquet", rows(), columns=columns)


def _damaged(error: Exception, where: str) -> BadInputError:
    return BadInputError(
        f"not a readable parquet file: {error}", where=where, hint="Write it again, or use JSON lines."
    )
