"""Long names in lines, for narrow columns."""

import re

JOINTS = re.compile(r"(?<=[-:/_@ ])(?=\S)")
"""Where a text may go on in the next line: after a blank or a hyphen, and where the parts of a model's name meet."""


def wrapped(words: str, most: float) -> list[str]:
    """Words in lines of at most so many letters, broken at spaces, hyphens and where the parts of a name meet.

    >>> wrapped("decomposable-attention (ref)", 13), wrapped("python:mine:predict", 13)
    (['decomposable-', 'attention', '(ref)'], ['python:mine:', 'predict'])
    """
    lines = [""]
    for part in JOINTS.split(words):
        if lines[-1] and len(lines[-1]) + len(part.rstrip()) > most:
            lines.append("")
        lines[-1] += part
    return [each.rstrip() for each in lines]
