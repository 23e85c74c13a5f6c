"""Copies in the user's cache, such as those of remote files: sealed, checked, deleted when there are many."""

import hashlib
import os
import shutil
from contextlib import suppress
from pathlib import Path

import msgspec

from assay.core.errors import BadInputError, OutputExistsError
from assay.core.serialise import to_json
from assay.storage.files import digest, files_in, folder_aside
from assay.storage.folders import cache_folder
from assay.storage.remote import LAYOUT, check_hub_keys, is_remembered, name_of, open_address, remember

INCOMING = "incoming"
DIGESTS = ".digests.json"  # the file of a copy that holds the SHA-256 of the others
MOST_BYTES = 20 << 30  # maximum number of bytes of all copies; the least recently used are deleted


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
        if not (copy.exists() and (is_remembered(copy) or is_whole_copy(folder))):
            shutil.rmtree(folder, ignore_errors=True)
            # Each process has its own folder to work in; the first that has finished gives it its name.
            work = folder.with_name(f".{key}.{os.getpid()}")
            with suppress(OutputExistsError), folder_aside(folder, aside=work) as aside:
                own = aside / name_of(address)
                for name in found:
                    there.get(name, own / name if name else own)
                seal_copy(aside)
            make_room(folder.parent, MOST_BYTES)
    os.utime(folder)
    remember(copy, address)
    return copy


def seal_copy(folder: Path) -> None:
    """Store the digests of a copy's files in it."""
    (folder / DIGESTS).write_bytes(to_json(_digests(folder)))


def is_whole_copy(folder: Path) -> bool:
    """True if a copy is there, with every byte as it was when it was sealed."""
    try:
        known = msgspec.json.decode((folder / DIGESTS).read_bytes(), type=dict[str, str])
        return known == _digests(folder)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return False


def _digests(folder: Path) -> dict[str, str]:
    return {name: digest(folder / name) for name in files_in(folder) if name != DIGESTS}


def make_room(folder: Path, most_bytes: int) -> None:
    """Delete the least recently used copies in a folder until the rest fit; the newest stays."""
    copies = sorted((each for each in folder.iterdir() if each.is_dir()), key=lambda each: -each.stat().st_mtime)
    total = 0
    for number, each in enumerate(copies):
        total += sum(path.stat().st_size for path in each.rglob("*") if path.is_file())
        if number and total > most_bytes:
            shutil.rmtree(each, ignore_errors=True)
