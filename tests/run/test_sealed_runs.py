"""A stored run that was changed in any way is refused, and every damage to it is found."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from tests.fixtures.runs import MakeRun, store

import assay
from assay.core.errors import BadInputError, CheckFailedError, UserError
from assay.core.run_record import RECORD_SCHEMA, RunRecord
from assay.core.serialise import from_json, to_json
from assay.run.stored_run import open_run
from assay.run.verify_stored import examine_run
from assay.storage.suite import Suite

MUTATIONS = 240

Change = Callable[[bytes, Random], bytes]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of two models on a few cases."""
    out = tmp_path_factory.mktemp("runs")
    corpus = assay.read("bundled", limit=6)
    record = assay.run(corpus, families="negation", models=["assay:majority", "assay:overlap"], out=out)
    return out / record.id


@pytest.fixture
def copy(small: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(small, tmp_path / "run"))


def flip(data: bytes, rng: Random) -> bytes:
    """Change a bit."""
    place = rng.randrange(len(data))
    return data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :]


def cut(data: bytes, rng: Random) -> bytes:
    return data[: rng.randrange(len(data))]


def doubled(data: bytes, rng: Random) -> bytes:
    """Have a line twice."""
    lines = data.splitlines(keepends=True)
    place = rng.randrange(len(lines))
    return b"".join([*lines[:place], lines[place], *lines[place:]])


def without_line(data: bytes, rng: Random) -> bytes:
    lines = data.splitlines(keepends=True)
    place = rng.randrange(len(lines))
    return b"".join([*lines[:place], *lines[place + 1 :]])


def spaced(data: bytes, rng: Random) -> bytes:
    """Change nothing but the look."""
    return msgspec.json.format(data, indent=rng.choice([0, 1, 3, 4]))


def structured(change: Callable[[Any, Random], None]) -> Change:
    """A change that leaves good JSON of the same look behind."""

    def changed(data: bytes, rng: Random) -> bytes:
        content = json.loads(data)
        change(rng.choice([each for each in _objects(content) if len(each) > 1]), rng)
        return msgspec.json.format(json.dumps(content, ensure_ascii=False).encode(), indent=2) + b"\n"

    return changed


def _objects(content: Any) -> list[dict[str, Any]]:
    """Every object inside."""
    found = [content] if isinstance(content, dict) else []
    inside = content.values() if isinstance(content, dict) else content if isinstance(content, list) else ()
    return found + [each for part in inside for each in _objects(part)]


def drop(thing: dict[str, Any], rng: Random) -> None:
    del thing[rng.choice(list(thing))]


def reorder(thing: dict[str, Any], _: Random) -> None:
    for name in reversed(list(thing)):
        thing[name] = thing.pop(name)


def add(thing: dict[str, Any], rng: Random) -> None:
    thing[f"new-{rng.random()}"] = rng.random()


def other(thing: dict[str, Any], rng: Random) -> None:
    """Give a field another value, mostly of its own kind."""
    name = rng.choice(list(thing))
    match thing[name]:
        case bool() | None:
            thing[name] = 1
        case int() | float() as number:
            thing[name] = rng.choice([number + 1, -number - 1, number * 10 + 1, number + 0.5])
        case str() as text:
            thing[name] = text + rng.choice(["x", "é", '"'])
        case _:
            thing[name] = rng.choice([None, "", 0, [], {}]) if thing[name] else None


CHANGES: dict[str, Change] = {
    "flip": flip,
    "cut": cut,
    "doubled": doubled,
    "without_line": without_line,
    "spaced": spaced,
    "drop": structured(drop),
    "reorder": structured(reorder),
    "add": structured(add),
    "other": structured(other),
}


def test_no_change_to_a_record_goes_unnoticed(copy: Path) -> None:
    path = copy / "record.json"
    intact = path.read_bytes()
    assert open_run(copy).seal
    for number in range(MUTATIONS):
        kind = [*CHANGES][number % len(CHANGES)]
        changed = CHANGES[kind](intact, Random(number))
        assert changed != intact, (kind, number)
        path.write_bytes(changed)
        with pytest.raises(BadInputError) as refused:
            open_run(copy)
        assert refused.value.exit_code == 2, (kind, number)
        assert refused.value.where == str(path), (kind, number)
        assert refused.value.hint, (kind, number)
        assert examine_run(copy).damages == [str(refused.value)], (kind, number)


def test_a_figure_that_was_raised_does_not_pass_a_gate(copy: Path) -> None:
    path = copy / "record.json"
    rule = "negation.accuracy>=0.9"
    assert not assay.gate(copy, rules=rule).passed
    record = from_json(path, RunRecord, newest=RECORD_SCHEMA)
    better = tuple(msgspec.structs.replace(each, value=0.97) for each in record.estimates)
    path.write_bytes(to_json(msgspec.structs.replace(record, estimates=better)))
    readers: list[Callable[[], object]] = [
        lambda: assay.gate(copy, rules=rule),
        lambda: assay.compare(copy, models=["majority", "overlap"]),
        lambda: assay.failures(copy),
        lambda: assay.report(copy),
    ]
    for read in readers:
        with pytest.raises(BadInputError, match=r"record\.json: damaged: it has been changed since the run"):
            read()
    assert not (copy / "report.html").exists()


