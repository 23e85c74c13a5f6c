"""The verdict on a run: losses, findings, the examples that show them, and the diagnosis of each model."""

from typing import Literal

import msgspec

from assay.core.case import Case
from assay.core.label import Label
from assay.core.label_space import TWO_WAY_KEY

SwapOutcome = Literal[
    "not measured", "never right", "drops", "drops a little", "does not drop", "holds", "falls", "rises", "undecided"
]
"""Outcomes of swapping premise and hypothesis for the frequency of a label."""

UNEXPECTED = frozenset({"does not drop", "falls", "rises"})
"""Outcomes that a model that reads both texts would not show."""


class Loss(msgspec.Struct, frozen=True, kw_only=True):
    """A slice on which a model is significantly less accurate than on the source pairs."""

    slice: dict[str, str]  # the slice: model, suite, family, and the label if it is about one
    drop: float  # the size of the drop, as a fraction; for a system, the mean over its seeds
    before: float | None = None
    """The accuracy on unmodified pairs that the drop is measured from, if an edit gives new labels."""
    p: float  # the corrected p of the drop; for a system, the largest over its seeds


class SwapVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """Effect of swapping premise and hypothesis on one label."""

    slice: dict[str, str]
    outcome: SwapOutcome

    @property
    def is_expected(self) -> bool:
        """True if a model that reads both texts would do so; also true if the data can't tell."""
        return self.outcome not in UNEXPECTED


class BelowChance(msgspec.Struct, frozen=True, kw_only=True):
    """A label that a model gets right less often than guessing would, if there are no source pairs to compare with."""

    slice: dict[str, str]
    value: float
    low: float
    high: float
    chance: float


class TwoWay(msgspec.Struct, frozen=True, kw_only=True):
    """A model that answers with two labels where cases have three: an easier task."""

    model: str
    suite: str


class Divided(msgspec.Struct, frozen=True, kw_only=True):
    """A family in which some model's accuracy differs between the values of a corpus group, such as genre."""

    group: str
    suite: str
    family: str
    gap: float  # the gap between the best and the worst value, for the model with the largest gap


