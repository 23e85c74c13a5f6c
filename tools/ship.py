"""Packs trained models into the package: `python tools/ship.py MODELS [--agree CORPUS]`.

MODELS is a folder with a folder a model, as `assay train` wrote it, with one seed or several; the seed that was best on
the development pairs is packed. Weights get eight bits. Systems over words share one table of vectors, unless training
changed them; those of rare words that training never saw stay behind. A copy is refused where eight bits alone change
more than 1 % of the labels on the pairs of CORPUS, where they and the words left behind change more than 1.5 %, and
where the package grows too large.
"""

import argparse
import shutil
import sys
import tempfile
from functools import cache
from pathlib import Path

from assay.bench.export.model import Agreement, export_model
from assay.bench.training.train import MAKING, Made, read_vectors
from assay.core.files import digest, from_json, to_json
from assay.corpora.reading import read
from assay.models.adapters.trained import Trained
from assay.models.shipped import HERE, NAMES
from assay.models.systems.card import read_card
from assay.models.systems.reading.vocabulary import Vocabulary

MOST_BY_EIGHT_BITS, MOST_IN_ALL = 0.01, 0.015
"""Labels that eight bits alone may change, and with words left out."""

LARGEST = 40_000_000
"""Bytes of all packed models."""

DIGESTS = "digests.json"

WORDS = 50_000
"""Words that keep their vectors though training never saw them: the first of the file, where the most frequent are."""


def main() -> None:
    """Pack what there is."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("models", type=Path)
    parser.add_argument("--agree", default="bundled", help="the corpus that originals and copies are asked")
    given = parser.parse_args()
    found = [name for name in NAMES if (given.models / name).is_dir()]
    for name in found:
        pack(name, best_seed(given.models / name), corpus=given.agree)
    files = sorted(path for path in HERE.rglob("*") if path.is_file() and path.parent != HERE and not _is_code(path))
    size = sum(path.stat().st_size for path in files)
    if size > LARGEST:
        sys.exit(f"The models take {size:,} bytes, and at most {LARGEST:,} are allowed.")
    (HERE / DIGESTS).write_bytes(to_json({path.relative_to(HERE).as_posix(): digest(path) for path in files}))
    print(f"{len(found)} models packed; all take {size / 1e6:.1f} MB.")


def pack(name: str, model: str, *, corpus: str) -> None:
    """Write one model into the package."""
    trained = Trained(what=model).folder
    is_shared = read_card(trained).config.get("tuned") is False
    spec = from_json(trained / MAKING, Made, newest=1).spec
    if is_shared:
        with tempfile.TemporaryDirectory() as folder:
            whole = export_model(f"trained:{model}", Path(folder) / name, precision="int8", source=corpus)
        _refuse_change(name, whole, MOST_BY_EIGHT_BITS)
    made = export_model(
        f"trained:{model}",
        HERE / name,
        precision="int8",
        table=HERE / "words" if is_shared else None,
        words=packed_words(spec.vectors or "", tuple(each.source for each in spec.sources)) if is_shared else None,
        source=corpus,
        overwrite=True,
    )
    try:
        _refuse_change(name, made, MOST_IN_ALL if is_shared else MOST_BY_EIGHT_BITS)
    except SystemExit:
        shutil.rmtree(HERE / name)
        raise
    shutil.copyfile(trained / MAKING, HERE / name / MAKING)
    print(f"{name}: {model}, {made.same:,} of {made.pairs:,} labels as before")


@cache
def packed_words(vectors: str, sources: tuple[str, ...]) -> frozenset[str]:
    """The words whose vectors are packed: those of the training pairs, and the most frequent others."""
    every = Vocabulary((), ())
    texts = (text for source in sources for pair in read(source) for text in (pair.premise, pair.hypothesis))
    return frozenset(word for text in texts for word in every.words(text)).union(read_vectors(vectors).words[:WORDS])


def best_seed(folder: Path) -> str:
    """The seed that was best on the development pairs, as `trained:` calls it."""
    seeds = {each: f"{folder}@{each}" for each in Trained(what=str(folder)).seeds()}
    if not seeds:
        return str(folder)
    return max(seeds.values(), key=lambda seed: from_json(Trained(what=seed).folder / MAKING, Made, newest=1).accuracy)


def _refuse_change(name: str, made: Agreement, most: float) -> None:
    changed = made.pairs - made.same
    if changed > most * made.pairs:
        sys.exit(f"{name}: packing changes {changed} of {made.pairs} labels, which is too many.")


def _is_code(path: Path) -> bool:
    return path.suffix in (".py", ".pyc")


if __name__ == "__main__":
    main()
