"""Words with what WordNet knows of them, for systems that use how the words of two texts are related."""

from collections.abc import Sequence
from typing import ClassVar

import numpy

from assay.language.resources.loaded import fingerprint
from assay.language.text.analysis import analyse
from assay.language.wordnet.relations import RelationIndex, lemma, relation_index
from assay.models.systems.config import RelatedConfig
from assay.models.systems.reading.ragged import Padded
from assay.models.systems.reading.words import Arrays, Axes, RowReader


class RelatedReader(RowReader):
    """Each word has a number, and the one of its lemma in WordNet; each two words of a pair have a relation."""

    name = "related"
    Config = RelatedConfig
    config: RelatedConfig
    pair_axes: ClassVar[Axes] = {"relations": ("rows", "premise_words", "hypothesis_words")}
    width = 1

    @property
    def index(self) -> RelationIndex:
        """The relations of all words, made when the first text is read: cached answers need none."""
        return relation_index(senses=self.config.senses, keep_case=self.config.keep_case)

    @property
    def edition(self) -> str:
        return " ".join(map(fingerprint, ("wordnet", "tagger")))

    def more(self, text: str, words: Sequence[str], numbers: Sequence[int]) -> Sequence[Sequence[int]]:  # noqa: ARG002
        tagged = analyse(text)
        if len(tagged) != len(words):  # in some alphabets a text has other words without its capitals
            tagged = analyse(text.lower())
        lemmas = [lemma(token.text, token.tag) for token in tagged]
        return self.index.numbers(lemmas)[:, None].tolist()  # type: ignore[no-any-return]

    def of_pair(self, premises: Padded, hypotheses: Padded) -> Arrays:
        return (self.index.codes(premises.values[..., 1], hypotheses.values[..., 1]).astype(numpy.int64),)
