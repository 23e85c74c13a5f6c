"""What a run's figures say, in words."""

import re
from collections.abc import Iterable

from assay.core.estimate import Estimate

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
    by_label = {_place(e): e for e in estimates if set(e.slice) == {"model", "suite", "family", "label"}}
    losses = []
    for (model, suite, family, label), stressed in by_label.items():
        original = by_label.get((model, suite, "original", label))
        if family != "original" and original and is_lost(original, stressed):
            loss = (original.value or 0.0) - (stressed.value or 0.0)
            if loss >= WORTH_TELLING:
                before, after = (f"{(e.value or 0.0) * 100:.1f} %" for e in (original, stressed))
                told = f"{short_name(model)}: right on {before} of {label}, but on {after} in {family}."
                losses.append((loss, told))
    return [told for _, told in sorted(losses, key=lambda each: -each[0])]


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
