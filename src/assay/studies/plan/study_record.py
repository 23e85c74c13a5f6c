"""The record of a study: the results of every training run, and the tables."""

from typing import TYPE_CHECKING, Literal

import msgspec

from assay.core.comparison import Band, Outcome
from assay.core.serialise import with_seal
from assay.studies.analyses.analysis_result import Analysis
from assay.studies.plan.study_plan import StudyPlan, TablePlan

if TYPE_CHECKING:
    from assay.reports.plot import Plot

STUDY_SCHEMA = 3  # the version of a study's record; a reader refuses any other


class FinishedTraining(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    system: str  # the system, or the model that was ready
    condition: str
    seed: int
    digest: str  # the digest of system, data, settings and seed
    folder: str  # its folder, relative to that of studies
    run: str  # the folder of its run, relative to that of studies
    pairs: int = 0
    epochs: int = 0
    accuracy: float | None = None  # the best accuracy on the development pairs
    seconds: float = 0.0  # time for training and answering, as far as it was not interrupted


class FailedTraining(msgspec.Struct, frozen=True, kw_only=True):
    system: str
    condition: str
    seed: int
    reason: str
    log: str  # its log, relative to the folder of studies


class StudyFigure(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A number of a system under a condition, over its seeds."""

    system: str
    condition: str
    slice: dict[str, str]  # the slice: suite, family, and whatever the table is by
    band: Band  # over the seeds
    measure: Literal["accuracy", "kept"] = "accuracy"  # accuracy, or the share of swapped pairs that keep their label
    values: tuple[float, ...] = ()
    n: int
    low: float | None = None  # lower end of the 95% interval over cases; None if there are several seeds
    high: float | None = None


class StudyTest(msgspec.Struct, frozen=True, kw_only=True):
    """A condition compared with the baseline on the same cases; training runs and cases are both random."""

    system: str
    condition: str
    baseline: str  # the condition that it is compared with
    slice: dict[str, str]
    n: int
    seeds: int  # seeds that both sides have
    difference: float  # the condition's accuracy minus the baseline's
    low: float | None  # lower end of its 95% interval over training runs and cases; None for one training run
    high: float | None
    p: float | None  # p value of the difference; None if there are too few training runs
    exchange: float  # the p of the test that exchanges training runs between condition and baseline
    adjusted: float | None = None  # the larger of `exchange` and of `p` with Holm's correction for the table
    at_chance: bool = False  # true if one of the two is not significantly above the best guess on unmodified pairs
    verdict: Outcome = "not significant"  # better or worse if the adjusted p is below 0.05 and training runs allow it


class StudyTable(msgspec.Struct, frozen=True, kw_only=True):
    plan: TablePlan
    figures: tuple[StudyFigure, ...]
    tests: tuple[StudyTest, ...] = ()


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """An earlier study of the same name."""

    record: str  # its file, relative to the folder of studies
    created: str  # time in UTC
    trainings: int
    missing: int
    reduced: tuple[str, ...]


class StudyRecord(msgspec.Struct, frozen=True, kw_only=True):
    schema: int = STUDY_SCHEMA
    id: str  # the name of the study, with a digest of the whole plan
    created: str  # time of its end in UTC
    plan: StudyPlan  # the plan after the options of the command line
    trainings: tuple[FinishedTraining, ...]
    missing: tuple[FailedTraining, ...] = ()
    tables: tuple[StudyTable, ...]
    analyses: tuple[Analysis, ...] = ()  # the papers' analyses of the training runs
    suites: dict[str, int] = {}  # number of cases by suite
    reduced: tuple[str, ...] = ()  # reductions from the papers or the plan
    stands_in: bool = False  # true if the bundled corpus stood in for the plan's data: no published number compares
    attempts: tuple[Attempt, ...] = ()  # earlier studies of the same name, the newest first
    expected: float | None = None  # the seconds that were forecast for the training runs that were to do, if any
    spent: float = 0.0  # the seconds that all training runs took, added up
    versions: dict[str, str]
    result: str = ""  # SHA-256 of the tables and analyses: equal for equal results, wherever they were made
    seal: str = ""  # SHA-256 of this record without its seal

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems and ready models that were run: all of the plan, or those of `--only`."""
        run, failed = ([each.system for each in self.trainings], [each.system for each in self.missing])
        return tuple(dict.fromkeys(run + failed))

    def to_text(self, to: Literal["html", "md", "latex", "json"] = "md") -> str:
        from assay.studies.plan.study_page import study_text

        return study_text(self, to)

    def plots(self) -> "list[Plot]":
        """A chart for each table, system and suite: seeds as points, published numbers hollow, guessing as a line."""
        from assay.reports.plot import Plot
        from assay.studies.plan.study_page import study_charts

        style = {"fontSize": 12, "fontWeight": 500, "anchor": "start"}
        return [
            Plot(each.name, each.title, spec=each.spec | {"title": {"text": each.told, **style}})
            for each in study_charts(self)
        ]

    def sealed(self) -> "StudyRecord":
        return with_seal(self)
