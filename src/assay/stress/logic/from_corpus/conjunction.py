"""Conjunction in real sentences: the last part that "and", "but" or "or" joins is dropped."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import ClassVar

from assay.core.edit import Replacement, Skip
from assay.language.polarity.phrase_bounds import FINITE, NOUNS, RELATIVE, Sentence, sentence_of
from assay.language.resources.data import load_words
from assay.language.resources.installed import wordnet
from assay.language.text.analysis import Tagged, analyse, sentence_around
from assay.stress.logic.from_corpus.alignment import find_extras
from assay.stress.logic.from_corpus.corpus_family import (
    CorpusForm,
    DenyingLogic,
    OfferedCase,
    SentenceChange,
    combine_changes,
    drop_span,
    load_weights,
    make_form,
)
from assay.stress.logic.from_corpus.denial import DeniedSentence

WORDS = load_words(__file__)

MOST_WORDS = 15
MARKS = frozenset({".", "!"})


@cache
def conjunction_forms() -> tuple[CorpusForm, ...]:
    """All pairs of texts, with their weights."""
    weights = load_weights()["conjunction"]
    pairs = [names.split("/") for names in WORDS.ordered("forms")]
    return tuple(make_form(f"{one}/{other}", weights[one][other]) for one, other in pairs)


class ConjunctionFromCorpus(DenyingLogic, frozen=True, kw_only=True):
    """Drops or adds the last conjunct or alternative of a real sentence, or turns "and" into "or".

    `ConjunctionFromCorpus()(pair, rng)` for the premise "A man is sitting on a bench and reading." may make "A man is
    sitting on a bench." its hypothesis, which follows.
    """

    family: ClassVar[str] = "conjunction"
    nothing: ClassVar[Skip] = Skip("no conjunct at the end of a sentence that can be dropped")

    def changes(self, text: str) -> Iterator[SentenceChange]:
        """The last conjunct of each sentence."""
        tokens = analyse(text)
        for k, token in enumerate(tokens):
            if token.text.lower() in WORDS["joiners"] and 0 < k < len(tokens) - 1:
                yield from _changes_at(text, tokens, k)

    def deny_change(self, change: SentenceChange, denies: DeniedSentence) -> OfferedCase:
        """The sentence with both parts, with one part, and with either; and the denials of the last two."""
        (drop,) = change.replacements
        swap = _swap_joining_word(drop, change.subcase)
        texts = {"one": (drop,), "both": (swap,), "either": ()} if change.subcase == "or" else {}
        texts = texts or {"one": (drop,), "both": (), "either": (swap,)}
        texts |= {f"-{name}": combine_changes(texts[name], denies) for name in ("one", "either")}
        return OfferedCase(change, texts, conjunction_forms(), one_place=True)


def _swap_joining_word(drop: Replacement, joiner: str) -> Replacement:
    """The replacement that turns "and" into "or", or the reverse."""
    at = drop.old.lower().index(joiner)
    return Replacement(drop.start + at, drop.old[at : at + len(joiner)], "and" if joiner == "or" else "or")


def _changes_at(text: str, tokens: Sequence[Tagged], k: int) -> Iterator[SentenceChange]:
    around = sentence_around(tokens, k)
    end = around.stop
    while end > k + 1 and tokens[end - 1].text in MARKS:
        end -= 1
    sentence = sentence_of(tokens[around.start : around.stop])
    first, last = k - around.start, end - around.start
    if not 1 <= last - first - 1 <= MOST_WORDS or not is_last_conjunct(sentence, first, last):
        return
    if WORDS["paired"].intersection(sentence.low[:first]) or RELATIVE.intersection(sentence.tags[:first]):
        return
    if _is_fixed(sentence, first) or not tokens[around.start].text[0].isupper():
        return  # a fragment
    start = first - (sentence.low[first - 1] == ",")
    extra = next((each for each in find_extras(sentence, start, last) if each.kind in ("conjunct", "disjunct")), None)
    if extra is None or extra.start != first + 1:
        return
    if extra.kind == "conjunct" and any(word in sentence.low[:first] for word in ("and", "or", ",")):
        return  # only the last of several
    cut = drop_span(text, tokens[around.start + start].start, tokens[end - 1].end)
    yield SentenceChange(sentence.low[first], (cut,), k + 1)


def _is_fixed(sentence: Sentence, k: int) -> bool:
    """True if two words form a fixed expression: "bow and arrow"."""
    return any(
        f"{one}_{sentence.low[k]}_{other}" in wordnet().data.index
        for one in (sentence.low[k - 1], *wordnet().morphy(sentence.low[k - 1], "n"))
        for other in (sentence.low[k + 1], *wordnet().morphy(sentence.low[k + 1], "n"))
    )


def is_last_conjunct(sentence: Sentence, k: int, end: int) -> bool:
    """True if the words after a joining word reach to the end, and the words before it are complete without them.

    It is a clause with its own subject, a verb in the form of an earlier one, or a noun phrase after a noun phrase.
    """
    low, tags = sentence.low, sentence.tags
    if not FINITE.intersection(tags[:k]) or any(
        word in WORDS["joiners"] | {",", ";", ":", "(", ")"} for word in low[k + 1 : end]
    ):
        return False
    following = tags[k + 1]
    if low[k + 1] in WORDS["subjects"] and FINITE.intersection(tags[k + 2 : k + 4]):
        return low[k] != "or"
    if following in ("VBZ", "VBD", "VBG"):
        alone = not WORDS["intransitive"].isdisjoint(wordnet().morphy(low[k - 1], "v"))
        shares_object = tags[k - 1].startswith("V") and k + 2 < end and not alone  # "considered but rejected the offer"
        return following in tags[:k] and tags[k - 1] not in ("IN", "TO", "CC", "DT") and not shares_object
    phrase = sentence.phrase_end(k + 1)
    return phrase == end and _same_shape(sentence, k, end)


def _same_shape(sentence: Sentence, k: int, end: int) -> bool:
    """True if two joined noun phrases both have an article, or are both plurals without a determiner."""
    low, tags = sentence.low, sentence.tags
    if tags[k - 1] not in ("NN", "NNS") or tags[end - 1] not in ("NN", "NNS"):
        return False
    start = k - 1
    while start > 0 and tags[start - 1] in NOUNS | {"JJ", "VBN", "VBG"} and tags[start - 1] != "VBG":
        start -= 1
    before = tags[start - 1] if start else ""
    article = start > 0 and low[start - 1] in ("a", "an")
    ours = article or (tags[k - 1] == "NNS" and before in ("IN", "VBG", "VBD", "VBZ", "VBP"))
    theirs = low[k + 1] in ("a", "an") or (tags[end - 1] == "NNS" and tags[k + 1] in ("NNS", "JJ", "NN"))
    return ours and theirs
