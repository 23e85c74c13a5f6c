"""Check of edited claims: the label is derived from possible worlds, and the family's check verifies the edit."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product

import msgspec

from assay.core.case import Case, case_from, text_digest
from assay.core.edit import Edit, Replacement, Skip
from assay.core.label import Label
from assay.core.pair import Pair
from assay.core.protocols import Check
from assay.stress.across.evidence import doubt_of_evidence
from assay.stress.across.join_edits import FACT
from assay.stress.original import CHANGED, undo_case

SHAPE = Skip("not verified: across the pair, only the hypothesis may change")
OTHER = Skip("not verified: the gold label and the relation of the two claims imply another label")

World = tuple[bool, ...]
"""Truth of the evidence, of the claim and of the changed claim."""
EXCLUDED: dict[str, Callable[[World], bool]] = {
    "weaker": lambda world: world[1] and not world[2],
    "stronger": lambda world: world[2] and not world[1],
    "equal": lambda world: world[1] is not world[2],
    "excludes": lambda world: world[1] and world[2],
}
"""Worlds that a relation between the two claims excludes."""
TWO_WAY = {Label.NEUTRAL: Label.NON_ENTAILMENT, Label.CONTRADICTION: Label.NON_ENTAILMENT}


@cache
def derive_label(gold: Label, relation: str) -> Label | None:
    """The label of the edited claim, if all worlds that fit gold label and edit agree; otherwise None.

    >>> derive_label(Label.ENTAILMENT, "excludes").value, derive_label(Label.NEUTRAL, "weaker")
    ('contradiction', None)
    """
    if relation not in EXCLUDED:
        return None
    worlds = [world for world in product((True, False), repeat=3) if not EXCLUDED[relation](world)]
    binary = gold is Label.NON_ENTAILMENT
    labels = set()
    for chosen in product((True, False), repeat=len(worlds)):
        given = [world for world, possible in zip(worlds, chosen, strict=True) if possible and world[0]]
        if given and _label_in(given, 1, binary=binary) is gold:
            labels.add(_label_in(given, 2, binary=binary))
    return labels.pop() if len(labels) == 1 else None


def _label_in(worlds: Sequence[World], claim: int, *, binary: bool) -> Label:
    """The label of a claim in the worlds in which the evidence is true."""
    truths = {world[claim] for world in worlds}
    label = Label.NEUTRAL if len(truths) == 2 else Label.ENTAILMENT if True in truths else Label.CONTRADICTION
    return TWO_WAY.get(label, label) if binary else label


class AcrossCheck:
    """Check of any family with `across`: derives the label again, and verifies the edit by the family's check."""

    def __init__(self, check: Check) -> None:
        self._check = check

    def __call__(self, case: Case) -> Skip | None:
        """Undo the edit, derive the label from both links, verify how the claims relate, and check the evidence."""
        edit, gold = case.provenance.edit, case.provenance.label
        if (
            edit.premise
            or not edit.hypothesis
            or (edit.premise_from, edit.hypothesis_from) != ("premise", "hypothesis")
        ):
            return SHAPE
        source = undo_case(case)
        if source is None or text_digest(*source) != case.provenance.source:
            return CHANGED
        relation = edit.facts.get(FACT, "")
        if gold is None or not case.label is edit.label is derive_label(gold, relation):
            return OTHER
        forward = (_forward(edit),)
        backward = (_backward(edit), _from_changed_claim(edit))
        links: dict[str, tuple[tuple[Sequence[Edit], Label], ...]] = {
            "weaker": ((forward, Label.ENTAILMENT),),
            "stronger": ((backward, Label.ENTAILMENT),),
            "equal": ((forward, Label.ENTAILMENT), (backward, Label.ENTAILMENT)),
            "excludes": (((*forward, *backward), Label.CONTRADICTION),),
        }
        adapt: Callable[[str], Check] | None = getattr(self._check, "for_evidence", None)
        check = adapt(source[0]) if adapt else self._check
        for ways, label in links[relation]:
            if reason := _doubt_of_link(check, case, source[1], ways, label):
                return reason
        return None if relation == "equal" else doubt_of_evidence(*source, edit.hypothesis, relation)


def _doubt_of_link(check: Check, case: Case, claim: str, ways: Sequence[Edit], label: Label) -> Skip | None:
    """The reason why no edit in `ways` gives the two claims this label; None if one does."""
    reasons: list[Skip] = []
    for edit in ways:
        text = claim if edit.facts.get(FACT) else case.hypothesis
        pair = Pair(id=case.origin, premise=text, hypothesis="", label=label, group=case.group)
        labelled = msgspec.structs.replace(edit, label=label)
        reason = check(case_from(pair, labelled, family=case.family, recipe=case.provenance.recipe))
        if reason is None:
            return None
        reasons.append(reason)
    return next((reason for reason in reasons if reason != CHANGED), reasons[0])


def _forward(edit: Edit) -> Edit:
    """The family's edit with the claim as premise and the changed claim as hypothesis."""
    return msgspec.structs.replace(edit, hypothesis_from="premise")


def _backward(edit: Edit) -> Edit:
    """The family's edit of the claim with the changed claim as premise."""
    return msgspec.structs.replace(edit, hypothesis_from="premise", premise=edit.hypothesis, hypothesis=())


def _from_changed_claim(edit: Edit) -> Edit:
    """The edit that turns the edited claim, as premise, back into the original claim."""
    facts = {name: value for name, value in edit.facts.items() if name != FACT}
    return msgspec.structs.replace(
        edit, hypothesis_from="premise", hypothesis=tuple(_invert(edit.hypothesis)), facts=facts
    )


def _invert(changes: Sequence[Replacement]) -> Iterator[Replacement]:
    shift = 0
    for change in changes:
        yield Replacement(change.start + shift, change.new, change.old)
        shift += len(change.new) - len(change.old)
