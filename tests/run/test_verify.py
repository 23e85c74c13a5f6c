"""Every kind of damage to a suite is found and named."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.conftest import Assay
from tests.fixtures.runs import WriteCorpus

import assay
from assay.core.errors import BadInputError, CheckFailedError
from assay.core.manifest import Manifest, Storage
from assay.core.serialise import to_json
from assay.run.verify_stored import MOST_NAMED, damages
from assay.storage.files import digest
from assay.storage.suite import Suite

Damage = Callable[[Path], object]


def lines_changed(change: Callable[[list[bytes]], list[bytes]]) -> Damage:
    def damage(folder: Path) -> None:
        path = folder / "cases.jsonl"
        path.write_bytes(b"".join(change(path.read_bytes().splitlines(keepends=True))))

    return damage


def manifest_changed(change: Callable[[dict[str, object]], object], *, sealed: bool = False) -> Damage:
    def damage(folder: Path) -> None:
        path = folder / "manifest.json"
        manifest = json.loads(path.read_text())
        change(manifest)
        path.write_bytes(to_json(msgspec.convert(manifest, Manifest).sealed() if sealed else manifest))

    return damage


def flip(path: Path, place: float) -> None:
    data = bytearray(path.read_bytes())
    data[int(len(data) * place)] ^= 1
    path.write_bytes(data)


def cut(path: Path, place: float = 0.5) -> None:
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * place)])


DAMAGES: dict[str, tuple[Damage, str]] = {
    "a byte flipped": (lambda folder: flip(folder / "cases.jsonl", 0.5), "differ from those that were built"),
    "a line removed": (lines_changed(lambda lines: lines[:4] + lines[5:]), "cases, but the manifest says"),
    "a line twice": (lines_changed(lambda lines: [lines[0], *lines]), "occurs twice"),
    "a line broken": (lines_changed(lambda lines: [lines[0][:20] + b"\n", *lines[1:]]), "cases.jsonl:1: not a case"),
    "a line empty": (lines_changed(lambda lines: [*lines, b"\n"]), "not a case"),
    "no UTF-8": (lines_changed(lambda lines: [lines[0].replace(b"Clerk", b"Cl\xffrk"), *lines[1:]]), "not a case"),
    "a label changed": (
        lines_changed(lambda lines: [lines[0].replace(b'"label":"entailment"', b'"label":"neutral"'), *lines[1:]]),
        "but the manifest says",
    ),
    "a label unknown": (
        lines_changed(lambda lines: [lines[0].replace(b'"label":"entailment"', b'"label":"maybe"'), *lines[1:]]),
        "not a case",
    ),
    "a field missing": (
        lines_changed(lambda lines: [lines[0].replace(b'"origin"', b'"orijin"'), *lines[1:]]),
        "origin",
    ),
    "an origin split": (lines_changed(lambda lines: [*lines[1:], lines[0]]), "are not next to each other"),
    "the order changed": (lines_changed(lambda lines: [lines[1], lines[0], *lines[2:]]), "differ from those"),
    "no final line end": (lines_changed(lambda lines: [*lines[:-1], lines[-1].rstrip()]), "has been changed since"),
    "cut off": (lambda folder: cut(folder / "cases.jsonl"), "cases, but the manifest says"),
    "emptied": (lambda folder: (folder / "cases.jsonl").write_bytes(b""), "0 cases"),
    "cases gone": (lambda folder: (folder / "cases.jsonl").unlink(), "the suite's cases are missing"),
    "manifest gone": (lambda folder: (folder / "manifest.json").unlink(), "no manifest.json"),
    "manifest garbage": (
        lambda folder: (folder / "manifest.json").write_bytes(b"\xff{"),
        "manifest.json: damaged",
    ),
    "manifest cut off": (lambda folder: cut(folder / "manifest.json"), "manifest.json: damaged"),
    "count changed": (manifest_changed(lambda m: m.update(cases=1), sealed=True), "but the manifest says 1"),
    "counts changed": (manifest_changed(lambda m: m.update(counts={}), sealed=True), "but the manifest says {}"),
    "a family added": (
        manifest_changed(lambda m: m.update(counts={**m["counts"], "x": {"neutral": 1}}), sealed=True),  # type: ignore[dict-item]
        "x: {}, but the manifest says",
    ),
    "digest changed": (
        manifest_changed(lambda m: m.update(digest="0"), sealed=True),
        "differ from those that were built",
    ),
    "file digest changed": (
        manifest_changed(lambda m: m.update(file_digest="0"), sealed=True),
        "has been changed since it was built",
    ),
    "seed changed": (manifest_changed(lambda m: m.update(seed=8)), "manifest.json: damaged: it has been changed"),
    "source counts changed": (
        manifest_changed(lambda m: m["source"].update(pairs=7)),  # type: ignore[attr-defined]
        "manifest.json: damaged: it has been changed",
    ),
    "skips changed": (manifest_changed(lambda m: m.update(skips={})), "manifest.json: damaged: it has been changed"),
    "seal removed": (manifest_changed(lambda m: m.pop("seal")), "manifest.json: damaged: it has been changed"),
    "newer schema": (
        lambda folder: (folder / "manifest.json").write_bytes(b'{"schema": 99, "shape": "another"}'),
        "written by a newer Assay",
    ),
    "storage unknown": (manifest_changed(lambda m: m.update(storage="xls")), "damaged"),
    "a field of the manifest gone": (manifest_changed(lambda m: m.pop("seed")), "damaged"),
}


@pytest.fixture
def suite(write_corpus: WriteCorpus, tmp_path: Path) -> Path:
    assay.build(["original", "negation"], write_corpus(40), out=tmp_path / "suite")
    return tmp_path / "suite"


@pytest.mark.parametrize("kind", DAMAGES)
def test_damage_is_found(suite: Path, kind: str) -> None:
    damage, said = DAMAGES[kind]
    assert damages(suite) == []
    damage(suite)
    found = damages(suite)
    assert any(said in each for each in found), found
    assert all(str(suite) in each for each in found), "it does not say where"
    with pytest.raises(CheckFailedError) as caught:
        assay.verify(suite)
    assert caught.value.exit_code == 1


@pytest.mark.parametrize("storage", ["jsonl.zst", "parquet"])
@pytest.mark.parametrize("place", [0.0, 0.01, 0.2, 0.5, 0.9, 0.999])
def test_damage_to_packed_cases_is_found(
    write_corpus: WriteCorpus, tmp_path: Path, storage: Storage, place: float
) -> None:
    for name, damage in (("flipped", flip), ("cut", cut)):
        suite = assay.build(["original", "negation"], write_corpus(300), out=tmp_path / name, storage=storage)
        assert damages(suite.folder) == []
        damage(suite.cases_file, place)
        assert damages(suite.folder)


def test_an_edited_suite_is_found_though_its_file_digest_was_mended(suite: Path) -> None:
    cases = suite / "cases.jsonl"
    cases.write_bytes(cases.read_bytes().replace(b"Somebody", b"Nobody", 1))
    manifest_changed(lambda m: m.update(file_digest=digest(cases)), sealed=True)(suite)
    unproven, changed = damages(suite)
    assert unproven.startswith(f"{cases}:1: the label of 'original/v1:s-0' does not hold: not verified: undoing")
    assert changed == f"{cases}: the cases differ from those that were built (SHA-256 of the content)"


def sealed_anew(folder: Path) -> None:
    """Mend every digest, as somebody could who edits with care."""
    suite = Suite.open(folder)
    cases = digest(suite.cases_file)
    manifest = msgspec.structs.replace(suite.manifest, digest=cases, file_digest=cases).sealed()
    (folder / "manifest.json").write_bytes(to_json(manifest))


@pytest.mark.parametrize("family", ["original", "negation", "swap"])
def test_a_changed_label_is_found_though_every_digest_was_mended(
    family: str, write_corpus: WriteCorpus, tmp_path: Path
) -> None:
    folder = assay.build(["original", "negation", "swap"], write_corpus(4), out=tmp_path / "suite").folder

    def change(lines: list[bytes]) -> list[bytes]:
        at = next(n for n, line in enumerate(lines) if f'"family":"{family}"'.encode() in line)
        case = json.loads(lines[at])
        case["label"] = {"neutral": "contradiction"}.get(case["label"], "neutral")
        if family == "swap":
            case["provenance"]["edit"]["expects"] = "hold"
        return [*lines[:at], json.dumps(case).encode() + b"\n", *lines[at + 1 :]]

    lines_changed(change)(folder)
    sealed_anew(folder)
    counts: dict[str, Counter[str]] = {}
    for case in Suite.open(folder):
        counts.setdefault(case.family, Counter())[case.compared_with.value] += 1
    manifest_changed(lambda m: m.update(counts=counts), sealed=True)(folder)
    sealed_anew(folder)
    [found] = damages(folder)
    why = "entailment should drop" if family == "swap" else "undoing the change does not give the source"
    assert f"does not hold: not verified: {why}" in found


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda m: m.update(seed=8), "the seed is 8, but its recipes have the seed 0"),
        (lambda m: m["recipes"][1].update(seed=8), "was made by a recipe that the manifest does not have"),
        (lambda m: m["source"].update(pairs=7), "the source has 7 pairs, but 40 by label"),
        (lambda m: m["source"].update(rows=99), "the source has 99 records"),
        (lambda m: m["source"].update(pairs=90, rows=90, labels={"neutral": 90}), "original: 40 pairs with cases"),
        (lambda m: m["skips"].update(original={"x": 3}), "original: 40 pairs with cases and 3 skips, of 40 pairs"),
    ],
)
def test_edits_of_the_manifest_are_found_though_it_was_sealed_anew(
    change: Callable[[dict[str, Any]], object], said: str, suite: Path
) -> None:
    manifest_changed(change, sealed=True)(suite)
    found = damages(suite)
    assert any(said in each for each in found), found


def test_the_first_damages_are_named_and_the_rest_counted(suite: Path) -> None:
    lines_changed(lambda lines: [b"{}\n" for _ in lines])(suite)
    found = damages(suite)
    assert len(found) == MOST_NAMED + 2
    assert found[-1].startswith("...")


def test_reading_a_damaged_suite_names_the_line(suite: Path) -> None:
    lines_changed(lambda lines: [*lines[:2], b"[]\n", *lines[3:]])(suite)
    with pytest.raises(BadInputError, match=r"cases\.jsonl: damaged: it has been changed"):
        list(Suite.open(suite))
    sealed_anew(suite)
    with pytest.raises(BadInputError, match=r"cases\.jsonl:3: not a case"):
        list(Suite.open(suite))


def test_the_command_exits_with_1_and_names_the_damage(suite: Path, assay: Assay) -> None:
    assert "undamaged" in assay("verify", suite).stderr
    flip(suite / "cases.jsonl", 0.3)
    done = assay("verify", suite, code=1)
    assert "cases.jsonl" in done.stderr
    assert json.loads(assay("verify", suite, "--json", code=1).stdout)["damages"]


def test_a_changed_manifest_is_refused_wherever_a_suite_is_read(suite: Path, tmp_path: Path) -> None:
    manifest_changed(lambda m: m.update(versions={"assay": "9.9.9"}))(suite)
    readers: list[Callable[[], object]] = [
        lambda: assay.export(suite, "csv", out=tmp_path / "out.csv"),
        lambda: assay.run(suites=[suite], models=["assay:overlap"], out=tmp_path / "runs"),
        lambda: assay.audit(suite),
    ]
    for reader in readers:
        with pytest.raises(BadInputError, match=r"manifest\.json: damaged: .*\n  Restore it from a copy"):
            reader()
