"""Building suites: the same bytes whoever does the work, whole or not there, resumed where it stopped."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import Assay, pair
from tests.fixtures.runs import WriteCorpus, build, contents, killed, linux_only, stopping, times, watching

import assay
from assay.core.errors import BadInputError, ExternalError, OutputExistsError, UserError
from assay.core.manifest import Storage
from assay.run.workers.pool import Stage, quiet
from assay.storage.suite import Suite

FAMILIES = ["original", "word-overlap", "negation"]
STORAGES: tuple[Storage, ...] = ("jsonl", "jsonl.zst", "parquet")


@pytest.fixture
def a_thread() -> Iterator[None]:
    """With another thread about, workers are started anew instead of forked."""
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    yield
    done.set()
    thread.join()


@pytest.mark.parametrize("storage", STORAGES)
def test_the_same_bytes_for_any_workers_and_batches(
    write_corpus: WriteCorpus, tmp_path: Path, storage: Storage
) -> None:
    corpus = write_corpus()
    made = []
    workers = [(2, 7), (4, 100)] if storage == "jsonl" else []  # they make the same parts for every storage
    for number, (count, batch) in enumerate([(1, 1000), (1, 1), (1, 250), *workers]):
        out = tmp_path / f"suite-{number}"
        build(FAMILIES, corpus, out=out, batch=batch, workers=count, storage=storage, seed=4)
        made.append(contents(out))
        assay.verify(out)
    assert sorted(made[0]) == [f"cases.{storage}", "manifest.json"]
    assert all(each == made[0] for each in made)


@pytest.mark.usefixtures("a_thread")
def test_the_same_bytes_from_workers_that_start_anew(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    corpus = write_corpus(40)
    build(FAMILIES, corpus, out=tmp_path / "one", workers=1, batch=10)
    build(FAMILIES, corpus, out=tmp_path / "two", workers=2, batch=10)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_the_cases_stand_by_origin_and_recipe(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    suite = assay.build(FAMILIES, write_corpus(8), out=tmp_path / "suite")
    assert [case.id for case in suite][-7:] == [
        *(f"{name}:s-5" for name in ("negation/v1",)),
        *(f"{name}:s-6" for name in ("original/v1", "word-overlap/v1", "negation/v1")),
        *(f"{name}:s-7" for name in ("original/v1", "word-overlap/v1", "negation/v1")),
    ]
    assert len(suite) == len(list(suite)) == 8 * 3 - 2
    assert suite.manifest.skips["negation"] == {"no word in the hypothesis": 1}
    assert suite.manifest.counts["original"] == {"contradiction": 2, "entailment": 3, "neutral": 3}
    assert suite.manifest.source.name == "corpus.jsonl"


def test_storages_hold_the_same_cases(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    corpus = write_corpus()
    suites = [assay.build(FAMILIES, corpus, out=tmp_path / storage, storage=storage) for storage in STORAGES]
    first = list(suites[0])
    assert len(first) > 600
    for suite in suites:
        assert list(Suite.open(suite.folder)) == first
        assert list(suite.lines()) == list(suites[0].lines())
        assert suite.manifest.digest == suites[0].manifest.digest
    assert len({suite.manifest.file_digest for suite in suites}) == 3


Text = st.text(st.characters(exclude_categories=["Cs"]))


@pytest.mark.parametrize("storage", STORAGES)
@settings(max_examples=20)
@given(texts=st.lists(st.tuples(Text, Text, st.dictionaries(Text, Text)), min_size=1, max_size=5))
def test_any_text_survives_any_storage(
    tmp_path_factory: pytest.TempPathFactory, storage: Storage, texts: list[tuple[str, str, dict[str, str]]]
) -> None:
    pairs = [
        pair(number, premise=premise, hypothesis=hypothesis, group=group)
        for number, (premise, hypothesis, group) in enumerate(texts)
    ]
    out = tmp_path_factory.mktemp("any") / "suite"
    assay.build("original", pairs, out=out, storage=storage)
    assay.verify(out)
    read = [(case.premise, case.hypothesis, case.group) for case in Suite.open(out)]
    assert read == texts


def test_a_table_holds_a_long_text(tmp_path: Path) -> None:
    long = "word " * 3_500_000  # past the 16 MB that are the usual limit of a JSON object
    suite = assay.build("original", [pair(premise=long)], out=tmp_path / "suite", storage="parquet")
    assert [case.premise == long for case in suite] == [True]


@pytest.mark.parametrize("count", [1, 2])
def test_a_stopped_build_goes_on_where_it_stopped(write_corpus: WriteCorpus, tmp_path: Path, count: int) -> None:
    corpus, out, parts = write_corpus(), tmp_path / "suite", tmp_path / ".suite.partial" / "parts"
    with pytest.raises(KeyboardInterrupt):
        build(FAMILIES, corpus, out=out, workers=count, stage=stopping(after=5), batch=10)
    assert not out.exists()
    before = times(parts)
    assert 5 <= len(before) < 25
    after: dict[str, int] = {}
    build(FAMILIES, corpus, out=out, workers=count, stage=watching(lambda: after.update(times(parts))), batch=10)
    assert before.items() <= after.items(), "a finished part was made again"
    assert len(after) == 25
    build(FAMILIES, corpus, out=tmp_path / "undisturbed", batch=10)
    assert contents(out) == contents(tmp_path / "undisturbed")
    assert not parts.parent.exists()


@pytest.mark.parametrize("other", ["corpus", "seed", "families", "storage"])
def test_parts_of_another_build_are_never_taken(write_corpus: WriteCorpus, tmp_path: Path, other: str) -> None:
    corpus, out = write_corpus(), tmp_path / "suite"
    storage: Storage = "jsonl.zst" if other == "storage" else "jsonl"
    with pytest.raises(KeyboardInterrupt):
        build(FAMILIES, corpus, out=out, seed=1, storage=storage, stage=stopping(after=12), batch=10)
    if other == "corpus":
        write_corpus(word="parcels")
    seed = 2 if other == "seed" else 1
    families = FAMILIES[:2] if other == "families" else FAMILIES
    build(families, corpus, out=out, seed=seed, batch=10)
    build(families, corpus, out=tmp_path / "fresh", seed=seed, batch=10)
    assert contents(out) == contents(tmp_path / "fresh")


@pytest.mark.parametrize("damage", [b"", b"half"])
def test_a_damaged_part_is_made_again(write_corpus: WriteCorpus, tmp_path: Path, damage: bytes) -> None:
    corpus, out, parts = write_corpus(100), tmp_path / "suite", tmp_path / ".suite.partial" / "parts"
    with pytest.raises(KeyboardInterrupt):
        build(FAMILIES, corpus, out=out, stage=stopping(after=5), batch=10)
    for part in parts.iterdir():
        data = part.read_bytes()
        part.write_bytes(data[: len(data) // 2] if damage else b"")
    build(FAMILIES, corpus, out=out, batch=10)
    build(FAMILIES, corpus, out=tmp_path / "undisturbed", batch=10)
    assert contents(out) == contents(tmp_path / "undisturbed")


def build_in_batches(corpus: Path, *, out: Path, workers: int, stage: Stage = quiet) -> Suite:
    return build(FAMILIES, corpus, out=out, batch=10, workers=workers, stage=stage)


@linux_only
def test_a_killed_build_goes_on_where_it_stopped(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    corpus, out, parts = write_corpus(), tmp_path / "suite", tmp_path / ".suite.partial" / "parts"
    killed(build_in_batches, corpus, out)
    assert not out.exists()
    before = times(parts)
    after: dict[str, int] = {}
    build_in_batches(corpus, out=out, workers=2, stage=watching(lambda: after.update(times(parts))))
    assert before.items() <= after.items(), "a finished part was made again"
    assert 3 <= len(before) < len(after) == 25
    build_in_batches(corpus, out=tmp_path / "undisturbed", workers=2)
    assert contents(out) == contents(tmp_path / "undisturbed")


def test_what_is_there_is_refused_before_the_corpus_is_read(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    assay.build(FAMILIES, write_corpus(3), out=tmp_path / "suite")
    with pytest.raises(OutputExistsError):
        assay.build(FAMILIES, tmp_path / "no such corpus", out=tmp_path / "suite")
    assay.build(FAMILIES, write_corpus(4), out=tmp_path / "suite", overwrite=True)
    assay.verify(tmp_path / "suite")


def test_a_corpus_is_never_replaced_by_its_own_suite(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    (tmp_path / "suite").mkdir()
    corpus = write_corpus(3, name="suite/pairs.jsonl")
    for out in (corpus, corpus.parent):
        with pytest.raises(UserError, match="The corpus is in"):
            assay.build(FAMILIES, corpus, out=out, overwrite=True)
    assert corpus.is_file()


@pytest.mark.parametrize("count", [1, 2])
def test_a_broken_record_stops_everything_and_leaves_nothing(
    write_corpus: WriteCorpus, tmp_path: Path, count: int
) -> None:
    corpus = write_corpus(100)
    with corpus.open("a") as file:
        file.write("{not json}\n")
    with pytest.raises(BadInputError, match=r"corpus\.jsonl:101"):
        build(FAMILIES, corpus, out=tmp_path / "deep" / "suite", workers=count, batch=10)
    assert list(tmp_path.iterdir()) == [corpus]


def test_skipped_records_are_all_named(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    corpus = write_corpus(50)
    lines = corpus.read_text().splitlines()
    for number in (3, 20, 49):
        lines[number] = lines[number].replace("label", "lable") if number == 20 else "{not json}"
    corpus.write_text("\n".join(lines) + "\n")
    suite = assay.build(FAMILIES, assay.read(corpus, on_error="skip"), out=tmp_path / "suite", workers=2)
    problems = [json.loads(line) for line in (tmp_path / "suite" / "problems.jsonl").read_text().splitlines()]
    assert [problem["where"] for problem in problems] == [f"{corpus}:{number}" for number in (4, 21, 50)]
    assert sum(suite.manifest.source.skipped.values()) == 3
    assert suite.manifest.source.pairs == 47
    assay.verify(tmp_path / "suite")


def test_what_another_command_left_is_not_in_the_suite(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    corpus = write_corpus(50)
    (tmp_path / ".suite.partial").mkdir()
    (tmp_path / ".suite.partial" / "problems.jsonl").write_text("{}\n")
    (tmp_path / ".suite.partial" / "data").mkdir()
    build(FAMILIES, corpus, out=tmp_path / "suite", batch=10)
    assert sorted(contents(tmp_path / "suite")) == ["cases.jsonl", "manifest.json"]


@pytest.mark.parametrize("families", [["negation", "negation"], ["negation", "negation/v1"], []])
def test_families_are_named_once(tmp_path: Path, families: list[str]) -> None:
    with pytest.raises(UserError):
        assay.build(families, out=tmp_path / "suite")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("storage", STORAGES)
def test_odd_paths(write_corpus: WriteCorpus, tmp_path: Path, storage: Storage) -> None:
    odd = "an 'odd' [1] *? {x} é\n#%.d"
    (tmp_path / odd).mkdir()
    corpus = write_corpus(30, name=f"{odd}/{odd}.jsonl")
    suite = assay.build(FAMILIES, corpus, out=tmp_path / odd / "suite [a]*", storage=storage)
    assert len(list(suite)) == len(suite) > 0
    assay.verify(suite.folder)


def test_a_full_disk_names_the_way_out_and_keeps_the_parts(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    """A limit on the size of files stands in for a full disk: parts fit, the whole does not."""
    corpus = write_corpus(3000)
    code = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1_500_000, 1_500_000))
sys.argv = ["assay", *sys.argv[1:]]
from assay.cli.main import main
main()
"""
    for storage, count in (("jsonl", 2), ("parquet", 1)):
        command = ["build", "original", "negation", "word-overlap", "--from", corpus, "--out", tmp_path / "suite"]
        command += ["--storage", storage, "--workers", count]
        done = subprocess.run([sys.executable, "-B", "-c", code, *map(str, command)], capture_output=True, text=True)
        assert done.returncode == 3, done.stderr
        assert "Error: Can't write" in done.stderr
        assert "--out" in done.stderr
        assert "Traceback" not in done.stderr
        assert not (tmp_path / "suite").exists()
        assert list((tmp_path / ".suite.partial" / "parts").glob("*.part"))


def test_a_place_that_cannot_be_written_is_an_external_error(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(ExternalError, match="Can't write"):
        assay.build("negation", write_corpus(3), out=tmp_path / "file" / "suite")


def test_standard_input(write_corpus: WriteCorpus, tmp_path: Path, assay: Assay) -> None:
    corpus = write_corpus(30)
    assay("build", *FAMILIES, "--from", "-", "--out", "piped", "--workers", 2, stdin=corpus.read_text())
    assay("build", *FAMILIES, "--from", corpus, "--out", "file")
    assert (tmp_path / "piped" / "cases.jsonl").read_bytes() == (tmp_path / "file" / "cases.jsonl").read_bytes()
    assert os.listdir(tmp_path / "piped") == os.listdir(tmp_path / "file")  # noqa: PTH208 - names are enough
