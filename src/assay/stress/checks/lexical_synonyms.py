"""In which places of running text a synonym means the same: for each word pair, the evidence that it needs.

In a caption, a word nearly always has its everyday sense. In running text "film" may be a layer, and "under" a law, so
a pair counts only if it stands here, and only where its evidence is found.
"""

from collections.abc import Callable, Iterator
from functools import cache

from assay.language.resources.data import word_list
from assay.language.resources.loaded import wordnet
from assay.stress.checks.contexts import Place
from assay.stress.checks.contexts.predicates import said
from assay.stress.checks.contexts.words import BE, INDEFINITE, NOUNS, PLURALS, THE
from assay.stress.checks.lexical_relations import is_kind_of

SENSE = "perhaps another sense of the word"
ARTEFACT, OBJECT, PLANT, SPOT = 6, 17, 20, 15
SOLID = {ARTEFACT, OBJECT, PLANT, 5, 8}
"""WordNet's files of things that stand in a place: artefacts, natural objects, plants, animals, body parts."""
PERSON = ("person.n.01", "people.n.01")
PEOPLE = {"i", "you", "he", "she", "we", "they", "who", "people", "everyone", "somebody", "someone", "him", "her", "us"}
NOT_UNDER = {"system", "systems", "fire", "arms", "cover", "lock", "umbrella", "microscope", "wing", "lights", "sun"}
AMOUNTS = {"number", "numbers", "amount", "amounts", "share", "percentage", "degree", "fraction", "extent", "scale"} | {
    *("business", "businesses", "entity", "entities", "intestine", "claims", "change", "changes", "quantity", "wonder"),
}
BIG_DEALS = {"deal", "problem", "thing", "things", "fan", "time", "question", "mistake", "hit", "game", "money"} | {
    *("name", "shot", "idea", "day", "news", "brother", "sister", "city", "difference", "picture", "bang", "issue"),
}
SCHOOL = {
    "school",
    "schools",
    "class",
    "classroom",
    "teacher",
    "teachers",
    "teach",
    "teaches",
    "taught",
    "grade",
    "lesson",
}
EYES = {"eye", "eyes", "iris", "lens", "retina", "cornea", "dilate", "dilated", "dilates", "light"}
LIMITS = {
    "same",
    "own",
    "first",
    "last",
    "best",
    "worst",
    "little",
    "few",
    "many",
    "much",
    "end",
    "beginning",
    "top",
} | {
    *("least", "most", "next", "thing", "idea", "well", "early", "late", "only"),
}
NONE = {"no", "none", "nothing", "never", "any", "nobody", "anything", "always", "anyone", "as"}

