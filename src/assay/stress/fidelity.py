"""Switches that depend on the fidelity: a user sets some, and the family's table supplies the others."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol, TypeVar

from assay.core.protocols import Fidelity

Rules = TypeVar("Rules", bound=NamedTuple)


class Switched(Protocol):
    """A transform with a field for each switch, which is None if it depends on the fidelity."""

    @property
    def fidelity(self) -> Fidelity: ...


def set_switches(transform: Switched, table: Mapping[Fidelity, Rules]) -> Rules:
    """All switches of a transform: those that the user set, and the table's values for its fidelity.

    >>> from assay.stress.spelling.build import RULES, Spelling
    >>> set_switches(Spelling(fidelity="code", nn=True), RULES).nn, set_switches(Spelling(fidelity="code"), RULES).nn
    (True, False)
    """
    rules = table[transform.fidelity]
    own = {name: value for name in rules._fields if (value := getattr(transform, name)) is not None}
    return rules._replace(**own)
