"""Reading from an address through a cache, and digests of a folder's files."""

import hashlib
import os
import shutil
from contextlib import suppress
from pathlib import Path

import msgspec

from assay.core.errors import BadInputError, OutputExistsError
from assay.core.serialise import to_json
from assay.storage.files import digest, files_in, folder_aside, write_whole
from assay.storage.folders import cache_folder
from assay.storage.remote import (
    HERE,
    LAYOUT,
    check_hub_keys,
    is_address,
    is_remembered,
    name_of,
    open_address,
    remember,
)

INCOMING = "incoming"

DIGESTS = ".digests.json"
"""The SHA-256 of every file of a copy, next to it."""

MOST_BYTES = 20 << 30
"""The most bytes of all copies; the least recently used are deleted."""


def local(place: str | Path) -> Path:
    """A path on this machine: the place itself, or a copy of what is at an address.

    >>> local("data/pairs.csv")
    PosixPath('data/pairs.csv')
    """
    return fetch(str(place)) if is_address(place) else Path(str(place).removeprefix(HERE))


def fetch(address: str) -> Path:
    """A copy of the file or folder at an address, under its own name; it is fetched again if it has changed there."""
    if address.startswith("hf://"):
        check_hub_keys()
    with open_address(address) as there:
        found = there.files()
        if not found:
            raise BadInputError("no such file or folder", where=address, hint="Check the address.")
        state = [[name, info.get("size"), there.system.ukey(there.of(name))] for name, info in sorted(found.items())]
        key = hashlib.sha256(msgspec.json.encode([address, state])).hexdigest()[:32]
        folder = cache_folder(LAYOUT) / INCOMING / key
        copy = folder / name_of(address)
        if not (copy.exists() and (is_remembered(copy) or _is_whole(folder))):
            shutil.rmtree(folder, ignore_errors=True)
            # Each process has its own folder to work in; the first that has finished gives it its name.
            work = folder.with_name(f".{key}.{os.getpid()}")
            with suppress(OutputExistsError), folder_aside(folder, aside=work) as aside:
                own = aside / name_of(address)
                for name in found:
                    there.get(name, own / name if name else own)
                (aside / DIGESTS).write_bytes(to_json(_digests(aside)))
            _make_room(folder.parent)
    os.utime(folder)
    remember(copy, address)
    return copy


def _is_whole(folder: Path) -> bool:
    """True if a copy is there, with every byte as it was fetched."""
    try:
        known = msgspec.json.decode((folder / DIGESTS).read_bytes(), type=dict[str, str])
        return known == _digests(folder)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return False


def _digests(folder: Path) -> dict[str, str]:
    return {name: digest(folder / name) for name in files_in(folder) if name != DIGESTS}


def _make_room(folder: Path) -> None:
    """Delete the least recently used copies until the rest fit; the newest stays."""
    copies = sorted((each for each in folder.iterdir() if each.is_dir()), key=lambda each: -each.stat().st_mtime)
    total = 0
    for number, each in enumerate(copies):
        total += sum(path.stat().st_size for path in each.rglob("*") if path.is_file())
        if number and total > MOST_BYTES:
            shutil.rmtree(each, ignore_errors=True)


DIGESTS_FILE = "digests.json"


def write_digests(folder: Path, files: list[str]) -> None:
    """Store the SHA-256 of some files of a folder, which may have the digests of an attempt that was interrupted."""
    write_whole(folder / DIGESTS_FILE, to_json({name: digest(folder / name) for name in files if name != DIGESTS_FILE}))


def known_digests(folder: Path) -> dict[str, str]:
    """The digests of a folder's files as they were stored, there or one folder above; empty if nobody stored any."""
    for place in (folder, folder.parent):
        if (place / DIGESTS_FILE).is_file():
            try:
                found = msgspec.json.decode((place / DIGESTS_FILE).read_bytes(), type=dict[str, str])
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise BadInputError(f"damaged: {error}", where=str(place / DIGESTS_FILE)) from error
            return {os.path.relpath(place / name, folder): said for name, said in found.items()}
    return {}


def refuse_changed(path: Path, found: str, said: str | None) -> None:
    """Stop if a file is not what it was when its digest was stored."""
    if said not in (None, found):
        raise BadInputError(
            "damaged: it was changed since it was made (SHA-256)",
            where=str(path),
            hint=f"Make it again. If you changed it on purpose, delete {DIGESTS_FILE} next to it.",
        )
