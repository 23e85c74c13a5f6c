"""Published figures for the tests that were measured: other systems on other pairs of the same test."""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

import msgspec

from assay.core.case import ORIGINAL
from assay.core.label import Label, LabelNames
from assay.core.results.estimate import Estimate
from assay.core.results.judgement import Judgement
from assay.reports.published.figures import Figure, kin
from assay.reports.words import PLAIN

MEASURED = ("accuracy", "kept", "band")
"""Figures of ours that the papers call accuracy; a band is the mean over the seeds of a system."""

FAMILY_OF = {"heuristic": "heuristics", "subcase": "heuristics", "category": "lexical"}
"""The tests that a corpus consists of, by the groups of its pairs, if it is read and not built."""

TWO_WAY_TESTS = ("heuristics",)
"""Tests whose published figures are themselves of two labels."""

LABELS = ["", *Label]

BRIEF = ({"family"}, {"family", "heuristic", "label"})
"""Which of them the summary of a run shows; everything else shows all."""


class Measured(Protocol):
    """A run, a score, or several runs together."""

    @property
    def estimates(self) -> Iterable[Estimate]: ...

    @property
    def judgement(self) -> Judgement: ...


class SameTest(msgspec.Struct, frozen=True, kw_only=True):
    """A measured figure with those that are published for the same test."""

    slice: dict[str, str]
    """The slice: suite, family, label, group."""
    measured: dict[str, float]
    """Our figure, by model."""
    low: float
    """The lowest published figure, as a share."""
    high: float
    """The highest."""
    systems: int
    """How many systems were published."""
    tables: tuple[str, ...]
    """Where they were published: a paper with its tables."""


def same_tests(measured: Measured) -> list[SameTest]:
    """What is published for the same tests, in the order in which they were measured.

    Models that answer with two labels where cases have three are left out, and so are families that are judged by two
    labels where the published figures are of three: that is an easier task.
    """
    two_way = {(each.model, each.suite) for each in measured.judgement.two_way}
    found = [
        e
        for e in measured.estimates
        if e.name in MEASURED and e.value is not None and (e.slice["model"], e.slice["suite"]) not in two_way
    ]
    judged_by_two = {_family(e) for e in found if e.slice.get("label") == Label.NON_ENTAILMENT}
    homes = _read_tests(found)
    rows: dict[frozenset[tuple[str, str]], dict[str, float]] = {}
    for each in found:
        where = _translated(each.slice, homes)
        easier = _family(each) in judged_by_two and where.get("family") not in TWO_WAY_TESTS
        if where and not easier and _shares(where):
            rows.setdefault(frozenset(where.items()), {})[each.slice["model"]] = each.value or 0.0
    made = [_row(dict(sorted(where, key=_order)), measured) for where, measured in rows.items()]
    tests = list(dict.fromkeys(map(_test, made)))  # labels of a test follow each other, in their usual order
    return sorted(made, key=lambda row: (tests.index(_test(row)), LABELS.index(row.slice.get("label", ""))))


def _family(estimate: Estimate) -> tuple[str, str]:
    return estimate.slice["suite"], estimate.slice["family"]


def with_published(measured: Measured) -> dict[str, Any]:
    """A run or a score for machines, with what is published for the same tests."""
    assert isinstance(measured, msgspec.Struct)
    return {**msgspec.structs.asdict(measured), "published": same_tests(measured)}


def is_brief(row: SameTest) -> bool:
    """Whether the summary of a run shows it."""
    names = {*row.slice} - {"suite"}
    return names in BRIEF or (row.slice["family"] == "swap" and names == {"family", "label"})


def _read_tests(found: Iterable[Estimate]) -> dict[str, set[str]]:
    """For each suite, the tests that its original pairs are, if its corpus is itself a test."""
    tests: dict[str, set[str]] = {}
    for each in found:
        if each.slice["family"] == ORIGINAL and len({*each.slice} - {"seeds"}) > 3:
            where = _translated(each.slice, {})
            if where["family"] != ORIGINAL and _shares(where):
                tests.setdefault(each.slice["suite"], set()).add(where["family"])
    return tests


def _translated(where: Mapping[str, str], tests: Mapping[str, set[str]]) -> dict[str, str]:
    """The slice in the terms of the published figures, with its suite; empty if it is not about one test.

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


def _shares(where: Mapping[str, str]) -> list[tuple[Figure, float]]:
    return [(each, each.share) for each in kin(where) if each.share is not None]


def _row(where: dict[str, str], measured: dict[str, float]) -> SameTest:
    figures = _shares(where)
    shares = [round(share, 6) for _, share in figures]  # as many digits as in print
    places: dict[str, dict[str, None]] = {}
    for each, _ in figures:
        places.setdefault(each.paper, {})[each.table] = None
    return SameTest(
        slice=where,
        measured=measured,
        low=min(shares),
        high=max(shares),
        systems=len({(each.paper, each.model) for each, _ in figures}),
        tables=tuple(f"{paper} {' '.join(numbers)}" for paper, numbers in places.items()),
    )


def _order(part: tuple[str, str]) -> tuple[int, str]:
    """Suite and family first, the label last."""
    return {"suite": 0, "family": 1, "label": 3}.get(part[0], 2), part[0]


def _test(row: SameTest) -> frozenset[tuple[str, str]]:
    return frozenset((name, value) for name, value in row.slice.items() if name != "label")


def name_of(row: SameTest, names: LabelNames = PLAIN) -> str:
    """What a row is about; a group says of which family it is."""
    left_out = {"suite", "family"} if {*row.slice} & {*FAMILY_OF} else {"suite"}
    shown = {name: names(value) if name == "label" else value.replace("_", " ") for name, value in row.slice.items()}
    return ", ".join(value for name, value in shown.items() if name not in left_out)
