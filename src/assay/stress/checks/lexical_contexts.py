"""Where a changed word does not give the label that the two words' relation promises."""

from collections.abc import Sequence
from functools import cached_property

from assay.language.analysis import Tagged
from assay.language.categories import Relation
from assay.language.resources import wordnet

NEGATIONS = {
    *("not", "n't", "n\u2019t", "no", "never", "none", "nobody", "nothing", "neither", "nor", "cannot", "nowhere"),
    *("hardly", "barely", "without", "except", "instead", "rather", "lack", "lacks", "lacking", "fail", "fails"),
    *("failed", "refuse", "refuses", "refused", "avoid", "avoids", "avoiding", "nt", "dont", "doesnt", "isnt", "isn"),
}
CONDITIONS = {"if", "whether", "unless", "either", "versus", "vs", "perhaps", "maybe", "possibly", "probably"}
POSSIBLE = {
    *("may", "might", "could", "would", "should", "must", "ought", "can", "will", "seem", "seems", "appears", "appear"),
    *("pretend", "pretends", "pretending", "imagine", "imagines", "want", "wants", "wanted", "hope", "hopes", "wish"),
    *("looks", "supposed", "trying", "tries", "try", "about", "likely", "apparently"),
}
"""What follows these need not be so."""
HABITS = {"sometimes", "often", "usually", "occasionally", "rarely", "seldom", "always", "generally"}
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
EXAMPLES = {"including", "like", "e.g.", "namely"}
COMPARES = {"than", "as", "more", "most", "less", "least", "too", "so", "enough", "how"}
QUESTIONS = {"what", "how", "why", "who", "whom", "which", "whose", "do", "does", "did", "is", "are", "was", "were"} | {
    *("can", "could", "would", "will", "should", "has", "have", "had", "am", "may"),
}
QUOTES = {'"', "``", "''", "\u201c", "\u201d"}
SAYING = {"says", "say", "saying", "reads", "reading", "read", "said", "labeled", "named", "called", "titled", "word"}
"""What follows these may be somebody's words, or a name."""
PARTICLES = {"up", "down", "out", "off", "away", "back", "over"}
NAMES = {"countries", "nationalities", "planets"}
"""Categories whose words have capitals of their own."""
COMMON_TOO = {"china", "turkey", "earth", "jordan", "chile", "mercury", "polish", "wales"}
"""Names that without a capital are something else."""
NOUNS = {"NN", "NNS", "NNP", "NNPS"}
BEFORE_NOUN = NOUNS | {"JJ", "JJR", "JJS", "VBG", "VBN", "CD"}

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
SPELT = {"gray": "grey", "grey": "gray"}


class Spot:
    """A changed word and what stands around it."""

    def __init__(self, tokens: Sequence[Tagged], first: int, last: int, new: str, category: str) -> None:
        sentence = tokens[first].sentence
        start = next(i for i, token in enumerate(tokens) if token.sentence == sentence)
        self.tokens = [token for token in tokens if token.sentence == sentence]
        self.others = [token.text.lower() for i, token in enumerate(tokens) if not first <= i <= last]
        self.first, self.last = first - start, last - start
        self.new = new.lower()
        self.category = category
        self.low = [token.text.lower() for token in self.tokens]

    @cached_property
    def old(self) -> str:
        """The word that was changed, as written, with single blanks."""
        return " ".join(token.text for token in self.tokens[self.first : self.last + 1])

    @property
    def is_verb(self) -> bool:
        """Whether it is a verb."""
        return self.tokens[self.first].tag.startswith("VB")

    def at(self, j: int) -> str:
        """The token at a place in lower case, empty outside of the sentence."""
        return self.low[j] if 0 <= j < len(self.low) else ""

    def tag_at(self, j: int) -> str:
        """The tag at a place, empty outside of the sentence."""
        return self.tokens[j].tag if 0 <= j < len(self.low) else ""

    def before(self, words: set[str]) -> bool:
        """Whether one of the words stands before the place."""
        return not words.isdisjoint(self.low[: self.first])

    @cached_property
    def phrase(self) -> list[str]:
        """The words from the noun phrase's start to the changed word."""
        j = self.first
        while j > 0 and (self.tag_at(j - 1) in BEFORE_NOUN or self.tag_at(j - 1) in ("DT", "PRP$", "PDT", "RB")):
            j -= 1
        return self.low[j : self.first]

    @cached_property
    def head(self) -> str:
        """The noun that the changed word stands before; empty if it stands before none."""
        j = self.last + 1
        while self.tag_at(j) in BEFORE_NOUN:
            j += 1
        return self.at(j - 1) if j - 1 > self.last and self.tag_at(j - 1) in NOUNS else ""


