"""Aliases of models: `judge=openai:qwen3@http://localhost:8000/v1` is called `judge`."""

import re
from typing import NamedTuple

LONGEST = 40
"""The most characters of an alias, so that tables stay narrow."""

ALIAS = re.compile(rf"(?P<alias>[A-Za-z0-9][A-Za-z0-9_.-]{{0,{LONGEST - 1}}})=(?P<model>[a-z]+:.+)", re.DOTALL)
RULE = f"An alias has up to {LONGEST} letters, digits, dots, - and _, and begins with a letter or digit."


class Aliased(NamedTuple):
    """A model's name, with the short one that the user gave it."""

    alias: str
    """The short name; empty if there is none."""
    model: str
    """The name that it is opened by."""


def aliased(name: str) -> Aliased:
    """The parts of a model's name.

    >>> aliased("judge=openai:m@http://localhost/v1"), aliased("assay:overlap")
    (Aliased(alias='judge', model='openai:m@http://localhost/v1'), Aliased(alias='', model='assay:overlap'))
    """
    found = ALIAS.fullmatch(name)
    return Aliased(found["alias"], found["model"]) if found else Aliased("", name)
