"""A suite with its labels as an export writes them: two if the corpus has two, and with the user's own names."""

from collections.abc import Iterator

import msgspec

from assay.core.case import Case
from assay.core.label import Label, LabelNames, in_two
from assay.core.suite import Suite

CHANGED = (Label.NEUTRAL, Label.CONTRADICTION)
"""The labels that become one when there are only two."""


class TwoWaySuite(Suite):
    """A suite in which neutral and contradiction are non-entailment, in its cases and its counts."""

    def __init__(self, suite: Suite) -> None:
        built = suite.manifest.counts
        self.changed = sum(n for labels in built.values() for label, n in labels.items() if label in CHANGED)
        """Cases that were built as neutral or contradiction."""
        counts = in_two(built)
        super().__init__(suite.folder, msgspec.structs.replace(suite.manifest, counts=counts))

    def __iter__(self) -> Iterator[Case]:
        for case in super().__iter__():
            yield msgspec.structs.replace(case, label=case.label and case.label.two_way)


def relabelled(suite: Suite, two_way: bool | None) -> Suite:
    """The suite as it is written; `two_way` means the same as for `assay run`."""
    return TwoWaySuite(suite) if (suite.manifest.two_way if two_way is None else two_way) else suite


def own_name(suite: Suite, label: str) -> str:
    """A label by the user's name for it, for formats without fixed labels."""
    return LabelNames(suite.manifest.names)(label)
