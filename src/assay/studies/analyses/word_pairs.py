"""Accuracy by the two words that differ: their cosine, and how often training shows them (Glockner et al. 2018, 5)."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import mean, median
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
from assay.evaluate.slice_sums import clustered_estimate
from assay.language.text.tokens import find_differences, folded_tokens
from assay.language.words.corpus_statistics import load_vectors
from assay.reports.published.published_results import figure
from assay.reports.tables.sheet import Part, Sheet, numbers, sheet_row, texts
from assay.run.build.family_sources import stored_vectors
from assay.run.stored_run import Run
from assay.run.workers.pool import Stage, quiet
from assay.studies.analyses.analysis_result import AnalysedRun, Analysis, AnalysisEntry, open_for_analysis
from assay.studies.analyses.analysis_tables import AnalysisTable, Show, number_cell

WordPair = tuple[str, str]  # a word of the premise, and the one in its place in the hypothesis; both in lower case
FAMILIES = (ORIGINAL, "lexical", "antonymy")  # families whose cases may differ in one word

CONTRADICTION = LABELS.index(Label.CONTRADICTION)

COSINES = {"below 0.5": -1.0, "0.5-0.6": 0.5, "0.6-0.7": 0.6, "0.7-0.8": 0.7, "0.8-0.9": 0.8, "0.9-1.0": 0.9}
"""The bands of Glockner et al. (2018), section 5.2, by their lower edges, and one below them."""

SEEN = {"0": 0, "1-4": 1, "5-9": 5, "10-49": 10, "50-99": 50, "100+": 100}
"""The bands of section 5.3: training contradictions with the two words."""

EXAMPLES = {"0": 0, "1-9": 1, "10-99": 10, "100-999": 100, "1,000-9,999": 1000, "10,000+": 10_000}
"""Bands of training pairs with the new word."""

STATISTICS: dict[str, Callable[[list[int]], float]] = {"least": min, "most": max, "mean": mean, "median": median}

AT_ONCE = 1000  # after how many pairs progress is shown


class WordPairTable:
    """The word pairs of one family of a suite: cases of each, and how many of them are hits, by row.

    A row is a model, or several models together. Memory grows with the number of distinct pairs, not of cases.

    >>> table = WordPairTable("s", "lexical", rows=1)
    >>> table.add([("red", "blue"), ("red", "blue"), ("hot", "cold")], numpy.array([[True, False, True]]))
    >>> table.pairs, table.trials.tolist(), table.hits.tolist()
    ([('red', 'blue'), ('hot', 'cold')], [2, 1], [[1, 1]])
    """

    def __init__(self, suite: str, family: str, *, rows: int) -> None:
        self.where = {"suite": suite, "family": family}
        self.other = 0  # contradictions that differ in more than one word, or in a phrase
        self._rows = rows
        self._counts: dict[WordPair, list[int]] = {}

    def add(self, pairs: Iterable[WordPair], hits: Bools) -> None:
        """Count cases with their hits, (rows, cases)."""
        for pair, column in zip(pairs, hits.T.tolist(), strict=True):
            counts = self._counts.setdefault(pair, [0] * (self._rows + 1))
            counts[0] += 1
            for row, hit in enumerate(column, 1):
                counts[row] += hit

    @property
    def pairs(self) -> list[WordPair]:
        return [*self._counts]

    @property
    def trials(self) -> Ints:
        """(pairs,) Cases."""
        return numpy.array([counts[0] for counts in self._counts.values()], dtype=numpy.int64)

    @property
    def hits(self) -> Ints:
        """(rows, pairs) Cases that are hits."""
        counts = numpy.array([*self._counts.values()], dtype=numpy.int64).reshape(-1, self._rows + 1)
        return counts[:, 1:].T

    def estimates(
        self, models: Sequence[str], by: str, groups: Sequence[str | None], order: Iterable[str]
    ) -> list[Estimate]:
        """Accuracy of each model, and the number of word pairs, by group; `groups` has a name for each pair, or None.

        >>> table = WordPairTable("s", "lexical", rows=1)
        >>> table.add([("red", "blue"), ("hot", "cold")], numpy.array([[False, True]]))
        >>> found = table.estimates(["m"], "similarity", ["near", "far"], ("near", "far"))
        >>> [(each.name, each.slice["similarity"], each.value) for each in found]
        [('accuracy', 'near', 0.0), ('accuracy', 'far', 1.0), ('pairs', 'near', 1.0), ('pairs', 'far', 1.0)]
        """
        names, sizes = numpy.array([group or "" for group in groups], dtype=object), Counter(filter(None, groups))
        there = [name for name in order if sizes[name]]
        trials = self.trials
        return [
            *(
                clustered_estimate(
                    "accuracy",
                    clustered_share(hits[names == name], trials[names == name]),
                    {"model": model, **self.where, by: name},
                )
                for model, hits in zip(models, self.hits, strict=False)
                for name in there
            ),
            *(
                Estimate(name="pairs", value=float(sizes[name]), n=sizes.total(), slice={**self.where, by: name})
                for name in there
            ),
        ]

    def describe(self) -> str:
        """The numbers of analysed and omitted cases, as a sentence without its full stop."""
        return (
            f"{self.where['suite']}, {self.where['family']}: {int(self.trials.sum()):,} contradictions with one word "
            f"replaced, {len(self._counts):,} word pairs; {self.other:,} that differ otherwise are left out"
        )


class WordPairCounts(NamedTuple):
    source: Source
    contradictions: Counter[WordPair]
    """Training contradictions with the first word in the premise and the second in the hypothesis."""
    examples: Counter[str]
    """Training pairs that have the word in one of their texts."""

    @property
    def settings(self) -> dict[str, str]:
        """The training corpus, as an analysis names it."""
        return {"train": f"{self.source.name}, {self.source.pairs:,} pairs"}


def count_in(
    train: str | Path | Iterable[Pair], wanted: Collection[WordPair], *, stage: Stage = quiet
) -> WordPairCounts:
    """Read a training corpus once, and count the words and word pairs that are wanted; nothing else is stored.

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


