"""What a run's figures come to: losses, findings, and a verdict on each model. Data only; reports put it into words."""

from typing import Literal

import msgspec

SwapOutcome = Literal[
    "not measured",
    "never right",
    "drops",
    "drops a little",
    "does not drop",
    "holds",
    "falls",
    "rises",
    "undecided",
]
"""What the share of a label does when premise and hypothesis are swapped."""

UNEXPECTED = frozenset({"does not drop", "falls", "rises"})
"""What a model that reads would not do."""


class Loss(msgspec.Struct, frozen=True, kw_only=True):
    """A slice on which a model is right less often than on the source pairs, by more than chance explains."""

    slice: dict[str, str]
    """On what: model, suite, family, and the label where it is about one."""
    drop: float
    """How much less, as a share; the mean over the seeds of a system."""
    p: float
    """The corrected p of the drop; the largest over the seeds of a system."""


class Swap(msgspec.Struct, frozen=True, kw_only=True):
    """What one label does when premise and hypothesis are swapped."""

    slice: dict[str, str]
    """On what: model, suite, family, label."""
    outcome: SwapOutcome
    """What its share does."""

    @property
    def is_expected(self) -> bool:
        """Whether a model that reads would do so; true also where nothing can be said."""
        return self.outcome not in UNEXPECTED


class BelowChance(msgspec.Struct, frozen=True, kw_only=True):
    """A label that a model gets right less often than guessing would, where no source pairs say what to expect."""

    slice: dict[str, str]
    """On what: model, suite, family, label."""
    value: float
    """The accuracy."""
    low: float
    """Lower end of its 95 % interval."""
    high: float
    """Upper end, which is below chance."""
    chance: float
    """What guessing gets."""


class TwoWay(msgspec.Struct, frozen=True, kw_only=True):
    """A model that answers with two labels where cases have three: an easier task."""

    model: str
    """The model."""
    suite: str
    """Where it does so."""


class Divided(msgspec.Struct, frozen=True, kw_only=True):
    """A family in which the values of a corpus's group, such as genre, make a difference to some model."""

    group: str
    """The name of the group."""
    suite: str
    """In which suite."""
    family: str
    """In which family."""
    gap: float
    """How far the best value is above the worst, for the model that differs most."""


class _Finding(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", omit_defaults=True):
    model: str
    """Which model does it; a system where all of its seeds do."""
    suite: str
    """In which suite."""
    family: str
    """In which family."""
    seeds: int = 1
    """Over how many seeds the figures are means."""


class LossFinding(_Finding, frozen=True, kw_only=True, tag="loss"):
    """A large loss against the source pairs."""

    label: str = ""
    """Of which label; empty where it is about all source pairs."""
    before: float
    """The share of right answers to the source pairs."""
    after: float
    """The same to the cases."""
    p: float
    """The corrected p of the drop."""


class Heuristic(msgspec.Struct, frozen=True, kw_only=True):
    """A heuristic that a model follows."""

    name: str
    """Which one."""
    holds: float
    """Accuracy where the heuristic leads to the right label."""
    fails: float
    """Accuracy where it does not."""


class HeuristicFinding(_Finding, frozen=True, kw_only=True, tag="heuristic"):
    """Heuristics that a model takes for entailment."""

    heuristics: tuple[Heuristic, ...]
    """The one that it follows most closely comes first."""


class SidesFinding(_Finding, frozen=True, kw_only=True, tag="sides"):
    """A label that does not do what it should when premise and hypothesis are swapped."""

    label: str
    """Which one."""
    outcome: SwapOutcome
    """What its share does."""
    p: float | None = None
    """The corrected p of the change, where it is clear."""


class ConfidenceFinding(_Finding, frozen=True, kw_only=True, tag="confidence"):
    """Confidence that is far from how often a model is right, in the family where it is farthest."""

    error: float
    """The calibration error."""


Finding = LossFinding | HeuristicFinding | SidesFinding | ConfidenceFinding
"""Something that a model does and should not."""


class SourceAccuracy(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How often a model is right on the source pairs as they are."""

    value: float
    """The accuracy; the mean over seeds."""
    low: float
    """Lower end of its 95 % interval; the lowest of several seeds."""
    high: float
    """Upper end, or the highest seed."""
    chance: float
    """What always giving the most frequent label gets."""
    seeds: int = 1
    """How many seeds there are."""

    @property
    def is_guessing(self) -> bool:
        """Whether it may be no more than the most frequent label gets."""
        return self.low <= self.chance


VerdictOutcome = Literal["wrong reasons", "guesses", "misjudges itself", "no loss", "not compared"]
"""The worst that was found about a model; `not compared` where no source pairs say what to expect of its answers."""


class Verdict(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a run says about one model, or about a system of several seeds."""

    model: str
    """Its name."""
    outcome: VerdictOutcome
    """The worst that was found."""
    wrong: int = 0
    """Families with a finding other than confidence."""
    families: int = 0
    """Families that were tested, the source pairs left out."""
    tests: int = 0
    """Tests that its p values are corrected for; the number for one seed of a system."""
    source: SourceAccuracy | None = None
    """On the source pairs; None where they were not asked."""


class Judgement(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is decided about a run's figures. It is decided once, and every report shows the same."""

    losses: tuple[Loss, ...] = ()
    """Slices that are worse than the source pairs, of models and of systems all of whose seeds are."""
    swaps: tuple[Swap, ...] = ()
    """What each label does when the sides are swapped."""
    below_chance: tuple[BelowChance, ...] = ()
    """Labels on which a model is worse than guessing."""
    two_way: tuple[TwoWay, ...] = ()
    """Models that answer with two labels where cases have three."""
    divided: tuple[Divided, ...] = ()
    """Families that a group of the corpus divides, the largest difference first."""
    findings: tuple[Finding, ...] = ()
    """What models do and should not, the worst first: of every model, and of systems."""
    verdicts: tuple[Verdict, ...] = ()
    """One for each model, or system of several seeds, in the order of the run."""