TABLE = """
any: couch sofa, sofa couch, kid child, child kid, child youngster, kid youngster, bike bicycle, bicycle bike
any: photo photograph, photograph photo, car automobile, automobile car, policeman police-officer
any: cop police-officer
any: cop policeman, doctor physician, physician doctor, cellphone cell-phone, cellphone mobile-phone
any: phone telephone
any: telephone phone, tv television, television tv, movie film, shop store, store shop, trash garbage
any: garbage trash
any: rubbish trash, trash rubbish, lady woman, guy man, grandma grandmother, grandpa grandfather
any: grandmother grandma
any: grandfather grandpa, airplane plane, airplane aircraft, motorcycle motorbike, motorbike motorcycle
any: truck lorry
any: purse handbag, handbag purse, restaurant eatery, fisherman angler, journalist reporter, reporter journalist
any: lawyer attorney, attorney lawyer, instructor teacher, buddy friend, pal friend, trousers pants, pants trousers
any: sweater pullover, rabbit bunny, subway metro, subway underground, elevator lift, apartment flat, crowd throng
any: bicyclist cyclist, cyclist bicyclist, spectator onlooker, supermarket grocery-store, staircase stairway
any: ocean sea, road roadway, sidewalk pavement, puppy young-dog, kitten young-cat, stairs steps, stairs stairway
owned: mother mom, mom mother, father dad, dad father, friend pal, friend buddy, woman lady, man guy
owned: teacher instructor
owned: contest competition, forest woods, cliff precipice
school: pupil student, student pupil
any: gorgeous beautiful, lovely beautiful, astonished surprised, amazed surprised, thrilled excited, wealthy rich
any: renowned famous, famous well-known, famous renowned, brave courageous, courageous brave, stylish fashionable
any: delicious tasty, tasty delicious, strange odd, strange weird, weird strange, weird odd, odd strange
any: numerous many, naked nude, nude naked, elderly old, old elderly, huge enormous, huge gigantic, huge massive
any: enormous huge, gigantic huge
sized: large big, big large, tiny small, ancient very-old
small: small little, little small, tiny little
whole: whole entire, entire whole
person: sad unhappy, unhappy sad, tired weary, weary tired, exhausted tired, sick ill, ill sick, angry mad
person: rich wealthy
person: attractive good-looking, handsome good-looking, smart clever, clever smart, intelligent clever, happy glad
person: overweight fat, obese fat, obese overweight
hard: difficult hard, hard difficult
noun: pretty attractive
fear: afraid scared, afraid frightened, scared afraid, scared frightened, frightened scared, frightened afraid
many: many numerous, many a-lot-of
degree: very really, really very, extremely very
almost: almost nearly, nearly almost
begins: begin start
start: start begin, try attempt, attempt try
object: buy purchase, purchase buy, hurl throw, toss throw, repair fix, assist help, display show, phone call
object: photograph take-a-picture-of
built: build construct, construct build
speech: speak talk, talk speak, gaze stare, stare gaze, shout yell, yell shout
actor: jump leap, leap jump, stroll walk
adverb: quickly rapidly, rapidly quickly, quickly speedily, quickly fast, fast quickly, silently quietly
adverb: carefully with-care
adverb: currently at-present, nearby close-by, intently attentively
beside: next-to beside, beside next-to, next-to alongside, beside alongside, on-top-of atop, atop on-top-of
beside: inside inside-of
beside: below beneath, below underneath, beneath below, beneath under, under beneath, under underneath, under below
beside: underneath under, underneath beneath, close-to near, near close-to, toward in-the-direction-of
beside: towards in-the-direction-of, outside-of outside, outside outside-of
any: amongst among, among amongst, across-from opposite
"""

TEXT_TABLE = """
kind: type kind, kind type, type sort, sort type, kind sort, sort kind, amount quantity, quantity amount
any: mistake error, error mistake, illness sickness, sickness illness, author writer, writer author
any: infant baby, baby infant, freedom liberty, liberty freedom, nation country
any: inhabitant resident, resident inhabitant, expert specialist, specialist expert
any: portion part, region area, location place, remedy cure, outcome result, aim goal
noun: main chief, chief main, main principal, principal main
noun: primary main, additional extra, rapid quick, crucial vital, vital crucial, adequate sufficient
amount: enough sufficient, sufficient enough
event: occur happen, happen occur, occur take-place, take-place occur, happen take-place, take-place happen
object: require need, need require, obtain get, utilize use, use utilize, use make-use-of, permit allow
object: allow permit, demonstrate show
object: select choose, choose select, complete finish, finish complete, gather collect, collect gather
object: conceal hide, hide conceal
object: prohibit forbid, forbid prohibit, comprehend understand, understand comprehend, resemble look-like
any: commence begin, depart leave, vanish disappear, disappear vanish, perish die, twice two-times
often: often frequently, frequently often, usually normally, normally usually, usually generally
often: generally usually, typically usually, usually typically, mainly primarily, primarily mainly
often: mainly chiefly, chiefly mainly, rarely seldom, seldom rarely, immediately at-once
often: immediately right-away, right-away immediately, completely totally, totally completely
often: completely entirely, entirely completely, suddenly all-of-a-sudden, all-of-a-sudden suddenly
often: especially particularly, particularly especially
any: annually every-year, initially at-first, perhaps maybe, maybe perhaps, nowadays these-days
any: therefore for-that-reason
number: approximately roughly, roughly approximately, approximately about, about approximately
flown: plane airplane
begun: begin commence
that: show demonstrate
nations: country nation
agreed: right correct, correct right
noun: main primary, well-known famous
any: die perish
result: result outcome
obtained: get obtain
earlier: before prior-to
comma: at-first initially
any: because-of due-to, due-to because-of, because-of owing-to, owing-to because-of, despite in-spite-of
any: in-spite-of despite, prior-to before, until till, till until, along-with together-with
any: together-with along-with
any: regarding concerning, concerning regarding, via by-way-of, throughout all-through
"""
"""Pairs that need their evidence in captions, too: "gets ready" and "about to dunk" are no other words for the same."""


