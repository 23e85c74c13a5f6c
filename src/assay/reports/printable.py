"""Text from data, made safe to show: nothing in it moves a cursor, sets a colour or changes the writing direction."""

import json


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
    r"""The same for JSON, which still says the same.

    >>> print(printable_json('{"a": "b\x9bc\u202e"}'))
    {"a": "b\u009bc\u202e"}
    """
    return "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)
