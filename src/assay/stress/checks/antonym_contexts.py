"""Where two words that exclude each other may yet both be true: every context that a proof for antonyms refuses."""

from collections.abc import Sequence
from functools import cached_property
from typing import Literal

from assay.language.analysis import Tagged
from assay.language.resources import wordnet

Kind = Literal["descriptive", "predicate", "after be", "person", "noun", "amount"]
"""What a contrast is between, which decides where it holds."""

NEGATIONS = {
    *("not", "n't", "n\u2019t", "no", "never", "none", "nobody", "nothing", "neither", "nor", "without", "cannot"),
    *("hardly", "barely", "rarely", "seldom", "scarcely", "nowhere", "little", "few", "only", "unless", "except"),
    *("lack", "lacks", "lacked", "lacking", "fail", "fails", "failed", "refuse", "refuses", "refused", "deny", "denies"),
    *("denied", "doubt", "doubts", "doubted", "prevent", "prevents", "prevented", "avoid", "avoids", "avoided", "than"),
    *("rather", "instead", "longer", "anymore", "unlikely", "untrue", "false", "reject", "rejects", "rejected", "nt"),
    *("dont", "doesnt", "didnt", "isnt", "wasnt", "cant", "wont"),
}
CONDITIONS = {"if", "whether", "unless", "suppose", "supposing", "assuming", "provided", "or", "versus", "vs", "either"}
"""These open two possibilities for the whole sentence."""
POSSIBLE = {
    *("may", "might", "can", "could", "ought", "maybe", "perhaps", "possibly", "probably", "potentially", "supposed"),
    *("supposedly", "allegedly", "likely", "wish", "wishes", "wished", "imagine", "pretend", "pretends", "pretended"),
    *("possible", "sort", "kind", "ca"),
}
WISHED = {"would", "should", "must", "'d", "\u2019d", "shall", "need", "needs", "needed", "want", "wants", "wanted"}
"""With these a thing that is picked out need not be there; what is said of a subject still excludes its opposite."""
SOME = {
    *("some", "any", "several", "certain", "various", "numerous", "other", "others", "another", "sometimes", "often"),
    *("occasionally", "someone", "somebody", "something", "anyone", "anybody", "anything", "many", "most", "mostly"),
    *("partly", "different", "each", "every", "whichever", "whatever", "whoever", "half", "usually", "generally"),
}
"""Before these words both may be true: of some and of others, at one time and at another."""
TIMES = {"when", "whenever", "until", "till", "once", "where", "wherever", "while", "before", "after"}
"""What stands after these may name one occasion of several."""
BREAKS = {",", ";", ":", "--", "-", "(", ")", "and", "but", "because", "although", "though", "whereas", "so", "since"}
"""A clause may end here, if a verb stands on the one side and on the other."""
DEGREES = {"too", "as", "how", "more", "most", "less", "least", "enough", "almost", "nearly", "that", "only", "all"} | {
    *("half", "equally", "no", "any", "not", "just", "merely", "otherwise", "else", "such", "what"),
}
FINITE = {"VBZ", "VBD", "VBP", "MD"}
BE = {"is", "are", "was", "were", "am", "'s", "'re", "'m", "\u2019s", "\u2019re", "\u2019m"}
LINKS = BE | {"became", "becomes", "remain", "remains", "remained", "seemed", "seems", "seem", "looked", "looks"} | {
    *("feel", "feels", "felt", "sounded", "sounds", "stayed", "stays", "proved", "appeared", "appears"),
}
"""Verbs that say the adjective after them of their subject."""
THE = {"the", "this", "that", "these", "those", "my", "your", "his", "her", "its", "our", "their"}
NOUNS = {"NN", "NNS", "NNP", "NNPS"}
BEFORE_NOUN = NOUNS | {"JJ", "JJR", "JJS", "VBG", "VBN", "CD"}
QUESTIONS = {"what", "how", "why", "who", "whom", "which", "whose", "do", "does", "did", "is", "are", "was", "were"} | {
    *("can", "could", "would", "will", "should", "has", "have", "had", "am", "may"),
}
"""A sentence that begins with one of these asks, question mark or not."""
MALE = {"he", "him", "his", "himself", "mr", "mr.", "sir"}
FEMALE = {"she", "her", "hers", "herself", "mrs", "mrs.", "ms", "ms.", "miss", "pregnant"}
MALE_NOUNS = {"man", "boy", "father", "husband", "son", "brother", "uncle", "nephew", "king", "male"}
PEOPLE = {"i", "he", "she", "we", "you", "who"}