def doubt(spot: Spot, relation: Relation) -> str:
    """Why the label might not hold there; empty if nothing tells so."""
    return (
        _sentence(spot)
        or _in_name(spot)
        or _fixed(spot)
        or ("" if relation == "same" else _scope(spot) or _elsewhere(spot) or _sense(spot))
        or (_among_more(spot) if relation in ("broader", "narrower") else "")
    )


def _sentence(spot: Spot) -> str:
    if spot.low[-1] == "?" or (spot.low[0] in QUESTIONS and spot.tag_at(0) != "NNP"):
        return "in a question"
    if sum(word in QUOTES for word in spot.low[: spot.first]) % 2 or spot.before(SAYING):
        return "in a quotation"
    return ""


def _in_name(spot: Spot) -> str:
    """A part of a longer name: "Michael Jordan", "Red Sox", "Bank of America"."""
    around = (spot.first - 1, spot.last + 1)
    named = any(j > 0 and spot.tag_at(j) in ("NNP", "NNPS") and spot.tokens[j].text[:1].isupper() for j in around)
    of_name = spot.at(spot.first - 1) == "of" and spot.tag_at(spot.first - 2) in ("NNP", "NNPS")
    capital = spot.tokens[spot.first].text[:1].isupper()
    if named or of_name or (spot.first > 0 and capital and spot.category not in NAMES and spot.new.islower()):
        return "in a name"
    if spot.category in NAMES and not capital and spot.old.lower() in COMMON_TOO:
        return "not a name"
    if spot.category == "countries":
        if spot.at(spot.first - 1) == ",":
            return "a place is named that lies there"
        if spot.tag_at(spot.last + 1) in NOUNS | {"POS"}:
            return "before a noun"
    return ""


def _fixed(spot: Spot) -> str:
    if spot.at(spot.first - 1) in {"/", "-", "&", "#"} or spot.at(spot.last + 1) in {"/", "-", "&"}:
        return "part of a compound"
    if spot.is_verb and spot.at(spot.last + 1) == "to":
        return "before what it leads to"  # "stops to eat" is not "stops eating"
    if spot.is_verb and (spot.tag_at(spot.last + 1) == "RP" or spot.at(spot.last + 1) in PARTICLES):
        return "part of a phrasal verb"
    index = wordnet().data.index
    before, following = spot.at(spot.first - 1), spot.at(spot.last + 1)
    if spot.tag_at(spot.last + 1) in NOUNS:
        after = {following, *(wordnet().morphy(following, "n"))}
        old = any(f"{spot.old.lower()}{joint}{each}" in index for each in after for joint in "_-")
        new = any(f"{spot.new}_{each}" in index for each in after)
        if old and not new and spot.head not in PEOPLE:
            return "part of a fixed phrase"
    if (before, spot.old.lower()) in (("close", "together"), ("all", "together"), ("upside", "down")):
        return "part of a fixed phrase"
    if spot.tag_at(spot.first - 1) in BEFORE_NOUN and f"{before}_{spot.old.lower()}" in index:
        return "" if f"{before}_{spot.new}" in index else "part of a fixed phrase"
    return ""


def _scope(spot: Spot) -> str:
    if spot.before(NEGATIONS):
        return "negated"
    near = {*spot.low[max(0, spot.first - 4) : spot.first], *spot.low[spot.last + 1 : spot.last + 5]}
    if spot.before(CONDITIONS) or "or" in near:
        return "a condition or a choice"
    if spot.before(POSSIBLE):
        return "only possible"
    if spot.before(HABITS):
        return "of some, or at some time"
    if spot.at(spot.first - 1) in EXAMPLES or (spot.at(spot.first - 2), spot.at(spot.first - 1)) == ("such", "as"):
        return "one of several examples"
    if spot.tag_at(spot.first)[:2] in ("JJ", "RB") and spot.category.startswith("antonyms"):
        if spot.at(spot.first - 1) in COMPARES or "than" in spot.low[spot.last + 1 : spot.last + 4]:
            return "compared or graded"
        if spot.tag_at(spot.first - 1) in ("CD", "NNS"):
            return "a measure"
    return ""


def _elsewhere(spot: Spot) -> str:
    words = {spot.old.lower(), spot.new, SPELT.get(spot.new, "")}
    text = f" {' '.join(spot.others)} "
    if any(f" {word} " in text for word in words if word):
        return "the old or the new word stands elsewhere in the sentence"
    return ""


def _sense(spot: Spot) -> str:
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


def _among_more(spot: Spot) -> str:
    """A hypernym or a hyponym: what is first or small among some need not be so among more."""
    if not (LIMITS | SIZES).isdisjoint(spot.phrase) or any(word.endswith("est") for word in spot.phrase):
        return "compared with others of its kind"
    if spot.tag_at(spot.last + 1) in NOUNS:
        return "before a noun"
    if spot.new in SEXES and not (MALE | FEMALE).isdisjoint(spot.others):
        return "another word tells the sex"
    return ""
