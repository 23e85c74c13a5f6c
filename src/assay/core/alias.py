"""Aliases of models: `judge=openai:qwen3@http://localhost:8000/v1` is called `judge`."""

import re
from typing import NamedTuple

LONGEST = 40
"""The most characters of an alias, so that tables stay narrow."""

ALIAS = re.compile(rf"(?P<alias>[A-Za-z0-9][A-Za-z0-9_.-]{{0,{LONGEST - 1}}})=(?P<model>[a-z]+:.+)", re.DOTALL)
RULE = f"An alias has up to {LONGEST} letters, digits, dots, - and _, and begins with a letter or digit."

LABEL_OPTIONS = re.compile(r"(?<=[?&])(?:labels|names)=[^&?]*(?:&|$)")


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


def called(name: str) -> str:
    """What a model is called from run to run: its alias, whatever that stands for, or else its name.

    >>> called("checker=python:checker:v3"), called("python:checker:v3")
    ('checker', 'python:checker:v3')
    """
    return aliased(name).alias or name


def without_labels(name: str) -> str:
    """A model's name without the options that say what its labels are called, which are too long for a table.

    >>> without_labels("hf:mine?labels=entailment,neutral"), without_labels("hf:mine?labels=e,n,c&length=64")
    ('hf:mine', 'hf:mine?length=64')
    """
    return LABEL_OPTIONS.sub("", name).rstrip("?&")
