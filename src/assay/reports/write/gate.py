"""What a gate found: in the terminal, as JUnit's XML, and as annotations of a GitHub workflow."""

from collections.abc import Iterator
from typing import NamedTuple
from xml.etree import ElementTree

from rich.console import Group, RenderableType

from assay.core.comparison import Compared, Comparison
from assay.core.gate import Checked, Gate, losses_of
from assay.reports.findings import short_name
from assay.reports.layout import line, table
from assay.reports.printable import printable

ALL_AT_ONCE = 20
"""Points that are listed though they hold; where there are more, they are counted."""


class Point(NamedTuple):
    """One thing that a gate looked at."""

    model: str
    """Whose."""
    what: str
    """A rule, or whom it may not be worse than."""
    where: str
    """Where that was looked at: suite, family, and the group's value that a rule leaves open."""
    holds: bool
    """Whether it is as it should be."""
    value: float
    """What was measured."""
    beside: str
    """What it stands beside: its interval, or what it was before."""
    n: int
    """How many cases it rests on."""

    @property
    def words(self) -> str:
        """What was found."""
        return f"{self.value:.4f}{f' ({self.beside})' if self.beside else ''}, {self.n:,} cases"


def gate_summary(gate: Gate) -> RenderableType:
    """Every point of each model, what is broken first, then the sentence that decides."""
    found = list(points_of(gate))
    good = sum(point.holds for point in found)
    shown = table("", "rule or comparison", "on", ">found", ">95 %, or before", ">cases")
    for model in dict.fromkeys(point.model for point in found):
        shown.add_section()
        shown.add_row("", line(short_name(model), "bold"))
        for point in sorted((each for each in found if each.model == model), key=lambda each: each.holds):
            if not point.holds or good <= ALL_AT_ONCE:
                mark = line("holds", "green") if point.holds else line("broken", "bold red")
                figures = (f"{point.value:.4f}", point.beside, f"{point.n:,}")
                shown.add_row(mark, line(point.what), line(point.where), *figures)
    rest = [line(f"{good:,} more hold.", "dim")] if good > ALL_AT_ONCE else []
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
    if losses:
        others = dict.fromkeys(_whom(each) for each, _ in gate.losses)
        told.append(f"significantly worse than {', '.join(others)} in {_count(losses, 'family', 'families')}")
    return f"{gate.run} does not pass: {', and '.join(told)}."


def points_of(gate: Gate) -> Iterator[Point]:
    """Rules first, then each family that was compared."""
    for checked in gate.rules:
        yield _rule_point(checked)
    for each in gate.comparisons:
        worse = losses_of(each)
        for row in (row for row in each.slices if "label" not in row.slice):
            place = f"{row.slice['suite']}/{row.slice['family']}"
            holds = row not in worse
            yield Point(
                each.candidate, f"no worse than {_whom(each)}", place, holds, row.candidate, _before(row), row.n
            )


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
            suite,
            "testcase",
            classname=printable(f"assay.{short_name(point.model)}"),
            name=printable(f"{point.what} on {point.where}"),
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
    return f"{short_name(point.model)}: {point.what} on {point.where}: {point.words}"


def rule_words(checked: Checked) -> str:
    """A rule and what was found, as a sentence."""
    return _sentence(_rule_point(checked))


def _rule_point(checked: Checked) -> Point:
    ends = "" if checked.low is None or checked.high is None else f"{checked.low:.4f} to {checked.high:.4f}"
    where = _place(checked)
    return Point(checked.slice["model"], checked.rule, where, checked.holds, checked.value, ends, checked.n)


def _place(checked: Checked) -> str:
    open_to = [f" {name}={value}" for name, value in checked.slice.items() if f"{name}=*" in checked.rule]
    return f"{checked.slice['suite']}/{checked.slice['family']}{''.join(open_to)}"


def _whom(each: Comparison) -> str:
    """The run for the same model; the model where it is another one."""
    return each.baseline_run if each.candidate == each.baseline else short_name(each.baseline)


def _before(row: Compared) -> str:
    p = f"p {row.adjusted:.3f}" if row.adjusted >= 0.001 else "p <0.001"
    return f"was {row.baseline:.4f}, {p}"


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
