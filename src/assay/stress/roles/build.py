"""Roles: two names exchanged where only one of them can have the role, or the same fact in the passive."""

import re
from collections.abc import Sequence
from itertools import chain, pairwise
from random import Random
from typing import ClassVar, NamedTuple

from assay.core.edit import Edit, Replacement, Skip
from assay.core.label import Label
from assay.core.pair import Pair
from assay.core.protocols import Check
from assay.language.resources.data import any_of, load_words
from assay.language.resources.installed import wordnet
from assay.language.text.analysis import Tagged, analyse
from assay.language.text.tokens import Token
from assay.language.words.proper_names import find_names, first_names
from assay.stress.across.join_edits import AcrossSwitch
from assay.stress.roles.check import (
    ADVERBS,
    CONVERSES,
    DESCRIBING,
    FORMER,
    LEAD,
    MOVED,
    OBJECTS,
    OFFICES,
    PARTICIPLES,
    PHRASES,
    REASON_OF,
    SYMMETRIC,
    TITLES,
    RolesCheck,
    names_title,
)

WORDS = load_words(__file__)

NO_NAMES = Skip("no two names with different roles")
VERB = Skip("both could be true: the verb does not exclude exchanged names")
AGAIN = Skip("one of the two names is mentioned again")
KINDS = Skip("the two names are of different kinds, so that nobody would exchange them")

C, E, N = Label.CONTRADICTION, Label.ENTAILMENT, Label.NEUTRAL
_SPEECH = re.compile(rf"\s{any_of(WORDS['speech'])}\b")
_PASSIVE = re.compile(
    rf"\s(was|were|has\s+been|had\s+been)\s+((?:{ADVERBS}\s)?)({any_of(PARTICIPLES.values())})\s+by\s"
)
_ACTIVE = re.compile(rf"\s((?:(?:has|had)\s+)?)((?:{ADVERBS}\s)?)({any_of({*PARTICIPLES, *PARTICIPLES.values()})})\s")
_RELATIVE = re.compile(r",\s(?:who|which)(\s.*\s)")
_SECOND_SPEECH = re.compile(r"(?:,\s(?:but|while|whereas|and)|[.;])\s$")
_SCORE = re.compile(r"\s[0-9]+[-\u2013][0-9]")
_CONVERSE = re.compile(rf"\b{any_of(CONVERSES)}\b")
_ATTACHED = re.compile(r"[^.]*\b(?:to|after|before|by|while|when|and|who|whose|which|that|he|she|his|her|their)\b")
"""Continuations that belong to one of the names and don't fit another voice: "to become champion"."""
_STARTS = re.compile(LEAD)
_FORMER = re.compile(rf"\b(?i:{any_of(FORMER)})[\s-]+$")
_PARTICLE = re.compile(r"(?:al|el|bin|ibn|von|van|der|de|da|di|du|le|la)\b")
_ABBREVIATED = re.compile(r"\b[A-Z][a-z]{0,2}\.$")
_LISTED = re.compile(r"\s*\(|,\s(?:[Tt]he\s)?[A-Z][^,.]*(?:,|\sand\s)")
"""What follows the first name of several: "Spain beat Italy, France and Norland"."""
PAST = {participle: past for past, participle in PARTICIPLES.items()}
POSSESSIVE = {"'s", "\u2019s"}
CAPITALS = {"The", *(word.capitalize() for word in OBJECTS)}
NOT_AFTER = {*POSSESSIVE, "'", "and", "or", "&", "-", "\u2013", "(", "$", "/"}


class NameSpan(NamedTuple):
    """A name of one or more words."""

    start: int
    end: int
    text: str
    role: str
    """The title before it, with what belongs to the title: "French President"."""
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
    per_premise: ClassVar[int] = 3
    on_request: ClassVar[bool] = True
    uses: ClassVar[tuple[str, ...]] = ("tagger", "wordnet")

    def __call__(self, pair: Pair, rng: Random) -> list[Edit] | Skip:  # noqa: ARG002 - nothing to draw
        text = pair.premise
        names = find_spans(text)
        if len(names) < 2:
            return NO_NAMES
        reason = NO_NAMES
        titled = [name for name in names if name.role]
        for one, other in chain(pairwise(titled), pairwise(_with_role(text, name) for name in names)):
            edits = _edits_of_titles(text, one, other) if one.role and other.role else _edits_of(text, one, other)
            if isinstance(edits, list) and _mentioned_again(text, one, other):
                edits = AGAIN
            if isinstance(edits, list):
                return edits
            reason = edits if edits is not NO_NAMES else reason
        return reason


