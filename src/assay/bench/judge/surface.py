"""What can be seen of cases without understanding them: overlap, lengths, negation words, rare words."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import log10

import numpy

from assay.bench.judge.overlap import overlap_of
from assay.core.case import Case
from assay.evaluate.count.columns import Bools
from assay.evaluate.diagnose.evidence import SILENT, Surface, Words
from assay.language.numbers.words import COUNTING
from assay.language.text.words import folded

NEGATIONS = frozenset(
    "not no never none nobody nothing neither nor cannot nowhere without".split()  # noqa: SIM905 - it reads better
)
"""Words that negate; so do all that end in "n't"."""

MOST_CHANGED = 3
"""Texts that differ in more neighbouring words than this are not equal but for a word or a phrase."""

SPELLING = "spelling"
"""The family of typos."""

GENRE = "genre"
"""The group that names a genre."""

CHANGE = "change"
"""The group of logic families that says what something is replaced by."""


class Reader:
    """Looks at cases, chunk by chunk. Rare words are those that are rare in the source pairs of the run."""

    def __init__(self, source_pairs: Iterable[Case]) -> None:
        self._counts = Counter(
            word for case in source_pairs for text in (case.premise, case.hypothesis) for word in _words(text)
        )
        self._features: dict[str, int] = {}
        self._seen: list[Surface] = []
        self._rows = 0

    def read(self, cases: Sequence[Case]) -> None:
        """Look at the next cases."""
        said = [_words(case.premise) for case in cases]
        claimed = [_words(case.hypothesis) for case in cases]
        texts = list(zip(said, claimed, strict=True))
        shared = [
            overlap_of(case.premise, case.hypothesis, said=one, claimed=other)
            for case, (one, other) in zip(cases, texts, strict=True)
        ]
        self._seen.append(
            Surface(
                overlap=numpy.array([each.share for each in shared]),
                jaccard=numpy.array([_jaccard(one, other) for one, other in texts]),
                in_one_piece=_flags(each.in_one_piece for each in shared),
                is_phrase=_flags(each.is_phrase for each in shared),
                same_end=_flags(bool(one) and one[-1:] == other[-1:] for one, other in texts),
                negated=_flags(any(map(_negates, words)) for words in claimed),
                added=_flags(map(_is_added_to, cases)),
                premise_words=numpy.array(list(map(len, said))),
                hypothesis_words=numpy.array(list(map(len, claimed))),
                has_number=_flags(_has_number(one) or _has_number(other) for one, other in texts),
                claims_number=_flags(map(_has_number, claimed)),
                rarity=numpy.array([self._rarity(words) for words in claimed]),
                has_typo=_flags(case.family == SPELLING for case in cases),
                replaced=_flags(CHANGE in case.group for case in cases),
                generalised=_flags(case.group.get(CHANGE) == "general" for case in cases),
                genre=[case.group.get(GENRE, "") for case in cases],
                first_word=numpy.array([self._number(f"< {' '.join(words[:1])}") for words in claimed]),
                last_word=numpy.array([self._number(f"> {' '.join(words[-1:])}") for words in claimed]),
                changed=numpy.array([self._changed(one, other) for one, other in texts]),
                premise_number=numpy.array([self._number(f"# {case.cluster}") for case in cases]),
                premise=self._words([(case.premise, words) for case, words in zip(cases, said, strict=True)]),
                hypothesis=self._words([(case.hypothesis, words) for case, words in zip(cases, claimed, strict=True)]),
            )
        )
        self._rows += len(cases)

    def surface(self) -> Surface:
        """Everything that was seen, in order."""
        kinds = {"genre": list[str], "premise": Words, "hypothesis": Words}
        columns = {
            name: numpy.concatenate([getattr(each, name) for each in self._seen])
            for name in Surface._fields
            if name not in kinds
        }
        premise, hypothesis = (
            Words(
                *(numpy.concatenate(parts) for parts in zip(*(getattr(each, side) for each in self._seen), strict=True))
            )
            for side in ("premise", "hypothesis")
        )
        genre = [genre for each in self._seen for genre in each.genre]
        return Surface(**columns, genre=genre, premise=premise, hypothesis=hypothesis)

    def _rarity(self, words: Sequence[str]) -> float:
        return -log10(1 + min((self._counts[word] for word in words), default=0))

    def _number(self, feature: str) -> int:
        return self._features.setdefault(feature, len(self._features))

    def _changed(self, said: Sequence[str], claimed: Sequence[str]) -> int:
        found = changed_words(said, claimed)
        return SILENT if found is None else self._number(f"{' '.join(found[0])} > {' '.join(found[1])}")

    def _words(self, texts: Sequence[tuple[str, Sequence[str]]]) -> Words:
        """The features of texts, each once; sums need a fixed order."""
        found = [sorted({self._number(feature) for feature in _features(text, words)}) for text, words in texts]
        return Words(
            number=numpy.array([number for each in found for number in each], dtype=numpy.int64),
            case=self._rows + numpy.repeat(numpy.arange(len(found)), [len(each) for each in found]),
        )


def changed_words(said: Sequence[str], claimed: Sequence[str]) -> tuple[Sequence[str], Sequence[str]] | None:
    """The one place in which two texts differ; None if they share too little to call the rest equal.

    >>> changed_words("a man in a red hat".split(), "a man in a blue hat".split())
    (['red'], ['blue'])
    >>> changed_words("a man sleeps".split(), "the dog runs".split()) is None
    True
    """
    shortest = min(len(said), len(claimed))
    first = next((place for place in range(shortest) if said[place] != claimed[place]), shortest)
    left = shortest - first
    last = next((place for place in range(left) if said[-1 - place] != claimed[-1 - place]), left)
    old, new = said[first : len(said) - last], claimed[first : len(claimed) - last]
    if not old or not new or max(len(old), len(new)) > MOST_CHANGED or first + last < len(old) + len(new):
        return None
    return old, new


def _features(text: str, words: Sequence[str]) -> Iterator[str]:
    """The words of a text, which of them comes first and last, and whether there is a comma."""
    yield from words
    if words:
        yield f"< {words[0]}"
        yield f"> {words[-1]}"
    if "," in text:
        yield ","


def _flags(values: Iterable[bool]) -> Bools:
    return numpy.array(list(values), dtype=bool)


def _jaccard(said: Sequence[str], claimed: Sequence[str]) -> float:
    one, other = {*said}, {*claimed}
    return len(one & other) / max(len(one | other), 1)


@lru_cache(maxsize=1 << 14)  # the cases of a pair share their texts, and stand next to each other
def _words(text: str) -> tuple[str, ...]:
    return tuple(folded(text))


def _negates(word: str) -> bool:
    return word in NEGATIONS or word.endswith(("n't", "n\u2019t"))


def _has_number(words: Sequence[str]) -> bool:
    return any(word in COUNTING or word[0].isdigit() for word in words)


def _is_added_to(case: Case) -> bool:
    """Whether the hypothesis is that of the source pair, with something added and nothing taken away."""
    edit = case.provenance.edit
    changes = edit.hypothesis
    return bool(changes) and edit.hypothesis_from == "hypothesis" and not any(each.old for each in changes)
