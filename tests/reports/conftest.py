"""A stored run that the tests of reports look at."""

import io
from pathlib import Path

import msgspec
import pytest
from rich.console import Console, RenderableType

import assay
from assay.bench.stored import open_run
from assay.core.results.estimate import Estimate
from assay.core.run import RunRecord
from assay.evaluate.judge.verdict import judge
from assay.reports.view import View, view_of

FAMILIES = ("negation", "word-overlap", "lexical", "swap", "heuristics")
MODELS = ("assay:majority", "assay:hypothesis-words", "assay:overlap")

OBEYED_BY_TERMINALS = "[red]x[/red][link=http://evil]\x1b[31m\x1b]0;owned\x07\x9b2J\u202e\u200b\u2066 :smile: a\rb\nc"
"""Markup, escape sequences of both kinds, a bell, marks of direction, an emoji's name and line breaks."""

OBEYED_BY_DOCUMENTS = "a_b & 50 % #1 $x$ {y} \\input{/etc/passwd} ~^ <t> |p| \"q\" 'r' `s` -- é 日 \u202e"
"""What LaTeX, Markdown and HTML would take for commands or markup."""


@pytest.fixture(scope="session")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small run with a ladder, swapped pairs, heuristics and lexical categories."""
    out = tmp_path_factory.mktemp("runs")
    corpus = assay.read("bundled", limit=90)
    record = assay.run(corpus, families=FAMILIES, models=MODELS, ladder=2, per_subcase=3, out=out, cache=False)
    return out / record.id


@pytest.fixture(scope="session")
def run(stored: Path) -> RunRecord:
    """The record of that run."""
    return open_run(stored)


@pytest.fixture(scope="session")
def view(run: RunRecord) -> View:
    """The run, as reports see it."""
    return view_of([run])


def with_estimates(run: RunRecord, *estimates: Estimate) -> RunRecord:
    """The same run with other figures, judged anew."""
    counts = {name: manifest.counts for name, manifest in run.suites.items()}
    return msgspec.structs.replace(run, estimates=estimates, judgement=judge(estimates, counts))


def drawn(thing: RenderableType, *, width: int = 100) -> str:
    """What a terminal shows, without colours."""
    out = io.StringIO()
    Console(file=out, width=width, highlight=False).print(thing)
    return out.getvalue()
