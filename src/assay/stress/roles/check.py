"""Check of exchanged roles: patterns read who did what to whom from both texts, and the readings are compared."""

import re
from typing import NamedTuple

from assay.core.case import Case
from assay.core.edit import Skip, undo
from assay.core.label import Label
from assay.core.pair import premise_cluster
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

UNREAD = Skip("not verified: a text does not say who did what to whom in one of the known ways")
WRONG = Skip("not verified: the roles in the two texts give another label")
OPEN = Skip("not verified: a negation, condition or possibility may reach the event")

_NAME = r"([A-Z\u00c0-\u00dd][\w\u2019'-]*(?:\s+[A-Z\u00c0-\u00dd][\w\u2019'-]*)*)"
_LEAD = r"(?:.*[.!]\s+|(?:In|On|By|During)\s[\w ]+,\s+)?"
_EVENT = re.compile(
    rf"^({_LEAD}(?:The\s+)?){_NAME}\s+([a-z][a-z ]*?(?:\s+the)?)\s+{_NAME}(?!\s+and\b|['\u2019])(.*)$", re.DOTALL
)
_TITLES = re.compile(rf"\b([A-Z][a-z]+)\s+{_NAME}")
_SAID = re.compile(rf"^{_NAME}(\s[a-z].+?,\s(?:but|while|and)\s){_NAME}(\s[a-z].*)$", re.DOTALL)
_OPENING = re.compile(r"\b(?:if|whether|would|could|might|may|not|never|deny|denied|nearly|almost)\b|n['\u2019]t\b|\?")


class Event(NamedTuple):
    """Who did what to whom, with everything else that the text says."""

    agent: str
    verb: str
    patient: str
    rest: tuple[str, str]


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
    """The event of a sentence whose subject is a name, active or passive; None if it is not read.

    >>> read_event("Chile was defeated by Brazil.") == read_event("Brazil defeated Chile.")
    True
    """
    match = _EVENT.match(text)
    if match is None:
        return None
    lead, first, words, second, rest = match.groups()
    words = " ".join(words.split())
    if words.endswith(" the") and lead.endswith("The "):
        words = words.removesuffix(" the")
    if words in PARTICIPLES:
        return Event(first, words, second, (lead, rest))
    if words.startswith("was ") and words.endswith(" by"):
        past = next((past for past, participle in PARTICIPLES.items() if words == f"was {participle} by"), None)
        return Event(second, past, first, (lead, rest)) if past else None
    relation = re.fullmatch(r"(?:is|was) (?:the|a) ([a-z]+) of", words)
    return Event(first, relation[1], second, (lead, rest)) if relation else None


def _label_of_events(premise: str, hypothesis: str) -> Label | None:
    given, claimed = read_event(premise), read_event(hypothesis)
    if given is None or claimed is None or (given.verb, given.rest) != (claimed.verb, claimed.rest):
        return None
    if given == claimed:
        return Label.ENTAILMENT
    exchanged = (given.agent, given.patient) == (claimed.patient, claimed.agent) and given.agent != given.patient
    return Label.CONTRADICTION if exchanged else None


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
