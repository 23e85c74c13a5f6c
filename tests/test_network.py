"""Nobody is called, and nothing is left in the user's home, unless somebody asks for it.

Native code opens sockets without asking Python, and in processes and threads of its own. So the operating system is
asked: strace sees every call of every process.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.house import HOUSE, imported, modules

from assay.language.resources.installed import resource_folder, wordnet
from assay.language.text.tokens import tokens
from assay.reports.write.output_formats import output_formats
from assay.storage.files import connect

OUTSIDE = re.compile(r"socket\(AF_(?!UNIX)")
"""A socket that can reach beyond this machine; looking up a name needs one too."""

PATIENCE = 15
"""Seconds after which the most patient library, onnxruntime, has called its vendor."""

VERBS = """
import json, sys, time
from assay.cli.main import assay
for words in json.loads(sys.argv[1]):
    assay(words, standalone_mode=False)
time.sleep(float(sys.argv[2]))
"""

NATIVE = """
import subprocess, sys
subprocess.run([sys.executable, "-c", "import ctypes; ctypes.CDLL(None).socket(2, 2, 0)"], check=True)
"""

SETTINGS = ("ASSAY_", "HF_", "ORT_", "XDG_")
"""Variables that could hide what a user without any would see."""

SMALL = ("--limit", "6", "--family", "negation", "--model")


TEXTS = ("A cook fries two eggs.", "The dog sleeps under a table.", "Rain fell on the old roof.")


class Watch:
    """Runs Python under strace, in a folder and with a home of the test."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.home.mkdir()
        kept = {name: value for name, value in os.environ.items() if not name.startswith(SETTINGS)}
        self.env = {**kept, "HOME": str(self.home), "ASSAY_DATA": str(resource_folder().parent)}

    def calls(self, code: str, *words: str) -> list[str]:
        """What the program did that reaches beyond this machine."""
        trace = self.folder / "trace"
        watched = ["strace", "-f", "-qq", "--seccomp-bpf", "-e", "signal=none", "-e", "trace=socket", "-o", str(trace)]
        done = subprocess.run(
            [*watched, sys.executable, "-c", code, *words],
            cwd=self.folder,
            env=self.env,
            capture_output=True,
            text=True,
            timeout=600,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return [line for line in trace.read_text().splitlines() if OUTSIDE.search(line)]

    def calls_of(self, *verbs: tuple[object, ...], patience: int = 0) -> list[str]:
        """The same for verbs of the command line, one after the other."""
        return self.calls(VERBS, json.dumps([[str(word) for word in verb] for verb in verbs]), str(patience))

    def left(self) -> list[str]:
        """What was written into the user's home beside Assay's own cache."""
        files = (path.relative_to(self.home).as_posix() for path in self.home.rglob("*") if path.is_file())
        return [file for file in files if not file.startswith(".cache/assay/")]


@pytest.fixture
def watch(tmp_path: Path) -> Watch:
    """Where strace is missing or forbidden, CI fails and everybody else is told how to get it."""
    program = shutil.which("strace")
    if program is None or subprocess.run([program, "-f", "-qq", "true"], capture_output=True).returncode:
        missing = "no strace that works here (`make strace`, or apt-get install strace)"
        pytest.fail(missing) if os.environ.get("CI") else pytest.skip(missing)
    wordnet()
    return Watch(tmp_path)


def pairs(folder: Path) -> tuple[str, ...]:
    """Options for training on hardly anything."""
    rows = ({"premise": text, "hypothesis": text, "label": "entailment"} for text in TEXTS)
    (folder / "pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return ("--from", "pairs.jsonl", "--dev", "pairs.jsonl")


def test_the_watch_sees_native_code_of_other_processes(watch: Watch) -> None:
    assert len(watch.calls(NATIVE)) == 1


def test_a_run_and_its_report_call_nobody(watch: Watch) -> None:
    assert not watch.calls_of(("run", *SMALL, "assay:cbow", "--model", "assay:minilm"))
    settings = {"eval-results": ("--set", "dataset=me/suite")}
    assert not watch.calls_of(
        *(("report", "runs", "--to", each, "--out", f"as-{each}", *settings.get(each, ())) for each in output_formats())
    )
    assert not watch.left()
    assert list(watch.home.rglob("*.sqlite")), "answers are kept there, so it is the home that was used"


def test_building_and_verifying_call_nobody(watch: Watch) -> None:
    build = ("build", "negation", "--limit", 6, "--storage", "parquet", "--out", "suite")
    assert not watch.calls_of(build, ("verify", "suite"), ("export", "suite", "--to", "csv", "--out", "csv"))
    assert not watch.left()


def test_training_and_exporting_call_nobody_even_after_a_while(watch: Watch) -> None:
    """With the models of the run above, so that all libraries are waited for once."""
    pytest.importorskip("torch", reason="training needs PyTorch")
    words = {token.text for text in TEXTS for token in tokens(text) if token.text.isalpha()}
    rows = (f"{word} {' '.join(f'{place * len(word) / 100:.3f}' for place in range(12))}\n" for word in sorted(words))
    (watch.folder / "vectors.txt").write_text("".join(rows))
    assert not watch.calls_of(
        ("train", "cbow", "--preset", "tiny", *pairs(watch.folder), "--vectors", "vectors.txt", "--out", "system"),
        ("run", *SMALL, "trained:system", "--model", "assay:cbow", "--model", "assay:minilm"),
        ("export", "trained:system", "--to", "onnx", "--set", "precision=int8", "--limit", 9, "--out", "exported"),
        patience=PATIENCE,
    )
    assert not watch.left()


def test_a_transformer_in_a_folder_calls_nobody(watch: Watch) -> None:
    pytest.importorskip("transformers", reason="these are models of transformers")
    from tests import tiny_classifier

    folder = tiny_classifier.save(watch.folder / "model")
    assert not watch.calls_of(
        ("run", *SMALL, f"hf:{folder}", "--set", "truncate=premise"),
        ("train", "bert", "--preset", "tiny", *pairs(watch.folder), "--set", f"checkpoint={folder}", "--out", "system"),
    )
    assert not watch.left()


def test_duckdb_downloads_no_extensions() -> None:
    with connect() as connection:
        assert connection.execute("SELECT current_setting('autoinstall_known_extensions')").fetchall() == [(False,)]


def test_libraries_that_call_out_are_tamed_in_one_place() -> None:
    """Everybody else takes them from there."""
    code = {path.relative_to(HOUSE).as_posix(): path.read_text(encoding="utf-8") for path in modules()}
    roots = {path: {each.partition(".")[0] for each in imported(text, package="assay")} for path, text in code.items()}
    runtime = {path for path, names in roots.items() if "onnxruntime" in names}
    assert runtime == {"models/adapters/onnx.py"}
    assert {path for path, text in code.items() if "duckdb.connect(" in text} == {"storage/files.py"}
