"""Conjunction in real sentences: what "and", "but" or "or" adds at the end of a clause is dropped."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from assay.core.edit import Replacement, Skip
from assay.language.polarity.phrases import FINITE, NOUNS, RELATIVE, Sentence, sentence_of
from assay.language.text.analysis import Tagged, analyse, sentence_around
from assay.stress.logic.real.extras import extras
from assay.stress.logic.real.family import Change, CorpusLogic, dropped
from assay.stress.logic.real.relations import TURNED, Relation

JOINERS = frozenset({"and", "but", "or"})
SUBJECTS = frozenset({"he", "she", "it", "they", "we", "i", "there", "you"})
MOST_WORDS = 15
"""The longest conjunct that is dropped."""
PAIRED = frozenset({"both", "either", "neither", "whether", "between"})
"""Words that ask for a joining word later."""
MARKS = frozenset({".", "!"})


class ConjunctionFromCorpus(CorpusLogic, frozen=True, kw_only=True):
    """The last conjunct or alternative of a real sentence is dropped; or the other way round, added.

    `ConjunctionFromCorpus()(pair, rng)` for the premise "A man sits on a bench and reads a book." may make "A man
    sits on a bench." its hypothesis, which follows.
    """

    family: ClassVar[str] = "conjunction"
    nothing: ClassVar[Skip] = Skip("no conjunct at the end of a sentence that can be dropped")

    def changes(self, text: str) -> Iterator[Change]:
        """The last conjunct of each sentence."""
        tokens = analyse(text)
        for k, token in enumerate(tokens):
            if token.text.lower() in JOINERS and 0 < k < len(tokens) - 1:
                yield from _at(text, tokens, k)


def _at(text: str, tokens: Sequence[Tagged], k: int) -> Iterator[Change]:
    around = sentence_around(tokens, k)
    end = around.stop
    while end > k + 1 and tokens[end - 1].text in MARKS:
        end -= 1
    sentence = sentence_of(tokens[around.start : around.stop])
    first, last = k - around.start, end - around.start
    if not 1 <= last - first - 1 <= MOST_WORDS or not is_last_conjunct(sentence, first, last):
        return
    if not tokens[around.start].text[0].isupper() or tokens[around.stop - 1].text not in MARKS:
        return  # speech, or a fragment
    if PAIRED.intersection(sentence.low[:first]) or RELATIVE.intersection(sentence.tags[:first]):
        return
    start = first - (sentence.low[first - 1] == ",")
    found = next((each for each in extras(sentence, start, last) if each.kind in ("conjunct", "disjunct")), None)
    if found is None or found.start != first + 1:
        return
    if found.kind == "conjunct" and any(word in sentence.low[:first] for word in ("and", "or", ",")):
        return  # only the last of several
    relation: Relation = "narrower" if found.narrows else "broader"
    yield Change(
        sentence.low[first],
        (_cut(text, tokens, around.start + start, end),),
        TURNED[relation],
        k + 1,
    )


def is_last_conjunct(sentence: Sentence, k: int, end: int) -> bool:
    """Whether what a joining word adds goes on to the end, and what is before it is whole without it.

    It is a clause with its own subject, a verb in the form of an earlier one, or a noun phrase after a noun phrase.
    """
    low, tags = sentence.low, sentence.tags
    if not FINITE.intersection(tags[:k]) or any(
        word in JOINERS | {",", ";", ":", "(", ")"} for word in low[k + 1 : end]
    ):
        return False
    following = tags[k + 1]
    if low[k + 1] in SUBJECTS and FINITE.intersection(tags[k + 2 : k + 4]):
        return low[k] != "or"
    if following in ("VBZ", "VBD", "VBG"):
        shares_object = tags[k - 1].startswith("V") and k + 2 < end  # "considered but rejected the offer"
        return following in tags[:k] and tags[k - 1] not in ("IN", "TO", "CC", "DT") and not shares_object
    phrase = sentence.phrase_end(k + 1)
    return phrase == end and _same_shape(sentence, k, end)


def _same_shape(sentence: Sentence, k: int, end: int) -> bool:
    """Whether two noun phrases are joined that both have an article, or both have none."""
    low, tags = sentence.low, sentence.tags
    if tags[k - 1] not in NOUNS or tags[end - 1] not in ("NN", "NNS"):
        return False
    start = k - 1
    while start > 0 and tags[start - 1] in NOUNS | {"JJ", "VBN", "VBG"}:
        start -= 1
    before = low[start - 1] if start else ""
    ours, theirs = before in ("a", "an"), low[k + 1] in ("a", "an")
    plain = tags[k + 1] in ("NNS", "NN") and k + 2 == end and start == k - 1
    return (ours and theirs) or (
        plain and tags[k - 1] == tags[k + 1] == "NNS" and tags[start - 1] not in ("DT", "PRP$")
    )


def _cut(text: str, tokens: Sequence[Tagged], start: int, end: int) -> Replacement:
    return dropped(text, tokens[start].start, tokens[end - 1].end)
