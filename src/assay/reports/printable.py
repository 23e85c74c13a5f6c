"""Text from data, made safe to show: nothing in it moves a cursor, sets a colour or turns the direction of writing."""


def printable(text: str) -> str:
    r"""The text with every character that can't be seen written as its escape.

    >>> print(printable("a\x1b[31mb\u202ec"))
    a\x1b[31mb\u202ec
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def printable_lines(text: str) -> str:
    """The same for a message of ours, whose line breaks are meant."""
    return "\n".join(map(printable, text.split("\n")))
