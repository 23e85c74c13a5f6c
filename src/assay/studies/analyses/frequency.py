"""Accuracy on contradictions by how often training shows the two words (Glockner et al. 2018, 5.3)."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import mean, median

from assay.core.estimate import Estimate
from assay.core.pair import Pair
from assay.reports.published.published_results import figure
from assay.reports.tables.sheet import Part, Sheet, SheetCell, SheetRow, numbers, texts
from assay.run.stored_run import Run
from assay.run.workers.pool import Stage, quiet
from assay.studies.analyses.analysis_result import Analysis, AnalysisEntry, open_for_analysis
from assay.studies.analyses.analysis_tables import number_cell
from assay.studies.analyses.word_pairs import (
    SEEN,
    Replaced,
    WordPairCounts,
    band_name,
    count_in,
    estimates_by,
    find_replaced,
    skipped_words,
    slice_sheet,
)

EXAMPLES = {"0": 0, "1-9": 1, "10-99": 10, "100-999": 100, "1,000-9,999": 1000, "10,000+": 10_000}
"""Bands of training pairs with the new word."""

STATISTICS = ("least", "most", "mean", "median")


def analyse_frequency(
    run: Run, train: str | Path | Iterable[Pair], *, models: Sequence[str] = (), stage: Stage = quiet
) -> Analysis:
    """Accuracy by how often training showed the two words in a contradiction, and the new word at all."""
    found = open_for_analysis(run, models)
    families = find_replaced(found)
    seen = count_in(train, {pair for each in families for pair in each.table.pairs}, stage=stage)
    estimates: list[Estimate] = []
    for each in families:
        together = [band_name(seen.contradictions[pair], SEEN) for pair in each.table.pairs]
        estimates += estimates_by(each, together, list(SEEN), found.models, "together")
        single = [band_name(seen.examples[new], EXAMPLES) for _, new in each.table.pairs]
        estimates += estimates_by(each, single, list(EXAMPLES), found.models, "word")
        estimates += _count_new_words(each, seen)
    return Analysis(
        name="frequency",
        runs=(found.record.id,),
        suites=found.sources,
        estimates=tuple(estimates),
        settings={"train": f"{seen.source.name}, {seen.source.pairs:,} pairs"},
        notes=tuple(f"{skipped_words(each)}." for each in families),
    )


def _count_new_words(each: Replaced, seen: WordPairCounts) -> list[Estimate]:
    """Training frequency of the new words of a set: least, most, mean and median."""
    words = {new for _, new in each.table.pairs}
    counts = [seen.examples[word] for word in words]
    figures = {"least": min(counts), "most": max(counts), "mean": mean(counts), "median": median(counts)}
    where = {"suite": each.suite, "family": each.family}
    return [
        Estimate(name=f"{name} training pairs of a new word", value=float(value), n=len(words), slice=where)
        for name, value in figures.items()
    ]


def frequency_tables(found: Analysis) -> list[Part]:
    """Accuracy by how often training shows the two words together, and the new word; then the words themselves."""
    return [
        f"Training: {found.settings['train']}.",
        slice_sheet(found, "together", "Accuracy by training contradictions with both words", "accuracy by frequency"),
        slice_sheet(found, "word", "Accuracy by training pairs with the new word", ""),
        _words_sheet(found),
        *found.notes,
    ]


def _words_sheet(found: Analysis) -> Sheet:
    """Training frequency of the new words."""
    own = {
        (e.slice["suite"], e.slice["family"], e.name.partition(" ")[0]): e
        for e in found.estimates
        if e.name.endswith("of a new word")
    }
    rows = []
    for suite, family in dict.fromkeys(key[:2] for key in own):
        figures = [own[suite, family, each] for each in STATISTICS]
        rows.append(
            SheetRow(
                "", (SheetCell(suite), SheetCell(family), *map(number_cell, figures), SheetCell(f"{figures[0].n:,}"))
            )
        )
    said = ", ".join(
        f"{each} {figure('glockner2018', 'section 3', row=each, column='training pairs').printed}"
        for each in STATISTICS
    )
    return Sheet(
        "new-words",
        "Training pairs that have a new word",
        f"Over distinct new words. In Glockner et al. (2018), with all of SNLI: {said}.",
        (*texts("suite", "family"), *numbers(*STATISTICS, "words")),
        tuple(rows),
    )


ANALYSIS = AnalysisEntry(
    name="frequency",
    about="Accuracy by frequency in training (Glockner et al. 2018).",
    options=("train", "models"),
    compute=lambda runs, options, stage: analyse_frequency(
        runs[0], options.train or "", models=options.models, stage=stage
    ),
    tables=frequency_tables,
    required=("train",),
)
