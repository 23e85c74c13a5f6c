"""What a model can have learned: the words and verb frames of the lexicon that are too rare in a training corpus."""

import functools
import operator
from collections.abc import Iterable
from pathlib import Path

import msgspec

from assay.bench.shards import Work, pair_batches, part_folder, parts
from assay.bench.shards import workers as crew_of
from assay.bench.stages import Stage, quiet
from assay.core.pair import Pair
from assay.corpora.reading import corpus_of
from assay.stress.heuristics.controls import ENOUGH, FrameCounts, frame_counts
from assay.stress.heuristics.grammar import load
from assay.version import __version__


def seen_in_training(
    source: str | Path | Iterable[Pair], *, grammar: str = "", workers: int = 1, stage: Stage = quiet
) -> FrameCounts:
    """Count the words and frames of the lexicon in a corpus; `grammar` is the text of the user's own grammar file.

    >>> from assay.corpora.reading import read
    >>> counts = seen_in_training(read("bundled", limit=20))
    >>> counts.pairs, counts.frames
    (20, None)
    """
    corpus = corpus_of(source)
    work = Work(count_batch, (grammar,), key=f"{__version__} training {grammar}")
    with crew_of(workers) as crew, part_folder(None) as folder:
        progress = stage("Looking for the lexicon's words", None)
        batches = pair_batches(corpus, crew.batch)
        counts = []
        for data in parts(work, batches, folder=folder, crew=crew):
            counts.append(msgspec.json.decode(data, type=FrameCounts))
            progress(counts[-1].pairs)
            counts = [functools.reduce(operator.add, counts)]
    return counts[0]


def training_notes(counts: FrameCounts, name: str) -> list[str]:
    """What a manifest says about the corpus with this name.

    >>> training_notes(FrameCounts(2, {"judge": 3, "ran": 70}, None, 0), "mine.jsonl")[0]
    'words seen fewer than 50 times in the 2 pairs of mine.jsonl: judge 3'
    """
    where = f"seen fewer than {ENOUGH} times in the {counts.pairs:,} pairs of {name}"
    notes = [f"words {where}: {_listed(counts.rare_words())}"]
    frames = counts.rare_frames()
    if frames is None:
        return [*notes, f"frames of verbs were not counted: {name} has no labelled trees"]
    return [*notes, f"frames of verbs {where}, by {counts.parsed:,} trees: {_listed(frames)}"]


def count_batch(batch: bytes, grammar: str) -> bytes:
    """The counts of a batch of pairs; runs in a worker."""
    pairs = msgspec.json.decode(batch, type=list[Pair])
    return msgspec.json.encode(frame_counts(pairs, load(grammar).lexicon))


def _listed(rare: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in rare.items()) or "none"
