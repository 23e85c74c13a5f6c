"""Options given as text: what a value means for an option of some type."""

from typing import Any, Literal, get_args, get_origin

import msgspec

YES_NO = {"yes": "true", "no": "false"}


def converted(value: Any, kind: Any) -> Any:
    """What a value says for an option of some type; `msgspec.ValidationError` if it says nothing.

    >>> converted("yes", bool), converted("3", int)
    (True, 3)
    """
    return msgspec.convert(YES_NO.get(value, value) if _is_flag(kind) else value, kind, strict=False)


def choices(kind: Any) -> str:
    """The values that a switch of a few can have, ready to stand in a sentence.

    >>> choices(Literal["left", "right"] | None), choices(int)
    (' Choose one of left, right.', '')
    >>> choices(bool | None)
    ' Say yes or no.'
    """
    if _is_flag(kind):
        return " Say yes or no."
    literals = [each for each in (kind, *get_args(kind)) if get_origin(each) is Literal]
    values = ", ".join(str(value) for each in literals for value in get_args(each))
    return f" Choose one of {values}." if values else ""


def _is_flag(kind: Any) -> bool:
    return bool in (kind, *get_args(kind))
