"""Differences between two texts, token by token, and the words that one of them adds."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

from assay.language.polarity.phrase_bounds import FINITE, NOUNS, Sentence
from assay.language.resources.data import load_words
from assay.language.resources.installed import wordnet
from assay.language.text.analysis import Tagged, analyse
from assay.stress.logic.from_corpus.doubts import EXCEPTED, HEDGES, NOT_A_KIND

WORDS = load_words(__file__)

SAME = {"n't": "not", "n\u2019t": "not", "ca": "can", "wo": "will", "an": "a"}
AGREEING = ({"is", "are"}, {"was", "were"}, {"has", "have"}, {"does", "do"})
"""Forms of helping verbs that differ only because their subjects do."""


class DifferenceSite(NamedTuple):
    """A range of tokens of the first text, and the range of the second that replaces it."""

    start: int
    end: int
    other_start: int
    other_end: int


class AlignedTexts(NamedTuple):
    """Two texts as tokens, and where they differ."""

    first: tuple[Tagged, ...]
    second: tuple[Tagged, ...]
    sites: tuple[DifferenceSite, ...]


def align_texts(first: str, second: str) -> AlignedTexts:
    """The tokens of two texts, and where they differ.

    `align_texts("A man plays a guitar", "A man plays an electric guitar.").sites` is `(DifferenceSite(4, 4, 4, 5),)`.
    """
    one, two = _spoken_tokens(first), _spoken_tokens(second)
    low = [[SAME.get(each.text.lower(), each.text.lower()) for each in side] for side in (one, two)]
    steps = SequenceMatcher(None, low[0], low[1], autojunk=False).get_opcodes()
    sites = [DifferenceSite(i, j, k, m) for kind, i, j, k, m in steps if kind != "equal"]
    kept = _join_sites([each for each in sites if not _agrees_with(low, each)])
    return AlignedTexts(*_tagged_alike(one, two, kept), tuple(kept))


def _tagged_alike(
    one: tuple[Tagged, ...], two: tuple[Tagged, ...], sites: Sequence[DifferenceSite]
) -> tuple[tuple[Tagged, ...], tuple[Tagged, ...]]:
    """Both texts with the same tags if only one word changed: taggers err on rare words and their neighbours."""
    if len(sites) != 1 or len(one) != len(two) or sites[0].end - sites[0].start != 1:
        return one, two
    tags = one[sites[0].start].tag, two[sites[0].start].tag
    if tags[0][:2] == tags[1][:2] or not {"NN", "JJ"}.intersection(each[:2] for each in tags):
        return one, two
    wanted = "NN" if "NN" in (tags[0][:2], tags[1][:2]) else "JJ"
    source = one if tags[0].startswith(wanted) else two
    copied = [
        tuple(each._replace(tag=like.tag) for each, like in zip(side, source, strict=True)) for side in (one, two)
    ]
    return copied[0], copied[1]


def _spoken_tokens(text: str) -> tuple[Tagged, ...]:
    """The tokens of a text, without meaningless marks and final punctuation."""
    spaced = text.replace(" - ", "-").replace("cannot", "can not")
    tokens = [each for each in analyse(spaced) if each.text not in WORDS["silent"]]
    while tokens and tokens[-1].text in (".", "!"):
        tokens.pop()
    return tuple(tokens)


def _agrees_with(low: Sequence[Sequence[str]], site: DifferenceSite) -> bool:
    ours, theirs = low[0][site.start : site.end], low[1][site.other_start : site.other_end]
    return len(ours) == len(theirs) == 1 and any({*ours, *theirs} <= forms for forms in AGREEING)


def _join_sites(sites: Sequence[DifferenceSite]) -> list[DifferenceSite]:
    """Merge sites with only one token between them, which may be equal by chance."""
    joined: list[DifferenceSite] = []
    for site in sites:
        if joined and site.start - joined[-1].end <= 1 and site.other_start - joined[-1].other_end <= 1:
            joined[-1] = DifferenceSite(joined[-1].start, site.end, joined[-1].other_start, site.other_end)
        else:
            joined.append(site)
    return joined


Extra = Literal["modifier", "adverb", "phrase", "clause", "conjunct", "disjunct", "time"]

MODIFYING = frozenset({"JJ", "JJR", "VBN", "VBG", "NN", "NNP", "NNS", "RB", ","})
"""Tags that come before a noun."""


class FoundExtra(NamedTuple):
    """An addition, and its effect on the phrase that it belongs to."""

    kind: Extra
    narrows: bool
    """True if the longer text says more; an added alternative makes it say less."""
    start: int
    end: int


def find_extras(sentence: Sentence, start: int, end: int, *, denied: bool = False) -> Iterator[FoundExtra]:
    """The ways to interpret the words that a sentence has beyond another; there may be several positions for them.

    "A red hat and a red coat" is "a red coat" with "a red hat and" or with "red hat and a". Alternatives that are
    `denied` are all false; otherwise, the sentence must say that one of them is true.
    """
    low = sentence.low
    for shift in _find_shifts(low, start, end):
        first, last = start + shift, end + shift
        extra = _join_tokens(sentence, first, last, denied=denied) or _find_added(sentence, first, last)
        if extra:
            yield extra


def _find_shifts(low: tuple[str, ...], start: int, end: int) -> list[int]:
    """The shifts by which the added words can be moved without changing the remaining text."""
    found, shift = [0], 0
    while start + shift > 0 and low[start + shift - 1] == low[end + shift - 1]:
        shift -= 1
        found.append(shift)
    shift = 0
    while end + shift < len(low) and low[start + shift] == low[end + shift]:
        shift += 1
        found.append(shift)
    return found


def _find_added(sentence: Sentence, start: int, end: int) -> FoundExtra | None:
    """A modifier, a phrase or a clause."""
    words = sentence.low[start:end]
    if not words or words[0] == "," or words[-1] == "," or HEDGES.issuperset(words):
        return None  # what is set off by commas may be about something else
    kinds: dict[Extra, bool] = {
        "clause": _is_clause(sentence, start, end),
        "phrase": _is_phrase(sentence, start, end),
        "modifier": _is_modifier(sentence, start, end),
        "adverb": (
            {"RB", "RBR"}.issuperset(sentence.tags[start:end]) and not HEDGES.intersection(sentence.low[start:end])
        ),
        "time": _is_time(sentence, start, end),
    }
    kind = next((each for each, fits in kinds.items() if fits), None)
    return FoundExtra(kind, narrows=True, start=start, end=end) if kind else None


def _tag_at(sentence: Sentence, i: int) -> str:
    return sentence.tags[i] if 0 <= i < len(sentence.tags) else ""


def _is_clause(sentence: Sentence, start: int, end: int) -> bool:
    """True if the words are a relative clause, whole or shortened."""
    if _tag_at(sentence, start - 1) not in NOUNS:
        return False
    if sentence.low[start] in WORDS["relatives"] and FINITE.intersection(sentence.tags[start:end]):
        return True
    return sentence.tags[start] in ("VBG", "VBN") and end - start > 1 and _tag_at(sentence, end) not in NOUNS


def _is_modifier(sentence: Sentence, start: int, end: int) -> bool:
    """True if the words come before a noun and narrow it."""
    words, tags = sentence.low[start:end], sentence.tags[start:end]
    if not MODIFYING.issuperset(tags) or _tag_at(sentence, end) not in NOUNS | {"JJ"} or tags[-1] == "RB":
        return False
    if NOT_A_KIND.intersection(words) or HEDGES.intersection(words) or _tag_at(sentence, end) in ("NNP", "NNPS"):
        return False  # "Old Mary" is Mary
    return _tag_at(sentence, start - 1) not in NOUNS or tags[-1] in NOUNS


def _is_phrase(sentence: Sentence, start: int, end: int) -> bool:
    """True if the words are a preposition and its complete object."""
    if start == 0 or sentence.tags[start] not in ("IN", "TO") or sentence.low[start] in WORDS["excepting"]:
        return False
    last = sentence.tags[end - 1]
    following = sentence.tags[end] if end < len(sentence.tags) else ""
    if any(word in ("not", "n't", "no", "only", "never") for word in sentence.low[start:end]):
        return False
    if following in ("IN", "TO") and sentence.tags[start - 1] in NOUNS and not sentence.has_verb(0, start):
        return False  # "a dog with a ball on a rope"
    if sentence.has_verb(start, end) and not WORDS["relatives"].intersection(sentence.low[start:end]):
        return False
    return (last in NOUNS | {"PRP", "RB", "CD", "VB", "VBG", "JJ", "VBN"}) and following not in NOUNS | {"POS"}


def _is_time(sentence: Sentence, start: int, end: int) -> bool:
    """True if the words name a time: "last night", "every morning"."""
    if sentence.tags[end - 1] not in NOUNS or (end < len(sentence.tags) and sentence.tags[end] in NOUNS):
        return False
    if end - start > 1 and sentence.low[start] not in ("this", "last", "next", "every", "each", "all"):
        return False
    senses = wordnet().synsets(sentence.low[end - 1], "n")
    return bool(senses) and senses[0].file == 28


def _join_tokens(sentence: Sentence, start: int, end: int, *, denied: bool) -> FoundExtra | None:
    """A conjunct or an alternative."""
    low, tags = sentence.low, sentence.tags
    words = low[start:end]
    inner = start + 1 if words[0] == "," and len(words) > 1 else start
    first, last = low[inner], low[end - 1]
    if first in WORDS["joins"]:
        joiner, content = first, range(inner + 1, end)
    elif last in WORDS["joins"]:
        joiner, content = last, range(start + (first == "both"), end - 1)
    elif (words[0] == "," or last == ",") and len(words) > 1:
        joiner = _joiner_of_list(sentence, end)
        content = range(start + (words[0] == ","), end - (last == ","))
    else:
        return None
    if not joiner or not content:
        return None
    if joiner == "but" and EXCEPTED.intersection(low[max(0, start - 2) : start + 1]):
        return None
    if any(low[k] in WORDS["joins"] for k in content) and not any(tags[k] in FINITE for k in content):
        return None
    neighbours = {*low[max(0, start - 12) : min(len(low), end + 12)]}
    if joiner == "or" and denied and low[content.start] not in WORDS["quantities"]:
        return FoundExtra("disjunct", narrows=False, start=content.start, end=content.stop)
    if joiner == "or":
        if neighbours & WORDS["loose"] - {"or"} or low.count("or") > 1 or low[content.start] in WORDS["quantities"]:
            return None
        if not _tells_event(sentence, content) or words[0] == ",":
            return None
        return FoundExtra("disjunct", narrows=False, start=content.start, end=content.stop)
    if _is_joint(sentence, start, end, content):
        return None
    return FoundExtra("conjunct", narrows=True, start=content.start, end=content.stop)


def _tells_event(sentence: Sentence, content: range) -> bool:
    """True if a sentence describes an event, so that one alternative is true and not just possible."""
    low, tags = sentence.low, sentence.tags
    if "CD" in tags or any(tags[k] in ("NNP", "NNPS") for k in content):
        return False
    return any(
        (tags[k] == "VBD" and low[k] not in WORDS["passive"])
        or (low[k] in WORDS["be"] and "VBG" in tags[k + 1 : k + 3])
        or (low[k] in WORDS["have"] and "VBN" in tags[k + 1 : k + 4])
        for k in range(len(low))
    )


def _joiner_of_list(sentence: Sentence, end: int) -> str:
    """The word that joins the list which an element belongs to."""
    for k in range(end, min(end + 15, len(sentence.low))):
        if sentence.low[k] in ("and", "or"):
            return sentence.low[k] if sentence.tags[k] == "CC" else ""
        if sentence.tags[k] in FINITE:
            break
    return ""


def _is_joint(sentence: Sentence, start: int, end: int, content: range) -> bool:
    """True if the joined parts may hold, or have their name, only together."""
    low, tags = sentence.low, sentence.tags
    if any(tags[k] in FINITE for k in content):  # clauses hold each on its own
        return low[content.start] in ("not", "then") or "respectively" in low
    if WORDS["joint"].intersection(low):
        return True
    if {tags[k] for k in content} == {"JJ"} and WORDS["colours"].issuperset(low[k] for k in content):
        return True  # a flag that is red and white
    if any(tags[k] == "CD" for k in range(max(0, start - 3), min(len(low), end + 3))):
        return True  # "two hours and ten minutes"
    name = {"NNP", "NNPS"}
    before, after = tags[start - 1] if start else "", tags[end] if end < len(tags) else ""
    if tags[content.start] in name or tags[content.stop - 1] in name:
        alone = (after not in NOUNS) if low[start] in (*WORDS["joins"], ",") else (before not in NOUNS)
        return not alone or any(_is_common(low[k]) for k in content if tags[k] in name)
    return False


def _is_common(word: str) -> bool:
    """True if a word is an ordinary word, which may have a capital only as part of a title."""
    senses = wordnet().synsets(word)
    return bool(senses) and any(word in each.words for each in senses[:2])
