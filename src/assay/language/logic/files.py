"""Users' own files for the logic families: an entry that can't be used is named with its line."""

import re

from assay.core.errors import BadInputError, UserError


class EntryError(UserError):
    """An entry of a file can't be used; `entry` is the word or name to look for in the file."""

    def __init__(self, fact: str, *, entry: str, hint: str) -> None:
        self.fact, self.entry, self.hint = fact, entry, hint
        super().__init__(f"{fact}\n  {hint}")


def located(error: EntryError, text: str, *, name: str) -> BadInputError:
    r"""The error, with the file's name and the line of the entry.

    >>> error = EntryError("no word 'dgo'", entry="dgo", hint="Add it.")
    >>> print(located(error, 'names = []\n[people]\nanimal = ["dgo"]', name="mine.toml"))
    mine.toml:3: no word 'dgo'
      Add it.
    """
    return BadInputError(error.fact, where=name + _line(text, error.entry), hint=error.hint)


def undecoded(error: Exception, text: str, *, name: str, hint: str) -> BadInputError:
    r"""The error for a file that is not TOML, or has what it should not have, with its line.

    >>> error = ValueError("Object contains unknown field `actz`")
    >>> print(undecoded(error, 'names = []\nactz = ["snore"]', name="mine.toml", hint="Leave it out."))
    mine.toml:2: Object contains unknown field `actz`
      Leave it out.
    """
    fact = str(error)
    if place := _PLACE.search(fact):
        return BadInputError(fact[: place.start()].rstrip(), where=f"{name}:{place[1]}", hint=hint)
    named = _FIELD.search(fact)
    return BadInputError(fact, where=name + (_line(text, named[1] or named[2]) if named else ""), hint=hint)


_PLACE = re.compile(r"\(at line (\d+), column \d+\)")
_FIELD = re.compile(r"field `(\w+)`|at `\$\.(?:.*\.)?(\w+)")
"""Where messages of decoders name a line, or a field."""


def _line(text: str, entry: str) -> str:
    spaced = r"\s*".join(map(re.escape, entry.split()))  # a comma may be attached to its word or not
    whole = re.compile(rf"(?<![\w.]){spaced}(?!\w|\.\w)")
    return next((f":{number}" for number, line in enumerate(text.splitlines(), 1) if whole.search(line)), "")
