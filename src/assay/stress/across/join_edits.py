"""Edits across the pair: the evidence stays the same, and the claim changes.

A family changes a sentence and knows how the two are related. If the sentence is the hypothesis of a labelled pair, its
gold label and that relation give the label of the premise with the changed hypothesis.
"""

from random import Random
from typing import ClassVar, Literal

import msgspec

from assay.core.edit import Edit, Skip
from assay.core.label import Label
from assay.core.pair import Pair
from assay.core.protocols import Excerpting

ClaimRelation = Literal["weaker", "stronger", "equal", "excludes", "open"]
"""The relation of a changed claim to the original: it follows from it, entails it, both, excludes it, or is left open
by it and by the evidence."""

JOINS: dict[tuple[Label, ClaimRelation], Label] = {
    (Label.ENTAILMENT, "weaker"): Label.ENTAILMENT,
    (Label.ENTAILMENT, "equal"): Label.ENTAILMENT,
    (Label.ENTAILMENT, "excludes"): Label.CONTRADICTION,
    (Label.ENTAILMENT, "open"): Label.NON_ENTAILMENT,
    (Label.CONTRADICTION, "stronger"): Label.CONTRADICTION,
    (Label.CONTRADICTION, "equal"): Label.CONTRADICTION,
    (Label.NEUTRAL, "equal"): Label.NEUTRAL,
    (Label.NEUTRAL, "open"): Label.NON_ENTAILMENT,
    (Label.NON_ENTAILMENT, "stronger"): Label.NON_ENTAILMENT,
    (Label.NON_ENTAILMENT, "equal"): Label.NON_ENTAILMENT,
    (Label.NON_ENTAILMENT, "open"): Label.NON_ENTAILMENT,
}
"""The label of a changed claim, by the claim's gold label and the relation of the two; nothing follows otherwise."""

WORD_RELATIONS: dict[str, ClaimRelation] = {
    "exclusive": "excludes",
    "same": "equal",
    "broader": "weaker",
    "narrower": "stronger",
}
"""The relation of two claims by that of the words in which they differ."""

NO_JOIN = Skip("across: no label follows from the gold label and the changed claim")
FACT = "across"
"""The key of an edit's facts that holds the relation."""


class AcrossSwitch(msgspec.Struct, frozen=True, kw_only=True):
    """Base of the families that can change the hypothesis of a pair instead of pairing a text with its edited copy."""

    across: bool = False
    """Keep the premise, change the hypothesis, and join the gold label with the relation of the edit."""

    excerpt: ClassVar[Excerpting] = "provable"
    distinct: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.across and getattr(self, "fidelity", "strict") != "strict":
            raise ValueError("across needs fidelity strict, because labels of other fidelities are not verified")

    def __call__(self, pair: Pair, rng: Random) -> list[Edit] | Skip:
        raise NotImplementedError

    def claim_edits(self, claim: Pair, rng: Random) -> list[Edit] | Skip:
        """Edits of `claim`, which has the original claim as its premise and the pair's gold label."""
        return self(claim, rng)


def claim_of(pair: Pair) -> Pair:
    """A pair with the hypothesis in place of the premise, where families look for a text to edit."""
    return msgspec.structs.replace(pair, premise=pair.hypothesis, hypothesis="", parses=None)


def edit_across(transform: AcrossSwitch, pair: Pair, rng: Random) -> list[Edit] | Skip:
    """The edits of a pair's hypothesis whose label follows from the gold label."""
    edits = transform.claim_edits(claim_of(pair), rng)
    if isinstance(edits, Skip):
        return edits
    fitting = [edit for edit in edits if joins(pair.label, edit)]
    joined = {edit.premise or edit.hypothesis: _join_edit(pair.label, edit) for edit in fitting}
    return list(joined.values()) or NO_JOIN


def joins(gold: Label, edit: Edit) -> bool:
    """True if the gold label and a family's edit of the claim together determine a label."""
    return (gold, relation_of(edit)) in JOINS


def relation_of(edit: Edit) -> ClaimRelation | None:
    """The relation of the edited claim to the claim; None if it is unknown, or if both sides changed.

    >>> from assay.core.edit import Replacement
    >>> changed = (Replacement(0, "No", "Some"),)
    >>> relation_of(Edit(label=Label.CONTRADICTION, premise=changed, hypothesis_from="premise"))
    'excludes'
    """
    if bool(edit.premise) == bool(edit.hypothesis) or edit.premise_from != edit.hypothesis_from:
        return None
    if "relation" in edit.facts:
        return WORD_RELATIONS[edit.facts["relation"]]
    if edit.label is Label.CONTRADICTION:
        return "excludes"
    if edit.label is Label.NON_ENTAILMENT:
        return "open"
    if edit.label is Label.ENTAILMENT:
        return "weaker" if edit.hypothesis else "stronger"
    return None


def _join_edit(gold: Label, edit: Edit) -> Edit:
    relation = relation_of(edit)
    assert relation
    return Edit(
        label=JOINS[gold, relation],
        hypothesis=edit.hypothesis or edit.premise,
        variant=edit.variant,
        facts={**edit.facts, FACT: relation},
        group=edit.group,
    )
