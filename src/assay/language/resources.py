"""What is too large to ship: WordNet and the tagger, brought once by `assay data get`, offline afterwards."""

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from assay.core.errors import BadInputError, UserError
from assay.language.spacy import SpacyPipeline
from assay.language.tags import Tagger, TaggerData
from assay.language.wordnet import WordNet, WordNetData

T = TypeVar("T")

LAYOUT = "english-1"
"""The folder of the stored resources; a change of their shape gets a new name."""


def home() -> Path:
    """Where resources are stored: $ASSAY_DATA, or the user's cache."""
    if own := os.environ.get("ASSAY_DATA"):
        return Path(own) / LAYOUT
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "assay" / LAYOUT


@cache
def wordnet() -> WordNet:
    """WordNet, loaded once a process."""
    return WordNet(load("wordnet", WordNetData))


@cache
def spacy_pipeline() -> SpacyPipeline | None:
    """The spaCy model that $ASSAY_SPACY names, loaded once a process; None if there is none."""
    model = os.environ.get("ASSAY_SPACY")
    return SpacyPipeline(model) if model else None


@cache
def tagger() -> Tagger | SpacyPipeline:
    """The part-of-speech tagger, loaded once a process: ours, or the spaCy model's where the user names one."""
    spacy = spacy_pipeline()
    return spacy if spacy and spacy.has_tags else Tagger(load("tagger", TaggerData))


def edition(name: str) -> str:
    """Load a resource, and say which edition it is."""
    if name == "wordnet":
        return f"{wordnet().data.variant}, {_digest_of(name)}"
    spacy = spacy_pipeline()
    names_by = f", names by {spacy.variant}" if spacy and spacy.has_names and tagger() is not spacy else ""
    own = "" if tagger() is spacy else f", {_digest_of(name)}"
    return tagger().variant + own + names_by


def _digest_of(name: str) -> str:
    return f"SHA-256 {_checked(name).digest[:16]}"


def stored(name: str) -> bytes:
    """A resource as it is stored, if it is still as it was brought."""
    return _checked(name).data


class _Checked(NamedTuple):
    data: bytes
    digest: str


def _checked(name: str) -> _Checked:
    path = path_of(name)
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise UserError(
            f"This needs the {name} resource, which is not in {home()} yet.\n  Bring it once with: assay data get"
        ) from error
    brought, found = digest_path(name), sha256(data).hexdigest()
    if brought.is_file() and brought.read_text() != found:
        raise BadInputError(
            "damaged: it was changed since it was brought (SHA-256)",
            where=str(path),
            hint="Bring it again: assay data get --overwrite",
        )
    return _Checked(data, found)


def path_of(name: str) -> Path:
    """Where a resource is stored."""
    return home() / f"{name}.msgpack"


def digest_path(name: str) -> Path:
    """Where the SHA-256 of a resource is stored as it was brought."""
    return home() / f"{name}.sha256"


def load(name: str, kind: type[T]) -> T:
    """A resource, read anew."""
    data = stored(name)
    try:
        with without_gc():
            return msgspec.msgpack.decode(data, type=kind)
    except msgspec.DecodeError as error:
        raise BadInputError(
            f"damaged: {error}", where=str(path_of(name)), hint="Bring it again: assay data get --overwrite"
        ) from error


@contextmanager
def without_gc() -> Iterator[None]:
    """Hundreds of thousands of new objects would set the collector off again and again for nothing."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
