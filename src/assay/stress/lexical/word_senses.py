"""Contexts in which a changed word has another sense than its category assumes, or clashes with other words."""

from functools import cache

from assay.language.numbers.number_words import value_of
from assay.language.resources.data import load_toml, load_words, table
from assay.language.resources.installed import wordnet
from assay.language.words.wordnet_relations import is_kind_of
from assay.stress.antonymy.antonym_contexts import is_opposed_of
from assay.stress.contexts.token_context import NOUNS
from assay.stress.lexical.lexical_relations import ChangedWord

WORDS = load_words(__file__)


SEXES = {**dict.fromkeys(WORDS["men"], WORDS["male"]), **dict.fromkeys(WORDS["women"], WORDS["female"])}
"""Words that tell a sex, and words elsewhere that would tell the same."""
PEOPLE = WORDS["young_ones"] | WORDS["people"]
GROWN_AT = 13
"""The age, in years, from which nobody is called a child."""


ODD_PAIRS = {("same", "different"), ("different", "same"), ("busy", "idle"), ("stop", "start"), ("clean", "dirty")}
"""Opposites that do not fit where captions use them: "the different stick", "an idle street"."""
GOES_WITH = load_toml(__file__, "goes_with", dict[str, dict[str, frozenset[str]]])
"""Words of several senses: with which nouns each new word is of the sense that is meant; `@` names a list of words."""


@cache
def _nouns_with(old: str, new: str) -> frozenset[str]:
    nouns = GOES_WITH[old][new]
    return nouns.union(*(WORDS[noun[1:]] for noun in nouns if noun[0] == "@"))


NEVER_WITH = {
    "fix": {"hair", "makeup", "food", "meal", "dinner", "lunch", "breakfast", "drink", "drinks", "tie", "dress"},
    "into": {"air", "camera", "cameras", "distance", "microphone", "microphones", "microscope", "telescope", "sky"},
    "under": WORDS["never_under"],
}
"""Nouns after which, or with which, a word means something else."""
IN_AND_OUT = {
    (particle, other) for particle in ("out", "in", "back", "up", "down", "off") for other in ("into", "out of")
}
IN_THE_WAY = {("out of", "way"), ("into", "way"), ("out of", "hand"), ("out of", "control"), ("out of", "order")}
COUNTED_YEARS = {"old": {"new"}}
"""New words that never describe persons."""
ACTORS = ("person.n.01", "animal.n.01", "people.n.01", "gathering.n.01", "social_group.n.01")


def doubt_of_word_sense(spot: ChangedWord) -> str:
    """The reason why an ambiguous word, opposite or synonym may not have the intended sense."""
    if not spot.category.startswith(("antonyms", "synonyms")):
        return ""
    before = spot.at(spot.first - 1)
    if spot.old.lower() == "many" and before in WORDS["grades"]:
        return "part of a fixed phrase"
    if spot.old.lower().startswith("far") and spot.tag_at(spot.last + 1) == "JJ" and not spot.head:
        return "the word may have another sense here"  # "far from happy"
    if before in WORDS["be"] and spot.new.endswith("ly") and spot.tag_at(spot.first).startswith("RB"):
        return "the word may have another sense here"  # "is fast" is said of a thing, "slowly" of what it does
    pos = "v" if spot.is_verb else "a"
    lemmas = {spot.old.lower(), *wordnet().morphy(spot.old.lower(), pos)}
    news = {spot.new, *wordnet().morphy(spot.new, pos)}
    nouns = _said_of(spot)
    for lemma in lemmas:
        fitting = [_nouns_with(lemma, new) for new in news & GOES_WITH.get(lemma, {}).keys()]
        if any(nouns.isdisjoint(each) for each in fitting) or spot.object_head in NEVER_WITH.get(lemma, ()):
            return "the word may have another sense here"
        if not news.isdisjoint(COUNTED_YEARS.get(lemma, ())) and any(is_kind_of(noun, ACTORS) for noun in nouns):
            return "the word may have another sense here"
        if not spot.is_verb and not any(is_opposed_of(lemma, new, nouns) for new in news):
            return "the word may have another sense here"
    if spot.is_verb and "work" in lemmas and spot.tag_at(spot.last + 1) == "IN":
        return "the word may have another sense here"  # who works on a car does not rest on it
    if (before, spot.old.lower()) in IN_AND_OUT or (spot.old.lower(), spot.object_head) in IN_THE_WAY:
        return "part of a fixed phrase"
    if spot.old.lower() == "into" and not WORDS["looking"].isdisjoint(wordnet().morphy(before, "v")):
        return "the word may have another sense here"
    if not WORDS["worn"].isdisjoint(lemmas) and spot.tag_at(spot.first) in ("VBN", "VBD", "JJ"):
        return "the words are not opposites in this place"
    return ""


def _said_of(spot: ChangedWord) -> set[str]:
    """The nouns that the word may apply to: its object or the noun it modifies, else those shortly before it."""
    if spot.is_verb:
        return {spot.object_head}
    if spot.head:
        return {spot.head, spot.at(spot.last + 1)}
    near = range(max(0, spot.first - 4), spot.first)
    return {spot.at(spot.last + 1), *(spot.at(j) for j in near if spot.tag_at(j) in NOUNS)}


