"""What a run's figures say, in words."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from assay.core.estimate import Estimate
from assay.report.layout import by_slice, key_of, p_value

SIGNIFICANT = 0.05
"""The corrected p below which a difference is not put down to chance."""

MARGIN = 0.05
"""A share that moves by less than this, in shares, holds."""

BY_LABEL = {"model", "suite", "family", "label"}
"""What the slice of one label in a family names."""

WORTH_TELLING = 0.1
"""A loss smaller than this, in shares, is left to the table."""


def findings(estimates: Iterable[Estimate]) -> list[str]:
    """Each model's clear losses against the source pairs, the largest first; sides not told apart; false confidence.

    A loss is told if it is large, and more than chance explains when all tests of the model are read together.

    >>> where = {"model": "assay:overlap/v1", "suite": "stress", "family": "negation"}
    >>> found = [Estimate(name="consistency", value=0.2, n=400, slice=where)]
    >>> for name, value in (("accuracy", 0.2), ("source", 0.9), ("drop", 0.7), ("holm", 0.00001)):
    ...     found.append(Estimate(name=name, value=value, n=400, slice={**where, "label": "entailment"}))
    >>> findings(found)
    ['overlap: right on 90.0 % of entailment, but on 20.0 % in negation (p <0.001).']
    """
    found = list(estimates)
    return [*_losses(found), *_sides_not_told_apart(found), *_not_at_its_word(found)]


def _losses(estimates: list[Estimate]) -> list[str]:
    """By label where copies keep their pair's label; of the whole family where they have labels of their own."""
    sources, drops, tests, kept = (by_slice(estimates, name) for name in ("source", "drop", "holm", "consistency"))
    losses = []
    for key, measured in by_slice(estimates).items():
        where, test = measured.slice, tests.get(key)
        by_label = key_of({name: value for name, value in where.items() if name != "label"}) in kept
        if test is None or not is_clear(test) or ("label" in where) is not by_label:
            continue
        loss, before = drops[key].value or 0.0, sources[key].value or 0.0
        if loss >= WORTH_TELLING:
            of, told = where.get("label", "the source pairs"), f"on {(before - loss) * 100:.1f} % in {where['family']}"
            share = f"{short_name(where['model'])}: right on {before * 100:.1f} % of {of}"
            losses.append((loss, f"{share}, but {told} (p {p_value(test)})."))
    return [told for _, told in sorted(losses, key=lambda each: -each[0])]


def _sides_not_told_apart(estimates: list[Estimate]) -> Iterator[str]:
    """Labels that do not do what they should when premise and hypothesis are swapped."""
    kept = {_place(e): e for e in estimates if e.name == "kept" and set(e.slice) == BY_LABEL}
    figures = {(e.name, _place(e)): e for e in estimates if set(e.slice) == BY_LABEL}
    for place in kept:
        if ("drop", place) in figures:
            source, drop, test = (figures.get((name, place)) for name in ("source", "drop", "holm"))
            assert source
            assert drop
            verdict = swap_verdict(source, drop, test)
            if not verdict.is_expected:
                p = f" (p {p_value(test)})" if is_clear(test) else ""
                yield f"{short_name(place[0])}: when the sides are swapped, {place[3]} {verdict.words}{p}."


def _not_at_its_word(estimates: list[Estimate]) -> Iterator[str]:
    """Where a model's confidence is farthest from how often it is right, if the whole interval is far from zero."""
    errors = [e for e in estimates if e.name == "calibration-error"]
    for model in dict.fromkeys(e.slice["model"] for e in errors):
        worst = max((e for e in errors if e.slice["model"] == model), key=lambda e: e.low or 0.0)
        if (worst.low or 0.0) >= WORTH_TELLING:
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

    `test` is the corrected p of the drop. That nothing moves is read off the interval alone.

    >>> where = {"label": "entailment"}
    >>> source = Estimate(name="source", value=0.9, n=400, slice=where)
    >>> drop = Estimate(name="drop", value=0.0, low=-0.01, high=0.01, n=400, slice=where)
    >>> swap_verdict(source, drop, None).words
    'does not drop: it does not tell the sides apart'
    """
    low, high = drop.low, drop.high
    if drop.value is None or low is None or high is None:
        return Verdict("not measured", True)
    clear = is_clear(test)
    if drop.slice["label"] == "entailment":
        if not source.value:
            return Verdict("never right, so nothing can drop", True)
        if low > MARGIN and clear:
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


def is_clear(test: Estimate | None) -> bool:
    """Whether a corrected p is below the level."""
    return test is not None and test.value is not None and test.value < SIGNIFICANT


def short_name(model: str) -> str:
    """A model's name for people.

    >>> short_name("assay:overlap/v1"), short_name("answers/mine.csv")
    ('overlap', 'answers/mine.csv')
    """
    return re.sub(r"/v[0-9]+$", "", model.removeprefix("assay:"))


def _place(estimate: Estimate) -> tuple[str, str, str, str]:
    where = estimate.slice
    return where["model"], where["suite"], where["family"], where["label"]
