"""Conditions for the label of a lexical case in running text, category by category.

A caption shows one scene, so that a second sentence about it speaks of the same things. Running text tells of many
things, or of kinds of things. There, the sentence must claim the word (the shared rules of `contexts`), say it of a
thing that both sentences mean, and show by its words which sense is meant.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import product

from assay.language.numbers.quantities import Quantity, find_numbers
from assay.language.resources.data import load_words
from assay.language.resources.installed import wordnet
from assay.language.resources.wordnet_database import HYPERNYM
from assay.language.words.categories import Relation, load_categories, set_members
from assay.language.words.wordnet_relations import is_kind_of
from assay.stress.antonymy import antonym_contexts
from assay.stress.antonymy.check import EXHAUSTIVE, load_opposites, opposite_kinds
from assay.stress.contexts.claims import (
    doubt_of_claim,
    doubt_of_generality,
    doubt_of_picking,
    doubt_of_scope,
    doubt_of_sentence,
)
from assay.stress.contexts.token_context import (
    BE,
    FINITE,
    INDEFINITE,
    NOUNS,
    PLURALS,
    POINTING,
    THE,
    TokenContext,
    WordContrast,
    noun_lemma,
)
from assay.stress.lexical.lexical_relations import ChangedWord, lemmas_of
from assay.stress.lexical.synonym_evidence import SENSE, doubt_of_synonym
from assay.stress.numeracy.quantity_contexts import GENERAL, PLACE, TWICE, doubt_of_quantity
from assay.stress.quantities.number_claims import HAVING

WORDS = load_words(__file__)


SOLID = {6, 15, 17, 20, 8}
"""WordNet's files of artefacts, places, natural objects, plants and body parts."""
ACTORS = ("person.n.01", "animal.n.01", "people.n.01")
SOMEBODY = WORDS["somebody"]


ENTERED = ("structure.n.01", "room.n.01", "vehicle.n.01", "area.n.05")
"""Places that people enter and leave."""


def doubt_of_verb(place: TokenContext) -> str:
    """The reason why a verb may be true together with its opposite; empty if somebody did one of the two."""
    lemma = next(iter(wordnet().morphy(place.word, "v")), place.word)
    subject = _find_subject(place)
    following = place.tag_at(place.i + 1)
    if place.tag not in FINITE or subject < 0:
        return "not said of a subject"
    if lemma in WORDS["tastes"]:
        known = place.at(subject) in SOMEBODY or place.tag_at(subject) == "NNP"
        return "" if known and following in ("DT", "PRP", "PRP$", "NNP", "NN", "NNS", "JJ") else UNKNOWN
    if place.tag != "VBD":
        return "a general statement about a kind"
    if lemma in WORDS["bodies"]:
        moves = following in ("IN", "TO", "RB", ".", "CC", "") or (following == "," and lemma != "cry")
        actor = place.at(subject)
        someone = actor in SOMEBODY or is_kind_of(actor, ACTORS) or place.tag_at(subject) == "NNP"
        nearest = {place.at(place.i + 1), place.at(place.i + 2) if following == "RB" else ""}  # "ran again for mayor"
        return "" if someone and moves and nearest.isdisjoint({"for", "of", "as", "by"}) else SENSE
    after = place.low[place.i + 1 : place.clause.stop]
    if lemma not in WORDS["deeds"] or (lemma in ("buy", "sell") and not {"from", "to"}.isdisjoint(after)):
        return LOOSE  # who bought it from somebody did not sell it "from" them
    if lemma in ("win", "lose") and not WORDS["awards"].isdisjoint(after):
        return SENSE
    if lemma in WORDS["with_thing"] and following not in ("DT", "PRP$", "PRP"):
        return SENSE
    thing = _find_object(place, place.i)
    if lemma in ("leave", "enter", "open", "close", "lift", "lower") and place.file(thing) not in SOLID:
        return SENSE
    if lemma in ("leave", "enter") and not is_kind_of(place.at(thing), ENTERED):
        return SENSE  # "he left his seat"
    return ""


