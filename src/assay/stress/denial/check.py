"""Check of denials: "not" is taken out of the changed claim by patterns, without the tagger, and the rest compared."""

import re
from typing import NamedTuple

from assay.core.case import Case
from assay.core.edit import Skip
from assay.core.label import Label
from assay.language.numbers.number_words import value_of
from assay.language.resources.data import any_of, load_words
from assay.language.resources.installed import wordnet
from assay.language.words.inflection import conjugate
from assay.stress.original import CHANGED, copied_premise

WORDS = load_words(__file__)

OPERATOR = Skip("a word of the sentence interacts with a negation")
UNREAD = Skip("not verified: without its negation, the changed claim is not the claim")
SUBJECT = Skip("not verified: the subject may be about some of several things")
SECOND = Skip("not verified: a second clause may be outside the negation")
WRONG = Skip("not verified: a denial contradicts")

SUPPORT = {"did": "VBD", "does": "VBZ", "do": "VB"}
_OPERATOR = re.compile(
    rf"(?<![\w-])(?:{any_of(map(re.escape, WORDS['operators']))}"
    r"|(?<!(?:is|be) )(?<!(?:are|was) )(?<!were )(?:used|due) to|each(?! other)|(?<!the )number of"
    r"|(?<!\ba )(?<!(?:the|one) )(?<!this )(?:kind|sort) of|(?-i:may))(?![\w-])",
    re.IGNORECASE,
)
_OTHER_MOST = re.compile(r"(?<!the )(?<!its )(?<!\bat )\bmost\b", re.IGNORECASE)
_NEGATED = re.compile(
    rf"(?P<subject>[^ ].*?)(?:(?P<can> cannot)|(?P<support> (?:did|does|do)) not (?P<verb>[a-z]+)"
    rf"|(?P<auxiliary>(?: {any_of(WORDS['auxiliaries'])}|['\u2019](?:m|re|s))) not)(?P<rest>(?:[ .].*)?)"
)
_LEAD = re.compile(r"(?:In|On|During|At|By) [^,]{1,40}, ")
_VERBAL = re.compile(rf"\b(?:{any_of(WORDS['auxiliaries'])}|did|does|do|who|which|that)\b", re.IGNORECASE)
_LINKED = re.compile(rf"\b(?:and|or) (?:{any_of(WORDS['openers'] | WORDS['auxiliaries'])})\b")
_AFTER_AND = re.compile(r"\b(?:and|or) ([a-z]+)")
_OPENED = re.compile(rf"\b{any_of(WORDS['openers'])}\b.*", re.IGNORECASE)
_FINITE = re.compile(r"\b(?:is|are|was|were|has|had|can|could|will|would)\b")


class DenialReading(NamedTuple):
    """The parts of a denied statement: the subject, the verb phrase without its negation, and the rest."""

    subject: str
    verb: str
    rest: str
    support: str
    """The form of "do" that the negation needed; empty for others."""


class DenialCheck:
    """For the family denial."""

    def __call__(self, case: Case) -> Skip | None:
        """Undo, take the negation out of the hypothesis, and read subject and rest again."""
        if copied_premise(case) is None:
            return CHANGED
        for text, stated in ((case.hypothesis, case.premise), (case.premise, case.hypothesis)):
            denied = read_denial(text)
            if denied and stated == denied.subject + denied.verb + denied.rest:
                break
        else:
            return UNREAD
        if doubt := doubt_of_words(stated):
            return doubt
        if doubt := _doubt_of_subject(denied) or _doubt_of_rest(denied):
            return doubt
        return None if case.label is case.provenance.edit.label is Label.CONTRADICTION else WRONG


def doubt_of_words(text: str) -> Skip | None:
    """The reason if a word of the text interacts with a negation; otherwise None.

    >>> doubt_of_words("Ada won the cup."), doubt_of_words("Ada also won the cup.").reason
    (None, 'a word of the sentence interacts with a negation')
    """
    negated = "n't" in text or "n\u2019t" in text
    return OPERATOR if negated or _OPERATOR.search(text) or _OTHER_MOST.search(text) else None


def read_denial(text: str) -> DenialReading | None:
    """The statement that a text denies; None if the text has no negation.

    >>> read_denial("Ada did not win the cup.")
    DenialReading(subject='Ada', verb=' won', rest=' the cup.', support='did')
    >>> read_denial("The bridge cannot carry trains.").verb
    ' can'
    """
    match = _NEGATED.fullmatch(spell_out(text))
    if match is None:
        return None
    support, verb = (match["support"] or "").strip(), match["verb"]
    auxiliary = " can" if match["can"] else match["auxiliary"]
    stated = " " + conjugate(verb, SUPPORT[support]) if support else auxiliary
    return DenialReading(match["subject"], stated, match["rest"], support)


def spell_out(text: str) -> str:
    """The text with "not" in place of "n't".

    >>> spell_out("Ada can't swim, and won't."), spell_out("She doesn't.")
    ('Ada cannot swim, and will not.', 'She does not.')
    """
    text = re.sub(r"\bcan['\u2019]t\b", "cannot", text)
    return re.sub(r"n['\u2019]t\b", " not", re.sub(r"\bwon['\u2019]t\b", "will not", text))


def _doubt_of_subject(denied: DenialReading) -> Skip | None:
    subject = _LEAD.sub("", denied.subject)
    words = subject.lower().split()
    if "," in subject or _VERBAL.search(" ".join(words[1:])) or words[0] in WORDS["unknown"]:
        return SUBJECT
    if words[0][0].isdigit() or (words[0] not in ("a", "an") and value_of(re.split("\\W", words[0])[0]) is not None):
        return SUBJECT
    if denied.support == "do" and words[0] in WORDS["singular"] and len(words) == 1:
        return SUBJECT
    if denied.support == "does" and words[0] in WORDS["plural"]:
        return SUBJECT
    if words[0] in ("a", "an") and (denied.support or not denied.rest.startswith((" a ", " an ", " the ", " called "))):
        return SUBJECT
    return None


def _doubt_of_rest(denied: DenialReading) -> Skip | None:
    if _LINKED.search(denied.rest) or any(_has_form(word, denied.support) for word in _AFTER_AND.findall(denied.rest)):
        return SECOND
    return SECOND if _FINITE.search(_OPENED.sub("", denied.rest)) else None


def _has_form(word: str, support: str) -> bool:
    """True if a word may be a verb in the form that "did" or "does" replaced: "won the cup and left"."""
    if support not in ("did", "does"):
        return False
    return any(conjugate(lemma, SUPPORT[support]) == word for lemma in wordnet().morphy(word, "v"))
