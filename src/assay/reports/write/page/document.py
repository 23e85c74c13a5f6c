"""The page: one HTML file that works offline, and neither loads nor sends anything."""

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from assay.core.pair import is_score
from assay.core.results.judgement import Verdict
from assay.reports.charts.charts import Chart, charts
from assay.reports.command import command_of
from assay.reports.edits import marked
from assay.reports.printable import printable
from assay.reports.tables.sheet import Sheet
from assay.reports.tables.sheets import sheets
from assay.reports.view import View
from assay.reports.words import Said, finding_words


class Section(NamedTuple):
    """A part of the page about one topic: one chart, or one per model, and the table behind it."""

    name: str
    """Its address in the page."""
    title: str
    """Its heading."""
    brief: str
    """The heading in a word or two, for the table of contents."""
    sheet: Sheet | None
    """The table."""
    charts: Sequence[Chart]
    """The charts."""
    folded: bool = False
    """Whether the table is closed at first."""


class Judged(NamedTuple):
    """A model's card in the first part of the page."""

    verdict: Verdict
    """The verdict on it."""
    said: Said
    """The verdict in words."""
    findings: Sequence[str]
    """What it does but should not, as sentences without their subject."""


MARK = "\u2717"
"""What follows a marked cell; the style sheet adds it."""

DRAWN = {
    "accuracy": ("heatmap", "changes"),
    "swap": ("swap",),
    "heuristics": ("heuristics-",),
    "subcases": ("subcases",),
    "categories": ("categories",),
    "severity": ("severity-",),
    "confusion": ("confusion",),
    "calibration": ("confidence",),
    "published": ("published",),
}
"""Which charts are above which table, by the beginning of their names."""

BRIEF = {
    "accuracy": "Families",
    "seeds": "Seeds",
    "variants": "Variants",
    "swap": "Swap",
    "heuristics": "Heuristics",
    "subcases": "Subcases",
    "categories": "Lexical",
    "severity": "Strength",
    "confusion": "Answers",
    "calibration": "Confidence",
    "fallbacks": "Not judged",
    "shortcuts": "Shortcuts",
    "moves": "Moves",
    "errors": "Errors",
    "versus": "Shared errors",
    "groups": "Groups",
    "published": "Published",
    "related": "Related",
    "skips": "Not made",
}
"""The names of the parts in the table of contents."""

FOLDED = ("subcases", "categories", "confusion", "moves", "errors", "versus", "groups", "published", "related", "skips")
"""Tables that are closed at first, because their charts show most of it, or few readers need them."""

MOST_OPEN = 36
"""Tables with more rows than this are closed too."""


def page(view: View) -> str:
    """The whole page."""
    drawn = charts(view)
    style, vega, own = (_asset(name) for name in ("style.css", "vega.js", "page.js"))
    made: str = _template().render(
        title=_title(view),
        policy=_policy(style=style, scripts=(vega, own)),
        style=Markup(style),  # noqa: S704 - our own file, and so are the scripts
        scripts=[Markup(vega), Markup(own)],  # noqa: S704
        specs=_json({chart.name: chart.spec for chart in drawn}),
        view=view,
        judged=_judged(view),
        mark=MARK,
        models=[(model, view.name(model)) for model in view.models],
        sections=_sections(view, drawn),
        examples=[(example, marked(example)) for example in view.examples],
        is_score=is_score,
        edited=any(example.source_label for example in view.examples),
        commands=[(run, command_of(run.spec)) for run in view.runs],
    )
    return made


def _judged(view: View) -> list[Judged]:
    made = []
    for verdict in view.judgement.verdicts:
        found = view.findings(verdict.model)
        said = view.said(verdict)
        made.append(Judged(verdict, said, [finding_words(each, view.names) for each in found]))
    return made


def _sections(view: View, drawn: Sequence[Chart]) -> list[Section]:
    return [
        Section(
            sheet.name,
            sheet.title,
            BRIEF[sheet.name],
            sheet,
            [chart for chart in drawn if chart.name.startswith(DRAWN.get(sheet.name, ("\0",)))],
            sheet.name in FOLDED or len(sheet.rows) > MOST_OPEN,
        )
        for sheet in sheets(view)
    ]


def _title(view: View) -> str:
    names = ", ".join(dict.fromkeys(manifest.source.name for manifest in view.suites.values()))
    return f"Right for the right reasons? {len(view.models)} models on {names}"


@cache
def _template() -> Any:
    """All text is escaped, and invisible characters are written out."""
    environment = Environment(
        loader=PackageLoader("assay.reports.write", "page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: printable(value) if type(value) is str else value,
    )
    return environment.get_template("page.html")


@cache
def _asset(name: str) -> str:
    return (files("assay.reports.write.page") / name).read_text("utf-8")


def _policy(*, style: str, scripts: Sequence[str]) -> str:
    """Nothing is loaded or sent; only the page's own scripts and style run, and no text becomes code."""
    hashes = " ".join(f"'sha256-{_hash(script)}'" for script in scripts)
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'sha256-{_hash(style)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _json(thing: Any) -> Markup:
    """JSON that can't end the script that contains it."""
    text = msgspec.json.encode(thing).decode()
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)  # noqa: S704 - nothing in it is markup anymore
