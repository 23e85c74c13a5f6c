"""What goes with errors: a regression of being wrong on what can be seen of the cases."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import erfc, isfinite, sqrt
from typing import NamedTuple

import numpy

from assay.core.results.diagnosis import Coefficient, Regression
from assay.evaluate.correction import holm
from assay.evaluate.count.columns import Bools, Floats, Ints
from assay.evaluate.diagnose.evidence import Evidence
from assay.evaluate.diagnose.logistic import Fit, fit_logistic, independent
from assay.evaluate.judge.loss import is_clear
from assay.evaluate.student import Z95

FEWEST = 10
"""With fewer errors, or fewer right answers, per coefficient than this, estimates mean little."""

MOST_GENRES = 12
"""Rarer genres are not told apart from the most frequent one."""


class Trait(NamedTuple):
    """A property of cases."""

    name: str
    """Its name."""
    unit: str
    """What counts as one more of it."""
    values: Floats
    """(cases,)"""


def regressions(evidence: Evidence) -> list[Regression | None]:
    """For each model, what goes with its errors on cases that claim their label; None if there is no such case."""
    rows = numpy.flatnonzero(evidence.claims)
    if not len(rows):
        return [None for _ in evidence.models]
    traits = [Trait(each.name, each.unit, each.values[rows]) for each in _traits(evidence)]
    wrong, cluster = ~evidence.right[:, rows], evidence.cluster[rows]
    return [regression(traits, wrong[model], cluster) for model in range(len(evidence.models))]


def regression(traits: list[Trait], wrong: Bools, cluster: Ints) -> Regression:
    """Regress being wrong on traits; what can't be estimated says why."""
    n, errors, clusters = len(wrong), int(wrong.sum()), len(numpy.unique(cluster))
    base = Regression(n=n, wrong=errors, clusters=clusters)
    if min(errors, n - errors) < FEWEST:
        few = "errors" if errors <= n - errors else "right answers"
        return Regression(n=n, wrong=errors, clusters=clusters, why_not=f"fewer than {FEWEST} {few}")
    columns = numpy.stack([numpy.ones(n), *(each.values for each in traits)], axis=1)
    why = {0: ""} | {number: _constant(each.values) for number, each in enumerate(traits, 1)}
    kept = [number for number in why if not why[number]]
    alone = [kept[index] for index in independent(columns[:, kept])]
    why |= {number: "the properties before it add up to it" for number in kept if number not in alone}
    # If all cases with a property, or all without it, are right or wrong, its coefficient is infinite, and those cases
    # say nothing about other properties.
    counted = numpy.ones(n, dtype=bool)
    for number in list(alone):
        if found := _separated(columns[counted, number], wrong[counted]):
            counted &= columns[:, number] == found.left
            why[number] = found.reason
            alone.remove(number)
    alone = [alone[index] for index in independent(columns[counted][:, alone])]
    fitted = fit_logistic(columns[counted][:, alone], wrong[counted], cluster[counted])
    if fitted is None:
        return Regression(n=n, wrong=errors, clusters=clusters, why_not="the properties separate errors from the rest")
    return Regression(
        n=base.n,
        wrong=base.wrong,
        clusters=base.clusters,
        coefficients=_coefficients(traits, alone, fitted, why),
    )


def _coefficients(
    traits: list[Trait], estimated: list[int], fitted: Fit, why: dict[int, str]
) -> tuple[Coefficient, ...]:
    known = {number: place for place, number in enumerate(estimated) if isfinite(fitted.errors[place])}
    tested = [number for number in known if number]  # nobody asks whether the intercept is zero
    ps = [erfc(abs(fitted.values[known[number]] / fitted.errors[known[number]]) / sqrt(2)) for number in tested]
    adjusted = dict(zip(tested, holm(ps), strict=True))
    found = []
    for number, (name, unit) in enumerate([("intercept", ""), *((each.name, each.unit) for each in traits)]):
        if number not in known:
            too_few = "too few source pairs have it" if number in estimated else "no case is left to estimate it"
            found.append(Coefficient(name=name, unit=unit, why_not=why[number] or too_few))
            continue
        value, error = float(fitted.values[known[number]]), float(fitted.errors[known[number]])
        p = adjusted.get(number)
        found.append(
            Coefficient(
                name=name,
                unit=unit,
                value=value,
                error=error,
                low=value - Z95 * error,
                high=value + Z95 * error,
                p=p,
                worse=value > 0 and is_clear(p),
            )
        )
    return tuple(found)


def _traits(evidence: Evidence) -> list[Trait]:
    seen = evidence.surface
    traits = [
        Trait("shared words", "from no word to all words of the hypothesis", seen.overlap),
        Trait("negation", "a negation word in the hypothesis", seen.negated.astype(float)),
        Trait("premise length", "ten words", seen.premise_words / 10),
        Trait("hypothesis length", "ten words", seen.hypothesis_words / 10),
        Trait("number", "a number in either text", seen.has_number.astype(float)),
        Trait("rarest word", "ten times rarer", seen.rarity),
        Trait("typo", "a typo", seen.has_typo.astype(float)),
    ]
    return [*traits, *_genres(seen.genre)]


def _genres(genre: Sequence[str]) -> Iterator[Trait]:
    """One for each genre but the most frequent, which the others are compared with; the rarest are part of it."""
    counts = Counter(genre)
    named = [name for name, _ in counts.most_common() if name]
    if not named:
        return
    column = numpy.array(genre)
    for name in [*named[1:MOST_GENRES], *([""] if "" in counts else [])]:
        yield Trait(f"genre {name or 'unknown'}", f"compared with {named[0]}", (column == name).astype(float))


def _constant(values: Floats) -> str:
    return "it is the same in all cases" if (values == values[0]).all() else ""


class _Separated(NamedTuple):
    """A column of zeros and ones that has no finite coefficient."""

    reason: str
    """Why."""
    left: float
    """The value in those cases that still tell something."""


def _separated(values: Floats, wrong: Bools) -> _Separated | None:
    """Whether one of the two values of a column decides the outcome; None if not, or if it is not such a column."""
    if not numpy.isin(values, (0.0, 1.0)).all() or (values == values[0]).all():
        return None
    for value, which in ((1.0, "with"), (0.0, "without")):
        outcomes = wrong[values == value]
        if outcomes.all() or not outcomes.any():
            result = "wrong" if outcomes.all() else "right"
            return _Separated(f"all {len(outcomes):,} cases {which} it are {result}", 1.0 - value)
    return None
