"""The page: one HTML file that works offline, and neither loads nor sends anything."""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import msgspec
from jinja2 import BaseLoader, ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from assay.core.case import family_rank
from assay.core.comparison import Comparisons
from assay.core.judgement import Example, ExampleAnswer
from assay.core.label import Label
from assay.core.label_space import LabelNames
from assay.core.pair import is_score
from assay.core.run_record import RunRecord
from assay.reports.charts.comparison_charts import difference_chart, trend_charts
from assay.reports.charts.heatmap import INITIALS, STEPS, Grid, grids, heat_style, step
from assay.reports.charts.report_charts import charts
from assay.reports.charts.vegalite import Chart
from assay.reports.family_notes import family_notes
from assay.reports.formatting import JOINTS, TextPiece, duration, mark_edits, printable
from assay.reports.headline import (
    case_origins,
    headlines,
    leading_models,
    pace_words,
    passed_claims,
    telling_failures,
)
from assay.reports.phrases import finding_words, label_words, two_way_words
from assay.reports.repeat_command import command_of
from assay.reports.tables.comparison_tables import band_sheet, comparison_sheet, outcome_words, trend_sheet
from assay.reports.tables.overview_table import logic_words, overview
from assay.reports.tables.report_tables import TABLES, sheets
from assay.reports.tables.sheet import Sheet
from assay.reports.view import ReportView


class PagePart(NamedTuple):
    """A part of the page about one topic, which opens on demand."""

    about: str
    sheet: Sheet
    charts: Sequence[Chart]
    grids: Sequence[Grid]

    @property
    def is_drawn(self) -> bool:
        """True if something is shown above the table, which is closed then."""
        return bool(self.charts or self.grids)

    @property
    def is_rare(self) -> bool:
        """True if it is only a long table, or few readers need it: so it is printed only if it was opened."""
        return self.sheet.name in ("related", "skips") or (not self.is_drawn and len(self.sheet.rows) > 40)


FIRST = ("shortcuts", "moves")  # parts that come before all others: they say why a model fails
LAST = ("published", "related", "skips")  # parts that come after the examples: few readers need them first

LONGEST = 8_000  # number of characters of a piece of text the page holds, so that a long premise can be unfolded
UNSHOWN = ("old", "new", "template")  # groups that say nothing beyond the texts
CODES = {"same": 0, "new": 1, "old": 2}


def _case(view: ReportView, example: Example, *, has_run: bool) -> dict[str, Any]:
    case, found = example.case, mark_edits(example.case, longest=LONGEST)
    models, label, recipe = list(view.models), case.compared_with, case.provenance.recipe
    facts = {"id": case.id, "recipe": f"{recipe.transform}, seed {recipe.seed}", **case.provenance.edit.facts}
    return {
        "family": printable(case.family),
        "suite": printable(example.suite),
        "label": view.read(label, example.suite).value,
        "right": printable(view.label(label.value, suite=example.suite)),
        "expects": case.expects,
        "groups": {
            printable(name): printable(value)
            for name, value in case.group.items()
            if name not in UNSHOWN and not is_score(value)
        },
        "premise": _pieces(found.premise),
        "hypothesis": _pieces(found.hypothesis),
        "edited": example.source_label is not None,
        "answers": [
            [models.index(model), *_answer(view, example, answer)]
            for model, answer in example.answers.items()
            if model in view.models
        ],
        "why": [label_words(example.case, example.proof, has_run=has_run), *([found.remark] if found.remark else [])],
        "facts": {printable(name): printable(str(fact)) for name, fact in facts.items()},
    }


def _pieces(spans: Sequence[TextPiece]) -> list[Any]:
    """Unchanged text as strings, and changed text as pairs of its kind and itself."""
    return [each.text if each.kind == "same" else [CODES[each.kind], each.text] for each in spans]


def _answer(view: ReportView, example: Example, answer: ExampleAnswer) -> list[Any]:
    """The answer, whether it failed, how sure it was in %, the answer before, and whether that was right."""
    before = answer.source
    return [
        printable(view.label(answer.label.value, suite=example.suite)),
        int(answer.failed),
        None if answer.confidence is None else round(answer.confidence * 100),
        None if before is None else printable(view.label(before.value, suite=example.suite)),
        int(before is not None and before is example.source_label),
    ]


THREE_SCORES = (
    "A model of three labels answers with the most probable of the three, so it can call a claim supported below 50%."
)

SCRIPTS = ("state.js", "tips.js", "tables.js", "charts.js", "grids.js", "cases.js", "start.js")

MARK = "\u2717"  # sign after a marked cell; the style sheet adds it


class Frame(NamedTuple):
    """Parts of a page that is served rather than stored as one file: linked files instead of their text, and a bar."""

    styles: Sequence[str]
    scripts: Sequence[str]
    top: Markup  # HTML above everything else


class Metric(NamedTuple):
    """A number on a card at the top of a page."""

    name: str
    value: str
    note: str
    link: str


class SharedPart(NamedTuple):
    """The beginning of a page for people who don't have the run."""

    name: str  # the name of the run
    metrics: Mapping[str, Sequence[Metric]]  # the cards of each model
    most: int  # worst failures of each model that it holds; 0 if its failures are a sample
    worst: Mapping[str, Sequence[int]]  # places of each model's worst failures among the examples, in order


