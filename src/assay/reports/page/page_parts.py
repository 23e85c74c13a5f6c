"""The parts of the page: what each is about, its charts, its heatmaps, and the table behind them."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from assay.core.case import Case
from assay.core.judgement import Example, ExampleAnswer
from assay.core.pair import is_score
from assay.reports.charts.heatmap import Grid
from assay.reports.charts.vegalite import Chart
from assay.reports.formatting import printable
from assay.reports.marked_edits import TextPiece, mark_example
from assay.reports.phrases import label_words
from assay.reports.tables.report_tables import sheets
from assay.reports.tables.sheet import Sheet
from assay.reports.view import ReportView

MOST_PRINTED = 40
"""Longer tables without a chart are not printed unless they were opened."""


class PagePart(NamedTuple):
    """A part of the page about one topic, which opens on demand."""

    name: str
    """Its address in the page."""
    title: str
    about: str
    """Its content in a few words."""
    sheet: Sheet
    charts: Sequence[Chart]
    grids: Sequence[Grid]

    @property
    def is_drawn(self) -> bool:
        """True if something is shown above the table, which is closed then."""
        return bool(self.charts or self.grids)

    @property
    def is_rare(self) -> bool:
        """True if it is only a long table, or few readers need it: then it is not printed unless it was opened."""
        return self.name in ("related", "skips") or (not self.is_drawn and len(self.sheet.rows) > MOST_PRINTED)


ABOUT = {
    "accuracy": "every figure with its interval, and the change from the unmodified pairs",
    "logic": "tests without unmodified pairs, beside the best guess",
    "seeds": "how far the seeds of one system differ",
    "variants": "kinds of the same test",
    "swap": "what each label does when the two texts trade places",
    "heuristics": "where a heuristic gives the right answer, and where it does not",
    "subcases": "the constructions behind the heuristics",
    "categories": "what kind of word was replaced",
    "burial": "whether a model finds the sentence that decides, wherever it is in a long text",
    "severity": "the same test, stronger and stronger",
    "confusion": "what was answered instead",
    "calibration": "whether a model knows when it is wrong",
    "thresholds": "from which score on to believe a model, and what that costs",
    "certified": "thresholds with a promise about false support",
    "fallbacks": "cases that a model could not judge",
    "shortcuts": "ways to answer without reading, and which models follow them",
    "moves": "how answers move from a pair to its edited copy",
    "errors": "odds of being wrong, by what can be seen of the cases",
    "versus": "errors that models share, and those that only one makes",
    "groups": "your own columns, such as genre",
    "slices": "cases that you chose in the browser",
    "published": "the papers' figures for the same tests",
    "related": "the papers' figures for similar tests on other data",
    "skips": "why some pairs gave no case",
}
"""One line about each part."""

DRAWN = {
    "accuracy": ("changes",),
    "swap": ("swap",),
    "heuristics": ("heuristics-",),
    "severity": ("severity-",),
    "confusion": ("confusion",),
    "calibration": ("confidence",),
    "thresholds": ("thresholds-",),
    "published": ("published",),
}
"""Which charts are above which table, by the beginning of their names."""

FIRST = ("shortcuts", "moves")
"""Parts that come before all others: they say why a model fails."""

LAST = ("published", "related", "skips")
"""Parts that come after the examples: few readers need them first."""


def parts(view: ReportView, drawn: Sequence[Chart], heatmaps: Sequence[Grid]) -> list[PagePart]:
    """The parts that have something to show: why models fail, then the tables in their order."""
    return [
        PagePart(
            sheet.name,
            sheet.title,
            ABOUT.get(sheet.name, ""),
            sheet,
            [chart for chart in drawn if chart.name.startswith(DRAWN.get(sheet.name, ("\0",)))],
            [grid for grid in heatmaps if grid.name == sheet.name],
        )
        for sheet in sorted(sheets(view), key=lambda sheet: sheet.name not in FIRST)
    ]


LONGEST = 8_000
"""Number of characters of a piece of text the page holds, so that a long premise can be unfolded."""

UNSHOWN = ("old", "new", "template")
"""Groups that say nothing beyond the texts."""

CODES = {"same": 0, "new": 1, "old": 2}
"""The kinds of pieces."""


def case_data(view: ReportView) -> dict[str, Any]:
    """Models and examples; all text is safe to show, and the script only ever sets it as text."""
    return {
        "models": [{"id": model, "name": printable(view.name(model))} for model in view.models],
        "cases": [_case(view, each) for each in view.examples],
    }


def _case(view: ReportView, example: Example) -> dict[str, Any]:
    case, found = example.case, mark_example(example, longest=LONGEST)
    models, label = list(view.models), case.compared_with
    return {
        "family": printable(case.family),
        "suite": printable(example.suite),
        "label": view.read(label, example.suite).value,
        "right": printable(view.label(label.value, suite=example.suite)),
        "expects": case.expects,
        "groups": {printable(name): printable(value) for name, value in _groups(case)},
        "premise": _pieces(found.premise),
        "hypothesis": _pieces(found.hypothesis),
        "edited": example.source_label is not None,
        "answers": [
            [models.index(model), *_answer(view, example, answer)]
            for model, answer in example.answers.items()
            if model in view.models
        ],
        "why": [label_words(example.case, example.proof), *([found.remark] if found.remark else [])],
        "facts": _facts(case),
    }


def _groups(case: Case) -> Iterable[tuple[str, str]]:
    return ((name, value) for name, value in case.group.items() if name not in UNSHOWN and not is_score(value))


def _pieces(spans: Sequence[TextPiece]) -> list[Any]:
    """Text that stayed as it is, and pairs of a kind and a text for the rest."""
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


def _facts(case: Case) -> dict[str, str]:
    recipe = case.provenance.recipe
    known = {"id": case.id, "recipe": f"{recipe.transform}, seed {recipe.seed}", **case.provenance.edit.facts}
    return {printable(name): printable(str(fact)) for name, fact in known.items()}
