"""Formats of numbers, long names and text from data, and edits marked in texts."""

import json
import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy

from assay.core.case import Case
from assay.core.edit import Replacement
from assay.core.estimate import FEW_CLUSTERS, Estimate

FEW = "~"  # the mark of an interval that is based on few clusters
FEWEST_SHOWN = 20  # with fewer cases, a share says so little that its cell is blank or hatched
FEW_NOTE = f"{FEW}: the cases share fewer than {FEW_CLUSTERS} premises or word pairs, so the interval is rough."


def percent(value: float | None) -> str:
    """A share in %; a dash if nothing was measured.

    >>> percent(0.5), percent(None)
    ('50.0', '-')
    """
    return "-" if value is None else f"{value * 100:.1f}"


def as_written(threshold: float) -> str:
    """A threshold in full, so that a copy of what is printed decides every claim alike.

    >>> as_written(0.97423), as_written(0.9), as_written(1.0)
    ('0.97423', '0.9', '1')
    """
    return numpy.format_float_positional(threshold, trim="-")


def ends(low: float | None, high: float | None) -> str:
    """The ends of an interval in %.

    >>> ends(0.25, 0.5), ends(None, None)
    ('25.0-50.0', '-')
    """
    return "-" if low is None or high is None else f"{percent(low)}-{percent(high)}"


def interval(estimate: Estimate) -> str:
    """The interval of a number in %, marked if it is based on few clusters.

    >>> interval(Estimate(name="accuracy", value=0.5, low=0.25, high=0.75, n=9, clusters=9))
    '~25.0-75.0'
    """
    return (FEW if estimate.has_few_clusters else "") + ends(estimate.low, estimate.high)


def points(difference: float) -> str:
    """A difference of shares in points, with its sign.

    >>> points(-0.0123), points(0.0), points(-0.0000001)
    ('-1.2', '+0.0', '+0.0')
    """
    return f"{round(difference * 100, 1) + 0.0:+.1f}"


def point_ends(low: float | None, high: float | None, *, sign: int = 1) -> str:
    """The interval of a difference in points; a drop becomes a change with the opposite sign.

    >>> point_ends(-0.02, 0.05), point_ends(-0.02, 0.05, sign=-1), point_ends(None, None)
    ('-2.0 to +5.0', '-5.0 to +2.0', '')
    """
    if low is None or high is None:
        return ""
    first, last = sorted((sign * low, sign * high))
    return f"{points(first)} to {points(last)}"


def p_value(p: float | None) -> str:
    """A p value for people.

    >>> p_value(0.0421), p_value(0.00001), p_value(None)
    ('0.042', '<0.001', '-')
    """
    if p is None:
        return "-"
    return f"{p:.3f}" if p >= 0.001 else "<0.001"


def duration(seconds: float) -> str:
    """A duration.

    >>> duration(3.14), duration(114), duration(7300)
    ('3 s', '1 min 54 s', '2 h 1 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


JOINTS = re.compile(r"(?<=[-:/_@ ])(?=\S)")  # after a blank or hyphen, and between the parts of a model's name


def wrap_words(words: str, most: float) -> list[str]:
    """Words in lines of at most `most` letters, broken at spaces, hyphens and where the parts of a name meet.

    >>> wrap_words("decomposable-attention (ref)", 13), wrap_words("python:mine:predict", 13)
    (['decomposable-', 'attention', '(ref)'], ['python:mine:', 'predict'])
    """
    lines = [""]
    for part in JOINTS.split(words):
        if lines[-1] and len(lines[-1]) + len(part.rstrip()) > most:
            lines.append("")
        lines[-1] += part
    return [each.rstrip() for each in lines]


def printable(text: str) -> str:
    r"""The text, with every invisible character written as an escape.

    >>> print(printable("a\x1b[31mb\u202ec"))
    a\x1b[31mb\u202ec
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def printable_lines(text: str) -> str:
    """The same for a message of ours, which keeps its line breaks."""
    return "\n".join(map(printable, text.split("\n")))


def printable_json(text: str) -> str:
    r"""The same for JSON, without a change of meaning.

    >>> print(printable_json('{"a": "b\x9bc\u202e"}'))
    {"a": "b\u009bc\u202e"}
    """
    return "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)


LONGEST = 1200  # longest piece that is shown by default; the rest of a word of ten thousand letters says nothing new


class TextPiece(NamedTuple):
    text: str
    kind: Literal["same", "new", "old"]


class MarkedTexts(NamedTuple):
    premise: list[TextPiece]
    hypothesis: list[TextPiece]
    remark: str  # other changes, such as swapped sides; empty if there are none


REMARKS = {
    ("hypothesis", "premise"): "Premise and hypothesis were swapped.",
    ("premise", "premise"): "The hypothesis was made from the premise.",
    ("hypothesis", "hypothesis"): "The premise was made from the hypothesis.",
}


def mark_edits(case: Case, *, longest: int = LONGEST) -> MarkedTexts:
    edit = case.provenance.edit
    return MarkedTexts(
        split_edits(case.premise, edit.premise, longest=longest),
        split_edits(case.hypothesis, edit.hypothesis, longest=longest),
        REMARKS.get((edit.premise_from, edit.hypothesis_from), ""),
    )


def split_edits(text: str, replacements: Sequence[Replacement], *, longest: int = LONGEST) -> list[TextPiece]:
    """The pieces of a text in which replacements were made.

    >>> [(each.text, each.kind) for each in split_edits("It is wet.", [Replacement(6, "dry", "wet")])]
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
    half = longest // 2

    def clip(piece: str) -> str:
        if len(piece) <= longest:
            return printable(piece)
        return f"{printable(piece[:half])} [... {len(piece) - 2 * half:,} characters ...] {printable(piece[-half:])}"

    return [TextPiece(clip(each.text), each.kind) for each in found if each.text]
