"""Undoing a case's change must give its source: the first thing that every check asks."""

from assay.core.case import Case, text_digest
from assay.core.edit import Skip, undo

CHANGED = Skip("not proven: undoing the change does not give the source")


def source_of(case: Case) -> tuple[str, str] | None:
    """The two texts of the case with its change undone; None if the change does not fit the texts."""
    edit = case.provenance.edit
    try:
        return (
            undo(case.premise, edit.premise) if edit.premise else case.premise,
            undo(case.hypothesis, edit.hypothesis) if edit.hypothesis else case.hypothesis,
        )
    except ValueError:
        return None


class SourceCheck:
    """For cases that keep both texts of a pair in their places: what remains must be the source."""

    def __call__(self, case: Case) -> Skip | None:
        """Undo and compare."""
        source = source_of(case)
        return None if source and text_digest(*source) == case.provenance.source else CHANGED
