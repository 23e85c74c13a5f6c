"""The pairs that training sees, after sampling, swapping and adding, as a corpus that you can inspect."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple, get_args

import msgspec
import numpy
from numpy.typing import NDArray

from assay.core.case import Case
from assay.core.edit import Replacement
from assay.core.errors import UserError
from assay.core.label import Label
from assay.core.label_space import THREE_LABELS, LabelSpace
from assay.core.manifest import Sampling
from assay.core.pair import Pair, Parses, WordVector, premise_cluster
from assay.core.rng import rng_for
from assay.core.run_record import CorpusReading
from assay.core.serialise import from_json, to_json
from assay.corpora.reader import BUNDLED, CorpusReader
from assay.corpora.sampling import draw_pairs
from assay.models.shipped import shipped_vectors
from assay.storage.files import Kind, digest, file_aside, folder_aside, write_whole
from assay.storage.remote import local
from assay.storage.suite import Suite
from assay.training.data_map import choose_pairs, seed_folder
from assay.training.hyperparameters import Method
from assay.training.presets import Preset
from assay.version import __version__

SWAPPED = (Label.NEUTRAL, Label.CONTRADICTION)
"""Labels that stay right when premise and hypothesis are swapped; entailment does not."""


def sample_pairs(pairs: Iterable[Pair], rate: float, *, seed: int) -> Iterator[Pair]:
    """About this fraction of the pairs; the same ones in any order."""
    for pair in pairs:
        if rate >= 1 or rng_for(seed, transform="sample/v1", pair=pair.id).random() < rate:
            yield pair


def swap_pairs(pairs: Sequence[Pair], share: float, *, seed: int) -> list[Pair]:
    """Swap the texts of exactly this fraction of the neutral and contradiction pairs; their labels stay.

    >>> pairs = [Pair(id=str(n), premise="p", hypothesis="h", label=Label.NEUTRAL) for n in range(4)]
    >>> sum(pair.premise == "h" for pair in swap_pairs(pairs, 0.5, seed=0))
    2
    """
    if not 0 <= share <= 1:
        raise UserError(f"A fraction must be between 0 and 1, not {share}.")
    free = [place for place, pair in enumerate(pairs) if pair.label in SWAPPED]
    free.sort(key=lambda place: rng_for(seed, transform="swap-training/v1", pair=pairs[place].id).random())
    chosen = set(free[: round(share * len(free))])
    return [_swap_texts(pair) if place in chosen else pair for place, pair in enumerate(pairs)]


def _swap_texts(pair: Pair) -> Pair:
    group = {**pair.group, "swapped": "yes"}
    given = pair.parses or Parses()
    parses = Parses(
        premise=given.hypothesis,
        hypothesis=given.premise,
        premise_binary=given.hypothesis_binary,
        hypothesis_binary=given.premise_binary,
    )
    return Pair(
        id=pair.id,
        premise=pair.hypothesis,
        hypothesis=pair.premise,
        label=pair.label,
        group=group,
        parses=parses if pair.parses else None,
    )


def cases_as_pairs(cases: Iterable[Case], *, prefix: str, withhold: Mapping[str, Sequence[str]]) -> Iterator[Pair]:
    """The cases of a suite as training pairs, without those that have no label or whose group is withheld."""
    for case in cases:
        if case.label is None:
            continue
        group = {"family": case.family, **case.group}
        if any(group.get(name) in values for name, values in withhold.items()):
            continue
        yield Pair(
            id=case_name(prefix, case), premise=case.premise, hypothesis=case.hypothesis, label=case.label, group=group
        )


def case_name(prefix: str, case: Case) -> str:
    return f"{prefix}:{case.id}"


class PairCounts(msgspec.Struct, frozen=True, kw_only=True):
    pairs: int
    labels: dict[str, int]
    sources: dict[str, int]  # pairs by where they come from
    swapped: int
    unlabelled: int = 0  # cases of added suites that have no label, such as swapped pairs, and were left out
    apart: dict[str, int] = {}  # cases of added suites that were left out, by what they share with a test
    repeated: int = 0  # forgotten pairs, which get more passes in each epoch


class PairSource(NamedTuple):
    name: str
    pairs: Sequence[Pair]
    share: float = 1.0  # the number of these that take part in an epoch
    unlabelled: int = 0  # cases that were left out because they have no label
    premises: Mapping[str, str] = {}  # by id of a case: a short name for its source pair's premise
    apart: Mapping[str, int] = {}  # cases that were left out because they share something with a test
    passes: Mapping[str, int] = {}  # by id: how often a pair takes part in an epoch, if more than once


def count_pairs(parts: Sequence[PairSource]) -> PairCounts:
    labels = Counter(pair.label.value for part in parts for pair in part.pairs)
    apart = sum((Counter(part.apart) for part in parts), Counter[str]())
    return PairCounts(
        pairs=sum(len(part.pairs) for part in parts),
        labels=dict(sorted(labels.items())),
        sources={part.name: len(part.pairs) for part in parts},
        swapped=sum(pair.group.get("swapped") == "yes" for part in parts for pair in part.pairs),
        unlabelled=sum(part.unlabelled for part in parts),
        apart=dict(sorted(apart.items())),
        repeated=sum(len(part.passes) for part in parts),
    )


Shared = Literal["premises", "words", "templates"]
SHARED: tuple[Shared, ...] = get_args(Shared)

TEMPLATE = ("subcase", "template")  # groups that name the template of a generated case


class Mark(NamedTuple):
    """A kind of content that training and a test must not share."""

    kind: Shared
    value: str


class Decontamination:
    """Finds cases that share content with the cases of a test."""

    def __init__(self, test: Iterable[Case], by: Collection[Shared] = SHARED) -> None:
        self.by = by
        self._marks = {mark for case in test for mark in marks_of(case)}

    def find_shared(self, case: Case) -> Shared | None:
        """The first thing that a case shares with the test."""
        return next((mark.kind for mark in marks_of(case) if mark.kind in self.by and mark in self._marks), None)

    def split(self, cases: Iterable[Case]) -> tuple[list[Case], Counter[str]]:
        """The cases that share nothing, and how many share what."""
        kept, left_out = [], Counter[str]()
        for case in cases:
            if kind := self.find_shared(case):
                left_out[kind] += 1
            else:
                kept.append(case)
        return kept, left_out


def marks_of(case: Case) -> Iterator[Mark]:
    """The premises of a case and of its source pair, the words that its edit exchanges, and its template.

    A text that an edit adds, such as "and true is true", is a template: the same for all pairs.
    """
    yield Mark("premises", case.cluster)
    yield Mark("premises", premise_cluster(case.premise))
    edit = case.provenance.edit
    for change in (*edit.premise, *edit.hypothesis):
        yield from _change_marks(change)
    if all(name in case.group for name in TEMPLATE):
        yield Mark("templates", " ".join(case.group[name] for name in TEMPLATE))


def _change_marks(change: Replacement) -> Iterator[Mark]:
    old, new = (" ".join(text.lower().split()) for text in (change.old, change.new))
    if not old:
        yield Mark("templates", new)
        return
    for text in (old, new):
        if text:
            yield Mark("words", text)


PAIRS, MANIFEST = "pairs.jsonl", "manifest.json"


class TrainSpec(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that decides the weights, except the seed."""

    system: str
    preset: Preset = "laptop"
    switches: dict[str, str] = {}
    sources: tuple[CorpusReading, ...]
    rates: tuple[float, ...]  # the fraction of each that is taken
    sample: int | None = None  # pairs drawn from each corpus, with each label and genre in its share; None for all
    redraw: bool = False  # draw that share again for each epoch, instead of once
    dev: CorpusReading
    vectors: str | None = None
    two_way: bool = False
    swap: float = 0.0  # share of neutral and contradiction pairs whose texts are swapped
    augment: tuple[str, ...] = ()
    withhold: dict[str, tuple[str, ...]] = {}  # cases of such groups are not added
    apart_from: tuple[str, ...] = ()
    apart_by: tuple[Shared, ...] = SHARED  # kinds of things that they must not share
    map_from: str | None = None
    keep: str | None = None  # the part of the pairs to train on, chosen by the map, such as ambiguous:0.33
    repeat_forgotten: int = 0  # number of extra passes in each epoch over pairs that the map shows as forgotten
    regularise: Literal["logic"] | None = None
    debias: Method | None = None
    bias: str | None = None
    teacher: str | None = None

    @property
    def label_space(self) -> LabelSpace:
        return THREE_LABELS.resize(self.two_way)


class TrainingManifest(msgspec.Struct, frozen=True, kw_only=True):
    schema: int = 1
    spec: TrainSpec  # the request that its pairs come from
    seed: int = 0  # the seed of sampling and swapping
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
    values: NDArray[numpy.float32]  # (words, size)


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
