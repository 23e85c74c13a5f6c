"""What an audit found: how far cases can be solved without reading, which words give labels away, what is repeated."""

from typing import Literal

import msgspec

from assay.core.results.estimate import Estimate

Kind = Literal["balance", "shortcut", "words", "duplicates", "conflict", "training", "templates"]
"""What can be wrong with a set of cases."""


class Giveaway(msgspec.Struct, frozen=True, kw_only=True):
    """A word or phrase that goes with a label more often than chance allows."""

    side: Literal["premise", "hypothesis"]
    """The text that it is in."""
    phrase: str
    """One word, or two next to each other, in lower case."""
    label: str
    """The label that it goes with."""
    pairs: int
    """Source pairs that have it; each counts once, however many cases it makes."""
    share: float
    """The share of these that have the label."""
    expected: float
    """The share of all source pairs that have the label."""
    z: float
    """How many standard errors the two shares are apart."""
    p: float
    """The exact binomial p, with Holm's correction for all phrases of that side, in the family."""


class Spread(msgspec.Struct, frozen=True, kw_only=True):
    """How long texts are, in words."""

    low: int
    """One in twenty is shorter."""
    median: int
    """Half are shorter."""
    high: int
    """One in twenty is longer."""


class LabelTexts(msgspec.Struct, frozen=True, kw_only=True):
    """The cases with one label."""

    n: int
    """How many there are."""
    premise: Spread
    """Lengths of their premises."""
    hypothesis: Spread
    """Lengths of their hypotheses."""


class Repeated(msgspec.Struct, frozen=True, kw_only=True):
    """Cases that are like an earlier case of the same family."""

    exact: int
    """Cases with the same words as an earlier one."""
    conflicting: int
    """Those of them whose label is another one."""
    near: int
    """Other cases that are nearly the same as a case of another source pair with the same label."""
    templates: int
    """How many different templates there are: texts without their content words."""


class FamilyAudit(msgspec.Struct, frozen=True, kw_only=True):
    """What was found in one family of cases; the pairs of a corpus are the family `original`."""

    n: int
    """Cases that were looked at."""
    labels: dict[str, LabelTexts]
    """Cases by label."""
    shortcuts: tuple[Estimate, ...]
    """How often each shortcut is right, the most frequent label first."""
    giveaways: tuple[Giveaway, ...]
    """Words and phrases that go with a label, strongest first; not more than a hundred."""
    found: int
    """How many there are in all."""
    repeated: Repeated
    """What is in it more than once."""
    not_english: int
    """Cases of which a text is plainly not English."""

    @property
    def majority(self) -> Estimate:
        """The share of the most frequent label."""
        return self.shortcuts[0]


class Overlap(msgspec.Struct, frozen=True, kw_only=True):
    """What a training corpus and the audited cases have in common."""

    name: str
    """The training corpus."""
    pairs: int
    """Its pairs."""
    cases: int
    """The audited cases that it was compared with."""
    exact: int
    """Cases with the same words as a training pair."""
    near: int
    """Other cases that are nearly the same as a training pair."""
    template: int
    """Cases with the template of a training pair, including those above."""
    premise: int
    """Cases whose premise is a premise in the training corpus."""
    of_training: int
    """Training pairs that are in the audited cases, exactly or nearly."""


class Concern(msgspec.Struct, frozen=True, kw_only=True):
    """Something that makes figures on these cases hard to trust."""

    kind: Kind
    """What is wrong."""
    where: str
    """The family, or the training corpus; empty if it is about all cases."""
    what: str
    """The label, shortcut or phrase that shows it; empty if nothing more can be said."""
    share: float
    """How much of it there is."""
    compared: float | None = None
    """What the share would be if nothing were wrong, if that is known."""


class Audit(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a suite or a corpus tests what it seems to test."""

    name: str
    """The suite or corpus."""
    cases: int
    """Its cases, or pairs, with a claimed label."""
    unclaimed: int
    """Cases that claim no label, which are not looked at."""
    two_way: bool
    """Whether neutral and contradiction count as one label."""
    families: dict[str, FamilyAudit]
    """What was found, by family."""
    training: tuple[Overlap, ...]
    """What each training corpus has in common with it."""
    concerns: tuple[Concern, ...]
    """What is wrong, most serious first; empty if nothing is."""
    names: dict[str, str] = {}
    """The user's own names for labels, each with our name."""
    notes: tuple[str, ...] = ()
    """What a careful user should know about what was read."""
