"""Where a changed word means something else than its category says, or clashes with what else is said."""

from assay.language.resources import wordnet
from assay.stress.checks.lexical_spot import NOUNS, Spot

LIMITS = {"only", "every", "each", "all", "any", "most", "few", "fewer", "first", "last", "next", "same", "favorite"}
"""What is true of these among some things need not be true of them among more."""
SIZES = {
    "big",
    "large",
    "small",
    "little",
    "tiny",
    "huge",
    "tall",
    "short",
    "giant",
    "enormous",
    "fast",
    "slow",
    "heavy",
}
"""A small elephant is no small animal."""

MALE = {"he", "him", "his", "himself", "beard", "bearded", "mustache", "shirtless", "husband", "father", "son", "mr."}
FEMALE = {
    "brunette",
    "blonde",
    "she",
    "her",
    "hers",
    "herself",
    "pregnant",
    "dress",
    "skirt",
    "bikini",
    "ponytail",
    "wife",
    "mother",
} | {
    *("daughter", "bra", "breasts", "mrs.", "ms.", "miss"),
}
SEXES = {
    **dict.fromkeys(("man", "men", "boy", "boys", "male", "males", "guy", "guys", "gentleman", "gentlemen"), MALE),
    **dict.fromkeys(("father", "dad", "husband", "son", "brother", "uncle", "grandfather", "king", "groom"), MALE),
    **dict.fromkeys(("boyfriend", "actor", "waiter", "prince", "policeman", "cowboy", "fathers", "brothers"), MALE),
    **dict.fromkeys(
        ("woman", "women", "girl", "girls", "female", "females", "lady", "ladies", "mother", "mom"), FEMALE
    ),
    **dict.fromkeys(("wife", "daughter", "sister", "aunt", "grandmother", "queen", "bride", "girlfriend"), FEMALE),
    **dict.fromkeys(("actress", "waitress", "princess", "policewoman", "cowgirl", "mothers", "sisters"), FEMALE),
}
"""Words that tell a sex, and words elsewhere that would tell the same."""
YOUNG_ONES = {"boy", "boys", "girl", "girls", "child", "children", "kid", "kids", "baby", "babies", "toddler"} | {
    *("toddlers", "infant", "teen", "teens", "teenager", "teenagers", "puppy", "puppies", "kitten", "lady", "ladies"),
}
AGES = {"young", "old", "elderly", "aged", "adult", "younger", "older", "youngest", "oldest"}
PEOPLE = YOUNG_ONES | {
    *(
        "man",
        "men",
        "woman",
        "women",
        "person",
        "people",
        "guy",
        "guys",
        "male",
        "males",
        "female",
        "females",
        "couple",
    ),
    *("gentleman", "gentlemen", "student", "students", "family", "player", "players", "dude", "adult", "adults"),
}
RACES = {"black", "white"}
DRINKING = {"drink", "drinks", "drinking", "drank", "sip", "sips", "sipping", "pour", "pours", "pouring", "glass"} | {
    *("glasses", "bottle", "bottles", "cup", "cups", "mug", "mugs", "pitcher", "jug", "can", "cans"),
}
"""Where water is a drink."""


