"""Cases whose texts differ in one word: their word pairs, with hits, groups and training counts."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy

from assay.core.case import ORIGINAL
from assay.core.errors import UserError
from assay.core.estimate import Estimate
from assay.core.label import Label
from assay.core.label_space import LABELS
from assay.core.manifest import Source
from assay.core.pair import Pair
from assay.corpora.reader import corpus_of
from assay.evaluate.accuracy import RIGHT
from assay.evaluate.case_columns import Bools, Ints
from assay.evaluate.intervals import clustered_share
from assay.language.text.tokens import find_differences, folded_tokens
from assay.reports.tables.sheet import Sheet
from assay.run.workers.pool import Stage, quiet
from assay.studies.analyses.analysis_result import AnalysedRun, Analysis, band_of, estimate_of
from assay.studies.analyses.analysis_tables import (
    PUBLISHED,
    Heading,
    cases,
    drop_empty_published,
    grid,
    number_cell,
    published_column,
    select_estimates,
)

WordPair = tuple[str, str]
"""A word of the premise, and the one in its place in the hypothesis; both in lower case."""


class WordPairHits:
    """Counts the cases of each word pair, and how many of them are hits, by row: a model, or several together.

    Memory grows with the number of distinct pairs, not of cases.

    >>> counted = WordPairHits(1)
    >>> counted.add([("red", "blue"), ("red", "blue")], numpy.array([[True, False]]))
    >>> counted.table()
    WordTable(pairs=(('red', 'blue'),), trials=array([2]), hits=array([[1]]))
    """

    def __init__(self, rows: int) -> None:
        self._rows = rows
        self._counts: dict[WordPair, list[int]] = {}

    def add(self, pairs: Iterable[WordPair], hits: Bools) -> None:
        """Count cases with their hits, (rows, cases)."""
        for pair, column in zip(pairs, hits.T.tolist(), strict=True):
            counts = self._counts.setdefault(pair, [0] * (self._rows + 1))
            counts[0] += 1
            for row, hit in enumerate(column, 1):
                counts[row] += hit

    def table(self) -> "WordTable":
        """The counts so far."""
        counts = numpy.array([*self._counts.values()], dtype=numpy.int64).reshape(-1, self._rows + 1)
        return WordTable(tuple(self._counts), counts[:, 0], counts[:, 1:].T)


class WordTable(NamedTuple):
    """Word pairs with their cases and hits."""

    pairs: tuple[WordPair, ...]
    trials: Ints
    """(pairs,) Cases."""
    hits: Ints
    """(rows, pairs) Cases that are hits."""


def by_group(
    table: WordTable, groups: Sequence[str | None], *, order: Sequence[str], rows: Sequence[Mapping[str, str]], by: str
) -> list[Estimate]:
    """For each row and group, the fraction of cases that are hits; `groups` has one name for each pair, or None.

    >>> table = WordTable((("red", "blue"), ("hot", "cold")), numpy.array([2, 4]), numpy.array([[1, 4]]))
    >>> found = by_group(table, ["near", "far"], order=("near", "far"), rows=[{"model": "m"}], by="similarity")
    >>> [(each.slice["similarity"], each.value, each.n) for each in found]
    [('near', 0.5, 2), ('far', 1.0, 4)]
    """
    found = []
    names = numpy.array([group or "" for group in groups], dtype=object)
    for where, hits in zip(rows, table.hits, strict=True):
        for name in order:
            there = names == name
            if there.any():
                share = clustered_share(hits[there], table.trials[there])
                found.append(estimate_of("accuracy", share, {**where, by: name}))
    return found


def sizes(groups: Sequence[str | None], *, order: Sequence[str], where: Mapping[str, str], by: str) -> list[Estimate]:
    """The number of distinct word pairs in each group.

    >>> [(each.slice["cosine"], each.value) for each in sizes(["a", "a", None], order="ab", where={}, by="cosine")]
    [('a', 2.0)]
    """
    counts = Counter(groups)
    n = sum(count for group, count in counts.items() if group is not None)
    return [
        Estimate(name="pairs", value=float(counts[name]), n=n, slice={**where, by: name})
        for name in order
        if counts[name]
    ]


AT_ONCE = 1000
"""After how many pairs progress is shown."""


class WordPairCounts(NamedTuple):
    """Counts of some word pairs in a training corpus."""

    source: Source
    contradictions: Counter[WordPair]
    """Training contradictions with the first word in the premise and the second in the hypothesis."""
    examples: Counter[str]
    """Training pairs that have the word in one of their texts."""


def count_in(
    train: str | Path | Iterable[Pair], wanted: Collection[WordPair], *, stage: Stage = quiet
) -> WordPairCounts:
    """Read a training corpus once, and count the words and word pairs that are wanted; nothing else is kept.

    >>> pairs = [Pair(id="1", premise="A red hat.", hypothesis="A blue hat.", label=Label.CONTRADICTION)]
    >>> seen = count_in(pairs, [("red", "blue"), ("blue", "red")])
    >>> dict(seen.contradictions), sorted(seen.examples.items())
    ({('red', 'blue'): 1}, [('blue', 1), ('red', 1)])
    """
    partners: dict[str, set[str]] = {}
    for one, other in wanted:
        partners.setdefault(one, set()).add(other)
    words = {word for pair in wanted for word in pair}
    contradictions: Counter[WordPair] = Counter()
    examples: Counter[str] = Counter()
    corpus = corpus_of(train)
    progress = stage("Reading the training corpus", None)
    for number, pair in enumerate(corpus, 1):
        premise, hypothesis = set(folded_tokens(pair.premise)), set(folded_tokens(pair.hypothesis))
        examples.update(words & (premise | hypothesis))
        if pair.label is Label.CONTRADICTION:
            for word in premise & partners.keys():
                contradictions.update((word, other) for other in partners[word] & hypothesis)
        if number % AT_ONCE == 0:
            progress(AT_ONCE)
    return WordPairCounts(corpus.summary(), contradictions, examples)


FAMILIES = (ORIGINAL, "lexical", "antonymy")
"""Families whose cases may differ in one word."""

SEEN = {"0": 0, "1-4": 1, "5-9": 5, "10-49": 10, "50-99": 50, "100+": 100}
"""The bands of section 5.3: training contradictions with the two words."""

CONTRADICTION = LABELS.index(Label.CONTRADICTION)


class Replaced(NamedTuple):
    """The contradictions of one family whose texts differ in one word."""

    suite: str
    family: str
    table: WordTable
    """Word pairs, with the right answers of each model."""
    other: int
    """Contradictions that differ in more than one word, or in a phrase."""


class _PairTexts(msgspec.Struct, gc=False):
    premise: str
    hypothesis: str


def find_replaced(found: AnalysedRun) -> list[Replaced]:
    """The word pairs of every family that has contradictions with one word replaced."""
    made = []
    for suite, manifest in found.record.suites.items():
        there = [family for family in FAMILIES if family in manifest.counts]
        counts = {family: WordPairHits(len(found.models)) for family in there}
        other: Counter[str] = Counter()
        decode = msgspec.json.Decoder(_PairTexts).decode
        for chunk, encoder in found.join_answers(suite) if there else ():
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
    found = find_differences(premise, hypothesis)
    if len(found) == 1 and len(found[0].before) == len(found[0].after) == 1:
        return found[0].before[0], found[0].after[0]
    return None


def estimates_by(
    each: Replaced, groups: Sequence[str | None], order: Sequence[str], models: Sequence[str], by: str
) -> list[Estimate]:
    """Accuracy of each model, and the number of word pairs, by group."""
    where = {"suite": each.suite, "family": each.family}
    rows = [{"model": model, **where} for model in models]
    return [
        *by_group(each.table, groups, order=order, rows=rows, by=by),
        *sizes(groups, order=order, where=where, by=by),
    ]


def band_name(value: float, bands: Mapping[str, float]) -> str:
    """The band of a value, by the lower edges of bands; the first also has what is below it."""
    return list(bands)[max(0, band_of(round(value, 9), list(bands.values())))]


def skipped_words(each: Replaced) -> str:
    """The numbers of analysed and omitted cases, as a sentence."""
    return (
        f"{each.suite}, {each.family}: {int(each.table.trials.sum()):,} contradictions with one word replaced, "
        f"{len(each.table.pairs):,} word pairs; {each.other:,} that differ otherwise are left out"
    )


CLUSTERS = (
    "Percent of the contradictions with one word replaced, with 95% intervals that take cases with the same two "
    "words as one cluster."
)


def slice_sheet(found: Analysis, name: str, title: str, measures: str) -> Sheet:
    """Accuracy by one slice, with the number of distinct word pairs and published numbers."""
    pairs = {
        (e.slice["suite"], e.slice["family"], e.slice[name]): e
        for e in select_estimates(found, "pairs", name)
        if "model" not in e.slice
    }
    sheet = grid(
        select_estimates(found, "accuracy", name),
        ("suite", "family", name),
        Heading(name, title, CLUSTERS),
        after={
            "cases": cases,
            "word pairs": lambda e: number_cell(pairs[e.slice["suite"], e.slice["family"], e.slice[name]]),
            PUBLISHED: published_column(found, measures, as_family="lexical"),
        },
    )
    return drop_empty_published(sheet)
