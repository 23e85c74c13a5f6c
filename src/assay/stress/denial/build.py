"""Denial: "not" in the main clause of a statement, which gives its exact opposite."""

import re
from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import ClassVar

from assay.core.edit import Edit, Replacement, Skip, replace
from assay.core.label import Label
from assay.core.pair import Pair
from assay.core.protocols import Check
from assay.language.resources.data import load_words
from assay.language.resources.installed import wordnet
from assay.language.text.analysis import Tagged, analyse
from assay.language.text.clauses import find_obstacle
from assay.language.words.inflection import conjugate
from assay.language.words.proper_names import first_names
from assay.stress.across.join_edits import AcrossSwitch
from assay.stress.across.odd_english import is_negated
from assay.stress.denial.check import DenialCheck, doubt_of_words, spell_out

WORDS = load_words(__file__)

NO_STATEMENT = Skip("not a single plain statement")
NO_SUBJECT = Skip("the subject is not known to be a definite thing or a kind")
NO_VERB = Skip("no main verb that takes a plain negation")
NOT_UN = Skip("odd English: a negation before a word with a negative prefix")
LINKED = Skip("the negation may not cover the whole sentence")

BE = {"is", "are", "was", "were", "am"}
CONTRACTED = {"'m", "'re", "\u2019m", "\u2019re"}
MODALS = {"can", "could", "will", "would"}
HAVE = {"has", "have", "had"}
FINITE = {"VBD", "VBZ", "VBP", "MD"}
NEGATIONS = {"not", "n't", "n\u2019t", "cannot"}
SHORTENED = {"ca": "can", "wo": "will"}
"""Verbs before "n't"."""
PAST_AND_PRESENT = {"did": "VBD", "does": "VBZ", "do": "VB"}
SUPPORT = {"VBD": "did", "VBZ": "does", "VBP": "do"}
NOUNS = {"NN", "NNS", "NNP", "NNPS"}
NOMINAL = NOUNS | {"DT", "PRP$", "JJ", "JJR", "JJS", "CD", "POS", "CC", "IN", "VBG", "VBN", "PRP"}
LISTED = NOUNS | {"DT", "PRP$", "JJ", "CD", "POS", "CC", "IN", ","}
PERSONS, ANIMALS = 18, 5
"""WordNet's files: "a man is a doctor" is about one of them, "a triangle is a shape" about all."""
LONGEST_LEAD = 6
_YEAR = re.compile(r"1[0-9]{3}|20[0-9]{2}")
_PLAIN = re.compile(r"[^\"\u201c\u201d:;()\[\]\u2013\u2014/?!*]+")
"""No quotation, bracket, dash or second clause."""


class Denial(AcrossSwitch, frozen=True, kw_only=True):
    """Denies a statement: its main clause gets a "not" that covers everything else, or loses it.

    >>> pair = Pair(id="1", premise="Ada Moss won the cup in May.", hypothesis="", label=Label.ENTAILMENT)
    >>> for edit in Denial()(pair, Random(0)):
    ...     print(edit.label.value, edit.apply(pair)[1], sep=" | ")
    contradiction | Ada Moss did not win the cup in May.
    """

    family: ClassVar[str] = "denial"
    check: ClassVar[type[Check]] = DenialCheck
    on_request: ClassVar[bool] = True
    uses: ClassVar[tuple[str, ...]] = ("tagger", "wordnet")

    def __call__(self, pair: Pair, rng: Random) -> list[Edit] | Skip:  # noqa: ARG002 - nothing to draw
        change = _affirm(pair.premise) or deny(pair.premise)
        if isinstance(change, Skip):
            return change
        return [
            Edit(
                label=Label.CONTRADICTION,
                premise_from="premise",
                hypothesis_from="premise",
                hypothesis=(change,),
                facts={"relation": "exclusive"},
                group={"negation": "added" if "not" in change.new else "removed"},
            )
        ]


def deny(text: str) -> Replacement | Skip:
    """The change that denies a plain statement, or the reason why there is none."""
    bare = text.rstrip().removesuffix(".")
    if not text[:1].isalnum() or not _PLAIN.fullmatch(bare) or find_obstacle(text, len(bare)):
        return NO_STATEMENT
    if doubt := doubt_of_words(bare):
        return doubt
    tokens = analyse(text)
    if tokens and tokens[-1].text == ".":
        tokens = tokens[:-1]
    if len({token.sentence for token in tokens}) != 1:
        return NO_STATEMENT
    first = _end_of_lead(tokens)
    verb = next((i for i in range(first, len(tokens)) if _is_finite(tokens, i)), -1)
    if verb <= first:
        return NO_VERB
    if _goes_on(tokens, verb):
        return LINKED
    found = _deny(tokens, first, verb)
    if isinstance(found, Replacement) and not _is_known(tokens, first, verb):
        return NO_SUBJECT
    return found


