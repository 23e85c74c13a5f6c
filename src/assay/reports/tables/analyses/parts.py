"""The tables of an analysis, by its name."""

from collections.abc import Callable, Mapping

from assay.core.analysis import Analysis
from assay.reports.tables.analyses import glockner, naik, others
from assay.reports.tables.sheet import Part

Maker = Callable[[Analysis], list[Part]]

MAKERS: Mapping[str, Maker] = {
    "directions": naik.directions,
    "antonyms": naik.antonyms,
    "numbers": naik.numerals,
    "errors": naik.errors,
    "similarity": glockner.similarity,
    "frequency": glockner.frequency,
    "swap": others.swap,
    "epochs": others.epochs,
    "subcases": others.subcases,
    "prediction": others.prediction,
}
"""The tables of each analysis."""


def analysis_parts(found: Analysis) -> list[Part]:
    """The tables and lines of an analysis."""
    return MAKERS[found.name](found)
