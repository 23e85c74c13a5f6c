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


def _line(text: str, entry: str) -> str:
    whole = re.compile(rf"(?<![\w.]){re.escape(entry)}(?![\w.])")
    return next((f":{number}" for number, line in enumerate(text.splitlines(), 1) if whole.search(line)), "")
