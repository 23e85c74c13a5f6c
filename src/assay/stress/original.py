"""The unmodified pairs, which every other family is compared with, and the check that a case can be undone."""

from random import Random
from typing import ClassVar

import msgspec

from assay.core.case import Case, text_digest
from assay.core.edit import Edit, Skip, undo
from assay.core.pair import Pair, premise_cluster
from assay.core.protocols import Check, Fidelity

CHANGED = Skip("not verified: undoing the change does not give the source")


def undo_case(case: Case) -> tuple[str, str] | None:
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
    texts, label = undo_case(case), case.provenance.label
    keeps_label = label is None or case.provenance.edit.label is not None or case.label is label
    return texts if texts and text_digest(*texts) == case.provenance.source and keeps_label else None


def copied_premise(case: Case) -> str | None:
    """The premise of the source, if both texts of the case are copies of it, edited or not; otherwise None."""
    edit, texts = case.provenance.edit, undo_case(case)
    if texts is None or texts[0] != texts[1] or (edit.premise_from, edit.hypothesis_from) != ("premise", "premise"):
        return None
    return texts[0] if premise_cluster(texts[0]) == case.cluster else None


def copied_text(case: Case) -> str | None:
    """The text of either side, if both texts of the case are copies of it; its digest is a fact of the edit."""
    texts = undo_case(case)
    if texts is None or texts[0] != texts[1] or text_digest(texts[0], "") != case.provenance.edit.facts.get("text"):
        return None
    return texts[0]


class SourceCheck:
    """For cases that keep both texts of a pair in their places: what remains must be the source."""

    def __call__(self, case: Case) -> Skip | None:
        """Undo and compare."""
        return None if source_of(case) else CHANGED


UNCHANGED = Edit()


class Original(msgspec.Struct, frozen=True, kw_only=True):
    """The pair itself; a HANS pair also gets its template, which its file may lack.

    >>> from assay.core.label import Label
    >>> pair = Pair(id="1", premise="It rains.", hypothesis="It is wet.", label=Label.ENTAILMENT)
    >>> [edit.apply(pair) for edit in Original()(pair, Random(0))]
    [('It rains.', 'It is wet.')]
    """

    fidelity: Fidelity = "strict"
    """Accepted like in other families; the pairs are the same."""

    family: ClassVar[str] = "original"
    check: ClassVar[type[Check]] = SourceCheck
    any_length: ClassVar[bool] = True

    def __call__(self, pair: Pair, rng: Random) -> list[Edit] | Skip:  # noqa: ARG002 - nothing to decide
        return [unchanged_edit(pair)]


def unchanged_edit(pair: Pair) -> Edit:
    """The edit that changes nothing, with the template of a HANS pair."""
    if "subcase" not in pair.group or "template" in pair.group:
        return UNCHANGED
    from assay.stress.heuristics.recognise import template_of  # it needs numpy, which other families do without

    template = template_of(pair)
    return Edit(group={"template": template}) if template else UNCHANGED
