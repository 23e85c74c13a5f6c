"""DuckDB, which reads and writes parquet, kept to what is on this machine."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb


def connect(**settings: str | int) -> "duckdb.DuckDBPyConnection":
    """A database in memory. By itself, DuckDB downloads an extension when a file or a query seems to need one."""
    import duckdb

    return duckdb.connect(config={"autoinstall_known_extensions": "false", **settings})
