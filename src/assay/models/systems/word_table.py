"""Words and their vectors as plain files, in eight bits per value or in full; nothing here needs PyTorch."""

import os
from pathlib import Path
from typing import Any

import msgspec
import numpy
from numpy.typing import NDArray

from assay.core.errors import BadInputError, UserError
from assay.core.serialise import from_json
from assay.models.systems.vocabulary import SPECIAL, Vocabulary
from assay.models.systems.word_readers import ReaderName, WordReader
from assay.storage.files import folder_aside

SCHEMA = 1
WORDS, LEARNED, LEARNED_SCALES, TABLE = "vocabulary.json", "learned.npy", "learned_scales.npy", "table"
LIST, VALUES, SCALES = "words.txt", "vectors.npy", "scales.npy"


class KnownWords(msgspec.Struct, frozen=True, kw_only=True):
    """Vocabulary of an exported system."""

    schema: int = SCHEMA
    learned: tuple[str, ...] | str
    """Words whose vectors were trained, or the path of the file that lists them if several systems share it.
    The vectors are in the system's own folder."""
    lowercase: bool
    table: str
    """The folder of ready vectors, seen from here; several systems may share one."""
    reader: ReaderName = "words"
    """The reader of the words, for features beyond their numbers."""


class WordVectors:
    def __init__(self, folder: Path) -> None:
        words = from_json(folder / WORDS, KnownWords, newest=SCHEMA)
        table = folder / words.table
        try:
            ready = (table / LIST).read_text(encoding="utf-8").split("\n")[:-1]
            self.learned: NDArray[numpy.float32] = numpy.load(folder / LEARNED)  # (special and learned words, size)
            if (folder / LEARNED_SCALES).is_file():
                self.learned = self.learned * numpy.load(folder / LEARNED_SCALES)[:, None]
            self.values: NDArray[numpy.float32] = numpy.load(table / VALUES, mmap_mode="r")  # (ready words, size)
            self.scales = numpy.load(table / SCALES)[:, None] if (table / SCALES).is_file() else None
            learned = _learned_words(folder, words)
        except (OSError, ValueError) as error:
            raise BadInputError(f"damaged: {error}", where=str(table)) from error
        self.vocabulary = Vocabulary(learned, tuple(ready), words.lowercase)
        self.reader: ReaderName = words.reader
        if (len(self.learned), len(self.values)) != (SPECIAL + len(learned), len(ready)):
            raise BadInputError("damaged: the numbers of words and vectors differ", where=str(folder))
        listed = [words.learned] if isinstance(words.learned, str) else []
        names = [WORDS, LEARNED, LEARNED_SCALES, *listed, *(f"{words.table}/{each}" for each in (LIST, VALUES, SCALES))]
        self.files = [each for each in names if (folder / each).is_file()]
        """All files that affect a vector, relative to the folder."""

    def __call__(self, numbers: NDArray[numpy.int64]) -> NDArray[numpy.float32]:
        """(rows, words, size): the vectors of a table of numbers."""
        first = len(self.learned)
        is_ready = numbers >= first  # (rows, words)
        places = numbers[is_ready] - first
        found = numpy.empty((*numbers.shape, self.learned.shape[1]), dtype=numpy.float32)
        found[~is_ready] = self.learned[numbers[~is_ready]]
        found[is_ready] = self.values[places] if self.scales is None else self.values[places] * self.scales[places]
        return found


def write_words(reader: WordReader, learned: NDArray[numpy.float32], folder: Path, *, table: str, int8: bool) -> None:
    """Write the words that a system knows, the features that it reads, and its learned vectors."""
    vocabulary = reader.vocabulary
    words = KnownWords(learned=vocabulary.learned, lowercase=vocabulary.lowercase, table=table, reader=reader.name)
    (folder / WORDS).write_bytes(msgspec.json.encode(words))  # it is long
    for name, array in _arrays(learned, LEARNED, LEARNED_SCALES, int8=int8).items():
        numpy.save(folder / name, array)


def share_learned(folder: Path, file: Path) -> None:
    """Store the learned words of a system in a file that it shares with systems that learned the same words."""
    words = from_json(folder / WORDS, KnownWords, newest=SCHEMA)
    listed = "".join(f"{word}\n" for word in _learned_words(folder, words))
    if not file.is_file():
        file.write_text(listed, encoding="utf-8", newline="\n")
    if file.read_text(encoding="utf-8") == listed:
        where = Path(os.path.relpath(file, folder)).as_posix()
        (folder / WORDS).write_bytes(msgspec.json.encode(msgspec.structs.replace(words, learned=where)))


def _learned_words(folder: Path, words: KnownWords) -> tuple[str, ...]:
    if isinstance(words.learned, tuple):
        return words.learned
    return tuple((folder / words.learned).read_text(encoding="utf-8").split("\n")[:-1])


def write_table(folder: Path, words: tuple[str, ...], vectors: NDArray[numpy.float32], *, int8: bool) -> None:
    """Write ready vectors; an existing table must agree."""
    arrays = _arrays(vectors, VALUES, SCALES, int8=int8)
    listed = "".join(f"{word}\n" for word in words)
    if not folder.is_dir():
        with folder_aside(folder) as aside:
            (aside / LIST).write_text(listed, encoding="utf-8", newline="\n")
            for name, array in arrays.items():
                numpy.save(aside / name, array)
        return
    same = (
        {each.name for each in folder.iterdir()} >= {LIST, *arrays}
        and (folder / LIST).read_text(encoding="utf-8") == listed
        and all(numpy.array_equal(numpy.load(folder / name), array) for name, array in arrays.items())
    )
    if not same:
        raise UserError(
            f"{folder} holds different vectors from those that this system was trained with, and can't be shared.\n"
            "  Choose another folder with --table, or leave it out."
        )


def _arrays(vectors: NDArray[numpy.float32], values: str, scales: str, *, int8: bool) -> dict[str, NDArray[Any]]:
    """The files of vectors: in full precision, or in eight bits with one scale per row."""
    if not int8:
        return {values: vectors}
    largest = numpy.abs(vectors).max(1).clip(min=1e-12) / 127  # (words,)
    return {values: numpy.rint(vectors / largest[:, None]).astype(numpy.int8), scales: largest}
