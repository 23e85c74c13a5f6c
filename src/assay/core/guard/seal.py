"""Seals: a file holds the digest of the rest of itself, so that a change of any byte is noticed.

A seal shows damage and careless edits. It is not a signature: anyone can change a file and seal it again.
"""

import hashlib
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from assay.core.errors import BadInputError
from assay.core.files import from_json, to_json

T = TypeVar("T", bound=msgspec.Struct)


def with_seal(thing: T) -> T:
    """The same object with its field `seal` filled in: SHA-256 of its file while the seal is empty."""
    bare = to_json(msgspec.structs.replace(thing, seal=""))
    return msgspec.structs.replace(thing, seal=hashlib.sha256(bare).hexdigest())


def seal_fits(data: bytes, seal: str) -> bool:
    """Whether these bytes are the ones that were sealed.

    >>> bare = b'{"figure": 0.3, "seal": ""}'
    >>> seal = hashlib.sha256(bare).hexdigest()
    >>> data = bare.replace(b'""', b'"%b"' % seal.encode())
    >>> seal_fits(data, seal), seal_fits(data.replace(b"0.3,", b"0.9,"), seal)
    (True, False)
    """
    bare = data.replace(f'"seal": "{seal}"'.encode(), b'"seal": ""')
    return hashlib.sha256(bare).hexdigest() == seal


def read_sealed(path: Path, kind: type[T], *, made: str, hint: str, newest: int, oldest: int = 1) -> T:
    """Read a sealed file, if it is unchanged. `made` says what made it, and `hint` what to do if it is damaged."""
    try:
        found: Any = from_json(path, kind, oldest=oldest, newest=newest)
    except BadInputError as error:
        raise BadInputError(error.fact, where=error.where, hint=error.hint or hint) from error
    if not seal_fits(path.read_bytes(), found.seal):
        raise BadInputError(
            f"damaged: it was changed since {made} (its seal does not match)", where=str(path), hint=hint
        )
    return found  # type: ignore[no-any-return]
