"""A system before training: its words, its vectors, its initial weights."""

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy
import torch
from numpy.typing import NDArray

from assay.models.systems.config import WordConfig
from assay.models.systems.reading.vocabulary import vocabulary_of
from assay.models.systems.system import THREE, TWO, System, WordSystem
from assay.train.memory import Size, size_before, size_of
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
    foresee: Callable[[Size], None] = lambda _: None,
) -> System:
    """A system with the initial weights of a seed; `vectors` is only called if the system is over words.

    `foresee` is called with the system's size before a system over words is allocated, or else before it is trained.
    """
    labels = TWO if two_way else THREE
    with torch.random.fork_rng(devices=[]):
        if not issubclass(kind, WordSystem):
            torch.manual_seed(seed)
            made = kind(chosen.config, labels)
            foresee(size_of(made))
            return made
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
        foresee(size_before(kind, chosen, vocabulary, width=found.values.shape[1], labels=labels))
        values = found.values[[places[word] for word in vocabulary.ready]]
        torch.manual_seed(seed)
        return kind(chosen.config, vocabulary, values, labels)
