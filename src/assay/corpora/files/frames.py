"""Arrow files and Excel sheets to rows, with pandas or polars."""

import importlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from assay.core.errors import BadInputError, UserError
from assay.core.protocols import Row
from assay.corpora.files.table import Table, table

ARROW_ENDINGS = (".arrow", ".feather")
EXCEL_ENDINGS = (".xlsx",)
ENDINGS = (*ARROW_ENDINGS, *EXCEL_ENDINGS)

Records = list[dict[str, Any]]


def frame_table(name: str, path: Path, *, where: str) -> Table:
    """The rows of an Arrow file or of the first sheet of a workbook; what is installed reads it."""
    excel = name.endswith(EXCEL_ENDINGS)
    readers = EXCEL if excel else ARROW
    problems: list[str] = []
    for read in readers:
        try:
            records = read(path)
        except ImportError as error:
            problems.append(str(error))
            continue
        except Exception as error:  # each library raises its own dozen kinds of error for a damaged file
            raise BadInputError(
                f"not a readable {'xlsx' if excel else 'Arrow'} file: {error}",
                where=where,
                hint="Write it again, or use JSON lines, csv or parquet.",
            ) from error
        # A sheet's header is row 1, so its records begin at row 2.
        return table(name, "xlsx" if excel else "arrow", _rows(records, name, first=2 if excel else 1))
    raise UserError(
        f"{where}: nothing is installed that reads it ({'; '.join(problems)}).\n  {MISSING[excel]}, or save it as csv."
    )


def _rows(records: Records, name: str, *, first: int) -> Iterator[Row]:
    for number, fields in enumerate(records, first):
        yield Row(number, fields, name)


def _polars_arrow(path: Path) -> Records:
    polars = importlib.import_module("polars")
    with path.open("rb") as file:
        is_file = file.read(6) == b"ARROW1"  # otherwise it is a stream, as data sets of the hub keep it
    read = polars.read_ipc if is_file else polars.read_ipc_stream
    return list(read(path).to_dicts())


def _pandas_arrow(path: Path) -> Records:
    pandas = importlib.import_module("pandas")
    return pandas_records(pandas.read_feather(path))


def _pandas_excel(path: Path) -> Records:
    pandas = importlib.import_module("pandas")
    with path.open("rb") as file:
        return pandas_records(pandas.read_excel(file, dtype=object, engine="openpyxl"))


def _polars_excel(path: Path) -> Records:
    importlib.import_module("fastexcel")
    polars = importlib.import_module("polars")
    return list(polars.read_excel(path.read_bytes()).to_dicts())


def pandas_records(frame: Any) -> Records:
    """Rows with None where pandas has its own mark for nothing."""
    frame = frame.astype(object)
    return list(frame.where(frame.notna(), None).to_dict("records"))


ARROW: tuple[Callable[[Path], Records], ...] = (_polars_arrow, _pandas_arrow)
EXCEL: tuple[Callable[[Path], Records], ...] = (_pandas_excel, _polars_excel)

MISSING = {
    False: "For Arrow files: pip install 'nli-assay[polars]'",
    True: "For Excel files: pip install 'nli-assay[excel]'",
}
