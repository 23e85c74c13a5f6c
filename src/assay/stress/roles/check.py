"""Check of exchanged roles: patterns read who did what to whom from both texts, and the readings are compared."""

import re
from typing import NamedTuple

from assay.core.case import Case
from assay.core.edit import Skip, undo
from assay.core.label import Label
from assay.core.pair import premise_cluster
from assay.language.numbers.number_words import any_of
from assay.language.resources.data import load_words
from assay.stress.original import CHANGED

WORDS = load_words(__file__)
REASONS = ("one_winner", "owning", "fatal", "order")

PARTICIPLES: dict[str, str] = {
    past: participle or past
    for reason in REASONS
    for past, _, participle in (verb.partition("/") for verb in WORDS.ordered(reason))
}
"""The participle of each verb, by its past form."""
REASON_OF = {verb.partition("/")[0]: reason for reason in REASONS for verb in WORDS.ordered(reason)}
"""The reason of each verb, by its past form."""
CONVERSES = dict(
    pair.split("/")[::way] for name in ("comparatives", "directions") for way in (-1, 1) for pair in WORDS.ordered(name)
)
"""The converse of each relation: north and south, taller and shorter."""

OBJECTS = {"he": "him", "she": "her", "they": "them", "it": "it"}
"""Pronouns for a subject, and for an object."""
_SUBJECTS = {word: subject for subject, form in OBJECTS.items() for word in (subject, form, subject.capitalize())}

UNREAD = Skip("not verified: the roles can't be read from both texts")
WRONG = Skip("not verified: the roles in the two texts imply another label")
OPEN = Skip("not verified: the event may be in the scope of a negation, condition or possibility")

LEAD = r"(?:(?:In|On|By|During|At|After|Since|For)\s[^,]{1,60},|.*\b(?:that|when|after|because|where))"
"""What comes before the subject of a clause: a time or place, or a conjunction."""
_NAME = rf"({any_of(_SUBJECTS)}\b|(?:[Tt]he\s+)?[A-Z\u00c0-\u00dd][\w\u2019'-]*(?:\s+[A-Z\u00c0-\u00dd][\w\u2019'-]*)*)"
_EVENT = re.compile(
    rf"^((?:.*[.!]\s+|{LEAD}\s+)?){_NAME}((?:,\s|\s)[a-z][a-z0-9,. -]*?)\s+{_NAME}(?!\s+and\b|['\u2019])(.*)$",
    re.DOTALL,
)
_TITLES = re.compile(r"\b([A-Z][a-z]+)\s+([A-Z\u00c0-\u00dd][\w\u2019'-]*(?:\s+[A-Z\u00c0-\u00dd][\w\u2019'-]*)*)")
_SAID = re.compile(rf"^{_NAME}(\s[a-z].+?,\s(?:but|while|and)\s){_NAME}(\s[a-z].*)$", re.DOTALL)
_OPENING = re.compile(r"\b(?:if|whether|would|could|might|may|not|never|deny|denied|nearly|almost)\b|n['\u2019]t\b|\?")
PHRASES = re.compile(
    rf"(?:(?:is|was)|,)\s+(?:(?:the|an?)\s+)?(?P<relation>{any_of(WORDS['relations'])})\s+of"
    rf"|(?:is|was|are|were)\s+(?:much\s+|far\s+)?(?P<comparative>{any_of(CONVERSES)})\s+than"
    rf"|(?:is|was|lies)\s+(?:located\s+|situated\s+)?(?:(?:about\s+|approximately\s+)?[0-9][0-9.,]*\s+(?:km|miles|kilometres|kilometers)\s+)?(?:to\s+the\s+)?"
    rf"(?P<direction>{any_of(CONVERSES)})\s+of"
)


class Event(NamedTuple):
    """Who did what to whom, with everything else that the text says."""

    agent: str
    verb: str
    patient: str
    rest: tuple[str, ...]


