"""What decides the bytes that a machine makes."""

import platform
from functools import cache
from typing import NamedTuple

from assay.language.resources.loaded import fingerprint
from assay.version import __version__


class Equipment(NamedTuple):
    """What decides the bytes that a machine makes."""

    assay: str
    """The version of Assay."""
    python: str
    """The version of Python, without its last number."""
    resources: tuple[str, ...]
    """Digests of WordNet and the tagger."""


@cache
def equipment() -> Equipment:
    """What this process has."""
    python = ".".join(platform.python_version_tuple()[:2])
    return Equipment(__version__, python, tuple(map(fingerprint, ("wordnet", "tagger"))))
