"""Before and after: what each mitigation of a study did, as numbers, sentences and a table."""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from assay.core.comparison import Outcome
from assay.evaluate.trainings import FEWEST
from assay.reports.formatting import p_value, point_ends, points
from assay.reports.tables.sheet import Sheet, SheetCell, SheetColumn, numbers, p_cell, share_cell, sheet_row, texts
from assay.studies.plan.study_metrics import shows_everything
from assay.studies.plan.study_plan import MitigationPlan
from assay.studies.plan.study_record import StudyFigure, StudyRecord, StudyTable, StudyTest

Role = Literal["real", "treated", "withheld"]  # role of a suite for a mitigation

ROLES: dict[Role, str] = {"real": "real pairs", "treated": "treated", "withheld": "withheld"}
"""Roles in the order of a table, with its names for them."""


class MitigationChange(NamedTuple):
    role: Role
    before: StudyFigure  # the untreated system
    after: StudyFigure  # the treated one
    test: StudyTest | None  # the paired test; None for swapped pairs, which have no label
    of_several: bool = False  # true if the suite has several families, of which this is one

    @property
    def is_better(self) -> bool:
        return self.test is not None and self.test.verdict == "better"

    @property
    def is_worse(self) -> bool:
        return self.test is not None and self.test.verdict == "worse"


class MitigationResult(NamedTuple):
    system: str
    condition: str
    changes: tuple[MitigationChange, ...]  # real pairs first, then what is treated, then what is withheld

    def of(self, role: Role) -> list[MitigationChange]:
        return [each for each in self.changes if each.role == role]

    @property
    def helps(self) -> bool:
        """True if it is better on a suite that it treats, and worse on none of these."""
        treated = self.of("treated")
        return any(each.is_better for each in treated) and not any(each.is_worse for each in treated)

    @property
    def generalises(self) -> bool:
        """True if it also helps on a suite that was withheld from it."""
        return self.helps and any(each.is_better for each in self.of("withheld"))


def mitigation_results(record: StudyRecord) -> list[MitigationResult]:
    """Every system under every mitigation, as far as it was measured; none if the study has no mitigations."""
    mitigations = record.plan.mitigations
    table = next((each for each in record.tables if shows_everything(each.plan)), None)
    if mitigations is None or table is None:
        return []
    return [
        MitigationResult(system, condition, tuple(changes))
        for system in record.plan.systems
        for condition in record.plan.conditions
        if condition in mitigations.treated
        and (changes := _find_changes(table, mitigations, system, condition, record.plan.baseline))
    ]


def role_of(suite: str, condition: str, mitigations: MitigationPlan) -> Role:
    """Role of a suite for a mitigation.

    >>> role_of("hans", "copies", MitigationPlan(real=("real",), treated={"copies": ("heuristics",)}))
    'withheld'
    """
    if suite in mitigations.real:
        return "real"
    return "treated" if suite in mitigations.treated[condition] else "withheld"


def _find_changes(
    table: StudyTable, mitigations: MitigationPlan, system: str, condition: str, baseline: str
) -> Sequence[MitigationChange]:
    figures = {(each.system, each.condition, *each.slice.values()): each for each in table.figures}
    tests = {(each.system, each.condition, *each.slice.values()): each for each in table.tests}
    found = []
    for (owner, how, *place), after in figures.items():
        before = figures.get((system, baseline, *place))
        if (owner, how) == (system, condition) and before:
            role = role_of(after.slice["suite"], condition, mitigations)
            suite = after.slice["suite"]
            several = len({each.slice["family"] for each in table.figures if each.slice["suite"] == suite}) > 1
            found.append(MitigationChange(role, before, after, tests.get((system, condition, *place)), several))
    return sorted(found, key=lambda each: [*ROLES].index(each.role))


