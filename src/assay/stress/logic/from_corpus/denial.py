"""The denial of a plain sentence, such as "No man is singing." or "The man is not singing.".

Only sentences are denied whose denial has one meaning: one clause, with a subject that is either some of a kind (which
"no" denies) or somebody or something that is known (then "not" does). If it is about some of a kind, it must report
something that happens or happened; otherwise it may be about the kind in general.
"""

from collections.abc import Sequence
from typing import NamedTuple

from assay.core.edit import Replacement
from assay.language.polarity.phrase_bounds import FINITE, NOUNS, Sentence, sentence_of
from assay.language.resources.data import load_words
from assay.language.resources.installed import wordnet
from assay.language.text.analysis import Tagged
from assay.language.words.inflection import conjugate

WORDS = load_words(__file__)

DID = {"VBD": "did", "VBZ": "does", "VBP": "do"}
HAPPENS = frozenset({29, 30, 33, 34, 35, 36, 38})
"""WordNet's files of verbs for bodies, changes, contests, eating, touching, making and moving."""
PERSONS = frozenset({18})
"""WordNet's file of nouns for persons."""


class DeniedSentence(NamedTuple):
    """A denied sentence."""

    replacements: tuple[Replacement, ...]
    tokens: tuple[Tagged, ...]
    """The tokens of the denied sentence, with the offsets of the original."""
    moved: int
    """The first token whose position differs in the denied sentence."""
    by: int
    """The number of positions by which it and all later tokens are moved."""

    def place(self, i: int) -> int:
        """The position in the denied sentence of token `i`."""
        return i + self.by if i >= self.moved else i


def deny_sentence(tokens: Sequence[Tagged]) -> DeniedSentence | None:
    """The denial of a sentence; None if it is uncertain.

    `deny_sentence(analyse("A man is singing."))` replaces "A" with "No".
    """
    sentence = sentence_of(tokens)
    verb = _only_verb(sentence)
    if verb is None or tokens[verb].tag not in FINITE or tokens[-1].sentence != tokens[0].sentence:
        return None
    if sentence.low[0] == "there":
        return _of_there(tokens, sentence) if verb == 1 else None
    if not _is_simple_subject(sentence, verb) or not _tells_event(sentence, verb):
        return None
    if not _is_of_a_kind(sentence):
        return _with_not(tokens, sentence, verb)
    first = sentence.low[0]
    if first in WORDS["some"] or sentence.tags[0] == "CD":
        return _with_no(tokens, sentence, 0, verb)
    if sentence.tags[0] == "NNS" or (sentence.tags[0] == "JJ" and sentence.tags[1] == "NNS"):
        return _before_plural(tokens, 0) if first in WORDS["gathered"] or sentence.tags[verb + 1] == "VBG" else None
    return None


def _only_verb(sentence: Sentence) -> int | None:
    """The verb of a sentence with only one clause, and without words that make its denial uncertain."""
    low, tags = sentence.low, sentence.tags
    end = len(low) - (bool(low) and low[-1] == ".")
    if end < 3 or "MD" in tags or not all(map(_is_word, low[:end])) or WORDS["unsettling"].intersection(low):
        return None
    if {"some", "several"}.intersection(low[3:]):
        return None  # "did not see some guitars" may mean that others were seen
    if any(tags[k] == "TO" and "VB" in tags[k + 1 : k + 3] for k in range(end)):
        return None
    verbs = [k for k in range(end) if tags[k] in FINITE]
    if not verbs or any(low[k - 1] not in WORDS["joining"] for k in verbs[1:]):
        return None
    return verbs[0] if 0 < verbs[0] < end - 1 else None


def _is_word(text: str) -> bool:
    return text.replace("-", "").isalpha() or text in ("'s", "\u2019s", "'") or text.isdigit()


def _is_simple_subject(sentence: Sentence, verb: int) -> bool:
    """True if the subject is one noun phrase with its modifiers, and not a part of something."""
    if WORDS["joining"].intersection(sentence.low[:verb]) or "RB" in sentence.tags[:verb]:
        return False
    if sentence.low[0] in WORDS["personal"]:
        return verb == 1
    end = sentence.phrase_end(0)
    return 0 < end <= verb and sentence.low[end] != "of" and sentence.tags[end - 1] in NOUNS


def _tells_event(sentence: Sentence, verb: int) -> bool:
    """True if a sentence describes an event or a location."""
    low, tags = sentence.low, sentence.tags
    following = tags[verb + 1]
    known = not _is_of_a_kind(sentence)
    helps = low[verb] in WORDS["be"] | WORDS["have"]
    main = verb + 1 if helps and following in ("VBG", "VBN") else verb
    lemmas = {*wordnet().morphy(low[main], "v")}
    if lemmas & WORDS["minds"] or (not helps and _verb_lemma(low[verb], tags[verb]) is None):
        return False
    if low[verb] in WORDS["be"]:
        return following == "VBG" or (following == "IN" and low[verb + 1] != "of") or (following == "VBN" and known)
    if main > verb or known:
        return bool(lemmas)
    if not lemmas or lemmas & WORDS["states"]:
        return False
    if tags[verb] == "VBD":
        return "VBG" not in tags[:verb]  # "a man walking a spotted dog" is no sentence, whatever the tagger says
    return _is_person(sentence) and _is_event(lemmas)


