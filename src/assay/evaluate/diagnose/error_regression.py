"""A logistic regression of errors on surface features of the cases."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import erfc, isfinite, sqrt
from typing import NamedTuple

import msgspec
import numpy

from assay.core.judgement import Coefficient, Regression
from assay.evaluate.case_columns import Bools, Floats, Ints
from assay.evaluate.diagnose.diagnosis_evidence import Evidence
from assay.evaluate.intervals import Z95
from assay.evaluate.losses import is_clear
from assay.evaluate.paired import holm

LEAST = 1e-12  # a variance below this is a rounding error: the clusters say nothing about the coefficient
COLLINEAR = 1e-8  # a column of which less than this share is left when the columns before it are taken out adds nothing
FAR = 30.0  # log odds beyond this are only reached if there is no solution


class LogisticFit(NamedTuple):
    """The coefficients that fit best."""

    values: Floats  # (columns,) changes in log odds, one per column
    covariance: Floats  # (columns, columns) the clustered covariance of the coefficients

    @property
    def errors(self) -> Floats:
        """(columns,) Standard errors; NaN where the clusters do not determine a coefficient."""
        variance = numpy.diag(self.covariance)
        return numpy.sqrt(numpy.where(variance > LEAST, variance, numpy.nan))


def fit_logistic(columns: Floats, outcome: Bools, cluster: Ints) -> LogisticFit | None:
    """Fit (cases, columns) to outcomes, (cases,); None if there is no solution, because the outcomes are separated.

    The covariance is the sandwich of Liang and Zeger (1986), corrected for the number of clusters and columns.
    """
    values = numpy.zeros(columns.shape[1])
    for _ in range(50):  # Newton's method needs fewer than ten, unless there is no solution
        likely = _logistic(columns @ values)
        weight = likely * (1 - likely)
        information = columns.T @ (columns * weight[:, None])
        try:
            step = numpy.linalg.solve(information, columns.T @ (outcome - likely))
        except numpy.linalg.LinAlgError:
            return None
        values = values + step
        if not numpy.abs(columns @ values).max() <= FAR:  # or not a number
            return None
        if numpy.abs(step).max() < 1e-10:  # the last step
            return LogisticFit(
                values, _clustered_covariance(columns, outcome - _logistic(columns @ values), cluster, values)
            )
    return None


def independent_columns(columns: Floats) -> list[int]:
    """The indices of columns that are not a linear combination of those before them, from left to right.

    >>> independent_columns(numpy.array([[1.0, 2.0, 0.0], [1.0, 2.0, 1.0], [1.0, 2.0, 0.0]]))
    [0, 2]
    """
    basis: list[Floats] = []
    kept = []
    for index, column in enumerate(columns.T):
        rest = column.astype(float)
        for _ in range(2):  # twice, because once leaves rounding errors
            for each in basis:
                rest = rest - (rest @ each) * each
        size = numpy.linalg.norm(rest)
        if size > COLLINEAR * max(float(numpy.linalg.norm(column)), 1e-300):
            basis.append(rest / size)
            kept.append(index)
    return kept


def _logistic(odds: Floats) -> Floats:
    return 1 / (1 + numpy.exp(-odds))


def _clustered_covariance(columns: Floats, residual: Floats, cluster: Ints, values: Floats) -> Floats:
    likely = _logistic(columns @ values)
    bread = numpy.linalg.inv(columns.T @ (columns * (likely * (1 - likely))[:, None]))
    place = numpy.unique(cluster, return_inverse=True)[1]
    clusters, (n, k) = int(place.max()) + 1, columns.shape
    scores = numpy.stack([numpy.bincount(place, column * residual, clusters) for column in columns.T], axis=1)
    scale = clusters / (clusters - 1) * (n - 1) / (n - k) if clusters > 1 and n > k else numpy.nan
    return numpy.asarray(bread @ (scores.T @ scores) @ bread * scale)


FEWEST = 10  # with fewer errors, or fewer right answers, per coefficient than this, estimates mean little


class Trait(NamedTuple):
    name: str
    unit: str
    values: Floats
    """(cases,)"""


def regress_errors(evidence: Evidence) -> list[Regression | None]:
    """For each model, the traits that correlate with its errors on labelled cases; None if there is no such case."""
    rows = numpy.flatnonzero(evidence.claims)
    if not len(rows):
        return [None for _ in evidence.models]
    traits = [Trait(each.name, each.unit, each.values[rows]) for each in _traits(evidence)]
    wrong, cluster = ~evidence.right[:, rows], evidence.cluster[rows]
    return [regress_model(traits, wrong[model], cluster) for model in range(len(evidence.models))]


def regress_model(traits: list[Trait], wrong: Bools, cluster: Ints) -> Regression:
    """Regress errors on traits of the cases; a coefficient that can't be estimated has a reason."""
    n, errors = len(wrong), int(wrong.sum())
    base = Regression(n=n, wrong=errors, clusters=len(numpy.unique(cluster)))
    if min(errors, n - errors) < FEWEST:
        few = "errors" if errors <= n - errors else "right answers"
        return msgspec.structs.replace(base, why_not=f"fewer than {FEWEST} {few}")
    columns = numpy.stack([numpy.ones(n), *(each.values for each in traits)], axis=1)
    why = {0: ""}
    for number, each in enumerate(traits, 1):
        why[number] = "it is the same in all cases" if (each.values == each.values[0]).all() else ""
    kept = [number for number in why if not why[number]]
    alone = [kept[index] for index in independent_columns(columns[:, kept])]
    why |= {number: "it follows from the properties before it" for number in kept if number not in alone}
    # If all cases with a property, or all without it, are right or wrong, its coefficient is infinite, and those cases
    # say nothing about other properties.
    counted = numpy.ones(n, dtype=bool)
    for number in list(alone):
        if found := _find_separation(columns[counted, number], wrong[counted]):
            why[number], left = found
            counted &= columns[:, number] == left
            alone.remove(number)
    alone = [alone[index] for index in independent_columns(columns[counted][:, alone])]
    fitted = fit_logistic(columns[counted][:, alone], wrong[counted], cluster[counted])
    if fitted is None:
        return msgspec.structs.replace(base, why_not="the properties separate errors from the rest")
    return msgspec.structs.replace(base, coefficients=_coefficients(traits, alone, fitted, why))


def _coefficients(
    traits: list[Trait], estimated: list[int], fitted: LogisticFit, why: dict[int, str]
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
    """A property for each genre except the most frequent, which is the base, together with the rarest."""
    counts = Counter(genre)
    named = [name for name, _ in counts.most_common() if name]
    if not named:
        return
    column = numpy.array(genre)
    for name in [*named[1:12], *([""] if "" in counts else [])]:  # rarer genres count as the most frequent one
        yield Trait(f"genre {name or 'unknown'}", f"compared with {named[0]}", (column == name).astype(float))


def _find_separation(values: Floats, wrong: Bools) -> tuple[str, float] | None:
    """Find out if a column of zeros and ones has no finite coefficient, because one of the values decides the outcome.

    Returns the reason, and the value of the cases that remain informative.
    """
    if not numpy.isin(values, (0.0, 1.0)).all() or (values == values[0]).all():
        return None
    for value, which in ((1.0, "with"), (0.0, "without")):
        outcomes = wrong[values == value]
        if outcomes.all() or not outcomes.any():
            result = "wrong" if outcomes.all() else "right"
            return f"all {len(outcomes):,} cases {which} it are {result}", 1.0 - value
    return None