MISFITS: dict[str, set[str]] = {
    "afraid": {"that", "i", "it", "you", "he", "she", "we", "they", "to", "so", ",", "."},
    "careful": {"to", "not"},
    "certain": {"to"},
    "dependent": {"on", "upon"},
    "independent": {"of", "from"},
    "limited": {"to"},
    "nice": {"to"},
    "opposed": {"to"},
    "proud": {"of", "to", "that"},
    "responsible": {"for"},
    "safe": {"from"},
    "sure": {"to", "enough"},
    "open": {"to", "for"},
}
"""Words after which the antonym would not fit, or would have another sense."""
HEADS: dict[str, set[str]] = {
    "good": {"deal", "number", "many", "bit", "while", "way", "chance", "luck", "morning", "evening", "night", "day"},
    "little": {"bit", "while", "more", "time", "less", "too", "else"},
    "big": {"deal", "time"},
    "high": {"school", "time"},
    "long": {"run", "term", "haul"},
    "short": {"run", "term", "story"},
}
"""Nouns before which the word has another sense."""


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
        while start > 0 and not (self.low[start - 1] in BREAKS and self._finite(start, self._stop(self.i))):
            start -= 1
        while end < len(self.low) and not (self.low[end] in BREAKS and self._finite(start, end)):
            end += 1
        return range(start, end)

    def _stop(self, place: int) -> int:
        return next((j for j in range(place, len(self.low)) if self.low[j] in BREAKS), len(self.low))

    def _finite(self, start: int, stop: int) -> bool:
        return any(self.tokens[j].tag in FINITE for j in range(start, stop))

    def has(self, words: set[str], *, before: bool = False) -> bool:
        """Whether one of the words stands in the clause, or in its part before the word."""
        stop = self.i if before else self.clause.stop
        return any(self.low[j] in words for j in range(self.clause.start, stop) if j != self.i)

    @cached_property
    def left(self) -> int:
        """The place before the word and the adverbs that belong to it."""
        j = self.i - 1
        while self.tag_at(j) in ("RB", "RBR", "RBS"):
            j -= 1
        return j

    @cached_property
    def determiner(self) -> int:
        """The place before the noun phrase's adjectives and nouns: its article, if it has one."""
        j = self.i - 1
        while self.tag_at(j) in BEFORE_NOUN | {"RB", "RBR", "RBS"} and self.at(j) not in THE:
            j -= 1
        return j

    @cached_property
    def head(self) -> int:
        """The noun that an adjective stands before, or -1."""
        j = self.i + 1
        while self.tag_at(j) in BEFORE_NOUN:
            j += 1
        return j - 1 if j - 1 > self.i and self.tag_at(j - 1) in NOUNS else -1


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
    if place.tokens[0].tag == "VB" or place.low[0] in {"please", "let", "lets"}:
        return "in an order"
    return ""


def _word(place: Place) -> str:
    i, word = place.i, place.word
    if sum(token.text.lower() in place.words for token in place.all) > 1:
        return "the word or its antonym stands elsewhere in the text"
    following = place.at(i + 1)
    index = wordnet().data.index
    for one, other in ((place.at(i - 1), word), (word, following), (word, _singular(following))):
        if f"{one}_{other}" in index or f"{one}-{other}" in index or f"{one}{other}" in index:
            return "part of a fixed phrase"
    if following in MISFITS.get(word, ()) or following in HEADS.get(word, ()):
        return "part of a fixed phrase"
    if place.at(i - 1) in {"/", "-"} or following in {"/", "-"}:
        return "part of a compound"
    return ""


def _singular(form: str) -> str:
    return (wordnet().morphy(form, "n") or (form,))[-1]


def _scope(place: Place) -> str:
    if any(word in CONDITIONS for word in place.low):
        return "a condition or a choice"
    if place.has(NEGATIONS - ({"than"} if place.tag in ("JJR", "RBR") else set())):
        return "negated"
    possible = POSSIBLE - {"can", "could"} if place.kind == "amount" else POSSIBLE
    if place.has(possible):
        return "only possible"
    if place.has(SOME, before=True):
        return "of some, or at some time"
    if place.has(TIMES, before=True):
        return "on one occasion of several"
    return ""


def _position(place: Place) -> str:
    if place.kind == "amount":
        return _amount(place)
    if place.kind in ("person", "noun"):
        return _noun(place)
    return _adjective(place)