def needs_evidence(old: str, new: str, tag: str) -> bool:
    """Whether a pair is one whose words have many uses even in captions."""
    return frozenset((_base(old.lower(), tag), _base(new, tag))) in _of_text()


@cache
def _of_text() -> frozenset[frozenset[str]]:
    return frozenset(frozenset(pair) for pair, _ in _pairs(TEXT_TABLE))


def other_meaning(place: Place, old: str, last: int) -> str:
    """Why a synonym may mean something else in running text; empty if the evidence of its pair is found."""
    found = _evidence().get((_base(old.lower(), place.tag), _base(place.contrast.new, place.tag)))
    return "" if found and found(place, last) else SENSE


@cache
def _evidence() -> dict[tuple[str, str], Callable[[Place, int], bool]]:
    return {pair: EVIDENCE[name] for pair, name in (*_pairs(TABLE), *_pairs(TEXT_TABLE))}


def _pairs(table: str) -> Iterator[tuple[tuple[str, str], str]]:
    """The word pairs of a table, each with the name of its evidence."""
    for line in table.strip().splitlines():
        name, _, pairs = line.partition(": ")
        for pair in pairs.split(", "):
            old, new = (word if word in HYPHENS else word.replace("-", " ") for word in pair.split())
            yield (old, new), name


HYPHENS = {"well-known", "good-looking"}


@cache
def _base(phrase: str, tag: str) -> str:
    """The lemma of a form; of a phrase, the first or the last word is shaped."""
    pos = "v" if tag.startswith("VB") else "n" if tag in NOUNS else ""
    if not pos or phrase in ("pants", "trousers", "stairs", "steps", "woods", "glasses"):
        return phrase
    first, _, rest = phrase.partition(" ")
    if pos == "v":
        return " ".join(filter(None, [(wordnet().morphy(first, "v") or (first,))[-1], rest]))
    before, _, last = phrase.rpartition(" ")
    return " ".join(filter(None, [before, (wordnet().morphy(last, "n") or (last,))[-1]]))


def _any(place: Place, last: int) -> bool:
    # a noun inside of a compound may be part of a name for something else
    return place.tag not in NOUNS or not ({place.tag_at(place.i - 1), place.tag_at(last + 1)} & NOUNS)


def _owned(place: Place, last: int) -> bool:
    """One who is known or counted, not a kind: "my father", "two men", not "the father of history"."""
    known = place.defines(place.determiner) or place.at(place.determiner) in INDEFINITE
    counted = place.tag_at(place.first) == "CD"
    return _any(place, last) and (known or counted) and place.at(last + 1) not in ("of", "'s", "nature")


def _school(place: Place, last: int) -> bool:
    return _any(place, last) and not SCHOOL.isdisjoint(place.low) and EYES.isdisjoint(place.low)


