"""The order of rows by label, and of answers."""

from collections.abc import Iterable

from assay.core.label import Label
from assay.core.results.estimate import FAMILY, Estimate


def sorted_places(found: Iterable[Estimate]) -> list[Estimate]:
    """Models, suites and families in order of appearance, and labels in the usual order."""
    rows = list(found)
    places = list(dict.fromkeys(tuple(e.slice[name] for name in FAMILY) for e in rows))
    models = list(dict.fromkeys(place[0] for place in places))
    labels = [*Label]

    def key(e: Estimate) -> tuple[int, int, int]:
        place = tuple(e.slice[name] for name in FAMILY)
        return models.index(place[0]), places.index(place), labels.index(Label(e.slice["label"]))

    return sorted(rows, key=key)


def answers_of(found: Iterable[Estimate]) -> list[str]:
    """The answers that occur: labels in the usual order, then anything else."""
    there = {e.slice["answer"] for e in found}
    labels = [label.value for label in Label if label.value in there]
    return [*labels, *sorted(there - {*labels})]
