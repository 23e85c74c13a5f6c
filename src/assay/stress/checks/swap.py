"""Proof for swapped pairs: the two texts are the source's, exchanged and otherwise untouched."""

from assay.core.case import Case, text_digest
from assay.core.edit import Skip
from assay.stress.checks.source import CHANGED

SAME = Skip("not proven: both sides are the same text, so nothing was swapped")
LABEL = Skip("not proven: a swapped pair claims no label of its own")
EXPECTATION = Skip("not proven: entailment should drop, and the other labels hold")


class SwapCheck:
    """For the family swap. No label is claimed, so none is proven: the texts and the expectation are."""

    def __call__(self, case: Case) -> Skip | None:
        """Exchange the texts again and compare."""
        edit = case.provenance.edit
        if text_digest(case.hypothesis, case.premise) != case.provenance.source or edit.premise or edit.hypothesis:
            return CHANGED
        if case.premise == case.hypothesis:
            return SAME
        if case.label is not None or edit.label is not None:
            return LABEL
        if case.expects != {"entailment": "drop"}.get(case.compared_with.value, "hold"):
            return EXPECTATION
        return None
