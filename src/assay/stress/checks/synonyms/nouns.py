"""What nouns need: their everyday sense, and no compound that means something else."""

from assay.stress.checks.contexts import Place
from assay.stress.checks.contexts.words import INDEFINITE, NOUNS, PLURALS, THE
from assay.stress.checks.synonyms.words import telling


def plain(place: Place, last: int) -> bool:
    # a noun inside of a compound may be part of a name for something else
    return place.tag not in NOUNS or not ({place.tag_at(place.i - 1), place.tag_at(last + 1)} & NOUNS)


def owned(place: Place, last: int) -> bool:
    """One who is known or counted, not a kind: "my father", "two men", not "the father of history"."""
    known = place.defines(place.determiner) or place.at(place.determiner) in INDEFINITE
    counted = place.tag_at(place.first) == "CD"
    return plain(place, last) and (known or counted) and place.at(last + 1) not in ("of", "'s", "nature")


def school(place: Place, last: int) -> bool:
    return plain(place, last) and not telling("school").isdisjoint(place.low) and telling("eyes").isdisjoint(place.low)


def kind(place: Place, last: int) -> bool:
    """A kind or an amount of something: "two types of rock", not "her type"."""
    known = place.tag_at(place.i - 1) in ("DT", "JJ", "JJR", "JJS", "CD", "WDT", "PRP$", "PDT")
    return place.at(last + 1) == "of" and (known or place.tag in PLURALS) and place.tag_at(place.i - 1) not in NOUNS


def flown(place: Place, last: int) -> bool:
    return plain(place, last) and place.tag in ("NN", "NNS") and not telling("flying").isdisjoint(place.low)


def nations(place: Place, last: int) -> bool:
    """States, not the land outside of towns."""
    ours = place.at(place.i - 1) in ("this", "our", "their", "my", "his", "her", "its", "your", "which", "that")
    return plain(place, last) and (place.tag == "NNS" or (ours and place.at(last + 1) != "of"))


def result(place: Place, last: int) -> bool:
    return plain(place, last) and place.at(place.i - 1) in THE and place.at(place.i - 2) not in ("with", "as")