def another_sense(spot: ChangedWord) -> str:
    """The reason why the word may have another sense in this context, or the new word would clash with the text."""
    old, category = spot.old.lower(), spot.category
    if category == "ordinals":
        if spot.at(spot.first - 1) in ("a", "an") or not spot.head or not WORDS["counted_out"].isdisjoint(spot.others):
            return "not a place in an order"
    elif category == "colors":
        if spot.head in PEOPLE and len({old, spot.new} & WORDS["races"]) == 1:
            return "said of persons"
        if spot.at(spot.first - 1) in ("a", "an") and not spot.head:
            return "not a color"
    elif category == "drinks":
        near = {*spot.low[max(0, spot.first - 4) : spot.first], spot.at(spot.last + 1)}
        if old == "water" and near.isdisjoint(WORDS["drinking"]):
            return "not a drink"
    elif category.startswith("antonyms"):
        return _doubt_of_clash(spot)
    return ""


def _doubt_of_clash(spot: ChangedWord) -> str:
    old = spot.old.lower()
    if spot.is_verb and not WORDS["postures"].isdisjoint(wordnet().morphy(old, "v")) and not _has_actor(spot):
        return "said of things"
    if spot.at(spot.first - 1) in WORDS["units"]:
        return "a measure"
    if old in ("dressed", "clothed") and not spot.head:
        return "with what is worn"
    if (old, spot.new) in ODD_PAIRS or (old in WORDS["particles"] and spot.category == "antonyms_wordnet"):
        return "the words are not opposites in this place"
    if (old, spot.at(spot.first - 1)) == ("few", "a") or old == "tops":
        return "the words are not opposites in this place"
    same_sex = {word for word, tells in SEXES.items() if tells is SEXES.get(old)}
    told = SEXES.get(old, set()) | (same_sex - {old} if old not in WORDS["general_sexes"] else set())
    if old in SEXES and (not told.isdisjoint(spot.others) or {"another", "other"} & set(spot.phrase)):
        return "another word states the sex"
    if spot.at(spot.last + 1).startswith(("fashion", "school", "time")):
        return "part of a fixed phrase"
    following = {spot.head, *(spot.at(spot.last + k) for k in (1, 2, 3))}
    if old in WORDS["ages"] and (not WORDS["young_ones"].isdisjoint(following) or not spot.head):
        return "another word states the age"
    if old in WORDS["sizes"] and spot.head in WORDS["small_ones"]:
        return "" if spot.new in ("big", "small", "little", "tall", "short") else "another word states the age"
    return ""


def _has_actor(spot: ChangedWord) -> bool:
    """True if a person or an animal is named before the place."""
    before = spot.low[: spot.first]
    return not WORDS["pronouns"].isdisjoint(before) or any(
        spot.tag_at(j) in NOUNS and spot.tag_at(j + 1) not in NOUNS and is_kind_of(word, ACTORS)
        for j, word in enumerate(before)
    )


def other_kinds(spot: ChangedWord) -> str:
    """The reason why a broader or narrower noun may not follow: "first" among few may not be so among more."""
    return "a comparison with others of its kind" if not WORDS["limits"].isdisjoint(spot.phrase) else graded_kinds(spot)


def graded_kinds(spot: ChangedWord) -> str:
    """The same for graded words, and for nouns that may mean some or all of a kind."""
    if spot.new in ("child", "children") and (not WORDS["grown"].isdisjoint(spot.others) or _is_of_age(spot)):
        return "another word states the age"
    if not WORDS["unreal"].isdisjoint(spot.phrase):
        return "may not be a real one"  # "a bronze lion"
    if not WORDS["sizes"].isdisjoint(spot.phrase) or any(word.endswith("est") for word in spot.phrase):
        return "a comparison with others of its kind"
    if spot.tag_at(spot.last + 1) in NOUNS:
        return "before a noun"
    if spot.old.lower() == "orange" and not {"a", "an", "the"} & set(spot.phrase):
        return "the word may have another sense here"
    if spot.new in SEXES and not (WORDS["male"] | WORDS["female"]).isdisjoint(spot.others):
        return "another word states the sex"
    return ""


def _is_of_age(spot: ChangedWord) -> bool:
    """True if the text gives an age above twelve: "a nineteen-year-old girl", "a girl of 17"."""
    near = [part for j in range(max(0, spot.first - 6), spot.first + 4) for part in spot.at(j).split("-")]
    values = (value_of(part) if part.isalpha() else int(part) if part.isdecimal() else None for part in near)
    return any(value is not None and GROWN_AT <= value < 100 for value in values)


STEM = 4
"""The number of letters that two words share if one tells the other: a drummer plays drums."""


def tells_kind(spot: ChangedWord) -> bool:
    """True if other words of the text imply the narrower kind: "it barks", "her", "his beard"."""
    old = spot.old.lower()
    if not SEXES.get(old, set()).isdisjoint(spot.others):
        return True
    lemmas = {old, *wordnet().morphy(old, "n")}
    tells = tuple(each for lemma in lemmas for each in table("kind_evidence", __file__).get(lemma, ()))
    if not lemmas.isdisjoint(spot.others):
        return True
    if len(old) >= STEM:
        tells += (old[:STEM],)
    return bool(tells) and any(word.startswith(tells) for word in spot.others)