NOTE = (
    "Accuracy in % (for swapped pairs, the share that keep their label); means over seeds. Treated: what the "
    "mitigation is for. Withheld: what it never saw. Change in points on the same cases. Interval and p are about "
    "other training runs and other cases, with Holm's correction over the table. A verdict needs "
    f"{FEWEST} training runs of each and p below 0.05."
)

LEFT_OUT = "Withheld tests without a verdict are left out; the page has them."


def describe_result(result: MitigationResult, *, several: bool = False) -> str:
    name = f"{result.system}, {result.condition}" if several else result.condition
    if result.generalises:
        withheld = result.of("withheld")
        better = [_suite_name(each) for each in withheld if each.is_better]
        told = f"helps on {_describe_extent(result, 'better')}, and on {len(better)} of {len(withheld)} tests "
        told += f"that were withheld from it ({', '.join(better)})"
    elif result.helps:
        told = f"helps on {_describe_extent(result, 'better')}, but not significantly on any test withheld from it"
    elif any(each.is_worse for each in result.of("treated")):
        told = f"makes worse {_describe_extent(result, 'worse')}"
    elif not any(each.test for each in result.of("treated")):
        told = "treats nothing that this study tests"
    elif all(each.test.seeds < FEWEST for each in result.of("treated") if each.test):
        told = f"was trained too few times for a verdict, which needs {FEWEST} training runs with it and without it"
    else:
        told = "has no significant effect on what it treats"
    if worse := ", ".join(f"{_suite_name(each)} ({_format_change(each)})" for each in result.changes if each.is_worse):
        told += f"; worse on {worse}"
    real = ", ".join(_format_change(each) for each in result.of("real"))
    return f"{name}: {told}." + (f" Real pairs: {real} points." if real else "")


def _describe_extent(result: MitigationResult, verdict: Outcome) -> str:
    """Share of treated tests with this verdict, in words; swapped pairs are not tested."""
    verdicts = [each.test.verdict for each in result.of("treated") if each.test]
    if len(verdicts) == 1:
        return "what it treats"
    return f"{verdicts.count(verdict)} of {len(verdicts)} tests of what it treats"


def mitigation_words(record: StudyRecord) -> list[str]:
    several = len(record.plan.systems) > 1
    return [describe_result(each, several=several) for each in mitigation_results(record)]


def mitigations_sheet(record: StudyRecord, *, brief: bool = False) -> Sheet:
    """Before and after, by mitigation and suite; in brief, without withheld tests that have no verdict."""
    several = len(record.plan.systems) > 1
    rows = [
        sheet_row("", *([result.system] if several else []), *_row_cells(result, change))
        for result in mitigation_results(record)
        for change in result.changes
        if not brief or change.role != "withheld" or change.is_better or change.is_worse
    ]
    columns = (
        *texts(*(("system",) if several else ()), "mitigation", "what", "test"),
        *numbers("before", "after", "change", "95%", "p"),
        SheetColumn("trainings", is_number=True, is_detail=True),
        *texts("verdict"),
    )
    note = f"Before: the system as it is trained under {record.plan.baseline!r}, with the same seeds. {NOTE}"
    note = f"{note} {LEFT_OUT}" if brief else note
    return Sheet("before-and-after", "Before and after", note, columns, tuple(rows))


def _row_cells(result: MitigationResult, change: MitigationChange) -> Iterator[str | SheetCell]:
    test, before, after = change.test, change.before.band.mean, change.after.band.mean
    yield from (result.condition, ROLES[change.role], _suite_name(change))
    yield from (share_cell(before), share_cell(after))
    yield SheetCell(points(after - before), after - before)
    if test:
        yield from (point_ends(test.low, test.high), p_cell(test.adjusted), str(test.seeds), test.verdict)
    else:
        yield from ("", p_value(None), "", "not tested")


def _suite_name(change: MitigationChange) -> str:
    suite, family = change.after.slice["suite"], change.after.slice["family"]
    return f"{suite}, {family}" if change.of_several else suite


def _format_change(change: MitigationChange) -> str:
    return points(change.after.band.mean - change.before.band.mean)
