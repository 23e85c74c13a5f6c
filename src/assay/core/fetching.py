"""Reading from an address: what is there is fetched into the cache once, and checked each time."""

import hashlib
import os
import shutil
from contextlib import suppress
from pathlib import Path

import msgspec

from assay.core.errors import BadInputError, OutputExistsError
from assay.core.files import digest, files_in, folder_aside, to_json
from assay.core.guard.keys import check_hub_keys
from assay.core.remote.address import HERE, home, is_address, is_remembered, name_of, opened, remember

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
    return fetched(str(place)) if is_address(place) else Path(str(place).removeprefix(HERE))


def fetched(address: str) -> Path:
    """A copy of the file or folder at an address, under its own name; it is fetched again if it has changed there."""
    if address.startswith("hf://"):
        check_hub_keys()
    with opened(address) as there:
        found = there.files()
        if not found:
            raise BadInputError("no such file or folder", where=address, hint="Check the address.")
        state = [[name, info.get("size"), there.system.ukey(there.of(name))] for name, info in sorted(found.items())]
        key = hashlib.sha256(msgspec.json.encode([address, state])).hexdigest()[:32]
        folder = home() / INCOMING / key
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
    """Whether a copy is there, with every byte as it was fetched."""
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
