"""The plan of a study: systems x conditions x seeds, run on suites, and the tables of the results."""

from typing import Any, Literal

import msgspec

Part = Literal["train", "dev", "test", "heuristics"]
"""Part of the bundled data that stands in for a corpus if there is no folder of data."""

Kind = Literal["training", "transfer"]
"""Kind of training run: tested on suites, or as an encoder on tasks."""


TableMeasure = Literal["accuracy", "roc-auc", "deviation", "transfer", "false-neutral", "direction"]
"""The metric of a table: accuracy, the area under the ROC curve of entailment, the deviation of training with swapped
pairs, transfer to tasks, or the fraction of errors that answer neutral or go in one direction."""

OF_ERRORS: tuple[TableMeasure, ...] = ("false-neutral", "direction")
"""Metrics that the analysis `directions` finds."""


class CorpusPlan(msgspec.Struct, frozen=True, kw_only=True):
    """A corpus of a plan."""

    file: str
    """Its path, relative to the folder of data."""
    part: Part = "train"
    """Part of the bundled data that stands in for it."""
    sample: int | None = None
    """Maximum number of pairs that training takes from it, drawn once: all seeds then train on the same pairs and the
    same edits of them. None means that each seed draws its own."""


class SuitePlan(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A suite to test every trained system on, or whose cases are added to training pairs."""

    source: str = ""
    """The corpus that it is built from; empty if its pairs are generated."""
    families: tuple[str, ...]
    switches: dict[str, str] = {}
    sample: int | None = None
    """Number of pairs drawn from the corpus; None means all."""
    per_subcase: int = 100
    subcases: tuple[str, ...] = ()
    """The subcases that are generated; all if none are named."""


class AugmentPlan(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Cases that are added to the training pairs."""

    suite: SuitePlan
    """The suite; copies are made of training pairs."""
    share: float = 0.0
    """Their share of all training pairs, between 0 and 1; they replace others if the plan limits all pairs."""
    pairs: int | None = None
    """In place of a share, their number, which comes on top of all other pairs."""


class TrainingPlan(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Training of one system under one condition, apart from the seed."""

    name: str
    """Name of the system in the study."""
    condition: str
    system: str
    """The versioned name of the system."""
    sources: tuple[str, ...]
    """The corpora: all their pairs together, or, if `sample` limits these, equal parts as far as they reach."""
    dev: str
    """The corpus that picks the best weights."""
    preset: str = "laptop"
    sample: int | None = None
    """Training pairs, with those that are added; None means all pairs of the corpora, and more are added to them."""
    each: int | None = None
    """Maximum number of pairs of each corpus; corpora add up, and so do pairs that are added."""
    redraw: float | None = None
    """Share of the training pairs that each epoch draws anew; None means all."""
    dev_sample: int | None = None
    """Development pairs; None means all."""
    swap: float = 0.0
    """Share of neutral and contradiction pairs whose texts are swapped."""
    augment: AugmentPlan | None = None
    withhold: dict[str, tuple[str, ...]] = {}
    """Cases of such groups are not added."""
    switches: dict[str, str] = {}
    more: dict[str, Any] = {}
    """Other options of `assay train`, by name."""


class Published(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Published numbers to show next to a table's own."""

    paper: str
    table: str
    systems: dict[str, str] = {}
    """Names of our systems and models in the paper."""
    conditions: dict[str, dict[str, str]] = {}
    """For each condition, the slices of its published numbers: column, row, trained. If some conditions are named,
    the others have no published numbers."""
    suites: dict[str, str] = {}
    """The split that each suite is made from, as the paper's numbers name it."""
    families: dict[str, str] = {}
    """Names of suites' families in the paper, where they differ."""
    rows: dict[str, dict[str, str]] = {}
    """For tables without slices: the slice that each of the paper's rows or columns is about."""


class TablePlan(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A table of the study."""

    title: str
    by: tuple[str, ...] = ()
    """Keys of slices apart from suite and family: label, answer, variant, heuristic, subcase, category."""
    suites: tuple[str, ...] = ()
    """Only these suites; all if none are named."""
    families: tuple[str, ...] = ()
    only: dict[str, tuple[str, ...]] = {}
    """The allowed values of keys of slices."""
    conditions: tuple[str, ...] = ()
    measure: TableMeasure = "accuracy"
    tests: bool = True
    """True if conditions are tested against the baseline."""
    published: tuple[Published, ...] = ()
    """The published numbers to show next to its own."""


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
    reproduces: str = ""
    """Tables of papers that it repeats."""
    kind: Kind = "training"
    corpora: dict[str, CorpusPlan] = {}
    vectors: str = ""
    """The file of word vectors, relative to the folder of data; empty for those that come with Assay."""
    trainings: tuple[TrainingPlan, ...] = ()
    """Every system under every condition."""
    models: tuple[str, ...] = ()
    """Ready models that are run as well."""
    baseline: str = ""
    """The condition that others are compared with."""
    seeds: tuple[int, ...] = (0,)
    suites: dict[str, SuitePlan] = {}
    """Suites that every training run is tested on."""
    epochs: tuple[str, ...] = ()
    """Suites that are also run after each epoch of training."""
    tables: tuple[TablePlan, ...] = ()
    tasks: tuple[str, ...] = ()
    """The tasks of a transfer study; all if none are named."""
    mitigations: MitigationPlan | None = None
    """Set if its conditions are mitigations."""
    data: str = ""
    """The folder of data, unless the command names another; empty if there is none."""
    notes: tuple[str, ...] = ()
    """Deliberate differences from the papers."""

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that are trained, in their order."""
        return tuple(dict.fromkeys(each.name for each in self.trainings))

    @property
    def conditions(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each.condition for each in self.trainings))
