"""Evidence that a synonym means the same in running text, which each word pair has a rule for.

In a caption, a word nearly always has its everyday sense. In running text "film" may be a layer, and "under" a law, so
a pair counts only if it is in a table (`synonyms_in_text.txt`), and only where its evidence is found.
"""

from collections.abc import Callable, Iterator
from functools import cache

from assay.language.resources.data import load_words, table, word_list
from assay.language.resources.installed import wordnet
from assay.language.words.wordnet_relations import is_kind_of
from assay.stress.contexts.token_context import (
    ARTEFACT,
    BE,
    INDEFINITE,
    NOUNS,
    OBJECT,
    PERSON,
    PLANT,
    PLURALS,
    SOLID,
    SPOT,
    THE,
    TokenContext,
)

WORDS = load_words(__file__)

ACTS, EVENTS, TIMES = 4, 11, 28
"""WordNet's files of what happens, and when."""

SENSE = "the word may have another sense here"

Evidence = Callable[[TokenContext, int], bool]
"""True if the place of a word, which ends with the token of this number, shows the sense that is meant."""

EVIDENCE: dict[str, Evidence] = {}
"""The tests by the names that the tables use."""


def evidence(name: str) -> Callable[[Evidence], Evidence]:
    """Register a test under the name that the tables of synonyms use."""

    def register(test: Evidence) -> Evidence:
        EVIDENCE[name] = test
        return test

    return register


def needs_evidence(old: str, new: str, tag: str) -> bool:
    """True if the pair needs evidence even in captions, because its words have many uses."""
    return frozenset((_lemma_of_phrase(old.lower(), tag), _lemma_of_phrase(new, tag))) in _of_many_uses()


def doubt_of_synonym(place: TokenContext, old: str, last: int) -> str:
    """The reason why a synonym may mean something else in running text; empty if the evidence of its pair is found."""
    pair = _lemma_of_phrase(old.lower(), place.tag), _lemma_of_phrase(place.contrast.new, place.tag)
    test = _tests_by_pair().get(pair)
    return "" if test and test(place, last) else SENSE


@cache
def _of_many_uses() -> frozenset[frozenset[str]]:
    return frozenset(frozenset(pair) for pair, _ in _load_pairs("synonyms_of_many_uses"))


@cache
def _tests_by_pair() -> dict[tuple[str, str], Evidence]:
    both = (*_load_pairs("synonyms_in_text"), *_load_pairs("synonyms_of_many_uses"))
    return {pair: EVIDENCE[name] for pair, name in both}


def _load_pairs(name: str) -> Iterator[tuple[tuple[str, str], str]]:
    """The word pairs of a table, each with the name of its evidence."""
    for evidence_name, pairs in table(name, __file__).items():
        for pair in pairs:
            old, _, new = pair.replace("_", " ").partition("/")
            yield (old, new), evidence_name


@cache
def _lemma_of_phrase(phrase: str, tag: str) -> str:
    """The lemma of a form; of a phrase, the first or the last word is shaped."""
    pos = "v" if tag.startswith("VB") else "n" if tag in NOUNS else ""
    if not pos or phrase in ("pants", "trousers", "stairs", "steps", "woods", "glasses"):
        return phrase
    first, _, rest = phrase.partition(" ")
    if pos == "v":
        return " ".join(filter(None, [(wordnet().morphy(first, "v") or (first,))[-1], rest]))
    before, _, last = phrase.rpartition(" ")
    return " ".join(filter(None, [before, (wordnet().morphy(last, "n") or (last,))[-1]]))


@evidence("plain")
def is_plain_noun(place: TokenContext, last: int) -> bool:
    # a noun inside of a compound may be part of a name for something else
    return place.tag not in NOUNS or not ({place.tag_at(place.i - 1), place.tag_at(last + 1)} & NOUNS)


@evidence("owned")
def is_known_person(place: TokenContext, last: int) -> bool:
    """True if a known or counted person is meant, not a kind: "my father", "two men", not "the father of history"."""
    known = place.defines(place.determiner) or place.at(place.determiner) in INDEFINITE
    counted = place.tag_at(place.first) == "CD"
    return is_plain_noun(place, last) and (known or counted) and place.at(last + 1) not in ("of", "'s", "nature")


