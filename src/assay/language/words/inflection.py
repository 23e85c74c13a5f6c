"""Giving a word the form of another: number, degree, tense, capitals, and the article before it."""

import re
import unicodedata
from functools import cache

from assay.core.edit import Replacement
from assay.language.resources.data import load_words, table, word_list
from assay.language.text.tokens import is_shouted

WORDS = load_words(__file__)

PLURAL_TAGS = {"NNS", "NNPS"}
DEGREE_TAGS = {"JJR": 0, "RBR": 0, "JJS": 1, "RBS": 1}
"""Tags of comparatives and superlatives, and which of the two forms they need."""
VERB_TAGS = {"VBD", "VBG", "VBN", "VBP", "VBZ"}


_ENDINGS = ("er", "est")
_SILENT = re.compile(r"(?:(?<=[gq])ue|(?<![^aeiouy]l)e)$|e(?=ly$)")
_SYLLABLE = re.compile(r"[aeiouy]+")
_DOUBLES = re.compile(r"^[^aeiou]*(?:qu)?[aeiou][bdgklmnprt]$")
_TAKES_ENDING = re.compile(r"(?:[^aeiou]y|[^aeiou]le|ow)$")
_TAKES_NONE = re.compile(r"(?:ing|ed|able|ible|ous)$")
_MASS = re.compile(r"(?:ness|ism)$")
_PLURAL_ALREADY = re.compile(r"(?:[bcdfgklmnprtvw]|e)s$")

ROOM = 40
"""The number of characters searched for the article of a word, so that each place of a long text costs the same."""
_ARTICLE = re.compile(r"(?<![\w'\u2019.-])([Aa][Nn]?)\s+[\"'`\u2018\u201c(\[]*$")
_EIGHT_OR_ELEVEN = re.compile(r"8[\d,]*|1[18](?:,?\d{3})*|1[18]\d\d")
"""Numbers whose name begins with eight, eighteen or eleven; 1850 is read as a year."""
_SPEAKABLE = re.compile(
    r"(?:[bcdfghjklmnpqrstvwxyz]|[bcfgkps]l|[bcdfgkpt]r|s[cklmnpqtw]|s[cpt]r|[cpstw]h|th|shr|thr|tw|wr|kn|dw)?[aeiouy]"
)
_VOWEL_SOUND = re.compile(
    r"""
      (?!eu|ew|ouija|once|one(?!ir|ro)|uyghur               # European, one-off
        |uni(?!m|n|d(?:en|ea)|ll|rr)|unanim|unary|us[aeiu]|unesco|ut[aeio](?!f)
        |ubiq|uf?o$|ufol|ugand|uk[eur]|ur[aeiou]|uvul )  # a unit, but an unimportant one; a user
      [aeiou]
    | hour|honest|honou?r|heir|homage|herbs?$|herbal|hors$   # silent h
    | y[bcdfgklmnprstvz] | xmas
    """,
    re.VERBOSE,
)


def inflect_like(word: str, tag: str, lemma: str) -> str | None:
    """The lemma in the form of the word that it replaces; None if a single word can't take that form.

    Nouns and adjectives are inflected; a verb form gives None, because its lemma would not fit.

    >>> inflect_like("Men", "NNS", "woman"), inflect_like("BIGGEST", "JJS", "small")
    ('Women', 'SMALLEST')
    >>> inflect_like("best", "JJS", "worst")
    'worst'
    >>> inflect_like("easier", "JJR", "difficult")
    """
    shaped: str | None = lemma
    if tag in PLURAL_TAGS:
        shaped = make_plural(lemma)
    elif tag in DEGREE_TAGS and word.lower() not in WORDS["not_graded"]:
        shaped = with_degree(lemma, tag)
    elif tag in VERB_TAGS:
        shaped = None
    return None if shaped is None else capitals_of(word, shaped)


def capitals_of(word: str, other: str) -> str:
    """`other` with the capitals of `word`; capitals inside a word, as in "iPhone", are not carried over.

    >>> [capitals_of(word, "day") for word in ("NIGHT", "Night", "night", "iNight", "N")]
    ['DAY', 'Day', 'day', 'day', 'Day']
    """
    if len(word) > 1 and word.isupper():
        return other.upper()
    if word[:1].isupper() and (len(word) == 1 or word.istitle() or word[1:].islower()):
        return other[:1].upper() + other[1:]
    return other


@cache
def make_plural(noun: str) -> str | None:
    """The plural of a noun; None if it has none, such as "information".

    >>> [make_plural(noun) for noun in ("child", "city", "boss", "wife", "sheep", "photo", "Monday", "advice")]
    ['children', 'cities', 'bosses', 'wives', 'sheep', 'photos', 'Mondays', None]
    """
    folded = noun.lower()
    if folded in word_list("mass_nouns"):
        return None
    if noun in word_list("same_plurals"):
        return noun
    irregular = table("irregular_plurals")
    if folded in irregular:
        return noun[:1] + irregular[folded][0][1:]
    for end, (ending,) in irregular.items():
        if end[0] == "-" and folded.endswith(end[1:]):
            return noun[: 1 - len(end)] + ending
    return None if _MASS.search(folded) else _regular_plural(noun)


def _regular_plural(noun: str) -> str:
    if re.search(r"(?:[^aeiou]|qu)y$", noun) and noun.islower():
        return noun[:-1] + "ies"
    if noun.endswith("sis") and len(noun) > 4:
        return noun[:-2] + "es"
    if _PLURAL_ALREADY.search(noun):
        return noun
    return noun + ("es" if noun.endswith(("s", "x", "z", "ch", "sh")) else "s")