def doubt_of_direction(place: TokenContext, last: int) -> str:
    """The reason why a preposition may not express a location or direction; empty if a known thing follows."""
    noun = _find_object(place, last)
    if place.file(noun) not in SOLID and place.tag_at(noun) != "PRP" and not is_kind_of(place.at(noun), ACTORS):
        return SENSE
    if not (place.defines(last + 1) or place.at(last + 1) in INDEFINITE or place.tag_at(last + 1) == "PRP"):
        return SENSE
    named = "name" in place.low[last + 1 : noun + 1]  # "under the name Moss"
    if named or place.at(noun + 1) == "of" or (place.word == "under" and place.at(noun) in ("system", "sun")):
        return SENSE
    if place.word in ("into", "out", "toward", "towards", "away", "up", "down"):
        return "" if _tells_motion(place) and place.happened else SENSE
    if place.word in ("under", "above", "below", "on") and place.file(noun) not in (6, 17, 20):
        return SENSE
    return "" if place.happened or place.at(place.verb) in ("is", "are", "stands", "lies", "sits") else UNKNOWN


def doubt_of_manner(place: TokenContext) -> str:
    """The reason why an adverb may be true together with its opposite; empty if it describes how one thing was done."""
    if place.word not in WORDS["how"] or place.at(place.i - 1) in WORDS["before_manner"]:
        return LOOSE
    if not place.happened or place.tag_at(place.i + 1) in ("JJ", "VBN", "RB", "NN", "CD"):
        return UNKNOWN
    if place.word.startswith(("forward", "backward")):
        return "" if _tells_motion(place) else SENSE
    return ""


def _tells_motion(place: TokenContext) -> bool:
    near = range(place.i - 3, place.i)
    return any(not WORDS["moving"].isdisjoint(wordnet().morphy(place.at(j), "v")) for j in near)


def _find_subject(place: TokenContext) -> int:
    """The position of the noun or pronoun that is the verb's subject; -1 if none comes right before it."""
    j = place.over_adverbs(place.i - 1)
    if place.tag_at(j) == "PRP" or place.at(j) in SOMEBODY or place.tag_at(j) == "NNP":
        return j
    if place.tag_at(j) not in NOUNS:
        return -1
    first = place.skip(j, NOUNS | {"JJ", "CD", "VBN", "VBG"}, -1)
    return j if place.at(first) in THE | INDEFINITE or place.defines(first) else -1


def _find_object(place: TokenContext, last: int) -> int:
    """The place of the noun that ends the phrase after a place."""
    described = NOUNS | {"JJ", "VBN", "CD"}
    j = last + 1
    while place.tag_at(j + 1) in described and place.tag_at(j) in described | {"DT", "PRP$"}:
        j += 1
    return j


UNKNOWN = "not about one known thing"
ONE_OF_SEVERAL = "one of several"
ANOTHER = "the opposite may be true of another thing"
INTRODUCES = {"DT", "CD", "JJ", "JJR", "JJS", "VBG", "VBN", "PDT", "NN", "NNS"}
"""Tags that begin an object, unless it is a name."""
LOOSE = "the two words do not exclude each other in every text"
COUNTED = NOUNS | {"JJ", "JJR", "JJS", "VBN", "VBG", "RB"}
"""Tags of what may follow a count."""
NAMES = {"countries", "nationalities", "planets"}
"""Categories whose words have capitals of their own."""
PERSON = ("person.n.01", "people.n.01")
ANIMALS, ARTEFACTS, PERSONS, PLANTS, OBJECTS = 5, 6, 18, 20, 17
KINDS = {ANIMALS, ARTEFACTS, PERSONS, PLANTS, OBJECTS}
"""WordNet's files of things that have a kind: what is a car stays one."""
ELSEWHERE = "may also hold at another place or time"
ONCE = WORDS["once"]