class PairTexts(msgspec.Struct, gc=False):
    premise: str
    hypothesis: str


def find_replaced(found: AnalysedRun) -> list[WordPairTable]:
    """The word pairs of every family that has contradictions with one word replaced."""
    tables = []
    decode = msgspec.json.Decoder(PairTexts).decode
    for suite, manifest in found.record.suites.items():
        own = {
            family: WordPairTable(suite, family, rows=len(found.models))
            for family in FAMILIES
            if family in manifest.counts
        }
        for chunk, encoder in found.join_answers(suite) if own else ():
            cases = chunk.cases
            right = RIGHT[chunk.answers.label, cases.label]  # (models, cases)
            for family, table in own.items():
                number = encoder.families.index(family) if family in encoder.families else -1
                asked = numpy.flatnonzero(
                    cases.claims & (cases.label == CONTRADICTION) & (cases.family == number)
                ).tolist()
                pairs = [word_pair(*msgspec.structs.astuple(decode(chunk.lines[row]))) for row in asked]
                rows = [row for row, pair in zip(asked, pairs, strict=True) if pair]
                table.add([pair for pair in pairs if pair], right[:, rows])
                table.other += len(asked) - len(rows)
        tables += [table for table in own.values() if table.pairs]
    if not tables:
        raise UserError(
            f"The run {found.record.id} has no contradictions whose texts differ in one word.\n"
            "  Run on Breaking NLI (assay run --family original --from FILE), or build such cases: "
            "assay run --family lexical"
        )
    return tables


def word_pair(premise: str, hypothesis: str) -> WordPair | None:
    """The two words, if the texts differ in one word.

    >>> word_pair("A red hat.", "A blue hat."), word_pair("A red hat.", "An old hat and a coat.")
    (('red', 'blue'), None)
    """
    found = find_differences(premise, hypothesis)
    if len(found) == 1 and len(found[0].before) == len(found[0].after) == 1:
        return found[0].before[0], found[0].after[0]
    return None


def band_name(value: float, bands: Mapping[str, float]) -> str:
    """The band of a value, by the lower edges of bands; lower values belong to the first band.

    >>> [band_name(each, SEEN) for each in (0, 1, 4, 5, 90)], band_name(-2, COSINES)
    (['0', '1-4', '1-4', '5-9', '50-99'], 'below 0.5')
    """
    band = int(numpy.searchsorted([*bands.values()], round(value, 9), side="right")) - 1
    return list(bands)[max(0, band)]


