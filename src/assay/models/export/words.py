"""From a system over words to a folder that `onnx:` runs: its words, their vectors, and graphs that take vectors."""

import os
from collections.abc import Collection
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from assay.models.adapters.onnx_words import ENCODE, JUDGE, MODEL
from assay.models.export.graphs import write_graph
from assay.models.export.model import Precision
from assay.models.systems.reading.table import TABLE, write_table, write_words
from assay.models.systems.system import SentenceSystem, WordSystem

SIDES = ("premise", "hypothesis")

SHOWN = (2, 3)
"""Texts and words that the exporter sees; any number works afterwards."""


def export_words(
    system: WordSystem,
    folder: Path,
    precision: Precision,
    *,
    table: Path | None = None,
    words: Collection[str] | None = None,
) -> None:
    """Write words, vectors and graphs; `table` is a folder for vectors that several systems share.

    Where `words` are given, the ready vectors of others are left out.
    """
    embedding, ready, int8 = system.embedding, system.vocabulary.ready, precision == "int8"
    kept = [place for place, word in enumerate(ready) if words is None or word in words]
    write_table(table or folder / TABLE, tuple(ready[place] for place in kept), embedding.vectors[kept], int8=int8)
    where = Path(os.path.relpath(table, folder)).as_posix() if table else TABLE
    write_words(system.vocabulary, embedding.learned.weight.detach().numpy(), folder, table=where, int8=int8)
    # The graphs take vectors, so that a table can be shared, and stays as it is stored.
    system.embedding = nn.Identity()  # type: ignore[assignment]
    states, mask = torch.zeros(*SHOWN, embedding.size), torch.ones(SHOWN, dtype=torch.bool)
    if isinstance(system, SentenceSystem):
        text: Any = {name: (example, {0: "rows", 1: "words"}) for name, example in (("text", states), ("mask", mask))}
        write_graph(_Part(system, "text"), text, "vector", folder / ENCODE, precision)
        vector: Any = (system.text(states, mask).detach(), {0: "rows"})
        write_graph(_Part(system, "judge"), dict.fromkeys(SIDES, vector), "scores", folder / JUDGE, precision)
        return
    inputs: Any = {
        f"{side}{what}": (example, {0: "rows", 1: f"{side}_words"})
        for side in SIDES
        for what, example in (("", states), ("_mask", mask))
    }
    write_graph(system, inputs, "scores", folder / MODEL, precision)


class _Part(nn.Module):
    """One method of a system, as a module of its own."""

    def __init__(self, system: nn.Module, method: str) -> None:
        super().__init__()
        self.system = system
        self.method = method

    def forward(self, *inputs: Tensor) -> Any:
        return getattr(self.system, self.method)(*inputs)
