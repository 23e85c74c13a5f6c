"""What is wrong with a set of cases: which of the figures of an audit are worth a warning."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from assay.core.results.audit import Concern, FamilyAudit, Giveaway, Overlap

MARGIN = 0.05
"""How far the lower end of a shortcut's interval must be above the share of the most frequent label."""
UNEVEN = 0.2
"""How far the most frequent label may be above an even share."""
LIFT = 0.1
"""How far above its usual share a label must be where a phrase occurs; smaller effects are real, but harmless."""
TWICE = 0.01
"""The share of cases that may be repeated, or in a training corpus."""
PATTERN = 0.1
"""The share of cases that may have the template of a training pair: on natural texts, up to 0.02 do."""


def concerns_of(families: Mapping[str, FamilyAudit], training: Sequence[Overlap]) -> tuple[Concern, ...]:
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


def _of_training(overlap: Overlap) -> Iterator[Concern]:
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
