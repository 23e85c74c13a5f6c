"""Opposite verbs, adverbs and prepositions in running text: who does what, how, and in which direction."""

from assay.language.resources.loaded import wordnet
from assay.stress.checks.contexts import Place
from assay.stress.checks.contexts.words import FINITE, INDEFINITE, NOUNS, THE
from assay.stress.checks.lexical_relations import is_kind_of

SENSE = "perhaps another sense of the word"
LOOSE = "the two words do not exclude each other in every text"
UNKNOWN = "not a known thing"
SOLID = {6, 15, 17, 20, 8}
"""WordNet's files of artefacts, places, natural objects, plants and body parts."""
ACTORS = ("person.n.01", "animal.n.01", "people.n.01")
SOMEBODY = {"i", "he", "she", "we", "they", "you", "who", "everyone", "people"}
TASTES = {"love", "like", "enjoy", "adore", "hate", "dislike", "despise"}
BODIES = {"sit", "stand", "lie", "kneel", "laugh", "smile", "frown", "scowl", "walk", "run", "crawl", "whisper"} | {
    *("shout", "yell", "inhale", "exhale"),
}
"""What a person does with the body, without an object."""
DEEDS = {
    "accept",
    "reject",
    "refuse",
    "remember",
    "forget",
    "attack",
    "defend",
    "ascend",
    "descend",
    "lift",
    "lower",
} | {
    *("enter", "leave", "agree", "disagree", "load", "unload", "win", "lose", "open", "close", "shut", "buy", "sell"),
    *("increase", "decrease", "rise", "fall", "arrive", "depart", "inflate", "deflate", "tighten", "loosen"),
}
"""What happens once, so that the opposite did not happen then."""
WITH_THING = {
    "enter",
    "leave",
    "lift",
    "lower",
    "open",
    "close",
    "shut",
    "buy",
    "sell",
    "load",
    "unload",
    "win",
    "lose",
}
"""Verbs whose object must be a thing, a place or a contest."""
MOVING = {
    *("go", "come", "walk", "run", "ride", "drive", "jump", "climb", "step", "move", "fly", "march", "rush", "hurry"),
    *("leap", "lean", "turn", "head", "crawl", "sail", "swim", "drag", "push", "pull", "throw", "dive", "stumble"),
}
HOW = {
    "quickly",
    "slowly",
    "rapidly",
    "loudly",
    "quietly",
    "silently",
    "carefully",
    "carelessly",
    "calmly",
    "angrily",
} | {
    *("gently", "roughly", "patiently", "impatiently", "upstairs", "downstairs", "forward", "backward", "backwards"),
    *("forwards", "indoors", "outdoors"),
}
"""Adverbs of how and where something was done."""


def verb(place: Place) -> str:
    """Why a verb may leave room for its opposite; empty if somebody did the one."""
    lemma = next(iter(wordnet().morphy(place.word, "v")), place.word)
    subject = _subject(place)
    following = place.tag_at(place.i + 1)
    if place.tag not in FINITE or subject < 0:
        return "not said of a subject"
    if lemma in TASTES:
        known = place.at(subject) in SOMEBODY or place.tag_at(subject) == "NNP"
        return "" if known and following in ("DT", "PRP", "PRP$", "NNP", "NN", "NNS", "JJ") else UNKNOWN
    if place.tag != "VBD":
        return "of a kind in general"
    if lemma in BODIES:
        moves = following in ("IN", "TO", "RB", ".", "CC", "") or (following == "," and lemma != "cry")
        someone = (
            place.at(subject) in SOMEBODY or is_kind_of(place.at(subject), ACTORS) or place.tag_at(subject) == "NNP"
        )
        return "" if someone and moves and place.at(place.i + 1) not in ("for", "of", "as", "by") else SENSE
    if lemma not in DEEDS:
        return LOOSE
    if lemma in WITH_THING and following not in ("DT", "PRP$", "PRP"):
        return SENSE
    if lemma in ("leave", "enter", "open", "close", "lift", "lower") and place.file(_object(place)) not in SOLID:
        return SENSE
    return ""


def direction(place: Place, last: int) -> str:
    """Why a preposition may say something else than where or whither; empty if a thing follows that is known."""
    noun = _object(place, last)
    if place.file(noun) not in SOLID and place.tag_at(noun) != "PRP" and not is_kind_of(place.at(noun), ACTORS):
        return SENSE
    if not (place.defines(last + 1) or place.at(last + 1) in INDEFINITE or place.tag_at(last + 1) == "PRP"):
        return SENSE
    if place.at(noun + 1) == "of" or (place.at(place.i), place.at(noun)) in (("under", "system"), ("under", "sun")):
        return SENSE
    if place.word in ("into", "out", "toward", "towards", "away", "up", "down"):
        moves = any(not MOVING.isdisjoint(wordnet().morphy(place.at(j), "v")) for j in range(place.i - 3, place.i))
        return "" if moves and place.happened else SENSE
    if place.word in ("under", "above", "below", "on") and place.file(noun) not in (6, 17, 20):
        return SENSE
    return "" if place.happened or place.at(place.verb) in ("is", "are", "stands", "lies", "sits") else UNKNOWN


def manner(place: Place) -> str:
    """Why an adverb may leave room for its opposite; empty if it says how one thing was done."""
    if place.word not in HOW or place.at(place.i - 1) in ("as", "so", "how", "too", "more", "most", "look", "looking"):
        return LOOSE
    if not place.happened or place.tag_at(place.i + 1) in ("JJ", "VBN", "RB", "NN"):
        return UNKNOWN
    if place.word.startswith(("forward", "backward")):
        moves = any(not MOVING.isdisjoint(wordnet().morphy(place.at(j), "v")) for j in range(place.i - 3, place.i))
        return "" if moves else SENSE
    return ""


def _subject(place: Place) -> int:
    """The place of the noun or pronoun that the verb is said of; -1 if none stands right before it."""
    j = place.over_adverbs(place.i - 1)
    if place.tag_at(j) == "PRP" or place.at(j) in SOMEBODY or place.tag_at(j) == "NNP":
        return j
    if place.tag_at(j) not in NOUNS:
        return -1
    first = j
    while place.tag_at(first) in NOUNS | {"JJ", "CD", "VBN", "VBG"}:
        first -= 1
    return j if place.at(first) in THE | INDEFINITE or place.defines(first) else -1


def _object(place: Place, last: int = -1) -> int:
    """The place of the noun that ends the phrase after the word."""
    j = (last if last >= 0 else place.i) + 1
    while place.tag_at(j + 1) in NOUNS | {"JJ", "VBN", "CD"} and place.tag_at(j) in NOUNS | {
        "DT",
        "JJ",
        "PRP$",
        "VBN",
        "CD",
    }:
        j += 1
    return j
