"""Inputs of families besides pairs: categories, vectors, training words, filler, word problems."""

import functools
import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

import msgspec

from assay.core.errors import BadInputError, MissingExtraError, UserError
from assay.core.pair import Pair, WordVector
from assay.core.protocols import Corpus, GeneratedCorpus
from assay.corpora.reader import STANDARD_INPUT, CorpusReader, corpus_of, read
from assay.language.words import corpus_statistics
from assay.language.words.categories import read_text
from assay.language.words.corpus_statistics import WordCounts, count_words
from assay.run.build.recipes import FILLER, needs_filler
from assay.run.workers.pool import Stage, Work, pair_batches, part_folder, parts, quiet, worker_pool
from assay.storage.files import digest
from assay.storage.remote import local
from assay.stress.burial.filler import gather_filler, store_filler
from assay.stress.heuristics.build import GeneratedPairs
from assay.stress.heuristics.controls import ENOUGH, FrameCounts, frame_counts
from assay.stress.heuristics.grammar import load_grammar
from assay.version import __version__

SYMSPELL = "symspell"  # the counts of 243,342 pairs of words in the package symspellpy
TRAIN = "train"  # the name of the training corpus's own counts
VECTOR_HINT = (
    "Each line must hold a word and its numbers, 10 or more and as many as on the first line, separated by blanks."
)
COUNT_HINT = "Each line must hold two words and their count, separated by blanks or tabs."


def lexical_switches(
    *,
    categories: str | Path | None = None,
    train: str | Path | Iterable[Pair] | None = None,
    vectors: str | Path | None = None,
    bigrams: str | Path | None = None,
    per_pair: str | int | None = None,
) -> dict[str, str]:
    """The switches of the family lexical for the given data; large data is stored and named by its content.

    >>> lexical_switches(per_pair="all")
    {'lexical.per_pair': '0'}
    """
    found: dict[str, str] = {}
    if categories is not None:
        found["categories"] = read_text(categories)
    if train is not None:
        seen = {text for pair in corpus_of(train) for text in (pair.premise, pair.hypothesis)}  # each text counts once
        found["train"] = corpus_statistics.store_counts(count_words(seen))
    if vectors is not None:
        found["vectors"] = stored_vectors(local(vectors))
    if bigrams is not None:
        if str(bigrams) == TRAIN and train is None:
            raise UserError("Bigrams of the training corpus are requested, but no corpus is given with --train.")
        found["bigrams"] = (
            found["train"] if str(bigrams) == TRAIN else corpus_statistics.store_counts(_read_bigrams(bigrams))
        )
    if per_pair is not None:
        found["per_pair"] = "0" if str(per_pair) == "all" else str(per_pair)
    return {f"lexical.{name}": value for name, value in found.items()}


def _read_bigrams(given: str | Path) -> WordCounts:
    """The counts in a file, or in the package symspellpy."""
    path = local(given)
    if str(given) == SYMSPELL:
        package = find_spec("symspellpy")
        if package is None or package.origin is None:
            raise MissingExtraError("bigrams", needed_for="Counting bigrams by symspellpy")
        path = next(Path(package.origin).parent.glob("frequency_bigramdictionary_en_*.txt"))
    found: dict[str, int] = {}
    try:
        with path.open(encoding="utf-8-sig") as file:
            for number, line in enumerate(file, 1):
                words = line.lower().split()
                if len(words) != 3 or not words[2].isdecimal():
                    raise BadInputError("not two words and a count", where=f"{path}:{number}", hint=COUNT_HINT)
                found[f"{words[0]} {words[1]}"] = int(words[2])
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(f"the bigrams can't be read: {error}", where=str(path), hint=COUNT_HINT) from error
    return WordCounts({}, found)


def stored_vectors(path: Path) -> str:
    """Read vectors, unless they were read before; returns the name under which they are stored."""
    if not path.is_file():
        raise BadInputError("no such file", where=str(path), hint=VECTOR_HINT)
    name = digest(path)[:16]
    if not corpus_statistics.folder_of(name).is_dir():
        corpus_statistics.store_vectors(name, _word_vectors(path))
    return name


