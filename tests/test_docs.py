"""The documents: generated ones are up to date, links lead somewhere, examples run, fields are those of the code."""

import importlib
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from types import FunctionType
from typing import Any

import msgspec
import pytest
from tests.conftest import ROOT, Assay
from tests.test_architecture import FEATURES, LAYERS

import assay as public
from assay.cli.main import PLACES, VERBS
from assay.core import case, estimate, manifest, run_record

PACKAGE = ROOT / "src" / "assay"
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
EXAMPLES = [
    ROOT / "docs" / name
    for name in (
        "explanation/report.md",
        "explanation/statistics.md",
        "how-to/audit.md",
        "how-to/ci.md",
        "how-to/one-pair.md",
        "reference/python.md",
    )
]

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SECTION = re.compile(r"^### `(\w+)`\n(.*?)(?=^##|\Z)", re.DOTALL | re.MULTILINE)
FIELD = re.compile(r"^\| `(\w+)` \|", re.MULTILINE)

EXAMPLE_STRUCTS: dict[str, Any] = {"Case": case.Case, "Prediction": case.Prediction}


def page_id(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def anchor(heading: str) -> str:
    """How GitHub names a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def anchors(page: Path) -> set[str]:
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    return {anchor(heading) for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE)}


def test_generated_documents_are_up_to_date(tmp_path: Path) -> None:
    generate = str(ROOT / "tools" / "docs" / "generate.py")
    subprocess.run([sys.executable, generate, str(tmp_path), "--without-run"], check=True)
    made = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file())
    assert Path("docs/contributing/architecture.svg") in made
    made = [path for path in made if path.parent.name != "plots"]  # fonts differ; see the next test
    stale = [str(path) for path in made if (ROOT / path).read_bytes() != (tmp_path / path).read_bytes()]
    assert not stale, f"run `make docs`: {', '.join(stale)}"


def test_plots_are_drawn_from_the_records(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "tools" / "docs")
    plots = importlib.import_module("plots")
    specs = plots.specs()
    assert {path.name for path in plots.FOLDER.glob("*.svg")} == {*specs}
    assert not [name for name, spec in specs.items() if not plots.is_drawn(name, spec)], "run `make docs`"


def test_the_table_and_the_pictures_of_the_readme_are_of_todays_suite(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Checked by baselines, which are quick: their rows and the numbers of cases change if the suite does."""
    monkeypatch.syspath_prepend(ROOT / "tools" / "docs")
    record = public.run(models=["assay:hypothesis-only", "assay:overlap"], out=tmp_path)
    rows = [
        line.replace("*", "").split()  # baselines are judged if there is nothing else
        for line in importlib.import_module("generate").run_table(record).splitlines()
        if line.strip().startswith(("overlap", "hypothesis-only", "best guess", "cases"))
    ]
    assert len(rows) == 4
    shown = [line.split() for line in (ROOT / "README.md").read_text(encoding="utf-8").splitlines()]
    assert not [row for row in rows if row not in shown], "run `make docs`"
    pictured = msgspec.json.decode((ROOT / "docs" / "images" / "report.json").read_bytes())
    counts = {name: sum(labels.values()) for name, labels in record.suites["stress"].counts.items()}
    assert pictured == counts, "run `make docs`: the pictures of the report show another suite"


def test_links_lead_somewhere() -> None:
    for page in PAGES:
        for link in LINK.findall(BLOCK.sub("", page.read_text(encoding="utf-8"))):
            if "://" in link:
                continue
            path, _, part = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            assert target.exists(), f"{page.name} links to {link}"
            assert not part or part in anchors(target), f"{page.name} links to {link}, and there is no such heading"


@pytest.mark.parametrize("page", EXAMPLES, ids=page_id)
def test_examples_run(page: Path, assay: Assay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    assert blocks
    for language, code in blocks:
        if language == "python":
            exec(compile(code, page_id(page), "exec"), {"__name__": "example"})
        for line in code.splitlines() if language == "console" else ():
            assay(*shlex.split(line.removeprefix("$ assay ")))


NAMED = re.compile(r"`((?:[\w-]+/)+(?:[\w-]+\.\w+)?)`")
DEFINED = re.compile(r"`(\w+)`\s+in\s+`([\w/]+\.py)`")
PLACE = re.compile(r"^\| `([\w-]+)` \| `([\w/]+)\.py` \|", re.MULTILINE)


@pytest.mark.parametrize(
    "page", ["CONTRIBUTING.md", "docs/contributing/architecture.md", "docs/explanation/statistics.md"]
)
def test_files_and_functions_that_a_page_names_are_there(page: str) -> None:
    text = BLOCK.sub("", (ROOT / page).read_text(encoding="utf-8"))
    assert NAMED.findall(text)
    missing = [name for name in NAMED.findall(text) if not ((PACKAGE / name).exists() or (ROOT / name).exists())]
    assert not missing
    for name, file in DEFINED.findall(text):
        code = (PACKAGE / file).read_text(encoding="utf-8")
        assert re.search(rf"^(?:def |class )?{name}\b", code, re.MULTILINE), name


def test_the_architecture_page_says_where_each_command_is() -> None:
    rows = dict(PLACE.findall((ROOT / "docs" / "contributing" / "architecture.md").read_text(encoding="utf-8")))
    assert rows == {verb: PLACES.get(verb, f"cli.{verb}").replace(".", "/") for verb in VERBS}


INNER = re.compile(rf"assay\.(?:{'|'.join((*LAYERS, *FEATURES))})\.\w")
"""A module of a package, as code names it."""

PUBLIC_MODULE = re.compile(r"^\| `(assay(?:\.\w+)+)` \|", re.MULTILINE)
"""A row of the table of public modules on the page about Python."""


def users_pages() -> list[Path]:
    """The pages for users; what describes the code itself must name its packages."""
    about = (ROOT / "docs" / "contributing" / "architecture.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md")
    return [page for page in PAGES if page.parent != ROOT / "docs" / "contributing" / "decisions" and page not in about]


def test_pages_for_users_point_to_no_inner_module() -> None:
    modules = PUBLIC_MODULE.findall((ROOT / "docs" / "reference" / "python.md").read_text(encoding="utf-8"))
    assert modules
    for module in modules:
        importlib.import_module(module)
    known = re.compile("|".join(map(re.escape, (*modules, "assay.core.errors."))))  # the last in tracebacks
    for page in users_pages():
        lines = page.read_text(encoding="utf-8").splitlines()
        found = [line for line in lines if INNER.search(known.sub("", line))]
        assert not found, f"{page_id(page)}: add it to the public modules in python.md: {found[0]}"


def test_an_inner_module_is_found() -> None:
    assert INNER.search("from assay.core.case import Answer")
    assert INNER.search("see `assay.studies.experiments.heuristic_support`")
    assert not INNER.search('[project.entry-points."assay.models"]')
    assert not INNER.search("`assay.models`. Then")


def test_every_public_name_is_on_the_page_of_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "tools" / "docs")
    text = importlib.import_module("python_page").page()
    assert not {*public.__all__} - {"__version__", "errors", "protocols", "registry", *re.findall(r"\w+", text)}
    for name in public.__all__:
        first = (getattr(public, name).__doc__ or "").strip().partition("\n")[0]
        if isinstance(getattr(public, name), type | FunctionType) and not name.endswith("Error"):
            assert first, f"{name} has no docstring"
            assert first in text


def test_every_attribute_of_a_family_is_explained() -> None:
    text = (ROOT / "docs" / "how-to" / "extend.md").read_text(encoding="utf-8")
    assert FIELD.findall(text) == list(public.protocols.Traits.__struct_fields__)


def test_every_stored_field_is_on_the_page_of_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "tools" / "docs")
    text = importlib.import_module("schemas").page()
    for kind in (manifest.Manifest, case.Case, run_record.RunRecord, case.Prediction, estimate.Estimate):
        section = text.partition(f"## {kind.__name__}\n")[2].partition("\n## ")[0]
        assert FIELD.findall(section) == list(kind.__struct_encode_fields__)


