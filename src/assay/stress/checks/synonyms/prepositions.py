"""What prepositions and adverbs of time need: a place, or something that happens."""

from assay.stress.checks.contexts import Place
from assay.stress.checks.contexts.words import INDEFINITE, NOUNS
from assay.stress.checks.synonyms.words import ARTEFACT, OBJECT, PLANT, SOLID, SPOT, telling

LOW = {"below", "beneath", "under", "underneath", "on", "atop"}
ACTS, EVENTS, TIMES = 4, 11, 28
"""WordNet's files of what happens."""


def beside(place: Place, last: int) -> bool:
    """A place: what follows is a thing that is known, "under the bridge", not "under the law" or "near 10"."""
    j = last + 1
    if not (place.defines(j) or place.at(j) in INDEFINITE or place.tag_at(j) == "NNP"):
        return False
    while place.tag_at(j) in NOUNS | {"DT", "JJ", "PRP$", "VBN"} and place.tag_at(j + 1) in NOUNS | {"JJ", "VBN"}:
        j += 1
    if place.tag_at(j) == "NNP":
        return place.word in ("near", "next", "close", "beside") and place.tag_at(place.i - 1) not in ("VBD", "VBZ")
    files = {ARTEFACT, OBJECT, PLANT} if place.word in LOW else SOLID - {8} | {SPOT}
    return place.file(j) in files and place.at(j) not in telling("not_under")


def earlier(place: Place, last: int) -> bool:
    """Before something that happens, and not before a sentence: "before the war"."""
    noun = last + 1
    while place.tag_at(noun) in ("DT", "PRP$", "JJ", "CD"):
        noun += 1
    happens = place.tag_at(noun) in ("NN", "NNS") and place.file(noun) in (ACTS, EVENTS, TIMES)
    return happens and noun > last + 1 and place.at(noun + 1) in (".", ",", "of", "in", "on", "")


def comma(place: Place, last: int) -> bool:
    return place.at(last + 1) in (",", ".") and place.at(place.i - 1) not in ("from", "as")
