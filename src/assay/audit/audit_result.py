"""Results of an audit: accuracy of shortcuts, words that give labels away, repeated cases."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from assay.core.estimate import Estimate
from assay.core.label_space import LabelledRecord, LabelOptions
from assay.core.option_fields import OptionInfo

Kind = Literal["balance", "shortcut", "words", "duplicates", "conflict", "training", "templates"]
"""Kinds of problems in a set of cases."""


class Giveaway(msgspec.Struct, frozen=True, kw_only=True):
    """A word or phrase that is associated with a label significantly."""

    side: Literal["premise", "hypothesis"]  # the text that it is in
    phrase: str  # one word, or two next to each other, in lower case
    label: str  # the associated label
    pairs: int  # source pairs that have it; each counts once, however many cases it makes
    share: float  # the fraction of these that have the label
    expected: float  # the fraction of all source pairs that have the label
    z: float  # distance of the two shares in standard errors
    p: float  # the exact binomial p, with Holm's correction for all phrases of that side, in the family


class WordSpread(msgspec.Struct, frozen=True, kw_only=True):
    low: int  # one in twenty is shorter
    median: int  # half are shorter
    high: int  # one in twenty is longer


class LabelTexts(msgspec.Struct, frozen=True, kw_only=True):
    n: int
    premise: WordSpread  # lengths of their premises
    hypothesis: WordSpread  # lengths of their hypotheses


class Repeated(msgspec.Struct, frozen=True, kw_only=True):
    """Cases that repeat an earlier case of the same family."""

    exact: int  # cases with the same words as an earlier one
    conflicting: int  # the ones with a different label
    near: int  # other cases that are nearly the same as a case of another source pair with the same label
    templates: int  # number of different templates: texts without their content words


class FamilyAudit(msgspec.Struct, frozen=True, kw_only=True):
    """The audit of one family of cases; the pairs of a corpus are the family `original`."""

    n: int  # cases that were audited
    labels: dict[str, LabelTexts]  # cases by label
    shortcuts: tuple[Estimate, ...]  # the accuracy of each shortcut, the most frequent label first
    giveaways: tuple[Giveaway, ...]  # words and phrases associated with a label, strongest first; at most a hundred
    found: int  # how many there are in total
    repeated: Repeated  # repeated cases and texts
    not_english: int  # cases of which a text is plainly not English

    @property
    def majority(self) -> Estimate:
        return self.shortcuts[0]


class TrainingOverlap(msgspec.Struct, frozen=True, kw_only=True):
    name: str  # the training corpus
    pairs: int
    cases: int  # the audited cases that it was compared with
    exact: int  # cases with the same words as a training pair
    near: int  # other cases that are nearly the same as a training pair
    template: int  # cases with the template of a training pair, including those above
    premise: int  # cases whose premise is a premise in the training corpus
    of_training: int  # training pairs that are in the audited cases, exactly or nearly


class Concern(msgspec.Struct, frozen=True, kw_only=True):
    """A problem that makes numbers on these cases hard to trust."""

    kind: Kind
    where: str  # the family, or the training corpus; empty if it is about all cases
    what: str  # the label, shortcut or phrase that shows it; empty if nothing more can be said
    share: float  # the size of the problem, as a share
    compared: float | None = None  # the share expected without the problem, if known


class AuditOptions(LabelOptions, frozen=True, kw_only=True):
    source: Any
    """A suite or a corpus, which is an argument of the command."""
    train: Annotated[
        Any,
        OptionInfo(
            "Training data: show which cases are in it, nearly the same or from the same template; may be repeated.",
            metavar="CORPUS",
            many=True,
        ),
    ] = ()


class LabelAuditOptions(AuditOptions, frozen=True, kw_only=True):
    """The options of an audit of gold labels."""

    out: Annotated[
        str | Path | None,
        OptionInfo(
            "With --gold-labels: write every such pair, as JSON lines (.jsonl) or CSV.", metavar="FILE", path="out"
        ),
    ] = None
    overwrite: Annotated[bool, OptionInfo("Replace the file.")] = False
    workers: Annotated[int, OptionInfo("Number of processes.", metavar="N", default="one per core", at_least=1)] = 1


class Audit(LabelledRecord, frozen=True, kw_only=True):
    name: str  # the suite or corpus
    cases: int  # its cases, or pairs, with a claimed label
    unclaimed: int  # cases without a label, which are not looked at
    families: dict[str, FamilyAudit]
    training: tuple[TrainingOverlap, ...]  # the overlap with each training corpus
    concerns: tuple[Concern, ...]  # the problems, most serious first; empty if there are none
    notes: tuple[str, ...] = ()  # notes for the user about the data


MARGIN = 0.05
"""Minimum margin by which the lower end of a shortcut's interval must exceed the most frequent label's accuracy."""
UNEVEN = 0.2  # largest distance of the most frequent label above an even share
LIFT = 0.1  # smallest rise of a label's share where a phrase occurs; smaller effects are real, but harmless
TWICE = 0.01  # the fraction of cases that may be repeated, or in a training corpus
PATTERN = 0.1  # the fraction of cases that may have the template of a training pair: on natural texts, up to 0.02 do


def concerns_of(families: Mapping[str, FamilyAudit], training: Sequence[TrainingOverlap]) -> tuple[Concern, ...]:
    """Everything that deserves a warning, the most serious kinds first."""
    return (
        *(concern for each in training for concern in _of_training(each)),
        *_of_balance(families),
        *(concern for name, family in families.items() for concern in _of_shortcuts(name, family)),
        *(concern for name, family in families.items() for concern in _of_words(name, family)),
        *(concern for name, family in families.items() for concern in _of_repeats(name, family)),
    )


def best_shortcut(family: FamilyAudit) -> str:
    """The shortcut that is right most often, apart from the most frequent label."""
    return max(family.shortcuts[1:], key=lambda each: each.value or 0.0).name


def strong(giveaways: Sequence[Giveaway]) -> list[Giveaway]:
    """The giveaways whose label is clearly more frequent than usual."""
    return [each for each in giveaways if each.share - each.expected >= LIFT]


def _of_training(overlap: TrainingOverlap) -> Iterator[Concern]:
    if not overlap.cases:
        return
    if (seen := (overlap.exact + overlap.near) / overlap.cases) >= TWICE:
        yield Concern(kind="training", where=overlap.name, what="", share=seen)
    if (shared := overlap.template / overlap.cases) >= PATTERN:
        yield Concern(kind="templates", where=overlap.name, what="", share=shared)


def _of_balance(families: Mapping[str, FamilyAudit]) -> Iterator[Concern]:
    counted: Counter[str] = Counter()
    for family in families.values():
        counted.update({label: texts.n for label, texts in family.labels.items()})
    ((label, most),) = counted.most_common(1)
    share, even = most / counted.total(), 1 / max(2, len(counted))
    if share > even + UNEVEN:
        yield Concern(kind="balance", where="", what=label, share=share, compared=even)


def _of_shortcuts(name: str, family: FamilyAudit) -> Iterator[Concern]:
    usual = family.majority.value or 0.0
    found = [each for each in family.shortcuts[1:] if each.low is not None and each.low > usual + MARGIN]
    for each in sorted(found, key=lambda each: -(each.value or 0.0)):
        yield Concern(kind="shortcut", where=name, what=each.name, share=each.value or 0.0, compared=usual)


def _of_words(name: str, family: FamilyAudit) -> Iterator[Concern]:
    if found := strong(family.giveaways):
        first = found[0]
        yield Concern(kind="words", where=name, what=first.phrase, share=first.share, compared=first.expected)


def _of_repeats(name: str, family: FamilyAudit) -> Iterator[Concern]:
    repeated = family.repeated
    if (share := (repeated.exact + repeated.near) / family.n) >= TWICE:
        yield Concern(kind="duplicates", where=name, what="", share=share)
    if (share := repeated.conflicting / family.n) >= TWICE:
        yield Concern(kind="conflict", where=name, what="", share=share)
