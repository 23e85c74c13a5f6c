"""The real data sets, where they are: every row that their README counts is read."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from assay.corpora.reader import read

DATA = Path(__file__).parents[3] / "shared" / "data"

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="no real data beside the project (../shared/data)")


class Counted(NamedTuple):
    """A file and what the README says of it."""

    path: str
    rows: int | None
    about: str


def counted() -> Iterator[Counted]:
    """The README's tables: one file per item, with braces, commas and stars. A heading may name a table's folder."""
    if not DATA.is_dir():
        return
    within, suffix = "", ""
    for line in (DATA / "README.md").read_text().splitlines():
        if line.startswith("#"):
            named = re.search(r"`(\w+)/\*(\S+)`", line)
            within, suffix = named.groups() if named else ("", "")
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) != 4 or not ("/" in cells[0] or (within and re.search(r"\d", cells[1]))):
            continue
        folder, _, names = cells[0].rpartition("/")
        items = [name + suffix for name in re.split(r", (?![^{]*})", names)]
        files = [path for name in items for path in expanded(folder or within, name)]
        numbers = [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", cells[1])]
        if len(numbers) == 1:
            numbers *= len(files)
        assert len(numbers) in (0, len(files)), line
        for number, path in enumerate(files):
            yield Counted(path, numbers[number] if numbers else None, cells[2])


def expanded(folder: str, name: str) -> list[str]:
    if braces := re.search(r"\{(.*?)\}", name):
        return [f"{folder}/{name.replace(braces[0], choice)}" for choice in braces[1].split(",")]
    return sorted(f"{folder}/{path.name}" for path in (DATA / folder).glob(name))


FILES = list(counted())


def test_the_readme_counts_every_file() -> None:
    there = {path.relative_to(DATA).as_posix() for path in DATA.glob("*/*")}
    assert {file.path for file in FILES} == there


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.path)
def test_every_row_is_read(file: Counted) -> None:
    corpus = read(DATA / file.path)
    records = sum(1 for _ in corpus.records())
    assert corpus.rows == records + sum(corpus.skipped.values())
    assert not corpus.problems
    assert corpus.rows == file.rows or file.rows is None
    assert set(corpus.skipped) <= {"no gold label"}


def test_snli_counts_its_unlabelled_rows() -> None:
    about = next(file.about for file in FILES if file.path.startswith("snli/snli_1.0_dev"))
    numbers = re.search(r"\((\d+) and (\d+) rows\)", about)
    assert numbers
    for split, unlabelled in zip(("dev", "test"), map(int, numbers.groups()), strict=True):
        corpus = read(DATA / "snli" / f"snli_1.0_{split}.jsonl.gz")
        pairs = list(corpus)
        assert dict(corpus.skipped) == {"no gold label": unlabelled}
        assert corpus.format == "snli/v1"
        assert all(pair.parses and len(pair.annotators) >= 4 for pair in pairs)


def test_labels_are_as_counted() -> None:
    about = next(file.about for file in FILES if file.path == "snli/train_subset.jsonl.gz")
    corpus = read(DATA / "snli" / "train_subset.jsonl.gz")
    list(corpus)
    for letter, label in (("E", "entailment"), ("N", "neutral"), ("C", "contradiction")):
        count = re.search(rf"\b{letter} ([\d,]+)", about)
        assert count
        assert corpus.labels[label] == int(count[1].replace(",", ""))
