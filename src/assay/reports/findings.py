"""What a run's figures say, in words."""

import re
from collections.abc import Iterable, Iterator, Mapping
from statistics import fmean
from typing import Literal, NamedTuple

from assay.core.estimate import Estimate
from assay.reports.layout import by_slice, key_of, p_value

SIGNIFICANT = 0.05
"""The corrected p below which a difference is not put down to chance."""

MARGIN = 0.05
"""A share that moves by less than this, in shares, holds."""

BY_LABEL = {"model", "suite", "family", "label"}
"""What the slice of one label in a family names."""

WORTH_TELLING = 0.1
"""A loss smaller than this, in shares, is left to the table."""


CHANCE = 0.5
"""What guessing between two labels gets."""


Kind = Literal["loss", "heuristic", "sides", "confidence"]


class Finding(NamedTuple):
    """Something that a model does and should not."""

    kind: Kind
    """What shows it: a drop against the source pairs, a heuristic, an exchange of sides, or its own confidence."""

    model: str
    """Who; a system where all of its seeds do it."""
    family: str
    """In what."""
    words: str
    """What, as a sentence without its subject."""
    p: float | None = None
    """The corrected p of it, where it is a difference."""

    @property
    def sentence(self) -> str:
        """All of it."""
        return f"{short_name(self.model)}: {self.words}"


def findings(estimates: Iterable[Estimate]) -> list[str]:
    """What `told` finds, as sentences.

    >>> where = {"model": "assay:overlap/v1", "suite": "stress", "family": "negation"}
    >>> found = [Estimate(name="consistency", value=0.2, n=400, slice=where)]
    >>> for name, value in (("accuracy", 0.2), ("source", 0.9), ("drop", 0.7), ("holm", 0.00001)):
    ...     found.append(Estimate(name=name, value=value, n=400, slice={**where, "label": "entailment"}))
    >>> findings(found)
    ['overlap: right on 90.0 % of entailment, but on 20.0 % in negation (p <0.001).']
    """
    return [each.sentence for each in told(estimates)]


def told(estimates: Iterable[Estimate]) -> list[Finding]:
    """Each model's clear losses against the source pairs, the largest first; heuristics; sides; false confidence.

    A loss is told if it is large, and more than chance explains when all tests of the model are read together.
    """
    found = list(estimates)
    return [*_losses(found), *_heuristics(found), *_sides_not_told_apart(found), *_not_at_its_word(found)]


class Loss(NamedTuple):
    """A clear loss of one model in one family."""

    model: str
    """Whose."""
    family: str
    """In what."""
    of: str
    """On which label, or on the source pairs altogether."""
    before: float
    """The share of right answers to the source pairs."""
    loss: float
    """How much of it is gone."""
    test: Estimate
    """Its corrected p."""


def _losses(estimates: list[Estimate]) -> list[Finding]:
    """The losses in words; one of a system of several seeds is told once, and only if every seed has it."""
    systems = systems_of(estimates)
    found: dict[tuple[str, str, str], list[Loss]] = {}
    for each in _clear_losses(estimates):
        found.setdefault((system_of(each.model, systems), each.family, each.of), []).append(each)
    made = []
    for (system, family, of), losses in found.items():
        if len(losses) >= systems.get(system, 1):
            before, loss = (
                fmean(values) for values in zip(*((each.before, each.loss) for each in losses), strict=True)
            )
            weakest = max((each.test for each in losses), key=lambda test: test.value or 0.0)
            seeds = f"; means of {systems[system]} seeds" if system in systems else ""
            words = f"right on {before * 100:.1f} % of {of}, but on {(before - loss) * 100:.1f} % in {family}"
            made.append(
                (loss, Finding("loss", system, family, f"{words} (p {p_value(weakest)}{seeds}).", weakest.value))
            )
    return [finding for _, finding in sorted(made, key=lambda each: -each[0])]


def _clear_losses(estimates: list[Estimate]) -> Iterator[Loss]:
    """By label where copies keep their pair's label; of the whole family where they have labels of their own."""
    sources, drops, tests, kept = (by_slice(estimates, name) for name in ("source", "drop", "holm", "consistency"))
    for key, measured in by_slice(estimates).items():
        where, test = measured.slice, tests.get(key)
        by_label = key_of({name: value for name, value in where.items() if name != "label"}) in kept
        if test is None or not is_clear(test) or ("label" in where) is not by_label:
            continue
        loss, before = drops[key].value or 0.0, sources[key].value or 0.0
        if loss >= WORTH_TELLING:
            of = where.get("label", "the source pairs")
            yield Loss(where["model"], where["family"], of, before, loss, test)


def systems_of(estimates: Iterable[Estimate]) -> dict[str, int]:
    """Systems that were measured with several seeds, and with how many."""
    return {e.slice["model"]: int(e.slice["seeds"]) for e in estimates if e.name == "band"}


def system_of(model: str, systems: Mapping[str, int]) -> str:
    """The system whose seed a model is; the model itself where it is none.

    >>> system_of("trained:esim@2", {"trained:esim": 3}), system_of("openai:m@1", {})
    ('trained:esim', 'openai:m@1')
    """
    system = model.rpartition("@")[0]
    return system if system in systems else model


def _heuristics(estimates: list[Estimate]) -> Iterator[Finding]:
    """Heuristics that a model follows: better than guessing where they hold, worse where they do not."""
    shares = {
        (e.slice["model"], e.slice["suite"], e.slice["family"], e.slice["heuristic"], e.slice["label"]): e
        for e in estimates
        if e.name == "accuracy" and {*e.slice} == {*BY_LABEL, "heuristic"} and e.low is not None
    }
    followed: dict[tuple[str, str, str], list[tuple[str, float, float]]] = {}
    for (*place, heuristic, label), holds in shares.items():
        fails = shares.get((*place, heuristic, "non-entailment"))  # type: ignore[arg-type]
        if label == "entailment" and fails and (holds.low or 0) > CHANCE > (fails.high or 1):
            named = (heuristic.replace("_", " "), holds.value or 0.0, fails.value or 0.0)
            followed.setdefault((place[0], place[1], place[2]), []).append(named)
    for (model, _, family), found in followed.items():
        name, right, wrong = max(found, key=lambda each: each[1] - each[2])
        others = " and ".join(each[0] for each in found if each[0] != name)
        shown = f"right on {right * 100:.1f} % where it follows, but on {wrong * 100:.1f} % where it does not"
        likewise = f"; {others} likewise" if others else ""
        yield Finding("heuristic", model, family, f"takes {name} for entailment: {shown}{likewise}.")


def _sides_not_told_apart(estimates: list[Estimate]) -> Iterator[Finding]:
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
                words = f"when the sides are swapped, {place[3]} {verdict.words}{p}."
                yield Finding("sides", place[0], place[2], words, test.value if test and is_clear(test) else None)


def _not_at_its_word(estimates: list[Estimate]) -> Iterator[Finding]:
    """Where a model's confidence is farthest from how often it is right, if the whole interval is far from zero."""
    errors = [e for e in estimates if e.name == "calibration-error"]
    for model in dict.fromkeys(e.slice["model"] for e in errors):
        worst = max((e for e in errors if e.slice["model"] == model), key=lambda e: e.low or 0.0)
        if (worst.low or 0.0) >= WORTH_TELLING:
            off = f"{(worst.value or 0.0) * 100:.1f} points"
            family = worst.slice["family"]
            yield Finding("confidence", model, family, f"its confidence is off by {off} in {family}.")


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
