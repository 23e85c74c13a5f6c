"""What can be seen of cases without understanding them: overlap, lengths, negation words, rare words."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import log10

import numpy

from assay.bench.judge.overlap import overlap_of
from assay.core.case import Case
from assay.evaluate.count.columns import LABELS
from assay.evaluate.diagnose.evidence import SILENT, Surface, Words
from assay.language.numbers.words import COUNTING
from assay.language.text.words import folded
from assay.models.baselines.hypothesis_words import FittedHypothesisWords, HypothesisWords, fold_of

FOLDS = 5
"""Premises are divided into this many folds, so that nothing is learned from cases of the same premise."""

NEGATIONS = frozenset(
    "not no never none nobody nothing neither nor cannot nowhere without".split()  # noqa: SIM905 - it reads better
)
"""Words that negate; so do all that end in "n't"."""

SPELLING = "spelling"
"""The family of typos."""

GENRE = "genre"
"""The group that names a genre."""

CHANGE = "change"
"""The group of logic families that says what something is replaced by."""


class Reader:
    """Looks at cases, chunk by chunk, in the light of the source pairs of the run.

    Words are counted in the source pairs, and what hypotheses suggest is learned from them. Without source pairs,
    every word is equally rare, and hypotheses suggest nothing.
    """

    def __init__(self, source_pairs: Iterable[Case]) -> None:
        pairs = list(source_pairs)
        self._guesser = HypothesisWords(folds=FOLDS).fit(pairs) if pairs else None
        self._counts = Counter(
            word for case in pairs for text in (case.premise, case.hypothesis) for word in _words(text)
        )
        known = dict.fromkeys(word for case in pairs for word in _words(case.hypothesis))
        self._numbers = {word: number for number, word in enumerate(known)}
        self._seen: list[Surface] = []
        self._rows = 0

    def read(self, cases: Sequence[Case]) -> None:
        """Look at the next cases."""
        said = [_words(case.premise) for case in cases]
        claimed = [_words(case.hypothesis) for case in cases]
        shared = [
            overlap_of(case.premise, case.hypothesis, said=one, claimed=other)
            for case, one, other in zip(cases, said, claimed, strict=True)
        ]
        self._seen.append(
            Surface(
                overlap=numpy.array([each.share for each in shared]),
                in_one_piece=numpy.array([each.in_one_piece for each in shared], dtype=bool),
                is_phrase=numpy.array([each.is_phrase for each in shared], dtype=bool),
                negated=numpy.array([any(map(_negates, words)) for words in claimed], dtype=bool),
                added=numpy.array(list(map(_is_added_to, cases)), dtype=bool),
                premise_words=numpy.array(list(map(len, said))),
                hypothesis_words=numpy.array(list(map(len, claimed))),
                has_number=numpy.array(
                    [_has_number(one) or _has_number(other) for one, other in zip(said, claimed, strict=True)],
                    dtype=bool,
                ),
                rarity=numpy.array([self._rarity(words) for words in claimed]),
                has_typo=numpy.array([case.family == SPELLING for case in cases], dtype=bool),
                replaced=numpy.array([CHANGE in case.group for case in cases], dtype=bool),
                generalised=numpy.array([case.group.get(CHANGE) == "general" for case in cases], dtype=bool),
                genre=[case.group.get(GENRE, "") for case in cases],
                suggested=_suggested(self._guesser, cases),
                fold=numpy.array([fold_of(case, FOLDS) for case in cases]),
                words=self._known(claimed),
            )
        )
        self._rows += len(cases)

    def surface(self) -> Surface:
        """Everything that was seen, in order."""
        columns = {
            name: numpy.concatenate([getattr(each, name) for each in self._seen])
            for name in Surface._fields
            if name not in ("genre", "words")
        }
        words = Words(
            number=numpy.concatenate([each.words.number for each in self._seen]),
            case=numpy.concatenate([each.words.case for each in self._seen]),
            n=max(len(self._numbers), 1),
        )
        return Surface(**columns, genre=[genre for each in self._seen for genre in each.genre], words=words)

    def _rarity(self, words: Sequence[str]) -> float:
        return -log10(1 + min((self._counts[word] for word in words), default=0))

    def _known(self, claimed: Sequence[Sequence[str]]) -> Words:
        """The words that source pairs have, each once in a hypothesis."""
        found = [
            sorted({self._numbers[word] for word in words if word in self._numbers})  # sums need a fixed order
            for words in claimed
        ]
        sizes = [len(each) for each in found]
        return Words(
            number=numpy.array([number for each in found for number in each], dtype=numpy.int64),
            case=self._rows + numpy.repeat(numpy.arange(len(found)), sizes),
            n=len(self._numbers),
        )


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


def _suggested(guesser: FittedHypothesisWords | None, cases: Sequence[Case]) -> numpy.ndarray:
    if guesser is None:
        return numpy.full(len(cases), SILENT)
    return numpy.array([LABELS.index(each.label) for each in guesser.predict(cases)])
