"""Where two models differ most: every slice of the cases is tried, and what chance explains is left out."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy

from assay.bench.browse.index import CaseIndex
from assay.bench.browse.layout import RIGHT
from assay.evaluate.correction import holm
from assay.evaluate.count.cells import cells
from assay.evaluate.count.columns import CLAIMED, Ints
from assay.evaluate.count.tallies import PairedTally

FEWEST = 20
"""Slices with fewer cases are not tried: each test costs the others some of their strength."""

UNTRIED = ("group.old", "group.new", "group.template")
"""Groups that only repeat the texts."""

SURE = 0.05
"""The largest corrected p of a difference that is shown."""


class Difference(NamedTuple):
    """A slice on which two models differ."""

    where: dict[str, str]
    """The slice: a family, with a label, a variant or a group."""
    n: int
    """How many cases it has."""
    one: float
    """The first model's accuracy."""
    other: float
    """The second model's accuracy."""
    only_one: int
    """Cases that only the first gets right."""
    only_other: int
    """Cases that only the second gets right."""
    p: float
    """The p, corrected by Holm's method for all slices that were tried."""


class Searched(NamedTuple):
    """The result of a search over all slices."""

    found: list[Difference]
    """Differences that chance does not explain, the largest first."""
    tried: int
    """How many slices were tried."""


def differences(index: CaseIndex, one: str, other: str) -> Searched:
    """Search all slices: families by label, variant and every group. Clusters count as they do everywhere."""
    claimed = numpy.flatnonzero(index.codes("expects") == CLAIMED)
    first, second = (
        ((index.of_model("flags", model)[claimed] & RIGHT) != 0).astype(numpy.int64) for model in (one, other)
    )
    tried: list[Difference] = []
    groups = [name for name in index.groups if name not in UNTRIED]
    for facet in ["family", "label", "variant", *groups]:
        tried += _tried(index, facet, claimed, first, second)
    corrected = holm([each.p for each in tried])
    sure = [each._replace(p=p) for each, p in zip(tried, corrected, strict=True) if p < SURE]
    return Searched(sorted(sure, key=lambda each: -abs(each.one - each.other)), len(tried))


def _tried(index: CaseIndex, facet: str, rows: Ints, first: Ints, second: Ints) -> Iterator[Difference]:
    """The slices of one facet within each family; of the facet `family`, the families themselves."""
    families = index.described.values["family"]
    values = index.described.values[facet]
    family = index.codes("family", rows).astype(numpy.int64)
    value = family * 0 if facet == "family" else index.codes(facet, rows).astype(numpy.int64)
    codes = family * len(values) + value
    if not len(codes):
        return
    tally = PairedTally(1)
    found = cells(codes, *index.clusters(rows))
    tally.add(found, first[None], second[None], found.met)
    for code, shares in tally.shares(0).items():
        of_family, of_facet = divmod(code, len(values))
        if shares.n < FEWEST or (facet != "family" and not values[of_facet]):
            continue
        where = {"family": families[of_family]} | ({} if facet == "family" else {facet: values[of_facet]})
        if shares.first is not None and shares.second is not None and shares.p is not None:
            yield Difference(
                where, shares.n, shares.first, shares.second, shares.only_first, shares.only_second, shares.p
            )