def doubt_in_text(spot: ChangedWord, place: TokenContext, relation: Relation) -> str:
    """The reason why the label may not hold in running text; empty if there is none."""
    if relation == "same":
        return "" if spot.category != "synonyms" else doubt_of_synonym(place, spot.old, spot.last)
    if spot.category == "cardinals":
        return _doubt_of_count(spot, place)
    if spot.category.startswith("antonyms"):
        return _doubt_of_opposite(spot, place)
    if reason := _doubt_of_claim(spot, place) or doubt_of_generality(place):
        return reason
    if spot.is_verb:
        return SENSE  # "companies run" does not say that they move
    if relation in ("broader", "narrower"):
        if spot.category not in ("hypernyms", "synonyms"):
            return RULES[spot.category](spot, place)
        doubt_of_relation = _doubt_of_narrower if relation == "narrower" else _doubt_of_broader
        return _doubt_of_kind(spot, place) or doubt_of_relation(spot, place)
    return RULES[spot.category](spot, place) if spot.category in RULES else ""


def _doubt_of_claim(spot: ChangedWord, place: TokenContext) -> str:
    """The doubts of all families, except that the words of some categories are names."""
    reason = doubt_of_claim(place)
    return doubt_of_scope(place) if reason == "in a name" and spot.category in NAMES else reason


def doubt_of_another(spot: ChangedWord, place: TokenContext) -> str:
    """The reason why a claim and its opposite may both be true, each of another thing; empty if there is none."""
    i = place.i
    if spot.is_verb:
        lemma = next(iter(wordnet().morphy(place.word, "v")), place.word)
        introduced = place.tag_at(i + 1) in INTRODUCES and not place.defines(i + 1)
        # who bought something may have sold it, and who opened a door may have closed another one
        return ANOTHER if lemma in ("buy", "sell") or introduced else ""
    if spot.category != "cardinals" or place.at(i - 1) not in HAVING or place.tag_at(i - 2) not in PLURALS:
        return ""
    first = place.skip(i - 2, NOUNS | {"JJ", "VBN", "VBG"}, -1)
    return "" if place.defines(first) or place.tag_at(first) == "CD" else ANOTHER  # "in models with 50 ohm"


def _doubt_of_count(spot: ChangedWord, place: TokenContext) -> str:
    """Empty if the number is a count or a measure, as in the family numeracy; else a reason."""
    start = place.tokens[place.i].start
    numbers = find_numbers(place.text)
    quantity = next((each for each in numbers if isinstance(each, Quantity) and each.start <= start < each.end), None)
    end = place.tokens[spot.last].end
    whole = quantity and (start, end) == (quantity.start + len(quantity.prefix), quantity.end - len(quantity.suffix))
    measured = quantity and (quantity.unit or place.tag_at(spot.last + 1) in COUNTED)
    if not quantity or not whole or not measured or quantity.bound != "bare":
        return "not a count or a measure"
    if place.low[0] in WORDS["orders"]:
        return "in an order"
    if place.at(place.i - 1) == "in" and not WORDS["records"].isdisjoint(place.low[max(0, place.i - 6) : place.i]):
        return "part of a record"  # "the first time in four years" may be the first in ten
    skip = doubt_of_quantity(place.text, quantity, numbers)
    if _is_known_number(place, spot.last):
        return "the number is known or stated elsewhere"
    if skip is GENERAL and place.i == place.clause.start and quantity.unit != "percent":
        return UNKNOWN  # "two kinds of frogs mate": others may, too
    if skip in (None, GENERAL, TWICE) or (skip is PLACE and _is_known_count(place, spot.last)):
        return doubt_of_claim(place) if skip else doubt_of_sentence(place)
    return skip.reason.removeprefix("not verified: ")


def _is_known_number(place: TokenContext, last: int) -> bool:
    """True if the things are listed, or their number is well known: "two branches, A and B", "five days a week"."""
    noun = place.skip(last + 1, COUNTED - PLURALS)
    rate = place.at(noun + 1) in ("a", "per", "each", "every") and place.at(noun + 2) in WORDS["spans"]
    if rate or place.at(noun) in WORDS["numbered"] or "both" in place.low:
        return True
    if place.at(place.verb) in BE and place.verb < place.i and "and" in place.low[place.clause.start : place.verb]:
        return True
    rest = range(noun + 1, min(noun + 12, len(place.low)))
    stop = next((j for j in rest if place.tag_at(j) in FINITE or place.at(j) in (".", ";")), rest.stop)
    return place.at(noun + 1) in (",", ":", "(", "--", "-") and "and" in place.low[noun + 2 : stop]


