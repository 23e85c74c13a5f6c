"""The pairs that training sees, after sampling, swapping and adding, as a corpus that you can inspect."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
import numpy
from numpy.typing import NDArray

from assay.core.errors import UserError
from assay.core.label_space import THREE_LABELS, LabelSpace
from assay.core.manifest import Sampling
from assay.core.pair import Pair, WordVector
from assay.core.run_record import CorpusReading
from assay.core.serialise import from_json, to_json
from assay.corpora.reader import BUNDLED, CorpusReader
from assay.corpora.sampling import draw_pairs
from assay.models.shipped import shipped_vectors
from assay.storage.files import Kind, digest, file_aside, folder_aside, write_whole
from assay.storage.remote import local
from assay.storage.suite import Suite
from assay.training.data_changes import (
    SHARED,
    Decontamination,
    PairCounts,
    PairSource,
    Shared,
    case_name,
    cases_as_pairs,
    count_pairs,
    sample_pairs,
    swap_pairs,
)
from assay.training.data_map import choose_pairs, seed_folder
from assay.training.hyperparameters import Method
from assay.training.presets import Preset
from assay.version import __version__

PAIRS, MANIFEST = "pairs.jsonl", "manifest.json"


class TrainSpec(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that decides the weights, except the seed."""

    system: str
    preset: Preset = "laptop"
    switches: dict[str, str] = {}
    sources: tuple[CorpusReading, ...]
    rates: tuple[float, ...]
    """The fraction of each that is taken."""
    sample: int | None = None
    """Number of pairs drawn from each corpus, with each label and genre in its share; None means all."""
    redraw: bool = False
    """Draw that share again for each epoch, instead of once."""
    dev: CorpusReading
    vectors: str | None = None
    two_way: bool = False
    swap: float = 0.0
    """Share of neutral and contradiction pairs whose texts are swapped."""
    augment: tuple[str, ...] = ()
    withhold: dict[str, tuple[str, ...]] = {}
    """Cases of such groups are not added."""
    apart_from: tuple[str, ...] = ()
    apart_by: tuple[Shared, ...] = SHARED
    """Kinds of things that they must not share."""
    map_from: str | None = None
    keep: str | None = None
    """The part of the pairs to train on, chosen by the map, such as ambiguous:0.33."""
    repeat_forgotten: int = 0
    """Number of extra passes in each epoch over pairs that the map shows as forgotten."""
    regularise: Literal["logic"] | None = None
    debias: Method | None = None
    bias: str | None = None
    teacher: str | None = None

    @property
    def label_space(self) -> LabelSpace:
        """The labels that a system learns."""
        return THREE_LABELS.resize(self.two_way)


class TrainingManifest(msgspec.Struct, frozen=True, kw_only=True):
    schema: int = 1
    spec: TrainSpec
    """The request that its pairs come from."""
    seed: int = 0
    """The seed of sampling and swapping."""
    data: PairCounts
    file_digest: str
    version: str = __version__


def _list_files(folder: Path) -> tuple[str, ...]:
    from_json(folder / MANIFEST, TrainingManifest, newest=1)
    return PAIRS, MANIFEST


TRAINING_CORPUS = Kind("a training corpus", _list_files)


def read_pairs(reading: CorpusReading) -> Sequence[Pair]:
    """The pairs of a corpus; the last ones stay in memory, because training runs that follow each other share them."""
    path = local(reading.source)
    seen = (path.stat().st_mtime_ns, path.stat().st_size) if path.is_file() else ()
    return _read_pairs(msgspec.json.encode(reading), *seen)


@lru_cache(maxsize=8)
def _read_pairs(reading: bytes, *_seen: int) -> tuple[Pair, ...]:
    return tuple(CorpusReader(msgspec.json.decode(reading, type=CorpusReading)))


class TrainingVectors(NamedTuple):
    words: list[str]
    values: NDArray[numpy.float32]
    """(words, size)."""


