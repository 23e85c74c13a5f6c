"""The source pairs as they are: what every other family is compared with."""

from random import Random
from typing import ClassVar

import msgspec

from assay.core.edit import Edit, Skip
from assay.core.pair import Pair
from assay.core.protocols import Fidelity
from assay.stress.heuristics.recognise import template_of

UNCHANGED = Edit()


class Original(msgspec.Struct, frozen=True, kw_only=True):
    """The pair itself; a HANS pair also gets its template, which its file may lack.

    >>> from assay.core.label import Label
    >>> pair = Pair(id="1", premise="It rains.", hypothesis="It is wet.", label=Label.ENTAILMENT)
    >>> [edit.apply(pair) for edit in Original()(pair, Random(0))]
    [('It rains.', 'It is wet.')]
    """

    fidelity: Fidelity = "strict"
    """One edit that changes nothing."""

    family: ClassVar[str] = "original"
    any_length: ClassVar[bool] = True

    def __call__(self, pair: Pair, rng: Random) -> list[Edit] | Skip:  # noqa: ARG002 - nothing to decide
        return [as_it_is(pair)]


def as_it_is(pair: Pair) -> Edit:
    """The edit that changes nothing, with the template of a HANS pair."""
    template = template_of(pair)
    return Edit(group={"template": template}) if template else UNCHANGED
