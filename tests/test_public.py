"""The public surface: sorted, complete, lazy, and typed."""

import email
import importlib.metadata
import subprocess
import sys
from pathlib import Path

import pytest

import assay
from assay import _HOMES

HEAVY = {
    "datasets",
    "duckdb",
    "msgspec",
    "numpy",
    "pandas",
    "pyarrow",
    "rich",
    "scipy",
    "torch",
    "yaml",
    "zstandard",
}


def python(code: str) -> str:
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def imported(*command: str) -> set[str]:
    """The top-level packages that a command imports."""
    done = subprocess.run([sys.executable, "-X", "importtime", *command], capture_output=True, text=True, check=True)
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}


def test_the_surface_is_sorted_and_complete() -> None:
    assert assay.__all__ == sorted(assay.__all__)
    assert set(assay.__all__) == {*_HOMES, "__version__"}
    assert dir(assay) == assay.__all__


@pytest.mark.parametrize("name", assay.__all__)
def test_every_name_is_there(name: str) -> None:
    assert getattr(assay, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'biuld'"):
        assay.biuld  # noqa: B018


@pytest.mark.parametrize(
    "code",
    [
        "import assay",
        "import assay.run.build; import assay",
        "from assay.run.journey import carry_out; import assay",
        "import assay; import assay.run.build",
        "import assay; assay.run; from assay.run.journey import carry_out",
        "from assay import run; import assay.run; import assay",
        "import importlib, assay; importlib.import_module('assay.run.verbs')",
    ],
)
def test_run_stays_callable_whatever_is_imported(code: str) -> None:
    assert python(f"{code}; print(callable(assay.run), assay.run.__module__)") == "True assay.run.verbs\n"


@pytest.mark.parametrize("command", [("-c", "import assay"), ("-m", "assay", "--help"), ("-m", "assay", "--version")])
def test_nothing_heavy_is_imported_before_it_is_needed(command: tuple[str, ...]) -> None:
    found = imported(*command)
    assert "assay" in found
    assert not found & HEAVY


def test_the_measure_of_imports_sees_a_heavy_one() -> None:
    assert "numpy" in imported("-c", "import assay; assay.run")


def test_the_core_needs_neither_torch_nor_pandas() -> None:
    required = importlib.metadata.requires("nli-assay") or []
    core = {line.partition(">")[0].partition("[")[0].strip() for line in required if "extra ==" not in line}
    assert {"click", "msgspec", "rich"} <= core
    assert not core & {"torch", "pandas", "pyarrow", "datasets", "onnxruntime"}
    metadata = email.message_from_string(str(importlib.metadata.metadata("nli-assay")))
    assert metadata["Requires-Python"] == ">=3.11"


def test_a_type_checker_sees_the_types(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    script = tmp_path / "script.py"
    script.write_text(
        "import assay\n"
        "reveal_type(assay.run())\n"
        "reveal_type(assay.read('x'))\n"
        "reveal_type(assay.build('negation', out='x'))\n"
        "assay.build(3, out='x')\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", script],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    for kind in ("assay.core.run.RunRecord", "assay.corpora.reading.Corpus", "assay.core.suite.Suite"):
        assert f'Revealed type is "{kind}"' in done.stdout, done.stdout
    assert 'has incompatible type "int"' in done.stdout
    assert done.stdout.count("error:") == 1, done.stdout
