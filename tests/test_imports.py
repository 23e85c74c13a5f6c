"""Nothing heavy is imported, or required, before it is needed."""

import email
import importlib.metadata
import subprocess
import sys

import pytest

import assay

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


def imported(*command: str) -> set[str]:
    """The top-level packages that a command imports."""
    done = subprocess.run([sys.executable, "-X", "importtime", *command], capture_output=True, text=True, check=True)
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}


@pytest.mark.parametrize(
    "command",
    [
        ("-c", "import assay"),
        ("-m", "assay", "--help"),
        ("-m", "assay", "--version"),
        (
            "-c",
            "import os, pytest; os.chdir(os.sep); pytest.main(['--help'])",
        ),  # with the plugin, far from our conftest
    ],
)
def test_nothing_heavy_is_imported_before_it_is_needed(command: tuple[str, ...]) -> None:
    found = imported(*command)
    assert "assay" in found
    assert not found & HEAVY


def test_the_measure_of_imports_sees_a_heavy_one() -> None:
    assert "numpy" in imported("-c", "import assay.evaluate.case_columns")


def test_the_core_needs_neither_torch_nor_pandas() -> None:
    required = importlib.metadata.requires("nli-assay") or []
    core = {line.partition(">")[0].partition("[")[0].strip() for line in required if "extra ==" not in line}
    assert {"click", "msgspec", "rich"} <= core
    assert not core & {"torch", "pandas", "pyarrow", "datasets", "transformers"}
    metadata = email.message_from_string(str(importlib.metadata.metadata("nli-assay")))
    assert metadata["Requires-Python"] == ">=3.11"


def test_tests_load_the_modules_that_users_load() -> None:
    assert type(assay.__loader__).__name__ == "SourceFileLoader", "assertions are rewritten"
