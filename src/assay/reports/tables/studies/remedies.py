"""Before and after: the remedies of a study as sentences and as a table."""

from assay.core.results.comparison import Outcome
from assay.core.study.record import StudyRecord
from assay.evaluate.study.remedies import Change, Course, courses
from assay.evaluate.trainings import FEWEST
from assay.reports.numbers import p_value, percent, point_ends, points
from assay.reports.tables.sheet import Cell, Column, Row, Sheet, numbers, texts

ABOUT = {
    "real": "real pairs",
    "treated": "treated",
    "withheld": "withheld",
}
"""What suites are to a remedy, in words."""

NOTE = (
    "Accuracy in per cent (for swapped pairs, the share that keep their label); means over seeds. Treated: what the "
    "remedy is for. Withheld: what it never saw. Change in points on the same cases. Interval and p are about other "
    "trainings and other cases, with Holm's correction over the table. A verdict needs "
    f"{FEWEST} trainings of each and p below 0.05."
)

LEFT_OUT = "Withheld tests without a verdict are left out; the page has them."


def course_words(course: Course, *, several: bool = False) -> str:
    """What a remedy did, in a sentence."""
    name = f"{course.system}, {course.regime}" if several else course.regime
    if course.generalises:
        withheld = course.of("withheld")
        better = [_name(each) for each in withheld if each.is_better]
        told = (
            f"helps on {_extent(course, 'better')}, and on {len(better)} of {len(withheld)} tests that were withheld "
        )
        told += f"from it ({', '.join(better)})"
    elif course.helps:
        told = f"helps on {_extent(course, 'better')}, but not significantly on any test that was withheld from it"
    elif any(each.is_worse for each in course.of("treated")):
        told = f"makes worse {_extent(course, 'worse')}"
    elif not any(each.test for each in course.of("treated")):
        told = "treats nothing that this study tests"
    elif all(each.test.seeds < FEWEST for each in course.of("treated") if each.test):
        told = f"was trained too few times for a verdict, which needs {FEWEST} trainings with it and without it"
    else:
        told = "has no significant effect on what it treats"
    if worse := ", ".join(f"{_name(each)} ({_moved(each)})" for each in course.worse):
        told += f"; worse on {worse}"
    real = ", ".join(_moved(each) for each in course.of("real"))
    return f"{name}: {told}." + (f" Real pairs: {real} points." if real else "")


def _extent(course: Course, verdict: Outcome) -> str:
    """How much of what a remedy treats has this verdict; swapped pairs are not tested."""
    verdicts = [each.test.verdict for each in course.of("treated") if each.test]
    if len(verdicts) == 1:
        return "what it treats"
    return f"{verdicts.count(verdict)} of {len(verdicts)} tests of what it treats"


def remedy_words(record: StudyRecord) -> list[str]:
    """A sentence for each remedy."""
    several = len(record.plan.systems) > 1
    return [course_words(each, several=several) for each in courses(record)]


def remedies_sheet(record: StudyRecord, *, brief: bool = False) -> Sheet:
    """Before and after, by remedy and suite; in brief, without withheld tests that have no verdict."""
    several = len(record.plan.systems) > 1
    rows = [
        Row("", (*((Cell(course.system),) if several else ()), *_cells(course, change)))
        for course in courses(record)
        for change in course.changes
        if not brief or change.role != "withheld" or change.is_better or change.is_worse
    ]
    columns = (
        *texts(*(("system",) if several else ()), "remedy", "what", "test"),
        *numbers("before", "after", "change", "95 %", "p"),
        Column("trainings", is_number=True, is_detail=True),
        *texts("verdict"),
    )
    note = f"Before: the system as it is trained under {record.plan.baseline!r}, with the same seeds. {NOTE}"
    note = f"{note} {LEFT_OUT}" if brief else note
    return Sheet("before-and-after", "Before and after", note, columns, tuple(rows))


def _cells(course: Course, change: Change) -> tuple[Cell, ...]:
    test, moved = change.test, change.after.band.mean - change.before.band.mean
    return (
        Cell(course.regime),
        Cell(ABOUT[change.role]),
        Cell(_name(change)),
        Cell(percent(change.before.band.mean), change.before.band.mean),
        Cell(percent(change.after.band.mean), change.after.band.mean),
        Cell(points(moved), moved),
        Cell(point_ends(test.low, test.high) if test else ""),
        Cell(p_value(test.adjusted if test else None), test.adjusted if test else None),
        Cell(str(test.seeds) if test else ""),
        Cell(test.verdict if test else "not tested"),
    )


def _name(change: Change) -> str:
    """The suite; with the family, if the suite has several."""
    suite, family = change.after.slice["suite"], change.after.slice["family"]
    return f"{suite}, {family}" if change.of_several else suite


def _moved(change: Change) -> str:
    return points(change.after.band.mean - change.before.band.mean)
