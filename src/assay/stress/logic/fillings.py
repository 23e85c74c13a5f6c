"""Fillings: all ways to put words into the slots of a form, numbered, so that any number of them can be drawn."""

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from math import isqrt
from typing import Literal, NamedTuple

import numpy as np

from assay.stress.heuristics.template_blocks import SPLITS, Numbers, Split, shuffle_range, word_bit
from assay.stress.logic.logic_lexicon import EntryError, LogicLexicon, LogicNoun, Verb, make_scale, make_verb
from assay.stress.logic.pair_forms import PairForm
from assay.stress.logic.sentence_patterns import Piece, WordSlot, find_slots

Row = dict[str, str]
"""The texts of one choice of words, by the slot's name without its number."""

Use = Literal["alone", "replaced", "several"]

MOST = 1 << 62
"""Maximum number of fillings that are numbered; a form with more uses only these."""


class SlotGroup(NamedTuple):
    """Slots whose words are drawn together, or from one list without repetition."""

    name: str
    use: Use
    rows: tuple[Row, ...]
    draws: int


class SlotFillings(NamedTuple):
    """The words that can fill a slot."""

    texts: np.ndarray
    odd: Numbers
    """(rows,) Whether each of them counts as odd for the half that a filling belongs to."""


class Fillings:
    """The fillings of a form."""

    def __init__(self, form: PairForm, lexicon: LogicLexicon) -> None:
        self.form = form
        self._lexicon = lexicon
        self._groups = list(_group_slots(form, lexicon))
        self._radices = [len(each.rows) - taken for each in self._groups for taken in range(each.draws)]
        size = 1
        for radix in self._radices:
            size *= max(radix, 0)
        self.size = min(size, MOST)

    def draw(self, count: int, split: Split, key: str) -> list[tuple[str, str]]:
        """So many different pairs of texts of one half; fewer if there are no more."""
        found: list[tuple[str, str]] = []
        start = 0
        while len(found) < count and start < self.size:
            missing = count - len(found)
            stop = min(start + 2 * missing + 3 * isqrt(missing) + 8, self.size)
            rows = self._rows(shuffle_range(start, stop, size=self.size, key=key))
            kept = np.flatnonzero(self._parities(rows) == SPLITS.index(split))[:missing]
            found += self._written({name: numbers.take(kept) for name, numbers in rows.items()})
            start = stop
        return found

    @cached_property
    def halves(self) -> dict[Split, int]:
        """The number of fillings of each half: all of them, counted with a sign for their half."""
        signed = 1
        for group in self._groups:
            signed *= self._count_signed(group)
        return dict(zip(SPLITS, ((self.size + signed) // 2, (self.size - signed) // 2), strict=True))

    def first(self) -> tuple[str, str]:
        """A pair of texts."""
        return self._written(self._rows(np.zeros(1, dtype=np.int64)))[0]

    def _rows(self, numbers: Numbers) -> dict[tuple[str, int], Numbers]:
        """For each draw, the numbers of its rows."""
        rows: dict[tuple[str, int], Numbers] = {}
        radices = iter(self._radices)
        for group in self._groups:
            taken: list[Numbers] = []
            for draw in range(group.draws):
                radix = next(radices)
                numbers, row = numbers // radix, numbers % radix
                for other in taken:  # it is an index among the rows that are left
                    row = row + (row >= other)
                rows[group.name, draw] = row
                taken = _insert_numbers(row, taken)
        return rows

    def _parities(self, rows: dict[tuple[str, int], Numbers]) -> Numbers:
        total = np.zeros(len(next(iter(rows.values()))), dtype=np.int64)
        for place, bits in self._bits:
            total += bits[rows[place]]
        return total % 2

    @cached_property
    def _bits(self) -> list[tuple[tuple[str, int], Numbers]]:
        """For each slot of the premise, whether each of its texts counts as odd."""
        return [(_slot_place(slot), self._column(slot).odd) for slot in find_slots(self.form.premise)]

    def _count_signed(self, group: SlotGroup) -> int:
        """All ways to draw rows of a group, each counted 1 or -1 by its half."""
        signs = [np.zeros(len(group.rows), dtype=np.int64) for _ in range(group.draws)]
        for (name, draw), bits in self._bits:
            if name == group.name:
                signs[draw] += bits
        by_draw = [1 - 2 * (each % 2) for each in signs]
        if group.draws == 1:
            return int(by_draw[0].sum())
        ways = {0: 1}
        for row in zip(*(each.tolist() for each in by_draw), strict=True):
            for done, count in list(ways.items()):
                for draw in range(group.draws):
                    if not done >> draw & 1:
                        taken = done | 1 << draw
                        ways[taken] = ways.get(taken, 0) + count * row[draw]
        return ways.get((1 << group.draws) - 1, 0)

    def _column(self, slot: WordSlot) -> SlotFillings:
        group = next(each for each in self._groups if each.name == _slot_place(slot)[0])
        return _make_column(group.name, group.use, _slot_key(slot), self._lexicon)

    def _written(self, rows: dict[tuple[str, int], Numbers]) -> list[tuple[str, str]]:
        premises, hypotheses = (self._sentences(*side, rows) for side in self._sides)
        return list(zip(premises, hypotheses, strict=True))

    @cached_property
    def _sides(self) -> list[tuple[str, list[tuple[tuple[str, int], np.ndarray]]]]:
        """For each side, the text with a hole for each slot, and the texts that can fill it."""
        sides = []
        for side in (self.form.premise, self.form.hypothesis):
            columns = [(_slot_place(slot), self._column(slot).texts) for slot in find_slots(side)]
            sides.append((_with_holes(side), columns))
        return sides

    def _sentences(
        self, text: str, columns: Sequence[tuple[tuple[str, int], np.ndarray]], rows: dict[tuple[str, int], Numbers]
    ) -> Iterator[str]:
        filled = [texts[rows[place]].tolist() for place, texts in columns]
        return (text % words for words in zip(*filled, strict=True))


def write_words(parts: Sequence[Piece]) -> str:
    """A sentence as it is written, with slots by their names.

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


def _with_holes(parts: Sequence[Piece]) -> str:
    return write_words([part if isinstance(part, str) else WordSlot("%s", 0, ()) for part in parts])


def _insert_numbers(row: Numbers, taken: list[Numbers]) -> list[Numbers]:
    """Numbers added to lists that are in order, place by place."""
    inserted = []
    for each in taken:
        inserted.append(np.minimum(each, row))
        row = np.maximum(each, row)
    return [*inserted, row]


def _slot_key(slot: WordSlot) -> str:
    """The name of a slot's text in a row."""
    kind = f"THING{slot.number}" if slot.kind == "THING" and slot.number else slot.kind
    return ".".join((kind, *slot.form))


def _slot_place(slot: WordSlot) -> tuple[str, int]:
    """The group of a slot, and which of its draws."""
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
    """Uses of nouns: several things at once, a noun with one that covers it, or just one."""
    if any(slot.number for slot in members if slot.kind == "THING"):
        return "several"
    return "replaced" if any({"specific", "general"} & {*slot.form} for slot in members) else "alone"


@lru_cache(maxsize=128)  # many forms use the same words
def _draw_rows(name: str, use: Use, lexicon: LogicLexicon) -> tuple[Row, ...]:
    return tuple(_rows_of(name, use, lexicon))


@lru_cache(maxsize=512)
def _make_column(name: str, use: Use, key: str, lexicon: LogicLexicon) -> SlotFillings:
    texts = [row[key] for row in _draw_rows(name, use, lexicon)]
    odd = np.array([sum(map(word_bit, text.split())) % 2 for text in texts])
    return SlotFillings(np.array(texts, dtype=object), odd)


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
    if use == "replaced":
        for specific, general in lexicon.people:
            yield {
                "PERSON.specific": specific.one,
                "PERSONS.specific": specific.many,
                "PERSON.general": general.one,
                "PERSONS.general": general.many,
            }
    else:
        for each in dict.fromkeys(one for pair in lexicon.people for one in pair):
            yield {"PERSON": each.one, "PERSONS": each.many}


def _deed_rows(use: Use, lexicon: LogicLexicon) -> Iterator[Row]:
    if use == "several":
        for act, *things in lexicon.lists:
            several = {
                f"THING{n}": each.with_article for n, each in enumerate(things, 1) if isinstance(each, LogicNoun)
            }
            yield {**_verb_row("DEED", act), **several}
    elif use == "replaced":
        for act, specific, general in lexicon.deeds:
            yield {
                **_verb_row("DEED", act),
                "THING.specific": specific.with_article,
                "THINGS.specific": specific.many,
                "THING.general": general.with_article,
                "THINGS.general": general.many,
            }
    else:
        for act, thing in lexicon.alone:
            row = _verb_row("DEED", act)
            yield {**row, "THING": thing.with_article, "THING.noun": thing.one, "THINGS": thing.many}


def _verb_row(name: str, made: Verb) -> Row:
    return {name: made.past, f"{name}.base": made.base, f"{name}.ing": made.ing}
