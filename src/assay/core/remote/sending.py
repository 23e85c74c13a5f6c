"""Writing to an address: a folder of the cache stands in for it, and what is complete there is sent.

A file is sent as a whole object. A folder is sent file by file, with its manifest last: until then, nobody takes it
for a suite or a run. The file that replaces another one's manifest is removed first, so that old and new never mix.
"""

import atexit
import hashlib
import shutil
from functools import cache
from pathlib import Path, PurePosixPath

from assay.core.errors import UserError
from assay.core.remote.address import HERE, check_address, home, is_address, name_of, opened, remember

OUTGOING = "outgoing"
ADDRESS_FILE = ".address"
"""The file of a stand-in that holds the address of its folder."""

LAST = ("digests.json", "system.json", "manifest.json", "shard.json", "record.json")
"""Files without which a folder is not complete, in the order in which they are sent after all others."""


def stand_in(place: str | Path) -> Path:
    """The path to write to: the place itself, or what stands in for an address until it is sent."""
    if not is_address(place):
        return Path(str(place).removeprefix(HERE))
    address = str(place).rstrip("/")
    check_address(address)
    if "::" in address or address.startswith("zip://"):
        raise UserError(f"{address}: archives can be read, but not written.\n  Choose another --out.")
    name = name_of(address)
    base = address.removesuffix(name)
    folder = home() / OUTGOING / hashlib.sha256(base.encode()).hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ADDRESS_FILE).write_text(base, encoding="utf-8")
    path = folder / name
    with opened(address) as there:
        if path.exists() and not there.exists():
            _remove(path)  # it was deleted there
    _delete_at_exit(path)
    remember(path, address)
    return path


def address_of(path: Path) -> str:
    """The address that a path stands in for; empty if it does not, or if it is a name of unfinished work."""
    outgoing = home() / OUTGOING
    if not path.is_relative_to(outgoing):
        return ""
    own, *names = path.relative_to(outgoing).parts
    if not names or any(name.startswith(".") for name in names):
        return ""
    return (outgoing / own / ADDRESS_FILE).read_text(encoding="utf-8") + "/".join(names)


def is_sent(path: Path) -> bool:
    """Whether something is at the address that a path stands in for."""
    if not (address := address_of(path)):
        return False
    with opened(address) as there:
        return there.exists()


def bring_back(path: Path) -> None:
    """Fetch what is at the address that a path stands in for, unless a copy is here."""
    if path.exists() or not is_sent(path):
        return
    aside = path.with_name(f".{path.name}.partial")
    with opened(address_of(path)) as there:
        for name in there.files():
            there.get(name, aside / name if name else aside)
    aside.rename(path)


def send_file(path: Path) -> None:
    """Send a complete file, if it stands in for one elsewhere."""
    if address := address_of(path):
        with opened(address) as there:
            there.system.put_file(str(path), there.root)


def send_folder(folder: Path, target: Path) -> None:
    """Send a complete folder to the address that the target stands in for, if it does."""
    if not (address := address_of(target)):
        return
    own = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    names = sorted(filter(_is_shown, own), key=_turn)
    with opened(address) as there:
        old = {*there.files()} if there.exists() else set()
        for name in sorted(old, key=_turn, reverse=True):
            if PurePosixPath(name).name in LAST:
                there.system.rm_file(there.of(name))
        for name in names:
            there.system.put_file(str(folder / name), there.of(name))
        for name in old - {*names}:
            if PurePosixPath(name).name not in LAST:
                there.system.rm_file(there.of(name))


def _is_shown(name: str) -> bool:
    return not any(part.startswith(".") for part in name.split("/"))


def _turn(name: str) -> tuple[int, int, str]:
    """When a file is sent: manifests after all else, those of inner folders before that of the folder itself."""
    path = PurePosixPath(name)
    return (LAST.index(path.name) + 1 if path.name in LAST else 0, -len(path.parts), name)


@cache
def _delete_at_exit(path: Path) -> None:
    """Delete what was sent when this process ends; unfinished work, beside it, stays."""
    atexit.register(_remove, path)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
