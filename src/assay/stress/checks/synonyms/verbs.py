"""What verbs need: their object, who acts, or what follows."""

from assay.stress.checks.contexts import Place
from assay.stress.checks.contexts.words import NOUNS
from assay.stress.checks.lexical_relations import is_kind_of
from assay.stress.checks.synonyms.words import ARTEFACT, PERSON, telling

HELPS = {"have", "has", "had", "'ve", "'s", "'d", "having", "been", "was", "were", "is", "are"}


def event(place: Place, last: int) -> bool:
    """What happens, not what is found somewhere: "copper occurs in nature"."""
    return place.at(last + 1) not in ("naturally", "in", "as", "within", "on", "to", "with", "together", "among")


def start(place: Place, last: int) -> bool:
    following = place.at(last + 1)
    goes_on = following == "to" or (place.tag_at(last + 1) == "VBG" and place.word[:3] in ("sta", "beg"))
    helped = any(place.at(j) in HELPS for j in range(place.i - 3, place.i))
    if place.contrast.new == "begun" or (place.contrast.new == "began" and helped):
        return goes_on and place.contrast.new == "begun" and helped
    return goes_on


def begins(place: Place, _: int) -> bool:
    """What begins starts; not where the form could be a participle that is shaped in another way."""
    return place.tag in ("VBD", "VBZ", "VBP") and place.contrast.new != "begun"


def begun(place: Place, last: int) -> bool:
    return place.tag in ("VBD", "VBZ") and place.at(last + 1) not in ("to", "with", "by", "at")


def that(place: Place, last: int) -> bool:
    return place.at(last + 1) == "that"


def obtained(place: Place, last: int) -> bool:
    noun = last + 1
    while place.tag_at(noun) in ("DT", "PRP$", "JJ", "CD"):
        noun += 1
    return place.at(noun) in telling("obtained") and place.tag_at(noun + 1) not in NOUNS | {"VBN", "RP", "TO"}


def with_object(place: Place, last: int) -> bool:
    return place.tag_at(last + 1) in ("DT", "PRP$", "CD", "PRP") and place.at(last + 1) not in ("that", "it")


def built(place: Place, last: int) -> bool:
    """Something that is built of stone or wood, not trust or a case."""
    if place.tag == "VBN":
        nouns = [j for j in range(max(0, place.i - 5), place.i) if place.tag_at(j) in NOUNS]
        known = bool(nouns) and place.file(nouns[-1]) == ARTEFACT
        return known and place.at(last + 1) not in ("on", "up", "into", "around", "upon", "to")
    j = last + 1
    while place.tag_at(j) in NOUNS | {"DT", "JJ", "PRP$", "CD"}:
        j += 1
    built = place.file(j - 1) == ARTEFACT and place.at(j - 1) not in telling("not_under")
    return j > last + 1 and place.tag_at(j - 1) in NOUNS and built


def speech(place: Place, last: int) -> bool:
    return place.at(last + 1) in ("to", "with", "about", "at") and place.at(last + 2) != "be"


def actor(place: Place, last: int) -> bool:
    j = place.over_adverbs(place.i - 1)
    someone = place.at(j) in telling("people") or is_kind_of(place.at(j), PERSON) or place.tag_at(j) == "NNP"
    return someone and place.tag_at(last + 1) in ("IN", "TO", "RB", ".", ",")
