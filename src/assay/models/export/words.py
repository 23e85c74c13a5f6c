"""From a system over words to a folder that `onnx:` runs: its words, their vectors, and graphs that take vectors."""

import os
from collections.abc import Collection
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from assay.models.adapters.onnx_words import ENCODE, JUDGE, MODEL
from assay.models.export.graphs import Input, write_graph
from assay.models.export.model import Precision
from assay.models.systems.reading.table import TABLE, write_table, write_words
from assay.models.systems.reading.words import WordReader
from assay.models.systems.system import SentenceSystem, WordSystem

SIDES = ("premise", "hypothesis")

SHOWN = {"rows": 2, "words": 3, "letters": 6, "parts": 1, "levels": 1}
"""How many of each the exporter sees; any number works afterwards."""


def export_words(
    system: WordSystem,
    folder: Path,
    precision: Precision,
    *,
    table: Path | None = None,
    words: Collection[str] | None = None,
) -> None:
    """Write words, vectors and graphs; `table` is a folder for vectors that several systems share.

    If `words` are given, the ready vectors of other words are left out.
    """
    embedding, ready, int8 = system.embedding, system.vocabulary.ready, precision == "int8"
    kept = [place for place, word in enumerate(ready) if words is None or word in words]
    write_table(table or folder / TABLE, tuple(ready[place] for place in kept), embedding.vectors[kept], int8=int8)
    where = Path(os.path.relpath(table, folder)).as_posix() if table else TABLE
    write_words(system.reader, embedding.learned.weight.detach().numpy(), folder, table=where, int8=int8)
    # The graphs take vectors, so that a table can be shared, and stays as it is stored.
    system.embedding = nn.Identity()  # type: ignore[assignment]
    if isinstance(system, SentenceSystem):
        text = _of_text(system.reader, embedding.size)
        write_graph(_Part(system, "text"), text, "vector", folder / ENCODE, precision)
        vector: Input = (system.text(*(example for example, _ in text.values())).detach(), {0: "rows"})
        write_graph(_Part(system, "judge"), dict.fromkeys(SIDES, vector), "scores", folder / JUDGE, precision)
        return
    inputs = {name: each for side in SIDES for name, each in _of_text(system.reader, embedding.size, side).items()}
    inputs |= {name: _shown(axes) for name, axes in system.reader.pair_axes.items()}
    write_graph(system, inputs, "scores", folder / MODEL, precision)


def _of_text(reader: WordReader, size: int, side: str = "") -> dict[str, Input]:
    """What a network takes of texts, or of those of one side, with vectors in place of numbers."""
    numbers, mask, *more = (_shown(axes, side=side) for axes in reader.text_axes.values())
    vectors = torch.zeros(*numbers[0].shape, size), numbers[1]
    return dict(zip(reader.names(side), (vectors, (mask[0] == 0, mask[1]), *more), strict=True))


def _shown(axes: tuple[str, ...], *, side: str = "") -> Input:
    """An example with these dimensions, and their names; words are those of a side."""
    names = [f"{side}_words" if side and axis == "words" else axis for axis in axes]
    sizes = [SHOWN[axis.rpartition("_")[2]] for axis in axes]
    return torch.zeros(sizes, dtype=torch.long), dict(enumerate(names))


class _Part(nn.Module):
    """One method of a system, as a separate module."""

    def __init__(self, system: nn.Module, method: str) -> None:
        super().__init__()
        self.system = system
        self.method = method

    def forward(self, *inputs: Tensor) -> Any:
        return getattr(self.system, self.method)(*inputs)
