"""Why models fail, in the terminal: a headline for each, and the tables behind it."""

from collections.abc import Sequence

from rich.console import Group, RenderableType

from assay.core.results.diagnosis import Diagnosis
from assay.core.run import RunRecord
from assay.reports.tables.diagnosis import DIAGNOSIS
from assay.reports.tables.sheets import noted
from assay.reports.view import View, view_of
from assay.reports.write.terminal.tables import line, sheet_shown


def diagnosis_summary(record: RunRecord, found: Diagnosis, *, models: Sequence[str] = ()) -> RenderableType:
    """The headlines, and a table for each part of the diagnosis of these models, by default all."""
    chosen = models or [each.model for each in found.profiles]
    view = view_of([record.diagnosed(found)])
    lines = headline_section(view, chosen)
    for make in DIAGNOSIS.values():
        sheet = noted(view, make(view))
        if sheet.rows:
            lines += [line(""), *sheet_shown(sheet)]
    return Group(*lines[1:])


def headline_section(view: View, models: Sequence[str]) -> list[RenderableType]:
    """What each model leans on, in a sentence."""
    found = {model: view.diagnosis.headline(model) for model in models} if view.diagnosis else {}
    lines = [line(f"  {view.name(model)} {said}.") for model, said in found.items() if said]
    return [line(""), line("What does it lean on?", "bold"), *lines] if lines else []
