"""Cards: what each data set is, where it comes from, and how to read it."""

import tomllib
from importlib.resources import files

import msgspec


class Paper(msgspec.Struct, frozen=True, kw_only=True):
    """The publication to cite."""

    authors: str
    """The authors, as they are cited."""
    year: int
    """The year it appeared."""
    title: str
    """Its title."""


class Card(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What to know about a data set before using it."""

    name: str
    """Short name."""
    title: str
    """What it is, in one line."""
    paper: Paper | None = None
    """The publication to cite, if there is one."""
    licence: str
    """The terms on which it may be used."""
    homepage: str
    """Where to get it."""
    format: str
    """The format that reads it, by versioned name."""
    labels: tuple[str, ...]
    """The labels that occur; none if the records are not pairs."""
    purpose: str
    """What it is for."""
    limits: str = ""
    """What it can't show."""
    made: str = ""
    """How it was made and checked."""


def cards() -> tuple[Card, ...]:
    """All cards, by name.

    >>> [card.name for card in cards()][:2]
    ['aqua-rat', 'breaking-nli']
    """
    folder = files("assay.corpora") / "cards"
    found = [file for file in folder.iterdir() if file.name.endswith(".toml")]
    loaded = [msgspec.convert(tomllib.loads(file.read_text("utf-8")), Card) for file in found]
    return tuple(sorted(loaded, key=lambda card: card.name))
