"""The error tree: what went wrong, where, and what to do about it.

    AssayError                  everything that Assay raises on purpose
    ├── CheckFailedError        1  a check that you asked for failed
    ├── UserError               2  input, options or configuration can't be used
    │   ├── BadInputError          a file can't be read
    │   ├── BadRecordError         one record can't be read
    │   │   └── UnknownLabelError  its label has no known meaning
    │   ├── MissingExtraError      an optional dependency is not installed
    │   ├── NameCollisionError     two things want the same name
    │   ├── OutputExistsError      a result would replace an existing file or folder
    │   └── UnknownNameError       a name is not registered
    ├── ExternalError           3  a disk, a network or a worker failed
    └── ModelError              3  a model did not give proper answers
        └── PartialAnswersError    it stopped partway through a batch

The numbers are the exit codes of the command line. All of these are public: `assay.UserError` and so on.
"""

from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches
from typing import Any, TypeVar


class AssayError(Exception):
    """The root of all errors that Assay raises on purpose."""

    exit_code = 3
    in_foreign_code = False  # True if code that is not Assay's failed, so that the traceback tells more than the text

    def __reduce__(self) -> tuple[Any, ...]:
        """Send an error back from a worker by its text, whatever arguments its constructor takes."""
        return _again, (type(self), self.args), self.__dict__


def _again(kind: type[AssayError], args: tuple[Any, ...]) -> AssayError:
    error = kind.__new__(kind)
    error.args = args
    return error


Failure = TypeVar("Failure", bound=AssayError)


def in_foreign_code(error: Failure) -> Failure:
    """Mark an error as caused by third-party code; the command line then says how to see the traceback."""
    error.in_foreign_code = True
    return error


class CheckFailedError(AssayError):
    """A check that the user asked for failed."""

    exit_code = 1


class UserError(AssayError):
    """The input, the options or the configuration can't be used."""

    exit_code = 2


class ExternalError(AssayError):
    """Something outside Assay failed: a disk, a network, a worker."""

    exit_code = 3


class BadRecordError(UserError):
    """One record can't be read. The reader that knows the file and the line turns it into a `BadInputError`."""

    def __init__(self, reason: str, *, detail: str = "", hint: str = "") -> None:
        self.reason = reason
        self.detail = detail
        self.hint = hint
        super().__init__(f"{reason}: {detail}" if detail else reason)


class UnknownLabelError(BadRecordError):
    """A label of unknown meaning; the reader of the file lists all of them at once."""

    def __init__(self, label: str, *, option: str, possible: str) -> None:
        self.label = label
        self.option = option  # the option that maps labels, with {} for a label
        self.possible = possible
        super().__init__(
            "unknown label",
            detail=repr(label)[:60],
            hint=f"Say what it means: {option.replace('{}', label.strip()[:60])}, where LABEL is {possible}.",
        )


class BadInputError(UserError):
    """A file can't be read.

    >>> print(BadInputError("not JSON", where="pairs.jsonl:3", hint="Drop the line, or use --on-error skip."))
    pairs.jsonl:3: not JSON
      Drop the line, or use --on-error skip.
    """

    def __init__(self, fact: str, *, where: str = "", hint: str = "") -> None:
        self.fact = fact
        self.where = where
        self.hint = hint
        text = f"{where}: {fact}" if where else fact
        super().__init__(f"{text}\n  {hint}" if hint else text)


class UnknownNameError(UserError):
    """A name is not registered."""


class NameCollisionError(UserError):
    """Two things want the same name."""


class OutputExistsError(UserError):
    """A result would overwrite an existing file or folder."""


def install_command(extra: str) -> str:
    """The command that installs an extra. It names a clone as long as there is no release on PyPI."""
    return f"pip install '.[{extra}]' in a clone of Assay"


class MissingExtraError(UserError):
    """An optional dependency is not installed.

    >>> print(MissingExtraError("hf", needed_for="Reading a Hugging Face data set"))
    Reading a Hugging Face data set needs an extra: pip install '.[hf]' in a clone of Assay
    """

    def __init__(self, extra: str, *, needed_for: str) -> None:
        super().__init__(f"{needed_for} needs an extra: {install_command(extra)}")


class ModelError(AssayError):
    """A model did not give proper answers: too few rows, not a number, no label."""

    exit_code = 3


class PartialAnswersError(ModelError):
    """A model stopped partway through a batch. The answers that it gave are good, and are cached."""

    def __init__(self, text: str, *, answers: Sequence[Any] = ()) -> None:
        self.answers = answers
        super().__init__(text)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A guess at what was meant, as the end of a sentence.

    >>> did_you_mean("negatoin", ["negation", "word-overlap"])
    "; did you mean 'negation'?"
    >>> did_you_mean("xyz", ["negation"])
    '.'
    """
    near = get_close_matches(name, [*map(str, known)], n=1, cutoff=0.6)
    return f"; did you mean {near[0]!r}?" if near else "."


def check_known(name: str, known: Collection[str], fact: str) -> None:
    """Stop if a name is not known; the error is the fact, a guess at what was meant, and the names to choose from.

    >>> check_known("negatoin", ["negation", "swap"], "No family 'negatoin'")
    Traceback (most recent call last):
    ...
    assay.core.errors.UnknownNameError: No family 'negatoin'; did you mean 'negation'? Choose from negation, swap.
    """
    if name not in known:
        raise UnknownNameError(f"{fact}{did_you_mean(name, known)} Choose from {', '.join(known)}.")
