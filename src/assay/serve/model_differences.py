"""Slices on which two models differ most: by accuracy, and for a user's own claims by what passes."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy

from assay.core.case import ORIGINAL
from assay.core.estimate import Interval
from assay.core.label import Label
from assay.evaluate.case_columns import CLAIMED, Bools, Ints
from assay.evaluate.diagnose.text_features import is_number, negates
from assay.evaluate.losses import is_clear
from assay.evaluate.paired import PairedShares, holm
from assay.evaluate.slice_sums import PairedTally, make_cells
from assay.language.text.tokens import folded_words
from assay.run.case_index.case_index import RIGHT, CaseIndex

FEWEST = 20  # slices with fewer cases are not tried: each test costs the others some of their strength
UNTRIED = ("group.old", "group.new", "group.template")  # groups that only repeat the texts
MOST_READ = 20_000  # claims whose texts are read; with more, only the slices that the index has are tried
MOST_SHARED, FEW_SHARED = 0.6, 0.3  # the shares of a claim's words in the evidence that count as most and few
LONG = 0.75  # claims and evidence are long if they are longer than this fraction of the others
PROPERTY = "property"  # the name of a slice by what a claim's text has


class Difference(NamedTuple):
    """A slice on which two models differ."""

    where: dict[str, str]  # the slice: a family, with a label, a variant, a group or a property of the texts
    measure: str  # accuracy, false-support or recall
    n: int
    one: float
    other: float
    only_one: int
    only_other: int
    interval: Interval  # of the other's share minus the one's
    p: float  # the p, corrected by Holm's method for all slices that were tried with it

    @property
    def is_significant(self) -> bool:
        return is_clear(self.p)


class Differences(NamedTuple):
    claims: Sequence[Difference]  # a user's own claims, by false support and recall; empty for other pairs
    others: Sequence[Difference]  # everything else, by accuracy


def differences(index: CaseIndex, one: str, other: str, *, of_claims: bool = False) -> Differences:
    """Search all slices: families by label, variant and every group. Clusters count as they do everywhere.

    A user's own claims are searched by themselves, also by properties of their texts. Those that chance does not
    explain come first, the largest before the others; then those that are nearest to it.
    """
    claimed = numpy.flatnonzero(index.codes("expects") == CLAIMED)
    groups = [name for name in index.groups if name not in UNTRIED]
    own = index.codes("family", claimed) == _code(index, "family", ORIGINAL)
    found = [] if not of_claims else [*_of_claims(index, claimed[own], ["variant", *groups], (one, other))]
    rest = claimed[~own] if of_claims else claimed
    first, second = (_right(index, model, rest) for model in (one, other))
    others: list[Difference] = []
    for facet in ["family", "label", "variant", *groups]:
        others += _tried(index, facet, rest, first, second)
    return Differences(_corrected(found), _corrected(others))


def _corrected(tried: Sequence[Difference]) -> list[Difference]:
    corrected = holm([each.p for each in tried])
    found = [(each.p, each._replace(p=p)) for each, p in zip(tried, corrected, strict=True)]
    ranked = sorted(
        found, key=lambda each: (0, -abs(each[1].one - each[1].other)) if each[1].is_significant else (1, each[0])
    )
    return [each for _, each in ranked]


def _right(index: CaseIndex, model: str, rows: Ints) -> Ints:
    return numpy.asarray((index.of_model("flags", model)[rows] & RIGHT) != 0, dtype=numpy.int64)


def _code(index: CaseIndex, facet: str, value: str) -> int:
    values = index.described.values[facet]
    return values.index(value) if value in values else -1


def _tried(index: CaseIndex, facet: str, rows: Ints, first: Ints, second: Ints) -> Iterator[Difference]:
    """The slices of one facet within each family; of the facet `family`, the families themselves."""
    families = index.described.values["family"]
    values = index.described.values[facet]
    family = index.codes("family", rows).astype(numpy.int64)
    value = family * 0 if facet == "family" else index.codes(facet, rows).astype(numpy.int64)
    for code, shares in _shares(index, rows, family * len(values) + value, first, second):
        of_family, of_facet = divmod(code, len(values))
        if facet == "family" or values[of_facet]:
            where = {"family": families[of_family]} | ({} if facet == "family" else {facet: values[of_facet]})
            yield _difference(where, "accuracy", shares)


def _of_claims(index: CaseIndex, rows: Ints, facets: Sequence[str], models: tuple[str, str]) -> Iterator[Difference]:
    """The unsupported and the supported claims of each value of a facet, and of each property of their texts."""
    supported = index.codes("label", rows) == _code(index, "label", Label.ENTAILMENT.value)
    properties = claim_properties(index.texts(rows)) if len(rows) <= MOST_READ else {}
    for measure, kind in (("false-support", ~supported), ("recall", supported)):
        here = rows[kind]
        right = [_right(index, model, here) for model in models]
        first, second = (each if measure == "recall" else 1 - each for each in right)
        labels = index.codes("label", here)
        for facet in facets:
            values = index.described.values[facet]
            for code, shares in _shares(index, here, index.codes(facet, here).astype(numpy.int64), first, second):
                if values[code] and shares.n < len(here):
                    where = {"family": ORIGINAL, facet: values[code]}
                    yield _difference(where | _label(index, labels), measure, shares)
        for name, has in properties.items():
            among = has[kind]
            if among.all():
                continue
            for _, shares in _shares(index, here[among], here[among] * 0, first[among], second[among]):
                yield _difference({"family": ORIGINAL, PROPERTY: name}, measure, shares)


def _label(index: CaseIndex, labels: Ints) -> dict[str, str]:
    """The label of these cases, for a link to them; nothing if they have several."""
    there = numpy.unique(labels)
    return {"label": index.described.values["label"][int(there[0])]} if len(there) == 1 else {}


def _shares(index: CaseIndex, rows: Ints, codes: Ints, first: Ints, second: Ints) -> Iterator[tuple[int, PairedShares]]:
    """The two models on each slice that has enough cases."""
    if not len(rows):
        return
    tally = PairedTally(1)
    found = make_cells(codes, *index.clusters(rows))
    tally.add(found, first[None], second[None], found.met)
    yield from ((code, shares) for code, shares in tally.shares(0).items() if shares.n >= FEWEST)


def _difference(where: dict[str, str], measure: str, shares: PairedShares) -> Difference:
    low, high = shares.interval
    return Difference(
        where,
        measure,
        shares.n,
        shares.first,
        shares.second,
        shares.only_first,
        shares.only_second,
        Interval(-high, -low),
        shares.p,
    )


def claim_properties(texts: Sequence[tuple[str, str]]) -> dict[str, Bools]:
    """Properties of claims that shortcuts use, each with the claims that have it.

    >>> texts = [("Ann paid 12 euros.", "Then Ann paid 15 euros."), ("It rains.", "It does not rain.")]
    >>> found = claim_properties(texts)
    >>> [name for name, has in found.items() if has[0]]
    ['a number', 'a name', 'most words shared', 'a long claim', 'long evidence']
    """
    words = [(folded_words(evidence), folded_words(claim)) for evidence, claim in texts]
    shared = numpy.array([len({*said} & {*claim}) / max(1, len({*claim})) for said, claim in words])
    found = {
        "a number": [any(map(is_number, claim)) for _, claim in words],
        "a negation word": [any(map(negates, claim)) for _, claim in words],
        "a name": [any(word[0].isupper() and word != "I" for word in claim.split()[1:]) for _, claim in texts],
        "most words shared": shared >= MOST_SHARED,
        "few words shared": shared <= FEW_SHARED,
    }
    for name, side in (("a long claim", 1), ("long evidence", 0)):
        length = numpy.array([len(each[side]) for each in words])
        found[name] = length > numpy.quantile(length, LONG) if len(length) else length > 0
    return {name: numpy.asarray(has, dtype=bool) for name, has in found.items()}
