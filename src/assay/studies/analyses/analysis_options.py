"""The options of the papers' analyses, and their names."""

from pathlib import Path
from typing import Annotated

import msgspec

from assay.core.option_fields import SET, OptionInfo

ANALYSIS_NAMES = (
    *("directions", "antonyms", "numbers", "error-causes", "similarity"),
    *("frequency", "swap-training", "epochs", "hans-subcases", "prediction"),
)
"""Tables that repeat an analysis of a paper; a test compares them with the list of analyses."""

GROUP = "Analyses of the papers"


class AnalysisOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of all analyses; `AnalysisEntry.options` names those that an analysis reads."""

    models: Annotated[
        tuple[str, ...],
        OptionInfo("Only this model; may be repeated.", "--model", metavar="MODEL", many=True, completes="models"),
    ] = ()
    families: Annotated[
        tuple[str, ...],
        OptionInfo("Only this family; may be repeated.", "--family", metavar="FAMILY", many=True),
    ] = ()
    train: Annotated[
        str | None,
        OptionInfo("The corpus that the models were trained on.", group=GROUP, metavar="CORPUS"),
    ] = None
    vectors: Annotated[
        Path | None, OptionInfo("Word vectors in GloVe's format.", group=GROUP, metavar="FILE", path="file")
    ] = None
    suite: Annotated[
        Path | None,
        OptionInfo("The suite that was given to `assay train --suite`.", group=GROUP, path="folder"),
    ] = None
    workers: Annotated[
        int, OptionInfo("Number of processes.", group=GROUP, metavar="N", default="one per core", at_least=1)
    ] = 1
    annotated: Annotated[
        str | Path | None,
        OptionInfo("human error categories, a file of `assay annotate merge` with the layout `errors`.", SET),
    ] = None
    most: Annotated[int, OptionInfo("the number of frequent errors, by default 400.", SET, at_least=1)] = 400
    targets: Annotated[tuple[str, ...], OptionInfo("suites to predict, joined by `+`.", SET)] = ()
