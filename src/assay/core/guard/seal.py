"""Seals: a file holds the digest of the rest of itself, so that a change of any byte is noticed.

A seal shows damage and careless edits. It is not a signature: anyone can change a file and seal it again.
"""

import hashlib
from typing import TypeVar

import msgspec

from assay.core.files import to_json

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
