"""Names of persons, places and organisations: from lists, WordNet and capitals."""

from collections.abc import Sequence
from functools import cache
from typing import Literal, NamedTuple

from assay.language.resources.data import load_words, word_list
from assay.language.resources.installed import wordnet
from assay.language.resources.wordnet_database import INSTANCE_HYPERNYM, NOUN
from assay.language.text.tokens import Token

WORDS = load_words(__file__)

Kind = Literal["person", "place", "organisation"]

GROUP = 14
FILES: dict[int, Kind] = {GROUP: "organisation", 15: "place", 18: "person"}
"""WordNet's lexicographer files of groups, places and persons."""


LONGEST = 6
"""Maximum number of tokens in a name that is looked up."""
LONGEST_RUN = 50
"""Maximum number of tokens in a run of capitals that may be a name: a text in capitals must not take quadratic time."""


class Name(NamedTuple):
    """A name and its position."""

    kind: Kind
    """The kind of thing that it names: a person, a place or an organisation."""
    start: int
    end: int


def first_names() -> frozenset[str]:
    """Given names.

    >>> "Fatima" in first_names()
    True
    """
    return word_list("first_names")


def find_names(tokens: Sequence[Token], tags: Sequence[str]) -> list[Name]:
    """The names in a sentence, in order.

    `find_names(t, tagger().tag([w.text for w in t]))` for `t = tokens("I saw Maria Hill in Paris.")` gives a person and
    a place.
    """
    names: list[Name] = []
    i = 0
    shouting = _mostly_capitals(tokens)
    while i < len(tokens):
        hit = _find_known(tokens, tags, i, shouting) or (None if shouting else _find_unknown(tokens, tags, i))
        if hit:
            kind, stop = hit
            names.append(Name(kind, tokens[i].start, tokens[stop - 1].end))
            i = stop
        else:
            i += 1
    return names


Hit = tuple[Kind, int]
"""The kind of a name, and the token after it."""


def _find_known(tokens: Sequence[Token], tags: Sequence[str], i: int, shouting: bool) -> Hit | None:
    """A name that is recognised by a title, a list, an ending or WordNet, and begins at token `i`."""
    if not _is_capital(tokens[i].text):
        return None
    run = i if shouting else _end_of_run(tokens, tags, i)
    first = tokens[i].text.rstrip(".")
    if first.lower() in WORDS["titles"] and run - i > 1:
        return "person", run
    ends = {first.lower(), tokens[run - 1].text.rstrip(".").lower()}
    if run - i > 1 and ends & WORDS["endings"]:
        return "organisation", run
    if run - i > 1 and ends & WORDS["places"]:
        return "place", run
    instance = _find_instance(tokens, tags, i)
    if instance and instance[1] >= run:
        return instance
    if first in first_names() and not (run - i <= 1 and _is_doubtful(tokens, tags, i)):
        return "person", max(run, i + 1)
    return instance


def _find_unknown(tokens: Sequence[Token], tags: Sequence[str], i: int) -> Hit | None:
    """A name that is recognised only by capitals and tags, and begins at token `i`."""
    word = tokens[i].text
    if not _is_capital(word) or _is_doubtful(tokens, tags, i):
        return None
    stop = _end_of_run(tokens, tags, i)
    if word.isupper() and word.isalpha():
        senses = wordnet().synsets(word, NOUN)
        if (senses and senses[0].file == GROUP) or not wordnet().has(word):  # "FBI"
            return "organisation", stop
    if (stop - i == 1 and _starts_sentence(tokens, i)) or all(wordnet().has(token.text) for token in tokens[i:stop]):
        return None
    cue = tokens[i - 1].text.lower() if i else ""
    return "place" if cue in WORDS["place_cues"] else "person", stop


def _end_of_run(tokens: Sequence[Token], tags: Sequence[str], i: int) -> int:
    """The end of the capitalised proper nouns that begin at token `i`, including small words between them."""
    stop = i + 1
    while stop < len(tokens) and stop - i < LONGEST_RUN:
        if _is_capital(tokens[stop].text) and tags[stop].startswith(("NNP", "CD")):
            stop += 1
        elif (
            tokens[stop].text in WORDS["links"] - {"and", "the"}
            and stop + 1 < len(tokens)
            and _is_capital(tokens[stop + 1].text)
            and tags[stop + 1].startswith("NNP")
        ):
            stop += 2
        elif (
            tokens[stop].text == "." and len(tokens[stop - 1].text) == 1 and tokens[stop - 1].end == tokens[stop].start
        ):
            stop += 1
        else:
            break
    return stop


def _find_instance(tokens: Sequence[Token], tags: Sequence[str], i: int) -> Hit | None:
    """The longest name of WordNet that begins at a token and is written with capitals."""
    for stop in range(min(len(tokens), i + LONGEST), i, -1):
        words = [token.text for token in tokens[i:stop]]
        if not _is_capital(words[-1]) or not all(_is_capital(word) or word in WORDS["links"] for word in words):
            continue
        kind = _instance_kind("_".join(words).lower())
        if kind and not (stop == i + 1 and _is_doubtful(tokens, tags, i)):
            return kind, stop
    return None


@cache
def _instance_kind(lemma: str) -> Kind | None:
    lookup = wordnet()
    for number in lookup.data.index.get(lemma, {}).get(NOUN, ()):
        synset = lookup.data.synsets[number]
        if synset.file in FILES and any(p.symbol == INSTANCE_HYPERNYM for p in synset.pointers):
            return FILES[synset.file]
    return None


def _is_doubtful(tokens: Sequence[Token], tags: Sequence[str], i: int) -> bool:
    """True if a single capitalised word may not be a name: "May", or a plain word at the start of a sentence."""
    word = tokens[i].text
    folded = word.lower()
    if len(word.rstrip(".")) == 1 or folded in WORDS["no_names"] or folded in word_list("function_words"):
        return True
    if not tags[i].startswith("NNP"):
        return True
    return _starts_sentence(tokens, i) and has_common_sense(folded)


@cache
def has_common_sense(folded: str) -> bool:
    """True if WordNet also knows the word as something other than a name."""
    senses = wordnet().synsets(folded)
    return any(not any(p.symbol == INSTANCE_HYPERNYM for p in synset.pointers) for synset in senses if synset.words)


def _starts_sentence(tokens: Sequence[Token], i: int) -> bool:
    return i == 0 or tokens[i - 1].text in {".", "!", "?", "...", ":", '"', "``", "\u201c", "'", "\u2018", "("}


def _is_capital(word: str) -> bool:
    return word[:1].isupper()


def _mostly_capitals(tokens: Sequence[Token]) -> bool:
    """True if nearly all words are capitalised, as in a headline or a shout, so that capitals mean nothing."""
    words = [token.text for token in tokens if token.text[:1].isalpha()]
    return len(words) > 4 and all(_is_capital(word) or word in word_list("function_words") for word in words)