def page(view: ReportView, *, frame: Frame | None = None, shared: SharedPart | None = None) -> str:
    drawn, heatmaps = charts(view), grids(view)
    made = [
        PagePart(
            TABLES[sheet.name].about,
            sheet,
            [chart for chart in drawn if (above := TABLES[sheet.name].charts) and chart.name.startswith(above)],
            [grid for grid in heatmaps if grid.name == sheet.name],
        )
        for sheet in sorted(sheets(view), key=lambda sheet: sheet.name not in FIRST)
    ]
    examples = {  # all text is safe to show, and the script only ever sets it as text
        "models": [{"id": model, "name": printable(view.name(model))} for model in view.models],
        "cases": [_case(view, each, has_run=shared is None) for each in view.examples],
        "shared": shared is not None,
        "worst": shared.worst if shared else {},
    }
    told, origins = headlines(view), case_origins(view.suites.values())
    verdicts, first = {each.model: each for each in view.judgement.verdicts}, leading_models(view)
    leading = [model for model in view.models if view.system(model) in first]
    telling = telling_failures(view)
    supporting = (
        each.answers[model]
        for each in telling
        for model in leading
        if model in each.failing and each.suite in view.binary_suites
    )
    is_unsure = any(each.label is Label.ENTAILMENT and (each.confidence or 1) < 0.5 for each in supporting)
    models = "1 model" if len(view.models) == 1 else f"{len(view.models)} models"
    return render_template(
        "page.html",
        title=f"{shared.name if shared else 'Right for the right reasons?'} {models} on "
        f"{', '.join(each.source for each in origins)}",
        frame=frame,
        shared=shared,
        passed=passed_claims,
        data={"charts": {chart.name: chart.spec for chart in drawn}, "examples": examples},
        view=view,
        sources=origins,
        told=told,
        judged=[
            {
                "verdict": verdicts[each.model],
                "said": view.said(verdicts[each.model]),
                "findings": [finding_words(finding, view.names) for finding in view.findings(each.model)],
            }
            for each in told
        ],
        models=[(model, view.name(model)) for model in view.models],
        overview=overview(view),
        about={note.family: note.title for run in reversed(view.runs) for note in family_notes(run)},
        logic=logic_words(view),
        took="" if len(view.runs) != 1 or view.runs[0].seconds is None else duration(view.runs[0].seconds),
        paces={model: pace_words(view, model) for model in view.models},
        heatmap=next((each for each in heatmaps if each.name == "heatmap"), None),
        wide=len(view.models) > 3,  # then the heatmap takes the whole width
        parts=[each for each in made if each.sheet.name not in LAST],
        last=[each for each in made if each.sheet.name in LAST],
        edits=[
            {
                "example": each,
                "shown": mark_edits(each.case),
                "wrong": [model for model in leading if model in each.failing],
            }
            for each in telling
        ],
        unsure=THREE_SCORES if is_unsure else "",
        commands=[(run, command_of(run.spec)) for run in view.runs],
        by_family=lambda counts: sorted(counts.items(), key=lambda item: family_rank(item[0])),
    )


def comparison_page(found: Comparisons, runs: Sequence[RunRecord]) -> str:
    """The page of a comparison: what is better and worse, and how models fared over several runs."""
    names = LabelNames(found.names)
    pairs: list[dict[str, Any]] = []
    for number, each in enumerate(found.comparisons):
        pair = comparison_sheet(each, names, references=found.references)._replace(name=f"comparison-{number}")
        chart = difference_chart(each, f"difference-{number}")
        pairs.append({"title": pair.title, "words": outcome_words(each, names), "chart": chart, "sheet": pair})
    trends, sheet = list(trend_charts(runs)), trend_sheet(runs)
    bands = [band_sheet(found.bands, names)] if found.bands else []
    drawn = [*(each["chart"] for each in pairs), *trends]
    return render_template(
        "comparison.html",
        title=f"Comparison: {', '.join(found.runs)}",
        data={"charts": {chart.name: chart.spec for chart in drawn}, "examples": {"models": [], "cases": []}},
        found=found,
        judged=two_way_words(names) if found.binary_suites else "",
        pairs=pairs,
        trends=trends if sheet.rows else [],
        trend=sheet,
        bands=bands,
        version=runs[0].versions["assay"],
    )


def render_template(template: str, *, data: Any, frame: Frame | None = None, **known: Any) -> str:
    """A template with everything that all pages share: the style, the scripts, and the policy that allows them."""
    style = page_style()
    vega, own = read_asset("vega.js"), "\n".join(map(read_asset, SCRIPTS))
    made: str = (
        templates()
        .get_template(template)
        .render(
            # Nothing is loaded or sent; only the page's own scripts and style run, and no text becomes code.
            policy=f"default-src 'none'; script-src {_hash(vega)} {_hash(own)}; style-src {_hash(style)}; "
            "img-src data:; base-uri 'none'; form-action 'none'",
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
    """A model's name as HTML that may break between its parts, so that it fits above a column.

    >>> print(breakable("python:my_model:predict"))
    python:<wbr>my_<wbr>model:<wbr>predict
    """
    return Markup("<wbr>").join(JOINTS.split(printable(name)))


@cache
def page_style() -> str:
    return f"{read_asset('style.css')}\n{heat_style()}"


@cache
def read_asset(name: str) -> str:
    return (files("assay.reports.page") / name).read_text("utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def as_data(thing: Any) -> Markup:
    """JSON that can't end the script that contains it."""
    text = msgspec.json.encode(thing).decode()
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)  # noqa: S704 - nothing in it is markup anymore
