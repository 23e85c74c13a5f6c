"""Generated pairs of a family that brings its own, with all of their options."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from assay.bench.build.recipes import recipes_for
from assay.core.errors import UserError
from assay.stress.heuristics.corpus import GeneratedPairs
from assay.stress.heuristics.grammar import load, read_text
from assay.stress.heuristics.splits import Split
from assay.stress.logic.corpus import LogicPairs
from assay.stress.logic.family import logic_family
from assay.stress.logic.natural.forms import FAMILIES

HEURISTICS = "heuristics"


def generated(
    per_subcase: int = 1000,
    *,
    family: str = HEURISTICS,
    split: Split = "evaluation",
    seed: int = 0,
    switches: Mapping[str, str] | None = None,
    grammar: str | Path | None = None,
    subcases: Collection[str] | None = None,
) -> GeneratedPairs | LogicPairs:
    """Pairs from the templates of a family, as a corpus to build from: `per_subcase` of each subcase, or of some.

    The switches of heuristics are `fidelity` and `quirks`, that of the logic families is `extra`; `grammar` is your own
    file of words and templates, which is checked.

    >>> len(list(generated(2, split="training", subcases=["cn_adverb"])))
    2
    >>> len(list(generated(5, family="scope", subcases=["two-in"])))
    5
    """
    name = family.partition("/")[0]
    options: dict[str, Any] = dict(recipes_for([family], seed=seed, switches=switches)[0].options)
    if name in FAMILIES:
        if grammar:
            options["templates"] = read_text(grammar)
            logic_family(name, options["templates"], file=str(grammar))  # so that errors name the file
        return LogicPairs(name, per_subcase, split=split, seed=seed, subcases=subcases, **options)
    if name != HEURISTICS:
        raise UserError(f"{family} has no templates; those that have are {HEURISTICS}, {', '.join(FAMILIES)}.")
    if grammar:
        options["grammar"] = read_text(grammar)
        load(options["grammar"], name=str(grammar))
    return GeneratedPairs(per_subcase, split=split, seed=seed, subcases=subcases, **options)


def subcases_of(family: str) -> list[str]:
    """The subcases that a family generates pairs of."""
    if family in FAMILIES:
        return list(dict.fromkeys(each.subcase for each in logic_family(family).templates))
    return [each.name for each in load().subcases]
