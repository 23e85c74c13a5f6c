"""Whether a text is a caption, which describes one scene, or running text, which may be about anything."""

from collections.abc import Sequence
from functools import lru_cache

from assay.language.resources.data import load_words
from assay.language.resources.installed import wordnet
from assay.language.text.analysis import Tagged
from assay.language.words.wordnet_relations import is_kind_of
from assay.stress.contexts.token_context import ADVERBS, BE, FINITE, NOUNS

WORDS = load_words(__file__)

ABSTRACT = {7, 9, 12, 16, 21, 22, 24, 26}
"""WordNet's files of what no picture shows: attributes, thoughts, feelings, motives, possessions and so on."""
TIMES = 28
"""WordNet's file of times: "two minutes later" brings nobody in."""
SHORT = 6
"""Tokens of a sentence whose verb a tagger often takes for a noun: "A young cook waits."."""
SHORT_WITH_PERSON = 10
"""The same, where somebody is the subject: "A small child waters a tomato plant."."""
LONGEST = 45
"""Tokens of a caption's sentence, at most."""
SEEN = ("person.n.01", "people.n.01", "animal.n.01", "vehicle.n.01", "gathering.n.01", "crowd.n.01", "team.n.01")
"""People who are doing something."""
THINGS = ("structure.n.01", "instrumentality.n.03", "clothing.n.01", "food.n.01", "food.n.02", "body_part.n.01")
"""Things that are seen where something is going on."""
PERSONS = ("person.n.01", "people.n.01", "gathering.n.01", "crowd.n.01", "team.n.01")
SOMEBODY = WORDS["somebody"]
PLACES = ("way.n.06", "tract.n.01", "municipality.n.01", "market.n.04", "body_of_water.n.01", "room.n.01")
"""Parts of a place that are seen: "a busy street in Japan"."""
SHOWING = WORDS["showing"]
INSIDE = NOUNS | ADVERBS | {"DT", "CD", "JJ", "JJR", "PRP", "PRP$", "EX", "VBN", "POS", "PDT"}
LONGEST_TOLD = 20
"""Tokens of a sentence in the past that begins like a caption: "A man walked along the building."."""
LONGEST_OF_KNOWN = 15
"""Tokens of a sentence in the past about known persons: "The man spilled the beer"."""
LONGEST_PHRASE = 9
"""Tokens of a phrase without a verb that says what is seen where: "A field in India."."""
SHORTEST_TOLD = 8
"""Tokens of a story's sentence, at least: "he climbs a tree" is a caption."""


@lru_cache(maxsize=4096)
def is_scene(tokens: tuple[Tagged, ...]) -> bool:
    """True if every sentence describes somebody at one moment: in the present tense, and without a speaker."""
    sentences: dict[int, list[Tagged]] = {}
    for token in tokens:
        sentences.setdefault(token.sentence, []).append(token)
    return all(_CaptionSentence(each).is_scene for each in sentences.values() if len(each) > 1)


