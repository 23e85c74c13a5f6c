"""DuckDB, which reads and writes parquet, without access to the network."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb


def connect(**settings: str | int) -> "duckdb.DuckDBPyConnection":
    """An in-memory database. Without these settings, DuckDB downloads extensions that a file or query seems to need."""
    import duckdb

    return duckdb.connect(config={"autoinstall_known_extensions": "false", **settings})
