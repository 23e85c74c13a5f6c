"""The five relations written out over NLTK's WordNet: what the index is compared with."""

from collections.abc import Iterator
from functools import cache
from typing import Any


class Reference:
    """Loops over senses; synsets, words and ancestors are remembered."""

    def __init__(self, reader: Any) -> None:
        self.senses = cache(lambda word: tuple(self._senses(reader, word)))
        self.words = cache(lambda synset: {name.lower() for name in synset.lemma_names()})
        self.hypernyms = cache(lambda synset: synset.hypernyms())
        self.ancestors = cache(self._ancestors)

    def features(self, word: str, other: str) -> list[float]:
        one, two = self.senses(word), self.senses(other)
        if not one or not two:
            return [0.0] * 5
        if word == other:
            return [0.0, 0.0, 0.0, 0.0, 1.0]
        co_hyponyms = any(a != b and set(self.hypernyms(a)) & set(self.hypernyms(b)) for a in one for b in two)
        return [
            self._height(one, two),
            self._height(two, one),
            float(co_hyponyms),
            float(any(self._opposed(sense, word, other) for sense in one)),
            float(any(sense in two for sense in one)),
        ]

    def _height(self, below: Any, above: Any) -> float:
        return max(
            (1 - self.ancestors(low)[high] / 8 for low in below for high in above if high in self.ancestors(low)),
            default=0.0,
        )

    def _ancestors(self, synset: Any) -> dict[Any, int]:
        """The shortest of all ways up."""
        found: dict[Any, int] = {}
        for ancestor, edges in self._ways(synset, 1):
            if ancestor != synset:  # two verbs are above each other
                found[ancestor] = min(edges, found.get(ancestor, edges))
        return found

    def _ways(self, synset: Any, edges: int) -> Iterator[tuple[Any, int]]:
        for parent in self.hypernyms(synset) if edges <= 7 else ():
            yield parent, edges
            yield from self._ways(parent, edges + 1)

    def _senses(self, reader: Any, word: str) -> Any:
        return [] if "_" in word else [s for s in reader.synsets(word) if word in self.words(s)]

    def _opposed(self, sense: Any, word: str, other: str) -> bool:
        return any(
            opposite.name().lower() == other
            for lemma in sense.lemmas()
            if lemma.name().lower() == word
            for opposite in lemma.antonyms()
        )
