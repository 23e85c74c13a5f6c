"""Fillings: all ways to fill the slots of a form, numbered, so that any number of them can be drawn."""

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import permutations, product
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.stress.logic.logic_lexicon import (
    EntryError,
    LogicLexicon,
    Verb,
    make_noun,
    make_scale,
    make_verb,
    noun_words,
)
from assay.stress.logic.pair_forms import PairForm
from assay.stress.logic.sentence_patterns import Piece, WordSlot, find_slots
from assay.stress.template_pairs import NumberedFillings, Numbers, SlotColumn, Split, text_bit

Row = dict[str, str]
"""The texts of one choice of words, by the slot's name without its number."""

Use = Literal["alone", "replaced", "several"]


class SlotGroup(NamedTuple):
    """Slots whose words are drawn together, or from one list without repetition."""

    name: str
    use: Use
    rows: tuple[Row, ...]
    draws: int


class Fillings(NumberedFillings):
    """The fillings of a form."""

    def __init__(self, form: PairForm, lexicon: LogicLexicon) -> None:
        self.form = form
        self._lexicon = lexicon
        self._groups = {each.name: each for each in _group_slots(form, lexicon)}
        places = [(group.name, draw) for group in self._groups.values() for draw in range(group.draws)]
        self._number = {place: number for number, place in enumerate(places)}
        bits = {place: np.zeros((len(self._groups[place[0]].rows), 1), dtype=np.int8) for place in places}
        for slot in find_slots(form.premise):
            bits[_slot_place(slot)] ^= self._column(slot)[1]
        super().__init__([SlotColumn(place[0], bits[place]) for place in places])

    def draw(self, count: int, split: Split, key: str) -> list[tuple[str, str]]:
        """Draw `count` different pairs of texts of one split; fewer if there are no more."""
        return self._write(self.draw_numbers(count, split, key))

    def first(self) -> tuple[str, str]:
        """The first pair of texts."""
        return self._write(self.fillings_at(np.zeros(1, dtype=np.int64)))[0]

    def _column(self, slot: WordSlot) -> tuple[NDArray[np.object_], NDArray[np.int8]]:
        group = self._groups[_slot_place(slot)[0]]
        return _make_column(group.name, group.use, _slot_key(slot), self._lexicon)

    def _write(self, numbers: Numbers) -> list[tuple[str, str]]:
        sides = []
        for text, columns in self._sides:
            filled = [texts[numbers[number]].tolist() for number, texts in columns]
            sides.append([text % words for words in zip(*filled, strict=True)])
        return list(zip(*sides, strict=True))

    @cached_property
    def _sides(self) -> list[tuple[str, list[tuple[int, NDArray[np.object_]]]]]:
        """For each side: the text with a hole for each slot, and the texts that can fill each hole."""
        sides = []
        for side in (self.form.premise, self.form.hypothesis):
            text = write_words([part if isinstance(part, str) else WordSlot("%s", 0, ()) for part in side])
            slots = find_slots(side)
            sides.append((text, [(self._number[_slot_place(slot)], self._column(slot)[0]) for slot in slots]))
        return sides


def write_words(parts: Sequence[Piece]) -> str:
    """A sentence as written, with the names of slots.

    >>> write_words(["if", WordSlot("NAME", 1, ()), "ran", ",", WordSlot("NAME", 2, ()), "sang", ".", "it", "rained"])
    'If NAME1 ran, NAME2 sang. It rained.'
    """
    text = ""
    for part in (*parts, "."):
        word = str(part)
        if word in (",", "."):
            text += word
            continue
        starts = not text or text.endswith(".")
        word = word[:1].upper() + word[1:] if starts and isinstance(part, str) else word
        text += f" {word}" if text else word
    return text


def _slot_key(slot: WordSlot) -> str:
    """The name of a slot's text in a row."""
    kind = f"THING{slot.number}" if slot.kind == "THING" and slot.number else slot.kind
    return ".".join((kind, *slot.form))


def _slot_place(slot: WordSlot) -> tuple[str, int]:
    """The group of a slot, and its index among the group's draws."""
    group = {"PERSONS": "PERSON", "THING": "DEED", "THINGS": "DEED"}.get(slot.kind, slot.kind)
    return group, 0 if group in ("DEED", "PERSON") else max(slot.number - 1, 0)


