"""The result of a gate for pipelines: JUnit XML, and annotations for a GitHub workflow."""

from xml.etree import ElementTree

from assay.core.label import LabelNames
from assay.core.results.gate import Gate
from assay.reports.printable import printable
from assay.reports.tables.gate import points_of
from assay.reports.words import short_name, two_way_words


def junit(gate: Gate) -> bytes:
    """The points as test cases: one suite for the gate, one class for each model."""
    found = list(points_of(gate))
    failures = str(sum(not point.holds for point in found))
    top = ElementTree.Element("testsuites", tests=str(len(found)), failures=failures)
    suite = ElementTree.SubElement(
        top, "testsuite", name=printable(f"assay gate {gate.run}"), tests=str(len(found)), failures=failures, errors="0"
    )
    if gate.two_way:
        properties = ElementTree.SubElement(suite, "properties")
        judged = printable(two_way_words(LabelNames(gate.names), gate.two_way))
        ElementTree.SubElement(properties, "property", name="two-way", value=judged)
    for point in found:
        case = ElementTree.SubElement(
            suite,
            "testcase",
            classname=printable(f"assay.{short_name(point.model)}"),
            name=printable(f"{point.what} on {point.where}"),
        )
        if point.holds:
            ElementTree.SubElement(case, "system-out").text = printable(point.words)
        else:
            ElementTree.SubElement(case, "failure", message=printable(point.words)).text = printable(point.sentence)
    ElementTree.indent(top)
    return bytes(ElementTree.tostring(top, encoding="utf-8", xml_declaration=True)) + b"\n"


def annotations(gate: Gate) -> list[str]:
    """Broken points as errors of a GitHub workflow, and notes as notices.

    >>> annotations(Gate(run="one", baseline="", passed=True, rules=(), comparisons=(), notes=("50 %: a, b",)))
    ['::notice title=assay gate::50 %25: a, b']
    """
    broken = [f"::error title=assay gate::{_data(point.sentence)}" for point in points_of(gate) if not point.holds]
    judged = [two_way_words(LabelNames(gate.names), gate.two_way)] if gate.two_way else []
    return [*broken, *(f"::notice title=assay gate::{_data(note)}" for note in (*judged, *gate.notes))]


def _data(text: str) -> str:
    return printable(text).replace("%", "%25")