class _CaptionSentence:
    def __init__(self, tokens: Sequence[Tagged]) -> None:
        self.low = [token.text.lower() for token in tokens]
        self.tags = [token.tag for token in tokens]

    @property
    def is_scene(self) -> bool:
        low, tags = self.low, self.tags
        if len(low) > LONGEST or not WORDS["telling"].isdisjoint(low) or low[-1] == "?" or "MD" in tags:
            return False
        verb = not wordnet().synsets(low[0], "n") and wordnet().morphy(low[0], "v")  # whatever the tagger says
        if not low[0].isalnum() or (verb and tags[0] != "VBG") or not self._is_shown_only():
            return False  # "-The new degree", "Allows children to learn"
        is_past = any(tag == "VBD" and not self._is_participle(j) for j, tag in enumerate(tags))
        if is_past and not self._is_told_of_seen():
            return False
        if any(len(word) > 2 and word.replace(",", "").isdecimal() for word in low):
            return False
        verbs = [j for j, tag in enumerate(tags) if tag in FINITE - {"VBD"}]
        if self._is_place(verbs):
            return True
        return self._is_of_somebody() and all(self._is_seen(j) for j in verbs) and (bool(verbs) or self._is_described())

    def _is_shown_only(self) -> bool:
        """True if the sentence begins like a caption, or mentions only visible things.

        "Children play in the sand" is a caption, "Students acquire experience" is not.
        """
        first = next((j for j in self._subject if self._is_noun(j)), -1)
        if first >= 0 and self._file_of(first) == TIMES and self.low[first + 1 : first + 2] in (["later"], ["before"]):
            return False
        if self.low[0] in SHOWING or self.tags[0] == "CD" or self.tags[0] == "EX":
            return True
        if self.tags.count("NNP") - (self.tags[0] == "NNP") > 1:
            return False
        return not any(self._is_noun(j) and self._file_of(j) in ABSTRACT for j in range(len(self.low)))

    def _file_of(self, j: int) -> int:
        """The number of the WordNet file of a noun's most frequent sense; -1 if it has none."""
        senses = wordnet().synsets(next(iter(wordnet().morphy(self.low[j], "n")), self.low[j]), "n")
        return senses[0].file if senses else -1

    def _is_told_of_seen(self) -> bool:
        """True if the sentence describes a visible person in the past tense: "The two girls rode a horse"."""
        if self.low[0] == "the":
            alone = WORDS["told_elsewhere"].isdisjoint(self.low) and '"' not in self.low and "NNP" not in self.tags
            seen = any(self.low[j] in SOMEBODY for j in self._subject)
            return len(self.low) <= LONGEST_OF_KNOWN and alone and seen
        return self.low[0] in SHOWING and len(self.low) <= LONGEST_TOLD and self._has_person()

    def _is_place(self, verbs: Sequence[int]) -> bool:
        """True if the text is a short phrase without a verb about a place: "Crowded city streets in China."."""
        where = self.tags[-3:-1] if self.low[-1] == "." else self.tags[-2:]
        seen = any(is_kind_of(self.low[j], PLACES) for j in self._subject if self._is_noun(j))
        return not verbs and len(self.low) <= LONGEST_PHRASE and where == ["IN", "NNP"] and seen

    @property
    def _subject(self) -> range:
        """The first noun phrases, up to a verb or a preposition."""
        j = 0
        while j < len(self.low) and (self.tags[j] in INSIDE or self.low[j] in WORDS["links"]):
            j += 1
        return range(j)

    def _is_of_somebody(self) -> bool:
        """True if the sentence is about a visible person or thing, or begins with its location."""
        known = [j for j in self._subject if self._is_noun(j) or self.low[j] in SOMEBODY]
        if self.low[0] in WORDS["told"]:
            return self.tags[1:2] in (["VBZ"], ["VBP"])
        if self.tags[0] == "EX" and len(self.low) <= LONGEST_TOLD:
            return self._has_person(range(2, min(len(self.low), 8)))  # "There are six people near some water."
        if self.low[:1] == ["the"] and self.low[1] in WORDS["sky"]:
            below = range(2, len(self.low))  # "The sun sets behind two cyclists."
            seen = any(self._is_shown(j) or self.low[j] in SOMEBODY for j in below)
            return len(self.low) <= LONGEST_TOLD and seen
        if not known or self.tags[0] in ("IN", "EX", "VBG", "VBN"):
            return self._goes_on() and any(self._is_shown(j) for j in range(1, len(self.low)))
        shown = self.low[0] in SHOWING or self.tags[0] == "CD"
        roots = SEEN + THINGS if shown else SEEN if self.low[0] == "the" else PERSONS
        if not (shown or self.low[0] == "the"):
            last = len(self.low) - 1  # "Pound services" are no person
            known = [j for j in known if self.low[j] in SOMEBODY or j == last or not self._is_noun(j + 1)]
        return any(self.low[j] in SOMEBODY or is_kind_of(self.low[j], roots) for j in known)

    def _has_person(self, where: range | None = None) -> bool:
        """True if the subject, or what is between other positions, is a person."""
        places = self._subject if where is None else where
        return any(self.low[j] in SOMEBODY or (self._is_noun(j) and is_kind_of(self.low[j], PERSONS)) for j in places)

    def _is_noun(self, j: int) -> bool:
        """True if token `j` is a common noun."""
        return self.tags[j] in ("NN", "NNS") or (self.tags[j] in NOUNS and j == 0)

    def _is_shown(self, j: int) -> bool:
        """True if token `j` introduces a person: "in the background, a man"."""
        before = {*self.low[max(0, j - 3) : j]}
        return not before.isdisjoint(SHOWING) and is_kind_of(self.low[j], PERSONS)

    def _goes_on(self) -> bool:
        """True if the sentence has an -ing form after its first word."""
        return "VBG" in self.tags[1:]

    def _is_described(self) -> bool:
        """True if a sentence without a finite verb describes an action or location, or is short and shows somebody."""
        short = SHORT_WITH_PERSON if self.low[0] in SHOWING and self._has_person() else SHORT
        if sum(word.isalpha() for word in self.low) <= 2:
            return False  # "A carpenter."
        if len(self.low) <= short and self.low[0] in SHOWING | SOMEBODY:
            return True
        return self._goes_on() or "IN" in self.tags

    def _is_somewhere(self, j: int) -> bool:
        """True if the words from `j` on give a person's location: "They are in Japan."."""
        return self.low[j : j + 1] in (["in"], ["at"]) and (self.low[0] in WORDS["told"] or self._has_person())

    def _is_participle(self, j: int) -> bool:
        """True if the tagger mistook a participle for a past tense: "with his arm wrapped around her"."""
        others = [k for k, tag in enumerate(self.tags[:j]) if tag in ("VBZ", "VBP", "VBG")]
        return bool(others) and self.tags[j - 1] in NOUNS and self.tags[j + 1 : j + 2] in (["IN"], ["RP"], ["TO"])

    def _is_seen(self, verb: int) -> bool:
        """True if a verb describes a visible state or action: "is singing", "climbs", "is on a roof"."""
        low, tags = self.low, self.tags
        j = verb + 1
        while j < len(low) and tags[j] in ADVERBS:
            j += 1
        following = tags[j] if j < len(low) else ""
        shown = low[0] in SHOWING | {"the"} or tags[0] in ("CD", "EX") or following == "VBG"
        if low[verb] in BE:
            if following == "DT" and low[0] == "the" and low[j] in ("a", "an"):
                return False  # "the goose is a common bird" says what it is
            seen = following in ("VBG", "VBN", "IN", "JJ", "RP", "TO", "CC", ".") or low[verb - 1] == "there"
            if len(low) <= LONGEST_PHRASE and self._is_somewhere(j):
                return True
            return (shown and seen) or (self._has_person() and low[0] in SHOWING | {"the", "this", "people"})
        if low[verb] in ("has", "have"):
            return shown and (low[0] in SHOWING or self._has_person())
        lemma = next(iter(wordnet().morphy(low[verb], "v")), low[verb])
        if low[0] in WORDS["told"]:
            return verb == 1 and len(low) < SHORTEST_TOLD and lemma not in WORDS["states"] | WORDS["tastes"]
        person = self._has_person()
        return lemma not in WORDS["states"] and (person or low[0] in SHOWING)
