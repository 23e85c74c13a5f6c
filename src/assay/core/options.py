"""Options given as text, converted to the option's type."""

from typing import Any, Literal, get_args, get_origin

import msgspec

YES_NO = {"yes": "true", "no": "false"}


def converted(value: Any, kind: Any) -> Any:
    """The value of an option of some type; `msgspec.ValidationError` if the text does not fit the type.

    >>> converted("yes", bool), converted("3", int)
    (True, 3)
    """
    return msgspec.convert(YES_NO.get(value, value) if _is_flag(kind) else value, kind, strict=False)


def choices(kind: Any) -> str:
    """The values that a switch can have, if they are few, as a sentence.

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
