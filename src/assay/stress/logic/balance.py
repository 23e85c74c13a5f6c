"""How often each form is drawn, so that nothing on the surface of a pair goes with a label.

Each subcase gets the same share. Within it, forms are weighted such that what can be seen without reading both texts
(the words of either text, their lengths, how much they share) says nothing about the label.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.core.label import Label
from assay.stress.logic.natural.forms import Form
from assay.stress.logic.natural.patterns import Piece, Slot

TURNS = 400
STEP = 0.3
"""How far weights go at once, at first."""
EVENNESS = 0.01
"""How much it costs if a form is drawn more or less often than others of its subcase."""
PAIR = 0.5
"""How much two neighbouring words of the hypothesis count, where one word counts 1."""
LEAST = 0.005
"""The smallest weight of a form, as a part of an even one: every form is built."""
DIGITS = 6
"""Weights are rounded, so that they are the same on every machine."""


class Seen(NamedTuple):
    """What can be seen of forms."""

    has: NDArray[np.float64]
    """(features, forms) 1 where a form has a feature."""
    importance: NDArray[np.float64]
    """(features, 1) How much each feature counts."""


def weights(forms: Sequence[Form], labels: Mapping[Label, int]) -> list[float]:
    """The weight of each form within its subcase.

    Among the pairs with a feature, labels should have the wanted shares. Weights go down the slope of the squared
    distance from that, over all features, each by how many pairs have it. The problem is convex: it has one answer.
    """
    names = list(labels)
    wanted = np.array([labels[name] for name in names]) / sum(labels.values())
    excess = np.eye(len(names))[[names.index(form.label) for form in forms if form.label]] - wanted  # (forms, labels)
    subcases = [np.array([n for n, form in enumerate(forms) if form.subcase == name]) for name in _subcases(forms)]
    has, importance = _seen(forms)
    even = weight = _shared(np.ones(len(forms)), subcases)
    for turn in range(TURNS):
        off = has @ (weight[:, None] * excess) / (has @ weight)[:, None]  # (features, labels): shares beyond the wanted
        slope = 2 * ((has.T @ (importance * off)) * excess).sum(axis=1) - has.T @ (importance * off**2).sum(axis=1)
        slope += EVENNESS * np.log(weight / even)
        step = STEP / math.sqrt(1 + turn / 50) / max(1.0, float(np.abs(slope).max()) / 3)
        weight = _shared(weight * np.exp(-step * slope), subcases)
    return [round(float(each), DIGITS) for each in weight]


def _seen(forms: Sequence[Form]) -> Seen:
    """The features of forms; features of the same forms count once."""
    found: dict[tuple[object, ...], list[int]] = {}
    for number, form in enumerate(forms):
        for feature in dict.fromkeys(surface(form)):
            found.setdefault(feature, []).append(number)
    importance: dict[tuple[int, ...], float] = {}
    for feature, rows in found.items():
        counts = PAIR if feature[0] == "two words" else 1.0
        importance[tuple(rows)] = max(counts, importance.get(tuple(rows), 0.0))
    has = np.zeros((len(importance), len(forms)))
    for row, numbers in enumerate(importance):
        has[row, list(numbers)] = 1
    return Seen(has, np.array([*importance.values()])[:, None])


def surface(form: Form) -> Iterator[tuple[object, ...]]:
    """What can be seen of a form's pairs without reading both texts together."""
    premise, hypothesis = _words(form.premise), _words(form.hypothesis)
    new = len({*hypothesis} - {*premise})
    yield ("any",)
    yield from (("premise", _class(word)) for word in premise)
    yield from (("hypothesis", _class(word)) for word in hypothesis)
    yield from (("two words", *two) for two in pairwise(map(_class, hypothesis)))
    length, difference = len(hypothesis), len(hypothesis) - len(premise)
    yield from (("length", length), ("difference", difference), ("lengths", length, difference))
    share = 10 * (len({*hypothesis}) - new) // len({*hypothesis})
    whole = " ".join(hypothesis[:-1]) in " ".join(premise)
    yield from (("new", new), ("share", share), ("whole", whole), ("overlap", new, share, whole))


def allotted(shares: Sequence[float], count: int, most: Sequence[int], *, start: float = 0.5) -> list[int]:
    """Whole numbers in proportion to shares that add up to a count, none above its limit.

    They are counted off along the line of all shares, from `start`, so that neighbours get their part together even if
    each of them is too small for one.

    >>> allotted([0.5, 0.3, 0.2], 10, [3, 9, 9]), allotted([0.1] * 10, 5, [9] * 10)
    ([3, 4, 3], [1, 0, 1, 0, 1, 0, 1, 0, 1, 0])
    """
    found = [0] * len(shares)
    while (left := count - sum(found)) > 0:
        free = [n for n, each in enumerate(found) if each < most[n]]
        if not free:
            break
        total = sum(shares[n] for n in free)
        so_far, passed = 0.0, 0
        for n in free:
            so_far += left * shares[n] / total
            reached = min(left, int(so_far + start + 1e-9))
            found[n] += min(reached - passed, most[n] - found[n])
            passed = reached
    return found


def _shared(weight: NDArray[np.float64], subcases: Sequence[NDArray[np.int_]]) -> NDArray[np.float64]:
    found = weight.copy()
    for rows in subcases:
        even = found[rows].mean()
        kept = np.maximum(found[rows], LEAST * even)
        found[rows] = kept / kept.sum()
    return found


def _subcases(forms: Sequence[Form]) -> list[str]:
    return list(dict.fromkeys(form.subcase for form in forms))


def _words(parts: Sequence[Piece]) -> list[str]:
    """The words, where a slot is a word of its class; articles and prepositions that come with it are words too."""
    found: list[str] = []
    for part in (*parts, "."):
        if isinstance(part, Slot) and part.kind == "THING" and part.form != ("noun",):
            found.append("a")
        elif isinstance(part, Slot) and part.kind == "PLACE":
            found += ["in", "the"]
        found.append(str(part))
    return found


def _class(word: str) -> str:
    """A word without the number of its slot: which of several it is can't be seen."""
    return "".join(each for each in word if not each.isdigit())
