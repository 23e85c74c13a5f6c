"""Cards: what each data set is, where it comes from, and how to read it."""

import tomllib
from fnmatch import fnmatchcase
from importlib.resources import files

import msgspec

from assay.core.manifest import Source


class CitedPaper(msgspec.Struct, frozen=True, kw_only=True):
    """The publication to cite."""

    authors: str
    year: int
    title: str


class DataCard(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Facts about a data set: source, licence, format and labels."""

    name: str
    title: str
    paper: CitedPaper | None = None  # the publication to cite, if there is one
    licence: str  # the terms on which it may be used
    homepage: str
    format: str  # the format that reads it, by versioned name
    files: tuple[str, ...]
    """Names of the released files without compression, as patterns. A format alone does not identify the data."""
    hub: tuple[str, ...] = ()  # names on the Hugging Face hub, without the split, as patterns
    labels: tuple[str, ...]  # the labels that occur; none if the records are not pairs
    purpose: str
    limits: str = ""
    made: str = ""  # its origin, and how it was checked


def load_cards() -> tuple[DataCard, ...]:
    """All cards, by name.

    >>> [card.name for card in load_cards()][:2]
    ['aqua-rat', 'breaking-nli']
    """
    folder = files("assay.corpora") / "cards"
    card_files = [file for file in folder.iterdir() if file.name.endswith(".toml")]
    loaded = [msgspec.convert(tomllib.loads(file.read_text("utf-8")), DataCard) for file in card_files]
    return tuple(sorted(loaded, key=lambda card: card.name))


def find_card(source: Source) -> DataCard | None:
    """The card of a source's data set: the one with its format and file name, or with its name on the hub.

    >>> nothing = {"digest": "", "rows": 0, "pairs": 0, "labels": {}, "skipped": {}}
    >>> card = find_card(Source(name="hf:stanfordnlp/snli@test", format="pairs/v1", **nothing))
    >>> card.name, find_card(Source(name="mine.csv", format="pairs/v1", **nothing))
    ('snli', None)
    """
    on_hub = source.name.startswith("hf:")
    name = source.name.removeprefix("hf:").partition("@")[0] if on_hub else source.name
    for card in load_cards():
        is_named = any(fnmatchcase(name, pattern) for pattern in (card.hub if on_hub else card.files))
        if is_named and (on_hub or source.format == card.format):
            return card
    return None