def _group_slots(form: PairForm, lexicon: LogicLexicon) -> Iterator[SlotGroup]:
    groups: dict[str, list[WordSlot]] = {}
    for slot in find_slots((*form.premise, *form.hypothesis)):
        groups.setdefault(_slot_place(slot)[0], []).append(slot)
    for name, members in groups.items():
        draws = 1 + max(_slot_place(slot)[1] for slot in members)
        use = _find_use(members)
        rows = _draw_rows(name, use, lexicon)
        if len(rows) < draws:
            raise EntryError(
                f"there are {len(rows)} words for {name}, but {form.template!r} needs {draws}",
                entry=form.template,
                hint=f"Add words for {name}, or use fewer of its slots.",
            )
        yield SlotGroup(name, use, rows, draws)


def _find_use(members: Sequence[WordSlot]) -> Use:
    """How a group uses its nouns: several different ones, a noun with a more general one, or just one."""
    if any(slot.number for slot in members if slot.kind == "THING"):
        return "several"
    return "replaced" if any({"specific", "general"} & {*slot.form} for slot in members) else "alone"


@lru_cache(maxsize=128)  # many forms use the same words
def _draw_rows(name: str, use: Use, lexicon: LogicLexicon) -> tuple[Row, ...]:
    return tuple(_rows_of(name, use, lexicon))


@lru_cache(maxsize=512)
def _make_column(name: str, use: Use, key: str, lexicon: LogicLexicon) -> tuple[NDArray[np.object_], NDArray[np.int8]]:
    """The texts of a slot, one per row, and their bits, as a column (rows, 1)."""
    texts = [row[key] for row in _draw_rows(name, use, lexicon)]
    return np.array(texts, dtype=object), np.array([[text_bit(text)] for text in texts], dtype=np.int8)


def _rows_of(name: str, use: Use, lexicon: LogicLexicon) -> Iterator[Row]:
    words = lexicon.words
    simple = {"NAME": words.names, "PLACE": words.places, "STATE": words.states}
    simple |= {"TRAIT": words.traits, "LOOK": words.looks}
    verbs = {"ACT": words.acts, "EXIT": words.exits, "MANNER": words.manners}
    if name in simple:
        yield from ({name: each} for each in simple[name])
    elif name in verbs:
        yield from (_verb_row(name, make_verb(each)) for each in verbs[name])
    elif name == "SCALE":
        for each, other in words.scales.items():
            yield dict(zip(("SCALE.as", "SCALE.more", "SCALE.less"), make_scale(each, other), strict=True))
    elif name == "PERSON":
        yield from _people_rows(use, lexicon)
    else:
        yield from _deed_rows(use, lexicon)


def _people_rows(use: Use, lexicon: LogicLexicon) -> Iterator[Row]:
    pairs = [(make_noun(one), make_noun(other)) for other, ones in lexicon.words.people.items() for one in ones]
    if use == "replaced":
        for specific, general in pairs:
            one = {"PERSON.specific": specific.one, "PERSONS.specific": specific.many}
            yield one | {"PERSON.general": general.one, "PERSONS.general": general.many}
    else:
        for each in dict.fromkeys(one for pair in pairs for one in pair):
            yield {"PERSON": each.one, "PERSONS": each.many}


def _deed_rows(use: Use, lexicon: LogicLexicon) -> Iterator[Row]:
    """Every verb of a theme with a noun, with a noun and a more general one, or with three nouns."""
    for theme in lexicon.words.things.values():
        verbs = [_verb_row("DEED", make_verb(act)) for act in theme.verbs]
        if use == "several":
            for ones in theme.nouns.values():
                leaves = [make_noun(one).with_article for one in ones if one not in theme.nouns]
                for verb, three in product(verbs, permutations(leaves, 3)):
                    yield verb | {f"THING{n}": each for n, each in enumerate(three, 1)}
            continue
        for verb, one in product(verbs, noun_words(theme.nouns)):
            thing = make_noun(one)
            if use == "alone":
                yield verb | {"THING": thing.with_article, "THING.noun": thing.one, "THINGS": thing.many}
                continue
            for general in map(make_noun, lexicon.covering.get(one, ())):
                specific = {"THING.specific": thing.with_article, "THINGS.specific": thing.many}
                yield verb | specific | {"THING.general": general.with_article, "THINGS.general": general.many}


def _verb_row(name: str, made: Verb) -> Row:
    return {name: made.past, f"{name}.base": made.base, f"{name}.ing": made.ing}
