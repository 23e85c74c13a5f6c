"""assay report, and the page at the end of a run."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from tests.conftest import Assay

import assay as package
from assay.core.run_record import RunRecord
from assay.reports.view import view_of
from assay.reports.write import output_formats
from assay.reports.write.output_formats import write_report
from assay.run.stored_run import open_run


@pytest.fixture
def run_folder(assay: Assay, tmp_path: Path) -> Path:
    assay("run", "--limit", 30, "--family", "negation", "--model", "assay:overlap", "--no-report")
    (folder,) = (tmp_path / "runs").iterdir()
    return folder


def test_a_run_ends_with_a_page(assay: Assay, tmp_path: Path) -> None:
    done = assay("run", "--limit", 30, "--family", "negation", "--model", "assay:overlap")
    (folder,) = (tmp_path / "runs").iterdir()
    assert f"Report  {folder.relative_to(tmp_path) / 'report.html'}" in done.stdout
    assert (folder / "report.html").read_text().startswith("<!doctype html>")


@contextmanager
def full_disk() -> Iterator[None]:
    """Nothing as large as a page fits."""
    resource = pytest.importorskip("resource", reason="limits of files are a thing of Unix")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_run_whose_page_did_not_fit_is_finished_by_the_same_command(assay: Assay, tmp_path: Path) -> None:
    command = ("run", "--limit", 9, "--family", "negation", "--model", "assay:overlap")
    with full_disk():
        said = assay(*command, code=3).stderr
    (run,) = (tmp_path / "runs").iterdir()
    assert f"Can't write runs/{run.name}/report.html: File too large." in said
    assert "the same command again" in said
    again = assay(*command)
    assert f"The run {run.name} was complete except for its report" in again.stderr
    assert f"Report  runs/{run.name}/report.html" in again.stdout
    assert "negation" in again.stdout
    assert list((tmp_path / "runs").iterdir()) == [run]
    assay(*command)
    assert len(list((tmp_path / "runs").iterdir())) == 2, "a run that has its page is not taken up again"


def test_a_run_that_was_stopped_before_its_page_can_be_reported_too(
    assay: Assay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    command = ("run", "--limit", 9, "--family", "negation", "--model", "assay:overlap")
    with monkeypatch.context() as patch:
        patch.setattr(output_formats, "write_report", stopped)
        assay(*command, code=130)
    (run,) = (tmp_path / "runs").iterdir()
    assay("report", run)
    assay(*command)
    assert len(list((tmp_path / "runs").iterdir())) == 2, "a run that has its page is not taken up again"


def test_it_can_be_left_out(run_folder: Path) -> None:
    assert not (run_folder / "report.html").exists()


def test_each_format_lies_in_the_runs_folder(assay: Assay, run_folder: Path) -> None:
    for to, name in (("html", "html"), ("md", "md"), ("latex", "tex"), ("csv", "csv"), ("json", "json")):
        place = run_folder / f"report.{name}"
        for _ in range(2):  # a second one takes the first one's place
            assert str(place) in assay("report", run_folder, "--to", to).stderr
        assert place.stat().st_size


def test_a_place_of_your_own_is_never_overwritten_unasked(assay: Assay, run_folder: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.csv"
    mine.write_text("precious")
    assert "--overwrite" in assay("report", run_folder, "--to", "csv", "--out", mine, code=2).stderr
    assert mine.read_text() == "precious"
    assay("report", run_folder, "--to", "csv", "--out", mine, "--overwrite", code=2)
    assert mine.read_text() == "precious"
    mine.unlink()
    for more in ([], ["--overwrite"]):
        assay("report", run_folder, "--to", "csv", "--out", mine, *more)
    assert mine.read_text().startswith("figure,")


def test_several_runs_are_one_report(assay: Assay, run_folder: Path, tmp_path: Path) -> None:
    assay("run", "--limit", 30, "--family", "negation", "--model", "assay:majority", "--no-report")
    runs = sorted((tmp_path / "runs").iterdir())
    assay("report", *runs)
    page = (tmp_path / "report.html").read_text()
    assert "majority" in page
    assert "overlap" in page


def test_no_run_is_told(assay: Assay, tmp_path: Path) -> None:
    assert "not a run" in assay("report", tmp_path, code=2).stderr


def test_the_page_of_a_run_is_the_same_now_later_and_with_a_warm_cache(tmp_path: Path) -> None:
    def pages(out: Path) -> list[str]:
        corpus = package.read("bundled", limit=12)
        models = ["assay:overlap", "assay:majority", "assay:constituent"]
        made = package.run(corpus, families=["negation", "spelling"], models=models, out=out)
        assert made.folder is not None
        records = (made, open_run(made.folder))
        timeless = [
            msgspec.structs.replace(
                each,
                seconds=None,
                models=tuple(msgspec.structs.replace(model, seconds_per_pair=None) for model in each.models),
            )
            for each in records
        ]
        return [_page(each).replace(made.id, "RUN").replace(made.created, "THEN") for each in timeless]

    cold, later = pages(tmp_path / "cold")
    warm, again = pages(tmp_path / "warm")
    assert cold == later == warm == again
    assert "original 12, negation 12, spelling" in cold


def _page(record: RunRecord) -> str:
    return write_report(view_of([record]), "html")["report.html"].decode()
