"""Draws the journey of a pair: `architecture.svg`, readable on light and dark pages."""

from typing import NamedTuple
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 1000, 560

LIGHT = {
    "paper": "#ffffff",
    "ink": "#1f2328",
    "faint": "#59636e",
    "room": "#ddf4ff",
    "thing": "#f6f8fa",
    "line": "#59636e",
}
DARK = {
    "paper": "#0d1117",
    "ink": "#e6edf3",
    "faint": "#9198a1",
    "room": "#12334f",
    "thing": "#1c2128",
    "line": "#9198a1",
}


class Box(NamedTuple):
    """A room or a thing, with a line or two in it."""

    x: int
    y: int
    width: int
    title: str
    lines: tuple[str, ...]
    kind: str = "room"
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


FILE = Box(20, 70, 150, "a corpus", ("file, folder, zip,", "stdin, hub"), "thing")
CORPORA = Box(230, 70, 150, "corpora", ("one reader", "a format"))
STRESS = Box(440, 70, 150, "stress", ("one family", "of tests a file"))
BUILD = Box(650, 70, 150, "bench: build", ("shards, workers,", "digests"))
SUITE = Box(850, 70, 130, "Suite", ("manifest.json", "cases.jsonl"), "thing")

SKIPS = Box(
    255,
    196,
    440,
    "Skip",
    ("every record or pair that is left out:", "counted by reason, shown in manifest and table"),
    "thing",
)

YOU = Box(20, 330, 120, "you", ("right for the", "right reasons?"), "thing")
REPORT = Box(175, 330, 140, "reports, app", ("page, tables,", "command line"))
RUN = Box(405, 330, 150, "bench: execute", ("one record", "a run"))
EVALUATE = Box(620, 330, 150, "evaluate", ("accuracy by slice,", "95 % intervals"))
MODELS = Box(840, 330, 140, "models", ("baselines, papers',", "your own"))


def drawing() -> str:
    """The whole picture."""
    boxes = (FILE, CORPORA, STRESS, BUILD, SUITE, SKIPS, YOU, REPORT, RUN, EVALUATE, MODELS)
    arrows = (
        _across(FILE.right, CORPORA.left, "bytes"),
        _across(CORPORA.right, STRESS.left, "Pair"),
        _across(STRESS.right, BUILD.left, "Case"),
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
            'aria-label="The journey of a pair through the rooms of Assay">',
            f"<style>{_style(LIGHT)}@media (prefers-color-scheme: dark) {{{_style(DARK)}}}</style>",
            '<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" '
            'orient="auto-start-reverse"><path class="tip" d="M0 0 10 5 0 10z"/></marker></defs>',
            f'<rect class="paper" width="{WIDTH}" height="{HEIGHT}" rx="8"/>',
            '<text class="head" x="20" y="38">The journey of a pair. Nothing flows back.</text>',
            *arrows,
            *(_box(box) for box in boxes),
            *_floor(),
            "</svg>\n",
        )
    )


def _floor() -> list[str]:
    """What the rooms above stand on."""
    boxes = (
        Box(
            20,
            466,
            560,
            "core",
            ("the nouns, the errors, the registry, the seams, the fakes: every room stands on it",),
        ),
        Box(600, 466, 180, "language", ("for stress and models",)),
        Box(800, 466, 180, "train", ("pairs to checkpoints",)),
    )
    return [_box(box._replace(height=64)) for box in boxes]


def _box(box: Box) -> str:
    middle = box.x + box.width // 2
    lines = "".join(
        f'<text class="line" x="{middle}" y="{box.y + 46 + 18 * i}">{escape(line)}</text>'
        for i, line in enumerate(box.lines)
    )
    return (
        f'<rect class="{box.kind}" x="{box.x}" y="{box.y}" width="{box.width}" height="{box.height}" rx="6"/>'
        f'<text class="name" x="{middle}" y="{box.y + 25}">{escape(box.title)}</text>{lines}'
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
        ".room{{fill:{room};stroke:{line}}}.thing{{fill:{thing};stroke:{line};stroke-dasharray:4 3}}"
        ".arrow{{fill:none;stroke:{line};stroke-width:1.5}}.tip{{fill:{line}}}"
    ).format(**colours)
