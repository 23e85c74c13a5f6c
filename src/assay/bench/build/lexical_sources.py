"""What a user gives to the family lexical, prepared: categories, a training corpus, vectors, bigram counts."""

from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path

from assay.core.errors import BadInputError, MissingExtraError, UserError
from assay.core.fetching import local
from assay.core.files import digest
from assay.core.pair import Pair, WordVector
from assay.corpora.reading import corpus_of, read
from assay.language.words import frequencies as counts
from assay.language.words import vectors
from assay.language.words.categories import read_text
from assay.language.words.frequencies import Counts, gathered

SYMSPELL = "symspell"
"""The name of the counts in the package symspellpy: 243,342 pairs of words from Google Books n-grams."""
TRAIN = "train"
"""The name of the training corpus's own counts."""

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
    """The switches of the family lexical for what you give; large data is stored and named by its content.

    >>> lexical_switches(per_pair="all")
    {'lexical.per_pair': '0'}
    """
    found: dict[str, str] = {}
    if categories is not None:
        found["categories"] = read_text(categories)
    if train is not None:
        found["train"] = counts.store(_of_corpus(corpus_of(train)))
    if vectors is not None:
        found["vectors"] = stored_vectors(local(vectors))
    if bigrams is not None:
        if str(bigrams) == TRAIN and train is None:
            raise UserError("Bigrams of the training corpus are requested, but no corpus is given with --train.")
        found["bigrams"] = found["train"] if str(bigrams) == TRAIN else counts.store(_of_file(bigrams))
    if per_pair is not None:
        found["per_pair"] = "0" if str(per_pair) == "all" else str(per_pair)
    return {f"lexical.{name}": value for name, value in found.items()}


def _of_corpus(corpus: Iterable[Pair]) -> Counts:
    """The bigram counts of a corpus; each distinct text counts once."""
    seen: set[str] = set()
    for pair in corpus:
        seen.update((pair.premise, pair.hypothesis))
    return gathered(seen)


def _of_file(given: str | Path) -> Counts:
    path = _symspell() if str(given) == SYMSPELL else local(given)
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
    return Counts({}, found)


def _symspell() -> Path:
    package = find_spec("symspellpy")
    if package is None or package.origin is None:
        raise MissingExtraError("bigrams", needed_for="Counting bigrams by symspellpy")
    return next(Path(package.origin).parent.glob("frequency_bigramdictionary_en_*.txt"))


def stored_vectors(path: Path) -> str:
    """Read vectors, unless they were read before; returns the name under which they are stored."""
    if not path.is_file():
        raise BadInputError("no such file", where=str(path), hint=VECTOR_HINT)
    name = digest(path)[:16]
    if not vectors.folder_of(name).is_dir():
        vectors.store(name, _word_vectors(path))
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
