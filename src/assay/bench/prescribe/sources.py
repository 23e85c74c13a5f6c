"""The data of a prescription: corpora by the names that the studies have for them, or the user's own files."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from assay.core.errors import UserError
from assay.core.study.prescription import Measure
from assay.corpora.reading import CorpusReader, read
from assay.stress.heuristics.grammar import load

USUAL = {
    "train": "mnli/train_subset.jsonl.gz",
    "dev": "mnli/dev_matched.jsonl.gz",
    "test": "mnli/dev_mismatched.jsonl.gz",
}
"""The corpora of the studies that come with Assay."""

USUAL_VECTORS = "vectors/glove.6B.100d.subset.txt.gz"

USUAL_TESTS = {
    "hans": "hans/heuristics_evaluation_set.txt.gz",
    "breaking": "breaking_nli/dataset.jsonl.gz",
    "hard": "snli/test_hard.jsonl.gz",
}
"""Test sets that are used if they are there."""


class Given(NamedTuple):
    """What the user names. All files are relative to the folder of data, which is the current one if none is named."""

    data: Path | None = None
    train: Sequence[str] = ()
    dev: str = ""
    test: str = ""
    vectors: str = ""
    hard: str = ""
    withheld: Sequence[str] = ()


class Sources(NamedTuple):
    """What a plan is made of."""

    corpora: dict[str, dict[str, str]]
    """As a plan has them."""
    train: tuple[str, ...]
    """Those that are trained on."""
    tests: tuple[Measure, ...]
    """Suites of whole files."""
    generated_like: tuple[str, ...]
    """Those of them whose pairs are made as the generated ones are: HANS's own."""
    data: str
    """The folder; empty if there is none."""
    vectors: str
    """The file of word vectors."""


def find_sources(given: Given) -> Sources:
    """The data of a plan; every file that is named must be there."""
    own = {"train": given.train, "dev": given.dev, "test": given.test}
    folder = given.data or (Path() if any(own.values()) else None)
    if folder is None:
        if given.hard or given.withheld or given.vectors:
            raise UserError(f"Test sets and vectors go with training pairs of yours.\n  {_what_to_give()}")
        return Sources(_corpora([USUAL["train"]], USUAL["dev"], USUAL["test"], {}), ("train",), (), (), "", "")
    if any(own.values()) and not all(own.values()):
        missing = " and ".join(f"--{name.replace('train', 'from')}" for name, value in own.items() if not value)
        raise UserError(f"--from, --dev and --test go together; add {missing}.\n  {_what_to_give()}")
    train = list(given.train or [USUAL["train"]])
    dev, test = given.dev or USUAL["dev"], given.test or USUAL["test"]
    tests = _tests(folder, given)
    for file in (*train, dev, test, *tests.values(), *([given.vectors] if given.vectors else [])):
        if not (folder / file).is_file():
            raise UserError(f"{folder / file}: no such file.\n  {_what_to_give()}")
    vectors = given.vectors or (USUAL_VECTORS if (folder / USUAL_VECTORS).is_file() else "")
    corpora = _corpora(train, dev, test, tests)
    return Sources(
        corpora,
        tuple(name for name in corpora if name.startswith("train")),
        tuple(_measure(name, file) for name, file in tests.items()),
        tuple(name for name, file in tests.items() if _is_generated_like(folder / file)),
        str(folder.resolve()),
        vectors,
    )


def _what_to_give() -> str:
    usual = ", ".join(USUAL.values())
    return (
        "Name your own pairs with --from, --dev and --test, relative to --data FOLDER or to the current folder;\n"
        f"  or name a --data FOLDER that has {usual}."
    )


def _tests(folder: Path, given: Given) -> dict[str, str]:
    found = {name: file for name, file in USUAL_TESTS.items() if (folder / file).is_file()}
    if given.hard:
        found["hard"] = given.hard
    for file in given.withheld:
        if file not in found.values():
            found[_new_name(Path(file).name.partition(".")[0], found)] = file
    return found


def _new_name(name: str, taken: Mapping[str, str]) -> str:
    number = 1
    while (made := name if number == 1 else f"{name}-{number}") in taken:
        number += 1
    return made


def _corpora(train: Sequence[str], dev: str, test: str, tests: Mapping[str, str]) -> dict[str, dict[str, str]]:
    names = ["train", *(f"train-{number}" for number in range(2, len(train) + 1))]
    return {
        **{name: {"file": file, "part": "train"} for name, file in zip(names, train, strict=True)},
        "dev": {"file": dev, "part": "dev"},
        "test": {"file": test, "part": "test"},
        **{name: {"file": file, "part": "test"} for name, file in tests.items()},
    }


def _measure(name: str, file: str) -> Measure:
    options = {"from": name, "families": "original", "sample": 6000}
    return Measure(name=name, options=options, why=f"The pairs of {file}.")


def _is_generated_like(path: Path) -> bool:
    first = next(iter(CorpusReader(read(str(path)).reading)), None)
    return first is not None and first.group.get("subcase") in {each.name for each in load("").subcases}
