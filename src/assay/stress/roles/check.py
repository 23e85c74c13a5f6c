"""Check of exchanged roles: patterns read who did what to whom from both texts, and the readings are compared."""

import re
from typing import NamedTuple

from assay.core.case import Case
from assay.core.edit import Skip
from assay.core.label import Label
from assay.language.resources.data import any_of, load_words
from assay.stress.original import CHANGED, copied_premise

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

SYMMETRIC = WORDS["symmetric"]
"""Verbs of events that have no direction."""
TITLES, OFFICES, FORMER = WORDS["titles"], WORDS["offices"], WORDS["former"]
ADVERBS = any_of(WORDS["adverbs"])
DESCRIBING = WORDS["describing"]

OBJECTS = {"he": "him", "she": "her", "they": "them", "it": "it"}
"""Pronouns for a subject, and for an object."""
_SUBJECTS = {word: subject for subject, form in OBJECTS.items() for word in (subject, form, subject.capitalize())}

UNREAD = Skip("not verified: the roles can't be read from both texts")
WRONG = Skip("not verified: the roles in the two texts imply another label")
OPEN = Skip("not verified: the event may be in the scope of a negation, condition or possibility")

_TIME = r"(?:In|On|By|During|At|After|Since|For)\s[^,]{1,60},"
_CONJUNCTION = r".*(?:\b(?:that|when|after|because|where|while|whereas|although|though|as)|,\sbut)"
LEAD = rf"(?:{_TIME}|{_CONJUNCTION})"
"""What comes before the subject of a clause: a time or place, or a conjunction."""
_WORD = r"[A-Z\u00c0-\u00dd](?:\.(?=\s[A-Z])|[\w\u2019'-]*)"
_PROPER = rf"{_WORD}(?:\s+{_WORD})*(?:\s+of\s+(?:the\s+)?{_WORD}(?:\s+{_WORD})*)?"
_NAME = rf"({any_of(_SUBJECTS)}\b|(?:[Tt]he\s+)?(?:(?i:{any_of(DESCRIBING)})\s+)*{_PROPER})"
_EVENTS = [
    re.compile(rf"^({lead}){_NAME}((?:,\s|\s)[a-z][a-z0-9,. -]*?)\s+{_NAME}(?!\s+and\b|['\u2019])(.*)$", re.DOTALL)
    for lead in ("", r".*[a-z0-9)][.!]\s+", rf"{_TIME}\s+", rf"{_CONJUNCTION}\s+")
]
_RELATIVE = re.compile(
    rf"^((?:.*?[\s(])?){_NAME},\s(?:who|which)\s([a-z][a-z -]*?)\s+{_NAME}(?!\s+and\b|['\u2019])(.*)$", re.DOTALL
)
MOVED = re.compile(rf"\b{any_of(WORDS['moves'])}\b(?:\s(?!to\b|from\b)[\w\u2019'-]+){{0,5}}\s*$")
"""The words before "from A to B"."""
_ROUTE = re.compile(rf"^(.*?)\s(from|to)\s+{_NAME}\s(from|to)\s+{_NAME}(?!['\u2019])(.*)$", re.DOTALL)
_TITLES = re.compile(
    rf"((?:\b(?i:{any_of(FORMER)})[\s-]+)?)((?:{_WORD}\s+)*)"
    rf"({any_of(map(re.escape, TITLES))})\s+({_WORD}(?:\s+{_WORD})*)"
)
_SAID = re.compile(rf"^{_NAME}(\s[a-z].+?(?:,\s(?:but|while|whereas|and)|[.;])\s){_NAME}(\s[a-z].*)$", re.DOTALL)
_OPENING = re.compile(r"\b(?:if|whether|would|could|might|may|not|never|deny|denied|nearly|almost)\b|n['\u2019]t\b|\?")
_REPORTED = re.compile(
    r"\b(?:said|says|told|claim(?:s|ed)|argue[sd]|believe[sd]?|thought|suggest(?:s|ed)|report(?:s|ed)|alleg(?:es|ed)"
    r"|predict(?:s|ed)|hope[sd]?|fear(?:s|ed)|estimated|rumou?red)\b"
)
"""What comes before a clause that somebody says or believes: somebody may say the opposite, too."""
PHRASES = re.compile(
    rf"(?:(?:is|was)|,)\s+(?:(?:the|an?)\s+(?:[a-z-]+\s+){{0,3}}?)?(?P<relation>{any_of(WORDS['relations'])})\s+of"
    rf"|(?:(?:is|was)\s+)?(?P<origin>{any_of(WORDS['origins'])})"
    rf"|(?:is|was|lies)\s+(?P<inside>located|situated)\s+in"
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
        if copied_premise(case) is None:
            return CHANGED
        texts = case.premise, case.hypothesis
        label = _label_of_titles(*texts)  # a title is a fact under "not" and "if", too
        if label is None and _OPENING.search(case.premise):
            return OPEN
        label = label or _label_of_events(*texts) or _label_of_relatives(*texts)
        label = label or _label_of_routes(*texts) or _label_of_speakers(*texts)
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
    for pattern in _EVENTS:
        if match := pattern.match(text):
            lead, first, words, second, rest = match.groups()
            if event := _read_words(lead, _name_of(first), " ".join(words.split()), _name_of(second), rest):
                return event
    return None


def names_title(name: str) -> bool:
    """True if a part of what follows a title is another part of it: "General" before "Counsel Ada Moss".

    >>> names_title("Counsel Ada Moss"), names_title("Ada Moss")
    (True, False)
    """
    return not {*re.split(r"[\s-]", name)}.isdisjoint(TITLES | WORDS["parts_of_titles"])


def _name_of(text: str) -> str:
    """A name as it is inside a sentence, and a pronoun as a subject."""
    start = text.split()[0].lower()
    return _SUBJECTS.get(text, text[0].lower() + text[1:] if start in DESCRIBING | {"the"} else text)


def _read_words(lead: str, first: str, words: str, second: str, rest: str) -> Event | None:
    """The event between two names; an adverb is part of the rest."""
    if words == "told":
        return Event(first, "told", second, (lead, rest))
    if words == "was told by":
        return Event(second, "told", first, (lead, rest))
    if words in ("lost to", "fell to"):
        return Event(second, "defeated", first, (lead, rest))
    if words in SYMMETRIC:
        one, other = sorted((first, second))
        return Event(one, words, other, (lead, rest))
    adverb = re.search(rf"\b{ADVERBS}\s", words)
    if adverb:
        words, lead = words.replace(adverb[0], "", 1), f"{lead}|{adverb[0]}"
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
    if given.verb != "told" and _REPORTED.search(given.rest[0]):
        return None
    if given == claimed:
        return Label.ENTAILMENT
    exchanged = (given.agent, given.patient) == (claimed.patient, claimed.agent) and given.agent != given.patient
    if not exchanged:
        return None
    return Label.NEUTRAL if given.verb == "told" else Label.CONTRADICTION


def _label_of_relatives(premise: str, hypothesis: str) -> Label | None:
    """Two names around "who defeated", exchanged, exclude each other, whatever else is said about them."""
    given, claimed = _RELATIVE.match(premise), _RELATIVE.match(hypothesis)
    if not given or not claimed or given.group(1, 3, 5) != claimed.group(1, 3, 5) or _REPORTED.search(given[1]):
        return None
    event = _read_words("", _name_of(given[2]), given[3], _name_of(given[4]), "")
    names = [[_name_of(name) for name in match.group(2, 4)] for match in (given, claimed)]
    differs = event is not None and event.verb not in SYMMETRIC | {"told"} and names[0] == names[1][::-1]
    return Label.CONTRADICTION if differs and names[0][0] != names[0][1] else None


def _label_of_routes(premise: str, hypothesis: str) -> Label | None:
    """A move from A to B is one to B from A, and none from B to A."""
    given, claimed = _ROUTE.match(premise), _ROUTE.match(hypothesis)
    if not given or not claimed or given.group(1, 6) != claimed.group(1, 6) or not MOVED.search(given[1]):
        return None
    if _REPORTED.search(given[1]):
        return None
    ways = [{match[2]: match[3], match[4]: match[5]} for match in (given, claimed)]
    if {*ways[0]} != {"from", "to"} or {*ways[1]} != {"from", "to"}:
        return None
    if ways[0] == ways[1]:
        return Label.ENTAILMENT
    return Label.CONTRADICTION if (ways[0]["from"], ways[0]["to"]) == (ways[1]["to"], ways[1]["from"]) else None


def _label_of_speakers(premise: str, hypothesis: str) -> Label | None:
    """What two people said does not exclude that each said what the other did."""
    said, claimed = _SAID.match(premise), _SAID.match(hypothesis)
    if not said or not claimed or said[1] == said[3]:
        return None
    same = said.group(2, 4) == claimed.group(2, 4) and said.group(1, 3) == claimed.group(3, 1)
    return Label.NEUTRAL if same else None


def _label_of_titles(premise: str, hypothesis: str) -> Label | None:
    """Two names that have exchanged their titles, one of which only one person has."""
    given, other = (
        [(former, role + title, re.sub("['\u2019]s$", "", name)) for former, role, title, name in _TITLES.findall(text)]
        for text in (premise, hypothesis)
    )
    differing = [(one, two) for one, two in zip(given, other, strict=False) if one != two]
    if len(given) != len(other) or len(differing) != 2:
        return None
    (one, first), (two, second) = differing
    if names_title(one[2]) or names_title(two[2]):
        return None
    kept = one[:2] == first[:2] and two[:2] == second[:2] and one[:2] != two[:2]
    if not kept or one[0] or two[0] or not any(role.split()[-1] in OFFICES for role in (one[1], two[1])):
        return None
    return Label.CONTRADICTION if (one[2], two[2]) == (second[2], first[2]) and one[2] != two[2] else None
