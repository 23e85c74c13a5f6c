"""How well annotators agree: Fleiss' kappa, Krippendorff's alpha, and what a human would score."""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import comb
from typing import TypeVar

import msgspec

from assay.core.label import Label

Name = TypeVar("Name", bound=str)
"""A label, or any other answer to choose from."""


class Judgements(msgspec.Struct, frozen=True, kw_only=True):
    """What annotators said about one pair."""

    gold: Label
    """What counts as right."""
    labels: tuple[Label, ...]
    """One label per person."""


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """How well annotators agree on pairs that all have the same number of labels."""

    pairs: int
    """Pairs that were measured."""
    annotators: int
    """Labels per pair."""
    left_out: dict[str, int]
    """Pairs that were not measured, by reason."""
    gold: dict[str, int]
    """Measured pairs by gold label."""
    unanimous: int
    """Pairs on which all annotators agree."""
    kappa: float | None
    """Fleiss' kappa; None if there is nothing to agree about, for instance if only one label was ever given."""
    kappas: dict[str, float | None]
    """Fleiss' kappa of each label against the rest."""
    alpha: float | None
    """Krippendorff's alpha for unordered labels."""
    human: float | None
    """The share of all single labels that are the gold label: what a person would score."""
    guessing: float | None = None
    """The same for as many people who guess among as many labels. The gold label is theirs, so it is high."""


def measure_agreement(judged: Iterable[Judgements], *, annotators: int | None = None) -> Agreement:
    """Measure the pairs that have `annotators` labels, by default as many as most pairs have.

    >>> same = Judgements(gold=Label.NEUTRAL, labels=(Label.NEUTRAL,) * 3)
    >>> other = Judgements(gold=Label.ENTAILMENT, labels=(Label.ENTAILMENT, Label.ENTAILMENT, Label.NEUTRAL))
    >>> found = measure_agreement([same, other])
    >>> round(found.kappa, 4), round(found.alpha, 4), round(found.human, 4), found.unanimous
    (0.25, 0.375, 0.8333, 1)
    """
    found = list(judged)
    sizes = Counter(len(each.labels) for each in found)
    several = [size for size in sizes if size > 1]
    wanted = annotators or max(several, key=lambda size: (sizes[size], size), default=0)
    used = [each for each in found if len(each.labels) == wanted > 1]
    counts = [Counter(each.labels) for each in used]
    labels = [label for label in Label if any(label in count for count in counts)]
    equal = sum(each.labels.count(each.gold) for each in used)
    return Agreement(
        pairs=len(used),
        annotators=wanted,
        left_out={
            f"{size} {'label' if size == 1 else 'labels'}": n for size, n in sorted(sizes.items()) if size != wanted
        },
        gold={label.value: n for label in Label if (n := sum(each.gold is label for each in used))},
        unanimous=sum(len(count) == 1 for count in counts),
        kappa=fleiss_kappa(counts),
        kappas={label.value: label_kappa(counts, label) for label in labels},
        alpha=krippendorff_alpha(counts),
        human=equal / (len(used) * wanted) if used else None,
        guessing=guessing_score(wanted, len(labels)) if used else None,
    )


def guessing_score(annotators: int, labels: int) -> float:
    """The share of single labels that are the gold label if all annotators guess, each label as often as the others.

    The gold label is what more than half of them say; pairs without one are left out.

    >>> round(guessing_score(3, 3), 4), round(guessing_score(5, 3), 4), guessing_score(2, 2)
    (0.7143, 0.6471, 1.0)
    """
    sizes = range(annotators // 2 + 1, annotators + 1)
    chances: dict[int, int] = {n: comb(annotators, n) * (labels - 1) ** (annotators - n) for n in sizes}
    return sum(n * chance for n, chance in chances.items()) / (annotators * sum(chances.values()))


def fleiss_kappa(counts: Sequence[Counter[Name]]) -> float | None:
    """Agreement above chance, for pairs with the same number of labels each.

    >>> fleiss_kappa([Counter({Label.NEUTRAL: 2}), Counter({Label.ENTAILMENT: 2})])
    1.0
    """
    if not counts:
        return None
    each = counts[0].total()
    shares = {label: n / (len(counts) * each) for label, n in sum(counts, Counter[Name]()).items()}
    observed = sum(n * (n - 1) for count in counts for n in count.values()) / (len(counts) * each * (each - 1))
    expected = sum(share * share for share in shares.values())
    return (observed - expected) / (1 - expected) if len(shares) > 1 else None


def label_kappa(counts: Sequence[Counter[Label]], label: Label) -> float | None:
    """Agreement above chance on whether a pair has this label or not."""
    return fleiss_kappa([_against_rest(count, label) for count in counts])


def krippendorff_alpha(counts: Sequence[Counter[Name]]) -> float | None:
    """One minus the ratio of observed to expected disagreement; pairs may have two labels or more.

    >>> krippendorff_alpha([Counter({Label.NEUTRAL: 1, Label.ENTAILMENT: 1}), Counter({Label.ENTAILMENT: 3})])
    0.0
    """
    used = [count for count in counts if count.total() > 1]
    totals = sum(used, Counter[Name]())
    everything = totals.total()
    expected = everything**2 - sum(n * n for n in totals.values())
    if not expected:
        return None
    observed = sum((count.total() ** 2 - sum(n * n for n in count.values())) / (count.total() - 1) for count in used)
    return 1 - (everything - 1) * observed / expected


def _against_rest(count: Counter[Label], label: Label) -> Counter[Label]:
    """The label, and another one for all the rest."""
    rest = next(each for each in Label if each is not label)
    return +Counter({label: count[label], rest: count.total() - count[label]})