def _sized(place: Place, last: int) -> bool:
    if place.tag_at(last) in ("JJR", "JJS") and place.contrast.new.startswith("very"):
        return False
    if place.head < 0:
        return said(place) is not None and place.at(last + 1) not in ("enough", "on", "in", "as", "of")
    head = place.at(place.head)
    if place.word == "ancient" and (place.file(place.head) not in SOLID or place.tag_at(last + 1) not in NOUNS):
        return False
    return head not in BIG_DEALS and place.tag_at(place.i - 1) not in NOUNS


def _small(place: Place, _: int) -> bool:
    """A size, not an amount or a fondness: "the small room", but neither "little benefit" nor "small businesses"."""
    if place.head < 0 or place.tag in ("JJR", "JJS") or place.at(place.head) in AMOUNTS:
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


def _whole(place: Place, last: int) -> bool:
    before, noun = place.at(place.i - 1), place.at(last + 1)
    owner = before in THE - {"that"} or place.tag_at(place.i - 1) in ("PRP$", "POS")
    return owner and place.tag_at(last + 1) in ("NN", "JJ", "NNP") and noun not in ("lot", "bunch", "thing", "number")


def _person(place: Place, last: int) -> bool:
    if place.tag in ("JJR", "JJS") or place.at(place.i - 1) in ("more", "most", "less"):
        return False
    if place.head >= 0:
        return is_kind_of(place.at(place.head), PERSON)
    found = said(place)
    subject = found.verb - 1 if found else -1
    someone = place.at(subject) in PEOPLE or (subject >= 0 and is_kind_of(place.at(subject), PERSON))
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


def _hard(place: Place, last: int) -> bool:
    before = place.at(place.i - 1)
    if before in ("more", "most", "less", "least") or place.tag in ("JJR", "JJS"):
        return False
    return place.head < 0 and said(place) is not None and place.at(last + 1) in ("to", "for", ".", "because", ",")


def _noun(place: Place, last: int) -> bool:
    known = place.defines(place.i - 1) or place.at(place.i - 1) in INDEFINITE
    return known and place.head == last + 1


def _fear(place: Place, last: int) -> bool:
    return place.at(last + 1) == "of" and place.at(place.i - 1) not in ("more", "most")


def _many(place: Place, last: int) -> bool:
    j = last + 1
    while place.tag_at(j) in ("JJ", "NN", "VBG", "VBN"):
        j += 1
    before = place.at(place.i - 1)
    plain = place.tag_at(place.i - 1) not in ("DT", "PRP$", "WDT", "RB", "POS", "VBP") or before == ","
    graded = before in ("how", "so", "too", "as", "very", "that", "great", "the", "not", "n't")
    return plain and not graded and place.tag_at(j) in PLURALS and not place.at(j).endswith("times")


def _degree(place: Place, last: int) -> bool:
    graded = place.tag_at(last + 1) == "JJ" and place.at(last + 1) not in LIMITS
    return graded and place.at(place.i - 1) not in ("not", "n't", "the", "really", "very", "so", "no", "if")


def _almost(place: Place, last: int) -> bool:
    following = place.tag_at(last + 1)
    return place.at(last + 1) not in NONE and (following in ("CD", "DT", "PDT", "VBD", "VBN") or following == "JJ")


def _of(place: Place, last: int) -> bool:
    """A kind or an amount of something: "two types of rock", not "her type"."""
    known = place.tag_at(place.i - 1) in ("DT", "JJ", "JJR", "JJS", "CD", "WDT", "PRP$", "PDT")
    return place.at(last + 1) == "of" and (known or place.tag in PLURALS) and place.tag_at(place.i - 1) not in NOUNS


def _enough(place: Place, last: int) -> bool:
    return place.tag_at(last + 1) in NOUNS and place.tag_at(last + 1) != "NNP" and place.tag_at(place.i - 1) != "JJ"


def _often(place: Place, last: int) -> bool:
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


def _event(place: Place, last: int) -> bool:
    """What happens, not what is found somewhere: "copper occurs in nature"."""
    return place.at(last + 1) not in ("naturally", "in", "as", "within", "on", "to", "with", "together", "among")


