"""Diagnoses: the shortcuts that models use, the effect of edits, and what goes with errors."""

from typing import Literal

import msgspec

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
    """The shortcut."""
    rule: str
    """The condition for its answer, in words."""
    answer: str = ""
    """The label that the shortcut gives; empty if it is not always the same."""
    n: int = 0
    """Cases where the shortcut's answer is wrong."""
    followed: float | None = None
    """The share of them that the model answers just as the shortcut does; None if there are none."""
    right: float | None = None
    """The share of them that the model gets right; None if they are not cases where a shortcut is wrong."""
    others: int = 0
    """Cases with the same right answers to which the shortcut does not give that answer."""
    base: float | None = None
    """The share of those that the model answers so all the same, weighted to the same right answers."""
    difference: float | None = None
    """Increase of the model's share of the shortcut's answer where the shortcut gives it."""
    low: float | None = None
    """Lower end of the difference's 95% interval, which respects source pairs."""
    high: float | None = None
    """Upper end."""
    p: float | None = None
    """p value of such a shift towards the answer by chance or difficulty alone, corrected for the shortcuts of the
    model by Holm's method."""
    follows: bool = False
    """True if the model is said to follow it: the difference is clear, large, and no other shortcut explains it."""
    possible: bool = False
    """True if the model follows this shortcut or another one, and the cases can't tell which."""
    explained_by: tuple[Shortcut, ...] = ()
    """Shortcuts that the model follows and that explain this difference."""


class Shift(msgspec.Struct, frozen=True, kw_only=True):
    """Change of the share of one answer from source pairs to their edited copies."""

    answer: str
    """The answer."""
    before: float
    """Its share among the answers to the source pairs."""
    after: float
    """Its share among the answers to the copies."""
    low: float
    """Lower end of the 95% interval of the change, which respects source pairs."""
    high: float
    """Upper end."""
    p: float
    """p value of the change, corrected for all shifts of the model by Holm's method."""
    lost: bool = False
    """True if this is the right answer, and is given less often by more than chance explains."""


class Moves(msgspec.Struct, frozen=True, kw_only=True):
    """Changes of a model's answers by edits of one family, for source pairs of one label."""

    suite: str
    """The suite."""
    family: str
    """The family of the copies."""
    label: str
    """The right answer to the source pairs."""
    holds: bool = True
    """True if the label is still the right answer to the copies; nobody can say that of swapped sides."""
    n: int
    """Number of copies."""
    answers: tuple[str, ...]
    """The answers that occur, in the order of the matrix."""
    counts: tuple[tuple[int, ...], ...]
    """Copies by the answer to their source pair (rows) and the answer to the copy (columns)."""
    shifts: tuple[Shift, ...]
    """Changes of the share of each answer, in the order of the matrix."""


class Coefficient(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Association of one property of cases with errors, all other properties being equal."""

    name: str
    """The property, such as overlap, or a value of a group, such as genre=fiction."""
    unit: str
    """The unit of the property."""
    value: float | None = None
    """The change in the log odds of an error; None if it can't be estimated."""
    error: float | None = None
    """Its standard error, clustered by source pair."""
    low: float | None = None
    """Lower end of the 95% interval."""
    high: float | None = None
    """Upper end."""
    p: float | None = None
    """p value of the coefficient, corrected for the model's coefficients by Holm's method."""
    worse: bool = False
    """True if it goes with more errors, by more than chance explains."""
    why_not: str = ""
    """The reason why it can't be estimated; empty if it can."""


class Regression(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A logistic regression of being wrong on properties of the cases."""

    n: int
    """Cases."""
    wrong: int
    """Cases that the model gets wrong."""
    clusters: int
    """Source pairs that they come from."""
    coefficients: tuple[Coefficient, ...] = ()
    """One for each property; the intercept comes first."""
    why_not: str = ""
    """The reason why nothing can be estimated; empty if something can."""


class Profile(msgspec.Struct, frozen=True, kw_only=True):
    """Diagnosis of one model."""

    model: str
    """The model."""
    headline: str
    """Its behaviour, in a sentence without its subject and its full stop."""
    effects: tuple[Effect, ...]
    """The shortcuts: first those that it follows, in the order in which they were found, then the others."""
    moves: tuple[Moves, ...]
    """Changes of its answers by edits, by family and label."""
    regression: Regression | None = None
    """Properties that go with its errors; None if no case has a right answer."""

    @property
    def followed(self) -> tuple[Effect, ...]:
        """The shortcuts that it follows."""
        return tuple(each for each in self.effects if each.follows)


class ErrorAgreement(msgspec.Struct, frozen=True, kw_only=True):
    """Agreement between the errors of two models."""

    first: str
    """A model."""
    second: str
    """Another."""
    n: int
    """Cases that both were asked."""
    both_wrong: int
    """Cases that both get wrong."""
    only_first: int
    """Cases that only the first gets right."""
    only_second: int
    """Cases that only the second gets right."""
    kappa: float | None
    """Cohen's kappa of being wrong: 0 is chance, 1 is the same errors; None if one of them is always right or wrong."""
    low: float | None
    """Lower end of its 95% interval, which respects source pairs."""
    high: float | None
    """Upper end."""
    p: float | None
    """p value of agreement this far from chance, corrected for all pairs of models by Holm's method."""


class Diagnosis(msgspec.Struct, frozen=True, kw_only=True):
    """Diagnosis of a run."""

    n: int
    """Cases with a right answer, over all suites."""
    drawn_from: int | msgspec.UnsetType = msgspec.UNSET
    """Cases of the run, if it has so many that only those of some source pairs were looked at."""
    profiles: tuple[Profile, ...]
    """One for each model, in the order of the run."""
    versus: tuple[ErrorAgreement, ...] = ()
    """Each pair of models."""
    all_wrong: int = 0
    """Cases that every model gets wrong."""
    only_right: dict[str, int] = {}
    """Cases that one model alone gets right, by model."""

    unseen: tuple[Shortcut, ...] = ()
    """Shortcuts that too few cases could show: of models that follow them half of the time, fewer than four of five
    would be noticed."""

    systems: dict[str, str] = {}
    """For systems of several seeds, a headline of what all seeds do."""

    def of(self, model: str) -> Profile | None:
        """The profile of a model, if it has one."""
        return next((each for each in self.profiles if each.model == model), None)

    def headline(self, model: str) -> str:
        """The headline of a model or a system of several seeds; empty if it has none."""
        found = self.of(model)
        return found.headline if found else self.systems.get(model, "")
