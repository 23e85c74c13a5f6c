"""A sentence about each family of a run, with one case as an example."""

from collections.abc import Sequence
from textwrap import shorten
from typing import NamedTuple

from assay.core.case import family_rank
from assay.core.run_record import RunRecord
from assay.reports.formatting import TextPiece, mark_edits
from assay.run.build.recipes import family_words

LONGEST_EXAMPLE = 160  # characters of a premise in an example


class FamilyNote(NamedTuple):
    """A family in one sentence, with one case of the run."""

    family: str
    words: str
    premise: str = ""
    hypothesis: Sequence[TextPiece] = ()

    @property
    def title(self) -> str:
        """The sentence with the case, as one line."""
        case = "".join(piece.text for piece in self.hypothesis if piece.kind != "old")
        return f"{self.words} For example: {f'{self.premise} → ' if self.premise else ''}{case}" if case else self.words


def family_notes(record: RunRecord) -> list[FamilyNote]:
    families = {family: None for manifest in record.suites.values() for family in manifest.counts}
    examples = {each.case.family: each for each in reversed(record.examples)}
    found = []
    for family in sorted(families, key=lambda each: (family_rank(each), each)):
        note = FamilyNote(family, family_words().get(family, ""))
        if example := examples.get(family):
            premise = shorten(example.case.premise, LONGEST_EXAMPLE, placeholder=" …")
            note = note._replace(premise=premise, hypothesis=mark_edits(example.case).hypothesis)
        found.append(note)
    return found