class _Finding(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", omit_defaults=True):
    model: str  # the model; or a system, if the finding holds for all of its seeds
    suite: str
    family: str
    seeds: int = 1  # number of seeds the numbers are averaged over


class LossFinding(_Finding, frozen=True, kw_only=True, tag="loss"):
    """A large loss compared with the source pairs."""

    label: str = ""  # the label; empty if the loss is over all source pairs
    before: float
    after: float
    p: float  # the corrected p of the drop


class Heuristic(msgspec.Struct, frozen=True, kw_only=True):
    """A heuristic that a model follows."""

    name: str
    holds: float  # accuracy on cases where the heuristic gives the right label
    fails: float  # accuracy on cases where the heuristic gives a wrong label


class HeuristicFinding(_Finding, frozen=True, kw_only=True, tag="heuristic"):
    """Heuristics that make a model answer entailment."""

    heuristics: tuple[Heuristic, ...]  # the heuristics; the one that it follows most closely comes first


class SidesFinding(_Finding, frozen=True, kw_only=True, tag="sides"):
    """A label whose frequency changes wrongly when premise and hypothesis are swapped."""

    label: str
    outcome: SwapOutcome
    p: float | None = None  # the corrected p of the change, if it is significant


class ConfidenceFinding(_Finding, frozen=True, kw_only=True, tag="confidence"):
    """A large gap between a model's confidence and its accuracy, in the family where it is largest."""

    error: float


Finding = LossFinding | HeuristicFinding | SidesFinding | ConfidenceFinding
"""Something that a model does but should not."""


class SourceAccuracy(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Accuracy of a model on the unmodified pairs."""

    value: float  # the accuracy; the mean over seeds
    low: float  # lower end of its 95% interval; the lowest of several seeds
    high: float  # upper end, or the highest seed
    chance: float  # the accuracy of always giving the most frequent label
    seeds: int = 1

    @property
    def is_guessing(self) -> bool:
        """True if the model may be no better than always giving the most frequent label."""
        return self.low <= self.chance


VerdictOutcome = Literal[
    "unusable", "wrong reasons", "guesses", "bad threshold", "misjudges itself", "no loss", "not compared"
]
"""The worst finding about a model; `not compared` if there are no source pairs to compare its answers with.

`unusable` means that at least half of the answers are fallbacks, so that numbers say little about the model.
`bad threshold` means that its answers are no better than one label, although its scores separate the cases.
"""


class Verdict(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Verdict on one model, or on a system of several seeds."""

    model: str
    outcome: VerdictOutcome
    wrong: int = 0  # families with a finding other than confidence
    families: int = 0  # families that were tested, not counting the source pairs
    tests: int = 0  # number of tests its p values are corrected for; for a system, the number for one seed
    source: SourceAccuracy | None = None  # accuracy on the source pairs; None if no model was run on them


class Judgement(msgspec.Struct, frozen=True, kw_only=True, rename={"two_label_models": TWO_WAY_KEY}):
    """All judgements of a run's numbers. They are made once, and every report shows the same ones."""

    losses: tuple[Loss, ...] = ()  # slices where a model, or every seed of a system, is worse than on the source pairs
    swaps: tuple[SwapVerdict, ...] = ()
    below_chance: tuple[BelowChance, ...] = ()
    two_label_models: tuple[TwoWay, ...] = ()  # models that answer with two labels where cases have three
    divided: tuple[Divided, ...] = ()  # families where a group of the corpus makes a difference, the largest first
    findings: tuple[Finding, ...] = ()  # findings about models and systems, the worst first
    verdicts: tuple[Verdict, ...] = ()  # one for each model or system of several seeds, in the order of the run


class ExampleAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A model's answer to a case, and to its source pair."""

    label: Label
    confidence: float | None = None  # the probability that the model gives its answer, if it gives probabilities
    source: Label | None = None  # the model's answer to the source pair, if the pair was run
    failed: bool = False  # True if a model that reads both texts would answer differently


class Example(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A telling case, sampled from a run."""

    suite: str
    case: Case
    answers: dict[str, ExampleAnswer]
    source_label: Label | None = None  # the label of the source pair, if it was run
    proof: str = ""  # the justification of its label, in words; empty if no label is claimed or no check exists for it

    @property
    def failing(self) -> tuple[str, ...]:
        """The models that fail on the case."""
        return tuple(model for model, answer in self.answers.items() if answer.failed)


Shortcut = Literal[
    "constant",
    "overlap",
    "subsequence",
    "constituent",
    "few-shared",
    "negation",
    "number",
    "hypothesis",
    "premise",
    "first-word",
    "last-word",
    "word-pair",
    "length",
    "order",
    "replacement",
    "scope",
    "prior",
    "unknown",
]
"""Ways to answer without reading. `constant` and `prior` are about one label that is given always, or too often;
`unknown` stands for everything on the surface together."""


class Effect(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A model's use of one shortcut, measured where the shortcut is wrong."""

    name: Shortcut
    rule: str  # the condition under which the shortcut applies, in words
    answer: str = ""  # the label that the shortcut suggests; empty if the label varies
    n: int = 0  # cases where the shortcut's answer is wrong
    followed: float | None = None
    """The fraction of these cases to which the model gives the shortcut's answer; None if there are none."""
    right: float | None = None
    """The model's accuracy on these cases; None if they are not cases where a shortcut is wrong."""
    others: int = 0
    """Comparable cases, with the same right answers, for which the shortcut does not suggest that answer."""
    base: float | None = None
    """The fraction of comparable cases to which the model gives that answer, weighted to the same right answers."""
    difference: float | None = None
    """How much more often the model gives the shortcut's answer where the shortcut suggests it."""
    low: float | None = None  # lower end of the difference's 95% interval, clustered by source pair
    high: float | None = None
    p: float | None = None
    """p value of the difference if only chance and difficulty were at work, corrected for the shortcuts of the
    model by Holm's method."""
    follows: bool = False
    """True if the model is reported to follow it: the difference is significant, large and not explained otherwise."""
    possible: bool = False  # True if the model follows this shortcut or another one, and the cases can't tell which
    explained_by: tuple[Shortcut, ...] = ()  # shortcuts that the model follows and that explain this difference


class Shift(msgspec.Struct, frozen=True, kw_only=True):
    """Change in the frequency of one answer from source pairs to their edited copies."""

    answer: str
    before: float  # the fraction of source pairs that get this answer
    after: float  # the fraction of copies that get this answer
    low: float  # lower end of the 95% interval of the change, clustered by source pair
    high: float
    p: float  # p value of the change, corrected for all shifts of the model by Holm's method
    lost: bool = False  # True if this is the right answer and is given significantly less often


class Moves(msgspec.Struct, frozen=True, kw_only=True):
    """Changes of a model's answers by edits of one family, for source pairs of one label."""

    suite: str
    family: str
    label: str  # the right answer to the source pairs
    holds: bool = True
    """True if the label is still the right answer to the copies; False for swapped pairs, where it is unknown."""
    n: int
    answers: tuple[str, ...]  # the answers that occur, in the order of the matrix
    counts: tuple[tuple[int, ...], ...]
    """Copies by the answer to their source pair (rows) and the answer to the copy (columns)."""
    shifts: tuple[Shift, ...]  # changes in the frequency of each answer, in the order of the matrix


class Coefficient(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Association of one property of cases with errors, all other properties being equal."""

    name: str  # the property, such as overlap, or a value of a group, such as genre=fiction
    unit: str
    value: float | None = None  # the change in the log odds of an error; None if it can't be estimated
    error: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None  # p value of the coefficient, corrected for the model's coefficients by Holm's method
    worse: bool = False  # True if cases with the property have significantly more errors
    why_not: str = ""  # the reason why it can't be estimated; empty if it can


class Regression(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A logistic regression of being wrong on properties of the cases."""

    n: int
    wrong: int
    clusters: int  # number of source pairs that the cases come from
    coefficients: tuple[Coefficient, ...] = ()  # one for each property; the intercept comes first
    why_not: str = ""  # the reason why nothing can be estimated; empty if something can


class UnknownShortcut(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Features that predict one answer of a model, found by a search; a shortcut only if new cases confirm it."""

    features: tuple[str, ...]  # the features by kind, text and value, such as `category:hypothesis:colors`
    rule: str
    answer: str  # the label that the model gives more often with them
    n: int  # cases with the features in which that label is wrong, of premises that were not searched
    followed: float  # the fraction of these cases that get the label
    base: float  # the fraction of comparable cases without the features that get the label
    p: float  # p value of the difference, corrected for all rules of the model by Holm's method
    new: int = 0  # pairs of new cases that differ in one feature only, in which the label is wrong
    treated: float | None = None  # the fraction of the new cases with the features that get the label
    control: float | None = None  # the fraction of the new cases without the features that get the label
    new_p: float | None = None
    """p value of that difference, corrected for all rules of the model that were tested on new cases."""
    confirmed: bool = False
    """True if the difference on new cases is significant and large, so that the rule is called a shortcut."""
    why_not: str = ""  # the reason why the rule could not be tested on new cases


class Profile(msgspec.Struct, frozen=True, kw_only=True):
    """Diagnosis of one model."""

    model: str
    headline: str  # the model's behaviour, as a sentence without its subject and full stop
    effects: tuple[Effect, ...]
    """The shortcuts: first those that it follows, in the order in which they were found, then the others."""
    moves: tuple[Moves, ...]  # changes of its answers by edits, by family and label
    regression: Regression | None = None
    """Properties that correlate with its errors; None if no case has a right answer."""
    searched: tuple[UnknownShortcut, ...] | None = None
    """Rules found by searching its answers; None if no search was made."""

    @property
    def followed(self) -> tuple[Effect, ...]:
        return tuple(each for each in self.effects if each.follows)


class ErrorAgreement(msgspec.Struct, frozen=True, kw_only=True):
    """Agreement between the errors of two models."""

    first: str
    second: str
    n: int
    both_wrong: int
    only_first: int
    only_second: int
    kappa: float | None
    """Cohen's kappa of being wrong: 0 is chance, 1 the same errors; None if either model is always right or wrong."""
    low: float | None  # lower end of its 95% interval, clustered by source pair
    high: float | None
    p: float | None  # p value of agreement this far from chance, corrected for all pairs of models by Holm's method


class Diagnosis(msgspec.Struct, frozen=True, kw_only=True):
    """Diagnosis of a run."""

    n: int  # cases with a right answer, over all suites
    drawn_from: int | msgspec.UnsetType = msgspec.UNSET
    """Total number of cases, if the run is so large that only a sample of its source pairs was examined."""
    profiles: tuple[Profile, ...]  # one for each model, in the order of the run
    versus: tuple[ErrorAgreement, ...] = ()
    all_wrong: int = 0
    only_right: dict[str, int] = {}  # cases that one model alone gets right, by model

    unseen: tuple[Shortcut, ...] = ()
    """Shortcuts for which there are too few cases: of models that follow them half of the time, fewer than four of five
    would be noticed."""

    systems: dict[str, str] = {}  # for systems of several seeds, a headline of what all seeds do

    def of(self, model: str) -> Profile | None:
        return next((each for each in self.profiles if each.model == model), None)

    def headline(self, model: str) -> str:
        """The headline of a model or a system of several seeds; empty if it has none."""
        found = self.of(model)
        return found.headline if found else self.systems.get(model, "")