def find_spans(text: str) -> list[NameSpan]:
    """Pronouns, and runs of proper nouns with what describes them; a title before a name is not part of it."""
    tokens = analyse(text)
    found: list[NameSpan] = []
    i = 0
    while i < len(tokens):
        stop = _end_of_name(tokens, i)
        pronoun = stop == i and tokens[i].text.lower() in OBJECTS
        stop += pronoun
        if stop > i:
            first, role = (i, "") if pronoun else _begin_name(tokens, i, stop)
            owner = first > 0 and not role and tokens[first - 1].text in POSSESSIVE and found
            if owner and found[-1].end == tokens[first - 1].start:
                owned = found.pop().start
                first = next(n for n in range(first) if tokens[n].start >= owned)
            stop = stop if pronoun or role else _end_of_place(tokens, stop)
            after = tokens[stop].text if stop < len(tokens) else ""
            start, end = tokens[first].start, tokens[stop - 1].end
            found.append(NameSpan(start, end, text[start:end], role, after))
        i = max(stop, i + 1)
    return found


def _end_of_name(tokens: Sequence[Tagged], start: int) -> int:
    stop = start
    while stop < len(tokens) and (_names(tokens, stop) or (stop == 0 and _is_unknown_name(tokens))):
        stop += 1
        if _has_initial(tokens, stop):
            stop += 1
    return stop


def _has_initial(tokens: Sequence[Tagged], stop: int) -> bool:
    """True if the full stop at this place ends an initial inside a name: "Ada M. Moss"."""
    initial = 0 < stop < len(tokens) - 1 and len(tokens[stop - 1].text) == 1 and tokens[stop].text == "."
    return initial and tokens[stop].start == tokens[stop - 1].end and _names(tokens, stop + 1)


def _begin_name(tokens: Sequence[Tagged], start: int, stop: int) -> tuple[int, str]:
    """The first token of a name and its role; "the" and descriptions without a title belong to the name."""
    titles = [n for n in range(start, stop - 1) if tokens[n].text in TITLES]
    if titles and tokens[max(0, start - 1)].text not in ("the", "The"):
        role = start
        while role and tokens[role - 1].tag == "JJ" and tokens[role - 1].text[0].isupper():
            role -= 1
        return titles[-1] + 1, " ".join(token.text for token in tokens[role : titles[-1] + 1])
    first = start
    while first and (tokens[first - 1].text.lower() in DESCRIBING or _is_capital_adjective(tokens[first - 1])):
        first -= 1
    return first - (first > 0 and tokens[first - 1].text in ("the", "The")), ""


def _end_of_place(tokens: Sequence[Tagged], stop: int) -> int:
    """Where a name ends with the place that belongs to it: "Lena Ott of the Netherlands"."""
    if stop + 1 >= len(tokens) or tokens[stop].text != "of":
        return stop
    start = stop + 1 + (tokens[stop + 1].text == "the")
    end = _end_of_name(tokens, start) if start < len(tokens) else start
    return end if end > start else stop


def _is_capital_adjective(token: Tagged) -> bool:
    return token.tag == "JJ" and token.text[:1].isupper() and token.text.isalpha()


def _with_role(text: str, name: NameSpan) -> NameSpan:
    """The name with its title as a part of it."""
    start = name.start - len(name.role) - 1
    if not name.role or not text.startswith(f"{name.role} {name.text}", start):
        return name
    former = _FORMER.search(text[:start])
    start = former.start() if former else start
    return name._replace(start=start, text=text[start : name.end], role="")


def _names(tokens: Sequence[Tagged], i: int) -> bool:
    token = tokens[i]
    tags = ("NNP", "NNPS", "NNS") if i else ("NNP", "NNPS")  # "the Blues" is a name inside a sentence
    named = token.text[:1].isupper() and token.text[-1].isalpha() and token.text not in WORDS["not_names"]
    return named and token.tag in tags


