"""Word vectors from a file."""

from functools import lru_cache
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from assay.core.errors import UserError
from assay.core.pair import WordVector
from assay.core.run import Reading
from assay.corpora.reading import BUNDLED, CorpusReader
from assay.models.shipped import shipped_vectors


class Vectors(NamedTuple):
    """Words and their vectors."""

    words: list[str]
    values: NDArray[numpy.float32]
    """(words, size)."""


@lru_cache(maxsize=1)
def read_vectors(source: str | None) -> Vectors:
    """All vectors of a file; `bundled` are those that come with Assay. The last ones stay in memory."""
    if source is None:
        raise UserError(
            "This system needs word vectors: name a file in GloVe's text format with --vectors.\n"
            "  GloVe is at https://nlp.stanford.edu/projects/glove/; a gzipped file is read as it is. For a trial,\n"
            "  --vectors bundled takes those that come with Assay."
        )
    if source == BUNDLED:
        return Vectors(*shipped_vectors())
    words: list[str] = []
    rows: list[tuple[float, ...]] = []
    for record in CorpusReader(Reading(source=source, on_error="skip")).records():
        if not isinstance(record, WordVector):
            raise UserError(f"{source} holds no word vectors.")
        words.append(record.id)
        rows.append(record.values)
    return Vectors(words, numpy.array(rows, dtype=numpy.float32))
