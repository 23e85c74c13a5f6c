"""What adjectives, adverbs and amounts need."""

from assay.language.resources.data import word_list
from assay.language.resources.loaded import wordnet
from assay.stress.checks.contexts import Place
from assay.stress.checks.contexts.predicates import said
from assay.stress.checks.contexts.words import BE, INDEFINITE, NOUNS, PLURALS, THE
from assay.stress.checks.lexical_relations import is_kind_of
from assay.stress.checks.synonyms.words import PERSON, SOLID, SPOT, telling


def sized(place: Place, last: int) -> bool:
    if place.tag_at(last) in ("JJR", "JJS") and place.contrast.new.startswith("very"):
        return False
    if place.head < 0:
        return said(place) is not None and place.at(last + 1) not in ("enough", "on", "in", "as", "of")
    head = place.at(place.head)
    if place.word == "ancient" and (place.file(place.head) not in SOLID or place.tag_at(last + 1) not in NOUNS):
        return False
    return head not in telling("big_deals") and place.tag_at(place.i - 1) not in NOUNS


def small(place: Place, _: int) -> bool:
    """A size, not an amount or a fondness: "the small room", but neither "little benefit" nor "small businesses"."""
    if place.head < 0 or place.tag in ("JJR", "JJS") or place.at(place.head) in telling("amounts"):
        return False
    if (
        place.at(place.i - 1) == "a"
        and place.at(place.i + 1).endswith("er")
        and wordnet().morphy(place.at(place.i + 1), "a")
    ):
        return False  # "a little warmer", whatever the tagger says
    noun = place.at(place.head)
    mass = place.file(place.head) in (13, 27) or noun in word_list("mass_nouns")
    known = place.defines(place.determiner) or place.at(place.determiner) in INDEFINITE
    return known and not mass and place.file(place.head) in SOLID | {SPOT, 18}


def whole(place: Place, last: int) -> bool:
    before, noun = place.at(place.i - 1), place.at(last + 1)
    owner = before in THE - {"that"} or place.tag_at(place.i - 1) in ("PRP$", "POS")
    return owner and place.tag_at(last + 1) in ("NN", "JJ", "NNP") and noun not in ("lot", "bunch", "thing", "number")


def person(place: Place, last: int) -> bool:
    if place.tag in ("JJR", "JJS") or place.at(place.i - 1) in ("more", "most", "less"):
        return False
    if place.head >= 0:
        return is_kind_of(place.at(place.head), PERSON)
    found = said(place)
    subject = found.verb - 1 if found else -1
    someone = place.at(subject) in telling("people") or (subject >= 0 and is_kind_of(place.at(subject), PERSON))
    return someone and place.at(last + 1) in (
        "",
        ".",
        ",",
        "and",
        "but",
        "about",
        "at",
        "of",
        "with",
        "that",
        "because",
    )


def hard(place: Place, last: int) -> bool:
    before = place.at(place.i - 1)
    if before in ("more", "most", "less", "least") or place.tag in ("JJR", "JJS"):
        return False
    return place.head < 0 and said(place) is not None and place.at(last + 1) in ("to", "for", ".", "because", ",")


def noun(place: Place, last: int) -> bool:
    known = place.defines(place.i - 1) or place.at(place.i - 1) in INDEFINITE
    return known and place.head == last + 1


def fear(place: Place, last: int) -> bool:
    return place.at(last + 1) == "of" and place.at(place.i - 1) not in ("more", "most")


def many(place: Place, last: int) -> bool:
    j = last + 1
    while place.tag_at(j) in ("JJ", "NN", "VBG", "VBN"):
        j += 1
    before = place.at(place.i - 1)
    plain = place.tag_at(place.i - 1) not in ("DT", "PRP$", "WDT", "RB", "POS", "VBP") or before == ","
    graded = before in ("how", "so", "too", "as", "very", "that", "great", "the", "not", "n't")
    return plain and not graded and place.tag_at(j) in PLURALS and not place.at(j).endswith("times")


def amount(place: Place, last: int) -> bool:
    return place.tag_at(last + 1) in NOUNS and place.tag_at(last + 1) != "NNP" and place.tag_at(place.i - 1) != "JJ"


def agreed(place: Place, last: int) -> bool:
    """What is said of a statement: "that is right"."""
    said_so = place.at(place.i - 2) in ("that", "this", "you", "he", "she", "they") and place.at(place.i - 1) in BE
    return said_so and place.at(last + 1) in (".", ",", "")


def degree(place: Place, last: int) -> bool:
    graded = place.tag_at(last + 1) == "JJ" and place.at(last + 1) not in telling("limits")
    return graded and place.at(place.i - 1) not in ("not", "n't", "the", "really", "very", "so", "no", "if")


def almost(place: Place, last: int) -> bool:
    following = place.tag_at(last + 1)
    return place.at(last + 1) not in telling("none") and (
        following in ("CD", "DT", "PDT", "VBD", "VBN") or following == "JJ"
    )


def number(place: Place, last: int) -> bool:
    return place.tag_at(last + 1) in ("CD", "$") and place.at(place.i - 1) not in ("be", "of", "talk", "the", "a")


def often(place: Place, last: int) -> bool:
    """An adverb with its verb, not one that is graded: "is often found", not "as often as"."""
    before, following = place.at(place.i - 1), place.tag_at(last + 1)
    graded = before in (
        "as",
        "so",
        "how",
        "more",
        "too",
        "most",
        "very",
        "less",
        "quite",
        "not",
        "n't",
        "all",
        "fairly",
    )
    if " " in place.contrast.new:
        return not graded and (place.i == 0 or following in (".", ","))
    return not graded and following.startswith(("VB", "JJ", "RB", "IN", "TO", "DT"))


def adverb(place: Place, last: int) -> bool:
    following = place.tag_at(last + 1)
    if place.word == "nearby":
        return following in (".", ",", "CC", "IN") and place.tag_at(place.i - 1) != "DT"
    if "fast" in (place.word, place.contrast.new):
        verb = place.tag_at(place.i - 1).startswith("VB") and place.at(place.i - 1) not in ("is", "are", "was", "were")
        return verb and following in (".", ",", "CC")
    if place.word == "currently":
        return place.i > 0 and (following.startswith("VB") or following in (".", ","))
    return place.at(place.i - 1) not in ("as", "so", "how", "more", "too", "most", "very", "that")