def test_example_lines_have_the_fields_of_the_code() -> None:
    text = (ROOT / "docs" / "reference" / "files.md").read_text(encoding="utf-8")
    for name, kind in EXAMPLE_STRUCTS.items():
        (line,) = [code for language, code in BLOCK.findall(text.partition(f"### {name}\n")[2]) if language == "json"][
            :1
        ]
        assert {*msgspec.json.decode(line)} <= {*kind.__struct_encode_fields__}


def test_example_plugin_is_shown_as_it_is() -> None:
    """The classes in docs/how-to/extend.md are those of the package that the tests install."""
    source = (ROOT / "tests" / "plugin" / "src" / "assay_example" / "__init__.py").read_text(encoding="utf-8")
    blocks = [
        code
        for language, code in BLOCK.findall((ROOT / "docs" / "how-to" / "extend.md").read_text(encoding="utf-8"))
        if language == "python"
    ]
    classes = [code for code in blocks if code.startswith("class ")]
    assert len(classes) == 5
    for code in classes:
        assert code.strip() in source


def test_a_family_in_one_file_runs(tmp_path: Path) -> None:
    blocks = BLOCK.findall((ROOT / "docs" / "how-to" / "extend.md").read_text(encoding="utf-8"))
    (script,) = [code for language, code in blocks if language == "python" and "assay.run(" in code]
    done = subprocess.run([sys.executable, "-W", "error", "-c", script], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 3
    assert all(line.split(".")[0].isupper() for line in lines)


def test_the_words_and_tags_that_extensions_use_are_there() -> None:
    blocks = BLOCK.findall((ROOT / "docs" / "how-to" / "extend.md").read_text(encoding="utf-8"))
    (script,) = [code for language, code in blocks if language == "python" and "assay.language" in code]
    exec(compile(script, "extend.md", "exec"), {})


def test_the_site_builds_and_asks_no_other_host(tmp_path: Path) -> None:
    """Strict: a broken link, a page outside of the navigation or a missing anchor is an error."""
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", tmp_path],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1", "ASSAY_SITE_QUICK": "1"},
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stderr
    fetched = re.compile(r"<(?:script|link|img|iframe|source)\b[^>]*\b(?:src|href)=\"(?:https?:)?//[^\"]+")
    pages = sorted(tmp_path.rglob("*.html"))
    assert len(pages) > 40
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert not fetched.findall(text), page
        assert 'data-md-component="source"' not in text, (
            f"{page}: the theme would ask the repository's host for its stars"
        )


@pytest.mark.slow
def test_every_bad_input_ends_in_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "tools" / "docs")
    bad_input = importlib.import_module("bad_input")
    sections = bad_input.page().split("\n## ")[1:]
    assert len(sections) == len(bad_input.TRIALS)
    for section in sections:
        title = section.partition("\n")[0]
        assert re.search(r"Exit code [0-3]\.", section), title
        assert "Traceback" not in section, title
        assert re.search(r"^Error: |skip", section, re.MULTILINE), title


def test_the_tests_that_the_security_page_names_are_there() -> None:
    named = set(re.findall(r"`(tests/[\w/.]+)`", (ROOT / "SECURITY.md").read_text(encoding="utf-8")))
    assert len(named) > 10
    assert not [name for name in sorted(named) if not (ROOT / name).exists()]
