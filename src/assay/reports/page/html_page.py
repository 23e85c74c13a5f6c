"""The page: one HTML file that works offline, and neither loads nor sends anything."""

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import msgspec
from jinja2 import BaseLoader, ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from assay.core.case import family_rank
from assay.core.judgement import Example, Verdict
from assay.reports.charts.heatmap import INITIALS, STEPS, grids, heat_style, step
from assay.reports.charts.report_charts import charts
from assay.reports.formatting import JOINTS, duration, printable
from assay.reports.headline import Headline, headlines, leading, pace_words, sources, telling_failures
from assay.reports.marked_edits import MarkedTexts, mark_example
from assay.reports.page.page_parts import LAST, case_data, parts
from assay.reports.phrases import VerdictWords, finding_words
from assay.reports.repeat_command import command_of
from assay.reports.tables.overview_table import logic_words, overview
from assay.reports.view import ReportView

SCRIPTS = ("state.js", "tips.js", "tables.js", "charts.js", "grids.js", "cases.js", "start.js")
"""The page's own script, by theme."""

MARK = "\u2717"
"""Sign after a marked cell; the style sheet adds it."""

FEW_MODELS = 3
"""With more models, the heatmap takes the whole width."""


class Frame(NamedTuple):
    """Parts of a page that is served rather than stored as one file: linked files instead of their text, and a bar."""

    styles: Sequence[str]
    """The addresses of the style sheets."""
    scripts: Sequence[str]
    """The addresses of the scripts."""
    top: Markup
    """HTML above everything else."""


class ModelSummary(NamedTuple):
    """The verdict on a model, with its findings."""

    verdict: Verdict
    said: VerdictWords
    findings: Sequence[str]
    """Findings, as sentences without their subject."""


class PageEdit(NamedTuple):
    """A telling edit on the first screen."""

    example: Example
    """The case and the answers."""
    shown: MarkedTexts
    wrong: Sequence[str]
    """Which of the models that the report is about get it wrong."""


def page(view: ReportView, *, frame: Frame | None = None) -> str:
    """The whole page."""
    drawn, heatmaps = charts(view), grids(view)
    made = parts(view, drawn, heatmaps)
    told = headlines(view)
    return render_template(
        "page.html",
        title=_title(view),
        frame=frame,
        data={"charts": {chart.name: chart.spec for chart in drawn}, "examples": case_data(view)},
        view=view,
        sources=sources(view.suites.values()),
        told=told,
        judged=_judged(view, told),
        models=[(model, view.name(model)) for model in view.models],
        overview=overview(view),
        logic=logic_words(view),
        took="" if len(view.runs) != 1 or view.runs[0].seconds is None else duration(view.runs[0].seconds),
        paces={model: pace_words(view, model) for model in view.models},
        heatmap=next((each for each in heatmaps if each.name == "heatmap"), None),
        wide=len(view.models) > FEW_MODELS,
        parts=[each for each in made if each.name not in LAST],
        last=[each for each in made if each.name in LAST],
        edits=_edits(view),
        commands=[(run, command_of(run.spec)) for run in view.runs],
        by_family=lambda counts: sorted(counts.items(), key=lambda item: family_rank(item[0])),
    )


def render_template(template: str, *, data: Any, frame: Frame | None = None, **known: Any) -> str:
    """A template with everything that all pages share: the style, the scripts, and the policy that allows them."""
    style = page_style()
    vega, own = asset("vega.js"), "\n".join(map(asset, SCRIPTS))
    made: str = (
        templates()
        .get_template(template)
        .render(
            policy=_policy(style=style, scripts=(vega, own)),
            style=Markup(style),  # noqa: S704 - our own file, and so are the scripts
            scripts=[Markup(vega), Markup(own)],  # noqa: S704
            data=as_data(data),
            frame=frame,
            initials=INITIALS,
            mark=MARK,
            step=step,
            steps=range(0, STEPS + 1, 2),
            **known,
        )
    )
    return made


def _judged(view: ReportView, told: Sequence[Headline]) -> list[ModelSummary]:
    verdicts = {each.model: each for each in view.judgement.verdicts}
    return [
        ModelSummary(
            verdicts[each.model],
            view.said(verdicts[each.model]),
            [finding_words(finding, view.names) for finding in view.findings(each.model)],
        )
        for each in told
    ]


def _edits(view: ReportView) -> list[PageEdit]:
    first = leading(view)
    own = [model for model in view.models if view.system(model) in first]
    return [
        PageEdit(each, mark_example(each), [model for model in own if model in each.failing])
        for each in telling_failures(view)
    ]


def _title(view: ReportView) -> str:
    names = ", ".join(each.source for each in sources(view.suites.values()))
    models = "1 model" if len(view.models) == 1 else f"{len(view.models)} models"
    return f"Right for the right reasons? {models} on {names}"


@cache
def templates(*more: BaseLoader) -> Environment:
    """The page's templates, after those of others; all text is escaped, and invisible characters are written out."""
    made = Environment(
        loader=ChoiceLoader([*more, PackageLoader("assay.reports", "page")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: printable(value) if type(value) is str else value,
    )
    made.filters["breakable"] = breakable
    return made


def breakable(name: str) -> Markup:
    """A model's name as HTML that may go on in the next line where its parts meet, so that it fits above a column.

    >>> print(breakable("python:my_model:predict"))
    python:<wbr>my_<wbr>model:<wbr>predict
    """
    return Markup("<wbr>").join(JOINTS.split(printable(name)))


@cache
def page_style() -> str:
    """The style sheet."""
    return f"{asset('style.css')}\n{heat_style()}"


@cache
def asset(name: str) -> str:
    """A style sheet or script of the page."""
    return (files("assay.reports.page") / name).read_text("utf-8")


def _policy(*, style: str, scripts: Sequence[str]) -> str:
    """Nothing is loaded or sent; only the page's own scripts and style run, and no text becomes code."""
    hashes = " ".join(f"'sha256-{_hash(script)}'" for script in scripts)
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'sha256-{_hash(style)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def as_data(thing: Any) -> Markup:
    """JSON that can't end the script that contains it."""
    text = msgspec.json.encode(thing).decode()
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)  # noqa: S704 - nothing in it is markup anymore