def _is_unknown_name(tokens: Sequence[Tagged]) -> bool:
    """True if a text begins with a word that no dictionary has, before a name: the tagger guesses "Ines" wrong."""
    word = tokens[0].text
    looked_up = any(wordnet().morphy(word.lower(), pos) for pos in "nvar")
    known = looked_up or tokens[0].tag in ("DT", "IN", "PRP", "PRP$", "WRB")
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
    if other.text.lower() in OBJECTS or one.role or other.role:
        return NO_NAMES
    exchanged = _exchange(text, one, other)
    if between.strip() == "to" and text[: one.start].endswith("from "):
        return _edits_of_route(text, one, other, exchanged)
    if relative := _RELATIVE.fullmatch(between):
        return _edits_of_relative(relative[1], exchanged)
    if not _begins_sentence(text, one):
        return NO_NAMES
    if _SPEECH.match(between) and _SECOND_SPEECH.search(between) and _SPEECH.match(text, other.end):
        return [_edit(N, exchanged, "speaker")]
    if between.strip() == "told" and re.match(r"\s+that\b", text[other.end :]):
        voice = _between(one, between, "was told by")
        return [_edit(N, exchanged, "speaker"), _edit(E, (exchanged[0], voice, exchanged[1]), "speaker")]
    if between.strip() in SYMMETRIC:
        return NO_NAMES if _ATTACHED.match(text, other.end) else [_edit(E, exchanged, "symmetric")]
    return _edits_of_event(text, one, other, exchanged)


def _exchange(text: str, one: NameSpan, other: NameSpan) -> tuple[Replacement, Replacement]:
    starts = text[: one.start].rstrip()[-1:] in ("", ".", "!")
    return (
        Replacement(one.start, one.text, _capital(other.text, starts=starts)),
        Replacement(other.start, other.text, _capital(OBJECTS.get(one.text.lower(), one.text), starts=False)),
    )


def _edits_of_titles(text: str, one: NameSpan, other: NameSpan) -> list[Edit] | Skip:
    """The edit of two names after different titles, one of which only one person has."""
    different = one.role != other.role and any(role.split()[-1] in OFFICES for role in (one.role, other.role))
    past = any(
        name.role.split()[0].lower() in FORMER or _FORMER.search(text[: name.start - len(name.role) - 1])
        for name in (one, other)
    )
    cut = any(_PARTICLE.match(name.after) or names_title(name.text) for name in (one, other))
    return [_edit(C, _exchange(text, one, other), "title")] if different and not past and not cut else NO_NAMES


def _edits_of_event(
    text: str, one: NameSpan, other: NameSpan, exchanged: tuple[Replacement, Replacement]
) -> list[Edit] | Skip:
    """The edits of a verb that excludes the exchange."""
    between = text[one.end : other.start]
    if _LISTED.match(text, other.end) and not PHRASES.fullmatch(between.strip()):
        return NO_NAMES
    they = one.text.lower() == "they"
    if match := _ACTIVE.fullmatch(between):
        perfect, adverb, form = match.groups()
        if form not in (PARTICIPLES.values() if perfect else PARTICIPLES):
            return NO_NAMES
        past = PAST[form] if perfect else form
        verb = f"{perfect.strip() + ' been' if perfect else 'was'} {adverb}{PARTICIPLES[past]} by"
    elif match := _PASSIVE.fullmatch(between):
        past = PAST[match[3]]
        verb = f"{match[2]}{past}" if match[1] in ("was", "were") else f"{match[1].split()[0]} {match[2]}{match[3]}"
    elif between.split() in (["lost", "to"], ["fell", "to"]):
        past, verb = "defeated", "defeated"
    elif one.text.lower() in OBJECTS:
        return NO_NAMES
    else:
        return _edits_of_phrase(between, one, exchanged, text[other.end :])
    kinds = {_kind_of(one.text), _kind_of(other.text)}
    if "person" in kinds and not kinds <= {"person", ""}:
        return KINDS
    voice, kind = _between(one, between, verb), REASON_OF[past]
    plural = any(name.text[:4].lower() == "the " and name.text.endswith("s") for name in (one, other))
    edits = [] if (plural or they) and between.split()[0] in ("was", "were", "have") else [_edit(C, exchanged, kind)]
    if (plural and verb.startswith("was")) or _ATTACHED.match(text, other.end):
        return edits or NO_NAMES
    were = _between(one, between, re.sub("^was ", "were ", verb)) if they else voice
    return [*edits, _edit(E, (exchanged[0], voice, exchanged[1]), kind), _edit(C, (were,), kind)]


