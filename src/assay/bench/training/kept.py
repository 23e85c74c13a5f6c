"""Probabilities for training pairs that are computed once, and kept for other seeds and other trainings."""

import hashlib
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path

import msgspec
import numpy

from assay.bench.ask.store import home
from assay.core.files import write_whole
from assay.train.debias.crossfit import Shares
from assay.version import __version__

LAYOUT = "bias-1"
"""The folder in the user's cache."""


def kept_shares(key: Sequence[object], make: Callable[[], Shares], *, shape: tuple[int, int]) -> Shares:
    """What was kept under a key, or what is made now; the key must hold everything that decides it."""
    path = home().with_name(LAYOUT) / f"{hashlib.sha256(msgspec.json.encode([__version__, *key])).hexdigest()}.npy"
    found = _read(path)
    if found is None or found.shape != shape:
        found = make()
        data = BytesIO()
        numpy.save(data, found, allow_pickle=False)
        write_whole(path, data.getvalue())
    return found


def _read(path: Path) -> Shares | None:
    """What a file holds; None if it is not there, or damaged."""
    try:
        found = numpy.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    return numpy.asarray(found) if numpy.isfinite(found).all() else None
