"""The data of a diagnosis, as columns over the cases of all suites of a run."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy

from assay.core.label import Label
from assay.core.label_space import LABELS
from assay.evaluate.accuracy import RIGHT
from assay.evaluate.case_columns import EXPECTATIONS, MOST_CLUSTERS, Bools, CaseColumns, Floats, Ints, renumber_clusters

SILENT = -1  # the code of a shortcut that gives no answer


class SurfaceColumns(NamedTuple):
    """Surface features of cases; each is (cases,)."""

    overlap: Floats  # the fraction of the hypothesis's distinct words that are in the premise
    jaccard: Floats  # the fraction of all distinct words that both texts have
    in_one_piece: Bools  # True if the premise contains the hypothesis as an unbroken sequence
    is_phrase: Bools
    same_end: Bools
    negated: Bools
    added: Bools  # True if the hypothesis is that of the source pair with something added
    premise_words: Ints
    hypothesis_words: Ints
    has_number: Bools
    claims_number: Bools
    rarity: Floats  # rarity of the rarest word of the hypothesis: a tenfold rarer word adds one
    has_typo: Bools
    replaced: Bools  # True if the texts differ in one position of known polarity, as in the logic families
    generalised: Bools  # True if the replacement there is more general
    genre: Sequence[str]  # the genre; empty if the corpus does not say
    first_word: Ints
    last_word: Ints
    changed: Ints  # the number of the two changed words or phrases, if texts are equal otherwise; `SILENT` if not
    premise_number: Ints  # of the source pair: rules are never learned and tested on the same premise
    premise: "HypothesisWordTable"
    hypothesis: "HypothesisWordTable"


class HypothesisWordTable(NamedTuple):
    """Features of texts: words, the first and the last word, and commas."""

    number: Ints  # (features of all cases,) the index of the feature
    case: Ints  # (features of all cases,) the row of the case


class Evidence(NamedTuple):
    """Cases with a source or a label, and models' answers to them."""

    models: Sequence[str]
    suites: Sequence[str]
    families: Sequence[str]
    suite: Ints  # (cases,) the number of the suite
    family: Ints  # (cases,) the number of the family
    label: Ints  # (cases,) the code of the right answer
    cluster: Ints  # (cases,) the unit that the case shares with others: the exchanged words, or the premise
    source: Ints  # (cases,) the row of a copy's source pair; -1 if there is none
    claims: Bools  # (cases,) True if the label is claimed to be the right answer
    drops: Bools  # (cases,) True if entailment should no longer be the answer, because the sides are swapped
    stays: Bools  # (cases,) True if the case keeps the source pair's label
    original: Bools  # (cases,) True if the case is an unchanged source pair
    answers: Ints  # (models, cases) the codes of the answers
    judged: Bools  # (models, cases) True if the model judged the case; False for a fallback answer, which shows nothing
    surface: SurfaceColumns

    @property
    def right_answers(self) -> Ints:
        """(cases,) The codes of the right answers; anything but entailment where that should drop."""
        return numpy.where(self.drops, LABELS.index(Label.NON_ENTAILMENT), self.label)

    @property
    def right(self) -> Bools:
        """(models, cases) True if each answer is right."""
        return RIGHT[self.answers, self.right_answers]


class Chunk(NamedTuple):
    """A chunk of the cases of one suite."""

    suite: int
    cases: CaseColumns  # the cases; family numbers are those of the suite's encoder
    families: Sequence[str]
    answers: Ints
    judged: Bools  # (models, cases) True if the answer is not a fallback


def put_together(
    chunks: Sequence[Chunk], surface: SurfaceColumns, *, models: Sequence[str], suites: Sequence[str]
) -> Evidence:
    """The evidence of all chunks, whose order is that of the rows of `surface`."""
    names = list(dict.fromkeys(name for each in chunks for name in each.families))
    sizes = [len(each.cases.label) for each in chunks]
    first_row = numpy.repeat(numpy.cumsum([0, *sizes[:-1]]), sizes)
    suite = numpy.repeat([each.suite for each in chunks], sizes)

    def column(name: str) -> Ints:
        return numpy.concatenate([getattr(each.cases, name) for each in chunks])

    return Evidence(
        models=models,
        suites=suites,
        families=names,
        suite=suite,
        family=numpy.concatenate(
            [numpy.array([names.index(name) for name in each.families])[each.cases.family] for each in chunks]
        ),
        label=column("label"),
        cluster=renumber_clusters(column("unit") + MOST_CLUSTERS * suite),
        source=numpy.where(column("source") < 0, -1, column("source") + first_row),
        claims=numpy.concatenate([each.cases.claims for each in chunks]),
        drops=column("expects") == EXPECTATIONS.index("drop"),
        stays=column("stays").astype(bool),
        original=column("original").astype(bool),
        answers=numpy.concatenate([each.answers for each in chunks], axis=1),
        judged=numpy.concatenate([each.judged for each in chunks], axis=1),
        surface=surface,
    )
