"""Results of a transform: edits of a pair, or the reason why it does not apply."""

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from assay.core.label import Label
from assay.core.pair import Pair

Side = Literal["premise", "hypothesis"]

Expectation = Literal["label", "hold", "drop"]
"""The behaviour of a model that reads: it gives the label. Where the right label is unknown, it gives the
source pair's label as often as it does for the source pairs themselves (hold), or less often (drop)."""


class Skip(msgspec.Struct, frozen=True):
    """The reason why a transform or a reader skips a record.

    >>> Skip("no number in the premise").reason
    'no number in the premise'
    """

    reason: str  # the reason, worded the same for every such record, so that reasons can be counted
    detail: str = ""
    where: str = ""  # file and line, or the id of the pair


class Replacement(msgspec.Struct, frozen=True, array_like=True):
    """A change at one place in a text: the old characters and the new ones. An insertion replaces nothing."""

    start: int  # offset of the first character replaced, in the source text
    old: str
    new: str


class Edit(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Instructions that make one case from a pair: which text is on each side, and what changes in it.

    Text outside the replacements always stays as it is, byte for byte.

    >>> pair = Pair(id="1", premise="It rains.", hypothesis="It is wet.", label=Label.ENTAILMENT)
    >>> edit = Edit(hypothesis=(Replacement(9, "", " and true is true"),))
    >>> edit.apply(pair)
    ('It rains.', 'It is wet and true is true.')
    """

    label: Label | None = None  # the label of the new case; None keeps the label of the pair
    expects: Expectation = "label"
    """Expected behaviour. If it is not the label, the case has no label, and answers are compared with the pair's."""
    premise_from: Side = "premise"  # the text of the pair that becomes the premise
    hypothesis_from: Side = "hypothesis"  # the text of the pair that becomes the hypothesis
    premise: tuple[Replacement, ...] = ()
    """Replacements in the text that becomes the premise, in order, without overlap."""
    hypothesis: tuple[Replacement, ...] = ()
    """Replacements in the text that becomes the hypothesis, in order, without overlap."""
    variant: str = ""
    facts: dict[str, str] = {}  # details of the edit, such as a sense or a quantity, for readers and checks
    group: dict[str, str] = {}  # named slices that the case belongs to, in addition to the slices of its pair

    def apply(self, pair: Pair) -> tuple[str, str]:
        """The premise and the hypothesis of the case."""
        premise = pair.premise if self.premise_from == "premise" else pair.hypothesis
        hypothesis = pair.hypothesis if self.hypothesis_from == "hypothesis" else pair.premise
        if self.premise:
            premise = replace(premise, self.premise)
        if self.hypothesis:
            hypothesis = replace(hypothesis, self.hypothesis)
        return premise, hypothesis


def replace(text: str, replacements: Sequence[Replacement]) -> str:
    """Apply replacements, which are in order and do not overlap.

    >>> replace("a b c", (Replacement(0, "a", "x"), Replacement(4, "c", "")))
    'x b '
    """
    end = len(text)
    for each in reversed(replacements):
        start, stop = each.start, each.start + len(each.old)
        if not 0 <= start <= stop <= end or text[start:stop] != each.old:
            raise ValueError(f"no {each.old!r} to replace at {start} of {text!r}")
        text = f"{text[:start]}{each.new}{text[stop:]}"
        end = start
    return text


def undo(text: str, replacements: Sequence[Replacement]) -> str:
    """The text before the replacements were made.

    >>> undo("x b ", (Replacement(0, "a", "x"), Replacement(4, "c", "")))
    'a b c'
    """
    end = 0
    for each in replacements:
        start, stop = each.start, each.start + len(each.new)
        if not end <= start <= len(text) or text[start:stop] != each.new:
            raise ValueError(f"no {each.new!r} to undo at {start} of {text!r}")
        text = f"{text[:start]}{each.old}{text[stop:]}"
        end = start + len(each.old)
    return text


def invert(replacements: Sequence[Replacement]) -> Iterator[Replacement]:
    """The replacements that turn the changed text back into the text."""
    shift = 0
    for each in replacements:
        yield Replacement(each.start + shift, each.new, each.old)
        shift += len(each.new) - len(each.old)
