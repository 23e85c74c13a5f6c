"""Options: text that is converted to an option's type, and how messages name an option."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, Literal, get_args, get_origin

import msgspec

from assay.core.errors import did_you_mean

YES_NO = {"yes": "true", "no": "false"}

THREE_WAY = "--three-way"
"""The flag that says the opposite of `--two-way`."""

_speaking = SimpleNamespace(to_shell=False)


def converted(value: Any, kind: Any) -> Any:
    """The value of an option of some type; `msgspec.ValidationError` if the text does not fit the type.

    >>> converted("yes", bool), converted("3", int)
    (True, 3)
    """
    return msgspec.convert(YES_NO.get(value, value) if _is_flag(kind) else value, kind, strict=False)


def misfit(value: Any, kind: Any, error: msgspec.ValidationError) -> str:
    """Why a value can't be that of an option of some type, as the end of a sentence that begins with the option.

    >>> from typing import Annotated
    >>> def told(value, kind):
    ...     try:
    ...         converted(value, kind)
    ...     except msgspec.ValidationError as error:
    ...         print(misfit(value, kind, error))
    >>> told("lfet", Literal["left", "right"] | None)
    can't be 'lfet'; did you mean 'left'? Choose one of left, right.
    >>> told("1.5", Annotated[float, msgspec.Meta(le=1)])
    can't be '1.5': expected float <= 1.0.
    >>> told("maybe", bool | None)
    can't be 'maybe'. Say yes or no.
    """
    if _is_flag(kind):
        return f"can't be {value!r}. Say yes or no."
    literals = [each for each in (kind, *get_args(kind)) if get_origin(each) is Literal]
    if there := [str(known) for each in literals for known in get_args(each)]:
        return f"can't be {value!r}{did_you_mean(str(value), there)} Choose one of {', '.join(there)}."
    why = str(error).partition(" - at `$")[0].replace("`", "")
    return f"can't be {value!r}: {why[:1].lower()}{why[1:]}."


def _is_flag(kind: Any) -> bool:
    return bool in (kind, *get_args(kind))


@contextmanager
def shell_wording() -> Iterator[None]:
    """Name options as the command line takes them, for the duration of the block."""
    before, _speaking.to_shell = _speaking.to_shell, True
    try:
        yield
    finally:
        _speaking.to_shell = before


def option(name: str, value: str | bool | None = None) -> str:
    """An option as the user gives it: an argument in Python, a flag with its value on the command line.

    >>> option("missing", "drop"), option("two_way", True), option("budget")
    ("missing='drop'", 'two_way=True', 'budget')
    >>> with shell_wording():
    ...     option("missing", "drop"), option("two_way", True), option("two_way", False), option("cache", False)
    ('--missing drop', '--two-way', '--three-way', '--no-cache')
    """
    if not _speaking.to_shell:
        return name if value is None else f"{name}={value!r}"
    words = name.replace("_", "-")
    if value is False:
        return THREE_WAY if name == "two_way" else f"--no-{words}"
    return f"--{words}" if value is None or value is True else f"--{words} {value}"
