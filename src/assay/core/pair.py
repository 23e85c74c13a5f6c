"""Records of corpora: mostly pairs."""

import hashlib
import re
from functools import lru_cache

import msgspec

from assay.core.label import Label

_BLANK = hashlib.blake2b(digest_size=8)


class Parses(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The syntax trees that came with a pair."""

    premise: str | None = None
    hypothesis: str | None = None
    premise_binary: str | None = None
    hypothesis_binary: str | None = None


class Pair(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A premise, a hypothesis, and the label that relates them.

    >>> pair = Pair(id="1", premise="A dog barks.", hypothesis="A cat barks.", label=Label.NEUTRAL)
    >>> pair.label
    <Label.NEUTRAL: 'neutral'>
    """

    id: str
    premise: str  # the text taken as true
    hypothesis: str  # the claim to be judged
    label: Label
    group: dict[str, str] = {}  # named slices that the pair belongs to, such as genre, category or subcase
    annotators: tuple[str, ...] = ()  # the annotators' own labels, as the source gives them
    parses: Parses | None = None
    root: str = ""
    """If it is a case of a suite: the pair that it was made from. Pairs with the same root are not independent."""
    unit: str = ""
    """A unit shared with pairs of other premises, such as the two words in which its texts differ; empty if none.
    Pairs with the same unit are not independent."""

    @property
    def cluster(self) -> str:
        """A short name for the premise. Pairs that share it are not independent, and stay in one fold."""
        return premise_cluster(self.premise)


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """An algebra word problem (AQuA-RAT): a source of premises with quantities."""

    id: str
    question: str
    options: tuple[str, ...]  # the answers to choose from, with their letters
    rationale: str  # the solution; empty if the source leaves it out
    correct: str


class LabelledText(msgspec.Struct, frozen=True, kw_only=True):
    """One or two texts with a class: the unit of the sentence-embedding transfer tasks."""

    id: str
    text: str
    text_b: str | None = None  # the second text, in tasks about pairs
    label: str  # the class, as the source gives it


class WordVector(msgspec.Struct, frozen=True, kw_only=True):
    """A word with its embedding: one line of a GloVe text file."""

    id: str
    values: tuple[float, ...]


Record = Pair | Problem | LabelledText | WordVector


@lru_cache(maxsize=1 << 14)  # a premise has several hypotheses, and its pairs are used by several families
def premise_cluster(premise: str) -> str:
    """Name a premise by what it says, not by how it is spaced or capitalised.

    >>> premise_cluster("A dog  barks.") == premise_cluster("a dog barks.")
    True
    """
    digest = _BLANK.copy()  # faster than a new one
    digest.update(" ".join(premise.lower().split()).encode())
    return digest.hexdigest()


def is_score(value: str) -> bool:
    """True if a value is a score on a scale, such as how related two texts are, rather than the name of a group.

    >>> is_score("4.5"), is_score("fiction"), is_score("2019")
    (True, False, False)
    """
    return re.fullmatch(r"[-+]?[0-9]*\.[0-9]+", value) is not None
