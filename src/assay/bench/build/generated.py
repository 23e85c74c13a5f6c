"""Generated pairs of the family heuristics, with all of their options."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from assay.bench.build.recipes import recipes_for
from assay.stress.heuristics.corpus import GeneratedPairs
from assay.stress.heuristics.grammar import load, read_text
from assay.stress.heuristics.splits import Split


def generated(
    per_subcase: int = 1000,
    *,
    split: Split = "evaluation",
    seed: int = 0,
    switches: Mapping[str, str] | None = None,
    grammar: str | Path | None = None,
    subcases: Collection[str] | None = None,
) -> GeneratedPairs:
    """Pairs from the heuristics templates, as a corpus to build from: `per_subcase` of each subcase, or of some.

    The switches are `fidelity` and `quirks`; `grammar` is your own grammar file, which is checked.

    >>> len(list(generated(2, split="training", subcases=["cn_adverb"])))
    2
    """
    options: dict[str, Any] = dict(recipes_for(["heuristics"], seed=seed, switches=switches)[0].options)
    if grammar:
        options["grammar"] = read_text(grammar)
        load(options["grammar"], name=str(grammar))  # so that errors name the file
    return GeneratedPairs(per_subcase, split=split, seed=seed, subcases=subcases, **options)
