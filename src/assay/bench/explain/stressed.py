"""What each family of tests makes of one pair."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from assay.bench.build.make import Step
from assay.bench.build.recipes import EVERYTHING, generates, prepare, recipes_for
from assay.core.case import ORIGINAL, Case, Recipe
from assay.core.edit import Skip
from assay.core.label import THREE_WAY, Label
from assay.core.pair import Pair

GENERATED = "made from templates, not from a pair"
NEEDS_LABEL = "needs the label of the pair: give it with --label, or as the right answer in the browser"


class Made(NamedTuple):
    """A case, and its right answer if that is known."""

    case: Case
    label: Label | None


class Stressed(NamedTuple):
    """What families make of a pair."""

    cases: list[Made]
    """The cases, in order of the families."""
    skipped: dict[str, str]
    """Families without a case, each with the reason."""


def stressed(pair: Pair, families: Sequence[str], *, is_labelled: bool, seed: int) -> Stressed:
    """The cases that families make of a pair; by default, all families in all their variants.

    A pair without a label is tried with every label: if that changes what a family makes of it, the family needs one.
    """
    recipes = [each for each in recipes_for(families or [EVERYTHING], seed=seed) if not _is_original(each)]
    made = Stressed([], {})
    prepare([each for each in recipes if not generates(each.transform)])
    for recipe in recipes:
        if generates(recipe.transform):
            made.skipped[recipe.transform.partition("/")[0]] = GENERATED
            continue
        step = Step(recipe)
        found = step.cases(pair) if is_labelled else _whatever_label(step, pair)
        cases = [each for each in found if isinstance(each, Case)]
        made.cases.extend(Made(case, _right(case, is_labelled=is_labelled)) for case in cases)
        if not cases:
            made.skipped[step.name] = next(
                (each.reason for each in found if isinstance(each, Skip)), "it makes no case of this pair"
            )
    return made


def _whatever_label(step: Step, pair: Pair) -> list[Case | Skip]:
    """What a family makes of a pair if its label does not matter."""
    tried = [step.cases(msgspec.structs.replace(pair, label=label)) for label in THREE_WAY]
    first, *others = [[_essence(each) for each in found] for found in tried]
    return tried[0] if all(other == first for other in others) else [Skip(NEEDS_LABEL)]


def _essence(made: Case | Skip) -> object:
    """What must not depend on the pair's label."""
    return (made.premise, made.hypothesis, made.provenance.edit) if isinstance(made, Case) else made.reason


def _right(case: Case, *, is_labelled: bool) -> Label | None:
    """The right answer: that of the edit, or the pair's own."""
    return case.label if is_labelled else case.provenance.edit.label


def _is_original(recipe: Recipe) -> bool:
    return recipe.transform.partition("/")[0] == ORIGINAL
