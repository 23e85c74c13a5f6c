"""What a gate found, in the terminal."""

from rich.console import Group, RenderableType

from assay.core.label import LabelNames
from assay.core.results.gate import Gate
from assay.reports.tables.gate import gate_sheet, outcome_words
from assay.reports.words import two_way_words
from assay.reports.write.terminal.tables import line, sheet_shown


def gate_summary(gate: Gate) -> RenderableType:
    """Every point of each model, broken ones first, then the outcome."""
    names = LabelNames(gate.names)
    judged = [line(two_way_words(names, gate.two_way))] if gate.two_way else []
    notes = [line(f"note: {note}", "yellow") for note in gate.notes]
    outcome = line(outcome_words(gate), "bold green" if gate.passed else "bold red")
    return Group(*judged, *sheet_shown(gate_sheet(gate)), *notes, outcome)
