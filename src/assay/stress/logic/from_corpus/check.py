"""Check of the corpus cases of the logic families, by WordNet, by a parse, and by enumerating small worlds."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import product
from typing import NamedTuple

from assay.core.case import Case
from assay.core.edit import Edit, Replacement, Skip, replace
from assay.core.label import Label
from assay.language.numbers.number_words import COUNTING
from assay.language.resources.installed import wordnet
from assay.language.text.analysis import ENDS, Tagged, analyse, sentence_around, token_at
from assay.language.text.tokens import tokens as split
from assay.stress.lexical.lexical_contexts import doubt_of_kind, doubt_of_place, doubt_of_sense
from assay.stress.lexical.lexical_relations import ChangedWord, find_relation
from assay.stress.logic.from_corpus.parsed_polarity import (
    SENSES,
    Judged,
    determiner_polarities,
    joined_parts,
    parsed_mark,
)
from assay.stress.logic.proof.statements import DETERMINERS
from assay.stress.original import CHANGED, copied_text

UNKNOWN = Skip("not verified: the change is not one of the family's")
UNJOINED = Skip("not verified: the parse does not attach the dropped words to those before them")
UNSURE = Skip("not verified: by the parse, the polarity of the place is unclear")
MEANT = Skip("not verified: the determiners imply a different label")

FEW, MANY = range(2, 24), range(36, 60)
"""The numbers of things with which determiners are tried; labels must be the same with few and with many."""
HELPERS = {"be", "have"}
"""Verbs that "not" follows."""

World = tuple[int, ...]
SOME_OF_A_KIND: dict[str, Callable[[World], int]] = {"specific": lambda w: w[0], "general": lambda w: w[0] + w[1]}
"""Number of things that a text mentions, given how many are of the narrower kind and of the wider kind only."""
OF_TWO: dict[str, Callable[[World], int]] = {
    "one": lambda w: w[0] + w[2],
    "both": lambda w: w[2],
    "either": lambda w: w[0] + w[1] + w[2],
}
"""The same, given how many have the first property only, the second only, and both."""


class ChangedText(NamedTuple):
    """The changes of one text of a case."""

    denied: Replacement | None
    change: Replacement | None


class LogicCorpusCheck:
    """Check of the corpus cases of monotonicity, conjunction and quantifiers. It uses no table of polarities."""

    def __call__(self, case: Case) -> Skip | None:
        """Undo the edit, classify the change, and derive the label again."""
        edit = case.provenance.edit
        text = _text_of(case, edit)
        if isinstance(text, Skip):
            return text
        kind = edit.facts.get("kind", "")
        if kind == "determiner":
            return _check_determiners(case, text)
        sides = side_of(edit.premise), side_of(edit.hypothesis)
        change = next((each.change for each in sides if each.change), None)
        if change is None or any(each.change not in (None, change) and kind in ("noun", "adjective") for each in sides):
            return UNKNOWN
        tokens = analyse(text)
        place = _find_place(tokens, sides, kind, edit.facts.get("category", ""))
        if isinstance(place, Skip):
            return place
        polarity = parsed_polarity_at(text, tokens[place].start)
        names = [_name_side(side, kind) for side in sides]
        if polarity != "up":
            return UNSURE
        for side in sides:
            if reason := _doubt_of_denial(text, tokens, side.denied, place):
                return reason
        return None if label_of(*names, kind) is case.label else Skip("not verified: another label follows")


def _text_of(case: Case, edit: Edit) -> str | Skip:
    if edit.label is not case.label or edit.premise_from != edit.hypothesis_from or edit.premise == edit.hypothesis:
        return Skip("not verified: the two sides are not made from the same text")
    return copied_text(case) or CHANGED


def side_of(changes: Sequence[Replacement]) -> ChangedText:
    """The denial among the changes of a text, and the last other change."""
    denied, change = None, None
    for replacement in changes:
        words = replacement.new.lower().split()
        if "not" in words or words[:1] == ["no"]:
            denied = replacement
            if len(words) > 1 and words[0] == "no" and len(replacement.old) > 1:  # "Dogs" and "No animals"
                change = Replacement(replacement.start, replacement.old, replacement.old[0] + replacement.new[4:])
        else:
            change = replacement
    return ChangedText(denied, change)


def _name_side(side: ChangedText, kind: str) -> str:
    """The name of the text on one side, such as `general`."""
    if kind in ("noun", "adjective"):
        name = "general" if side.change else "specific"
    elif side.change is None:
        name = "either" if kind == "or" else "both"
    elif side.change.new:
        name = "both" if kind == "or" else "either"
    else:
        name = "one"
    return f"-{name}" if side.denied else name


@cache
def label_of(premise: str, hypothesis: str, kind: str) -> Label | None:
    """The label of two texts, denied or not, over all small worlds; None if it depends on the meaning of a plural.

    >>> label_of("specific", "-general", "noun").value, label_of("-either", "-one", "and").value
    ('contradiction', 'entailment')
    """
    counts = SOME_OF_A_KIND if kind in ("noun", "adjective") else OF_TWO
    size = 2 if counts is SOME_OF_A_KIND else 3
    labels = set()
    for fewest in (1, 2):  # "men" may be one, or two at least
        worlds = list(product(range(3), repeat=size))
        one, other = (
            frozenset(world for world in worlds if _holds_everywhere(name, counts, world, fewest))
            for name in (premise, hypothesis)
        )
        labels.add(_label_of(one, other))
    return labels.pop() if len(labels) == 1 else None


def _holds_everywhere(name: str, counts: dict[str, Callable[[World], int]], world: World, fewest: int) -> bool:
    count = counts[name.removeprefix("-")](world)
    return count == 0 if name.startswith("-") else count >= fewest


def _doubt_of_denial(text: str, tokens: Sequence[Tagged], denied: Replacement | None, place: int) -> Skip | None:
    """The reason why the denial may not cover the whole text, or not reverse the polarity of the changed position."""
    if denied is None:
        return None
    old, words = denied.old.lower(), denied.new.lower().split()
    if words[0] == "no":
        name = "N" if old in COUNTING else old
        upward = name in DETERMINERS and determiner_polarities(name) == ("up", "up")
        bare = denied.old == "" or (denied.start == 0 and tokens[0].tag in ("NNS", "JJ"))
        denies = upward or bare
    elif len(words) == 1:
        before = next((each.text.lower() for each in tokens if each.end == denied.start), "")
        denies = old == "" and not HELPERS.isdisjoint(wordnet().morphy(before, "v"))
    else:
        denies = words[1:] in (["not", each] for each in wordnet().morphy(old, "v"))
    if not denies:
        return Skip("not verified: the denial may deny something else")
    start = tokens[place].start
    pure = Replacement(denied.start, denied.old[:1], f"No {denied.old[:1].lower()}")
    only = pure if words[0] == "no" and len(words) > 1 and len(denied.old) > 1 else denied
    moved = start + len(only.new) - len(only.old) if only.start <= start else start
    return None if parsed_polarity_at(replace(text, (only,)), moved) == "down" else UNSURE


def _find_place(
    tokens: tuple[Tagged, ...], sides: tuple[ChangedText, ChangedText], kind: str, category: str
) -> int | Skip:
    """The token whose polarity decides, if the change is of this kind."""
    changes = [side.change for side in sides if side.change]
    if kind in ("and", "but", "or"):
        return _find_conjunct(tokens, changes, kind)
    change = changes[0]
    if kind == "noun":
        first = last = token_at(tokens, change.start)
        while 0 <= last < len(tokens) - 1 and tokens[last].end < change.start + len(change.old):
            last += 1
        if first < 0 or len(changes) > 1 or find_relation(change.old, change.new, category=category) != ("broader",):
            return Skip("not verified: the new word is not more general than the old one")
        spot = ChangedWord(tokens, first, last, change.new, category)
        reason = doubt_of_sense(spot) or doubt_of_kind(spot)
        return Skip(f"not verified: {reason}") if reason else last
    if kind == "adjective":
        at = token_at(tokens, change.start)
        if at < 0 or len(changes) > 1 or change.new or tokens[at].tag != "JJ" or change.old.strip() != tokens[at].text:
            return UNKNOWN
        reason = doubt_of_place(ChangedWord(tokens, at, at, "", ""))
        return Skip(f"not verified: {reason}") if reason else at
    return UNKNOWN


def _find_conjunct(tokens: tuple[Tagged, ...], changes: Sequence[Replacement], kind: str) -> int | Skip:
    """The first token of a dropped conjunct, if the parse joins it to the words before it."""
    joiners = [i for i, each in enumerate(tokens) if each.text.lower() == kind and each.tag == "CC"]
    joiner = joiners[-1] if joiners else -1
    end = len(tokens) - (tokens[-1].text in (".", "!"))
    for change in changes:
        last = change.start + len(change.old)
        swapped = change.start == tokens[joiner].start and change.new in ("and", "or")
        dropped = not change.new and change.start <= tokens[joiner].start and last == tokens[end - 1].end
        if joiner < 0 or joiner + 1 >= end or not (swapped or dropped):
            return UNKNOWN
    around = sentence_around(tokens, joiner)
    words = tuple(each.text for each in tokens[around.start : around.stop])
    return joiner + 1 if joined_parts(words, joiner - around.start, end - around.start) else UNJOINED


def parsed_polarity_at(text: str, start: int) -> Judged:
    """The polarity of the token that begins at an offset, by the parse of its sentence."""
    tokens = split(text)
    at = next((i for i, each in enumerate(tokens) if each.start == start), -1)
    if at < 0:
        return "unsure"
    first = next((i + 1 for i in range(at - 1, -1, -1) if tokens[i].text in ENDS), 0)
    last = next((i + 1 for i in range(at, len(tokens)) if tokens[i].text in ENDS), len(tokens))
    return _mark_place(tuple(each.text for each in tokens[first:last]), at - first)


@lru_cache(maxsize=2048)  # the cases of a premise come one after the other
def _mark_place(words: tuple[str, ...], at: int) -> Judged:
    return parsed_mark(words, at)


def _check_determiners(case: Case, text: str) -> Skip | None:
    """The reason why two texts that differ in their first determiner may have a different label."""
    edit = case.provenance.edit
    determiners = [changes[0].new if changes else "" for changes in (edit.premise, edit.hypothesis)]
    old = next(iter((*edit.premise, *edit.hypothesis)))
    if any(len(each) > 1 for each in (edit.premise, edit.hypothesis)) or old.start or not text.startswith(old.old):
        return UNKNOWN
    return None if determiner_label(determiners[0] or old.old, determiners[1] or old.old) is case.label else MEANT


@lru_cache(maxsize=4096)
def determiner_label(first: str, second: str) -> Label | None:
    """The label of two determiners over the same nouns, from their meanings.

    It is None if it depends on a reading, or on the number of things, which readers may know and the text does not say.
    """
    readings = ((_find_readings(first, there), _find_readings(second, there)) for there in (FEW, MANY))
    labels = {_label_of(one, other) for ones, others in readings for one, other in product(ones, others)}
    return labels.pop() if len(labels) == 1 else None


def _label_of(one: frozenset[World], other: frozenset[World]) -> Label:
    """The label that follows from the sets of worlds in which two sentences hold."""
    if one <= other:
        return Label.ENTAILMENT
    return Label.NEUTRAL if one & other else Label.CONTRADICTION


@lru_cache(maxsize=512)
def _find_readings(determiner: str, there: range) -> tuple[frozenset[World], ...]:
    """For each reading of a determiner, the worlds where it holds: how many of how many things."""
    return tuple(_list_worlds(determiner, there))


def _list_worlds(determiner: str, there: range) -> Iterator[frozenset[World]]:
    words = determiner.lower().split()
    number = COUNTING.get(words[-1], 0)
    name = " ".join([*words[:-1], "N"]) if words[-1] in COUNTING else " ".join(words)
    if name not in DETERMINERS:
        return
    names = (name, "exactly N") if name == "N" else (name,)
    for each in names:
        for fewest in (1, 2):
            at_least = fewest if name in ("some", "all", "most") else 0
            holds = DETERMINERS[each]
            yield frozenset(
                (both, every)
                for every in there
                for both in range(every + 1)
                if holds(both, every, number, SENSES) and both >= at_least
            )