def _is_known_count(place: TokenContext, last: int) -> bool:
    """True if the number counts known things: "the two sides", "her five children"."""
    several = place.tag_at(place.skip(last + 1, {"JJ", "NN", "VBN"})) in PLURALS
    whole = place.at(place.i - 2) != "of" or place.tag_at(place.i - 1) == "PRP$"
    return place.defines(place.i - 1) and several and whole


def _doubt_of_opposite(spot: ChangedWord, place: TokenContext) -> str:
    """Adjectives and nouns follow the rules of the family antonymy; other words have rules of their own."""
    if spot.is_verb:
        return doubt_of_claim(place) or doubt_of_verb(place)
    if place.tag[:2] in ("IN", "RP", "TO") or " " in spot.old:
        return doubt_of_claim(place) or doubt_of_generality(place) or doubt_of_direction(place, spot.last)
    if place.tag.startswith("RB"):
        return doubt_of_claim(place) or doubt_of_generality(place) or doubt_of_manner(place)
    pairs = product(lemmas_of(place.word), lemmas_of(spot.new))
    pair = next((pair for pair in pairs if pair in opposite_kinds()), None)
    if pair is None and (spot.category != "antonyms" or not place.tag.startswith("JJ")):
        return LOOSE
    # What a subject is said to be excludes the contraries of our list; before a noun, another thing may be meant.
    kind = opposite_kinds()[pair] if pair else "predicate"
    words = frozenset((place.word, spot.new, *(pair or ())))
    contrast = WordContrast(kind, spot.new, words, pair in load_opposites(EXHAUSTIVE))
    asked = TokenContext(place.text, place.all_tokens, place.number, contrast)
    return antonym_contexts.doubt_of_antonym(asked) or ("" if asked.kind == "person" else doubt_of_generality(asked))


def _doubt_of_kind(spot: ChangedWord, place: TokenContext) -> str:
    """Empty if the noun refers to a known or introduced thing ("the dog", "two houses", "my car"); else a reason."""
    last = spot.last
    if place.tag not in NOUNS or place.file(last) not in KINDS or place.at(last + 1) == "of":
        return SENSE
    if {place.tag_at(place.i - 1), place.tag_at(last + 1)} & NOUNS or place.at(place.i - 1) in (",", "and"):
        return ONE_OF_SEVERAL
    if place.at(last + 1) in (",", "and", "or") and place.tag_at(last + 2) in NOUNS | {"DT"}:
        return ONE_OF_SEVERAL
    if noun_lemma(place.at(last)) in WORDS["many_senses"] or place.before({"as", "like", "than"}):
        return SENSE
    return _doubt_of_one(place)


def _doubt_of_narrower(spot: ChangedWord, place: TokenContext) -> str:
    """Empty if a narrower word is neutral, which needs one thing in one story; else a reason."""
    following = place.at(spot.last + 1)
    generic = place.at(place.i - 1) in ("such", "single", "each", "every")
    generic = generic or following in ("for", "'s", "that", "which")
    known = place.at(place.determiner) not in INDEFINITE
    named = any(token.tag in ("NNP", "NNPS") for token in place.all_tokens[1:])
    told = named or _names_kind(place, spot.old.lower())
    if "such" in (place.at(place.determiner - 1), place.at(place.i - 1)) or (known and told):
        return UNKNOWN  # "such a weapon", "the building" that has a name: it is known what it is
    one = place.tag == "NN" and not (place.word == "child" and place.at(place.determiner) == "the")
    return "" if one and place.happened and not generic else UNKNOWN


