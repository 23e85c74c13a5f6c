"""Packs trained models into the package: `python tools/ship.py MODELS [--only NAME] [--agree CORPUS]`.

MODELS is a folder with one folder per model, as `assay train` wrote it, with one seed or several; of the seeds that are
finished, the one that was best on the development pairs is packed. Weights get eight bits. Systems over words share one
table of vectors, unless training changed them, and one list of learned words; vectors of rare words that training never
saw are left out. A copy is refused if eight bits alone change more than 1% of the labels on the pairs of CORPUS, if
they and the words left out change more than 1.5%, and if the package grows too large. A model that was not packed
before is also registered in pyproject.toml; install the project again to see it.
"""

import argparse
import shutil
import sys
import tempfile
from functools import cache
from pathlib import Path

import msgspec

from assay.core.serialise import from_json, to_json
from assay.corpora.reader import read
from assay.export.export_model import AGREEMENT, ExportAgreement, export_model
from assay.models.adapters.trained import Trained
from assay.models.shipped import HERE, ORDER
from assay.models.systems.system_card import CARD, MAKING, read_card
from assay.models.systems.vocabulary import Vocabulary
from assay.models.systems.word_table import WORDS, share_learned
from assay.storage.files import DIGESTS_FILE, digest
from assay.training.train_system import TrainingProvenance
from assay.training.training_corpus import read_vectors

MOST_BY_EIGHT_BITS, MOST_IN_ALL = 0.01, 0.015
"""Labels that eight bits alone may change, and with words left out."""

LARGEST = 60_000_000
"""Bytes of all packed models."""

SHARED = HERE / "words"
"""The table of vectors that systems share."""

LEARNED = SHARED / "learned.txt"
"""The learned words that systems share."""

PROJECT = HERE.parents[3] / "pyproject.toml"

FREQUENT = 50_000
"""Words that keep their vectors though training never saw them: the first of the file, where the most frequent are."""


def main() -> None:
    """Pack what there is."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("models", type=Path)
    parser.add_argument("--only", choices=ORDER, action="append", help="only this model; may be repeated")
    parser.add_argument("--agree", default="bundled", help="the corpus that originals and copies are asked")
    given = parser.parse_args()
    found = [name for name in given.only or ORDER if is_trained(given.models / name)]
    for name in found:
        pack(name, best_seed(given.models / name), corpus=given.agree)
        register(name)
    for vocabulary in sorted(HERE.glob(f"*/{WORDS}")):
        share_learned(vocabulary.parent, LEARNED)
    for of_one in HERE.glob(f"*/{DIGESTS_FILE}"):  # one file has the digests of all
        of_one.unlink()
    files = sorted(path for path in HERE.rglob("*") if path.is_file() and path.parent != HERE and not _is_code(path))
    size = sum(path.stat().st_size for path in files)
    if size > LARGEST:
        sys.exit(f"The models take {size:,} bytes, and at most {LARGEST:,} are allowed.")
    (HERE / DIGESTS_FILE).write_bytes(to_json({path.relative_to(HERE).as_posix(): digest(path) for path in files}))
    print(f"{len(found)} models packed; all take {size / 1e6:.1f} MB.")


def pack(name: str, model: str, *, corpus: str) -> None:
    """Write one model into the package."""
    trained = Trained(what=model).folder
    is_shared = read_card(trained).config.get("tuned") is False
    spec = from_json(trained / MAKING, TrainingProvenance, newest=1).spec
    if is_shared:
        with tempfile.TemporaryDirectory() as folder:
            whole = export_model(f"trained:{model}", Path(folder) / name, precision="int8", source=corpus)
        _refuse_change(name, whole, MOST_BY_EIGHT_BITS)
    new = HERE / f"{name}.new"
    shutil.rmtree(new, ignore_errors=True)  # of a packing that was killed
    try:
        made = export_model(
            f"trained:{model}",
            new,
            precision="int8",
            table=SHARED if is_shared else None,
            words=packed_words(spec.vectors or "", tuple(each.source for each in spec.sources)) if is_shared else None,
            source=corpus,
        )
        _refuse_change(name, made, MOST_IN_ALL if is_shared else MOST_BY_EIGHT_BITS)
        named = msgspec.structs.replace(made, model=f"trained:{Path(model).name}")  # without the folders of one machine
        (new / AGREEMENT).write_bytes(to_json(named))
        shutil.copyfile(trained / MAKING, new / MAKING)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise
    put_in_place(new, HERE / name)
    print(f"{name}: {model}, {made.same:,} of {made.pairs:,} labels as before")


def put_in_place(new: Path, folder: Path) -> None:
    """Replace a folder by one that is complete; until then, the old one stays."""
    old = folder.with_name(f"{folder.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    if folder.is_dir():
        folder.rename(old)
    new.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


@cache
def packed_words(vectors: str, sources: tuple[str, ...]) -> frozenset[str]:
    """The words whose vectors are packed: those of the training pairs, and the most frequent others."""
    every = Vocabulary((), ())
    texts = (text for source in sources for pair in read(source) for text in (pair.premise, pair.hypothesis))
    return frozenset(word for text in texts for word in every.words(text)).union(read_vectors(vectors).words[:FREQUENT])


def is_trained(folder: Path) -> bool:
    """Whether there is a system, or one seed at least, whose training is finished."""
    return any(True for _ in (*folder.glob(CARD), *folder.glob(f"seed-*/{CARD}")))


def register(name: str) -> None:
    """Declare a model in pyproject.toml, next to those that are already packed."""
    line = f'"{name}/v1" = "assay.models.shipped:{name.replace("-", "_")}"\n'
    text = PROJECT.read_text(encoding="utf-8")
    if line not in text:
        head, anchor, rest = text.partition('"minilm/v1" =')
        PROJECT.write_text(f"{head}{line}{anchor}{rest}", encoding="utf-8")
        print(f"{name} is registered: install the project again to see it.")


def best_seed(folder: Path) -> str:
    """The seed that was best on the development pairs, as `trained:` calls it."""
    seeds = {each: f"{folder}@{each}" for each in Trained(what=str(folder)).seeds()}
    if not seeds:
        return str(folder)
    return max(
        seeds.values(),
        key=lambda seed: from_json(Trained(what=seed).folder / MAKING, TrainingProvenance, newest=1).accuracy,
    )


def _refuse_change(name: str, made: ExportAgreement, most: float) -> None:
    changed = made.pairs - made.same
    if changed > most * made.pairs:
        sys.exit(f"{name}: packing changes {changed} of {made.pairs} labels, which is too many.")


def _is_code(path: Path) -> bool:
    return path.suffix in (".py", ".pyc")


if __name__ == "__main__":
    main()
