"""Before and after: what each remedy of a study did to real pairs, to what it treats, and to what it never saw."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from assay.core.study.plan import RemedyPlan
from assay.core.study.record import StudyFigure, StudyRecord, StudyTable, StudyTest
from assay.evaluate.study.figures import shows_everything

Role = Literal["real", "treated", "withheld"]
"""What a suite is to a remedy."""

ROLES: tuple[Role, ...] = ("real", "treated", "withheld")


class Change(NamedTuple):
    """What a remedy did on one suite."""

    role: Role
    """What the suite is to the remedy."""
    before: StudyFigure
    """The untreated system."""
    after: StudyFigure
    """The treated one."""
    test: StudyTest | None
    """The paired test; None for swapped pairs, which claim no label."""
    of_several: bool = False
    """Whether the suite has several families, of which this is one."""

    @property
    def is_better(self) -> bool:
        """Whether the test decided for the remedy."""
        return self.test is not None and self.test.verdict == "better"

    @property
    def is_worse(self) -> bool:
        """Whether it decided against it."""
        return self.test is not None and self.test.verdict == "worse"


class Course(NamedTuple):
    """What became of a system under a remedy."""

    system: str
    """The system."""
    regime: str
    """The remedy."""
    changes: tuple[Change, ...]
    """Real pairs first, then what is treated, then what is withheld."""

    def of(self, role: Role) -> list[Change]:
        """The changes on such suites."""
        return [each for each in self.changes if each.role == role]

    @property
    def helps(self) -> bool:
        """Whether it is better on something that it treats, and worse on nothing of that."""
        treated = self.of("treated")
        return any(each.is_better for each in treated) and not any(each.is_worse for each in treated)

    @property
    def generalises(self) -> bool:
        """Whether it also helps on something that was withheld from it."""
        return self.helps and any(each.is_better for each in self.of("withheld"))

    @property
    def worse(self) -> list[Change]:
        """What got worse."""
        return [each for each in self.changes if each.is_worse]


def courses(record: StudyRecord) -> list[Course]:
    """Every system under every remedy, as far as it was measured; none if the study has no remedies."""
    remedies = record.plan.remedies
    table = next((each for each in record.tables if shows_everything(each.plan)), None)
    if remedies is None or table is None:
        return []
    return [
        Course(system, regime, tuple(changes))
        for system in record.plan.systems
        for regime in record.plan.regimes
        if regime in remedies.treated and (changes := _changes(table, remedies, system, regime, record.plan.baseline))
    ]


def role_of(suite: str, regime: str, remedies: RemedyPlan) -> Role:
    """What a suite is to a remedy.

    >>> role_of("hans", "copies", RemedyPlan(real=("real",), treated={"copies": ("heuristics",)}))
    'withheld'
    """
    if suite in remedies.real:
        return "real"
    return "treated" if suite in remedies.treated[regime] else "withheld"


def _changes(table: StudyTable, remedies: RemedyPlan, system: str, regime: str, baseline: str) -> Sequence[Change]:
    figures = {(each.system, each.regime, *each.slice.values()): each for each in table.figures}
    tests = {(each.system, each.regime, *each.slice.values()): each for each in table.tests}
    found = []
    for (owner, how, *place), after in figures.items():
        before = figures.get((system, baseline, *place))
        if (owner, how) == (system, regime) and before:
            role = role_of(after.slice["suite"], regime, remedies)
            suite = after.slice["suite"]
            several = len({each.slice["family"] for each in table.figures if each.slice["suite"] == suite}) > 1
            found.append(Change(role, before, after, tests.get((system, regime, *place)), several))
    return sorted(found, key=lambda each: ROLES.index(each.role))