@evidence("school")
def is_in_school(place: TokenContext, last: int) -> bool:
    in_school = not WORDS["school"].isdisjoint(place.low) and WORDS["eyes"].isdisjoint(place.low)
    return is_plain_noun(place, last) and in_school


@evidence("kind")
def is_kind_of_something(place: TokenContext, last: int) -> bool:
    """True if the word names a kind or amount of something: "two types of rock", not "her type"."""
    known = place.tag_at(place.i - 1) in ("DT", "JJ", "JJR", "JJS", "CD", "WDT", "PRP$", "PDT")
    return place.at(last + 1) == "of" and (known or place.tag in PLURALS) and place.tag_at(place.i - 1) not in NOUNS


@evidence("flown")
def is_aircraft(place: TokenContext, last: int) -> bool:
    return is_plain_noun(place, last) and place.tag in ("NN", "NNS") and not WORDS["flying"].isdisjoint(place.low)


@evidence("nations")
def are_states(place: TokenContext, last: int) -> bool:
    """True if the word means states, not the land outside towns."""
    ours = place.at(place.i - 1) in ("this", "our", "their", "my", "his", "her", "its", "your", "which", "that")
    return is_plain_noun(place, last) and (place.tag == "NNS" or (ours and place.at(last + 1) != "of"))


@evidence("result")
def is_result(place: TokenContext, last: int) -> bool:
    return is_plain_noun(place, last) and place.at(place.i - 1) in THE and place.at(place.i - 2) not in ("with", "as")


@evidence("sized")
def is_sized(place: TokenContext, last: int) -> bool:
    if place.tag_at(last) in ("JJR", "JJS") and place.contrast.new.startswith("very"):
        return False
    if place.head < 0:
        return place.is_predicate and place.at(last + 1) not in ("enough", "on", "in", "as", "of")
    head = place.at(place.head)
    if place.word == "ancient" and (place.file(place.head) not in SOLID or place.tag_at(last + 1) not in NOUNS):
        return False
    return head not in WORDS["big_deals"] and place.tag_at(place.i - 1) not in NOUNS


@evidence("small")
def is_small_thing(place: TokenContext, _: int) -> bool:
    """True if the word is a size, not an amount or a fondness: "the small room", but not "little benefit"."""
    if place.head < 0 or place.tag in ("JJR", "JJS") or place.at(place.head) in WORDS["amounts"]:
        return False
    following = place.at(place.i + 1)
    if place.at(place.i - 1) == "a" and following.endswith("er") and wordnet().morphy(following, "a"):
        return False  # "a little warmer", whatever the tagger says
    noun = place.at(place.head)
    mass = place.file(place.head) in (13, 27) or noun in word_list("mass_nouns")
    known = place.defines(place.determiner) or place.at(place.determiner) in INDEFINITE
    return known and not mass and place.file(place.head) in SOLID | {SPOT, 18}


@evidence("whole")
def is_whole_thing(place: TokenContext, last: int) -> bool:
    before, noun = place.at(place.i - 1), place.at(last + 1)
    owner = before in THE - {"that"} or place.tag_at(place.i - 1) in ("PRP$", "POS")
    return owner and place.tag_at(last + 1) in ("NN", "JJ", "NNP") and noun not in ("lot", "bunch", "thing", "number")


@evidence("person")
def is_said_of_person(place: TokenContext, last: int) -> bool:
    if place.tag in ("JJR", "JJS") or place.at(place.i - 1) in ("more", "most", "less"):
        return False
    if place.at(place.i - 1) in ("year", "years", "months", "-") or place.tag_at(place.i - 1) == "CD":
        return False  # "40 years old"
    if place.head >= 0:
        return is_kind_of(place.at(place.head), PERSON)
    subject = place.predicate - 1 if place.is_predicate else -1
    someone = place.at(subject) in WORDS["people"] or (subject >= 0 and is_kind_of(place.at(subject), PERSON))
    return someone and (not place.at(last + 1) or place.at(last + 1) in WORDS["after_quality"])


@evidence("hard")
def is_hard_to_do(place: TokenContext, last: int) -> bool:
    before = place.at(place.i - 1)
    if before in ("more", "most", "less", "least") or place.tag in ("JJR", "JJS"):
        return False
    return place.head < 0 and place.is_predicate and place.at(last + 1) in ("to", "for", ".", "because", ",")


