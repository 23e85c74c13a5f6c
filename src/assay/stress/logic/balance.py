"""How often each form is drawn, so that nothing on the surface of a pair goes with a label.

Each subcase gets the same share. Within it, forms are weighted such that what can be seen without reading both texts
(the words of either text, their lengths, how much they share) says nothing about the label.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from assay.core.label import Label
from assay.stress.logic.natural.forms import Form
from assay.stress.logic.natural.patterns import Piece, Slot

TURNS = 150
STEP = 0.5
"""How far weights go towards the wanted shares at once."""
AVOIDED = 0.97
"""What is left in each turn of forms with something about them that never goes with one of the labels."""
LEAST = 0.005
"""The smallest weight of a form, as a part of an even one: every form is built."""
DIGITS = 6
"""Weights are rounded, so that they are the same on every machine."""


def weights(forms: Sequence[Form], labels: Mapping[Label, int]) -> list[float]:
    """The weight of each form within its subcase.

    For one feature after the other, and again and again, weights are turned towards the wanted shares of labels.
    """
    names = list(labels)
    label_of = np.array([names.index(form.label) for form in forms if form.label])
    wanted = np.array([labels[name] for name in names]) / sum(labels.values())
    subcases = [np.array([n for n, form in enumerate(forms) if form.subcase == name]) for name in _subcases(forms)]
    features, weight = _rows_by_feature(forms), np.ones(len(forms))
    for _ in range(TURNS):
        weight = _shared(weight, subcases)
        for rows in features:
            by_label = np.bincount(label_of[rows], weight[rows], minlength=len(names))
            there = by_label > 0
            goal = _within_reach(wanted, there) * by_label.sum()
            pull = np.divide(goal, by_label, out=np.ones(len(names)), where=there) ** STEP
            weight[rows] *= pull[label_of[rows]] * (1.0 if there.all() else AVOIDED)
    return [round(float(each), DIGITS) for each in _shared(weight, subcases)]


def _rows_by_feature(forms: Sequence[Form]) -> list[NDArray[np.int_]]:
    """For each feature, the forms that have it; features of the same forms count once."""
    found: dict[tuple[object, ...], list[int]] = {}
    for number, form in enumerate(forms):
        for feature in dict.fromkeys(surface(form)):
            found.setdefault(feature, []).append(number)
    return [np.array(rows) for rows in dict.fromkeys(map(tuple, found.values()))]


def surface(form: Form) -> Iterator[tuple[object, ...]]:
    """What can be seen of a form's pairs without reading both texts together."""
    premise, hypothesis = _words(form.premise), _words(form.hypothesis)
    new = len({*hypothesis} - {*premise})
    yield ("any",)
    for side, words in (("premise", premise), ("hypothesis", hypothesis)):
        classes = [_class(word) for word in words]
        yield from ((side, word) for word in classes)
        yield from ((side, *two) for two in pairwise(classes))
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


def _within_reach(wanted: NDArray[np.float64], there: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The shares of labels to aim at where some don't occur: no other one should become easy to guess.

    >>> _within_reach(np.array([0.25, 0.5, 0.25]), np.array([True, True, False])).tolist()
    [0.5, 0.5, 0.0]
    """
    highest = max(float(wanted.max()), 1 / int(there.sum()))
    goal = np.where(there, wanted, 0.0)
    while (missing := 1 - float(goal.sum())) > 1e-9:
        free = there & (goal < highest - 1e-12)
        goal[free] = np.minimum(highest, goal[free] + missing / int(free.sum()))
    return goal


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