def _names_kind(place: TokenContext, noun: str) -> bool:
    """True if the text has another noun of a similar kind: "the building" may be a factory mentioned before."""
    first = wordnet().synsets(noun_lemma(noun), "n")[:1]
    senses = tuple(above.name for sense in first for above in wordnet().related(sense, HYPERNYM))
    others = {token.text.lower() for token in place.all_tokens if token.tag in NOUNS} - {noun}
    return any(is_kind_of(other, senses) for other in others)


def _doubt_of_broader(spot: ChangedWord, place: TokenContext) -> str:
    """The reason why a broader noun may not follow: nobody says "my person", and women in a contest are a class."""
    owned = place.tag_at(place.determiner) in ("PRP$", "POS")
    if (owned and spot.new in ("person", "people", "persons")) or not WORDS["stilted"].isdisjoint(spot.new.split()):
        return SENSE
    own = {place.word, noun_lemma(place.word)}
    contest = place.at(place.determiner - 1) == "for" and place.at(place.determiner) == "the"
    contest = contest or place.tag_at(spot.last + 1) == "POS"
    if WORDS["both_sexes"] & own and (contest or place.in_text & (WORDS["both_sexes"] - own)):
        return "a class of people, as opposed to others"
    is_a = any(place.at(j) in BE and place.at(j + 1) in INDEFINITE for j in range(spot.last + 1, place.clause.stop))
    return SENSE if is_a else ""  # "the monkey on board was a boy": what it is, is said


def _doubt_of_one(place: TokenContext) -> str:
    """The reason why both sentences may not mean the same thing; empty if it is known, or part of an event."""
    known = place.defines(place.determiner) and place.at(place.determiner) != "that"
    introduced = place.at(place.determiner) in INDEFINITE or place.tag_at(place.first) == "CD"
    if place.tag in PLURALS:
        meant = (known and place.is_event) or (introduced and place.happened)
    elif place.is_predicate or place.is_event:
        meant = known or introduced
    else:
        meant = known and place.at(place.determiner) != "the"
    return "" if meant else UNKNOWN


def _doubt_of_colour(spot: ChangedWord, place: TokenContext) -> str:
    """Empty if the word is the colour of one visible thing; else a reason."""
    if (place.tag in NOUNS and not spot.head) or place.at(place.i - 1) in ("dark", "light", "bright", "pale", "clear"):
        return "not a color"  # or a shade: "dark white"
    if spot.head and is_kind_of(spot.head, PERSON):
        return "said of persons"
    if spot.head and spot.head in place.in_text and place.head > place.i + 1 and place.is_compound:
        return "part of a compound"
    if not spot.head:
        return "" if place.is_predicate else "not a color"
    return doubt_of_picking(place)


def _doubt_of_material(spot: ChangedWord, place: TokenContext) -> str:
    if is_kind_of(spot.head, ("excavation.n.03", "workplace.n.01")) or place.before({"first", "last", "only"}):
        return SENSE  # a metal mine is one where metal is found
    noun = _noun_after(place)
    if not spot.head or place.file(noun) != ARTEFACTS or place.tag_at(noun) in PLURALS:
        return SENSE
    return _one_after(place)


def _noun_after(place: TokenContext) -> int:
    return place.skip(place.i + 2, NOUNS) - 1


def _one_after(place: TokenContext) -> str:
    """The reason why both sentences may not mean the same thing by the noun after a modifier."""
    if place.tag_at(_noun_after(place)) in PLURALS and place.at(place.determiner) not in POINTING:
        return "picks out one of several"
    known = place.defines(place.determiner)
    return "" if known or (place.at(place.determiner) in INDEFINITE and place.is_event) else UNKNOWN


def _happens_elsewhere(place: TokenContext, categories: Sequence[str]) -> bool:
    """True if the same may be true elsewhere: a film is released in many countries, one after the other."""
    said = {"also", *WORDS["repeatable"]}.intersection(place.low)
    return bool(said) or any(place.in_text & _category_words(each) - {place.word} for each in categories)


@cache
def _category_words(name: str) -> frozenset[str]:
    """The words of a category in lower case."""
    return frozenset(word.lower() for word in set_members(load_categories()[name].sets))