@evidence("noun")
def is_before_noun(place: TokenContext, last: int) -> bool:
    known = place.defines(place.i - 1) or place.at(place.i - 1) in INDEFINITE
    return known and place.head == last + 1


@evidence("fear")
def is_fear_of(place: TokenContext, last: int) -> bool:
    return place.at(last + 1) == "of" and place.at(place.i - 1) not in ("more", "most")


@evidence("many")
def counts_many(place: TokenContext, last: int) -> bool:
    j = place.skip(last + 1, {"JJ", "NN", "VBG", "VBN"})
    before = place.at(place.i - 1)
    plain = place.tag_at(place.i - 1) not in ("DT", "PRP$", "WDT", "RB", "POS", "VBP") or before == ","
    graded = before in ("how", "so", "too", "as", "very", "that", "great", "the", "not", "n't")
    return plain and not graded and place.tag_at(j) in PLURALS and place.file(j) != TIMES


@evidence("amount")
def is_amount(place: TokenContext, last: int) -> bool:
    return place.tag_at(last + 1) in NOUNS and place.tag_at(last + 1) != "NNP" and place.tag_at(place.i - 1) != "JJ"


@evidence("agreed")
def is_agreement(place: TokenContext, last: int) -> bool:
    """True if the word confirms a statement: "that is right"."""
    said_so = place.at(place.i - 2) in ("that", "this", "you", "he", "she", "they") and place.at(place.i - 1) in BE
    return said_so and place.at(last + 1) in (".", ",", "")


@evidence("degree")
def grades_adjective(place: TokenContext, last: int) -> bool:
    word = place.at(last + 1)
    graded = place.tag_at(last + 1) == "JJ" and word not in WORDS["limits"] and not wordnet().morphy(word, "v")
    graded = graded and bool(wordnet().synsets(word, "a"))
    return graded and place.at(place.i - 1) not in ("not", "n't", "the", "really", "very", "so", "no", "if")


@evidence("almost")
def is_before_limit(place: TokenContext, last: int) -> bool:
    following = place.tag_at(last + 1)
    return following in ("CD", "DT", "PDT", "VBD", "VBN", "JJ") and place.at(last + 1) not in WORDS["none"]


@evidence("number")
def is_before_number(place: TokenContext, last: int) -> bool:
    return place.tag_at(last + 1) in ("CD", "$") and place.at(place.i - 1) not in ("be", "of", "talk", "the", "a")


@evidence("often")
def is_with_verb(place: TokenContext, last: int) -> bool:
    """True if the adverb modifies a verb and is not graded: "is often found", not "as often as"."""
    before, following = place.at(place.i - 1), place.tag_at(last + 1)
    graded = before in WORDS["grading"]
    if " " in place.contrast.new:
        return not graded and (place.i == 0 or following in (".", ","))
    return not graded and following.startswith(("VB", "JJ", "RB", "IN", "TO", "DT"))


@evidence("adverb")
def is_plain_adverb(place: TokenContext, last: int) -> bool:
    following = place.tag_at(last + 1)
    if place.word == "nearby":
        return following in (".", ",", "CC", "IN") and place.tag_at(place.i - 1) != "DT"
    if "fast" in (place.word, place.contrast.new):
        verb = place.tag_at(place.i - 1).startswith("VB") and place.at(place.i - 1) not in ("is", "are", "was", "were")
        return verb and following in (".", ",", "CC")
    if place.word == "currently":
        return place.i > 0 and (following.startswith("VB") or following in (".", ","))
    return place.at(place.i - 1) not in ("as", "so", "how", "more", "too", "most", "very", "that")


@evidence("event")
def is_event(place: TokenContext, last: int) -> bool:
    """True if the verb describes an event, not an occurrence in general: "copper occurs in nature"."""
    return place.at(last + 1) not in ("naturally", "in", "as", "within", "on", "to", "with", "together", "among")


@evidence("placed")
def takes_place(place: TokenContext, last: int) -> bool:
    """True if the subject is an act or event, which can take place: "the meeting occurred", not "errors occur"."""
    subject = place.over_adverbs(place.i - 1)
    return is_event(place, last) and place.file(subject) in (ACTS, EVENTS)


