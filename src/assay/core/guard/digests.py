"""The digests of a folder's files, in a file next to them: what was changed since is found where it is read."""

import os
from pathlib import Path

import msgspec

from assay.core.errors import BadInputError
from assay.core.files import digest, to_json, write_whole

DIGESTS = "digests.json"


def write_digests(folder: Path, files: list[str]) -> None:
    """Store the SHA-256 of some files of a folder, which may have the digests of an attempt that was interrupted."""
    write_whole(folder / DIGESTS, to_json({name: digest(folder / name) for name in files if name != DIGESTS}))


def known_digests(folder: Path) -> dict[str, str]:
    """The digests of a folder's files as they were stored, there or one folder above; empty if nobody stored any."""
    for place in (folder, folder.parent):
        if (place / DIGESTS).is_file():
            try:
                found = msgspec.json.decode((place / DIGESTS).read_bytes(), type=dict[str, str])
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise BadInputError(f"damaged: {error}", where=str(place / DIGESTS)) from error
            return {os.path.relpath(place / name, folder): said for name, said in found.items()}
    return {}


def refuse_changed(path: Path, found: str, said: str | None) -> None:
    """Stop if a file is not what it was when its digest was stored."""
    if said not in (None, found):
        raise BadInputError(
            "damaged: it was changed since it was made (SHA-256)",
            where=str(path),
            hint=f"Make it again. If you changed it on purpose, delete {DIGESTS} next to it.",
        )