def analyse_similarity(run: Run, vectors: str | Path, *, models: Sequence[str] = ()) -> Analysis:
    found = open_for_analysis(run, models)
    known = load_vectors(stored_vectors(Path(vectors)))
    estimates: list[Estimate] = []
    notes = []
    for table in find_replaced(found):
        cosines = [known.cosine(*pair) for pair in table.pairs]
        groups = [None if cosine is None else band_name(cosine, COSINES) for cosine in cosines]
        estimates += table.estimates(found.models, "cosine", groups, COSINES)
        without = sum(int(n) for n, cosine in zip(table.trials, cosines, strict=True) if cosine is None)
        notes.append(f"{table.describe()}; {without:,} cases have a word without a vector.")
    return found.result("similarity", estimates, settings={"vectors": Path(vectors).name}, notes=notes)


def analyse_frequency(
    run: Run, train: str | Path | Iterable[Pair], *, models: Sequence[str] = (), stage: Stage = quiet
) -> Analysis:
    """Accuracy by how often training showed the two words in a contradiction, and the new word at all."""
    found = open_for_analysis(run, models)
    tables = find_replaced(found)
    seen = count_in(train, {pair for table in tables for pair in table.pairs}, stage=stage)
    estimates: list[Estimate] = []
    for table in tables:
        together = [band_name(seen.contradictions[pair], SEEN) for pair in table.pairs]
        estimates += table.estimates(found.models, "together", together, SEEN)
        single = [band_name(seen.examples[new], EXAMPLES) for _, new in table.pairs]
        estimates += table.estimates(found.models, "word", single, EXAMPLES)
        counts = [seen.examples[word] for word in {new for _, new in table.pairs}]
        estimates += [
            Estimate(
                name=f"{name} training pairs of a new word",
                value=float(compute(counts)),
                n=len(counts),
                slice=table.where,
            )
            for name, compute in STATISTICS.items()
        ]
    notes = [f"{table.describe()}." for table in tables]
    return found.result("frequency", estimates, settings=seen.settings, notes=notes)


CLUSTERS = (
    "Percent of the contradictions with one word replaced, with 95% intervals that take cases with the same two "
    "words as one cluster."
)


def count_column(found: Analysis, key: str) -> dict[str, Show]:
    """A column with the number of distinct word pairs of a slice."""
    sizes = {
        (each.slice["suite"], each.slice["family"], each.slice[key]): each
        for each in found.select("pairs", key)
        if "model" not in each.slice
    }
    return {"word pairs": lambda each: number_cell(sizes[each.slice["suite"], each.slice["family"], each.slice[key]])}


def _accuracy_sheet(found: Analysis, key: str, title: str, measures: str) -> Sheet:
    """Accuracy by one key of slices, with the number of distinct word pairs and published numbers."""
    by = ("suite", "family", key)
    table = AnalysisTable(key, title, CLUSTERS, by, n="cases", after=count_column(found, key))
    return table.beside_published(found, found.select("accuracy", key), measures, as_family="lexical")


def similarity_tables(found: Analysis) -> list[Part]:
    title = "Accuracy by the cosine of the two words"
    return [_accuracy_sheet(found, "cosine", title, "accuracy by similarity"), *found.notes]


def frequency_tables(found: Analysis) -> list[Part]:
    """Accuracy by how often training shows the two words together, and the new word; then the words themselves."""
    both, new = "Accuracy by training contradictions with both words", "Accuracy by training pairs with the new word"
    return [
        f"Training: {found.settings['train']}.",
        _accuracy_sheet(found, "together", both, "accuracy by frequency"),
        _accuracy_sheet(found, "word", new, ""),
        _new_words_sheet(found),
        *found.notes,
    ]


def _new_words_sheet(found: Analysis) -> Sheet:
    own = [found.select(f"{name} training pairs of a new word") for name in STATISTICS]
    rows = [
        sheet_row("", row[0].slice["suite"], row[0].slice["family"], *map(number_cell, row), f"{row[0].n:,}")
        for row in zip(*own, strict=True)
    ]
    published = ", ".join(
        f"{name} {figure('glockner2018', 'section 3', row=name, column='training pairs').printed}"
        for name in STATISTICS
    )
    return Sheet(
        "new-words",
        "Training pairs that have a new word",
        f"Over distinct new words. In Glockner et al. (2018), with all of SNLI: {published}.",
        (*texts("suite", "family"), *numbers(*STATISTICS, "words")),
        tuple(rows),
    )


SIMILARITY = AnalysisEntry(
    "similarity",
    "Accuracy by the cosine of two words (Glockner et al. 2018).",
    analyse_similarity,
    similarity_tables,
)
FREQUENCY = AnalysisEntry(
    "frequency", "Accuracy by frequency in training (Glockner et al. 2018).", analyse_frequency, frequency_tables
)
