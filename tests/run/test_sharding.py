"""Shards: any share of the work on any machine, and the same bytes in the end."""

import json
import shutil
from pathlib import Path

import pytest
from tests.conftest import Assay
from tests.fixtures.runs import WriteCorpus

from assay.core.errors import BadInputError, UserError
from assay.corpora.reader import read
from assay.run.build.recipes import recipes_for
from assay.run.build.suite_builder import build_suite, parts_of
from assay.run.verify_stored import examine
from assay.run.workers.pool import InlineExecutor, WorkerPool
from assay.run.workers.shard import (
    Shard,
    build_shard,
    examine_merged,
    finished_shards,
    gather_parts,
    read_card,
    verify_shard,
)

SMALL = WorkerPool(InlineExecutor(), 1, batch=2)
"""Two pairs per batch, so that a few pairs are several batches."""

RECIPES = recipes_for(["original", "negation"], seed=0)
WORDS = ("build", "negation", "--out", "suite")
RUN = ("run", "--family", "negation", "--no-report", "--quiet", "--out", "runs", "--model")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def build_in(corpus: Path, out: Path, count: int) -> Path:
    for index in range(1, count + 1):
        made = build_shard(read(corpus), RECIPES, out, pool=SMALL, shard=Shard(index, count, WORDS))
    return made.parent


class Counting(InlineExecutor):
    def __init__(self) -> None:
        self.calls = 0

    def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        self.calls += 1
        return super().submit(fn, *args, **kwargs)