def rewrite(name: str, change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    def damage(run: Path) -> None:
        (path,) = run.glob(name)
        path.write_bytes(change(path.read_bytes()))

    return damage


def gone(name: str) -> Callable[[Path], None]:
    return lambda run: next(run.glob(name)).unlink()


ANSWERS = "predictions/assay-overlap-v1/stress.jsonl"
CASES = "suites/stress/cases.jsonl"


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (rewrite(ANSWERS, lambda data: data.replace(b"neutral", b"entailment", 1)), f"{ANSWERS}: damaged: it has been"),
        (rewrite(ANSWERS, lambda data: data.partition(b"\n")[2]), f"{ANSWERS}: damaged: it has been"),
        (gone(ANSWERS), f"{ANSWERS}: damaged: this file of the run is missing"),
        (rewrite(CASES, lambda data: data.replace(b'"neutral"', b'"entailment"', 1)), f"{CASES}: damaged: it has been"),
        (gone(CASES), f"{CASES}: damaged: the suite's cases are missing"),
    ],
)
def test_changed_answers_and_cases_are_refused_where_they_are_read(
    copy: Path, damage: Callable[[Path], None], said: str
) -> None:
    damage(copy)
    readers: list[Callable[[], object]] = [
        lambda: assay.compare(copy, models=["majority", "overlap"]),
        lambda: assay.failures(copy),
    ]
    if "suites" in said:
        suite = copy / "suites" / "stress"
        readers += [
            lambda: assay.audit(suite),
            lambda: assay.export(suite, "csv", out=copy / "cases.csv"),
            lambda: list(Suite.open(suite)),
            lambda: Suite.open(suite).to_pandas(),
        ]
    for read in readers:
        with pytest.raises(BadInputError, match=said) as refused:
            read()
        assert refused.value.hint


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (gone("record.json"), "not a run: there is no record.json"),
        (gone(ANSWERS), f"{ANSWERS}: the answers are missing"),
        (gone(CASES), f"{CASES}: the suite's cases are missing"),
        (gone("suites/stress/manifest.json"), "suites/stress: not a suite"),
        (rewrite(ANSWERS, lambda data: data.replace(b'"id"', b'"ib"', 1)), f"{ANSWERS}:1: not a prediction"),
        (rewrite(ANSWERS, lambda data: data.partition(b"\n")[2]), f"{ANSWERS}: 11 answers, but the record says 12"),
        (
            rewrite(CASES, lambda data: data.replace(b'"neutral"', b'"entailment"', 1)),
            f"{CASES}: the file has been changed",
        ),
    ],
)
def test_verify_names_damage_to_a_run(copy: Path, damage: Callable[[Path], None], said: str) -> None:
    assay.verify(copy, deep=True)
    damage(copy)
    with pytest.raises(CheckFailedError, match=said):
        assay.verify(copy)


def test_verify_notices_that_a_suite_is_another_one(copy: Path) -> None:
    suite = Suite.open(copy / "suites" / "stress")
    renamed = msgspec.structs.replace(suite.manifest.source, name="another corpus")
    other = msgspec.structs.replace(suite.manifest, source=renamed).sealed()
    (suite.folder / "manifest.json").write_bytes(to_json(other))
    assay.verify(suite.folder)
    with pytest.raises(CheckFailedError, match=r"manifest\.json: it differs from the one in the run's record"):
        assay.verify(copy)


def test_deep_finds_figures_that_the_answers_do_not_give(copy: Path) -> None:
    record = open_run(copy)
    assert examine_run(copy, deep=True) == ([], examine_run(copy).suites, 2, 24, len(record.estimates))
    first, second, *rest = record.estimates
    better = msgspec.structs.replace(first, value=0.97)
    store(copy, msgspec.structs.replace(record, estimates=(better, *rest)))
    assay.verify(copy)  # whoever seals anew is found out by the answers only
    wrong, missing = examine_run(copy, deep=True).damages
    assert f"{first.name} of original, {first.slice['model']}, stress is 0.97" in wrong
    assert f"its answers give {first.value}" in wrong
    assert f"{second.name} of" in missing
    assert "is missing, but its answers give" in missing
    store(copy, msgspec.structs.replace(record, estimates=(better, *record.estimates)))
    twice = examine_run(copy, deep=True).damages
    assert any("1 numbers more than once" in each for each in twice)
    versions = {**record.versions, "numpy": "0.0"}
    store(copy, msgspec.structs.replace(record, estimates=record.estimates[1:], versions=versions))
    assert "numpy 0.0 then" in examine_run(copy, deep=True).damages[-1]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda lines: lines[:-1], "does not have as many answers as the suite has cases"),
        (lambda lines: [*lines, lines[0]], "does not have as many answers as the suite has cases"),
        (lambda lines: lines[::-1], "but the suite has 'original/v1:"),
    ],
)
def test_deep_finds_answers_that_were_sealed_anew(
    copy: Path, change: Callable[[list[bytes]], list[bytes]], said: str
) -> None:
    path = copy / ANSWERS
    path.write_bytes(b"".join(change(path.read_bytes().splitlines(keepends=True))))
    store(copy, open_run(copy))
    with pytest.raises(CheckFailedError, match=f"its numbers can't be computed again: .*{said}"):
        assay.verify(copy, deep=True)


def test_a_suite_has_no_figures_to_compute_again(copy: Path) -> None:
    with pytest.raises(UserError, match="is not a run"):
        assay.verify(copy / "suites" / "stress", deep=True)


def test_a_run_with_other_names_is_whole(run: MakeRun) -> None:
    """The helper of other tests stores runs that pass for real ones."""
    assay.verify(run(overlap="assay:other/v1"))
