"""Hugging Face data sets, by name or from a local folder."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assay.core.errors import BadInputError, ExternalError, MissingExtraError, UserError
from assay.core.protocols import Row, Sample
from assay.corpora.rows import Fault, Table


def table(name: str) -> Table:
    """The rows of `NAME[:CONFIG][@SPLIT]`; NAME may be a folder made by `save_to_disk` or one with data files."""
    try:
        import datasets
    except ImportError as error:
        raise MissingExtraError("hf", needed_for="Reading a Hugging Face data set") from error
    rest, _, split = name.partition("@")
    path, _, config = rest.partition(":")
    try:
        if (Path(path) / "dataset_info.json").exists() or (Path(path) / "dataset_dict.json").exists():
            found: Any = datasets.load_from_disk(path)
        else:
            found = datasets.load_dataset(path, config or None)
    except (OSError, ValueError) as error:
        # An absent name and a closed network raise the same; the text says which.
        raise ExternalError(f"hf:{name} can't be loaded: {error}\n  Check the name and the network, or give a local folder.") from error
    if isinstance(found, dict):
        if split and split not in found:
            raise UserError(f"hf:{name}: no split {split!r}; there are {', '.join(found)}.")
        if not split and len(found) > 1:
            raise UserError(f"hf:{name}: {len(found)} splits; name one: hf:{rest}@{next(iter(found))}. There are {', '.join(found)}.")
        found = found[split or next(iter(found))]
    if not len(found):
        raise BadInputError("empty: there is no record in it", where=f"hf:{name}")
    names = {column: feature.names for column, feature in found.features.items() if hasattr(feature, "names")}

    def rows() -> Iterator[Row | Fault]:
        for number, fields in enumerate(found, 1):
            for column, words in names.items():
                value = fields[column]
                # Classes go by the names that the data set declares, never by their position.
                fields[column] = words[value] if isinstance(value, int) and 0 <= value < len(words) else None
            yield Row(number, fields)

    return Table(Sample(path, "hf", tuple(found.column_names), {}), rows())
