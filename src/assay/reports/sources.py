"""Where the cases of a report come from, in few words: corpora by name, and all generated suites together."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from assay.core.suite import Manifest

TEMPLATES = "templates"


class Cases(NamedTuple):
    """Cases from one corpus, or from templates."""

    n: int
    """How many."""
    source: str
    """The corpus, or `templates`."""
    families: tuple[str, ...] = ()
    """The families that were made from templates."""


def sources(suites: Iterable[Manifest]) -> list[Cases]:
    """The cases by where they come from: corpora first, and those with most cases before others."""
    read: Counter[str] = Counter()
    made: Counter[str] = Counter()
    for suite in suites:
        if suite.source.format in {recipe.transform for recipe in suite.recipes}:  # a transform that brings its pairs
            made[suite.source.format.partition("/")[0]] += suite.cases
        else:
            read[suite.source.name] += suite.cases
    found = [Cases(n, name) for name, n in read.most_common()]
    return [*found, Cases(made.total(), TEMPLATES, tuple(made))] if made else found
