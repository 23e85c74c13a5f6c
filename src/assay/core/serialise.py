"""JSON of our records, and seals: a file holds the digest of the rest of itself."""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from assay.core.errors import BadInputError

T = TypeVar("T")


def to_json(thing: Any) -> bytes:
    """JSON that people can read; the same bytes for the same content."""
    return msgspec.json.format(msgspec.json.encode(thing, order="deterministic"), indent=2) + b"\n"


class _Versioned(msgspec.Struct):
    schema: int


def from_json(path: Path, kind: type[T], *, newest: int, oldest: int = 1) -> T:
    """Read a file written by `to_json`, checked against its schema; versions from `oldest` to `newest` are known."""
    try:
        data = path.read_bytes()
        version = msgspec.json.decode(data, type=_Versioned).schema
        if version > newest:
            raise BadInputError(
                f"written by a newer Assay (schema {version}; this version reads up to {newest})",
                where=str(path),
                hint="Use a newer version of Assay.",
            )
        if version < oldest:
            raise BadInputError(
                f"written by an older Assay (schema {version}; this version reads {oldest} or newer)",
                where=str(path),
                hint="Make it again with this version.",
            )
        return msgspec.json.decode(data, type=kind)
    except FileNotFoundError as error:
        raise BadInputError("no such file", where=str(path)) from error
    except OSError as error:
        raise BadInputError(f"can't be read: {error.strerror}", where=str(path)) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadInputError(f"damaged: {error}", where=str(path)) from error
    except RecursionError as error:
        raise BadInputError("damaged: it is nested too deeply", where=str(path)) from error


def decode_lines(
    lines: Iterable[bytes], kind: type[T], path: Path, what: str, *, first: int = 1, hint: str = ""
) -> Iterator[T]:
    """JSON lines of a file as objects, from line `first` on; an error names the line, and says what it is not."""
    decode = msgspec.json.Decoder(kind).decode
    for number, line in enumerate(lines, first):
        try:
            found = decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise BadInputError(f"not {what}: {error}", where=f"{path}:{number}", hint=hint) from error
        yield found


Sealed = TypeVar("Sealed", bound=msgspec.Struct)


def with_seal(thing: Sealed) -> Sealed:
    """The same object with its field `seal` filled in: SHA-256 of its file while the seal is empty."""
    bare = to_json(msgspec.structs.replace(thing, seal=""))
    return msgspec.structs.replace(thing, seal=hashlib.sha256(bare).hexdigest())


def seal_fits(data: bytes, seal: str) -> bool:
    """True if these bytes are the ones that were sealed.

    >>> bare = b'{"figure": 0.3, "seal": ""}'
    >>> seal = hashlib.sha256(bare).hexdigest()
    >>> data = bare.replace(b'""', b'"%b"' % seal.encode())
    >>> seal_fits(data, seal), seal_fits(data.replace(b"0.3,", b"0.9,"), seal)
    (True, False)
    """
    bare = data.replace(f'"seal": "{seal}"'.encode(), b'"seal": ""')
    return hashlib.sha256(bare).hexdigest() == seal


def read_sealed(path: Path, kind: type[Sealed], *, made: str, hint: str, newest: int, oldest: int = 1) -> Sealed:
    """Read a sealed file, if it is unchanged. `made` says what made it, and `hint` what to do if it is damaged."""
    try:
        found: Any = from_json(path, kind, oldest=oldest, newest=newest)
    except BadInputError as error:
        raise BadInputError(error.fact, where=error.where, hint=error.hint or hint) from error
    if not seal_fits(path.read_bytes(), found.seal):
        raise BadInputError(
            f"damaged: it has been changed since {made} (its seal does not match)", where=str(path), hint=hint
        )
    return found  # type: ignore[no-any-return]
