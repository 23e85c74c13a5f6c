"""Switches that depend on the fidelity: a user sets some of them, and a family's table gives the others."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol, TypeVar

from assay.core.protocols import Fidelity

Rules = TypeVar("Rules", bound=NamedTuple)


class Switched(Protocol):
    """A transform that has a field for each of its rules, None if the rule depends on the fidelity."""

    @property
    def fidelity(self) -> Fidelity: ...


def set_switches(transform: Switched, table: Mapping[Fidelity, Rules]) -> Rules:
    """The rules of the transform's fidelity, with the switches that were set.

    >>> from assay.stress.spelling.build import RULES, Spelling
    >>> set_switches(Spelling(fidelity="code", nn=True), RULES).nn, set_switches(Spelling(fidelity="code"), RULES).nn
    (True, False)
    """
    rules = table[transform.fidelity]
    own = {name: value for name in rules._fields if (value := getattr(transform, name)) is not None}
    return rules._replace(**own)
