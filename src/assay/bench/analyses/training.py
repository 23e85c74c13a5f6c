"""How often words, and pairs of words on the two sides of contradictions, occur in a training corpus."""

from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import NamedTuple

from assay.bench.stages import Stage, quiet
from assay.core.label import Label
from assay.core.pair import Pair
from assay.core.suite import Source
from assay.corpora.reading import corpus_of
from assay.evaluate.analyses.word_pairs import WordPair
from assay.language.text.tokens import folded_tokens

AT_ONCE = 1000
"""After how many pairs progress is shown."""


class Seen(NamedTuple):
    """What a training corpus has of some word pairs."""

    source: Source
    """The corpus."""
    contradictions: Counter[WordPair]
    """Training contradictions with the first word in the premise and the second in the hypothesis."""
    examples: Counter[str]
    """Training pairs that have the word in one of their texts."""


def count_in(train: str | Path | Iterable[Pair], wanted: Collection[WordPair], *, stage: Stage = quiet) -> Seen:
    """Read a training corpus once, and count the words and word pairs that are wanted; nothing else is kept.

    >>> pairs = [Pair(id="1", premise="A red hat.", hypothesis="A blue hat.", label=Label.CONTRADICTION)]
    >>> seen = count_in(pairs, [("red", "blue"), ("blue", "red")])
    >>> dict(seen.contradictions), sorted(seen.examples.items())
    ({('red', 'blue'): 1}, [('blue', 1), ('red', 1)])
    """
    partners: dict[str, set[str]] = {}
    for one, other in wanted:
        partners.setdefault(one, set()).add(other)
    words = {word for pair in wanted for word in pair}
    contradictions: Counter[WordPair] = Counter()
    examples: Counter[str] = Counter()
    corpus = corpus_of(train)
    progress = stage("Reading the training corpus", None)
    for number, pair in enumerate(corpus, 1):
        premise, hypothesis = set(folded_tokens(pair.premise)), set(folded_tokens(pair.hypothesis))
        examples.update(words & (premise | hypothesis))
        if pair.label is Label.CONTRADICTION:
            for word in premise & partners.keys():
                contradictions.update((word, other) for other in partners[word] & hypothesis)
        if number % AT_ONCE == 0:
            progress(AT_ONCE)
    return Seen(corpus.summary(), contradictions, examples)
