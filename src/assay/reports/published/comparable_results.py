"""Published numbers for the tests that were measured: the same test on the same data, and related ones."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import msgspec

from assay.core.case import ORIGINAL
from assay.core.estimate import Estimate
from assay.core.judgement import Judgement
from assay.core.label import Label
from assay.core.label_space import LabelNames
from assay.reports.phrases import PLAIN
from assay.reports.published.published_results import (
    RELEASED,
    Data,
    PublishedFigure,
    ResultOrigin,
    data_of,
    part_of,
    published_accuracies,
    released_data,
)

MEASURED = ("accuracy", "kept", "band")  # what papers call accuracy; a band is the mean over seeds
FAMILY_OF = {"heuristic": "heuristics", "subcase": "heuristics", "category": "lexical"}
"""The tests that a corpus consists of, by the groups of its pairs, if it is read and not built."""

TWO_WAY_TESTS = ("heuristics",)  # tests whose published numbers are for two labels too
LABELS = ["", *Label]

ORDER = {"suite": 0, "family": 1, "label": 3}  # the order of names in a slice; all others are before the label
BRIEF = ({"family"}, {"family", "variant"}, {"family", "heuristic", "label"})
"""Slices that the summary of a run shows; everything else shows all."""


class MeasuredTests(Protocol):
    """A run, a score, or several runs together."""

    @property
    def estimates(self) -> Iterable[Estimate]: ...

    @property
    def judgement(self) -> Judgement: ...


class StoredResult(MeasuredTests, Protocol):
    @property
    def suites(self) -> Mapping[str, ResultOrigin]: ...


class SameTest(msgspec.Struct, frozen=True, kw_only=True):
    """A measured number, with those published for the same test on the same corpus, split and fidelity."""

    slice: dict[str, str]
    data: Data
    part: str = ""  # the measured part of the data, if not all
    measured: dict[str, float]
    low: float
    high: float
    systems: int
    tables: tuple[str, ...]


class RelatedTest(msgspec.Struct, frozen=True, kw_only=True):
    """Figures published for the same kind of test on other data: for context, not for comparison."""

    slice: dict[str, str]
    data: Data
    of: Data
    differs: tuple[str, ...]
    low: float
    high: float
    systems: int
    tables: tuple[str, ...]


class _Tested(NamedTuple):
    """A test that was measured, with the slice that published numbers have."""

    slice: dict[str, str]
    data: Data
    part: str
    measured: dict[str, float]


def same_tests(measured: MeasuredTests, origins: Mapping[str, ResultOrigin]) -> list[SameTest]:
    """Published numbers for the same tests on the same data, in the order in which they were measured.

    `origins` says what each suite was made from, by its name; unknown data never counts as the same.
    """
    return [
        SameTest(slice=each.slice, data=each.data, part=each.part, measured=each.measured, **_extremes(figures))
        for each, data, figures in _published_for(measured, origins)
        if data == each.data
    ]


def related_tests(measured: MeasuredTests, origins: Mapping[str, ResultOrigin]) -> list[RelatedTest]:
    """Published numbers for the same tests on another corpus, split or fidelity: one row for each."""
    return [
        RelatedTest(slice=each.slice, data=each.data, of=data, differs=each.data.differs(data), **_extremes(figures))
        for each, data, figures in _published_for(measured, origins)
        if data != each.data
    ]


def _published_for(
    measured: MeasuredTests, origins: Mapping[str, ResultOrigin]
) -> Iterator[tuple[_Tested, Data, list[PublishedFigure]]]:
    """Each measured test with the numbers that are published for it, by the data that they are of."""
    for each in _find_tests(measured, origins):
        by_data: dict[Data, list[PublishedFigure]] = {}
        for figure in published_accuracies(each.slice):
            by_data.setdefault(figure.data, []).append(figure)
        yield from ((each, data, figures) for data, figures in by_data.items())


def with_published(measured: StoredResult) -> dict[str, Any]:
    """A run or a score as plain data, with what is published for the same tests and for related ones."""
    assert isinstance(measured, msgspec.Struct)
    found = {"published": same_tests(measured, measured.suites), "related": related_tests(measured, measured.suites)}
    return {**msgspec.structs.asdict(measured), **found}


def _find_tests(measured: MeasuredTests, origins: Mapping[str, ResultOrigin]) -> list[_Tested]:
    """The measured tests for which papers have numbers; the labels of a test follow each other.

    Models that answer with two labels where cases have three are left out, and so are families that are judged by two
    labels where the published numbers are for three: their task is easier.
    """
    by_two_labels = {(each.model, each.suite) for each in measured.judgement.two_label_models}
    found = [
        e
        for e in measured.estimates
        if e.name in MEASURED and e.value is not None and (e.slice["model"], e.slice["suite"]) not in by_two_labels
    ]
    judged_by_two = {_family(e) for e in found if e.slice.get("label") == Label.NON_ENTAILMENT}
    homes = _read_tests(found)
    rows: dict[frozenset[tuple[str, str]], dict[str, float]] = {}
    read: dict[frozenset[tuple[str, str]], bool] = {}
    for each in found:
        where = _translate_slice(each.slice, homes)
        easier = _family(each) in judged_by_two and where.get("family") not in TWO_WAY_TESTS
        if where and not easier and published_accuracies(where):
            key = frozenset(where.items())
            rows.setdefault(key, {})[each.slice["model"]] = each.value or 0.0
            read[key] = where["family"] != each.slice["family"]
    made = []
    for key, by_model in rows.items():
        where = dict(sorted(key, key=lambda part: (ORDER.get(part[0], 2), part[0])))
        origin, family = origins.get(where["suite"]), where["family"]
        if origin is None:
            data = Data(corpus=where["suite"])
        elif read[key] and origin.source.format == RELEASED:
            data = released_data(origin.source, family)
        else:
            data = data_of(origin, ORIGINAL if read[key] else family)  # what was read is the corpus itself
        made.append(_Tested(where, data, part_of(origin) if origin else "", by_model))
    tests = list(dict.fromkeys(map(_test, made)))
    return sorted(made, key=lambda row: (tests.index(_test(row)), LABELS.index(row.slice.get("label", ""))))


def _family(estimate: Estimate) -> tuple[str, str]:
    return estimate.slice["suite"], estimate.slice["family"]


def is_brief(row: SameTest | RelatedTest) -> bool:
    """True if the summary of a run shows it."""
    names = {*row.slice} - {"suite"}
    return names in BRIEF or (row.slice["family"] == "swap" and names == {"family", "label"})


def _read_tests(found: Iterable[Estimate]) -> dict[str, set[str]]:
    """For each suite whose corpus is itself a test set, the tests that its unmodified pairs belong to."""
    tests: dict[str, set[str]] = {}
    for each in found:
        if each.slice["family"] == ORIGINAL and len({*each.slice} - {"seeds"}) > 3:
            where = _translate_slice(each.slice, {})
            if where["family"] != ORIGINAL and published_accuracies(where):
                tests.setdefault(each.slice["suite"], set()).add(where["family"])
    return tests


def _translate_slice(where: Mapping[str, str], tests: Mapping[str, set[str]]) -> dict[str, str]:
    """The slice in the terms of the published numbers, with its suite; empty if it is not about one test.

    A released stress test brings its own family and variant; only misspellings have variants.
    """
    own = {name: value for name, value in where.items() if name not in ("model", "seeds")}
    if own["family"] != ORIGINAL:
        return own
    if "group:family" in own:
        own["family"] = own.pop("group:family")
        return own
    if "group:variant" in own:
        own |= {"family": "spelling", "variant": own.pop("group:variant")}
        return own
    group = next((name for name in own if name in FAMILY_OF), None)
    if group:
        return {**own, "family": FAMILY_OF[group]}
    there = tests.get(own["suite"], {ORIGINAL})
    return {**own, "family": next(iter(there))} if len(there) == 1 else {}


def _extremes(figures: Sequence[PublishedFigure]) -> dict[str, Any]:
    """The lowest and the highest of them, how many systems they come from, and where they are printed."""
    shares = [round(each.share or 0.0, 6) for each in figures]  # as many digits as in print
    places: dict[str, dict[str, None]] = {}
    for each in figures:
        places.setdefault(each.paper, {})[each.table] = None
    return {
        "low": min(shares),
        "high": max(shares),
        "systems": len({each.system for each in figures}),
        "tables": tuple(f"{paper} {' '.join(numbers)}" for paper, numbers in places.items()),
    }


def _test(row: _Tested) -> frozenset[tuple[str, str]]:
    return frozenset((name, value) for name, value in row.slice.items() if name != "label")


def name_of(row: SameTest | RelatedTest, names: LabelNames = PLAIN) -> str:
    """The name of a row; for a group, including its family."""
    left_out = {"suite", "family"} if {*row.slice} & {*FAMILY_OF} else {"suite"}
    shown = {name: names(value) if name == "label" else value.replace("_", " ") for name, value in row.slice.items()}
    return ", ".join(value for name, value in shown.items() if name not in left_out)
