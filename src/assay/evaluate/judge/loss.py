"""What counts as a loss. Every table, page, test and gate uses this, or reads what was decided here."""

from collections.abc import Iterable, Sequence
from statistics import fmean

from assay.core.results.comparison import Outcome
from assay.core.results.estimate import Estimate, by_slice
from assay.core.results.judgement import Loss
from assay.evaluate.band import system_of, systems_of

LEVEL = 0.05
"""The corrected p below which a difference is not explained by chance."""


def is_clear(p: float | None) -> bool:
    """Whether a difference is significant; `p` is corrected for all tests that are read together."""
    return p is not None and p < LEVEL


def outcome_of(difference: float, p: float | None) -> Outcome:
    """What a difference between two accuracies on the same cases says.

    >>> outcome_of(-0.1, 0.01), outcome_of(0.1, 0.01), outcome_of(-0.1, 0.05)
    ('worse', 'better', 'not significant')
    """
    if not is_clear(p) or not difference:
        return "not significant"
    return "better" if difference > 0 else "worse"


def is_loss(drop: float | None, p: float | None) -> bool:
    """Whether cases are answered worse than their source pairs, by more than chance explains.

    `drop` is the accuracy on the pairs minus that on the cases. `p` comes from its paired test, corrected by Holm's
    method over the families of the suite, or over all of their labels.

    >>> is_loss(0.04, 0.004), is_loss(0.04, 0.088), is_loss(-0.04, 0.004), is_loss(None, None)
    (True, False, False, False)
    """
    return drop is not None and outcome_of(-drop, p) == "worse"


def losses(estimates: Iterable[Estimate]) -> tuple[Loss, ...]:
    """The slices with a loss, for every model, and for every system if all of its seeds have the loss.

    >>> where = {"model": "m", "suite": "s", "family": "negation"}
    >>> values = {"accuracy": 0.2, "drop": 0.7, "holm": 0.001}
    >>> losses(Estimate(name=name, value=value, n=40, slice=where) for name, value in values.items())
    (Loss(slice={'model': 'm', 'suite': 's', 'family': 'negation'}, drop=0.7, p=0.001),)
    """
    given = list(estimates)
    drops, tests = by_slice(given, "drop"), by_slice(given, "holm")
    found = []
    for key, measured in by_slice(given).items():
        drop, p = (figures[key].value if key in figures else None for figures in (drops, tests))
        if is_loss(drop, p):
            assert drop is not None
            assert p is not None
            found.append(Loss(slice=measured.slice, drop=drop, p=p))
    return (*found, *_of_systems(found, systems_of(given)))


def _of_systems(found: Sequence[Loss], systems: dict[str, int]) -> list[Loss]:
    seeds: dict[tuple[tuple[str, str], ...], list[Loss]] = {}
    for each in found:
        system = system_of(each.slice["model"], systems)
        if system in systems:
            seeds.setdefault(tuple({**each.slice, "model": system}.items()), []).append(each)
    return [
        Loss(slice=dict(where), drop=fmean(each.drop for each in own), p=max(each.p for each in own))
        for where, own in seeds.items()
        if len(own) >= systems[dict(where)["model"]]
    ]
