"""Built suites are kept for the next run, and never used where anything that decides them has changed."""

import json
import os
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.fixtures.runs import WriteCorpus, contents

import assay
from assay.core import registry
from assay.core.case import Recipe
from assay.core.run_record import CorpusReading, FromCorpus, FromPairs, Generated, SuiteSpec
from assay.run.build import suite_cache as module
from assay.run.build.suite_cache import LAYOUT, CachedSuite, cache_slot
from assay.run.workers.pool import PARTS, WHOLE, Progress, Stage
from assay.storage.cached_copies import DIGESTS
from assay.storage.folders import cache_folder

NEGATION = Recipe(transform="negation/v1", seed=0)


def listening(stages: list[str]) -> Stage:
    """A stage that notes what begins."""

    def stage(name: str, _total: int | None) -> Progress:
        stages.append(name)
        return lambda _: None

    return stage


def run(corpus: Path, out: Path, **options: Any) -> tuple[bool, dict[str, bytes]]:
    """Whether a suite was built for a run, and the files of the suite."""
    stages: list[str] = []
    chosen = {"families": "negation", "models": "assay:majority", **options}
    record = assay.run(assay.read(corpus), out=out, stage=listening(stages), **chosen)
    return "Building stress, 1 of 1" in stages, contents(out / record.id / "suites" / "stress")


def place(corpus: Path, *recipes: Recipe) -> Path:
    found = cache_slot(FromCorpus(reading=CorpusReading(source=str(corpus)), recipes=recipes or (NEGATION,)))
    assert found is not None
    return found.folder