def _adjective(place: Place) -> str:
    i, left = place.i, place.left
    if any(place.at(j) in DEGREES for j in range(left + 1, i)) or place.at(left) in DEGREES - {"that"}:
        return "compared or graded"
    if place.at(i + 1) == "enough":
        return "compared or graded"
    if "and" in (place.at(i - 1), place.at(i + 1)) or "," in (place.at(i - 1), place.at(i + 1)):
        return "one of several"
    if place.tag_at(left) in ("CD", "NNS") or place.tag_at(left - 1) == "CD":
        return "a measure"
    if place.word in ("old", "young", "sad") and not _of_person(place):
        return "not said of a person"
    if place.head < 0:
        return _after_be(place)
    if place.kind == "after be":
        return "picks out one of several"
    return _before_noun(place)


def _after_be(place: Place) -> str:
    left = place.left
    if place.at(left) in THE and place.tag == "JJS":
        left -= 1
    link = place.at(left)
    if link in ("be", "been"):
        left -= 1
        while place.tag_at(left) in ("RB", "RBR"):
            left -= 1
        if place.at(left) not in ("will", "would", "should", "must", "'ll", "\u2019ll", "has", "have", "had", "'ve"):
            return "not said of a subject"
    elif link not in LINKS or place.tag_at(left) == "POS":
        return "not said of a subject"
    subject = place.at(left - 1)
    if subject in ("who", "which", "that") and place.tag_at(left - 2) in NOUNS | {"DT", "PRP", "CD"}:
        return "picks out one of several"
    if place.at(left - 1) == "there":
        return "existence"
    return ""


def _before_noun(place: Place) -> str:
    det = place.determiner
    article = place.at(det)
    if place.has({"there"}, before=True):
        return "existence"
    if place.has(WISHED):
        return "only wished"
    before = det - 1
    while place.tag_at(before) == "RB":
        before -= 1
    if place.at(before) in LINKS and (article in THE or article in ("a", "an")):
        return ""
    if place.kind == "predicate":
        return "picks out one of several"
    if article in ("a", "an"):
        return "" if place.tag_at(before) == "VBD" or place.at(before) in ("has", "have") else "not a known thing"
    if article in THE or place.tag_at(det) in ("PRP$", "POS"):
        return ""
    return "not a known thing"


def _of_person(place: Place) -> bool:
    """Whether an adjective is said of a person or an animal."""
    if place.head >= 0:
        return _is_person(place.at(place.head))
    return place.at(place.left - 1) in PEOPLE or _is_person(place.at(place.left - 1))


def _is_person(noun: str) -> bool:
    senses = wordnet().synsets(noun, "n")
    return bool(senses) and senses[0].file in (5, 18)


def _noun(place: Place) -> str:
    i, det = place.i, place.determiner
    article = place.at(det)
    if place.tag_at(i + 1) in NOUNS | {"CD"}:
        return "part of a compound"
    if "and" in (place.at(i - 1), place.at(i + 1)) or "," == place.at(i - 1):
        return "one of several"
    if place.has({"there"}, before=True):
        return "existence"
    if place.has(WISHED):
        return "only wished"
    if article in ("as", "like") or place.at(det - 1) in ("as", "like"):
        return "compared or graded"
    if place.kind == "person" and (clash := _clash(place)):
        return clash
    if article in THE or article in ("a", "an") or place.tag_at(det) in ("PRP$", "POS"):
        return ""
    return "not a known thing"


def _clash(place: Place) -> str:
    lemma = next(iter(wordnet().morphy(place.word, "n")[-1:]), place.word)
    wrong = MALE if lemma in MALE_NOUNS else FEMALE
    if any(token.text.lower() in wrong for token in place.all):
        return "another word tells the sex"
    if place.tag_at(place.i - 1) == "NNP" or (place.at(place.i + 1) == "," and place.tag_at(place.i + 2) == "NNP"):
        return "a name tells the sex"
    return ""


def _amount(place: Place) -> str:
    i = place.i
    if place.word in ("more", "less"):
        return "" if place.at(i + 1) == "than" and place.tag_at(i + 2) == "CD" else "compared or graded"
    if place.at(i - 1) in DEGREES | THE | {"a", "so", "very", "great", "good", "quite", "last", "past", "next", "first"}:
        return "compared or graded"
    return "" if place.tag_at(i + 1) in ("NNS", "JJ", "IN", "VBG") else "not before a noun"
