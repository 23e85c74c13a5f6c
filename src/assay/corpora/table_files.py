"""Containers of rows: kinds of files, and the rows of Parquet, Arrow, Excel and hub data sets."""

import glob
import importlib
import io
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain, repeat
from pathlib import Path
from typing import Any

from assay.core.errors import (
    BadInputError,
    BadRecordError,
    ExternalError,
    MissingExtraError,
    UserError,
    install_command,
)
from assay.core.protocols import LogFormat, Row
from assay.core.registry import logs
from assay.corpora.byte_streams import (
    DAMAGE,
    RecodedStream,
    Stream,
    TextLine,
    decompress,
    on_disk,
    read_lines,
    starts_as_parquet,
)
from assay.corpora.text_tables import (
    LOOK,
    Fault,
    RowTable,
    delimited_table,
    is_vector,
    json_table,
    sample_table,
    vector_table,
)
from assay.storage.files import connect
from assay.storage.remote import check_hub_keys

BATCH = 4096


def parquet_table(name: str, path: Path, *, where: str) -> RowTable:
    """The rows of a parquet file, read in batches."""
    import duckdb

    def rows() -> Iterator[Row | Fault]:
        batches = iter(lambda: result.fetchmany(BATCH), [])
        try:
            for number, values in enumerate(chain.from_iterable(batches), 1):
                yield Row(number, dict(zip(columns, values, strict=True)), name)
        except duckdb.Error as error:
            raise _damage_error(error, where) from error
        finally:
            connection.close()

    connection = connect()
    try:
        connection.execute("SET enable_progress_bar = false")  # it would mix with the results
        result = connection.execute("SELECT * FROM read_parquet(?, hive_partitioning=false)", [glob.escape(str(path))])
    except duckdb.Error as error:
        connection.close()
        raise _damage_error(error, where) from error
    columns = [column[0] for column in result.description or ()]
    return sample_table(name, "parquet", rows(), columns=columns)


def _damage_error(error: Exception, where: str) -> BadInputError:
    return BadInputError(
        f"not a readable parquet file: {error}", where=where, hint="Write it again, or use JSON lines."
    )


ARROW_ENDINGS = (".arrow", ".feather")
EXCEL_ENDINGS = (".xlsx",)
ENDINGS = (*ARROW_ENDINGS, *EXCEL_ENDINGS)

Records = list[dict[str, Any]]


def frame_table(name: str, path: Path, *, where: str) -> RowTable:
    """The rows of an Arrow file or of the first sheet of a workbook, read by an installed library."""
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
        rows = (Row(number, fields, name) for number, fields in enumerate(records, 2 if excel else 1))
        return sample_table(name, "xlsx" if excel else "arrow", rows)
    raise UserError(
        f"{where}: no installed package can read it ({'; '.join(problems)}).\n  {MISSING[excel]}, or save it as csv."
    )


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
    """Rows with None in place of pandas' missing values."""
    frame = frame.astype(object)
    return list(frame.where(frame.notna(), None).to_dict("records"))


ARROW: tuple[Callable[[Path], Records], ...] = (_polars_arrow, _pandas_arrow)
EXCEL: tuple[Callable[[Path], Records], ...] = (_pandas_excel, _polars_excel)

MISSING = {False: f"For Arrow files: {install_command('polars')}", True: f"For Excel files: {install_command('excel')}"}


LOG_ENDINGS = (".eval", ".json", ".jsonl")
LOG_HEAD = 4096  # the bytes by which a log is recognised
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@contextmanager
def open_table(stream: Stream, *, encoding: str) -> Iterator[RowTable | None]:
    """The table in a file, or None if the file is empty."""
    with decompress(stream) as file:
        if stream.name.endswith(".parquet") or starts_as_parquet(file):
            with on_disk(file, stream) as path:
                yield parquet_table(stream.name, path, where=stream.where)
        elif stream.name.endswith(ENDINGS):
            with on_disk(file, stream) as path:
                yield frame_table(stream.name, path, where=stream.where)
        elif (log := _log_format(stream.name, file)) is not None:
            with on_disk(file, stream) as path:
                yield sample_table(stream.name, "log", _log_rows(log, path, stream.name))
        else:
            utf8 = encoding.lower() in ("utf-8", "utf8")
            yield text_table(
                stream.name, read_lines(file if utf8 else RecodedStream(file, encoding)), where=stream.where
            )


def _log_format(name: str, file: io.BufferedReader) -> LogFormat | None:
    """The reader of the tool whose log this is; None if it is not a log."""
    if not name.endswith(LOG_ENDINGS):
        return None
    try:
        head = file.peek(LOG_HEAD)
    except DAMAGE:
        return None  # reading it will say what is wrong
    return next((log for key in logs.newest() if (log := logs.get(key)()).recognise(name, head)), None)


