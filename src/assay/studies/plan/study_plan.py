"""The plan of a study: systems x conditions x seeds, run on suites, and the tables of the results."""

from typing import Any, Literal

import msgspec

Part = Literal["train", "dev", "test", "heuristics"]
"""Part of the bundled data that stands in for a corpus if there is no folder of data."""

Kind = Literal["training", "transfer"]  # kind of training run: tested on suites, or as an encoder on tasks


TableMeasure = Literal["accuracy", "roc-auc", "deviation", "transfer", "false-neutral", "direction"]
"""The metric of a table: accuracy, the area under the ROC curve of entailment, the deviation of training with swapped
pairs, transfer to tasks, or the fraction of errors that answer neutral or go in one direction."""

OF_ERRORS: tuple[TableMeasure, ...] = ("false-neutral", "direction")  # metrics that the analysis `directions` finds


class CorpusPlan(msgspec.Struct, frozen=True, kw_only=True):
    file: str
    """Its path, relative to the folder of data."""
    part: Part = "train"
    """Part of the bundled data that stands in for it."""
    sample: int | None = None
    """Maximum number of pairs that training takes from it, drawn once: all seeds then train on the same pairs and the
    same edits of them. None means that each seed draws its own."""


class SuitePlan(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A suite to test every trained system on, or whose cases are added to training pairs."""

    source: str = ""  # the corpus that it is built from; empty if its pairs are generated
    families: tuple[str, ...]
    switches: dict[str, str] = {}
    sample: int | None = None  # number of pairs drawn from the corpus; None means all
    per_subcase: int = 100
    subcases: tuple[str, ...] = ()  # the subcases that are generated; all if none are named


class AugmentPlan(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    suite: SuitePlan
    """The suite; copies are made of training pairs."""
    share: float = 0.0
    """Their share of all training pairs, between 0 and 1; they replace others if the plan limits all pairs."""
    pairs: int | None = None
    """In place of a share, their number, which comes on top of all other pairs."""


class TrainingPlan(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Training of one system under one condition, apart from the seed."""

    name: str  # name of the system in the study
    condition: str
    system: str  # the versioned name of the system
    sources: tuple[str, ...]  # the corpora: all pairs together, or, with `sample`, equal parts as far as they reach
    dev: str  # the corpus that picks the best weights
    preset: str = "laptop"
    sample: int | None = None  # training pairs, with those that are added; None means all, and added ones on top
    each: int | None = None  # maximum number of pairs of each corpus; corpora add up, and so do pairs that are added
    redraw: float | None = None  # share of the training pairs that each epoch draws anew; None means all
    dev_sample: int | None = None  # development pairs; None means all
    swap: float = 0.0  # share of neutral and contradiction pairs whose texts are swapped
    augment: AugmentPlan | None = None
    withhold: dict[str, tuple[str, ...]] = {}  # cases of such groups are not added
    switches: dict[str, str] = {}
    more: dict[str, Any] = {}  # other options of `assay train`, by name


class Published(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Published numbers to show next to a table's own."""

    paper: str
    table: str
    systems: dict[str, str] = {}  # names of our systems and models in the paper
    conditions: dict[str, dict[str, str]] = {}  # each condition's published slices: column, row, trained
    suites: dict[str, str] = {}  # the split that each suite is made from, as the paper's numbers name it
    families: dict[str, str] = {}  # names of suites' families in the paper, where they differ
    rows: dict[str, dict[str, str]] = {}  # for tables without slices: the slice of each of the paper's rows or columns


class TablePlan(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    title: str
    by: tuple[str, ...] = ()  # keys of slices apart from suite and family, such as label, variant and subcase
    suites: tuple[str, ...] = ()  # only these suites; all if none are named
    families: tuple[str, ...] = ()
    only: dict[str, tuple[str, ...]] = {}  # the allowed values of keys of slices
    conditions: tuple[str, ...] = ()
    measure: TableMeasure = "accuracy"
    tests: bool = True  # true if conditions are tested against the baseline
    published: tuple[Published, ...] = ()  # the published numbers to show next to its own


class MitigationPlan(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Suites that measure the mitigations of a plan."""

    real: tuple[str, ...]
    """Suites of real pairs, whose accuracy a mitigation should not cost."""
    treated: dict[str, tuple[str, ...]]
    """For each condition, the suites that show what it is meant to mitigate; all other suites are withheld from it."""


class StudyPlan(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Everything that decides the results of a study."""

    name: str
    title: str
    reproduces: str = ""  # tables of papers that it repeats
    kind: Kind = "training"
    corpora: dict[str, CorpusPlan] = {}
    vectors: str = ""  # the file of word vectors, relative to the folder of data; empty for those that come with Assay
    trainings: tuple[TrainingPlan, ...] = ()  # every system under every condition
    models: tuple[str, ...] = ()  # ready models that are run as well
    baseline: str = ""  # the condition that others are compared with
    seeds: tuple[int, ...] = (0,)
    suites: dict[str, SuitePlan] = {}  # suites that every training run is tested on
    epochs: tuple[str, ...] = ()  # suites that are also run after each epoch of training
    tables: tuple[TablePlan, ...] = ()
    tasks: tuple[str, ...] = ()  # the tasks of a transfer study; all if none are named
    mitigations: MitigationPlan | None = None  # set if its conditions are mitigations
    data: str = ""  # the folder of data, unless the command names another; empty if there is none
    notes: tuple[str, ...] = ()  # deliberate differences from the papers

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that are trained, in their order."""
        return tuple(dict.fromkeys(each.name for each in self.trainings))

    @property
    def conditions(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each.condition for each in self.trainings))
