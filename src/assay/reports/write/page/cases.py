"""The examples of a report as compact data: the page's script shows those that a reader asks for."""

from collections.abc import Iterable, Sequence
from typing import Any

from assay.core.case import Case
from assay.core.pair import is_score
from assay.core.results.example import Answered, Example
from assay.reports.edits import Span, marked
from assay.reports.printable import printable
from assay.reports.view import View
from assay.reports.words import label_words

LONGEST = 8_000
"""How many characters of a piece of text the page holds, so that a long premise can be unfolded."""

UNSHOWN = ("old", "new", "template")
"""Groups that say nothing beyond the texts."""

CODES = {"same": 0, "new": 1, "old": 2}
"""The kinds of pieces."""


def case_data(view: View) -> dict[str, Any]:
    """Models and examples; all text is safe to show, and the script only ever sets it as text."""
    return {
        "models": [{"id": model, "name": printable(view.name(model))} for model in view.models],
        "cases": [_case(view, each) for each in view.examples],
    }


def _case(view: View, example: Example) -> dict[str, Any]:
    case, found = example.case, marked(example, longest=LONGEST)
    models, label = list(view.models), case.compared_with
    return {
        "family": printable(case.family),
        "suite": printable(example.suite),
        "label": label.value if example.suite not in view.in_two else label.two_way.value,
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


def _pieces(spans: Sequence[Span]) -> list[Any]:
    """Text that stayed as it is, and pairs of a kind and a text for the rest."""
    return [each.text if each.kind == "same" else [CODES[each.kind], each.text] for each in spans]


def _answer(view: View, example: Example, answer: Answered) -> list[Any]:
    """The answer, whether it failed, how sure it was in per cent, the answer before, and whether that was right."""
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
