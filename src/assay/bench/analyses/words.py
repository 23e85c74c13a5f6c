"""Accuracy on contradictions that two words make: by their cosine, and by how often training showed them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import mean, median
from typing import NamedTuple

import msgspec
import numpy

from assay.bench.analyses.opened import Opened, opened
from assay.bench.analyses.training import Seen, count_in
from assay.bench.build.lexical_sources import stored_vectors
from assay.bench.stages import Stage, quiet
from assay.bench.stored import Run
from assay.core.analysis import Analysis
from assay.core.case import ORIGINAL
from assay.core.errors import UserError
from assay.core.label import Label
from assay.core.pair import Pair
from assay.core.results.estimate import Estimate
from assay.evaluate.accuracy import RIGHT
from assay.evaluate.analyses.shares import band_of
from assay.evaluate.analyses.word_pairs import WordPair, WordPairs, WordTable, by_group, sizes
from assay.evaluate.count.columns import LABELS
from assay.language.text.changes import changes
from assay.language.words.vectors import stored

FAMILIES = (ORIGINAL, "lexical", "antonymy")
"""Families whose cases may differ in one word."""

COSINES = {"below 0.5": -1.0, "0.5-0.6": 0.5, "0.6-0.7": 0.6, "0.7-0.8": 0.7, "0.8-0.9": 0.8, "0.9-1.0": 0.9}
"""The bands of Glockner et al. (2018), section 5.2, by their lower edges, and one below them."""

SEEN = {"0": 0, "1-4": 1, "5-9": 5, "10-49": 10, "50-99": 50, "100+": 100}
"""The bands of section 5.3: training contradictions with the two words."""

EXAMPLES = {"0": 0, "1-9": 1, "10-99": 10, "100-999": 100, "1,000-9,999": 1000, "10,000+": 10_000}
"""Bands of training pairs with the new word."""

CONTRADICTION = LABELS.index(Label.CONTRADICTION)


class Replaced(NamedTuple):
    """The contradictions of one family whose texts differ in one word."""

    suite: str
    family: str
    table: WordTable
    """Word pairs, with the right answers of each model."""
    other: int
    """Contradictions that differ in more than one word, or in a phrase."""


class _Texts(msgspec.Struct, gc=False):
    premise: str
    hypothesis: str


def analyse_similarity(run: Run, vectors: str | Path, *, models: Sequence[str] = ()) -> Analysis:
    """Accuracy by the cosine of the two words' vectors."""
    found = opened(run, models)
    known = stored(stored_vectors(Path(vectors)))
    estimates: list[Estimate] = []
    notes = []
    for each in replaced(found):
        cosines = [known.cosine(*pair) for pair in each.table.pairs]
        groups = [None if cosine is None else _band(cosine, COSINES) for cosine in cosines]
        estimates += _by(each, groups, list(COSINES), found.models, "cosine")
        without = sum(int(n) for n, cosine in zip(each.table.trials, cosines, strict=True) if cosine is None)
        notes.append(f"{_left_out(each)}; {without:,} cases have a word without a vector.")
    return Analysis(
        name="similarity",
        runs=(found.record.id,),
        suites=found.asked,
        estimates=tuple(estimates),
        settings={"vectors": Path(vectors).name},
        notes=tuple(notes),
    )


def analyse_frequency(
    run: Run, train: str | Path | Iterable[Pair], *, models: Sequence[str] = (), stage: Stage = quiet
) -> Analysis:
    """Accuracy by how often training showed the two words in a contradiction, and the new word at all."""
    found = opened(run, models)
    families = replaced(found)
    seen = count_in(train, {pair for each in families for pair in each.table.pairs}, stage=stage)
    estimates: list[Estimate] = []
    for each in families:
        together = [_band(seen.contradictions[pair], SEEN) for pair in each.table.pairs]
        estimates += _by(each, together, list(SEEN), found.models, "together")
        single = [_band(seen.examples[new], EXAMPLES) for _, new in each.table.pairs]
        estimates += _by(each, single, list(EXAMPLES), found.models, "word")
        estimates += _new_words(each, seen)
    return Analysis(
        name="frequency",
        runs=(found.record.id,),
        suites=found.asked,
        estimates=tuple(estimates),
        settings={"train": f"{seen.source.name}, {seen.source.pairs:,} pairs"},
        notes=tuple(f"{_left_out(each)}." for each in families),
    )


