"""Plain words in documents, help and messages: patterns that came back are caught here, each with its reason."""

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from tests.conftest import ROOT

from assay.cli.main import assay

DOCUMENTS = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *(ROOT / "docs").rglob("*.md")])
CODE = re.compile(r"^ *```.*?^ *```$|`[^`\n]+`|\]\([^)]*\)", re.DOTALL | re.MULTILINE)

PATTERNS = {
    r"\d %(?!\w)": 'English writes "95%" without a space',
    r"\b[Pp]er cent\b": 'write "percent", or "%" after a number',
    r"\bregimes?\b": "a way to train is a condition",
    r"\b(?:remed(?:y|ies)|prescriptions?|cures?)\b": "there is one word for it: mitigation",
    r"\b(?:proven|provably)\b": "a program verifies a label; it proves nothing about the world",
    r"\bmore than chance explains\b": 'say "significant" and name the test',
    r"\b(?:repeats|contradicts) the paper\b": 'say "same direction" or "opposite direction"',
    r"\bmodels? whose reasons are known\b": 'say "baseline"',
    r"\b(?:leans?|leaning) on\b": 'a model "takes a shortcut" or "relies on" something',
    r"\bpairs that are not entailed\b": 'write "non-entailed pairs"',
    r"\bof which the newest is used\b": 'write "(the newest is used)"',
    r"\bpublished figures?\b": 'write "published numbers": a figure is a picture',
    r"\bnli-assay\[": "there is no release yet: name the extra, or `pip install '.[extra]'` in a clone",
    r"\.\./shared/": "readers have no such folder",
    r"\bin the place of\b": 'write "in place of" or "instead of"',
    r"\bmakes? (?:[a-z]+ ){0,2}of (?:a|the|this|each) pair\b": "a family builds cases from a pair",
    r"(?<![Tt]here )\bis no (?!longer\b|more\b|better\b|worse\b|less\b|such\b)[a-z]": 'write "is not a"',
    r"\bThe p (?:is|has)\b": 'write "p value" in a sentence',
    r"\bdifference to the\b": 'write "difference from the"',
}

STRINGS = {
    r"\d %(?= [a-z])|^ %(?=[ .,;)])": 'write "95%"; published columns such as "25 %" are data and stay as printed',
    r"pip install [^\n]*nli-assay": "nothing is on PyPI yet",
    r"\bThere are \{": 'write "Choose from"',
    r"\bis asked\b": "a model runs or predicts",
    r"\bPer cent\b": 'write "Percent"',
    r"\bmore than chance explains\b": 'say "significantly"',
    r"\bits changed self\b": 'say "its edited copy"',
    r"\bfor (?:a )?careful (?:user|reader)": "notes are for the user, careful or not",
    **{pattern: PATTERNS[pattern] for pattern in PATTERNS if pattern.startswith((r"\bin the", r"\bmakes", "(?<!"))},
}


def found_in(text: str) -> Iterator[str]:
    for pattern, reason in PATTERNS.items():
        for match in re.finditer(pattern, text):
            yield f"{match[0]!r}: {reason}"


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_documents_use_plain_words(page: Path) -> None:
    assert list(found_in(CODE.sub(" ", page.read_text(encoding="utf-8")))) == []


def commands(command: click.Command, context: click.Context) -> Iterator[tuple[click.Command, click.Context]]:
    yield command, context
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner
            yield from commands(inner, click.Context(inner, parent=context, info_name=name))


def test_help_uses_plain_words() -> None:
    for command, context in commands(assay, click.Context(assay, info_name="assay", **assay.context_settings)):
        assert list(found_in(command.get_help(context))) == [], context.command_path


def test_strings_of_the_package_use_plain_words() -> None:
    """Messages, notes and docstrings."""
    for path in sorted((ROOT / "src" / "assay").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                text = "\n".join(line for line in node.value.splitlines() if ">>>" not in line)
                found = [reason for pattern, reason in STRINGS.items() if re.search(pattern, text)]
                assert not found, f"{path.relative_to(ROOT)}:{node.lineno}: {text[:60]!r}: {found}"


def test_the_glossary_is_short() -> None:
    words = re.findall(r"^\| \*\*", (ROOT / "docs" / "reference" / "glossary.md").read_text(), re.MULTILINE)
    assert 0 < len(words) <= 25


def test_patterns_find_what_they_are_for() -> None:
    assert next(found_in("95 % of the published figures in this regime")).startswith("'5 %'")
    assert not list(found_in("95% of the published numbers under this condition"))


def test_documents_are_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "tools" / "docs")
    counts = importlib.import_module("count_words").pages_written()
    assert counts["README.md"] <= 1_000
    assert sum(counts.values()) <= 40_000
