"""Comparatives: what follows from a chain of them, link by link."""

from collections.abc import Sequence
from typing import NamedTuple

from assay.core.label import Label
from assay.language.logic.files import EntryError
from assay.stress.logic.natural.patterns import Piece, only_sentence, sentences, slots

SIGNS = {("more", False): ">", ("less", False): "<", ("more", True): "<=", ("less", True): ">="}
"""What a comparative says, and what it says if it is denied."""

TURNED = {">": "<", "<": ">", ">=": "<=", "<=": ">=", "=": "="}
"""The same the other way round."""

ALLOWS = {">": {">"}, "<": {"<"}, ">=": {">", "="}, "<=": {"<", "="}, "=": {"="}}
"""The ways in which two can be related."""


class Link(NamedTuple):
    """How two are related."""

    first: str
    signs: tuple[str, ...]
    """What it can mean; "as tall as" has two meanings."""
    second: str


def order_label(premise: Sequence[Piece], hypothesis: Sequence[Piece]) -> Label | None:
    """The label of a chain and a claim about two of its members; None if a reading decides.

    >>> from assay.stress.logic.natural.patterns import pieces
    >>> chain = pieces("NAME1 is SCALE.more than NAME2 . NAME2 is not SCALE.less than NAME3")
    >>> order_label(chain, pieces("NAME3 is SCALE.more than NAME1")).value
    'contradiction'
    """
    links, claim = [*map(_link, sentences(premise))], _link(only_sentence(hypothesis))
    found = set()
    for equal in (0, -1):
        said = [(each.first, each.signs[equal], each.second) for each in links]
        allowed = _between(claim.first, claim.second, said)
        claimed = ALLOWS[claim.signs[equal]]
        if allowed <= claimed:
            found.add(Label.ENTAILMENT)
        else:
            found.add(Label.NEUTRAL if allowed & claimed else Label.CONTRADICTION)
    return found.pop() if len(found) == 1 else None


def _link(parts: Sequence[Piece]) -> Link:
    if [slot.kind for slot in slots(parts)] != ["NAME", "SCALE", "NAME"]:
        said = " ".join(map(str, parts))
        raise EntryError(
            f"{said!r} does not compare two people",
            entry=said,
            hint='Write "NAME1 is SCALE.more than NAME2" or "NAME1 is not as SCALE.as as NAME2".',
        )
    first, scale, second = slots(parts)
    denied = not {"not", "isn't"}.isdisjoint(map(str, parts))
    if scale.form == ("as",):
        return Link(str(first), ("<",) if denied else (">=", "="), str(second))
    return Link(str(first), (SIGNS[scale.form[0], denied],), str(second))


def _between(first: str, last: str, links: Sequence[tuple[str, str, str]]) -> set[str]:
    """How two can be related, by following the links from one to the other."""
    paths = [(first, set("="))]
    found = set("<=>")
    for _ in links:
        paths = [
            (there, _then(so_far, sign))
            for here, so_far in paths
            for start, said, end in links
            for there, sign in ((end, said), (start, TURNED[said]))
            if here == (start if there == end else end)
        ]
        for here, so_far in paths:
            if here == last:
                found &= so_far
    return found


def _then(so_far: set[str], sign: str) -> set[str]:
    """One more link: more and then more or equal is more; more and then less is anything."""
    found: set[str] = set()
    for one in so_far:
        for other in ALLOWS[sign]:
            found |= {one} if other in ("=", one) else {other} if one == "=" else set("<=>")
    return found
