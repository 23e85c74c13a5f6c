"""Packs trained models into the package: `python tools/ship.py MODELS [--agree CORPUS]`.

MODELS is a folder with a folder a model, as `assay train` wrote it, with one seed or several; the seed that was best on
the development pairs is packed. Weights get eight bits, and systems over words share one table of vectors. A copy that
changes more than one label in a hundred on the pairs of CORPUS, or a package that grows too large, is refused.
"""

import argparse
import shutil
import sys
from pathlib import Path

from assay.core.files import digest, from_json, to_json
from assay.models.adapters.trained import Trained
from assay.models.shipped import HERE, NAMES
from assay.run.export_model import export_model
from assay.run.train_system import MAKING, Made

MOST_CHANGED = 0.01
"""Labels that eight bits may change."""

LARGEST = 40_000_000
"""Bytes of all packed models."""

DIGESTS = "digests.json"


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
    made = export_model(
        f"trained:{model}", HERE / name, precision="int8", table=HERE / "words", source=corpus, overwrite=True
    )
    if made.same < (1 - MOST_CHANGED) * made.pairs:
        shutil.rmtree(HERE / name)
        sys.exit(f"{name}: eight bits change {made.pairs - made.same} of {made.pairs} labels, which is too many.")
    shutil.copyfile(Trained(what=model).folder / MAKING, HERE / name / MAKING)
    print(f"{name}: {model}, {made.same:,} of {made.pairs:,} labels as before")


def best_seed(folder: Path) -> str:
    """The seed that was best on the development pairs, as `trained:` calls it."""
    seeds = {each: f"{folder}@{each}" for each in Trained(what=str(folder)).seeds()}
    if not seeds:
        return str(folder)
    return max(seeds.values(), key=lambda seed: from_json(Trained(what=seed).folder / MAKING, Made, newest=1).accuracy)


def _is_code(path: Path) -> bool:
    return path.suffix in (".py", ".pyc")


if __name__ == "__main__":
    main()