@pytest.mark.parametrize("count", [1, 2, 7])
def test_shards_give_the_bytes_of_one_process(count: int, write_corpus: WriteCorpus, tmp_path: Path) -> None:
    corpus = write_corpus(9)
    whole = build_suite(read(corpus), RECIPES, tmp_path / "whole", pool=SMALL)
    out = tmp_path / "suite"
    shards = finished_shards(build_in(corpus, out, count))
    merging = gather_parts(shards, parts_of(out), batch=2)
    build_suite(read(corpus), RECIPES, out, pool=merging)
    assert contents(out) == contents(whole.folder)
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_a_shard_that_was_killed_before_it_got_its_name_is_missing(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    folder = build_in(write_corpus(9), tmp_path / "suite", 2)
    (folder / "2-of-2").rename(folder / ".2-of-2.partial")
    with pytest.raises(UserError, match="--shard 2/2"):
        finished_shards(folder)


def test_a_finished_shard_is_not_made_again_unless_it_is_damaged(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    corpus, executor = write_corpus(9), Counting()
    pool = WorkerPool(executor, 1, batch=2)

    def make(words: tuple[str, ...] = WORDS) -> Path:
        return build_shard(read(corpus), RECIPES, tmp_path / "suite", pool=pool, shard=Shard(1, 2, words))

    folder = make()
    assert executor.calls == 3
    make()
    assert executor.calls == 3
    part = folder / next(iter(read_card(folder).files))
    whole = part.read_bytes()
    part.write_bytes(whole[:-1])
    make()
    assert part.read_bytes() == whole
    with pytest.raises(UserError, match="made by another command"):
        make(("build", "swap", "--out", "suite"))


class TestMerging:
    """What can be wrong with a folder of shards."""

    def test_a_missing_shard_is_named_with_its_command(self, write_corpus: WriteCorpus, tmp_path: Path) -> None:
        folder = build_in(write_corpus(9), tmp_path / "suite", 3)
        shutil.rmtree(folder / "2-of-3")
        with pytest.raises(UserError, match=r"1 of 3 shards is missing.*\n    assay build negation .*--shard 2/3"):
            finished_shards(folder)

    def test_a_damaged_shard_is_named_with_its_command(self, write_corpus: WriteCorpus, tmp_path: Path) -> None:
        folder = build_in(write_corpus(9), tmp_path / "suite", 2)
        part = next((folder / "2-of-2" / "parts").iterdir())
        part.write_bytes(part.read_bytes().replace(b"Clerk", b"Clark"))
        with pytest.raises(BadInputError, match=r"(?s)damaged.*--shard 2/2"):
            finished_shards(folder)

    def test_shards_of_different_commands_do_not_belong_together(
        self, write_corpus: WriteCorpus, tmp_path: Path
    ) -> None:
        corpus = write_corpus(9)
        folder = build_in(corpus, tmp_path / "suite", 2)
        other = build_shard(
            read(corpus), RECIPES, tmp_path / "other", pool=SMALL, shard=Shard(2, 2, ("build", "swap", "--out", "x"))
        )
        shutil.rmtree(folder / "2-of-2")
        shutil.copytree(other, folder / "2-of-2")
        with pytest.raises(BadInputError, match=r"(?s)belongs to another command.*assay build swap"):
            finished_shards(folder)

    def test_a_shard_of_another_corpus_is_named(self, write_corpus: WriteCorpus, tmp_path: Path) -> None:
        out = tmp_path / "suite"
        folder = build_in(write_corpus(9), out, 2)
        changed = read(write_corpus(9, word="parcels"))
        merging = gather_parts(finished_shards(folder), parts_of(out), batch=2)
        with pytest.raises(UserError, match=r"(?s)1-of-2 does not hold part 0.*Delete it and run again.*--shard 1/2"):
            build_suite(changed, RECIPES, out, pool=merging)
        assert not out.exists()

    def test_there_must_be_some(self, tmp_path: Path) -> None:
        with pytest.raises(BadInputError, match="no finished shards"):
            finished_shards(tmp_path)


@pytest.mark.parametrize("text", ["0/3", "4/3", "1", "a/b", "1/0", "-1/2"])
def test_what_is_no_shard_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="is not a shard"):
        Shard.parse(text)


def test_labels_are_proven_in_shards(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    suite = build_suite(read(write_corpus(9)), RECIPES, tmp_path / "suite", pool=SMALL)
    for index in (1, 2):
        made = verify_shard(suite.folder, pool=SMALL, shard=Shard(index, 2, ("verify", "suite")))
    found = examine_merged(suite.folder, made.parent, batch=2)
    assert found == examine(suite.folder)
    assert found.labels.total() == len(suite)


def figures(folder: Path) -> dict[str, object]:
    """What a run found, without when and where."""
    record = json.loads((folder / "record.json").read_bytes())
    return {key: value for key, value in record.items() if key not in ("id", "created", "seal", "seconds")}


@pytest.mark.parametrize("model", ["assay:majority", "assay:overlap", "assay:cbow", "assay:esim"])
def test_runs_in_shards_give_the_same_record(
    model: str, assay: Assay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assay(*RUN, model, "--limit", 9)
    (whole,) = (tmp_path / "runs").iterdir()
    kept = tmp_path / "whole"
    whole.rename(kept)
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path / "elsewhere"))
    for index in (1, 2):
        assay(*RUN, model, "--limit", 9, "--shard", f"{index}/2")
    (shards,) = (tmp_path / "runs").iterdir()
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path / "third place"))
    assay("run", "--merge", shards.relative_to(tmp_path))
    (merged,) = (path for path in (tmp_path / "runs").iterdir() if path != shards)
    assert figures(merged) == figures(kept)
    answers = {name: data for name, data in contents(kept).items() if name.startswith(("predictions", "suites"))}
    assert answers == {
        name: data for name, data in contents(merged).items() if name.startswith(("predictions", "suites"))
    }


def test_the_command_line_says_what_to_do_next(assay: Assay, tmp_path: Path) -> None:
    words = ("build", "negation", "--limit", 3, "--out", "suite")
    said = assay(*words, "--shard", "1/2").stderr
    assert "When all are done: assay build --merge suite.shards" in said
    said = assay("build", "--merge", "suite.shards", code=2).stderr
    assert "assay build negation --limit 3 --out suite --workers 1 --shard 2/2" in said
    assay(*words, "--shard=2/2")
    assert "The suite is in suite" in assay("build", "--merge", "suite.shards").stderr
    assert "labels: 3 verified" in assay("verify", "suite").stderr
    assert "is not a shard" in assay(*words, "--shard", "3/2", code=2).stderr
    assert "standard input" in assay(*words, "--from", "-", "--shard", "1/2", code=2).stderr
