"""Cases and answers as columns of numbers, decoded once, a chunk at a time; and three labels collapsed to two."""

from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from typing import NamedTuple, TypeVar
from zlib import crc32

import msgspec
import numpy
from numpy.typing import NDArray

from assay.core.case import ORIGINAL, Case, Prediction
from assay.core.edit import Expectation
from assay.core.label import Label
from assay.core.label_space import LABELS, NO_ANSWER, THREE_LABELS, TWO_LABELS, LabelSpace

Ints = NDArray[numpy.int64]
Floats = NDArray[numpy.float64]
Bools = NDArray[numpy.bool_]

ENTAILMENT, NON_ENTAILMENT = (LABELS.index(label) for label in TWO_LABELS.labels)  # codes of the labels of two-way sets
IN_TWO = numpy.array(TWO_LABELS.codes)  # the codes of labels, and of no answer, when there are only two labels
EXPECTATIONS: tuple[Expectation, ...] = ("label", "hold", "drop")  # expectations by code
CLAIMED = EXPECTATIONS.index("label")  # the code of the expectation that most cases have
VARIANT, SEVERITY = "variant", "severity"  # names of facets
MOST_VALUES = 200  # a group with more values than this, such as a score, is not reported as slices
RESERVED = frozenset({"model", "suite", "family", "variant", "label", "threshold"})
"""Names of slices that every suite has; a group of the same name, such as a corpus's own family, is kept separate."""

BUCKETS = 256  # number of groups of clusters, by name, for metrics without a formula: enough for a good interval
MOST_CLUSTERS = 1 << 15
"""Limit on clusters of a suite that are distinguished. If there are more, several share a number, by name: groups of
clusters are as independent as the clusters in them, and memory does not grow with the suite."""

_CODE = {label: code for code, label in enumerate(LABELS)}
_EXPECTATION = {expects: code for code, expects in enumerate(EXPECTATIONS)}


class _Recipe(msgspec.Struct, frozen=True, gc=False):
    severity: int | None = None


class _Edit(msgspec.Struct, frozen=True, gc=False):
    label: Label | None = None
    expects: Expectation = "label"


class _Provenance(msgspec.Struct, frozen=True, gc=False):
    recipe: _Recipe
    edit: _Edit
    label: Label | None = None
    root: str = ""
    unit: str = ""


