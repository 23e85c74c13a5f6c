"""Draws the journey of a pair, the layers and the features: `architecture.svg`, readable on light and dark pages."""

import ast
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 1000, 710

LIGHT = {
    "paper": "#ffffff",
    "ink": "#1f2328",
    "faint": "#59636e",
    "package": "#ddf4ff",
    "thing": "#f6f8fa",
    "line": "#59636e",
}
DARK = {
    "paper": "#0d1117",
    "ink": "#e6edf3",
    "faint": "#9198a1",
    "package": "#12334f",
    "thing": "#1c2128",
    "line": "#9198a1",
}


class Box(NamedTuple):
    """A package or a thing, with a line or two in it."""

    x: int
    y: int
    width: int
    title: str
    lines: tuple[str, ...]
    kind: str = "package"
    height: int = 76

    @property
    def left(self) -> tuple[int, int]:
        return self.x, self.y + self.height // 2

    @property
    def right(self) -> tuple[int, int]:
        return self.x + self.width, self.y + self.height // 2

    @property
    def bottom(self) -> tuple[int, int]:
        return self.x + self.width // 2, self.y + self.height


FILE = Box(20, 70, 150, "a corpus", ("file, folder, zip,", "stdin, hub, table"), "thing")
CORPORA = Box(230, 70, 150, "corpora", ("one reader", "per format"))
STRESS = Box(440, 70, 150, "stress", ("one builder", "per family"))
BUILD = Box(650, 70, 150, "run/build", ("applies, checks,", "counts, freezes"))
SUITE = Box(850, 70, 130, "Suite", ("manifest.json", "cases.jsonl"), "thing")

SKIPS = Box(
    255,
    190,
    440,
    "Skip",
    ("a record or pair that is not used, with the reason:", "counted, and shown in the manifest and the table"),
    "thing",
)

YOU = Box(20, 316, 120, "you", ("right for the", "right reasons?"), "thing")
REPORT = Box(175, 316, 140, "reports", ("page, tables,", "charts"))
RUN = Box(385, 316, 150, "run", ("stores one record,", "sealed"))
EVALUATE = Box(603, 316, 150, "evaluate", ("intervals, losses,", "diagnosis"))
MODELS = Box(840, 316, 140, "models", ("baselines, trained,", "your own"))

NOTES = {
    "core": "nouns, errors",
    "storage": "files, caches",
    "language": "English",
    "corpora": "file to Pair",
    "stress": "Pair to Edit",
    "models": "to Prediction",
    "evaluate": "to Estimate",
    "run": "to RunRecord",
    "reports": "tables, page",
    "cli": "commands",
    "training": "loop, presets",
    "studies": "plans, analyses",
    "annotate": "human check",
    "serve": "in the browser",
    "audit": "of a test set",
    "ask": "about one pair",
    "gate": "rules, pytest",
    "compare": "two runs",
    "score": "answer files",
    "export": "other formats",
}
"""A few words about each package."""


def drawing() -> str:
    """The whole picture."""
    boxes = (FILE, CORPORA, STRESS, BUILD, SUITE, SKIPS, YOU, REPORT, RUN, EVALUATE, MODELS)
    arrows = (
        _across(FILE.right, CORPORA.left, "rows"),
        _across(CORPORA.right, STRESS.left, "Pair"),
        _across(STRESS.right, BUILD.left, "Edit"),
        _across(BUILD.right, SUITE.left),
        _down(CORPORA.bottom, SKIPS.y),
        _down(STRESS.bottom, SKIPS.y),
        _elbow((SKIPS.x + SKIPS.width, SKIPS.y + 38), BUILD.bottom),
        _down(SUITE.bottom, MODELS.y, "Case"),
        _across(MODELS.left, EVALUATE.right, "Prediction"),
        _across(EVALUATE.left, RUN.right, "Estimate"),
        _across(RUN.left, REPORT.right, "RunRecord"),
        _across(REPORT.left, YOU.right),
    )
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
            'aria-label="The journey of a pair, and the layers and features of Assay">',
            f"<style>{_style(LIGHT)}@media (prefers-color-scheme: dark) {{{_style(DARK)}}}</style>",
            '<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" '
            'orient="auto-start-reverse"><path class="tip" d="M0 0 10 5 0 10z"/></marker></defs>',
            f'<rect class="paper" width="{WIDTH}" height="{HEIGHT}" rx="8"/>',
            '<text class="head" x="20" y="38">The journey of a pair. Nothing flows back.</text>',
            *arrows,
            *(_box(box) for box in boxes),
            *_packages(),
            "</svg>\n",
        )
    )


