"""Roles: two names exchanged where only one of them can have the role, and the same event told in the passive."""

import re
from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import ClassVar, NamedTuple

from assay.core.edit import Edit, Replacement, Skip
from assay.core.label import Label
from assay.core.pair import Pair
from assay.core.protocols import Check, Excerpting
from assay.language.numbers.number_words import any_of
from assay.language.resources.data import load_words
from assay.language.resources.installed import wordnet
from assay.language.text.analysis import Tagged, analyse
from assay.stress.across.join_edits import AcrossSwitch
from assay.stress.roles.check import PARTICIPLES, REASON_OF, RolesCheck

WORDS = load_words(__file__)

NO_NAMES = Skip("no two names with a verb, relation, title or speech that tells them apart")
VERB = Skip("the verb between two names does not exclude that they are exchanged")
AGAIN = Skip("one of the two names is mentioned again")

C, E, N = Label.CONTRADICTION, Label.ENTAILMENT, Label.NEUTRAL
_RELATION = re.compile(rf"\s(?:is|was)\s+(?:the|a)\s+{any_of(WORDS['relations'])}\s+of\s")
_SPEECH = re.compile(rf"\s{any_of(WORDS['speech'])}\b")
_PASSIVE = re.compile(rf"\swas\s+({any_of(PARTICIPLES.values())})\s+by\s")
_ACTIVE = re.compile(rf"\s({any_of(PARTICIPLES)})\s")
PAST = {participle: past for past, participle in PARTICIPLES.items()}
NOT_AFTER = {"'s", "\u2019s", "'", "and", "or", "&", "-", "$", "/"}


class NameSpan(NamedTuple):
    """A name of one or more words."""

    start: int
    end: int
    text: str
    before: str
    """The word before it, which may be a title."""
    after: str
    """The word after it."""


class Roles(AcrossSwitch, frozen=True, kw_only=True):
    """Exchanges two names of the premise that have different roles, or tells their event in the passive.

    >>> pair = Pair(id="1", premise="Brazil defeated Chile in June.", hypothesis="", label=Label.ENTAILMENT)
    >>> for edit in Roles()(pair, Random(0)):
    ...     print(edit.label.value, edit.apply(pair)[1], sep=" | ")
    contradiction | Chile defeated Brazil in June.
    entailment | Chile was defeated by Brazil in June.
    contradiction | Brazil was defeated by Chile in June.
    """

    family: ClassVar[str] = "roles"
    check: ClassVar[type[Check]] = RolesCheck
    excerpt: ClassVar[Excerpting] = "provable"
    distinct: ClassVar[bool] = True
    per_premise: ClassVar[int] = 3
    on_request: ClassVar[bool] = True
    uses: ClassVar[tuple[str, ...]] = ("tagger", "wordnet")

    def __call__(self, pair: Pair, rng: Random) -> list[Edit] | Skip:  # noqa: ARG002 - nothing to draw
        text = pair.premise
        names = find_spans(text)
        if len(names) < 2:
            return NO_NAMES
        reason = NO_NAMES
        for one, other in pairwise(names):
            edits = _edits_of(text, one, other)
            if isinstance(edits, list):
                return AGAIN if _mentioned_again(text, one, other) else edits
            reason = edits if edits is not NO_NAMES else reason
        return reason


def find_spans(text: str) -> list[NameSpan]:
    """Runs of proper nouns; a title before a name is not part of it."""
    tokens = analyse(text)
    found: list[NameSpan] = []
    i = 0
    while i < len(tokens):
        stop = i
        while stop < len(tokens) and (_names(tokens, stop) or (stop == 0 and _is_unknown_name(tokens))):
            stop += 1
        first = i + 1 if stop - i > 1 and tokens[i].text in WORDS["titles"] else i
        if stop > first:
            before = tokens[first - 1].text if first else ""
            after = tokens[stop].text if stop < len(tokens) else ""
            start, end = tokens[first].start, tokens[stop - 1].end
            found.append(NameSpan(start, end, text[start:end], before, after))
        i = max(stop, i + 1)
    return found


