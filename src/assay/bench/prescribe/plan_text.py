"""A prescription as the file of a plan, in which comments say why each regime is there."""

from collections.abc import Iterator
from textwrap import wrap
from typing import Any

import yaml

from assay.bench.prescribe.remedies import UNTREATED
from assay.core.study.prescription import Prescription, Subject
from assay.evaluate.diagnose.told import shortcut_told

WIDTH = 110
"""Of a comment."""


def plan_text(made: Prescription) -> str:
    """The whole file."""
    return "\n".join(_lines(made)) + "\n"


def _lines(made: Prescription) -> Iterator[str]:
    subject = made.subject
    yield from _comment(f"Remedies for {subject.model}, which {subject.headline}.")
    yield from _comment("Run it: assay study run THIS-FILE. It ends in a table of before and after.")
    yield f"title: {_flow(f'Remedies for {subject.model}')}"
    if made.data:
        yield f"data: {_flow(made.data)}"
    yield "corpora:"
    for name, corpus in made.corpora.items():
        yield f"  {name}: {_flow(corpus)}"
    if made.vectors:
        yield f"vectors: {_flow(made.vectors)}"
    shared = {"from": list(made.sources), "dev": "dev", "sample": 20000, "dev-sample": 2000}
    yield f"train: {_flow(shared)}"
    yield from _comment(_trained(subject))
    yield f"systems:\n  {subject.system}: {_flow(subject.options)}"
    if subject.model.startswith("assay:"):
        yield f"models: {_flow([subject.model.partition('/')[0]])}"
    elif subject.goes_on:
        checkpoint, (_, mark, options) = subject.options["set"]["checkpoint"], subject.model.partition("?")
        yield f"models: {_flow([f'hf:{checkpoint}{mark}{options}'])}"
    yield "regimes:"
    yield f"  {UNTREATED}: {{}}"
    by_name = {each.name: each for each in made.shortcuts}
    for remedy in made.remedies:
        yield from _comment(remedy.why, indent=2)
        for name in remedy.against:
            yield from _comment(f"Against {shortcut_told(by_name[name])}.", indent=2)
        yield f"  {remedy.name}: {_flow(remedy.options)}"
    yield "seeds: [0, 1, 2]"
    yield "suites:"
    for measure in made.measures:
        yield from _comment(f"{measure.why} {_role(made, measure.name)}".strip(), indent=2)
        yield f"  {measure.name}: {_flow(measure.options)}"
    yield from _comment(
        "Suites that show what each regime treats. All others are withheld from it: they show whether it goes further."
    )
    yield "before-and-after:"
    yield f"  real: {_flow([made.measures[0].name])}"
    yield "  treated:"
    for remedy in made.remedies:
        yield f"    {remedy.name}: {_flow(list(remedy.treats))}"
    yield "tables:"
    yield "  - title: Accuracy before and after"
    yield "  - title: Accuracy before and after, by label"
    yield "    by: label"


def _trained(subject: Subject) -> str:
    if subject.is_own:
        return "The system that the model is, as it was trained."
    if subject.goes_on:
        return (
            f"{subject.model} itself, which is trained further. In the regime {UNTREATED!r} it gets as much training "
            "without a remedy; under models it is as it was."
        )
    return f"It stands in for {subject.model}, which can't be trained here."


def _role(made: Prescription, suite: str) -> str:
    """Who treats what a suite shows."""
    treating = [each.name for each in made.remedies if suite in each.treats]
    if suite == made.measures[0].name:
        return ""
    return f"Treated by {', '.join(treating)}." if treating else "Withheld from all."


def _comment(text: str, *, indent: int = 0) -> list[str]:
    return [f"{' ' * indent}# {line}" for line in wrap(text, WIDTH - indent, break_on_hyphens=False)]


def _flow(value: Any) -> str:
    """A value in one line."""
    text = yaml.safe_dump(value, default_flow_style=True, sort_keys=False, allow_unicode=True, width=float("inf"))
    return text.removesuffix("...\n").strip()