COUNTED_OUT = {"one", "another", "two", "three", "other", "first", "second"}
"""Where these stand elsewhere, an ordinal tells apart those who are spoken of."""
ODD_PAIRS = {("same", "different"), ("different", "same"), ("busy", "idle"), ("stop", "start"), ("clean", "dirty")}
"""Opposites that do not fit where captions use them: "the different stick", "an idle street"."""
HAIR = {"hair", "beard"}
COLORED = HAIR | {
    *("skin", "color", "colors", "shirt", "shirts", "clothing", "clothes", "jacket", "coat", "pants", "suit", "dress"),
    *("blue", "green", "brown", "red", "gray", "grey", "purple", "pink", "colored", "haired", "skinned"),
}
WEIGHED = {"load", "loads", "rain", "snow", "traffic", "box", "boxes", "bag", "bags", "backpack"}
LONG_THINGS = HAIR | {
    *("sleeve", "sleeves", "sleeved", "dress", "dresses", "skirt", "skirts", "coat", "pants", "rope", "line", "lines"),
    *("walk", "distance", "haired", "stick", "pole", "board", "trip", "ride", "hallway", "tail", "socks", "ponytail"),
}
HARD_TO_DO = {
    "task",
    "tasks",
    "game",
    "question",
    "questions",
    "problem",
    "problems",
    "test",
    "exam",
    "trail",
    "course",
}
HARD_TO_TOUCH = {"surface", "ground", "floor", "bed", "chair", "mattress", "seat", "bench", "ball", "snow"}
KEPT = {"key", "keys", "wallet", "phone", "purse", "dog", "cat", "ring", "glasses", "ball", "toy"}
GOES_WITH: dict[str, dict[str, set[str]]] = {
    "light": {"dark": COLORED, "bright": set(), "heavy": WEIGHED},
    "short": {"tall": PEOPLE | {"building", "buildings", "tree", "trees", "grass"}, "long": LONG_THINGS},
    "hard": {"easy": HARD_TO_DO, "difficult": HARD_TO_DO, "soft": HARD_TO_TOUCH},
    "lose": {"find": KEPT, "win": {"game", "games", "match", "race", "fight", "contest", "championship"}},
    "find": {"lose": KEPT},
    "calm": {"angry": PEOPLE, "mad": PEOPLE},
    "single": {"married": PEOPLE},
    "straight": {"curly": HAIR},
    "full": {"hungry": set()},
    "old": {"young": PEOPLE | {"dog", "dogs", "cat", "cats", "horse", "horses", "tree", "trees", "fellow"}},
}
"""Words of several senses: with which nouns each new word is of the sense that is meant."""
COUNTED_YEARS = {"old": {"new"}}
"""New words that are never said of persons."""


def wrong_sense(spot: Spot) -> str:
    """Why a word of several senses, an opposite or a synonym, may not have the one that is meant."""
    if not spot.category.startswith(("antonyms", "synonyms")):
        return ""
    pos = "v" if spot.is_verb else "a"
    for lemma in {spot.old.lower(), *wordnet().morphy(spot.old.lower(), pos)}:
        senses = GOES_WITH.get(lemma, {})
        for new in {spot.new, *wordnet().morphy(spot.new, pos)} & senses.keys():
            noun = spot.object_head if spot.is_verb else spot.head
            if noun not in senses[new] and spot.at(spot.last + 1) not in senses[new]:
                return "perhaps another sense of the word"
        if spot.new in COUNTED_YEARS.get(lemma, ()) and spot.head in PEOPLE:
            return "perhaps another sense of the word"
    return ""


def another_sense(spot: Spot) -> str:
    """Why the word may mean something else there, or why the new one would clash with what else is said."""
    old, category = spot.old.lower(), spot.category
    if category == "ordinals":
        if spot.at(spot.first - 1) in ("a", "an") or not spot.head or not COUNTED_OUT.isdisjoint(spot.others):
            return "not a place in an order"
    elif category == "colors":
        if spot.head in PEOPLE and (old in RACES or spot.new in RACES) and not {old, spot.new} <= RACES:
            return "said of persons"
    elif category == "drinks":
        near = {*spot.low[max(0, spot.first - 4) : spot.first], spot.at(spot.last + 1)}
        if old == "water" and near.isdisjoint(DRINKING):
            return "not a drink"
    elif category.startswith("antonyms"):
        return _clash(spot)
    return ""


def _clash(spot: Spot) -> str:
    old = spot.old.lower()
    if old in ("dressed", "clothed") and not spot.head:
        return "with what is worn"
    if (old, spot.new) in ODD_PAIRS:
        return "not opposites there"
    if old in SEXES and (not SEXES[old].isdisjoint(spot.others) or {"another", "other"} & set(spot.phrase)):
        return "another word tells the sex"
    if spot.at(spot.last + 1).startswith(("fashion", "school", "time")):
        return "part of a fixed phrase"
    following = {spot.head, *(spot.at(spot.last + k) for k in (1, 2, 3))}
    if old in AGES and (not YOUNG_ONES.isdisjoint(following) or not spot.head):
        return "another word tells the age"
    if old in SIZES and spot.head in ("boy", "girl", "kid", "child", "baby", "boys", "girls", "kids", "children"):
        return "" if spot.new in ("big", "small", "little", "tall", "short") else "another word tells the age"
    return ""


def other_kinds(spot: Spot) -> str:
    """A hypernym or a hyponym: what is first or small among some need not be so among more."""
    if not (LIMITS | SIZES).isdisjoint(spot.phrase) or any(word.endswith("est") for word in spot.phrase):
        return "compared with others of its kind"
    if spot.tag_at(spot.last + 1) in NOUNS:
        return "before a noun"
    if spot.new in SEXES and not (MALE | FEMALE).isdisjoint(spot.others):
        return "another word tells the sex"
    return ""
