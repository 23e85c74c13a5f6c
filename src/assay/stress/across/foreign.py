"""Foreign evidence: a claim with evidence that has nothing to do with it, as the neutral control of edited claims."""

from random import Random
from typing import ClassVar

import msgspec

from assay.core.case import Case, text_digest
from assay.core.edit import Edit, Replacement, Skip
from assay.core.label import Label
from assay.core.pair import Pair
from assay.core.protocols import Check
from assay.language.text.tokens import tokens
from assay.stress.burial.build import NO_FILLER, TOO_FEW
from assay.stress.burial.check import doubt_of_filler
from assay.stress.burial.filler import FEWEST, load_filler
from assay.stress.original import CHANGED, undo_case

WRONG = Skip("not verified: with foreign evidence the label must be neutral")


class ForeignCheck:
    """Check of the family foreign, which compares stems instead of base forms."""

    def __call__(self, case: Case) -> Skip | None:
        """Undo, and compare the words of the new evidence with the claim."""
        edit, texts = case.provenance.edit, undo_case(case)
        if texts is None or text_digest(*texts) != case.provenance.source:
            return CHANGED
        if edit.hypothesis or edit.premise != (Replacement(0, texts[0], case.premise),):
            return Skip("not verified: something other than the evidence was replaced")
        if doubt := doubt_of_filler(case.premise, case.hypothesis):
            return doubt
        return None if case.label is edit.label is Label.NEUTRAL else WRONG


class Foreign(msgspec.Struct, frozen=True, kw_only=True):
    """Gives a claim the evidence of another text, of about the same length, that shares no word, name or number."""

    filler: str = ""
    """The name of the stored sentences, which a build or a run gathers from its corpus."""

    family: ClassVar[str] = "foreign"
    check: ClassVar[type[Check]] = ForeignCheck
    on_request: ClassVar[bool] = True
    distinct: ClassVar[bool] = True
    uses: ClassVar[tuple[str, ...]] = ("wordnet", "tagger")

    def __call__(self, pair: Pair, rng: Random) -> list[Edit] | Skip:
        if not self.filler:
            return NO_FILLER
        pool = load_filler(self.filler)
        numbers = pool.draw_sentences(pair.hypothesis, max(2 * FEWEST, len(tokens(pair.premise))), rng)
        text = " ".join(pool.texts[number] for number in numbers or ())
        if not text:
            return TOO_FEW
        return [Edit(label=Label.NEUTRAL, premise=(Replacement(0, pair.premise, text),))]
