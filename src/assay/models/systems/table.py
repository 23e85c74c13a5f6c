"""Words and their vectors as plain files, with eight bits a value or in full; nothing here needs PyTorch."""

from pathlib import Path

import msgspec
import numpy
from numpy.typing import NDArray

from assay.core.errors import BadInputError, UserError
from assay.core.files import from_json, to_json
from assay.models.systems.vocabulary import SPECIAL, Vocabulary

SCHEMA = 1
WORDS, LEARNED, TABLE = "vocabulary.json", "learned.npy", "table"
LIST, VALUES, SCALES = "words.txt", "vectors.npy", "scales.npy"


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """Which words an exported system knows."""

    schema: int = SCHEMA
    """Version of this file's shape."""
    learned: tuple[str, ...]
    """Words whose vectors training learned; they are in the system's own folder."""
    lowercase: bool
    """Whether capitals are ignored."""
    table: str
    """The folder of ready vectors, seen from here; several systems may share one."""


class WordVectors:
    """A vocabulary and the vectors of its numbers."""

    def __init__(self, folder: Path) -> None:
        words = from_json(folder / WORDS, Words, newest=SCHEMA)
        table = folder / words.table
        try:
            ready = (table / LIST).read_text(encoding="utf-8").split("\n")[:-1]
            self.learned: NDArray[numpy.float32] = numpy.load(folder / LEARNED)  # (special and learned words, size)
            self.values: NDArray[numpy.float32] = numpy.load(table / VALUES, mmap_mode="r")  # (ready words, size)
            self.scales = numpy.load(table / SCALES)[:, None] if (table / SCALES).is_file() else None
        except (OSError, ValueError) as error:
            raise BadInputError(f"damaged: {error}", where=str(table)) from error
        self.vocabulary = Vocabulary(words.learned, tuple(ready), words.lowercase)
        if (len(self.learned), len(self.values)) != (SPECIAL + len(words.learned), len(ready)):
            raise BadInputError("damaged: words and vectors are not as many", where=str(folder))
        self.files = [WORDS, LEARNED, *(f"{words.table}/{each.name}" for each in sorted(table.iterdir()))]
        """All that decides a vector, seen from the folder."""

    def __call__(self, numbers: NDArray[numpy.int64]) -> NDArray[numpy.float32]:
        """(rows, words, size): the vectors of a table of numbers."""
        first = len(self.learned)
        is_ready = numbers >= first  # (rows, words)
        places = numbers[is_ready] - first
        found = numpy.empty((*numbers.shape, self.learned.shape[1]), dtype=numpy.float32)
        found[~is_ready] = self.learned[numbers[~is_ready]]
        found[is_ready] = self.values[places] if self.scales is None else self.values[places] * self.scales[places]
        return found


def write_words(vocabulary: Vocabulary, learned: NDArray[numpy.float32], folder: Path, *, table: str) -> None:
    """Write which words a system knows, and the vectors that it learned."""
    words = Words(learned=vocabulary.learned, lowercase=vocabulary.lowercase, table=table)
    (folder / WORDS).write_bytes(to_json(words))
    numpy.save(folder / LEARNED, learned)


def write_table(folder: Path, words: tuple[str, ...], vectors: NDArray[numpy.float32], *, int8: bool) -> None:
    """Write ready vectors, of eight bits with a scale a row, or whole; a table that is there already must agree."""
    if int8:
        scales = numpy.abs(vectors).max(1).clip(min=1e-12) / 127  # (words,)
        arrays = {VALUES: numpy.rint(vectors / scales[:, None]).astype(numpy.int8), SCALES: scales}
    else:
        arrays = {VALUES: vectors}
    listed = "".join(f"{word}\n" for word in words)
    if not folder.is_dir():
        folder.mkdir(parents=True)
        (folder / LIST).write_text(listed, encoding="utf-8", newline="\n")
        for name, array in arrays.items():
            numpy.save(folder / name, array)
        return
    same = (
        {each.name for each in folder.iterdir()} == {LIST, *arrays}
        and (folder / LIST).read_text(encoding="utf-8") == listed
        and all(numpy.array_equal(numpy.load(folder / name), array) for name, array in arrays.items())
    )
    if not same:
        raise UserError(
            f"{folder} holds other vectors than this system was trained with, and can't be shared.\n"
            "  Name another folder with --table, or none."
        )
