"""Undoing a case's change must give its source: the first thing that every check asks."""

from assay.core.case import Case, text_digest
from assay.core.edit import Skip, undo

CHANGED = Skip("not proven: undoing the change does not give the source")


def undone(case: Case) -> tuple[str, str] | None:
    """The two texts of the case with its change undone; None if the change does not fit the texts."""
    edit, premise, hypothesis = case.provenance.edit, case.premise, case.hypothesis
    try:
        if edit.premise:
            premise = undo(premise, edit.premise)
        if edit.hypothesis:
            hypothesis = undo(hypothesis, edit.hypothesis)
    except ValueError:
        return None
    return premise, hypothesis


def source_of(case: Case) -> tuple[str, str] | None:
    """The same, if they are the texts of the source pair, and the label is the source's if the change keeps it."""
    texts = undone(case)
    return texts if texts and text_digest(*texts) == case.provenance.source and keeps_label(case) else None


def keeps_label(case: Case) -> bool:
    """Whether a case has its source pair's label, if its change does not set the label."""
    source, edit = case.provenance.label, case.provenance.edit
    return source is None or edit.label is not None or case.label is source


class SourceCheck:
    """For cases that keep both texts of a pair in their places: what remains must be the source."""

    def __call__(self, case: Case) -> Skip | None:
        """Undo and compare."""
        return None if source_of(case) else CHANGED