def test_the_next_run_takes_the_suite_as_it_was_built(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    corpus = write_corpus(20)
    first, built = run(corpus, tmp_path / "runs")
    second, taken = run(corpus, tmp_path / "runs", models="assay:overlap")
    assert (first, second) == (True, False)
    assert taken == built
    assert sorted(taken) == ["cases.jsonl", "manifest.json"]


def test_stages_say_how_much_there_is_to_do(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    stages: dict[str, int | None] = {}
    done: Counter[str] = Counter()

    def stage(name: str, total: int | None) -> Progress:
        stages[name] = total
        return lambda more: done.update({name: more})

    corpus = assay.read(write_corpus(5), limit=3)
    record = assay.run(corpus, out=tmp_path, stage=stage, families="negation", models="assay:majority")
    cases = record.suites["stress"].cases
    steps = {"Building stress, 1 of 1": 3, "Running assay:majority/v1, 1 of 1": cases, "Measuring": None}
    assert stages == {WHOLE: PARTS, **steps}
    assert done == {name: total for name, total in stages.items() if total}


def test_generated_suites_and_reports_of_broken_records_are_kept_too(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    pair = {"premise": "It rains.", "hypothesis": "It is wet.", "label": "neutral"}
    corpus.write_text(f"{json.dumps(pair)}\n{{}}\n")
    runs = []
    for _ in range(2):
        stages: list[str] = []
        record = assay.run(
            assay.read(corpus, on_error="skip"),
            families=["negation", "heuristics"],
            per_subcase=1,
            models="assay:majority",
            out=tmp_path / "runs",
            stage=listening(stages),
        )
        runs.append(
            (sum(name.startswith("Building ") for name in stages), contents(tmp_path / "runs" / record.id / "suites"))
        )
    assert [built for built, _ in runs] == [2, 0]
    assert runs[0][1] == runs[1][1]
    assert "stress/problems.jsonl" in runs[1][1]


def test_without_the_cache_nothing_is_kept_or_taken(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    corpus = write_corpus(5)
    assert run(corpus, tmp_path / "runs", cache=False)[0]
    assert not cache_folder(LAYOUT).exists()
    run(corpus, tmp_path / "runs")
    before = contents(cache_folder(LAYOUT))
    assert run(corpus, tmp_path / "runs", cache=False)[0]
    assert contents(cache_folder(LAYOUT)) == before


def test_a_changed_corpus_is_built_anew(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    run(write_corpus(5), tmp_path / "runs")
    built, files = run(write_corpus(5, word="parcels"), tmp_path / "runs")
    assert built
    assert b"parcels" in files["cases.jsonl"]


@pytest.mark.parametrize("options", [{"seed": 1}, {"families": "word-overlap"}, {"switches": {"times": "2"}}])
def test_another_recipe_is_another_suite(write_corpus: WriteCorpus, tmp_path: Path, options: dict[str, Any]) -> None:
    corpus = write_corpus(5)
    run(corpus, tmp_path / "runs")
    assert run(corpus, tmp_path / "runs", **options)[0]


@pytest.mark.parametrize("damage", ["changed", "gone", "strange", "no digests"])
def test_a_damaged_suite_is_built_again_and_replaced(write_corpus: WriteCorpus, tmp_path: Path, damage: str) -> None:
    corpus = write_corpus(5)
    _, whole = run(corpus, tmp_path / "runs")
    [folder] = cache_folder(LAYOUT).iterdir()
    intact = contents(folder)
    cases = folder / "cases.jsonl"
    match damage:
        case "changed":
            cases.write_bytes(cases.read_bytes().replace(b"neutral", b"entailment", 1))
        case "gone":
            cases.unlink()
        case "strange":
            (folder / "problems.jsonl").write_bytes(b"{}\n")
        case "no digests":
            (folder / DIGESTS).write_bytes(b"{")
    built, files = run(corpus, tmp_path / "runs")
    assert built
    assert files == whole
    assert contents(folder) == intact


def test_a_run_can_be_changed_without_harm_to_the_next(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    corpus = write_corpus(5)
    _, whole = run(corpus, tmp_path / "runs")
    for path in (tmp_path / "runs").glob("*/suites/stress/*"):
        path.write_bytes(b"")
    assert run(corpus, tmp_path / "runs") == (False, whole)


def test_the_code_and_the_resources_decide(
    write_corpus: WriteCorpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = write_corpus(5)
    lexical = Recipe(transform="lexical/v1", seed=0)
    data = tmp_path / "data" / "english-1"
    data.mkdir(parents=True)
    for name in ("wordnet", "tagger"):
        (data / f"{name}.msgpack").write_bytes(b"one edition")
    monkeypatch.setenv("ASSAY_DATA", str(tmp_path / "data"))
    before = place(corpus, lexical)
    assert place(corpus, lexical) == before
    (data / "tagger.msgpack").write_bytes(b"another edition")
    after = place(corpus, lexical)
    assert after != before
    code = tmp_path / "code"
    code.mkdir()
    (code / "rules.py").write_text("STRICT = True\n")
    first = module._digest_of_files([code])
    (code / "rules.py").write_text("STRICT = False\n")
    assert module._digest_of_files([code]) != first


def test_what_nobody_can_foresee_is_not_kept(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    negation = (NEGATION,)

    def read(source: str | Path) -> SuiteSpec:
        return FromCorpus(reading=CorpusReading(source=str(source)), recipes=negation)

    assert cache_slot(read(write_corpus(3)))
    assert cache_slot(read("bundled"))
    assert cache_slot(Generated(recipe=Recipe(transform="heuristics/v1", seed=0), per_subcase=1))
    for unforeseen in (read("-"), read(tmp_path), read("hf:some/set")):
        assert cache_slot(unforeseen) is None
    assert cache_slot(FromPairs(name="mine", digest="0", recipes=negation)) is None


def test_a_transform_of_this_process_is_not_kept(write_corpus: WriteCorpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry.transforms, "_own", {})
    registry.transforms.register("mine/v1", "assay.stress.tautology.build:Negation")
    recipes = (Recipe(transform="mine/v1", seed=0),)
    assert cache_slot(FromCorpus(reading=CorpusReading(source=str(write_corpus(3))), recipes=recipes)) is None


def test_a_corpus_that_changed_while_it_was_read_is_not_kept(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    suite = assay.build("negation", write_corpus(3), out=tmp_path / "suite")
    changed = CachedSuite(tmp_path / "kept" / "key", read="0" * 64)
    changed.keep(suite)
    assert not changed.folder.exists()
    same = CachedSuite(tmp_path / "kept" / "key", read=suite.manifest.source.digest)
    same.keep(suite)
    assert same.is_whole


def test_those_used_longest_ago_make_room(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    suite = assay.build("negation", write_corpus(3), out=tmp_path / "suite")
    size = sum(path.stat().st_size for path in suite.folder.iterdir())
    room = tmp_path / "kept"
    for number, name in enumerate(("used", "unused")):
        CachedSuite(room / name).keep(suite)
        os.utime(room / name, (number, number))
    assert CachedSuite(room / "used").copied(tmp_path / "copy") is not None
    CachedSuite(room / "new", most_bytes=int(2.9 * size)).keep(suite)
    assert sorted(path.name for path in room.iterdir()) == ["new", "used"]


def test_a_suite_that_another_run_deleted_is_built(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    suite = assay.build("negation", write_corpus(3), out=tmp_path / "suite")
    here = CachedSuite(tmp_path / "kept" / "key")
    here.keep(suite)
    assert here.is_whole
    shutil.rmtree(here.folder)
    assert here.copied(tmp_path / "copy") is None
    assert not (tmp_path / "copy").exists()


def test_a_place_that_can_not_be_written_is_no_reason_to_stop(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    suite = assay.build("negation", write_corpus(3), out=tmp_path / "suite")
    (tmp_path / "file").write_bytes(b"")
    CachedSuite(tmp_path / "file" / "key").keep(suite)
    assert (tmp_path / "file").read_bytes() == b""