@lru_cache(maxsize=1)
def read_vectors(source: str | None) -> TrainingVectors:
    """All vectors of a file; `bundled` are those that come with Assay. The last ones stay in memory."""
    if source is None:
        raise UserError(
            "This system needs word vectors: name a file in GloVe's text format with --vectors.\n"
            "  GloVe is at https://nlp.stanford.edu/projects/glove/; a gzipped file is read as it is. For a trial,\n"
            "  --vectors bundled takes those that come with Assay."
        )
    if source == BUNDLED:
        return TrainingVectors(*shipped_vectors())
    words: list[str] = []
    rows: list[tuple[float, ...]] = []
    for record in CorpusReader(CorpusReading(source=source, on_error="skip")).records():
        if not isinstance(record, WordVector):
            raise UserError(f"{source} holds no word vectors.")
        words.append(record.id)
        rows.append(record.values)
    return TrainingVectors(words, numpy.array(rows, dtype=numpy.float32))


class TrainingPairs:
    """Everything that training pairs are drawn from, read once for all seeds."""

    def __init__(self, spec: TrainSpec) -> None:
        self._spec = spec
        self._sources = [
            PairSource(f"{number}. {CorpusReader(reading).name}", read_pairs(reading))
            for number, reading in enumerate(spec.sources, 1)
        ]
        apart = Decontamination((case for folder in spec.apart_from for case in Suite.open(folder)), spec.apart_by)
        self._added = [_read_added(local(folder), spec, apart) for folder in spec.augment]

    def parts(self, seed: int) -> list[PairSource]:
        """The training pairs by source, drawn and swapped as requested."""
        spec, parts = self._spec, []
        for source, rate in zip(self._sources, spec.rates, strict=True):
            name, pairs = source.name, source.pairs
            if spec.sample is not None:
                pairs = draw_pairs(pairs, Sampling(n=spec.sample, seed=seed), name=name)
            taken, share = (1.0, rate) if spec.redraw else (rate, 1.0)
            parts.append(
                PairSource(name, swap_pairs(list(sample_pairs(pairs, taken, seed=seed)), spec.swap, seed=seed), share)
            )
        parts += self._added
        if spec.map_from is None:
            return parts
        return choose_pairs(parts, seed_folder(spec.map_from, seed), keep=spec.keep, repeat=spec.repeat_forgotten)


def _read_added(folder: Path, spec: TrainSpec, apart: Decontamination) -> PairSource:
    suite = Suite.open(folder)
    cases, left_out = apart.split(suite)
    if left_out and not cases:
        counts = ", ".join(f"{count:,} share {what}" for what, count in left_out.items())
        raise UserError(
            f"No case of --augment {folder} is apart from {', '.join(spec.apart_from)}: {counts}.\n"
            "  Build it from other pairs or with other words, or name what must differ: --set apart_by=premises."
        )
    return PairSource(
        f"suite {folder.name}",
        list(cases_as_pairs(cases, prefix=folder.name, withhold=spec.withhold)),
        unlabelled=sum(case.label is None for case in cases),
        premises={case_name(folder.name, case): case.cluster for case in cases},
        apart=left_out,
    )


def write_corpus(
    spec: TrainSpec, parts: Sequence[PairSource], out: Path, *, seed: int, overwrite: bool = False
) -> TrainingManifest:
    """Write pairs with a manifest; each pair says which source it is from, and whether it was swapped or added.

    An existing corpus of the same spec and seed is kept.
    """
    if (out / MANIFEST).is_file() and not overwrite:
        before = from_json(out / MANIFEST, TrainingManifest, newest=1)
        if (before.spec, before.seed) == (spec, seed):
            return before  # stopped training continues
    with folder_aside(out, over=TRAINING_CORPUS if overwrite else None) as aside:
        encode = msgspec.json.encode
        with file_aside(aside / PAIRS, overwrite=True) as write:
            for number, part in enumerate(parts, 1):
                for pair in part.pairs:
                    line = {
                        "id": f"{number}/{pair.id}",  # two sources may use the same ids
                        "premise": pair.premise,
                        "hypothesis": pair.hypothesis,
                        "label": pair.label,
                        "group": {"source": part.name, **pair.group},
                    }
                    write(encode(line) + b"\n")
        manifest = TrainingManifest(spec=spec, seed=seed, data=count_pairs(parts), file_digest=digest(aside / PAIRS))
        write_whole(aside / MANIFEST, to_json(manifest))
    return manifest