def _affirm(text: str) -> Replacement | None:
    """The change that takes out the negation of a statement; None if denying the result gives something else."""
    tokens = analyse(text)
    places = [i for i, token in enumerate(tokens) if token.text.lower() in NEGATIONS]
    if len(places) != 1 or places[0] == 0:
        return None
    i = places[0]
    token, before, after = tokens[i], tokens[i - 1], tokens[i + 1] if i + 1 < len(tokens) else tokens[i]
    if token.text == "cannot":
        change = Replacement(token.start, "cannot", "can")
    elif before.text in PAST_AND_PRESENT and after.text.islower():
        form = conjugate(after.text, PAST_AND_PRESENT[before.text])
        change = Replacement(before.start, text[before.start : after.end], form)
    else:
        old = text[before.start : token.end]
        change = Replacement(before.start, old, SHORTENED.get(before.text, before.text))
    stated = replace(text, [change])
    denied = deny(stated)
    if isinstance(denied, Skip) or not WORDS["only_denied"].isdisjoint(stated.lower().removesuffix(".").split()):
        return None
    return change if replace(stated, [denied]) == spell_out(text) else None


def _end_of_lead(tokens: Sequence[Tagged]) -> int:
    """The token after "In May 2010,"; 0 if the statement begins with its subject."""
    if not tokens or tokens[0].text.lower() not in WORDS["times"]:
        return 0
    comma = next((i for i, token in enumerate(tokens[: LONGEST_LEAD + 1]) if token.text == ","), 0)
    return comma + 1 if comma and all(token.tag in NOMINAL for token in tokens[:comma]) else 0


def _is_finite(tokens: Sequence[Tagged], i: int) -> bool:
    word = tokens[i].text.lower()
    return word in BE | CONTRACTED | MODALS or tokens[i].tag in FINITE


def _goes_on(tokens: Sequence[Tagged], verb: int) -> bool:
    """True if something after the verb may be outside the negation: another clause, or a part set off by a comma."""
    opened = False
    for i in range(verb + 1, len(tokens)):
        token, word = tokens[i], tokens[i].text.lower()
        if token.tag == "CC" and any(
            _is_finite(tokens, j) or tokens[j].tag == "PRP" for j in range(i + 1, len(tokens))
        ):
            return True
        if token.tag == "CC" and tokens[i + 1 : i + 2] and tokens[i + 1].tag.startswith(("VB", "RB")):
            return True
        if word == "," and not all(other.tag in LISTED for other in tokens[i:]):
            return True
        if word == "," and tokens[i + 1 : i + 2] and tokens[i + 1].tag == "CC" and tokens[i - 2].text != ",":
            return True
        counts = token.tag == "CD" and not _YEAR.fullmatch(word) and tokens[i - 1].tag != "NNP"
        if counts and tokens[verb].text not in BE | HAVE:  # there may be three that he did not buy
            return True
        if token.tag.startswith("W") or (word == "that" and token.tag == "IN") or token.tag == "PRP":
            opened = True
        elif i > verb + 1 and _is_finite(tokens, i) and not opened:
            return True
    return False


def _deny(tokens: Sequence[Tagged], first: int, verb: int) -> Replacement | Skip:
    token, after = tokens[verb], tokens[verb + 1] if verb + 1 < len(tokens) else tokens[verb]._replace(text="", tag="")
    word = token.text
    if tokens[verb - 1].tag.startswith(("RB", "VB", "MD", "TO", "CC", "IN", ",")):
        return NO_VERB
    plain = after.tag not in ("TO", "IN") or after.text.lower() not in ("to", "that")
    if word in BE or word in CONTRACTED or _is_contracted(tokens, verb):
        if not plain or (after.tag.startswith(("RB", "W")) and after.text.lower() not in WORDS["behind_be"]):
            return NO_VERB
        if is_negated(after.text.lower()):
            return NOT_UN
        generic = _is_bare(tokens, first) or tokens[first].text.lower() in ("a", "an")
        if generic and (word in ("was", "were") or after.tag == "VBG"):
            return NO_SUBJECT
        if tokens[first].text.lower() in ("a", "an") and after.text.lower() not in ("a", "an", "the", "called"):
            return NO_SUBJECT
        return Replacement(token.end, "", " not")
    if word in MODALS:
        if after.tag != "VB" or after.text == "best":
            return NO_VERB
        return Replacement(token.start, "can", "cannot") if word == "can" else Replacement(token.end, "", " not")
    if word in HAVE and after.tag == "VBN" and _is_participle(after.text):
        return Replacement(token.end, "", " not")
    if word in HAVE and _is_perfect(tokens[verb + 1 :]):
        return NO_VERB
    return _deny_with_do(tokens, first, verb, after)


