"""What one of the papers' analyses found in stored runs."""

import msgspec

from assay.core.results.estimate import Estimate
from assay.core.suite import Origin


class Analysis(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of an analysis, and what they are about."""

    name: str
    """Which analysis."""
    runs: tuple[str, ...]
    """The runs, or the folders of trained systems, that were analysed."""
    suites: dict[str, Origin] = {}
    """Where the cases of each suite come from, by its name."""
    estimates: tuple[Estimate, ...]
    """Every figure."""
    settings: dict[str, str] = {}
    """What else was given, such as a training corpus, by option."""
    notes: tuple[str, ...] = ()
    """What was left out, and what a careful reader should know."""