def _names(tokens: Sequence[Tagged], i: int) -> bool:
    token = tokens[i]
    tags = ("NNP", "NNPS", "NNS") if i else ("NNP", "NNPS")  # "the Blues" is a name inside a sentence
    return token.tag in tags and token.text[:1].isupper() and token.text[-1].isalpha()


def _is_unknown_name(tokens: Sequence[Tagged]) -> bool:
    """True if a text begins with a word that no dictionary has, before a name: the tagger guesses "Ines" wrong."""
    word = tokens[0].text
    known = any(wordnet().morphy(word.lower(), pos) for pos in "nvar") or tokens[0].tag in ("DT", "IN", "PRP", "PRP$")
    return len(tokens) > 1 and _names(tokens, 1) and word.isalpha() and word[0].isupper() and not known


def _ends_name(name: NameSpan) -> bool:
    """True if no noun follows that belongs to a name or is described by it: "Abu al-Fadl", "Swiss citizenship"."""
    known = name.after in WORDS["behind"] | WORDS["speech"] or name.after.isdigit()
    return known or (not name.after[:1].isalnum() and name.after not in NOT_AFTER)


def _edits_of(text: str, one: NameSpan, other: NameSpan) -> list[Edit] | Skip:
    """The edits of two neighbouring names, by what is between them."""
    between = text[one.end : other.start]
    if one.after in NOT_AFTER or not _ends_name(other) or text.rstrip().endswith("?"):
        return NO_NAMES
    exchanged = (Replacement(one.start, one.text, other.text), Replacement(other.start, other.text, one.text))
    if one.before in WORDS["titles"] and other.before in WORDS["titles"]:
        return [_edit(C, exchanged, "title")] if one.before != other.before else NO_NAMES
    if one.before == "The" and (match := re.fullmatch(rf"\s({any_of(PARTICIPLES)})\sthe\s", between)):
        starts = _begins_sentence(text, one._replace(start=text.rindex("The", 0, one.start)))
        return [_edit(C, exchanged, REASON_OF[match[1]])] if starts else NO_NAMES
    if not _begins_sentence(text, one):
        return NO_NAMES
    if _RELATION.fullmatch(between):
        return [_edit(C, exchanged, "relation")]
    if (
        (match := _SPEECH.match(between))
        and re.search(r",\s(?:but|while|and)\s$", between)
        and _SPEECH.match(text, other.end)
    ):
        return [_edit(N, exchanged, "speaker")] if match else NO_NAMES
    if match := _ACTIVE.fullmatch(between):
        verb = f" was {PARTICIPLES[match[1]]} by "
        kind = REASON_OF[match[1]]
    elif match := _PASSIVE.fullmatch(between):
        verb = f" {PAST[match[1]]} "
        kind = REASON_OF[PAST[match[1]]]
    else:
        return VERB if re.fullmatch(r"\s[a-z]+ed\s", between) else NO_NAMES
    voice = Replacement(one.end, between, verb)
    return [
        _edit(C, exchanged, kind),
        _edit(E, (exchanged[0], voice, exchanged[1]), kind),
        _edit(C, (voice,), kind),
    ]


def _begins_sentence(text: str, name: NameSpan) -> bool:
    """True if a name is the subject of a sentence: at its beginning, or after a time and a comma."""
    before = text[: name.start].rstrip()
    return not before or before[-1] in ".!" or re.fullmatch(r"(?:In|On|By|During) [\w ]+,", before) is not None


def _mentioned_again(text: str, one: NameSpan, other: NameSpan) -> bool:
    rest = text[: one.start] + text[one.end : other.start] + text[other.end :]
    words = {word for name in (one, other) for word in name.text.split()}
    return any(re.search(rf"\b{re.escape(word)}\b", rest) for word in words) or one.text == other.text


def _edit(label: Label, changes: tuple[Replacement, ...], kind: str) -> Edit:
    return Edit(
        label=label,
        premise_from="premise",
        hypothesis_from="premise",
        hypothesis=changes,
        facts={"relation": {C: "exclusive", E: "same"}[label]} if label is not N else {},
        group={"role": kind},
    )