class RolesCheck:
    """For the family roles."""

    def __call__(self, case: Case) -> Skip | None:
        """Undo, read both texts, and compare."""
        edit = case.provenance.edit
        try:
            source, twin = undo(case.premise, edit.premise), undo(case.hypothesis, edit.hypothesis)
        except ValueError:
            return CHANGED
        sides = (edit.premise_from, edit.hypothesis_from)
        if source != twin or sides != ("premise", "premise") or premise_cluster(source) != case.cluster:
            return CHANGED
        if _OPENING.search(case.premise):
            return OPEN
        label = _label_of_events(case.premise, case.hypothesis) or _label_of_names(case.premise, case.hypothesis)
        if label is None:
            return UNREAD
        return None if case.label is edit.label is label else WRONG


def read_event(text: str) -> Event | None:
    """The event of a sentence whose subject is a name; active or passive, and from either side; None if it is not read.

    >>> read_event("Chile was defeated by Brazil.") == read_event("Brazil defeated Chile.")
    True
    >>> read_event("Rust is north of Bonn.") == read_event("Bonn is south of Rust.")
    True
    """
    match = _EVENT.match(text)
    if match is None:
        return None
    lead, first, words, second, rest = match.groups()
    first, second = (_SUBJECTS.get(name, re.sub("^The ", "the ", name)) for name in (first, second))
    words = " ".join(words.split())
    if words == "told":
        return Event(first, "told", second, (lead, rest))
    if words == "was told by":
        return Event(second, "told", first, (lead, rest))
    if words in ("lost to", "fell to"):
        return Event(second, "defeated", first, (lead, rest))
    perfect, voice = re.fullmatch(r"(has|had)?\s*(.*)", words).groups()  # type: ignore[union-attr]
    if voice in PARTICIPLES and not perfect:
        return Event(first, voice, second, (lead, rest))
    for past, participle in PARTICIPLES.items():
        if perfect and voice == participle:
            return Event(first, past, second, (lead, perfect, rest))
        if voice in ([f"been {participle} by"] if perfect else [f"was {participle} by", f"were {participle} by"]):
            return Event(second, past, first, (lead, *([perfect] if perfect else []), rest))
    phrase = PHRASES.fullmatch(words)
    return _read_phrase(first, words, second, phrase, (lead, rest)) if phrase else None


def _read_phrase(first: str, words: str, second: str, phrase: re.Match[str], rest: tuple[str, ...]) -> Event:
    """A relation, with the converse of "south" and "shorter" read from the other side."""
    word = phrase[str(phrase.lastgroup)]
    frame = words[: phrase.start(str(phrase.lastgroup))] + "_" + words[phrase.end(str(phrase.lastgroup)) :]
    if word in CONVERSES and CONVERSES[word] < word:
        return Event(second, f"{frame} {CONVERSES[word]}", first, rest)
    return Event(first, f"{frame} {word}", second, rest)


def _label_of_events(premise: str, hypothesis: str) -> Label | None:
    given, claimed = read_event(premise), read_event(hypothesis)
    if given is None or claimed is None or (given.verb, given.rest) != (claimed.verb, claimed.rest):
        return None
    if given == claimed:
        return Label.ENTAILMENT
    exchanged = (given.agent, given.patient) == (claimed.patient, claimed.agent) and given.agent != given.patient
    if not exchanged:
        return None
    return None if given.verb == "told" else Label.CONTRADICTION


def _label_of_names(premise: str, hypothesis: str) -> Label | None:
    """Titles that two names have exchanged exclude each other; what two people said does not."""
    said, claimed = _SAID.match(premise), _SAID.match(hypothesis)
    if said and claimed:
        same = said.group(2, 4) == claimed.group(2, 4) and said.group(1, 3) == claimed.group(3, 1)
        return Label.NEUTRAL if same and said[1] != said[3] else None
    given, other = (dict(_TITLES.findall(text)) for text in (premise, hypothesis))
    differing = [title for title in given if other.get(title) != given[title]]
    if given.keys() != other.keys() or len(differing) != 2:
        return None
    one, two = differing
    return Label.CONTRADICTION if (given[one], given[two]) == (other[two], other[one]) else None
