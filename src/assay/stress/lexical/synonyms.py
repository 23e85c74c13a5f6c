"""In which places of running text a synonym means the same: for each word pair, the evidence that it needs.

In a caption, a word nearly always has its everyday sense. In running text "film" may be a layer, and "under" a law, so
a pair counts only if it stands in a table, and only where its evidence is found.
"""

from collections.abc import Callable, Iterator
from functools import cache
from types import FunctionType

from assay.language.resources.data import table
from assay.language.resources.installed import wordnet
from assay.stress.contexts.token_context import NOUNS, TokenContext
from assay.stress.lexical import synonym_evidence

SENSE = "perhaps another sense of the word"

Evidence = Callable[[TokenContext, int], bool]
"""Whether the place of a word, which ends with the token of this number, shows the sense that is meant."""

EVIDENCE: dict[str, Evidence] = {
    name: test
    for name, test in vars(synonym_evidence).items()
    if isinstance(test, FunctionType) and test.__module__ == synonym_evidence.__name__
}
"""The tests by the names that the tables use."""


def needs_evidence(old: str, new: str, tag: str) -> bool:
    """Whether a pair is one whose words have many uses even in captions."""
    return frozenset((_base(old.lower(), tag), _base(new, tag))) in _of_many_uses()


def other_meaning(place: TokenContext, old: str, last: int) -> str:
    """Why a synonym may mean something else in running text; empty if the evidence of its pair is found."""
    found = _evidence().get((_base(old.lower(), place.tag), _base(place.contrast.new, place.tag)))
    return "" if found and found(place, last) else SENSE


@cache
def _of_many_uses() -> frozenset[frozenset[str]]:
    return frozenset(frozenset(pair) for pair, _ in _pairs("synonyms_of_many_uses"))


@cache
def _evidence() -> dict[tuple[str, str], Evidence]:
    both = (*_pairs("synonyms_in_text"), *_pairs("synonyms_of_many_uses"))
    return {pair: EVIDENCE[name] for pair, name in both}


def _pairs(name: str) -> Iterator[tuple[tuple[str, str], str]]:
    """The word pairs of a table, each with the name of its evidence."""
    for evidence, pairs in table(name).items():
        for pair in pairs:
            old, _, new = pair.replace("_", " ").partition("/")
            yield (old, new), evidence


@cache
def _base(phrase: str, tag: str) -> str:
    """The lemma of a form; of a phrase, the first or the last word is shaped."""
    pos = "v" if tag.startswith("VB") else "n" if tag in NOUNS else ""
    if not pos or phrase in ("pants", "trousers", "stairs", "steps", "woods", "glasses"):
        return phrase
    first, _, rest = phrase.partition(" ")
    if pos == "v":
        return " ".join(filter(None, [(wordnet().morphy(first, "v") or (first,))[-1], rest]))
    before, _, last = phrase.rpartition(" ")
    return " ".join(filter(None, [before, (wordnet().morphy(last, "n") or (last,))[-1]]))
