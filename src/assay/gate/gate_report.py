"""The result of a gate as a table, in the terminal, as JUnit XML and for GitHub workflows."""

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple
from xml.etree import ElementTree

from rich.console import Group, RenderableType

from assay.core.comparison import ComparedRanking, ComparedSlice, Comparison
from assay.core.estimate import key_of
from assay.core.label_space import LabelNames
from assay.core.registry import called
from assay.evaluate.trainings import has_enough_trainings
from assay.gate.metric_rules import Gate, RuleResult, losses_of
from assay.reports.claims_comparison import TITLES, as_false_support, claims_measures
from assay.reports.formatting import p_value, printable
from assay.reports.phrases import short_name, two_way_words
from assay.reports.tables.comparison_tables import needed_words, trainings_of
from assay.reports.tables.sheet import Sheet, SheetCell, numbers, sheet_row, texts
from assay.reports.terminal.terminal_tables import line, sheet_shown

ALL_AT_ONCE = 20  # maximum number of points that are listed; more are only counted
PointOutcome = Literal["holds", "broken", "inconclusive"]


class Point(NamedTuple):
    model: str
    what: str  # a rule, or the model that it must not be significantly worse than
    where: str  # where it was checked: suite, family, and the value of a group that a rule leaves open
    outcome: PointOutcome
    value: float
    context: str  # the interval of the value, or the earlier value
    n: int
    needs: str = ""  # what is needed for a clear outcome, if it is inconclusive
    missing: str = ""
    brief: str = ""  # a short description of the comparison; empty for rules

    @property
    def holds(self) -> bool:
        return self.outcome == "holds"

    @property
    def words(self) -> str:
        if self.missing:
            return f"{self.missing}, {self.n:,} cases"
        return f"{self.value:.4f}{f' ({self.context})' if self.context else ''}, {self.n:,} cases{self.needs}"

    @property
    def sentence(self) -> str:
        return f"{short_name(self.model)}: {self.what} on {self.where}: {self.words}"


def points_of(gate: Gate) -> Iterator[Point]:
    """Rules first, then each family that was compared."""
    yield from map(rule_point, gate.rules)
    for each in gate.comparisons:
        lost, names = losses_of(each), LabelNames(gate.names)
        measures = claims_measures(each)
        for row in each.slices:
            if measure := measures.get(key_of(row.slice)):
                yield _family_point(each, row, names, measure)
            elif "label" not in row.slice or row in lost:
                yield _family_point(each, row, names)
        yield from (ranking_point(each, row) for row in each.rankings)


def _family_point(each: Comparison, row: ComparedSlice, names: LabelNames, measure: str = "") -> Point:
    """A family, or false support or recall of a user's own claims, and the same in the earlier run."""
    place, needs = _family_place(row.slice), ""
    outcome: PointOutcome = "broken" if row in losses_of(each) else "holds"
    worse, below, lost = "worse than", "below", "lost"
    if measure == "false-support":
        row = as_false_support(row)
        worse, below, lost = "higher than", "above", "rose"
    before = f"was {row.baseline:.4f}, p {p_value(row.adjusted)}"
    if "label" in row.slice:
        place += f", {names(row.slice['label'])}"
    what, brief = f"not significantly {worse} {compared_with(each)}", f"not significantly {worse.split()[0]}"
    if row.margin is not None:
        brief = f"{lost} at most {100 * row.margin.margin:g} points"
        what = f"at most {100 * row.margin.margin:g} points {below} {compared_with(each)}"
        if row.margin.smallest is not None:
            before = f"was {row.baseline:.4f}, too few to test"
        elif row.margin.outcome != "worse":  # then the p is that of the loss
            before = f"was {row.baseline:.4f}, p {p_value(row.margin.p)}"
        outcome = "inconclusive" if row.margin.outcome == "inconclusive" else outcome
        needs = needed_words([row])
    if not has_enough_trainings(each):
        outcome, before = "inconclusive", f"{before}, {trainings_of(each)}"
    if measure:
        what, brief = (f"{TITLES[measure].lower()} {words}" for words in (what, brief))
    return Point(each.candidate, what, place, outcome, row.candidate, before, row.n, needs, brief=brief)


def ranking_point(each: Comparison, row: ComparedRanking) -> Point:
    """The ROC-AUC in a family and in the earlier run."""
    what = f"ROC-AUC not significantly below {compared_with(each)}"
    place = _family_place(row.slice)
    before = f"was {row.baseline:.4f}, p {p_value(row.adjusted)}"
    outcome: PointOutcome = "broken" if row.verdict == "lower" else "holds"
    return Point(each.candidate, what, place, outcome, row.candidate, before, row.n, brief="ROC-AUC not lower")


def rule_point(checked: RuleResult) -> Point:
    ends = "" if checked.low is None or checked.high is None else f"{checked.low:.4f} to {checked.high:.4f}"
    family = checked.slice.get("family") or f"slice {checked.slice['slice']}"
    open_to = [f" {name}={value}" for name, value in checked.slice.items() if f"{name}=*" in checked.rule]
    where = f"{_family_place({**checked.slice, 'family': family})}{''.join(open_to)}"
    outcome: PointOutcome = "holds" if checked.holds else "broken"
    return Point(
        checked.slice["model"], checked.rule, where, outcome, checked.value, ends, checked.n, missing=checked.missing
    )


