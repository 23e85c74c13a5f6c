"""Every kind of folder that Assay makes: `--overwrite` replaces one of its own kind, and nothing of the user's."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.fixtures.runs import contents

import assay
from assay.annotate.sample import draw_sample
from assay.core.errors import OutputExistsError
from assay.core.run_record import CorpusReading
from assay.reports.write.output_formats import report
from assay.storage.suite import Suite
from assay.training.train_system import TrainSettings, train_system
from assay.training.training_corpus import TrainingPairs, TrainSpec, write_corpus

PAIRS = CorpusReading(source="bundled", limit=12)

Make = Callable[[Path, bool], object]
"""Makes a folder, over another one if it may."""


def suite(out: Path, overwrite: bool) -> None:
    corpus = out.with_name("broken.jsonl")
    corpus.write_text('{"premise": "A dog ran.", "hypothesis": "It ran.", "label": "entailment"}\nno record\n')
    assay.build(["original", "negation"], assay.read(corpus, on_error="skip"), out=out, overwrite=overwrite)
    assert (out / "problems.jsonl").is_file()


def exported_suite(target: str) -> Make:
    def make(out: Path, overwrite: bool) -> None:
        made = out.with_name("made")
        if not made.exists():
            suite(made, False)
        assay.export(made, target, out=out, overwrite=overwrite)
        if target == "lm-eval":  # as Python does when the harness loads the tasks
            (out / "__pycache__").mkdir(exist_ok=True)
            (out / "__pycache__" / "cases.cpython-311.pyc").write_bytes(b"x")

    return make


def training_corpus(out: Path, overwrite: bool) -> None:
    spec = TrainSpec(system="cbow/v1", sources=(PAIRS,), rates=(1.0,), dev=PAIRS)
    write_corpus(spec, TrainingPairs(spec).parts(0), out, seed=0, overwrite=overwrite)


def trained(out: Path, overwrite: bool) -> None:
    pytest.importorskip("torch", reason="training needs PyTorch")
    vectors, asked = out.with_name("vectors.txt"), out.with_name("asked")
    vectors.write_text("".join(f"{word}{' 0.5' * 12}\n" for word in ("a", "dog", "ran")))
    if not asked.exists():
        assay.build("negation", assay.read("bundled", limit=3), out=asked)
    spec = TrainSpec(system="cbow/v1", preset="tiny", sources=(PAIRS,), rates=(1.0,), dev=PAIRS, vectors=str(vectors))
    train_system(spec, out, TrainSettings(suites=[asked], overwrite=overwrite))


def exported_model(out: Path, overwrite: bool) -> None:
    for module in ("torch", "onnx"):
        pytest.importorskip(module, reason="exporting needs it")
    from tests.models.small_systems import make

    from assay.export.export_model import export_model
    from assay.models.systems.system import save_system

    save_system(make("cbow"), "cbow/v1", out.with_name("system"))
    export_model(f"trained:{out.with_name('system')}", out, source=assay.read("bundled", limit=3), overwrite=overwrite)


KINDS: dict[str, Make] = {
    "suite": suite,
    "hf": exported_suite("hf"),
    "lm-eval": exported_suite("lm-eval"),
    "training corpus": training_corpus,
    "trained": trained,
    "exported model": exported_model,
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_folder_replaces_its_own_kind_and_nothing_of_the_users(tmp_path: Path, kind: str) -> None:
    make, out = KINDS[kind], tmp_path / "out"
    make(out, False)
    before = set(contents(out))
    make(out, True)
    assert set(contents(out)) == before
    assert not [path.name for path in tmp_path.iterdir() if path.name.startswith(".")]
    (out / "notes.txt").write_text("precious")
    kept = contents(out)
    with pytest.raises(OutputExistsError, match=r"that Assay did not write.*: notes\.txt\."):
        make(out, True)
    assert contents(out) == kept


def test_a_task_of_the_users_own_is_spared(tmp_path: Path) -> None:
    make, out = KINDS["lm-eval"], tmp_path / "out"
    make(out, False)
    (out / "assay_made_mine.yaml").write_text("task: mine\n")
    with pytest.raises(OutputExistsError, match=r"assay_made_mine\.yaml"):
        make(out, True)


def run(out: Path) -> None:
    record = assay.run(assay.read("bundled", limit=3), families="negation", models="assay:majority", out=out.parent)
    report(out.parent / record.id)
    (out.parent / record.id).rename(out)


def charts(out: Path) -> None:
    out.mkdir()
    (out / "heatmap.svg").write_text("<svg/>")


def sample(out: Path) -> None:
    suite(out.with_name("made"), False)
    draw_sample(Suite.open(out.with_name("made")), out, annotators=["a"], size=2)


def extension(out: Path) -> None:
    """A folder of somebody else whose files happen to have our names."""
    for name in ("src/main.js", ".git/HEAD"):
        (out / name).parent.mkdir(parents=True)
        (out / name).write_text("precious")
    for name in ("manifest.json", "record.json", "system.json", "training.json", "agreement.json"):
        (out / name).write_text(json.dumps({"manifest_version": 3, "schema": 1, "name": "An extension"}))


OTHERS: dict[str, Callable[[Path], None]] = {
    **{kind: lambda out, make=make: make(out, False) for kind, make in list(KINDS.items())[:4]},  # type: ignore[misc]
    "run": run,
    "charts": charts,
    "sample": sample,
    "extension": extension,
}


@pytest.mark.parametrize("other", OTHERS)
def test_a_folder_of_another_kind_is_spared(tmp_path: Path, other: str) -> None:
    out = tmp_path / "out"
    OTHERS[other](out)
    kept = contents(out)
    for kind in [kind for kind in list(KINDS)[:4] if kind != other]:
        with pytest.raises(OutputExistsError, match="--overwrite does not replace"):
            KINDS[kind](out, True)
        assert contents(out) == kept, kind


def exports(tmp_path: Path) -> dict[str, Callable[[Path], object]]:
    """Everything that writes a single file over another one."""
    made = assay.build(["original", "swap"], assay.read("bundled", limit=12), out=tmp_path / "suite").folder
    record = assay.run(suites=[made], models="assay:overlap", out=tmp_path / "runs")
    suites = {to: lambda out, to=to: assay.export(made, to, out=out, overwrite=True) for to in SUITE_FILES}
    runs = {f"report {to}": lambda out, to=to: report(record, to=to, out=out, overwrite=True) for to in RUN_FILES}
    return {**suites, **runs}


SUITE_FILES = ("snli", "mnli", "hans", "glue", "csv", "parquet")
RUN_FILES = ("html", "md", "latex", "csv", "json", "card")
STRANGE = {
    "a key": b"-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n",
    "a page": b"<!doctype html>\n<html><head><title>Mine</title>",
    "a table": b"name,amount\nrent,400\n",
    "a picture": b"\x89PNG\r\n\x1a\n" + bytes(60),
    "records": b'{"name": "rent", "amount": 400}\n',
    "a parquet file": b"PAR1" + bytes(60) + b"PAR1",
}


def test_a_file_that_assay_did_not_write_is_never_replaced(tmp_path: Path) -> None:
    out = tmp_path / "out"
    for name, write in exports(tmp_path).items():
        for what, content in STRANGE.items():
            out.write_bytes(content)
            with pytest.raises(OutputExistsError, match="does not look like an earlier result"):
                write(out)
            assert out.read_bytes() == content, (name, what)
        out.unlink()
        write(out)
        written = out.read_bytes()
        write(out)
        assert out.read_bytes() == written, name
        out.unlink()
