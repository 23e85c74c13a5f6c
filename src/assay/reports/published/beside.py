"""Published figures beside measured ones: what other systems reached on other pairs of the same test."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from rich.console import RenderableType

from assay.core.estimate import Estimate
from assay.core.label import Label
from assay.reports.layout import line, table
from assay.reports.published.figures import Figure, kin
from assay.reports.tables.figures import ORIGINAL
from assay.reports.two_way import two_way

TITLE = "Published for the same tests: other systems, other pairs"
LEGEND = "Accuracy in per cent, lowest to highest over models. `assay published PAPER TABLE` shows each."

MEASURED = ("accuracy", "kept")
"""Figures of ours that the papers call accuracy."""

FAMILY_OF = {"heuristic": "heuristics", "subcase": "heuristics", "category": "lexical"}
"""The tests that a corpus is, by the groups of its pairs, where it is read and not built."""

LABELS = ["", *Label]

WIDEST = 36
"""Longer names are folded."""

IN_A_RUN = ({"family"}, {"family", "heuristic", "label"})
"""What a run shows of them; a score shows all."""


class Beside(msgspec.Struct, frozen=True, kw_only=True):
    """A measured figure with those that are published for the same test."""

    slice: dict[str, str]
    """On what: suite, family, label, group."""
    measured: dict[str, float]
    """Our figure, by model."""
    low: float
    """The lowest of the published ones, as a share."""
    high: float
    """The highest."""
    systems: int
    """How many systems they are of."""
    tables: tuple[str, ...]
    """Where they are printed: a paper with its tables."""


def beside(estimates: Iterable[Estimate]) -> list[Beside]:
    """What is published for the same tests, in the order in which they were measured.

    >>> here = {"model": "m", "suite": "s", "family": "numeracy"}
    >>> [row] = beside([Estimate(name="accuracy", value=0.5, n=9, slice=here)])
    >>> row.measured, row.low, row.high, row.systems, row.tables
    ({'m': 0.5}, 0.212, 0.313, 6, ('naik2018 3',))
    """
    given = list(estimates)
    apart = two_way(given)
    found = [
        e
        for e in given
        if e.name in MEASURED and e.value is not None and (e.slice["model"], e.slice["suite"]) not in apart
    ]
    homes = _read_tests(found)
    rows: dict[frozenset[tuple[str, str]], dict[str, float]] = {}
    for each in found:
        where = _translated(each.slice, homes)
        if where and _shares(where):
            rows.setdefault(frozenset(where.items()), {})[each.slice["model"]] = each.value or 0.0
    made = [_row(dict(sorted(where, key=_order)), measured) for where, measured in rows.items()]
    tests = list(dict.fromkeys(map(_test, made)))  # labels stand together, in their usual order
    return sorted(made, key=lambda row: (tests.index(_test(row)), LABELS.index(row.slice.get("label", ""))))


def with_published(found: msgspec.Struct, estimates: Iterable[Estimate]) -> dict[str, Any]:
    """A run or a score for machines, with what is published for the same tests."""
    return {**msgspec.structs.asdict(found), "published": beside(estimates)}


def beside_table(estimates: Iterable[Estimate], *, whole: bool) -> list[RenderableType]:
    """Measured and published side by side: all of it, or as much as a run shows."""
    rows = [each for each in beside(estimates) if whole or _in_a_run(each)]
    if not rows:
        return []
    several = len({each.slice["suite"] for each in rows}) > 1
    names = Counter(map(name_of, rows))
    made = table("", ">measured", ">published", ">systems", "in")
    made.columns[0].min_width = min(max(map(len, names)) + 2, WIDEST)  # the papers are what is folded
    for row in rows:
        shown = f"{name_of(row)} ({row.slice['suite']})" if several and names[name_of(row)] > 1 else name_of(row)
        here = _range(min(row.measured.values()), max(row.measured.values()))
        cells = (here, _range(row.low, row.high), str(row.systems))
        made.add_row(line(f"  {shown}"), *cells, line(", ".join(row.tables)))
    return [line(""), line(TITLE, "bold"), made, line(LEGEND, "dim")]


def _read_tests(found: Iterable[Estimate]) -> dict[str, set[str]]:
    """The tests that the original pairs of each suite are, by its name: those of corpora that are tests themselves."""
    tests: dict[str, set[str]] = {}
    for each in found:
        if each.slice["family"] == ORIGINAL and len(each.slice) > 3:
            where = _translated(each.slice, {})
            if where["family"] != ORIGINAL and _shares(where):
                tests.setdefault(each.slice["suite"], set()).add(where["family"])
    return tests


def _translated(where: Mapping[str, str], tests: Mapping[str, set[str]]) -> dict[str, str]:
    """The slice in the words of the published figures, with its suite; empty where it is of no one test.

    A released stress test brings its own family and variant; only misspellings have variants.
    """
    own = {name: value for name, value in where.items() if name != "model"}
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


def _row(where: dict[str, str], measured: dict[str, float]) -> Beside:
    figures = _shares(where)
    shares = [round(share, 6) for _, share in figures]  # as many digits as are printed
    places: dict[str, dict[str, None]] = {}
    for each, _ in figures:
        places.setdefault(each.paper, {})[each.table] = None
    return Beside(
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


def _in_a_run(row: Beside) -> bool:
    names = {*row.slice} - {"suite"}
    return names in IN_A_RUN or (row.slice["family"] == "swap" and names == {"family", "label"})


def _test(row: Beside) -> frozenset[tuple[str, str]]:
    return frozenset((name, value) for name, value in row.slice.items() if name != "label")


def name_of(row: Beside) -> str:
    """What a row is about; a group says of which family it is."""
    left_out = {"suite", "family"} if {*row.slice} & {*FAMILY_OF} else {"suite"}
    return ", ".join(value for name, value in row.slice.items() if name not in left_out)


def _range(low: float, high: float) -> str:
    return "-".join(dict.fromkeys(f"{end * 100:.1f}" for end in (low, high)))
