"""Addresses such as s3://bucket/suite in place of paths: file systems, keys, and writing."""

import atexit
import hashlib
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from assay.core.errors import AssayError, BadInputError, ExternalError, MissingExtraError, UserError
from assay.storage.folders import cache_folder

ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+://")
HERE = "file://"  # an address of this machine is a path
LAYOUT = "remote-1"  # the folder of copies in the user's cache; a new format gets a new name
IN_EXTRA = ("s3", "gs", "gcs", "hf")  # services whose libraries come with our extra

SECRETS = re.compile(r"KEY|SECRET|TOKEN|PASSWORD|CREDENTIAL", re.IGNORECASE)
"""Names of environment variables that hold keys."""

LOOKS_SECRET = re.compile(r"\b(?:A[KS]IA[A-Z0-9]{12,}|hf_\w{20,})|(?<=Signature=)[^\s&]+|(?<=Credential=)[^\s&]+")
"""Keys that a library may have found in a file, and signatures that it made with them."""

SHORTEST = 6  # minimum number of characters of a key; a shorter value is a setting such as `true`


def is_address(place: str | Path) -> bool:
    """True if this is an address, not a path.

    >>> is_address("s3://bucket/suite"), is_address("data/pairs.csv"), is_address("hf:NAME"), is_address("file:///x")
    (True, False, False, False)
    """
    return isinstance(place, str) and bool(ADDRESS.match(place)) and not place.startswith(HERE)


def local(place: str | Path) -> Path:
    """A path on this machine: the given path, or a copy of the file or folder at an address.

    >>> local("data/pairs.csv")
    PosixPath('data/pairs.csv')
    """
    if not is_address(place):
        return Path(str(place).removeprefix(HERE))
    from assay.storage.cached_copies import fetch

    return fetch(str(place))


class RemotePlace(NamedTuple):
    system: Any
    root: str

    def files(self) -> dict[str, dict[str, Any]]:
        """Details of each file, by its path below the root; a single file is called `""`."""
        self.system.invalidate_cache()  # somebody else may have written since it was last listed
        if self.system.isfile(self.root):
            return {"": self.system.info(self.root)}
        found = self.system.find(self.root, detail=True)
        return {path.removeprefix(self.root).lstrip("/"): info for path, info in found.items()}

    def of(self, name: str) -> str:
        """The path of a file below the root."""
        return f"{self.root.rstrip('/')}/{name}" if name else self.root

    def exists(self) -> bool:
        """True if a file or a folder with files is there."""
        self.system.invalidate_cache()
        return bool(self.system.exists(self.root))

    def get(self, name: str, to: Path) -> None:
        if ".." in PurePosixPath(name).parts:
            raise BadInputError(f"the path leaves the folder: {name!r}")
        to.parent.mkdir(parents=True, exist_ok=True)
        self.system.get_file(self.of(name), str(to))


def name_of(address: str) -> str:
    """The last part of an address; for a whole archive, the archive's name.

    >>> name_of("s3://bucket/my/suite/"), name_of("zip://dev.jsonl::s3://bucket/snli.zip"), name_of("memory://x")
    ('suite', 'dev.jsonl', 'x')
    """
    for part in address.split("::"):
        if name := part.partition("://")[2].rstrip("/").rpartition("/")[2]:
            return name
    return "data"


def check_address(address: str) -> None:
    """Refuse an address that holds a key, without showing it: addresses are stored in records."""
    for part in address.split("::"):
        host, _, _ = part.partition("://")[2].partition("/")
        if "?" in part or ":" in host.rpartition("@")[0]:
            raise UserError(
                "This address has a user name with a password, or a query: it would be stored and shown.\n"
                "  Leave them out, and give keys as the service's own tools take them: in environment variables or in "
                "their configuration files."
            )


@contextmanager
def open_address(address: str) -> Iterator[RemotePlace]:
    """The resolved address; errors during its use are shown without keys."""
    check_address(address)
    try:
        import fsspec
    except ImportError:
        raise MissingExtraError("remote", needed_for=f"The address {address}") from None
    try:
        yield RemotePlace(*fsspec.core.url_to_fs(address))
    except AssayError:
        raise
    except FileNotFoundError:
        raise BadInputError("no such file or folder", where=address, hint="Check the address.") from None
    except ImportError as error:
        if address.partition(":")[0] in IN_EXTRA:
            raise MissingExtraError("remote", needed_for=f"The address {address}") from None
        raise UserError(f"{address}: {without_keys(str(error))}") from None
    except Exception as error:  # noqa: BLE001 - each service has errors of its own
        raise ExternalError(
            f"{address} can't be used: {type(error).__name__}: {without_keys(str(error))}\n"
            "  Check the address, the network, and the keys in the environment."
        ) from None


def remember(path: Path, address: str) -> None:
    """Note which address a path of the cache belongs to."""
    _known()[str(path)] = address


def is_remembered(path: Path) -> bool:
    """True if this process has used a path of the cache before."""
    return str(path) in _known()


def with_addresses(text: str) -> str:
    """A message, with addresses in place of paths of the cache."""
    for path, address in sorted(_known().items(), key=lambda each: -len(each[0])):
        text = text.replace(path, address)
    return text


@cache
def _known() -> dict[str, str]:
    """The address of each cache path that this process has used."""
    return {}