def _number(place: Place, last: int) -> bool:
    return place.tag_at(last + 1) in ("CD", "$") and place.at(place.i - 1) not in ("be", "of", "talk", "the", "a")


def _starts(place: Place, last: int) -> bool:
    following = place.at(last + 1)
    goes_on = following == "to" or (place.tag_at(last + 1) == "VBG" and place.word[:3] in ("sta", "beg"))
    helped = any(place.at(j) in HELPS for j in range(place.i - 3, place.i))
    if place.contrast.new == "begun" or (place.contrast.new == "began" and helped):
        return goes_on and place.contrast.new == "begun" and helped
    return goes_on


FLYING = {
    "flight",
    "flights",
    "pilot",
    "pilots",
    "passengers",
    "airport",
    "crew",
    "airline",
    "jet",
    "hijackers",
    "fly",
} | {
    *("flew", "flying", "flown", "aircraft", "wings", "landed", "takeoff", "runway", "airlines", "crashed", "boarded"),
}
OBTAINED = {
    "information",
    "money",
    "permission",
    "license",
    "permit",
    "copy",
    "copies",
    "data",
    "access",
    "funding",
} | {
    *("approval", "loan", "ticket", "tickets", "degree", "visa", "grant", "evidence", "certificate", "passport"),
}
ACTS, EVENTS, TIMES = 4, 11, 28


def _flown(place: Place, last: int) -> bool:
    return _any(place, last) and place.tag in ("NN", "NNS") and not FLYING.isdisjoint(place.low)


def _begins(place: Place, _: int) -> bool:
    """What begins starts; not where the form could be a participle that is shaped in another way."""
    return place.tag in ("VBD", "VBZ", "VBP") and place.contrast.new != "begun"


def _begun(place: Place, last: int) -> bool:
    return place.tag in ("VBD", "VBZ") and place.at(last + 1) not in ("to", "with", "by", "at")


def _that(place: Place, last: int) -> bool:
    return place.at(last + 1) == "that"


def _nations(place: Place, last: int) -> bool:
    """States, not the land outside of towns."""
    ours = place.at(place.i - 1) in ("this", "our", "their", "my", "his", "her", "its", "your", "which", "that")
    return _any(place, last) and (place.tag == "NNS" or (ours and place.at(last + 1) != "of"))


def _comma(place: Place, last: int) -> bool:
    return place.at(last + 1) in (",", ".") and place.at(place.i - 1) not in ("from", "as")


def _agreed(place: Place, last: int) -> bool:
    """What is said of a statement: "that is right"."""
    said_so = place.at(place.i - 2) in ("that", "this", "you", "he", "she", "they") and place.at(place.i - 1) in BE
    return said_so and place.at(last + 1) in (".", ",", "")


def _result(place: Place, last: int) -> bool:
    return _any(place, last) and place.at(place.i - 1) in THE and place.at(place.i - 2) not in ("with", "as")


def _obtained(place: Place, last: int) -> bool:
    noun = last + 1
    while place.tag_at(noun) in ("DT", "PRP$", "JJ", "CD"):
        noun += 1
    return place.at(noun) in OBTAINED and place.tag_at(noun + 1) not in NOUNS | {"VBN", "RP", "TO"}


def _earlier(place: Place, last: int) -> bool:
    """Before something that happens, and not before a sentence: "before the war"."""
    noun = last + 1
    while place.tag_at(noun) in ("DT", "PRP$", "JJ", "CD"):
        noun += 1
    happens = place.tag_at(noun) in ("NN", "NNS") and place.file(noun) in (ACTS, EVENTS, TIMES)
    return happens and noun > last + 1 and place.at(noun + 1) in (".", ",", "of", "in", "on", "")


HELPS = {"have", "has", "had", "'ve", "'s", "'d", "having", "been", "was", "were", "is", "are"}