def _edits_of_route(
    text: str, one: NameSpan, other: NameSpan, exchanged: tuple[Replacement, Replacement]
) -> list[Edit] | Skip:
    """The edits of a move "from A to B", which is one "to B from A"."""
    if not MOVED.search(text, 0, one.start - len(" from ")):
        return NO_NAMES
    other_way = (
        Replacement(one.start - len("from "), "from", "to"),
        Replacement(other.start - len("to "), "to", "from"),
    )
    same = tuple(sorted((*other_way, *exchanged), key=lambda change: change.start))
    return [_edit(C, exchanged, "move"), _edit(E, same, "move"), _edit(C, other_way, "move")]


def _edits_of_relative(words: str, exchanged: tuple[Replacement, Replacement]) -> list[Edit] | Skip:
    """The edit of "A, who defeated B"; another voice would change what the rest is about."""
    if match := _ACTIVE.fullmatch(words):
        past = match[3] if match[3] in PARTICIPLES else PAST[match[3]]
    elif match := _PASSIVE.fullmatch(words):
        past = PAST[match[3]]
    else:
        return NO_NAMES
    return [_edit(C, exchanged, REASON_OF[past])]


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
    kinds = {_kind_of(one.text), _kind_of(exchanged[1].old)} - ({""} if kind == "relation" else set())
    words, others = ({*name.split()} - CAPITALS for name in (one.text, exchanged[1].old))
    if kind in ("relation", "origin", "inside") and (len(kinds) > 1 or words <= others or others <= words):
        return KINDS
    if kind in ("relation", "origin", "inside") and re.match("[Tt]he .*s$", exchanged[0].new):
        return NO_NAMES  # "is" would stand behind a plural
    if kind in ("comparative", "direction") and "," not in rest:
        converse = _between(one, between, _CONVERSE.sub(lambda match: CONVERSES[match.group()], between.strip()))
        edits += [_edit(E, (exchanged[0], converse, exchanged[1]), kind), _edit(C, (converse,), kind)]
    return edits


def _between(one: NameSpan, between: str, new: str) -> Replacement:
    """The change of the words between two names; the blanks around them stay, and are not shown twice."""
    words = between.strip()
    return Replacement(one.end + between.index(words), words, new)


def _kind_of(name: str) -> str:
    """A person, a place or an organisation, as far as the words of a name show it; otherwise nothing."""
    tagged = analyse(name)
    tokens = [Token(token.text, token.start, token.end) for token in tagged]
    if name.lower() in ("he", "she") or (len(tokens) > 1 and tokens[0].text in first_names()):
        return "person"
    kinds = [found.kind for found in find_names(tokens, [token.tag for token in tagged])]
    return next((kind for kind in kinds if kind != "person"), "")  # any other run of capitals counts as a person there


def _capital(name: str, *, starts: bool) -> str:
    """A name in another place: "the Reds" begin a sentence as "The Reds"."""
    first = name.split()[0].lower()
    if first != "the" and first not in DESCRIBING:
        return name
    return (name[0].upper() if starts else name[0].lower()) + name[1:]


def _begins_sentence(text: str, name: NameSpan) -> bool:
    """True if a name is the subject of a clause: it begins a sentence, or follows a time and a comma, or "that"."""
    before = text[: name.start].rstrip()
    if _ABBREVIATED.search(before):
        return False
    return not before or before[-1] in ".!" or _STARTS.fullmatch(before) is not None


def _mentioned_again(text: str, one: NameSpan, other: NameSpan) -> bool:
    rest = text[: one.start] + text[one.end : other.start] + text[other.end :]
    words = {word for name in (one, other) for word in name.text.split() if word[0].isupper()} - CAPITALS
    words |= {"its" for name in (one, other) if name.text.lower() == "it"}
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
