"""Roles: two names exchanged where only one of them can have the role, or the same fact in the passive."""

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
from assay.stress.roles.check import CONVERSES, LEAD, OBJECTS, PARTICIPLES, PHRASES, REASON_OF, RolesCheck

WORDS = load_words(__file__)

NO_NAMES = Skip("no two names with different roles")
VERB = Skip("both could be true: the verb does not exclude exchanged names")
AGAIN = Skip("one of the two names is mentioned again")

C, E, N = Label.CONTRADICTION, Label.ENTAILMENT, Label.NEUTRAL
_SPEECH = re.compile(rf"\s{any_of(WORDS['speech'])}\b")
_PASSIVE = re.compile(rf"\s(was|were|has\s+been|had\s+been)\s+({any_of(PARTICIPLES.values())})\s+by\s")
_ACTIVE = re.compile(rf"\s(?:({any_of(PARTICIPLES)})|(has|had)\s+({any_of(PARTICIPLES.values())}))\s")
_SECOND_SPEECH = re.compile(r",\s(?:but|while|and)\s$")
_SCORE = re.compile(r"\s[0-9]+[-\u2013][0-9]")
_CONVERSE = re.compile(rf"\b{any_of(CONVERSES)}\b")
_ATTACHED = re.compile(r"[^.]*\b(?:to|after|before|by|while|when|and|who|whose|which|that|he|she|his|her|their)\b")
"""What belongs to the subject, or to the other name, and does not suit another voice: "to become champion"."""
_STARTS = re.compile(LEAD)
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
    """Pronouns, and runs of proper nouns with "the" before them; a title before a name is not part of it."""
    tokens = analyse(text)
    found: list[NameSpan] = []
    i = 0
    while i < len(tokens):
        stop = i
        while stop < len(tokens) and (_names(tokens, stop) or (stop == 0 and _is_unknown_name(tokens))):
            stop += 1
        stop += stop == i and tokens[i].text.lower() in OBJECTS
        first = i + 1 if stop - i > 1 and tokens[i].text in WORDS["titles"] else i
        if stop > first:
            first -= first > 0 and tokens[first - 1].text in ("the", "The")
            before = tokens[first - 1].text if first else ""
            after = tokens[stop].text if stop < len(tokens) else ""
            start, end = tokens[first].start, tokens[stop - 1].end
            found.append(NameSpan(start, end, text[start:end], before, after))
        i = max(stop, i + 1)
    return found


def _names(tokens: Sequence[Tagged], i: int) -> bool:
    token = tokens[i]
    tags = ("NNP", "NNPS", "NNS") if i else ("NNP", "NNPS")  # "the Blues" is a name inside a sentence
    named = token.text[:1].isupper() and token.text[-1].isalpha() and token.text not in WORDS["not_names"]
    return named and token.tag in tags


def _is_unknown_name(tokens: Sequence[Tagged]) -> bool:
    """True if a text begins with a word that no dictionary has, before a name: the tagger guesses "Ines" wrong."""
    word = tokens[0].text
    known = any(wordnet().morphy(word.lower(), pos) for pos in "nvar") or tokens[0].tag in (
        "DT",
        "IN",
        "PRP",
        "PRP$",
        "WRB",
    )
    return len(tokens) > 1 and _names(tokens, 1) and word.isalpha() and word[0].isupper() and not known


def _ends_name(text: str, name: NameSpan) -> bool:
    """True if no noun follows that belongs to a name or is described by it: "Abu al-Fadl", "Swiss citizenship"."""
    known = name.after in WORDS["behind"] | WORDS["speech"] or _SCORE.match(text, name.end)
    return bool(known) or (not name.after[:1].isalnum() and name.after not in NOT_AFTER)