def _is_of_a_kind(sentence: Sentence) -> bool:
    """True if the subject is indefinite, such as "a man" or "dogs"."""
    first = sentence.low[0]
    return first not in WORDS["known"] | WORDS["personal"] and (sentence.tags[0] != "NNP" or _is_common(first))


def _is_common(word: str) -> bool:
    """True if a word is a common noun, capitalised only because it comes first."""
    return any(word in sense.words for sense in wordnet().synsets(word, "n")[:3])


def _is_person(sentence: Sentence) -> bool:
    noun = sentence.low[sentence.phrase_end(0) - 1]
    senses = wordnet().synsets(noun, "n")
    return noun in WORDS["gathered"] or (bool(senses) and senses[0].file in PERSONS)


def _is_event(lemmas: set[str]) -> bool:
    senses = [sense for lemma in lemmas for sense in wordnet().synsets(lemma, "v")[:1]]
    return bool(senses) and all(sense.file in HAPPENS for sense in senses)


def _with_no(tokens: Sequence[Tagged], sentence: Sentence, at: int, verb: int) -> DeniedSentence | None:
    """The sentence with "no" in place of the determiner at `at`."""
    end = sentence.phrase_end(at + 1)
    singular = sentence.low[at] in ("a", "an")
    if end == at + 1 or (sentence.tags[end - 1] in ("NNS", "NNPS")) == singular:
        return None
    if singular and sentence.low[verb] in ("are", "were", "have"):
        return None
    old = tokens[at]
    new = old._replace(text="No" if old.text[0].isupper() else "no", tag="DT")
    return DeniedSentence(
        (Replacement(old.start, old.text, new.text),), _replace_tokens(tokens, at, at + 1, [new]), len(tokens), 0
    )


def _before_plural(tokens: Sequence[Tagged], at: int) -> DeniedSentence:
    """The sentence with "no" before a plural that has no determiner."""
    old = tokens[at]
    if at:
        change = Replacement(old.start, "", "no ")
    else:
        no = "No " if old.text[0].isupper() else "no "
        change = Replacement(old.start, old.text[0], no + old.text[0].lower())
    new = old._replace(text="no", tag="DT")
    return DeniedSentence((change,), _replace_tokens(tokens, at, at, [new]), at, 1)


def _of_there(tokens: Sequence[Tagged], sentence: Sentence) -> DeniedSentence | None:
    """The denial of "There is a man in the park."."""
    if sentence.low[1] not in WORDS["be"] or WORDS["joining"].intersection(sentence.low):
        return None
    if sentence.low[2] in WORDS["some"] or sentence.tags[2] == "CD":
        end = sentence.phrase_end(3)
        return None if sentence.low[end : end + 1] == ("of",) else _with_no(tokens, sentence, 2, 1)
    plain = sentence.tags[2] == "NNS" and sentence.low[3:4] != ("of",)
    return _before_plural(tokens, 2) if plain else None


def _with_not(tokens: Sequence[Tagged], sentence: Sentence, verb: int) -> DeniedSentence | None:
    """The sentence with "not" after its auxiliary; "did" is added if there is none."""
    if any(word in WORDS["joining"] and sentence.tags[k + 1][:1] == "V" for k, word in enumerate(sentence.low[:-1])):
        plain = all(tag not in FINITE for tag in sentence.tags[verb + 1 :]) and sentence.low[verb] in WORDS["be"]
        if not plain:
            return None  # "did not sit and read" would need another form of each
    helper = tokens[verb]
    denies = helper._replace(text="not", tag="RB", start=helper.end, end=helper.end)
    if sentence.low[verb] in WORDS["be"] or (sentence.low[verb] in WORDS["have"] and sentence.tags[verb + 1] == "VBN"):
        denied = _replace_tokens(tokens, verb + 1, verb + 1, [denies])
        return DeniedSentence((Replacement(helper.end, "", " not"),), denied, verb + 1, 1)
    tag = sentence.tags[verb]
    base = _verb_lemma(sentence.low[verb], tag)
    if base is None:
        return None
    did = DID[tag]
    new = [helper._replace(text=did), denies, helper._replace(text=base, tag="VB")]
    change = Replacement(helper.start, helper.text, f"{did} not {base}")
    return DeniedSentence((change,), _replace_tokens(tokens, verb, verb + 1, new), verb + 1, 2)


def _verb_lemma(word: str, tag: str) -> str | None:
    """The lemma of a verb form; None if the word is not that form, so that the tag must be wrong."""
    form = "VB" if tag == "VBP" else tag
    return next((each for each in wordnet().morphy(word, "v") if conjugate(each, form) == word), None)


def _replace_tokens(tokens: Sequence[Tagged], start: int, end: int, new: Sequence[Tagged]) -> tuple[Tagged, ...]:
    return (*tokens[:start], *new, *tokens[end:])