def replaced(found: Opened) -> list[Replaced]:
    """The word pairs of every family that has contradictions with one word replaced."""
    made = []
    for suite, manifest in found.record.suites.items():
        there = [family for family in FAMILIES if family in manifest.counts]
        counts = {family: WordPairs(len(found.models)) for family in there}
        other: Counter[str] = Counter()
        decode = msgspec.json.Decoder(_Texts).decode
        for chunk, encoder in found.joined(suite) if there else ():
            cases = chunk.cases
            right = RIGHT[chunk.answers.label, cases.label]  # (models, cases)
            for family in there:
                number = encoder.families.index(family) if family in encoder.families else -1
                asked = numpy.flatnonzero(
                    cases.claims & (cases.label == CONTRADICTION) & (cases.family == number)
                ).tolist()
                pairs = [word_pair(*msgspec.structs.astuple(decode(chunk.lines[row]))) for row in asked]
                rows = [row for row, pair in zip(asked, pairs, strict=True) if pair]
                counts[family].add([pair for pair in pairs if pair], right[:, rows])
                other[family] += len(asked) - len(rows)
        tables = {family: counts[family].table() for family in there}
        made += [Replaced(suite, family, table, other[family]) for family, table in tables.items() if table.pairs]
    if not made:
        raise UserError(
            f"The run {found.record.id} has no contradictions whose texts differ in one word.\n"
            "  Run on Breaking NLI (assay run --family original --from FILE), or build such cases: "
            "assay run --family lexical"
        )
    return made


def word_pair(premise: str, hypothesis: str) -> WordPair | None:
    """The two words, if the texts differ in one word.

    >>> word_pair("A red hat.", "A blue hat."), word_pair("A red hat.", "An old hat and a coat.")
    (('red', 'blue'), None)
    """
    found = changes(premise, hypothesis)
    if len(found) == 1 and len(found[0].before) == len(found[0].after) == 1:
        return found[0].before[0], found[0].after[0]
    return None


def _by(
    each: Replaced, groups: Sequence[str | None], order: Sequence[str], models: Sequence[str], by: str
) -> list[Estimate]:
    where = {"suite": each.suite, "family": each.family}
    rows = [{"model": model, **where} for model in models]
    return [
        *by_group(each.table, groups, order=order, rows=rows, by=by),
        *sizes(groups, order=order, where=where, by=by),
    ]


def _new_words(each: Replaced, seen: Seen) -> list[Estimate]:
    """How often training has the new words of a set: the least and the most frequent, mean and median."""
    words = {new for _, new in each.table.pairs}
    counts = [seen.examples[word] for word in words]
    figures = {"least": min(counts), "most": max(counts), "mean": mean(counts), "median": median(counts)}
    where = {"suite": each.suite, "family": each.family}
    return [
        Estimate(name=f"{name} training pairs of a new word", value=float(value), n=len(words), slice=where)
        for name, value in figures.items()
    ]


def _band(value: float, bands: dict[str, float] | dict[str, int]) -> str:
    return list(bands)[max(0, band_of(round(value, 9), list(bands.values())))]


def _left_out(each: Replaced) -> str:
    return (
        f"{each.suite}, {each.family}: {int(each.table.trials.sum()):,} contradictions with one word replaced, "
        f"{len(each.table.pairs):,} word pairs; {each.other:,} that differ otherwise are left out"
    )
