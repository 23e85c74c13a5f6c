"""Keys that are next to each other, for slips of the finger."""

from functools import cache
from typing import Literal, get_args

Layout = Literal["qwerty", "qwertz", "azerty"]

ROWS: dict[Layout, tuple[str, ...]] = {
    "qwerty": ("qwertyuiop", "asdfghjkl", "zxcvbnm"),
    "qwertz": ("qwertzuiop", "asdfghjkl", "yxcvbnm"),
    "azerty": ("azertyuiop", "qsdfghjklm", "wxcvbn"),
}
"""The letters of a layout, row by row from the top; each row starts a fraction of a key further right."""

LAYOUTS: tuple[Layout, ...] = get_args(Layout)


@cache
def neighbours(char: str, layout: Layout = "qwerty", *, diagonal: bool = False) -> str:
    """The letters next to a letter in its row, left one first, and with `diagonal` those above and below; "" if none.

    The case is kept. A key at the end of a row has one neighbour in its row.

    >>> neighbours("s"), neighbours("P"), neighbours("z", "qwertz"), neighbours("m", "azerty"), neighbours("7")
    ('ad', 'O', 'tu', 'l', '')
    >>> neighbours("s", diagonal=True)
    'adwezx'
    """
    rows = ROWS[layout]
    for number, row in enumerate(rows):
        column = row.find(char.lower()) if len(char) == 1 else -1
        if column >= 0:
            found = _at(row, column - 1) + _at(row, column + 1)
            if diagonal:
                # A row is half a key to the right of the one above it.
                found += "".join(_at(above, column) + _at(above, column + 1) for above in rows[:number][-1:])
                found += "".join(_at(below, column - 1) + _at(below, column) for below in rows[number + 1 :][:1])
            return found.upper() if char.isupper() else found
    return ""


@cache
def beside(layout: Layout) -> dict[str, str]:
    """The lower-case letters of a layout, each with those next to it.

    >>> beside("qwerty")["a"], beside("azerty")["a"]
    ('s', 'z')
    """
    return {letter: neighbours(letter, layout) for row in ROWS[layout] for letter in row}


def _at(row: str, column: int) -> str:
    return row[column] if 0 <= column < len(row) else ""
