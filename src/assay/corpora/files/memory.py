"""Tables that a program holds to rows: frames of pandas and polars, data sets, and lists of dicts or tuples."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from assay.core.errors import BadRecordError, UserError
from assay.core.protocols import Row
from assay.corpora.files.frames import pandas_records
from assay.corpora.files.hub import dataset_table
from assay.corpora.files.table import Fault, Table, table

ROWS = (Mapping, tuple, list)
"""What a row can be, in a list of them."""

COLUMNS = ("premise", "hypothesis", "label")
"""What a row without names holds."""

FRAMES = {("pandas", "DataFrame"), ("polars", "DataFrame"), ("datasets", "Dataset"), ("datasets", "IterableDataset")}
"""Types of tables, by their library."""


def is_frame(data: object) -> bool:
    """Whether this is a table of another library."""
    return _kind(data) in FRAMES


def memory_table(data: Any) -> Table:
    """The rows of a table, numbered from 1."""
    library, kind = _kind(data)
    if library == "datasets":
        if isinstance(data, Mapping):
            one = next(iter(data))
            raise UserError(
                f"The data set has {len(data)} splits: {', '.join(data)}.\n  Pass one, as in data[{one!r}]."
            )
        return dataset_table(data, kind)
    if library == "pandas" and kind == "DataFrame":
        data = pandas_records(data)
    elif library == "polars" and kind == "DataFrame":
        data = data.iter_rows(named=True)
    elif not isinstance(data, Iterable):
        raise UserError(f"A corpus is a file, a name, a table or pairs, but this has type {kind}.")
    return table(kind, "memory", _rows(data))


def _rows(items: Iterable[Any]) -> Iterator[Row | Fault]:
    for number, item in enumerate(items, 1):
        if isinstance(item, Mapping):
            yield Row(number, item)
        elif isinstance(item, tuple | list) and len(item) == len(COLUMNS):
            yield Row(number, dict(zip(COLUMNS, item, strict=True)))
        else:
            held = f"{len(item)} values" if isinstance(item, tuple | list) else type(item).__name__
            yield Fault(
                number, BadRecordError(f"not a row: {held}", hint=f"A row is a dict, or ({', '.join(COLUMNS)}).")
            )


def _kind(data: object) -> tuple[str, str]:
    return type(data).__module__.partition(".")[0], type(data).__name__