def _packages() -> list[str]:
    """The layers and the features, in the order of the test that reads the imports."""
    rules = _rules()
    layers = {name: (NOTES[name],) for name in rules["LAYERS"]}
    features = {
        name: (NOTES[name], *_exceptions(sorted(rules["EXCEPTIONS"].get(name, ())))) for name in rules["FEATURES"]
    }
    return [
        '<text class="head" x="20" y="446">Layers. Each may import those to its left.</text>',
        *_strip(layers, y=462, height=58),
        '<text class="head" x="20" y="562">Features. Each may import layers, and only cli imports a feature.</text>',
        *_strip(features, y=578, height=112),
    ]


def _rules() -> dict[str, Any]:
    """The constants of tests/test_architecture.py."""
    tree = ast.parse((Path(__file__).parents[2] / "tests" / "test_architecture.py").read_text(encoding="utf-8"))
    assigned = [node for node in tree.body if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)]
    names = ("LAYERS", "FEATURES", "EXCEPTIONS")
    return {node.targets[0].id: ast.literal_eval(node.value) for node in assigned if node.targets[0].id in names}


def _exceptions(names: Sequence[str]) -> tuple[str, ...]:
    """The features that a feature may import, two a line."""
    lines = [", ".join(names[start : start + 2]) for start in range(0, len(names), 2)]
    return ("also imports", *lines) if lines else ()


def _strip(packages: Mapping[str, tuple[str, ...]], *, y: int, height: int) -> list[str]:
    """A row of packages, each with a few words."""
    gap = 6
    width = (WIDTH - 40 + gap) // len(packages) - gap
    return [
        _box(Box(20 + number * (width + gap), y, width, name, lines, "package", height), small=True)
        for number, (name, lines) in enumerate(packages.items())
    ]


def _box(box: Box, *, small: bool = False) -> str:
    middle = box.x + box.width // 2
    title, kind = ("short", "note") if small else ("name", "line")
    lines = "".join(
        f'<text class="{kind}" x="{middle}" y="{box.y + 46 + 18 * i}">{escape(line)}</text>'
        for i, line in enumerate(box.lines)
    )
    return (
        f'<rect class="{box.kind}" x="{box.x}" y="{box.y}" width="{box.width}" height="{box.height}" rx="6"/>'
        f'<text class="{title}" x="{middle}" y="{box.y + 25}">{escape(box.title)}</text>{lines}'
    )


def _across(start: tuple[int, int], end: tuple[int, int], word: str = "") -> str:
    return _line(start, end) + f'<text class="word" x="{(start[0] + end[0]) // 2}" y="{start[1] - 8}">{word}</text>'


def _down(start: tuple[int, int], to: int, word: str = "") -> str:
    x, y = start
    return _line(start, (x, to)) + f'<text class="word" x="{x + 28}" y="{(y + to) // 2 + 5}">{word}</text>'


def _elbow(start: tuple[int, int], end: tuple[int, int]) -> str:
    return f'<path class="arrow" marker-end="url(#tip)" d="M{start[0]} {start[1]}H{end[0]}V{end[1] + 1}"/>'


def _line(start: tuple[int, int], end: tuple[int, int]) -> str:
    return f'<path class="arrow" marker-end="url(#tip)" d="M{start[0]} {start[1]}L{end[0]} {end[1]}"/>'


def _style(colours: dict[str, str]) -> str:
    return (
        "text{{font-family:system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif;text-anchor:middle}}"
        ".paper{{fill:{paper}}}.head{{fill:{ink};font-size:18px;font-weight:600;text-anchor:start}}"
        ".name{{fill:{ink};font-size:16px;font-weight:600}}.line{{fill:{faint};font-size:13px}}.word{{fill:{ink};font-size:12px}}"
        ".short{{fill:{ink};font-size:14px;font-weight:600}}.note{{fill:{faint};font-size:11px}}"
        ".package{{fill:{package};stroke:{line}}}.thing{{fill:{thing};stroke:{line};stroke-dasharray:4 3}}"
        ".arrow{{fill:none;stroke:{line};stroke-width:1.5}}.tip{{fill:{line}}}"
    ).format(**colours)