@cache
def with_degree(adjective: str, tag: str) -> str | None:
    """The comparative (JJR, RBR) or superlative (JJS, RBS), or None if English uses "more" or "most".

    >>> [with_degree(word, "JJR") for word in ("big", "nice", "happy", "grey", "good", "shallow", "careful", "wrong")]
    ['bigger', 'nicer', 'happier', 'greyer', 'better', 'shallower', None, None]
    >>> with_degree("bad", "JJS")
    'worst'
    """
    degree = DEGREE_TAGS[tag]
    if adjective in WORDS["graded"]:
        return adjective
    irregular = table("irregular_degrees").get(adjective)
    if irregular:
        return irregular[degree] if irregular[degree] != "-" else None
    # the e of "nice" is not a syllable, that of "able" is
    syllables = len(_SYLLABLE.findall(_SILENT.sub("", adjective)))
    takes_ending = syllables == 1 or (syllables == 2 and _TAKES_ENDING.search(adjective))
    if not takes_ending or _TAKES_NONE.search(adjective):
        return None
    return _drop_e(adjective) + _ENDINGS[degree]


def _drop_e(adjective: str) -> str:
    if adjective.endswith("e"):
        return adjective[:-1]
    if re.search(r"[^aeiou]y$", adjective):
        return adjective[:-1] + "i"
    return adjective + adjective[-1] if _DOUBLES.search(adjective) else adjective


@cache
def article_for(word: str) -> str:
    """The indefinite article before a word, by how the word sounds.

    >>> [article_for(word) for word in ("hour", "university", "MRI", "one-off", "8th", "18-year-old", "NATO")]
    ['an', 'a', 'an', 'a', 'an', 'an', 'a']
    """
    plain = unicodedata.normalize("NFD", word).encode("ascii", "ignore").decode().lstrip("\"'`([{$")
    if number := re.match(r"\d[\d,]*", plain):
        return "an" if _EIGHT_OR_ELEVEN.fullmatch(number.group().rstrip(",")) else "a"
    letters = re.split(r"[^A-Za-z']", plain, maxsplit=1)[0]
    if _is_spelled(letters):
        return "an" if letters[0].lower() in "aefhilmnorsx" else "a"
    return "an" if _VOWEL_SOUND.match(letters.lower()) else "a"


def _is_spelled(letters: str) -> bool:
    """True if a word is read letter by letter: "X" of "X-ray", "FBI", "html", but not "NATO" or a shouted "MAN"."""
    if len(letters) < 2 or letters in word_list("acronyms"):
        return bool(letters)
    if letters.isupper():
        return not _SPEAKABLE.match(letters.lower())
    return not re.search(r"[aeiouy]", letters.lower()) and letters.lower() not in WORDS["read_out"]


def article_repair(text: str, place: int, new_word: str) -> Replacement | None:
    """The change to the "a" or "an" directly before `place` that the new word needs; None if the article fits.

    >>> article_repair("It was a bad plan.", 9, "honest")
    Replacement(start=7, old='a', new='an')
    >>> article_repair("It was a bad plan.", 9, "good")
    """
    article = _ARTICLE.search(text, max(0, place - ROOM), place)
    if not article:
        return None
    old = article[1]
    wanted = article_for(new_word)
    if old.lower() == wanted or (old == "A" and not _may_start(text, article.start(1))):
        return None
    if old[0] == "A":
        wanted = wanted.upper() if is_shouted(text) else wanted.capitalize()
    return Replacement(article.start(1), old, wanted)


def _may_start(text: str, place: int) -> bool:
    """True if a capital A at `place` can be the article: "A man", not "vitamin A"."""
    before = text[max(0, place - ROOM) : place].rstrip()
    return is_shouted(text) or not before or not (before[-1].isalnum() or before[-1] == ",")


CONJUGATION_TAGS = ("VB", "VBZ", "VBG", "VBD", "VBN")
"""Base (also VBP), third person, present participle, past, past participle."""


_CONSONANT_Y = re.compile(r"[^aeiou]y$")
_HISSES = re.compile(r"(?:s|x|z|ch|sh|[^aeiou]o)$")


@cache
def conjugate(lemma: str, tag: str) -> str:
    """A form of a verb; in a verb of several words, the first is inflected.

    >>> [conjugate("stop", tag) for tag in ("VB", "VBZ", "VBG", "VBD", "VBN")]
    ['stop', 'stops', 'stopping', 'stopped', 'stopped']
    >>> conjugate("lie down", "VBG"), conjugate("carry", "VBZ"), conjugate("eat", "VBN"), conjugate("hug", "VBD")
    ('lying down', 'carries', 'eaten', 'hugged')
    """
    verb, blank, rest = lemma.partition(" ")
    if tag == "VBZ":
        shaped = _third_person(verb)
    elif tag == "VBG":
        shaped = _present_participle(verb)
    elif tag in ("VBD", "VBN"):
        irregular = table("irregular_verbs").get(verb)
        shaped = irregular[tag == "VBN"] if irregular else _past_tense(verb)
    else:
        shaped = verb
    return shaped + blank + rest


def _third_person(verb: str) -> str:
    if verb == "have":
        return "has"
    if _CONSONANT_Y.search(verb):
        return verb[:-1] + "ies"
    return verb + ("es" if _HISSES.search(verb) else "s")


def _present_participle(verb: str) -> str:
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "ye", "oe")) and len(verb) > 2:
        return verb[:-1] + "ing"
    return _double_consonant(verb) + "ing"


def _past_tense(verb: str) -> str:
    if verb.endswith("e"):
        return verb + "d"
    if _CONSONANT_Y.search(verb):
        return verb[:-1] + "ied"
    return _double_consonant(verb) + "ed"


def _double_consonant(verb: str) -> str:
    ends = _DOUBLES.search(verb) or verb in WORDS["doubling"]
    return verb + verb[-1] if ends else verb