def _word_vectors(path: Path) -> Iterator[tuple[str, tuple[float, ...]]]:
    started = False
    try:
        for record in read(path).records():
            if not isinstance(record, WordVector):
                raise BadInputError(f"it holds {type(record).__name__}s, not vectors", where=str(path))
            yield record.id, record.values
            started = True
    except BadInputError as error:  # readers' hints mention options that are for pairs
        fact = error.fact if started or error.fact.startswith(("it holds", "empty")) else "the line is not a vector"
        raise BadInputError(fact, where=error.where, hint=VECTOR_HINT) from error


def seen_in_training(
    source: str | Path | Iterable[Pair], *, grammar: str = "", workers: int = 1, stage: Stage = quiet
) -> FrameCounts:
    """Count the words and frames of the lexicon in a corpus; `grammar` is the text of the user's own grammar file.

    >>> from assay.corpora.reader import read
    >>> counts = seen_in_training(read("bundled", limit=20))
    >>> counts.pairs, counts.frames
    (20, None)
    """
    corpus = corpus_of(source)
    work = Work(count_batch, (grammar,), key=f"{__version__} training {grammar}")
    with worker_pool(workers) as pool, part_folder(None) as folder:
        progress = stage("Looking for the lexicon's words", None)
        batches = pair_batches(corpus, pool.batch)
        counts = []
        for data in parts(work, batches, folder=folder, pool=pool):
            counts.append(msgspec.json.decode(data, type=FrameCounts))
            progress(counts[-1].pairs)
            counts = [functools.reduce(operator.add, counts)]
    return counts[0]


def training_notes(counts: FrameCounts, name: str) -> list[str]:
    """The entry of a manifest about the corpus with this name.

    >>> training_notes(FrameCounts(2, {"judge": 3, "ran": 70}, None, 0), "mine.jsonl")[0]
    'words seen fewer than 50 times in the 2 pairs of mine.jsonl: judge 3'
    """
    where = f"seen fewer than {ENOUGH} times in the {counts.pairs:,} pairs of {name}"
    notes = [f"words {where}: {_list_rare(counts.rare_words())}"]
    frames = counts.rare_frames()
    if frames is None:
        return [*notes, f"frames of verbs were not counted: {name} has no labelled trees"]
    return [*notes, f"frames of verbs {where}, by {counts.parsed:,} trees: {_list_rare(frames)}"]


def note_training(pairs: GeneratedCorpus, trained_on: Corpus, *, workers: int, stage: Stage) -> None:
    """Note in generated heuristics which of their words are rare in a training corpus."""
    assert isinstance(pairs, GeneratedPairs)  # other families refuse a training corpus
    counts = seen_in_training(trained_on, grammar=pairs.grammar, workers=workers, stage=stage)
    pairs.notes = tuple(training_notes(counts, trained_on.name))


def count_batch(batch: bytes, grammar: str) -> bytes:
    """The counts of a batch of pairs; runs in a worker."""
    pairs = msgspec.json.decode(batch, type=list[Pair])
    return msgspec.json.encode(frame_counts(pairs, load_grammar(grammar).lexicon))


def _list_rare(rare: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in rare.items()) or "none"


def with_filler(
    families: Sequence[str], corpus: Iterable[Pair], switches: Mapping[str, str] | None
) -> Mapping[str, str] | None:
    """The switches, with the name of the corpus's stored sentences for each family that needs filler."""
    needy = needs_filler(families)
    keys = {f"{each.partition('/')[0]}.{FILLER}" for each in needy} - {*(switches or {})}
    if not keys:
        return switches
    if isinstance(corpus, CorpusReader):
        if corpus.reading.source == STANDARD_INPUT:
            raise UserError(f"{needy[0]} reads the corpus twice, so it can't come from standard input: give a file.")
        # A sample of pairs may take filler from all of the corpus; and the given reader counts what it reads.
        corpus = CorpusReader(msgspec.structs.replace(corpus.reading, sample=msgspec.UNSET, limit=None))
    name = store_filler(gather_filler(corpus))
    return {**(switches or {}), **dict.fromkeys(keys, name)}
