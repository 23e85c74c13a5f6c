"""Text with its edit marked: what stayed, what was added, and what was removed."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from assay.core.case import Case
from assay.core.edit import Replacement
from assay.core.judgement import Example
from assay.reports.formatting import printable

LONGEST = 1200
"""Longest piece that is shown by default; the rest of a word of ten thousand letters says nothing new."""


class TextPiece(NamedTuple):
    """A piece of a text."""

    text: str
    """The text, safe to show."""
    kind: Literal["same", "new", "old"]
    """Unchanged, added or removed."""


class MarkedTexts(NamedTuple):
    """The two texts of a case with the edit in them."""

    premise: list[TextPiece]
    """The text taken as true."""
    hypothesis: list[TextPiece]
    remark: str
    """Other changes, such as swapped sides; empty if there are none."""


REMARKS = {
    ("hypothesis", "premise"): "Premise and hypothesis were swapped.",
    ("premise", "premise"): "The hypothesis was made from the premise.",
    ("hypothesis", "hypothesis"): "The premise was made from the hypothesis.",
}


def mark_example(example: Example, *, longest: int = LONGEST) -> MarkedTexts:
    """The texts of an example's case with the edit in them."""
    return marked_case(example.case, longest=longest)


def marked_case(case: Case, *, longest: int = LONGEST) -> MarkedTexts:
    """The texts of a case with the edit in them."""
    edit = case.provenance.edit
    return MarkedTexts(
        spans(case.premise, edit.premise, longest=longest),
        spans(case.hypothesis, edit.hypothesis, longest=longest),
        REMARKS.get((edit.premise_from, edit.hypothesis_from), ""),
    )


def spans(text: str, replacements: Sequence[Replacement], *, longest: int = LONGEST) -> list[TextPiece]:
    """The pieces of a text in which replacements were made.

    >>> [(each.text, each.kind) for each in spans("It is wet.", [Replacement(6, "dry", "wet")])]
    [('It is ', 'same'), ('dry', 'old'), ('wet', 'new'), ('.', 'same')]
    """
    found: list[TextPiece] = []
    position = shift = 0
    for each in replacements:
        start = each.start + shift
        found += [TextPiece(text[position:start], "same"), TextPiece(each.old, "old"), TextPiece(each.new, "new")]
        position = start + len(each.new)
        shift += len(each.new) - len(each.old)
    found.append(TextPiece(text[position:], "same"))
    return [TextPiece(_clipped(each.text, longest), each.kind) for each in found if each.text]


def _clipped(text: str, longest: int) -> str:
    """A piece that is safe to show; if it is too long, its middle is left out."""
    if len(text) <= longest:
        return printable(text)
    half = longest // 2
    return f"{printable(text[:half])} [... {len(text) - 2 * half:,} characters ...] {printable(text[-half:])}"
