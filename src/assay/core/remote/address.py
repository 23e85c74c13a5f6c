"""Addresses of files and folders elsewhere, and the file systems behind them. Keys never become part of an error."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from assay.core.errors import AssayError, BadInputError, ExternalError, MissingExtraError, UserError

ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+://")

HERE = "file://"
"""An address of this machine is a path."""

LAYOUT = "remote-1"
"""The folder of copies in the user's cache; a new format gets a new name."""

IN_EXTRA = ("s3", "gs", "gcs", "hf")
"""Services whose libraries come with our extra."""

SECRETS = re.compile(r"KEY|SECRET|TOKEN|PASSWORD|CREDENTIAL", re.IGNORECASE)
"""Names of environment variables that hold keys."""

LOOKS_SECRET = re.compile(r"\b(?:A[KS]IA[A-Z0-9]{12,}|hf_\w{20,})|(?<=Signature=)[^\s&]+|(?<=Credential=)[^\s&]+")
"""Keys that a library may have found in a file, and signatures that it made with them."""

SHORTEST = 6
"""The fewest characters of a key; a shorter value is a setting such as `true`."""


def is_address(place: str | Path) -> bool:
    """Whether this names something elsewhere, not a path.

    >>> is_address("s3://bucket/suite"), is_address("data/pairs.csv"), is_address("hf:NAME"), is_address("file:///x")
    (True, False, False, False)
    """
    return isinstance(place, str) and bool(ADDRESS.match(place)) and not place.startswith(HERE)


def home() -> Path:
    """Where copies are: $ASSAY_ANSWERS, or the user's cache."""
    own = os.environ.get("ASSAY_ANSWERS")
    return Path(own or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "assay").absolute() / LAYOUT


class Place(NamedTuple):
    """What an address means."""

    system: Any
    """The file system, as fsspec has it."""
    root: str
    """The path in it."""

    def files(self) -> dict[str, dict[str, Any]]:
        """What the system says about each file, by its path below the root; a single file is called `""`."""
        self.system.invalidate_cache()  # somebody else may have written since it was last listed
        if self.system.isfile(self.root):
            return {"": self.system.info(self.root)}
        found = self.system.find(self.root, detail=True)
        return {path.removeprefix(self.root).lstrip("/"): info for path, info in found.items()}

    def of(self, name: str) -> str:
        """The path of a file below the root."""
        return f"{self.root.rstrip('/')}/{name}" if name else self.root

    def exists(self) -> bool:
        """Whether a file or a folder with files is there."""
        self.system.invalidate_cache()
        return bool(self.system.exists(self.root))

    def get(self, name: str, to: Path) -> None:
        """Fetch a file."""
        if ".." in PurePosixPath(name).parts:
            raise BadInputError(f"its path leaves the folder: {name!r}")
        to.parent.mkdir(parents=True, exist_ok=True)
        self.system.get_file(self.of(name), str(to))


def name_of(address: str) -> str:
    """The last part of an address; of a whole archive, the archive's name.

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
def opened(address: str) -> Iterator[Place]:
    """The place that an address means; what goes wrong while it is used is said without any key."""
    check_address(address)
    try:
        import fsspec
    except ImportError:
        raise MissingExtraError("remote", needed_for=f"The address {address}") from None
    try:
        yield Place(*fsspec.core.url_to_fs(address))
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
    """Whether this process has used a path of the cache before."""
    return str(path) in _known()


def with_addresses(text: str) -> str:
    """A message, with addresses in the place of paths of the cache."""
    for path, address in sorted(_known().items(), key=lambda each: -len(each[0])):
        text = text.replace(path, address)
    return text


@cache
def _known() -> dict[str, str]:
    """Addresses by the paths of the cache that stand for them, as far as this process has used them."""
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
