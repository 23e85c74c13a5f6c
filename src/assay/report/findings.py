"""What a run's figures say, in words."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from assay.core.estimate import Estimate

SIGNIFICANT = 0.05
"""The p below which a difference is not put down to chance."""

MARGIN = 0.05
"""A share that moves by less than this, in shares, holds."""

BY_LABEL = {"model", "suite", "family", "label"}
"""What the slice of one label in a family names."""

WORTH_TELLING = 0.1
"""A loss smaller than this, in shares, is left to the table."""


def findings(estimates: Iterable[Estimate]) -> list[str]:
    """Each model's clear losses against the original pairs, label by label, the largest first.

    >>> def share(family: str, value: float) -> Estimate:
    ...     where = {"model": "assay:overlap/v1", "suite": "stress", "family": family, "label": "entailment"}
    ...     return Estimate(name="accuracy", value=value, low=value - 0.05, high=value + 0.05, n=400, slice=where)
    >>> findings([share("original", 0.9), share("negation", 0.2)])
    ['overlap: right on 90.0 % of entailment, but on 20.0 % in negation.']
    """
    found = list(estimates)
    by_label = {_place(e): e for e in found if e.name == "accuracy" and set(e.slice) == BY_LABEL}
    losses = []
    for (model, suite, family, label), stressed in by_label.items():
        original = by_label.get((model, suite, "original", label))
        if family != "original" and original and is_lost(original, stressed):
            loss = (original.value or 0.0) - (stressed.value or 0.0)
            if loss >= WORTH_TELLING:
                before, after = (f"{(e.value or 0.0) * 100:.1f} %" for e in (original, stressed))
                told = f"{short_name(model)}: right on {before} of {label}, but on {after} in {family}."
                losses.append((loss, told))
    largest_first = (told for _, told in sorted(losses, key=lambda each: -each[0]))
    return [*largest_first, *_sides_not_told_apart(found), *_not_at_its_word(found)]


def _sides_not_told_apart(estimates: list[Estimate]) -> Iterator[str]:
    """Labels that do not do what they should when premise and hypothesis are swapped."""
    kept = {_place(e): e for e in estimates if e.name == "kept" and set(e.slice) == BY_LABEL}
    figures = {(e.name, _place(e)): e for e in estimates if set(e.slice) == BY_LABEL}
    for place in kept:
        if ("drop", place) in figures:
            names = ("source", "drop", "mcnemar")
            verdict = swap_verdict(*(figures[name, place] for name in names))
            if not verdict.is_expected:
                yield f"{short_name(place[0])}: when the sides are swapped, {place[3]} {verdict.words}."


def _not_at_its_word(estimates: list[Estimate]) -> Iterator[str]:
    """Where a model's confidence is farthest from how often it is right, if that is far."""
    errors = [e for e in estimates if e.name == "calibration-error"]
    for model in dict.fromkeys(e.slice["model"] for e in errors):
        worst = max((e for e in errors if e.slice["model"] == model), key=lambda e: e.value or 0.0)
        if (worst.value or 0.0) >= WORTH_TELLING:
            off = f"{(worst.value or 0.0) * 100:.1f} points"
            yield f"{short_name(model)}: its confidence is off by {off} in {worst.slice['family']}."


class Verdict(NamedTuple):
    """What swapping shows about one label."""

    words: str
    """In a few words."""
    is_expected: bool
    """Whether it is what a model that reads would do; true also where nothing can be said."""


def swap_verdict(source: Estimate, drop: Estimate, test: Estimate | None) -> Verdict:
    """Whether a label's share drops or holds as it should when premise and hypothesis are swapped.

    >>> where = {"label": "entailment"}
    >>> source = Estimate(name="source", value=0.9, n=400, slice=where)
    >>> drop = Estimate(name="drop", value=0.0, low=-0.01, high=0.01, n=400, slice=where)
    >>> swap_verdict(source, drop, None).words
    'does not drop: it does not tell the sides apart'
    """
    low, high = drop.low, drop.high
    if drop.value is None or low is None or high is None:
        return Verdict("not measured", True)
    clear = test is not None and test.value is not None and test.value < SIGNIFICANT
    if drop.slice["label"] == "entailment":
        if not source.value:
            return Verdict("never right, so nothing can drop", True)
        if low > MARGIN:
            return Verdict("drops, as it should", True)
        if high < MARGIN:
            return Verdict("does not drop: it does not tell the sides apart", False)
        return Verdict("drops a little" if clear and drop.value > 0 else "undecided", True)
    if not source.value and not drop.value:
        return Verdict("never right at all", True)
    if low > -MARGIN and high < MARGIN:
        return Verdict("holds, as it should", True)
    if clear:
        return Verdict("falls, and should hold" if drop.value > 0 else "rises, and should hold", False)
    return Verdict("undecided", True)


def is_lost(original: Estimate, stressed: Estimate) -> bool:
    """Whether accuracy fell by more than chance explains: the intervals do not touch."""
    return original.low is not None and stressed.high is not None and stressed.high < original.low


def short_name(model: str) -> str:
    """A model's name for people.

    >>> short_name("assay:overlap/v1"), short_name("answers/mine.csv")
    ('overlap', 'answers/mine.csv')
    """
    return re.sub(r"/v[0-9]+$", "", model.removeprefix("assay:"))


def _place(estimate: Estimate) -> tuple[str, str, str, str]:
    where = estimate.slice
    return where["model"], where["suite"], where["family"], where["label"]