def _main_verb(place: TokenContext) -> str:
    """The lemma of the verb that names the event (of "was born", the participle); empty if there is none."""
    before = range(place.i - 1, place.clause.start - 1, -1)
    after = range(place.i + 1, place.clause.stop)
    verb = next((j for j in before if place.tag_at(j).startswith("VB")), -1)
    if verb < 0:
        verbs = [j for j in after if place.tag_at(j).startswith("VB")]
        verb = next((j for j in verbs if place.at(j) not in WORDS["helping"]), verbs[0] if verbs else -1)
    return next(iter(wordnet().morphy(place.at(verb), "v")), place.at(verb))


def _doubt_of_nation(_: ChangedWord, place: TokenContext) -> str:
    """Empty if the nationality is that of one thing or person ("the Irish parliament"); else a reason."""
    if _is_named_person(place):
        return ""
    noun = _noun_after(place)
    person = is_kind_of(place.at(noun), PERSON)
    if not person and (_happens_elsewhere(place, ("countries",)) or place.word in WORDS["continents"]):
        return ELSEWHERE
    if place.tag_at(noun) != "NN" or not WORDS["language"].isdisjoint((place.at(noun), place.at(place.i + 1))):
        return "a language, a manner or a people"
    if place.tokens[noun].text[:1].isupper() or place.at(place.i - 1) in ("and", ",", "of", "-") or place.i == 0:
        return "in a name"
    if place.at(place.i + 1) in ("and", ",", "or"):
        return ONE_OF_SEVERAL
    if place.file(noun) not in KINDS | {15}:
        return "not said of a visible thing"
    if place.is_predicate:
        return ""
    return _one_after(place) if place.happened else UNKNOWN


def _is_named_person(place: TokenContext) -> bool:
    """True if the nationality describes a named person or a counted group: "the Czech writer Jana Novak"."""
    noun = place.i + 1
    if not place.tokens[place.i].text[:1].isupper() or not is_kind_of(place.at(noun), PERSON):
        return False
    counted = place.tag_at(place.i - 1) == "CD" and place.tag_at(noun) == "NNS" and place.happened
    named = place.tag_at(noun) == "NN" and place.tag_at(noun + 1) == "NNP" and place.at(place.i - 1) not in ("and", "-")
    return (counted or named) and place.at(place.i + 1) not in ("and", ",", "or")


def _doubt_of_country(spot: ChangedWord, place: TokenContext) -> str:
    """Empty if the country is where a known person or thing was ("she returned from Spain"); else a reason."""
    last = spot.last
    if _happens_elsewhere(place, ("countries", "nationalities")):
        return ELSEWHERE
    opens = place.i == 1 and place.low[0] == "in" and place.at(last + 1) == ","
    if opens and place.at(last + 2) in ("he", "she", "they", "we", "i") and place.tag_at(last + 3) == "VBD":
        return "" if _main_verb(place) in ONCE | WORDS["once_there"] else ELSEWHERE  # "In Spain, she met her husband"
    if place.at(place.i - 1) not in WORDS["places"] or place.at(last + 1) in ("and", ",", "or", "(", "-", "'s"):
        return "a region, or one of several"
    if not place.happened and not place.is_predicate:
        return "a general statement about a kind"
    if place.verb > place.i or place.tag_at(place.over_adverbs(place.i - 2)) in NOUNS:
        return "a region, or one of several"  # "the fighting in Spain ended": there may be more in France
    if _main_verb(place) not in ONCE | WORDS["once_there"]:
        return ELSEWHERE
    return "" if _subject_is_one(place) else UNKNOWN


def _subject_is_one(place: TokenContext) -> bool:
    """True if the subject is a known person or thing: a name, "she", "the house", "his father"."""
    j = place.over_adverbs(place.verb - 1)
    if place.tag_at(j) in ("PRP", "NNP"):
        return place.at(j) != "there" or place.tag_at(j) == "NNP"
    return place.tag_at(j) == "NN" and place.defines(place.skip(j, NOUNS | {"JJ", "VBN", "VBG", "CD"}, -1))