def _is_perfect(behind: Sequence[Tagged]) -> bool:
    """True if a participle follows "have" after adverbs alone, some of which the tagger takes for adjectives."""
    following = next((token for token in behind if not token.tag.startswith(("RB", "JJ"))), None)
    return following is not None and following.tag in ("VBN", "VBD") and _is_participle(following.text)


def _is_contracted(tokens: Sequence[Tagged], verb: int) -> bool:
    """True of the "'s" of "it's"."""
    return tokens[verb].text in ("'s", "\u2019s") and tokens[verb - 1].text.lower() in WORDS["contracting"]


def _is_participle(word: str) -> bool:
    return any(conjugate(lemma, "VBN") == word for lemma in wordnet().morphy(word, "v"))


def _deny_with_do(tokens: Sequence[Tagged], first: int, verb: int, after: Tagged) -> Replacement | Skip:
    word, tag = tokens[verb].text, tokens[verb].tag
    if tag not in SUPPORT or not word.islower() or not word.isalpha() or after.tag == "VB":
        return NO_VERB
    if word in ("need", "needs", "needed") and after.tag == "TO":
        return NO_VERB
    if tag == "VBD" and _is_bare(tokens, first):
        return NO_SUBJECT
    if tokens[first].text.lower() in ("a", "an"):
        return NO_SUBJECT
    form = "VB" if tag == "VBP" else tag
    lemmas = [lemma for lemma in wordnet().morphy(word, "v") if conjugate(lemma, form) == word]
    if len(lemmas) != 1 or lemmas[0] in WORDS["never_denied"] | {"be"}:
        return NO_VERB
    if tag != "VBD" and _is_plural(tokens, first, verb) is (tag == "VBZ"):
        return NO_VERB
    return Replacement(tokens[verb].start, word, f"{SUPPORT[tag]} not {lemmas[0]}")


def _is_plural(tokens: Sequence[Tagged], first: int, verb: int) -> bool | None:
    """True if a verb without an ending agrees with the subject; None if it can't be told."""
    word = tokens[first].text.lower()
    if verb == first + 1 and tokens[first].tag == "PRP":
        return word not in ("he", "she", "it")
    if any(token.text.lower() in ("and", "&") for token in tokens[first:verb]):
        return True
    head = _head_of(tokens, first, verb)
    return head.tag in ("NNS", "NNPS") if head.text.islower() else None


def _head_of(tokens: Sequence[Tagged], first: int, verb: int) -> Tagged:
    """The last noun before a preposition."""
    stop = next((i for i in range(first, verb) if tokens[i].tag == "IN"), verb)
    return tokens[max(first, stop - 1)]


def _is_known(tokens: Sequence[Tagged], first: int, verb: int) -> bool:
    """True if the subject is a pronoun, a name, a known thing or a kind."""
    subject = tokens[first:verb]
    word = subject[0].text.lower()
    if subject[0].tag == "PRP" or word in ("this", "that", "these", "those"):
        if len(subject) == 1:
            return True
        if subject[0].tag == "PRP":
            return False
    if (
        subject[0].tag == "CD"
        or any(token.tag not in NOMINAL for token in subject)
        or any(token.tag == "PRP" for token in subject)
    ):
        return False
    if subject[-1].tag not in NOUNS or _head_of(tokens, first, verb).tag not in NOUNS:
        return False
    for one, other in pairwise(subject):
        if one.tag in ("VBG", "VBN") and other.tag not in NOUNS:
            return False
        if other.tag == "VBN" and one.tag in NOUNS:
            return False
    if word in ("a", "an"):
        senses = wordnet().synsets(_head_of(tokens, first, verb).text, "n")
        return bool(senses) and all(sense.file not in (PERSONS, ANIMALS) for sense in senses[:2])
    if word in WORDS["definite"] or not _is_bare(tokens, first):
        return True
    return word not in WORDS["speakers"]


def _is_bare(tokens: Sequence[Tagged], first: int) -> bool:
    """True if the subject has no article and is not a name: a kind, or some of it."""
    token = tokens[first]
    if token.tag == "PRP" or token.text.lower() in WORDS["definite"] | {"a", "an"}:
        return False
    following = tokens[first + 1] if first + 1 < len(tokens) else token
    if token.text in first_names() or (token.tag.startswith("NNP") and following.tag in ("NNP", "NNPS", "POS")):
        return False
    known = any(wordnet().morphy(token.text.lower(), pos) for pos in "nva")
    return known or token.tag == "NNS" or not token.text[0].isupper()
