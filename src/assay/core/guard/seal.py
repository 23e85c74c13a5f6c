"""Seals: a file holds the digest of the rest of itself, so that a change of any byte is noticed.

A seal tells damage and careless edits from what was written. It is no signature: whoever wants to can seal anew.
"""

import hashlib
from typing import TypeVar

import msgspec

from assay.core.files import to_json

T = TypeVar("T", bound=msgspec.Struct)


def with_seal(thing: T) -> T:
    """A thing that has a field `seal`, with the seal that belongs to it: SHA-256 of its file while that is empty."""
    bare = to_json(msgspec.structs.replace(thing, seal=""))
    return msgspec.structs.replace(thing, seal=hashlib.sha256(bare).hexdigest())


def seal_fits(data: bytes, seal: str) -> bool:
    """Whether these are the bytes of a file that were sealed.

    >>> bare = b'{"figure": 0.3, "seal": ""}'
    >>> seal = hashlib.sha256(bare).hexdigest()
    >>> data = bare.replace(b'""', b'"%b"' % seal.encode())
    >>> seal_fits(data, seal), seal_fits(data.replace(b"0.3,", b"0.9,"), seal)
    (True, False)
    """
    bare = data.replace(f'"seal": "{seal}"'.encode(), b'"seal": ""')
    return hashlib.sha256(bare).hexdigest() == seal
