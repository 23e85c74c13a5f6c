"""Accuracy on contradictions by the cosine of the two words that differ (Glockner et al. 2018, 5.2)."""

from collections.abc import Sequence
from pathlib import Path

from assay.core.estimate import Estimate
from assay.language.words.corpus_statistics import load_vectors
from assay.reports.tables.sheet import Part
from assay.run.build.family_sources import stored_vectors
from assay.run.stored_run import Run
from assay.studies.analyses.analysis_result import Analysis, AnalysisEntry, open_for_analysis
from assay.studies.analyses.word_pairs import (
    band_name,
    estimates_by,
    find_replaced,
    skipped_words,
    slice_sheet,
)

COSINES = {"below 0.5": -1.0, "0.5-0.6": 0.5, "0.6-0.7": 0.6, "0.7-0.8": 0.7, "0.8-0.9": 0.8, "0.9-1.0": 0.9}
"""The bands of Glockner et al. (2018), section 5.2, by their lower edges, and one below them."""


def analyse_similarity(run: Run, vectors: str | Path, *, models: Sequence[str] = ()) -> Analysis:
    """Accuracy by the cosine of the two words' vectors."""
    found = open_for_analysis(run, models)
    known = load_vectors(stored_vectors(Path(vectors)))
    estimates: list[Estimate] = []
    notes = []
    for each in find_replaced(found):
        cosines = [known.cosine(*pair) for pair in each.table.pairs]
        groups = [None if cosine is None else band_name(cosine, COSINES) for cosine in cosines]
        estimates += estimates_by(each, groups, list(COSINES), found.models, "cosine")
        without = sum(int(n) for n, cosine in zip(each.table.trials, cosines, strict=True) if cosine is None)
        notes.append(f"{skipped_words(each)}; {without:,} cases have a word without a vector.")
    return Analysis(
        name="similarity",
        runs=(found.record.id,),
        suites=found.sources,
        estimates=tuple(estimates),
        settings={"vectors": Path(vectors).name},
        notes=tuple(notes),
    )


def similarity_tables(found: Analysis) -> list[Part]:
    """Accuracy by the cosine of the two words."""
    return [
        slice_sheet(found, "cosine", "Accuracy by the cosine of the two words", "accuracy by similarity"),
        *found.notes,
    ]


ANALYSIS = AnalysisEntry(
    name="similarity",
    about="Accuracy by the cosine of two words (Glockner et al. 2018).",
    options=("vectors", "models"),
    compute=lambda runs, options, _stage: analyse_similarity(runs[0], options.vectors or "", models=options.models),
    tables=similarity_tables,
    required=("vectors",),
)
