"""Large suites, which are stored in parts, and everybody who reads them."""

from pathlib import Path

import pytest

import assay
from assay.core.errors import CheckFailedError, OutputExistsError
from assay.run.build.suite_builder import CaseFile

MODELS = ["assay:majority", "assay:overlap"]


def files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize(
    ("large", "stored"), [(5, ["cases.jsonl"]), (4, [f"cases.parts/0000{i}.parquet" for i in range(3)])]
)
def test_the_number_of_cases_decides(tmp_path: Path, large: int, stored: list[str]) -> None:
    suite = assay.build("original", assay.read("bundled", limit=5), out=tmp_path / "suite")
    made = tmp_path / "made"
    made.mkdir()
    with CaseFile(made, None, large=large, part=2) as file:
        for line in suite.lines():
            file.write(line + b"\n")
    assert files(made) == stored
    assert file.digest == suite.manifest.digest
    assert file.path.name == f"cases.{file.storage}"


def test_every_reader_accepts_parts(tmp_path: Path) -> None:
    pairs = assay.read("bundled", limit=30)
    plain = assay.build(["original", "negation"], pairs, out=tmp_path / "plain")
    suite = assay.build(["original", "negation"], pairs, out=tmp_path / "suite", storage="parts")
    assert files(suite.folder) == ["cases.parts/00000.parquet", "manifest.json"]
    assert list(suite.lines()) == list(plain.lines())
    assay.verify(suite.folder)
    one, other = (
        assay.run(suites={"stress": each}, models=MODELS, out=tmp_path / "runs")
        for each in (plain.folder, suite.folder)
    )
    assert one.estimates == other.estimates
    assay.verify(tmp_path / "runs" / other.id, deep=True)
    assert list(assay.read(suite.folder)) == list(assay.read(plain.folder))
    assay.export(suite.folder, "csv", out=tmp_path / "suite.csv")
    again = assay.build(["original"], pairs, out=suite.folder, overwrite=True)
    assert files(again.folder) == ["cases.jsonl", "manifest.json"]


def test_a_changed_part_is_found_and_others_files_are_kept(tmp_path: Path) -> None:
    pairs = assay.read("bundled", limit=6)
    suite = assay.build("original", pairs, out=tmp_path / "suite", storage="parts")
    part = suite.folder / "cases.parts" / "00000.parquet"
    (part.parent / "mine.txt").write_text("mine")
    with pytest.raises(OutputExistsError, match=r"mine\.txt"):
        assay.build("original", pairs, out=suite.folder, overwrite=True)
    part.with_name("mine.txt").unlink()
    part.write_bytes(part.read_bytes()[:-1] + b"?")
    with pytest.raises(CheckFailedError, match="has been changed"):
        assay.verify(suite.folder)
