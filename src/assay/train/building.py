"""A system before training: its words, its vectors, its initial weights."""

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy
import torch
from numpy.typing import NDArray

from assay.models.systems.config import WordConfig
from assay.models.systems.reading.vocabulary import vocabulary_of
from assay.models.systems.system import THREE, TWO, System, WordSystem
from assay.train.presets import Chosen


class Vectors(Protocol):
    """Words and their vectors."""

    @property
    def words(self) -> list[str]: ...
    @property
    def values(self) -> NDArray[numpy.float32]: ...


def build_system(
    kind: type[System],
    chosen: Chosen,
    *,
    texts: Sequence[str],
    vectors: Callable[[], Vectors],
    two_way: bool,
    seed: int,
) -> System:
    """A system with the initial weights of a seed; `vectors` is only called if the system is over words."""
    labels = TWO if two_way else THREE
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        if not issubclass(kind, WordSystem):
            return kind(chosen.config, labels)
        assert isinstance(chosen.config, WordConfig)
        found = vectors()
        places = {word: place for place, word in enumerate(found.words)}
        vocabulary = vocabulary_of(
            texts,
            ready=places,
            lowercase=chosen.config.lowercase,
            at_least=chosen.plan.vector_words_at_least,
            keep_unseen=not chosen.config.tuned,
            one_numeral=chosen.config.numerals != "words",
        )
        values = found.values[[places[word] for word in vocabulary.ready]]
        return kind(chosen.config, vocabulary, values, labels)