def _log_rows(log: LogFormat, path: Path, name: str) -> Iterator[Row | Fault]:
    try:
        for number, found in enumerate(log.rows(path), 1):
            yield Fault(number, found) if isinstance(found, BadRecordError) else Row(number, found, name)
    except (AttributeError, LookupError, TypeError, ValueError, zipfile.BadZipFile) as error:
        hint = "It may come from another version of the tool. Write it again, or export it as csv."
        yield Fault(1, BadRecordError(f"not readable as {log.title}", detail=repr(error)[:120], hint=hint))


def text_table(name: str, source: Iterable[TextLine], *, where: str) -> RowTable | None:
    """Detect how a text file stores its rows from the first readable line."""
    source = iter(source)
    early: list[Iterable[TextLine]] = []
    first = b""
    blank = faults = 0
    for number, line in enumerate(source, 1):
        if isinstance(line, BadRecordError):
            faults += 1
        else:
            line = line.removeprefix(BYTE_ORDER_MARK) if number == 1 else line
            first = line.strip()
            if not first:
                blank += 1
                continue
        # Blank lines are counted but not kept: a small compressed file can begin with a hundred million of them.
        early += (repeat(b"", blank), (line,))
        blank = 0
        if first or faults == LOOK:
            break
    every = chain(*early, source)
    if not (first or faults):
        return None
    if first.startswith((b"{", b"[")) or name.endswith((".jsonl", ".json")):
        return json_table(name, every)
    if is_vector(first):
        return vector_table(name, every, width=first.count(b" "))
    return delimited_table(name, every, where=where)


def hub_table(name: str) -> RowTable:
    """The rows of `NAME[:CONFIG][@SPLIT]`; NAME may be a folder made by `save_to_disk` or one with data files."""
    rest, split = (name, "") if Path(name).exists() or "@" not in name else name.rsplit("@", 1)
    path, config = (rest, "") if Path(rest).exists() or ":" not in rest else rest.split(":", 1)
    dataset = _load_module(path, config)
    if isinstance(dataset, dict):
        if split and split not in dataset:
            raise UserError(f"hf:{name}: no split {split!r}; it has {', '.join(dataset)}.")
        if not split and len(dataset) > 1:
            raise UserError(
                f"hf:{name} has {len(dataset)} splits: {', '.join(dataset)}.\n"
                f"  Name one: hf:{rest}@{next(iter(dataset))}"
            )
        dataset = dataset[split or next(iter(dataset))]
    return dataset_table(dataset, Path(path).name)


def dataset_table(dataset: Any, name: str) -> RowTable:
    """The rows of a `datasets.Dataset`, with classes by the names that it declares, never by position."""
    features = dataset.features or {}  # a stream may not know its own
    names = {column: feature.names for column, feature in features.items() if hasattr(feature, "names")}

    def rows() -> Iterator[Row | Fault]:
        for number, fields in enumerate(dataset, 1):
            for column, words in names.items():
                value = fields[column]
                fields[column] = words[value] if isinstance(value, int) and 0 <= value < len(words) else None
            yield Row(number, fields, name)

    return sample_table(name, "hf", rows(), columns=dataset.column_names)


def _load_module(path: str, config: str) -> Any:
    try:
        import datasets
    except ImportError as error:
        raise MissingExtraError("hf", needed_for="Reading a Hugging Face data set") from error
    if not Path(path).exists():
        check_hub_keys()
    try:
        if any((Path(path) / info).exists() for info in ("dataset_info.json", "dataset_dict.json")):
            return datasets.load_from_disk(path)
        return datasets.load_dataset(path, config or None, trust_remote_code=False)
    except (
        Exception
    ) as error:  # a missing name, no network or a broken file raise a dozen kinds of error; the text says which
        raise ExternalError(
            f"hf:{path} can't be loaded: {error}\n  Check the name and the network, or give a local folder."
        ) from error


ROWS = (Mapping, tuple, list)  # types of a row, in a list of rows
COLUMNS = ("premise", "hypothesis", "label")  # types of a row without names
FRAMES = {("pandas", "DataFrame"), ("polars", "DataFrame"), ("datasets", "Dataset"), ("datasets", "IterableDataset")}


def is_frame(data: object) -> bool:
    """True if this is a table of another library."""
    return _library_of(data) in FRAMES


def memory_table(data: Any) -> RowTable:
    """The rows of a table, numbered from 1."""
    library, kind = _library_of(data)
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
    return sample_table(kind, "memory", _rows_in_memory(data))


def _rows_in_memory(items: Iterable[Any]) -> Iterator[Row | Fault]:
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


def _library_of(data: object) -> tuple[str, str]:
    return type(data).__module__.partition(".")[0], type(data).__name__
