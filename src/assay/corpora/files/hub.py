"""Hugging Face data sets, by name or from a local folder."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assay.core.errors import ExternalError, MissingExtraError, UserError
from assay.core.guard.keys import check_hub_keys
from assay.core.protocols import Row
from assay.corpora.files.table import Fault, Table, table


def hub_table(name: str) -> Table:
    """The rows of `NAME[:CONFIG][@SPLIT]`; NAME may be a folder made by `save_to_disk` or one with data files."""
    rest, split = (name, "") if Path(name).exists() or "@" not in name else name.rsplit("@", 1)
    path, config = (rest, "") if Path(rest).exists() or ":" not in rest else rest.split(":", 1)
    found = _loaded(path, config)
    if isinstance(found, dict):
        if split and split not in found:
            raise UserError(f"hf:{name}: no split {split!r}; it has {', '.join(found)}.")
        if not split and len(found) > 1:
            raise UserError(
                f"hf:{name} has {len(found)} splits: {', '.join(found)}.\n  Name one: hf:{rest}@{next(iter(found))}"
            )
        found = found[split or next(iter(found))]
    return dataset_table(found, Path(path).name)


def dataset_table(dataset: Any, name: str) -> Table:
    """The rows of a `datasets.Dataset`, with classes by the names that it declares, never by position."""
    features = dataset.features or {}  # a stream may not know its own
    names = {column: feature.names for column, feature in features.items() if hasattr(feature, "names")}

    def rows() -> Iterator[Row | Fault]:
        for number, fields in enumerate(dataset, 1):
            for column, words in names.items():
                value = fields[column]
                fields[column] = words[value] if isinstance(value, int) and 0 <= value < len(words) else None
            yield Row(number, fields, name)

    return table(name, "hf", rows(), columns=dataset.column_names)


def _loaded(path: str, config: str) -> Any:
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
