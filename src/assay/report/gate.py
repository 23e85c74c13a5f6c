"""What a gate found: in the terminal, as JUnit's XML, and as annotations of a GitHub workflow."""

from collections.abc import Iterator
from typing import NamedTuple
from xml.etree import ElementTree

from rich.console import Group, RenderableType

from assay.core.comparison import Compared, Comparison
from assay.core.gate import Checked, Gate, losses_of
from assay.report.findings import short_name
from assay.report.layout import line, points, table
from assay.report.printable import printable

ALL_AT_ONCE = 20
"""Figures of one rule that are listed when they hold; more are counted."""


class Point(NamedTuple):
    """One thing that a gate looked at."""

    model: str
    """Whose."""
    name: str
    """What: a rule and where it was checked, or a family that was compared."""
    holds: bool
    """Whether it is as it should be."""
    words: str
    """What was found."""


def gate_summary(gate: Gate) -> RenderableType:
    """Every point with what was found, what is broken first, then the sentence that decides."""
    found = sorted(points_of(gate), key=lambda point: point.holds)
    good = [point for point in found if point.holds]
    shown = table("", "model", "rule or comparison", "found")
    for point in found if len(good) <= ALL_AT_ONCE else found[: len(found) - len(good)]:
        mark = line("holds", "green") if point.holds else line("broken", "bold red")
        shown.add_row(mark, line(short_name(point.model)), line(point.name), line(point.words))
    rest = [line(f"{len(good):,} more hold.", "dim")] if len(good) > ALL_AT_ONCE else []
    notes = [line(f"note: {note}", "yellow") for note in gate.notes]
    return Group(shown, *rest, *notes, line(verdict(gate), "bold green" if gate.passed else "bold red"))


def verdict(gate: Gate) -> str:
    """The outcome in one sentence.

    >>> verdict(Gate(run="one", baseline="two", passed=True, rules=(), comparisons=(), notes=()))
    'one passes: no rule is broken, and nothing is significantly worse than in two.'
    """
    broken = sum(not each.holds for each in gate.rules)
    losses = len(gate.losses)
    if gate.passed:
        worse = f", and nothing is significantly worse than in {gate.baseline}" if gate.baseline else ""
        return f"{gate.run} passes: no rule is broken{worse}."
    told = [f"{broken} of {len(gate.rules)} checks of rules fail"] if broken else []
    told += [f"significantly worse than {gate.baseline} in {_count(losses, 'family', 'families')}"] if losses else []
    return f"{gate.run} does not pass: {', and '.join(told)}."


def points_of(gate: Gate) -> Iterator[Point]:
    """Rules first, then each family that was compared."""
    for checked in gate.rules:
        yield _rule_point(checked)
    for each in gate.comparisons:
        worse = losses_of(each)
        for row in (row for row in each.slices if "label" not in row.slice):
            yield Point(each.candidate, _compared_name(each, row), row not in worse, _difference(row))


def junit(gate: Gate) -> bytes:
    """The points as test cases: a suite a gate, a class a model."""
    found = list(points_of(gate))
    failures = str(sum(not point.holds for point in found))
    top = ElementTree.Element("testsuites", tests=str(len(found)), failures=failures)
    suite = ElementTree.SubElement(
        top, "testsuite", name=printable(f"assay gate {gate.run}"), tests=str(len(found)), failures=failures, errors="0"
    )
    for point in found:
        case = ElementTree.SubElement(
            suite, "testcase", classname=printable(f"assay.{short_name(point.model)}"), name=printable(point.name)
        )
        if point.holds:
            ElementTree.SubElement(case, "system-out").text = printable(point.words)
        else:
            ElementTree.SubElement(case, "failure", message=printable(point.words)).text = printable(_sentence(point))
    ElementTree.indent(top)
    return bytes(ElementTree.tostring(top, encoding="utf-8", xml_declaration=True)) + b"\n"


def annotations(gate: Gate) -> list[str]:
    """Broken points as errors of a GitHub workflow, notes as its notices.

    >>> annotations(Gate(run="one", baseline="", passed=True, rules=(), comparisons=(), notes=("50 %: a, b",)))
    ['::notice title=assay gate::50 %25: a, b']
    """
    broken = [f"::error title=assay gate::{_data(_sentence(point))}" for point in points_of(gate) if not point.holds]
    return [*broken, *(f"::notice title=assay gate::{_data(note)}" for note in gate.notes)]


def _data(text: str) -> str:
    return printable(text).replace("%", "%25")


def _sentence(point: Point) -> str:
    return f"{short_name(point.model)}: {point.name}: {point.words}"


def rule_words(checked: Checked) -> str:
    """A rule and what was found, as a sentence."""
    return _sentence(_rule_point(checked))


def _rule_point(checked: Checked) -> Point:
    return Point(checked.slice["model"], _place(checked), checked.holds, _measured(checked))


def _place(checked: Checked) -> str:
    """The rule, with what it leaves open."""
    said = [
        f"{name}={value}" for name, value in checked.slice.items() if name == "suite" or f"{name}=*" in checked.rule
    ]
    if checked.rule.lstrip().startswith("*"):
        said.append(f"family={checked.slice['family']}")
    return f"{checked.rule} ({', '.join(said)})"


def _measured(checked: Checked) -> str:
    ends = "" if checked.low is None or checked.high is None else f" ({checked.low:.4f} to {checked.high:.4f})"
    return f"{checked.value:.4f}{ends}, {checked.n:,} cases"


def _compared_name(each: Comparison, row: Compared) -> str:
    other = "" if each.candidate == each.baseline else f"{short_name(each.baseline)} "
    return f"{row.slice['family']} ({row.slice['suite']}) no worse than {other}in {each.baseline_run}"


def _difference(row: Compared) -> str:
    p = f"p {row.adjusted:.3f}" if row.adjusted >= 0.001 else "p <0.001"
    return f"{row.candidate:.4f}, was {row.baseline:.4f}: {points(row.difference)} points, {p}, {row.n:,} cases"


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
