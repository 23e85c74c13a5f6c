"""Where two words that exclude each other may yet both be true: every context that a proof for antonyms refuses."""

from collections.abc import Sequence
from functools import cached_property
from typing import Literal

from assay.language.analysis import Tagged
from assay.language.resources import wordnet

Kind = Literal["descriptive", "predicate", "after be", "person", "noun", "amount", "place"]
"""What a contrast is between, which decides where it holds."""

NEGATIONS = {
    *("not", "n't", "n\u2019t", "no", "never", "none", "nobody", "nothing", "neither", "nor", "cannot", "nowhere"),
    *("hardly", "barely", "rarely", "seldom", "scarcely", "anymore", "nt", "dont", "doesnt", "didnt", "isnt", "wasnt"),
    *("cant", "wont", "fail", "fails", "failed", "refuse", "refuses", "refused", "deny", "denies", "denied", "lack"),
    *("lacks", "lacked", "lacking", "prevent", "prevents", "prevented", "avoid", "avoids", "avoided", "reject"),
    *("rejects", "rejected", "doubt", "doubts", "doubted"),
}
EXCEPTIONS = {"without", "only", "except", "instead", "than", "few", "little", "unlikely", "longer", "less", "least"}
"""These turn what follows them, not what stands before."""
CONDITIONS = {"if", "whether", "unless", "suppose", "supposing", "assuming", "provided", "either", "versus", "vs"}
"""These open two possibilities."""
POSSIBLE = {
    *("may", "might", "can", "could", "ought", "maybe", "perhaps", "possibly", "probably", "potentially", "supposed"),
    *("supposedly", "allegedly", "likely", "wish", "wishes", "wished", "imagine", "pretend", "pretends", "pretended"),
    "ca",
}
CLAIMS = {"statement", "idea", "claim", "belief", "implication", "theory", "notion", "rumor", "hope", "fear"}
"""What follows these is not said to be so."""
WISHED = {"would", "should", "must", "'d", "\u2019d", "shall", "need", "needs", "needed", "want", "wants", "wanted"}
"""With these a thing that is picked out need not be there; what is said of a subject still excludes its opposite."""
SOME = {
    *("some", "any", "several", "certain", "various", "numerous", "other", "others", "another", "sometimes", "often"),
    *("occasionally", "someone", "somebody", "something", "anyone", "anybody", "anything", "many", "partly", "either"),
    *(
        "different",
        "whichever",
        "whatever",
        "whoever",
        "everything",
        "everyone",
        "each",
        "every",
        "half",
        "lot",
        "lots",
    ),
}
"""After these words both may be true: of some and of others, at one time and at another."""
TIMES = {"when", "whenever", "until", "till", "once", "where", "wherever", "while", "before", "after", "how", "why"}
"""What stands after these may name one occasion of several."""
BREAKS = {",", ";", ":", "--", "-", "(", ")", "and", "but", "because", "although", "though", "whereas", "so", "since"}
"""A clause may end here, if a verb stands on the one side and on the other."""
DEGREES = {"as", "how", "more", "most", "less", "least", "almost", "nearly", "that", "only", "half"} | {
    *("equally", "no", "any", "not", "just", "merely", "otherwise", "else", "such", "what", "nothing"),
}
FINITE = {"VBZ", "VBD", "VBP", "MD"}
BE = {"is", "are", "was", "were", "am", "'s", "'re", "'m", "\u2019s", "\u2019re", "\u2019m"}
LINKS = BE | {
    *("became", "becomes", "remain", "remains", "remained", "seemed", "seems", "seem", "looked", "looks", "feel"),
    *("feels", "felt", "sounded", "sounds", "stayed", "stays", "proved", "appeared", "appears"),
}
"""Verbs that say what follows them of their subject."""
HELPERS = {
    *("will", "would", "should", "must", "'ll", "\u2019ll", "has", "have", "had", "'ve", "\u2019ve", "'s", "\u2019s"),
    *("'d", "\u2019d"),
}
"""Words before "be" and "been" that leave it so."""
APPEARS = LINKS | {
    *("has", "have", "had", "going", "used", "need", "needs", "out", "claims", "claimed", "said", "believed", "known"),
    *("considered", "thought", "found", "shown", "reported", "seen"),
}
"""Words before "to be" that leave it so."""
MAKES = {"make", "makes", "made", "find", "finds", "found", "keep", "keeps", "kept"}
"""Verbs of "make it easy"."""
THE = {"the", "this", "that", "these", "those", "my", "your", "his", "her", "its", "our", "their"}
NOUNS = {"NN", "NNS", "NNP", "NNPS"}
BEFORE_NOUN = NOUNS | {"JJ", "JJR", "JJS", "VBG", "VBN", "CD"}
ADVERBS = {"RB", "RBR", "RBS"}
QUESTIONS = {"what", "how", "why", "who", "whom", "which", "whose", "do", "does", "did", "is", "are", "was", "were"} | {
    *("can", "could", "would", "will", "should", "has", "have", "had", "am", "may"),
}
"""A sentence that begins with one of these asks, question mark or not."""
ORDERS = {"please", "let", "lets", "help", "make", "note", "see", "remember", "imagine"}
MALE = {"he", "him", "his", "himself", "mr", "mr.", "sir"}
FEMALE = {"she", "her", "hers", "herself", "mrs", "mrs.", "ms", "ms.", "miss", "pregnant"}
MALE_NOUNS = {"man", "boy", "father", "husband", "son", "brother", "uncle", "nephew", "king", "male"}
PEOPLE = {"i", "he", "she", "we", "you", "who"}
SUPPOSING_MORE = {"new", "newer", "newest", "first", "last", "old", "public", "private", "foreign", "domestic"} | {
    *("internal", "external", "primary", "secondary", "independent", "dependent"),
}
"""Adjectives that speak of another thing of the same kind."""
HOLDS = {
    "include",
    "includes",
    "included",
    "contain",
    "contains",
    "contained",
    "involve",
    "involves",
    "need",
    "needs",
} | {
    *("want", "wants", "like", "likes", "love", "loves", "hate", "hates", "prefer", "prefers", "use", "uses", "seek"),
}
"""Verbs whose object may be one of several."""
COUNTED = {"hundred", "thousand", "million", "dozen", "century", "decade", "year", "month", "week", "day", "hour"} | {
    *("minute", "mile", "third", "quarter", "half"),
}
NUMBERS = {
    *("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "twenty", "thirty"),
    *("forty", "fifty", "sixty", "seventy", "eighty", "ninety"),
}
QUANTITIES = {"number", "amount", "proportion", "part", "share", "portion", "percentage", "quantity", "majority"}
CONCRETE = {5, 6, 8, 13, 15, 17, 18, 20, 27}
"""WordNet's files of animals, artefacts, body parts, food, places, natural things, persons, plants and substances."""
LIVING = {5, 18}
PLACES = {"front", "rear", "inside", "outside", "majority", "minority", "maximum", "minimum"}
"""Nouns whose contrast also holds after a preposition."""

SIDES = {"side", "hand", "bank", "wing", "arm", "leg", "eye", "ear", "foot", "shoulder", "corner", "lane", "knee"}
"""What has a left and a right."""

MISFITS: dict[str, set[str]] = {
    "afraid": {"that", "i", "it", "you", "he", "she", "we", "they", "to", "so", ",", "."},
    "bad": {"for", "news"},
    "careful": {"to", "not"},
    "certain": {"to", "i", "it", "you", "he", "she", "we", "they"},
    "clear": {"of"},
    "dependent": {"on", "upon"},
    "fast": {"and"},
    "good": {"amount", "bit", "deal", "many", "news", "number"},
    "harder": {"than"},
    "independent": {"of", "from"},
    "limited": {"to"},
    "nice": {"to"},
    "open": {"to", "for"},
    "opposed": {"to"},
    "proud": {"of", "to", "that"},
    "responsible": {"for"},
    "safe": {"from"},
    "sure": {"to", "enough", "i", "it", "you", "he", "she", "we", "they"},
}
"""Words after which the antonym would not fit, or would have another sense."""
HEADS: dict[str, set[str]] = {
    "good": {"deal", "number", "many", "bit", "while", "way", "chance", "luck", "morning", "evening", "night", "day"}
    | {"laugh", "thing", "look", "kick"},
    "little": {"bit", "while", "more", "time", "less", "too", "else"},
    "big": {"deal", "time", "picture"},
    "deep": {"color", "colour", "voice", "breath"},
    "many": {"hundreds", "thousands", "millions", "more", "times"},
}
"""Words before which the word has another sense."""


PLAIN: dict[str, set[str]] = {
    "long": {"time", "distance"},
    "short": {"time", "distance"},
    "young": {"man", "woman", "girl", "boy", "lady", "person"},
    "old": {"man", "woman", "lady", "person"},
    "large": {"number"},
    "small": {"town", "boat", "person"},
    "big": {"city"},
    "good": {"time", "example", "person", "health", "book", "fortune"},
    "cold": {"weather", "water"},
    "too": {"large", "small", "big"},
    "very": {"fast", "light"},
    "rural": {"area"},
    "first": {"step", "person", "year", "team"},
    "high": {"quality", "level"},
    "low": {"level", "quality", "cost"},
    "rich": {"people", "person", "man"},
    "black": {"woman", "man"},
    "hot": {"weather"},
}
"""Pairs that WordNet lists as one word, and that mean no more than their parts."""


class Place:
    """A word in its text, with what is asked about it again and again."""

    def __init__(self, tokens: Sequence[Tagged], i: int, kind: Kind, words: frozenset[str]) -> None:
        self.all = tokens
        self.kind = kind
        self.words = words
        number = tokens[i].sentence
        first = next(j for j, token in enumerate(tokens) if token.sentence == number)
        self.tokens = [token for token in tokens if token.sentence == number]
        self.i = i - first
        self.low = [token.text.lower() for token in self.tokens]
        self.word = self.low[self.i]
        self.tag = self.tokens[self.i].tag

    def at(self, j: int) -> str:
        """The word at a place, in lower case; empty outside of the sentence."""
        return self.low[j] if 0 <= j < len(self.low) else ""

    def tag_at(self, j: int) -> str:
        """The tag at a place; empty outside of the sentence."""
        return self.tokens[j].tag if 0 <= j < len(self.low) else ""

    @cached_property
    def clause(self) -> range:
        """The places of the word's clause: from break to break, but so far that a finite verb is inside."""
        start = end = self.i
        stop = next((j for j in range(self.i, len(self.low)) if self.low[j] in BREAKS), len(self.low))
        while start > 0 and not (self.low[start - 1] in BREAKS and self._finite(start, stop)):
            start -= 1
        while end < len(self.low) and not (self.low[end] in BREAKS and self._finite(start, end)):
            end += 1
        return range(start, end)

    def _finite(self, start: int, stop: int) -> bool:
        return any(self.tokens[j].tag in FINITE for j in range(start, stop))

    def before(self, words: set[str]) -> bool:
        """Whether one of the words stands in the clause before the word."""
        return any(self.low[j] in words for j in range(self.clause.start, self.i))

    def after(self, words: set[str]) -> bool:
        """Whether one of the words stands in the clause after the word."""
        return any(self.low[j] in words for j in range(self.i + 1, self.clause.stop))

    def over_adverbs(self, j: int) -> int:
        """The first place at or before this one that has no adverb."""
        while self.tag_at(j) in ADVERBS:
            j -= 1
        return j

    @cached_property
    def left(self) -> int:
        """The place before the word and the adverbs that belong to it."""
        return self.over_adverbs(self.i - 1)

    @cached_property
    def determiner(self) -> int:
        """The place before the noun phrase's adjectives and nouns: its article, if it has one."""
        j = self.i - 1
        while self.tag_at(j) in BEFORE_NOUN | ADVERBS and self.at(j) not in THE:
            if self.tag_at(j) == "VBG" and self.at(self.over_adverbs(j - 1)) in LINKS | {"be", "been"}:
                break  # "is planning new rooms"
            j -= 1
        return j

    @cached_property
    def head(self) -> int:
        """The noun that an adjective stands before, or -1."""
        j = self.i + 1
        while self.tag_at(j) in BEFORE_NOUN:
            j += 1
        return j - 1 if j - 1 > self.i and self.tag_at(j - 1) in NOUNS else -1

    @cached_property
    def is_said(self) -> bool:
        """Whether the word is an adjective that is said of a subject, not one that stands before a noun."""
        return self.kind not in ("person", "noun", "amount") and self.head < 0

    @cached_property
    def is_known(self) -> bool:
        """Whether the word belongs to something that is taken as known: "the old man", "my wife"."""
        return self.kind in ("descriptive", "person", "place") and not self.is_said and self.defines(self.determiner)

    @cached_property
    def happened(self) -> bool:
        """Whether the nearest finite verb tells of the past: the one before the word, or else the one after it."""
        before = (self.tokens[j].tag for j in range(self.i - 1, self.clause.start - 1, -1))
        after = (self.tokens[j].tag for j in range(self.i + 1, self.clause.stop))
        return next((tag for tag in (*before, *after) if tag in FINITE), "") == "VBD"

    def links(self, j: int) -> bool:
        """Whether a verb stands there that says of its subject what follows."""
        return self.at(j) in LINKS and self.tag_at(j) != "POS"

    def defines(self, j: int) -> bool:
        """Whether a word stands there that speaks of a known thing."""
        return (self.at(j) in THE and self.tag_at(j) not in ("IN", "WDT", "RB")) or self.tag_at(j) in ("PRP$", "POS")

    def file(self, j: int) -> int:
        """The file of WordNet that a noun's most frequent sense stands in; -1 if it has none."""
        senses = wordnet().synsets(self.at(j), "n") if j >= 0 else ()
        return senses[0].file if senses else -1


def doubt(place: Place) -> str:
    """Why both sentences might be true where the word stands; empty if nothing tells so."""
    return _sentence(place) or _word(place) or _scope(place) or _position(place)


def _sentence(place: Place) -> str:
    if place.low[-1] == "?" or place.low[0] in QUESTIONS:
        return "in a question"
    if place.tokens[place.i].text[:1].isupper() and place.i:
        return "in a name"
    if not any(token.tag in FINITE for token in place.tokens):
        return "no finite verb"
    if place.tokens[0].tag == "VB" or place.low[0] in ORDERS:
        return "in an order"
    return ""


def _word(place: Place) -> str:
    i, word = place.i, place.word
    repeated = place.kind != "amount" and sum(each in place.words for each in place.low) > 1
    if repeated or any(token.text.lower() in place.words - {word} for token in place.all):
        return "the word or its antonym stands elsewhere in the text"
    following = place.at(i + 1)
    index = wordnet().data.index
    for one, other in ((place.at(i - 1), word), (word, following), (word, _singular(following))):
        fixed = one and other and (f"{one}_{other}" in index or f"{one}-{other}" in index)
        plain = other in PLAIN.get(one, ()) and place.tag_at(i + 2) not in NOUNS  # but "a long time friend"
        if fixed and place.kind != "amount" and not plain:
            return "part of a fixed phrase"
    if place.at(i - 1) == "too" and word in ("bad", "good"):
        return "part of a fixed phrase"
    if following in MISFITS.get(word, ()) or following in HEADS.get(word, ()):
        return "part of a fixed phrase"
    if place.at(i - 1) in {"/", "-"} or following in {"/", "-"}:
        return "part of a compound"
    return ""


def _singular(form: str) -> str:
    return (wordnet().morphy(form, "n") or (form,))[-1]


def _scope(place: Place) -> str:
    # What follows "it is easy" or "many people" is no part of what is claimed of them; and a known person or thing is
    # who it is, whatever is denied of it.
    reaches_back = not (place.is_said or place.kind == "amount" or place.is_known)
    if (
        any(word in ("if", "unless", "perhaps", "maybe") for word in place.low)
        or place.before(CONDITIONS)
        or place.before({"or"})
    ):
        return "a condition or a choice"
    if "or" in place.low[place.i : place.i + 4] or (reaches_back and place.after(CONDITIONS)):
        return "a condition or a choice"
    if place.before(NEGATIONS | EXCEPTIONS) or (reaches_back and place.after(NEGATIONS)):
        return "negated"
    possible = POSSIBLE - {"can", "could"} if place.kind == "amount" else POSSIBLE
    if place.before(possible | CLAIMS) or (reaches_back and place.after(possible)):
        return "only possible"
    if place.before(SOME):
        return "of some, or at some time"
    if place.before(TIMES):
        return "on one occasion of several"
    if _in_relative_clause(place):
        return "in a relative clause"
    first = place.clause.start
    if place.tag_at(first) == "VBG" and not any(place.tag_at(j) in FINITE for j in range(first, place.i)):
        return "in what is done, not in what is so"
    return ""


def _in_relative_clause(place: Place) -> bool:
    return any(
        place.at(j) in ("that", "which", "who", "whose", "whom")
        and place.tag_at(j) != "DT"
        and place.tag_at(j - 1) in NOUNS | {"DT", "CD", "IN"}
        for j in range(max(1, place.clause.start), place.i)
    )


def _position(place: Place) -> str:
    if place.kind == "amount":
        return _amount(place)
    if place.kind in ("person", "noun"):
        return _noun(place)
    return _adjective(place)


def _adjective(place: Place) -> str:
    i, left = place.i, place.left
    graded = any(place.at(j) in DEGREES for j in range(left + 1, i)) or place.at(left) in DEGREES - {"that"}
    if graded or place.at(i + 1) == "enough" or place.word in ("bigger", "biggest", "littler", "littlest"):
        return "compared or graded"
    if place.tag_at(left) in ("CD", "NNS") or place.tag_at(left - 1) == "CD":
        return "a measure"
    if place.word == "little" and not place.is_known:
        return "an amount or a size"
    if place.word in ("old", "young", "sad") and not _of_person(place):
        return "not said of a person"
    if place.kind == "place" or (place.word in ("early", "late") and not place.is_said):
        return _direction(place)
    return _after_be(place) if place.is_said else _before_noun(place)


def _direction(place: Place) -> str:
    """One time and place excludes the other: "in the late 1980s", "on the left bank"."""
    det = place.determiner
    where = place.at(det) == "the" and place.at(det - 1) in ("in", "on", "at", "to", "from", "near", "along", "by")
    whole = place.kind == "place" or place.at(place.i + 1)[:1].isdigit()
    if place.word in ("left", "right"):
        whole = place.at(place.i + 1) in SIDES
    return "" if where and whole and place.tag_at(place.head) != "NNS" else "picks out one of several"


def _of_person(place: Place) -> bool:
    """Whether an adjective is said of a person or an animal."""
    noun = place.head if place.head >= 0 else place.left - 1
    return place.at(noun) in PEOPLE or place.file(noun) in LIVING


def _after_be(place: Place) -> str:
    left = place.left
    if place.tag_at(place.i + 1).startswith("JJ"):
        return "compared or graded"  # "real good"
    if place.at(left) in THE and place.tag == "JJS":
        left -= 1
    if place.at(left) == "and" and place.tag_at(left - 1) in ("JJ", "VBN"):
        left = place.over_adverbs(left - 2)  # "large and empty": both are said
    link = place.at(left)
    if link in ("be", "been", "being", "become"):
        left = place.over_adverbs(left - 1)
        if place.at(left) == "to" and place.at(left - 1) in APPEARS:
            return ""
        return "" if place.at(left) in (BE if link == "being" else HELPERS) else "not said of a subject"
    if place.at(left - 1) in MAKES and link in ("it", "them", "him", "her", "me", "us", "you"):
        return ""
    if not place.links(left):
        return "not said of a subject"
    return "existence" if place.at(left - 1) == "there" else ""


def _before_noun(place: Place) -> str:
    if place.kind == "after be":
        return "picks out one of several"
    if place.before({"there"}):
        return "existence"
    det = place.determiner
    article = place.at(det)
    before = place.over_adverbs(det - 1)
    indefinite = article in ("a", "an")
    named = place.at(before) == "," and place.tag_at(before - 1) == "NNP"  # "Ann, the best cook, ..."
    if place.links(det) or ((place.links(before) or named) and (place.defines(det) or indefinite)):
        return ""
    if place.before(WISHED):
        return "only wished"
    if any(place.at(j) in ("first", "last", "only", "next", "second", "same", "other") for j in range(det, place.i)):
        return "picks out one of several"
    if indefinite or place.tag_at(det) in ("VBD", "VBZ", "VBP"):
        return _of_unknown_thing(place, before if indefinite else det)
    if not place.defines(det):
        return "not a known thing"
    if place.kind == "predicate" and place.word not in ("new", "newer", "newest"):
        return "picks out one of several"
    concrete = place.file(place.head) in CONCRETE
    pointed_at = place.tag_at(det) == "PRP$" or article in ("this", "that", "these", "those")
    if place.tag_at(place.head) in ("NNS", "NNPS") and not (pointed_at and concrete):
        return "picks out one of several"
    return "" if place.tag == "JJS" or concrete else "said of nothing that can be seen"


def _of_unknown_thing(place: Place, verb: int) -> str:
    """Somebody has it, or it is a number of things: elsewhere "a large garden" may be another one."""
    has = place.tag_at(verb) in ("VBD", "VBZ", "VBP") and place.at(verb) not in HOLDS
    if place.kind == "predicate":
        return "" if has and place.word not in SUPPOSING_MORE else "picks out one of several"
    bare = verb == place.determiner
    happened = has or (not bare and place.happened)
    return "" if happened or place.at(place.head) in QUANTITIES else "not a known thing"


def _noun(place: Place) -> str:
    i, det = place.i, place.determiner
    article = place.at(det)
    if place.tag_at(i + 1) in NOUNS | {"CD"}:
        return "part of a compound"
    if place.at(i - 1) in ("and", ","):
        return "one of several"
    if place.before({"there"}):
        return "existence"
    if place.before(WISHED):
        return "only wished"
    if {article, place.at(det - 1)} & {"as", "like"}:
        return "compared or graded"
    if place.kind == "person":
        if clash := _clash(place):
            return clash
        known = place.tag_at(i - 1) == "CD" or place.defines(det)
        if _singular(place.word) == "parent":
            known = place.tag_at(det) == "PRP$"  # "the parent" is any
        happened = article in ("a", "an") and (place.links(det - 1) or place.happened)
        return "" if known or happened else "not a known thing"
    if place.word not in PLACES and not _is_claimed(place, det - 1):
        return "what is spoken about, not what is so"
    return "" if article in ("a", "an") or place.defines(det) else "not a known thing"


def _is_claimed(place: Place, j: int) -> bool:
    """Whether a noun phrase after a place is subject, or object of a finite verb."""
    j = place.over_adverbs(j)
    return j < place.clause.start or place.tag_at(j) in FINITE or place.at(j) == "been"


def _clash(place: Place) -> str:
    lemma = _singular(place.word)
    wrong = MALE if lemma in MALE_NOUNS else FEMALE
    if lemma != "parent" and any(token.text.lower() in wrong for token in place.all):
        return "another word tells the sex"
    named = place.at(place.i + 1) in (",", "named") and place.tag_at(place.i + 2) == "NNP"
    return "a name tells the sex" if named or place.tag_at(place.i - 1) == "NNP" else ""


def _amount(place: Place) -> str:
    i = place.i
    following = place.at(i + 1)
    if place.word in ("more", "less"):
        if following == "than":
            return "" if _is_number(place, i + 2) else "compared or graded"
        mass = place.tag_at(i + 1) == "NN" and place.tag_at(i + 2) not in NOUNS
        return "" if mass and place.tag_at(i - 1) in FINITE | {"VB", "VBN", "VBG"} else "compared or graded"
    if place.at(i - 1) in DEGREES | THE - {"the"} | {"a", "great", "good", "quite", "last", "past", "next", "first"}:
        return "compared or graded"
    if place.word == "few" and place.at(i - 1) == "the":
        return "compared or graded"
    return "" if place.tag_at(i + 1) in ("NNS", "JJ", "IN", "VBG") else "not before a noun"


def _is_number(place: Place, j: int) -> bool:
    """Whether a number above one, or a part or a multiple of something counted, stands there."""
    if place.at(j) in ("a", "an"):
        return place.at(j + 1) in COUNTED
    return (place.tag_at(j) in ("CD", "$") and place.at(j) not in ("one", "1")) or place.at(j) in NUMBERS | {"half"}