def _edits_of(text: str, one: NameSpan, other: NameSpan) -> list[Edit] | Skip:
    """The edits of two neighbouring names, by the words between them."""
    between = text[one.end : other.start]
    if one.after in NOT_AFTER or not _ends_name(text, other) or text.rstrip().endswith("?"):
        return NO_NAMES
    if other.text.lower() in OBJECTS:
        return NO_NAMES
    starts = text[: one.start].rstrip()[-1:] in ("", ".", "!")
    exchanged = (
        Replacement(one.start, one.text, _capital(other.text, starts=starts)),
        Replacement(other.start, other.text, _capital(OBJECTS.get(one.text.lower(), one.text), starts=False)),
    )
    if one.before in WORDS["titles"] and other.before in WORDS["titles"]:
        return [_edit(C, exchanged, "title")] if one.before != other.before else NO_NAMES
    if not _begins_sentence(text, one):
        return NO_NAMES
    if _SPEECH.match(between) and _SECOND_SPEECH.search(between) and _SPEECH.match(text, other.end):
        return [_edit(N, exchanged, "speaker")]
    if between.strip() == "told" and re.match(r"\s+that\b", text[other.end :]):
        voice = Replacement(one.end, between, " was told by ")
        return [_edit(E, (exchanged[0], voice, exchanged[1]), "speaker")]
    they = one.text.lower() == "they"
    if match := _ACTIVE.fullmatch(between):
        past = match[1] or PAST[match[3]]
        verb = f" was {PARTICIPLES[past]} by " if match[1] else f" {match[2]} been {match[3]} by "
    elif match := _PASSIVE.fullmatch(between):
        past = PAST[match[2]]
        verb = f" {past} " if match[1] in ("was", "were") else f" {match[1].split()[0]} {match[2]} "
    elif between.split() in (["lost", "to"], ["fell", "to"]):
        past, verb = "defeated", " defeated "
    elif one.text.lower() in OBJECTS:
        return NO_NAMES
    else:
        return _edits_of_phrase(between, one, exchanged, text[other.end :])
    voice, kind = Replacement(one.end, between, verb), REASON_OF[past]
    plural = any(name.text[:4].lower() == "the " and name.text.endswith("s") for name in (one, other))
    edits = [] if (plural or they) and between.split()[0] in ("was", "were", "have") else [_edit(C, exchanged, kind)]
    if (plural and verb.startswith(" was")) or _ATTACHED.match(text, other.end):
        return edits or NO_NAMES
    were = Replacement(one.end, between, verb.replace(" was ", " were ", 1)) if they else voice
    return [*edits, _edit(E, (exchanged[0], voice, exchanged[1]), kind), _edit(C, (were,), kind)]


def _edits_of_phrase(
    between: str, one: NameSpan, exchanged: tuple[Replacement, Replacement], rest: str
) -> list[Edit] | Skip:
    """The edits of a relation, a comparison or a direction."""
    phrase = PHRASES.fullmatch(between.strip())
    if phrase and phrase.lastgroup == "relation" and _ATTACHED.match(rest):
        return NO_NAMES
    if phrase is None:
        return VERB if re.fullmatch(r"\s[a-z]+ed\s", between) else NO_NAMES
    kind = str(phrase.lastgroup)
    edits = [_edit(C, exchanged, kind)]
    if kind in ("comparative", "direction") and "," not in rest:
        converse = Replacement(one.end, between, _CONVERSE.sub(lambda match: CONVERSES[match.group()], between))
        edits += [_edit(E, (exchanged[0], converse, exchanged[1]), kind), _edit(C, (converse,), kind)]
    return edits


def _capital(name: str, *, starts: bool) -> str:
    """A name in another place: "the Reds" begin a sentence as "The Reds"."""
    return ("The" if starts else "the") + name[3:] if name[:4] in ("the ", "The ") else name


def _begins_sentence(text: str, name: NameSpan) -> bool:
    """True if a name is the subject of a clause: it begins a sentence, or follows a time and a comma, or "that"."""
    before = text[: name.start].rstrip()
    return not before or before[-1] in ".!" or _STARTS.fullmatch(before) is not None


def _mentioned_again(text: str, one: NameSpan, other: NameSpan) -> bool:
    rest = text[: one.start] + text[one.end : other.start] + text[other.end :]
    words = {word for name in (one, other) for word in name.text.split() if word.lower() not in {"the", *OBJECTS}}
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