def _object(place: Place, last: int) -> bool:
    return place.tag_at(last + 1) in ("DT", "PRP$", "CD", "PRP") and place.at(last + 1) not in ("that", "it")


def _built(place: Place, last: int) -> bool:
    """Something that is built of stone or wood, not trust or a case."""
    if place.tag == "VBN":
        nouns = [j for j in range(max(0, place.i - 5), place.i) if place.tag_at(j) in NOUNS]
        known = bool(nouns) and place.file(nouns[-1]) == ARTEFACT
        return known and place.at(last + 1) not in ("on", "up", "into", "around", "upon", "to")
    j = last + 1
    while place.tag_at(j) in NOUNS | {"DT", "JJ", "PRP$", "CD"}:
        j += 1
    built = place.file(j - 1) == ARTEFACT and place.at(j - 1) not in NOT_UNDER
    return j > last + 1 and place.tag_at(j - 1) in NOUNS and built


def _speech(place: Place, last: int) -> bool:
    return place.at(last + 1) in ("to", "with", "about", "at") and place.at(last + 2) != "be"


def _actor(place: Place, last: int) -> bool:
    j = place.over_adverbs(place.i - 1)
    someone = place.at(j) in PEOPLE or is_kind_of(place.at(j), PERSON) or place.tag_at(j) == "NNP"
    return someone and place.tag_at(last + 1) in ("IN", "TO", "RB", ".", ",")


def _adverb(place: Place, last: int) -> bool:
    following = place.tag_at(last + 1)
    if place.word == "nearby":
        return following in (".", ",", "CC", "IN") and place.tag_at(place.i - 1) != "DT"
    if "fast" in (place.word, place.contrast.new):
        verb = place.tag_at(place.i - 1).startswith("VB") and place.at(place.i - 1) not in ("is", "are", "was", "were")
        return verb and following in (".", ",", "CC")
    if place.word == "currently":
        return place.i > 0 and (following.startswith("VB") or following in (".", ","))
    return place.at(place.i - 1) not in ("as", "so", "how", "more", "too", "most", "very", "that")


def _beside(place: Place, last: int) -> bool:
    """A place: what follows is a thing that is known, "under the bridge", not "under the law" or "near 10"."""
    j = last + 1
    if not (place.defines(j) or place.at(j) in INDEFINITE or place.tag_at(j) == "NNP"):
        return False
    while place.tag_at(j) in NOUNS | {"DT", "JJ", "PRP$", "VBN"} and place.tag_at(j + 1) in NOUNS | {"JJ", "VBN"}:
        j += 1
    if place.tag_at(j) == "NNP":
        return place.word in ("near", "next", "close", "beside") and place.tag_at(place.i - 1) not in ("VBD", "VBZ")
    files = {ARTEFACT, OBJECT, PLANT} if place.word in LOW else SOLID - {8} | {SPOT}
    return place.file(j) in files and place.at(j) not in NOT_UNDER


LOW = {"below", "beneath", "under", "underneath", "on", "atop"}

EVIDENCE: dict[str, Callable[[Place, int], bool]] = {
    "flown": _flown,
    "begun": _begun,
    "begins": _begins,
    "that": _that,
    "nations": _nations,
    "result": _result,
    "agreed": _agreed,
    "comma": _comma,
    "obtained": _obtained,
    "earlier": _earlier,
    "any": _any,
    "owned": _owned,
    "school": _school,
    "sized": _sized,
    "small": _small,
    "kind": _of,
    "amount": _enough,
    "often": _often,
    "event": _event,
    "number": _number,
    "whole": _whole,
    "person": _person,
    "hard": _hard,
    "noun": _noun,
    "fear": _fear,
    "many": _many,
    "degree": _degree,
    "almost": _almost,
    "start": _starts,
    "object": _object,
    "built": _built,
    "speech": _speech,
    "actor": _actor,
    "adverb": _adverb,
    "beside": _beside,
}
"""The tests by the names that the table uses."""