def _doubt_of_order(_: ChangedWord, place: TokenContext) -> str:
    """Empty if a known event or thing belongs to the century or floor; else a reason."""
    noun = _noun_after(place)
    if place.at(noun) not in WORDS["ordered"] or place.at(noun + 1) in ("and", "or", "to", "-"):
        return "not a place in an order"
    before, article = place.at(place.i - 2), place.at(place.i - 1)
    if before not in ("in", "on", "during", "of", "by") or article not in ("the", "his", "her", "its", "their"):
        return "not a place in an order"
    if place.at(noun) in WORDS["long_times"] and (_main_verb(place) not in ONCE or "also" in place.low):
        return ELSEWHERE  # what was so in one century may have been so in the next
    at_floor = place.at(noun) in ("floor", "row", "storey") and _subject_is_one(place)
    return "" if (place.happened and _subject_is_one(place)) or at_floor else UNKNOWN


def _doubt_of_room(spot: ChangedWord, place: TokenContext) -> str:
    """Empty if somebody was in the room ("in the kitchen", not "an office of the firm"); else a reason."""
    last = spot.last
    joined = place.at(last + 1) == "and" and place.tag_at(last + 2) in NOUNS | {"DT", "PRP$", "JJ"}
    if place.at(place.determiner - 1) not in WORDS["into_room"] or place.determiner != place.i - 1 or joined:
        return SENSE
    if place.tag in PLURALS or place.at(last + 1) in ("of", "'s") or place.at(place.determiner) not in WORDS["room_of"]:
        return SENSE
    return "" if place.is_event else UNKNOWN


def _doubt_of_drink(spot: ChangedWord, place: TokenContext) -> str:
    near = spot.low[max(0, spot.first - 3) : spot.first]
    drunk = not (WORDS["drinking"].isdisjoint(spot.verbs_before) and WORDS["vessels"].isdisjoint(near))
    if not drunk or _is_listed(spot, place):
        return "not a drink"
    return "" if place.is_event else UNKNOWN


def _doubt_of_instrument(spot: ChangedWord, place: TokenContext) -> str:
    if WORDS["playing"].isdisjoint(spot.verbs_before) or _is_listed(spot, place):
        return SENSE
    return "" if place.is_event and place.tag not in PLURALS else UNKNOWN


def _doubt_of_vegetable(spot: ChangedWord, place: TokenContext) -> str:
    return ONE_OF_SEVERAL if _is_listed(spot, place) else "" if place.happened else UNKNOWN


def _is_listed(spot: ChangedWord, place: TokenContext) -> bool:
    return place.at(place.i - 1) in (",", "and") or place.at(spot.last + 1) in (",", "and", "or")


def _doubt_of_planet(spot: ChangedWord, place: TokenContext) -> str:
    """Empty if a known thing was on the planet or went there once ("the probe landed on Mars"); else a reason."""
    if place.word in ("mercury", "saturn") and WORDS["heavens"].isdisjoint(place.in_text):
        return SENSE
    if place.tag_at(place.i - 1) not in ("IN", "TO") or place.in_text & _category_words("planets") - {place.word}:
        return ONE_OF_SEVERAL
    if place.at(spot.last + 1) not in (".", "") and place.tag_at(place.i + 1) not in ("IN", "CC"):
        return SENSE
    once = place.happened and place.verb < place.i and _main_verb(place) not in WORDS["helping"]
    return "" if once and _subject_is_one(place) else "a general statement about a kind"


RULES: dict[str, Callable[[ChangedWord, TokenContext], str]] = {
    "colors": _doubt_of_colour,
    "materials": _doubt_of_material,
    "nationalities": _doubt_of_nation,
    "countries": _doubt_of_country,
    "ordinals": _doubt_of_order,
    "rooms": _doubt_of_room,
    "drinks": _doubt_of_drink,
    "instruments": _doubt_of_instrument,
    "vegetables": _doubt_of_vegetable,
    "planets": _doubt_of_planet,
}
"""The rule of each category whose words exclude each other."""