def gate_sheet(gate: Gate) -> Sheet:
    """Every point of each model, broken ones first; if many hold, they are only counted."""
    found = list(points_of(gate))
    good = sum(point.holds for point in found)
    notes = [f"{point.what}: {point.missing}." for point in found if point.missing]
    suites = {point.where.partition("/")[0] for point in found if "/" in point.where}
    alone = f"{suites.pop()}/" if len(suites) == 1 else ""
    rows = []
    for model in dict.fromkeys(point.model for point in found):
        for point in sorted((each for each in found if each.model == model), key=lambda each: each.holds):
            if not point.holds or good <= ALL_AT_ONCE:
                outcome = SheetCell(point.outcome, marked=not point.holds)
                value = SheetCell("-") if point.missing else SheetCell(f"{point.value:.4f}", point.value)
                what, where = point.brief or point.what, point.where.removeprefix(alone)
                cells = short_name(model), outcome, what, where, value, point.context, f"{point.n:,}"
                rows.append(sheet_row(model, *cells))
    return Sheet(
        "gate",
        "",
        " ".join([*dict.fromkeys(notes), *([f"{good:,} more hold."] if good > ALL_AT_ONCE else [])]),
        (*texts("model", "", "rule or comparison", "on"), *numbers("found", "95% or before", "cases")),
        tuple(rows),
    )


def outcome_words(gate: Gate) -> str:
    """The outcome in one sentence.

    >>> outcome_words(Gate(run="one", baseline="two", outcome="pass", rules=(), comparisons=(), notes=()))
    'one passes: no rule is broken, and nothing is significantly worse than in two.'
    >>> outcome_words(Gate(run="one", baseline="two", outcome="pass", margin=0.02, rules=(), comparisons=(), notes=()))
    'one passes: no rule is broken, and no family lost more than 2 points since two.'
    """
    broken = sum(not each.holds for each in gate.rules)
    losses = len({(each.candidate, row.slice["suite"], row.slice["family"]) for each, row in gate.losses})
    if gate.passed:
        worse = f", and nothing is significantly worse than in {gate.baseline}" if gate.baseline else ""
        if gate.margin is not None:
            worse = f", and no family lost more than {100 * gate.margin:g} points since {gate.baseline}"
        return f"{gate.run} passes: no rule is broken{worse}."
    reasons = [f"{broken} of {len(gate.rules)} rule checks fail"] if broken else []
    if losses:
        others = ", ".join(dict.fromkeys(compared_with(each) for each, _ in gate.losses))
        reasons.append(f"significantly worse than {others} in {losses} {'family' if losses == 1 else 'families'}")
    if lower := len(gate.ranking_losses):
        reasons.append(f"a significantly lower ROC-AUC in {lower} {'family' if lower == 1 else 'families'}")
    if few := gate.too_few_trainings:
        reasons.append(
            f"too few training runs of {', '.join(short_name(each.candidate) for each in few)} to show a loss"
        )
    if gate.margin is not None and (rows := gate.open_rows):
        families = ", ".join(dict.fromkeys(row.slice["family"] for _, row in rows))
        needed = needed_words(row for _, row in rows)
        reasons.append(f"a loss of {100 * gate.margin:g} points is not excluded in {families}{needed}")
    verb = "is inconclusive" if gate.outcome == "inconclusive" else "does not pass"
    return f"{gate.run} {verb}: {', and '.join(reasons)}."


def compared_with(each: Comparison) -> str:
    """The run if it is the same model, or else the other model."""
    same = called(each.candidate) == called(each.baseline)
    return each.baseline_run if same else short_name(each.baseline)


def _family_place(where: Mapping[str, str]) -> str:
    """A family with its suite, unless both have one name.

    >>> _family_place({"suite": "scope", "family": "scope"}), _family_place({"suite": "stress", "family": "swap"})
    ('scope', 'stress/swap')
    """
    return where["family"] if where["suite"] == where["family"] else f"{where['suite']}/{where['family']}"


def gate_summary(gate: Gate) -> RenderableType:
    """Every point of each model, broken ones first, then the outcome."""
    judged = [line(two_way_words(LabelNames(gate.names)))] if gate.binary_suites else []
    notes = [line(f"note: {note}", "yellow") for note in gate.notes]
    outcome = line(
        outcome_words(gate), {"pass": "bold green", "fail": "bold red", "inconclusive": "bold yellow"}[gate.outcome]
    )
    return Group(*judged, *sheet_shown(gate_sheet(gate)), *notes, outcome)


def junit(gate: Gate) -> bytes:
    """The points as test cases: one suite for the gate, one class for each model."""
    found = list(points_of(gate))
    failures = str(sum(not point.holds for point in found))
    top = ElementTree.Element("testsuites", tests=str(len(found)), failures=failures)
    suite = ElementTree.SubElement(
        top, "testsuite", name=printable(f"assay gate {gate.run}"), tests=str(len(found)), failures=failures, errors="0"
    )
    if gate.binary_suites:
        properties = ElementTree.SubElement(suite, "properties")
        judged = printable(two_way_words(LabelNames(gate.names)))
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

    >>> annotations(Gate(run="one", baseline="", outcome="pass", rules=(), comparisons=(), notes=("50%: a, b",)))
    ['::notice title=assay gate::50%25: a, b']
    """
    broken = [f"::error title=assay gate::{_data(point.sentence)}" for point in points_of(gate) if not point.holds]
    judged = [two_way_words(LabelNames(gate.names))] if gate.binary_suites else []
    return [*broken, *(f"::notice title=assay gate::{_data(note)}" for note in (*judged, *gate.notes))]


def _data(text: str) -> str:
    return printable(text).replace("%", "%25")