class CaseRow(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The fields of a case that metrics need; reading them is several times faster than reading a whole case."""

    id: str
    label: Label | None
    family: str
    variant: str
    group: dict[str, str]
    origin: str
    cluster: str = ""
    provenance: _Provenance

    @property
    def root(self) -> str:
        """The pair that the case ultimately comes from."""
        return self.provenance.root or self.origin

    @property
    def compared_with(self) -> Label:
        """The label that answers are compared with: the case's own or, without one, the source pair's."""
        label = self.label or self.provenance.label
        if label is None:
            raise ValueError(f"{self.id} has no label, and neither does its provenance")
        return label

    @property
    def clusters(self) -> tuple[str, str]:
        """The premise, and the unit (such as a word pair) that the case shares with others."""
        premise = self.provenance.root or self.cluster or self.origin
        return premise, self.provenance.unit or premise


class LabelProbabilities(msgspec.Struct, frozen=True, rename={"non_entailment": "non-entailment"}, gc=False):
    """Probabilities by label, in the order of the codes; NaN if the model gives none."""

    entailment: float = numpy.nan
    neutral: float = numpy.nan
    contradiction: float = numpy.nan
    non_entailment: float = numpy.nan


class AnswerRow(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The fields of an answer that metrics need."""

    id: str
    label: Label
    probabilities: LabelProbabilities | None = None
    note: str = ""
    threshold: float | None = None


class CaseColumns(NamedTuple):
    """A chunk of cases that never separates the cases of one source pair; all but the facets are (cases,)."""

    ids: list[str]
    label: Ints  # the code of the label that answers are compared with; it is the right answer where `claims` is true
    family: Ints
    expects: Ints  # the code of the expected behaviour
    stays: Bools  # True if the label is that of the source pair
    severity: Ints  # the rung of a ladder; -1 if the case is not on a ladder
    pair: Ints  # the number of the source pair in the chunk: neighbours with the same root share a number
    cluster: Ints  # the number of the premise, the same in every chunk
    unit: Ints
    """The number of the unit, such as the words that are exchanged; that of the premise if there is no unit.
    Figures that can't take two kinds of clusters into account use this one."""
    original: Bools  # True if the case is an unchanged source pair
    source: Ints  # the row of a copy's source pair; -1 if it was not run, or is the case itself
    bucket: Ints  # the group of units
    facet: Ints  # (entries,) the index of a facet of a case; a case has several entries
    facet_of: Ints

    @property
    def claims(self) -> Bools:
        """(cases,) True if the label is claimed to be the right answer."""
        return numpy.asarray(self.expects == CLAIMED)


class AnswerColumns(NamedTuple):
    """Models' answers to the same cases."""

    label: Ints
    probabilities: Floats  # (models, cases, labels) NaN if the model gives none
    notes: list[list[str]]  # [models][cases] why an answer is a fallback; empty if it is not
    threshold: Floats
    """(models, cases) The support score from which the answer of the model is entailment; NaN if it has none."""


class CaseFacet(NamedTuple):
    """A part of a family's cases: all of them, a variant, or a value of a group."""

    family: str
    name: str | None = None  # the name `variant` or that of the group; None if all cases of the family belong to it
    value: str = ""

    @property
    def slice(self) -> dict[str, str]:
        """The facet as the slice of a number."""
        return {"family": self.family} if self.name is None else {"family": self.family, self.name: self.value}


class Encoder:
    """Turns cases into columns, and numbers families and facets in order of appearance.

    In a space of two labels, every case is entailment or non-entailment, whatever it was built with.
    """

    def __init__(self, space: LabelSpace = THREE_LABELS) -> None:
        self.space = space
        self._codes = numpy.array(space.codes)
        self._families: dict[str, int] = {}
        self._facets: dict[CaseFacet, int] = {}
        self._values: dict[tuple[str, str], set[str]] = {}
        self._remembered: dict[tuple[object, ...], tuple[int, ...]] = {}
        self._clusters: dict[str, int] = {}

    @property
    def families(self) -> list[str]:
        """The families, by index."""
        return list(self._families)

    @property
    def facets(self) -> list[CaseFacet]:
        """The facets, by index."""
        return list(self._facets)

    def cases(self, rows: Sequence[Case] | Sequence[CaseRow]) -> CaseColumns:
        """The columns of cases; those with the same root are next to each other."""
        family = _ints([_number(self._families, row.family) for row in rows])
        original = numpy.array([row.family == ORIGINAL for row in rows], dtype=bool)
        premises, units = zip(*(row.clusters for row in rows), strict=True) if rows else ((), ())
        severities = [row.provenance.recipe.severity for row in rows]
        facets = [self._facets_of(row) for row in rows]
        label = _ints([_CODE[row.compared_with] for row in rows])
        return CaseColumns(
            ids=[row.id for row in rows],
            label=self.read(label),
            family=family,
            expects=_ints([_EXPECTATION[row.provenance.edit.expects] for row in rows]),
            stays=numpy.array([row.provenance.edit.label is None for row in rows], dtype=bool),
            severity=_ints([-1 if severity is None else severity for severity in severities]),
            pair=numpy.cumsum(_starts([row.root for row in rows])) - 1,
            cluster=_ints([self._cluster(name) for name in premises]),
            unit=_ints([self._cluster(name) for name in units]),
            original=original,
            source=_sources([row.origin for row in rows], original),
            bucket=_ints([crc32(name.encode()) % BUCKETS for name in units]),
            facet=_ints(list(chain.from_iterable(facets))),
            facet_of=numpy.repeat(numpy.arange(len(rows)), [len(each) for each in facets]),
        )

    def read(self, label: Ints) -> Ints:
        """The codes of labels in the space of two or three labels."""
        return self._codes[label]

    def are_binary(self, cases: CaseColumns) -> Bools:
        """(cases,) True if a case is judged by two labels: all are in a space of two, or it was built with two."""
        return numpy.asarray(self.space.is_binary | (cases.label == NON_ENTAILMENT))

    def has_too_many_values(self, facet: CaseFacet) -> bool:
        """True if a facet belongs to a group with too many values to report."""
        return facet.name is not None and len(self._values.get((facet.family, facet.name), ())) > MOST_VALUES

    def _cluster(self, name: str) -> int:
        if name not in self._clusters and len(self._clusters) >= MOST_CLUSTERS:
            return crc32(name.encode()) % MOST_CLUSTERS
        return _number(self._clusters, name)

    def _facets_of(self, row: Case | CaseRow) -> tuple[int, ...]:
        group = row.group
        key = (row.family, row.variant, *group.items()) if group else (row.family, row.variant)
        found = self._remembered.get(key)
        if found is None:
            if len(self._remembered) >= 4096:  # combinations of groups are cached with their facets
                self._remembered.clear()
            found = self._remembered[key] = tuple(_number(self._facets, each) for each in self._new_facets(row))
        return found

    def _new_facets(self, row: Case | CaseRow) -> Iterator[CaseFacet]:
        yield CaseFacet(row.family)
        if row.variant:
            yield CaseFacet(row.family, VARIANT, row.variant)
        for own, value in row.group.items():
            name = f"group:{own}" if own in RESERVED else own
            values = self._values.setdefault((row.family, name), set())
            if len(values) <= MOST_VALUES:
                values.add(value)
                yield CaseFacet(row.family, name, value)


Numbered = TypeVar("Numbered")


def _number(numbers: dict[Numbered, int], thing: Numbered) -> int:
    """Look up the number of a thing, or give it the next one."""
    return numbers.setdefault(thing, len(numbers))


def answer_columns(models: Sequence[Sequence[AnswerRow | None]]) -> AnswerColumns:
    """The columns of each model's answers to the same cases; None is a missing answer.

    >>> said = [AnswerRow(id="1", label=Label.NEUTRAL, probabilities=LabelProbabilities(neutral=1.0)), None]
    >>> found = answer_columns([said])
    >>> found.label.tolist(), found.probabilities[0, 0].tolist()
    ([[1, 4]], [nan, 1.0, nan, nan])
    """
    labels = [[NO_ANSWER if row is None else _CODE[row.label] for row in rows] for rows in models]
    return AnswerColumns(
        label=_ints(labels),
        probabilities=numpy.stack([_probabilities(rows) for rows in models]),
        notes=[[row.note if row else "" for row in rows] for rows in models],
        threshold=numpy.array(
            [[numpy.nan if row is None or row.threshold is None else row.threshold for row in rows] for rows in models]
        ),
    )


def answer_row(prediction: Prediction) -> AnswerRow:
    """An answer that was made elsewhere, in the form of a stored one.

    >>> answer_row(Prediction(id="1", label=Label.NEUTRAL, probabilities={Label.NON_ENTAILMENT: 0.5})).probabilities
    LabelProbabilities(entailment=nan, neutral=nan, contradiction=nan, non_entailment=0.5)
    """
    given = prediction.probabilities
    shares = LabelProbabilities(*(given.get(label, numpy.nan) for label in LABELS)) if given is not None else None
    return AnswerRow(
        id=prediction.id,
        label=prediction.label,
        probabilities=shares,
        note=prediction.note,
        threshold=prediction.threshold,
    )


def _probabilities(rows: Sequence[AnswerRow | None]) -> Floats:
    """The probabilities of one model's answers: (cases, labels)."""
    found = numpy.full((len(rows), len(LABELS)), numpy.nan)
    given = [row.probabilities if row else None for row in rows]
    there = [place for place, shares in enumerate(given) if shares is not None]
    if there:
        known = chain.from_iterable(msgspec.structs.astuple(shares) for shares in given if shares is not None)
        found[there] = numpy.fromiter(known, numpy.float64, len(there) * len(LABELS)).reshape(-1, len(LABELS))
    return found


def _sources(origins: list[str], is_original: Bools) -> Ints:
    """Find the row of each case's source pair among the cases with the same origin."""
    group = numpy.cumsum(_starts(origins)) - 1
    originals = numpy.flatnonzero(is_original)
    source_of = numpy.full(len(origins), -1)  # at most as many origins as cases
    source_of[group[originals]] = originals
    return numpy.where(is_original, -1, source_of[group])


def renumber_clusters(clusters: Ints) -> Ints:
    """The clusters of several suites, numbered again from 0.

    >>> renumber_clusters(numpy.array([70_000, 3, 70_000])).tolist()
    [1, 0, 1]
    """
    return numpy.asarray(numpy.unique(clusters, return_inverse=True)[1] % MOST_CLUSTERS)


def _starts(names: list[str]) -> Bools:
    """True at each name that differs from the one before it."""
    return numpy.array([True, *(one != other for one, other in pairwise(names))][: len(names)], dtype=bool)


def _ints(values: list[int] | list[list[int]]) -> Ints:
    return numpy.array(values, dtype=numpy.int64)


_ADDED = sorted(range(len(LABELS)), key=lambda code: LABELS[code].value)
"""Probabilities are added up in the stored order, by label name, so that ties are broken the same way everywhere."""


def total_probability(probabilities: Floats) -> Floats:
    """The sum over all labels, the last axis."""
    known = numpy.nan_to_num(probabilities, nan=0.0)
    found = numpy.zeros(probabilities.shape[:-1])
    for code in _ADDED:
        found += known[..., code]
    return found


def are_given(probabilities: Floats) -> Bools:
    """True where the model gave probabilities, from an array (..., labels)."""
    return numpy.asarray(~numpy.isnan(probabilities).all(axis=-1))


def confidence(label: Ints, probabilities: Floats) -> Floats:
    """The confidence in each answer, from an array (..., labels); NaN without probabilities.

    For non-entailment, it is the sum of neutral and contradiction, if the model gave them separately.

    >>> shares = numpy.array([[0.25, 0.5, 0.25, numpy.nan], [0.25, numpy.nan, numpy.nan, 0.75]])
    >>> confidence(numpy.array([NON_ENTAILMENT, NON_ENTAILMENT]), shares).tolist()
    [0.75, 0.75]
    """
    rest = total_probability(probabilities) - numpy.nan_to_num(probabilities[..., ENTAILMENT], nan=0.0)
    given = numpy.where(are_given(probabilities), rest, numpy.nan)
    single = numpy.take_along_axis(probabilities, label[..., None], axis=-1)[..., 0]
    return numpy.where(label == NON_ENTAILMENT, given, single)


def sum_labels(label: Ints, probabilities: Floats) -> Ints:
    """The answers when neutral and contradiction are added up; unchanged if there is nothing to add.

    >>> shares = numpy.array([[0.4, 0.3, 0.3, numpy.nan], [0.5, 0.25, 0.25, numpy.nan], [numpy.nan] * 4])
    >>> sum_labels(numpy.array([0, 0, 0]), shares).tolist()
    [3, 0, 0]
    """
    sure = numpy.nan_to_num(probabilities[..., ENTAILMENT], nan=0.0)
    two = numpy.where(2 * sure >= total_probability(probabilities), ENTAILMENT, NON_ENTAILMENT)
    # A threshold of the model's own may have decided these.
    is_binary = ~numpy.isnan(probabilities[..., NON_ENTAILMENT])
    final = (label == NON_ENTAILMENT) | (label == NO_ANSWER) | ~are_given(probabilities) | is_binary
    return numpy.where(final, label, two)