@evidence("start")
def goes_on_with_verb(place: TokenContext, last: int) -> bool:
    following = place.at(last + 1)
    goes_on = following == "to" or (place.tag_at(last + 1) == "VBG" and place.word[:3] in ("sta", "beg"))
    helped = any(place.at(j) in WORDS["helps"] for j in range(place.i - 3, place.i))
    if place.contrast.new == "begun" or (place.contrast.new == "began" and helped):
        return goes_on and place.contrast.new == "begun" and helped
    return goes_on


@evidence("begins")
def begins_by_itself(place: TokenContext, _: int) -> bool:
    """True if something begins or starts, and the form can't be a participle, which would be inflected differently."""
    return place.tag in ("VBD", "VBZ", "VBP") and place.contrast.new != "begun"


@evidence("begun")
def has_begun(place: TokenContext, last: int) -> bool:
    return place.tag in ("VBD", "VBZ") and place.at(last + 1) not in ("to", "with", "by", "at")


@evidence("that")
def is_before_that(place: TokenContext, last: int) -> bool:
    return place.at(last + 1) == "that"


@evidence("obtained")
def is_obtained(place: TokenContext, last: int) -> bool:
    noun = place.skip(last + 1, {"DT", "PRP$", "JJ", "CD"})
    return place.at(noun) in WORDS["obtained"] and place.tag_at(noun + 1) not in NOUNS | {"VBN", "RP", "TO"}


@evidence("with_object")
def has_object(place: TokenContext, last: int) -> bool:
    return place.tag_at(last + 1) in ("DT", "PRP$", "CD", "PRP") and place.at(last + 1) not in ("that", "it")


@evidence("built")
def is_built(place: TokenContext, last: int) -> bool:
    """True if the object is a physical structure, not trust or a case."""
    if place.tag == "VBN":
        nouns = [j for j in range(max(0, place.i - 5), place.i) if place.tag_at(j) in NOUNS]
        known = bool(nouns) and place.file(nouns[-1]) == ARTEFACT
        return known and place.at(last + 1) not in ("on", "up", "into", "around", "upon", "to")
    j = place.skip(last + 1, NOUNS | {"DT", "JJ", "PRP$", "CD"})
    built = place.file(j - 1) == ARTEFACT and place.at(j - 1) not in WORDS["not_under"]
    return j > last + 1 and place.tag_at(j - 1) in NOUNS and built


@evidence("speech")
def is_spoken_to(place: TokenContext, last: int) -> bool:
    return place.at(last + 1) in ("to", "with", "about", "at") and place.at(last + 2) != "be"


@evidence("actor")
def has_actor(place: TokenContext, last: int) -> bool:
    j = place.over_adverbs(place.i - 1)
    someone = place.at(j) in WORDS["people"] or is_kind_of(place.at(j), PERSON) or place.tag_at(j) == "NNP"
    return someone and place.tag_at(last + 1) in ("IN", "TO", "RB", ".", ",")


@evidence("beside")
def is_beside_thing(place: TokenContext, last: int) -> bool:
    """True if a known thing follows, so that the word is spatial: "under the bridge", not "under the law"."""
    j = last + 1
    if not (place.defines(j) or place.at(j) in INDEFINITE or place.tag_at(j) == "NNP"):
        return False
    while place.tag_at(j) in NOUNS | {"DT", "JJ", "PRP$", "VBN"} and place.tag_at(j + 1) in NOUNS | {"JJ", "VBN"}:
        j += 1
    if place.tag_at(j) == "NNP":
        return place.word in ("near", "next", "close", "beside") and place.tag_at(place.i - 1) not in ("VBD", "VBZ")
    files = {ARTEFACT, OBJECT, PLANT} if place.word in WORDS["low"] else SOLID - {8} | {SPOT}
    return place.file(j) in files and place.at(j) not in WORDS["not_under"]


@evidence("earlier")
def is_before_event(place: TokenContext, last: int) -> bool:
    """True if an event follows, and not a clause: "before the war"."""
    noun = place.skip(last + 1, {"DT", "PRP$", "JJ", "CD"})
    happens = place.tag_at(noun) in ("NN", "NNS") and place.file(noun) in (ACTS, EVENTS, TIMES)
    return happens and noun > last + 1 and place.at(noun + 1) in (".", ",", "of", "in", "on", "")


@evidence("comma")
def is_before_comma(place: TokenContext, last: int) -> bool:
    return place.at(last + 1) in (",", ".") and place.at(place.i - 1) not in ("from", "as")
