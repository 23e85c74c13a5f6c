"""What a transform returns: edits of a pair, or the reason why it does not apply."""

from typing import Literal

import msgspec

from assay.core.label import Label
from assay.core.pair import Pair

Side = Literal["premise", "hypothesis"]


class Skip(msgspec.Struct, frozen=True):
    """A transform or a reader leaves a record out, and says why.

    >>> Skip("no number in the premise").reason
    'no number in the premise'
    """

    reason: str
    """The reason, in words that many records share, so that it can be counted."""
    detail: str = ""
    """What was special about this one."""
    where: str = ""
    """File and line, or the id of the pair."""


class Replacement(msgspec.Struct, frozen=True, array_like=True):
    """A span of a text and what stands there instead. An insertion has an empty span."""

    start: int
    """Offset of the first character replaced."""
    end: int
    """Offset after the last character replaced."""
    text: str
    """The new characters."""


class Edit(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How one case is made from a pair: which text stands on each side, and what changes in it.

    Text outside the replacements stays as it is, byte for byte, because nothing else can be said here.

    >>> pair = Pair(id="1", premise="It rains.", hypothesis="It is wet.", label=Label.ENTAILMENT)
    >>> edit = Edit(hypothesis=(Replacement(9, 9, " and true is true"),))
    >>> edit.apply(pair)
    ('It rains.', 'It is wet and true is true.')
    """

    label: Label | None = None
    """The label of the new case; None keeps the pair's."""
    premise_from: Side = "premise"
    """The text of the pair that becomes the premise."""
    hypothesis_from: Side = "hypothesis"
    """The text of the pair that becomes the hypothesis."""
    premise: tuple[Replacement, ...] = ()
    """What changes in the text that becomes the premise, in order, without overlap."""
    hypothesis: tuple[Replacement, ...] = ()
    """What changes in the text that becomes the hypothesis, in order, without overlap."""
    variant: str = ""
    """Which variant of the family this is."""
    facts: dict[str, str] = {}
    """What was chosen, such as a sense or a quantity, for a reader and a checker."""

    def apply(self, pair: Pair) -> tuple[str, str]:
        """The premise and the hypothesis of the case."""
        premise = pair.premise if self.premise_from == "premise" else pair.hypothesis
        hypothesis = pair.hypothesis if self.hypothesis_from == "hypothesis" else pair.premise
        return replace(premise, self.premise), replace(hypothesis, self.hypothesis)


def replace(text: str, replacements: tuple[Replacement, ...]) -> str:
    """Carry out replacements, which are in order and do not overlap.

    >>> replace("a b c", (Replacement(0, 1, "x"), Replacement(4, 5, "")))
    'x b '
    """
    if not replacements:
        return text
    parts: list[str] = []
    position = 0
    for start, end, new in ((r.start, r.end, r.text) for r in replacements):
        if not position <= start <= end <= len(text):
            raise ValueError(
                f"replacement {start}:{end} is out of order or outside of a text of {len(text)} characters"
            )
        parts += (text[position:start], new)
        position = end
    parts.append(text[position:])
    return "".join(parts)