def without_keys(text: str) -> str:
    """A library's message, in one line, without the values of environment variables that hold keys.

    >>> os.environ["SOME_KEY"] = "abc-123-def"
    >>> without_keys("The key abc-123-def is not known; AKIAABCDEFGHIJKLMNOP neither")
    'The key *** is not known; *** neither'
    >>> del os.environ["SOME_KEY"]
    """
    text = " ".join(text.split())
    for name, value in os.environ.items():
        if SECRETS.search(name) and len(value.strip()) >= SHORTEST:
            text = text.replace(value.strip(), "***")
    return LOOKS_SECRET.sub("***", text)


OUTGOING = "outgoing"
ADDRESS_FILE = ".address"  # the file of a stand-in that holds the address of its folder

LAST = ("digests.json", "system.json", "manifest.json", "shard.json", "record.json")
"""Files without which a folder is not complete, in the order in which they are sent after all others."""


def stand_in(place: str | Path) -> Path:
    """The path to write to: the given path, or a temporary one for an address until it is uploaded."""
    if not is_address(place):
        return Path(str(place).removeprefix(HERE))
    address = str(place).rstrip("/")
    check_address(address)
    if "::" in address or address.startswith("zip://"):
        raise UserError(f"{address}: archives can be read, but not written.\n  Choose another --out.")
    name = name_of(address)
    base = address.removesuffix(name)
    folder = cache_folder(LAYOUT) / OUTGOING / hashlib.sha256(base.encode()).hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ADDRESS_FILE).write_text(base, encoding="utf-8")
    path = folder / name
    with open_address(address) as there:
        if path.exists() and not there.exists():
            _remove_path(path)  # it was deleted there
    _delete_at_exit(path)
    remember(path, address)
    return path


def address_of(path: Path) -> str:
    """The address of a path; empty if there is none, or if the path names unfinished work."""
    outgoing = cache_folder(LAYOUT) / OUTGOING
    if not path.is_relative_to(outgoing):
        return ""
    own, *names = path.relative_to(outgoing).parts
    if not names or any(name.startswith(".") for name in names):
        return ""
    return (outgoing / own / ADDRESS_FILE).read_text(encoding="utf-8") + "/".join(names)


def is_sent(path: Path) -> bool:
    """True if the address of a path exists."""
    if not (address := address_of(path)):
        return False
    with open_address(address) as there:
        return there.exists()


def bring_back(path: Path) -> None:
    """Download a path's content from its address, unless there is a local copy."""
    if path.exists() or not is_sent(path):
        return
    aside = path.with_name(f".{path.name}.partial")
    with open_address(address_of(path)) as there:
        for name in there.files():
            there.get(name, aside / name if name else aside)
    aside.rename(path)


def send_file(path: Path) -> None:
    """Upload a complete file, if it belongs to an address."""
    if address := address_of(path):
        with open_address(address) as there:
            there.system.put_file(str(path), there.root)


def send_folder(folder: Path, target: Path) -> None:
    """Upload a complete folder to the address of the target, if it has one."""
    if not (address := address_of(target)):
        return
    own = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    names = sorted(filter(_is_shown, own), key=_sending_order)
    with open_address(address) as there:
        old = {*there.files()} if there.exists() else set()
        for name in sorted(old, key=_sending_order, reverse=True):
            if PurePosixPath(name).name in LAST:
                there.system.rm_file(there.of(name))
        for name in names:
            there.system.put_file(str(folder / name), there.of(name))
        for name in old - {*names}:
            if PurePosixPath(name).name not in LAST:
                there.system.rm_file(there.of(name))


def _is_shown(name: str) -> bool:
    return not any(part.startswith(".") for part in name.split("/"))


def _sending_order(name: str) -> tuple[int, int, str]:
    """Sending order of files: manifests after all else, those of inner folders before that of the folder itself."""
    path = PurePosixPath(name)
    return (LAST.index(path.name) + 1 if path.name in LAST else 0, -len(path.parts), name)


@cache
def _delete_at_exit(path: Path) -> None:
    """Delete sent files when this process ends; unfinished work stays."""
    atexit.register(_remove_path, path)


def _remove_path(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


KEY = re.compile(r"[!-~]*")  # pattern of a key that can be sent

SECRET = re.compile(
    r"secret|passw(?:or)?d|passphrase|authori[sz]ation|credential|bearer|cookie"
    r"|^key$|(?:api|access|auth|private|account|subscription)[^a-z]*key|^(?!(?:eos|bos|pad|unk|stop)[^a-z]*token$).*token$"
)
"""Names of fields that hold keys; a field such as `max_tokens`, `eos_token` or `prompt_cache_key` does not."""

HUB = ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN")  # the places where the hub's own library looks for a key


def read_key(variable: str) -> str:
    """The key in an environment variable, without surrounding blanks; empty if there is none.

    The key is checked first, because a library that can't send it would show it in an error.
    """
    key = os.environ.get(variable, "").strip()
    if not KEY.fullmatch(key):
        raise UserError(
            f"The key in {variable} can't be sent: it contains a space, a line break or a character that no key has.\n"
            f"  Copy it again, the key alone: export {variable}=..."
        )
    return key


def check_hub_keys() -> None:
    """Check the keys that the hub's own library is about to send."""
    for variable in HUB:
        read_key(variable)


def secret_field(fields: Any) -> str | None:
    """The first field, at any depth, whose name says that it holds a key.

    >>> secret_field({"headers": [{"X-Api-Key": "abc"}]}), secret_field({"max_tokens": 5, "prompt_cache_key": "a"})
    ('X-Api-Key', None)
    """
    if isinstance(fields, dict):
        named = (name for name in fields if SECRET.search(name.lower()))
        return next(named, None) or secret_field([*fields.values()])
    if isinstance(fields, list):
        return next(filter(None, map(secret_field, fields)), None)
    return None
