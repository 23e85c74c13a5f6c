"""Causes of errors: the nine categories of Naik et al. (2018), by automatic cues and by annotators."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import msgspec
import numpy

from assay.core.case import ORIGINAL
from assay.core.errors import BadInputError, UserError
from assay.core.estimate import Estimate
from assay.core.label import Label
from assay.core.label_space import LABELS
from assay.core.serialise import decode_lines
from assay.evaluate.accuracy import RIGHT
from assay.evaluate.case_columns import Bools, Floats, Ints
from assay.evaluate.error_categories import CATEGORIES, NO_GOLD, SortedError
from assay.evaluate.intervals import clustered_share
from assay.evaluate.slice_sums import clustered_estimate
from assay.language.numbers.quantities import find_numbers as numbers_in
from assay.language.resources.installed import wordnet
from assay.language.text.tokens import folded_words, words
from assay.language.words.word_forms import is_word
from assay.reports.formatting import points
from assay.reports.published.published_results import figure, table
from assay.reports.tables.sheet import Part, Sheet, SheetCell, SheetRow, numbers, texts
from assay.run.stored_run import Run
from assay.studies.analyses.analysis_result import (
    NOWHERE,
    AnalysedRun,
    Analysis,
    AnalysisEntry,
    SliceShares,
    open_for_analysis,
)
from assay.studies.analyses.analysis_tables import METRIC, AnalysisTable, share_cell
from assay.studies.analyses.word_pairs import PairTexts

CUES = ("word overlap", "negation", "antonymy", "numerical reasoning", "length mismatch", "grammaticality")
"""The categories that have a cue. Real-world knowledge and ambiguity have none: only people can tell."""

MUCH, LITTLE = 0.8, 0.2  # shares of the hypothesis's words in the premise that count as much and little overlap
LONGER = 20  # minimum number of words that the premise has more than the hypothesis
SHORTEST = 4  # shorter unknown words are mostly abbreviations, not typos

NEGATIONS = frozenset(
    ("no", "not", "never", "none", "nobody", "nothing", "nowhere", "neither", "nor", "without", "cannot")
)

_QUANTIFIER = re.compile(
    r"\b(?:(?:more|less|fewer) than|at (?:least|most)|all|every|most|half|twice|double|both|few|several|only|many)\b"
)


def find_cues(premise: str, hypothesis: str, gold: Label) -> dict[str, frozenset[Label]]:
    """The cues of a case, each with the wrong answers that it would explain; `CUES` has all their names.

    >>> found = find_cues("No cat sleeps.", "A cat sleeps.", Label.NEUTRAL)
    >>> {name: sorted(answers) for name, answers in found.items()}
    {'negation': [<Label.CONTRADICTION: 'contradiction'>]}
    """
    one, two = folded_words(premise), folded_words(hypothesis)
    wrong = frozenset((Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION, Label.NON_ENTAILMENT)) - {gold}
    found: dict[str, frozenset[Label]] = {}
    there = set(one)
    overlap = sum(word in there for word in two) / len(two) if two else 0.0
    if gold is not Label.ENTAILMENT and overlap >= MUCH:
        found["word overlap"] = frozenset((Label.ENTAILMENT,))
    elif gold is Label.ENTAILMENT and overlap <= LITTLE:
        found["word overlap"] = wrong
    if gold is not Label.CONTRADICTION and (_has_negation(one) or _has_negation(two)):
        found["negation"] = frozenset((Label.CONTRADICTION,))
    if gold is Label.CONTRADICTION and _has_antonyms(there, set(two)):
        found["antonymy"] = wrong
    if numbers_in(hypothesis) or _QUANTIFIER.search(hypothesis.lower()):
        found["numerical reasoning"] = wrong
    if len(one) - len(two) >= LONGER:
        found["length mismatch"] = wrong
    if _has_typo(premise) or _has_typo(hypothesis):
        found["grammaticality"] = wrong
    return found


def _has_negation(text: list[str]) -> bool:
    return any(word in NEGATIONS or word.endswith(("n't", "n\u2019t")) for word in text)


def _has_antonyms(premise: set[str], hypothesis: set[str]) -> bool:
    """True if a word that only one text has is an antonym of one that only the other has."""
    only = hypothesis - premise
    return any(not only.isdisjoint(_find_antonyms(word)) for word in premise - hypothesis)


@lru_cache(maxsize=1 << 15)
def _find_antonyms(word: str) -> frozenset[str]:
    net = wordnet()
    return frozenset(
        antonym.word.lower()
        for synset in net.synsets(word)
        for antonym in net.antonyms(synset)
        if antonym.of.lower() == word or word.startswith(antonym.of.lower()[:SHORTEST])
    )


def _has_typo(text: str) -> bool:
    return any(
        len(word.text) >= SHORTEST and word.text.isalpha() and word.text.islower() and not is_word(word.text)
        for word in words(text)
    )


UNKNOWN = "unknown"  # name of errors without any cue, as in the paper


WORDS, PER_WORD = 400, 30
"""The most frequent words of the hypotheses are taken into account: at most so many, and one for so many cases."""

FOLDS = 5  # expectations about a case are learned from the cases of other folds; a source pair is in one fold
RIDGE = 5.0  # strength of the ridge penalty, which keeps weights of rare words near zero

DECILES = numpy.arange(0.1, 1, 0.1)
"""Quantiles at which predictions are binned for calibration, because the regression need not be linear."""

FEWEST = 30  # with fewer cases with the cue, or without it, nothing is said about the excess


class Cues:
    """Counts one model's errors by cue; an error can have several.

    `explained` is the fraction of errors with a cue; of the cases with a cue, `with` is the fraction of errors, and of
    those without it, `without`.

    >>> cues = Cues(["negation"])
    >>> has = numpy.array([[True, False, False]])
    >>> cues.add(has, has, wrong=numpy.array([True, True, False]), clusters=numpy.arange(3))
    >>> [(each.name, each.slice["cue"], each.value) for each in cues.estimates({})]  # doctest: +NORMALIZE_WHITESPACE
    [('explained', 'negation', 0.5), ('with', 'negation', 1.0), ('without', 'negation', 0.5),
     ('explained', 'unknown', 0.5)]
    """

    def __init__(self, cues: Sequence[str]) -> None:
        self._cues = cues
        self._counted: defaultdict[tuple[str, str], SliceShares] = defaultdict(SliceShares)

    def add(self, present: Bools, fits: Bools, *, wrong: Bools, clusters: Ints, units: Ints | None = None) -> None:
        """Count cases, (cues, cases): whether a cue is present, and whether it fits the error that the model makes."""
        errors, counted = numpy.where(wrong, 0, NOWHERE), self._counted
        for number, cue in enumerate(self._cues):
            counted["explained", cue].add(errors, clusters, fits[number], units)
            counted["with", cue].add(numpy.where(present[number], 0, NOWHERE), clusters, wrong, units)
            counted["without", cue].add(numpy.where(present[number], NOWHERE, 0), clusters, wrong, units)
        counted["explained", UNKNOWN].add(errors, clusters, numpy.asarray(~fits.any(axis=0)), units)

    def estimates(self, where: Mapping[str, str]) -> list[Estimate]:
        return [
            clustered_estimate(name, share, {**where, "cue": cue})
            for (name, cue), shares in self._counted.items()
            for share in shares.shares().values()
        ]


class Excess:
    """Excess of errors among cases with a cue, beyond what their labels and hypotheses lead to expect.

    Cases with a cue have other labels and other hypotheses than the rest, and these alone change how often a model
    errs, even one that never sees the premise. So both the errors and the cue are first predicted from the hypothesis,
    separately for each label. The excess is the slope of what is left of the errors on what is left of the cue
    (the partially linear model of Robinson 1988, cross-fitted). It is in points of the error rate.

    It has no interval. Rare words of the hypotheses can't be learned, and if many of them matter, an interval would
    leave out zero for most cues that a model ignores (63 to 98% in simulations).
    """

    def __init__(self, cues: Sequence[str]) -> None:
        self._cues = cues
        self._parts: list[tuple[Bools, Bools, Ints, Ints]] = []
        self._hypotheses: list[frozenset[str]] = []
        self._clusters = 0

    def add(
        self, present: Bools, wrong: Bools, *, label: Ints, hypotheses: Sequence[frozenset[str]], clusters: Ints
    ) -> None:
        """Take in a chunk of cases: cues (cues, cases), errors (models, cases), and the words of the hypotheses."""
        self._parts.append((present, wrong, label, clusters + self._clusters))
        self._hypotheses += hypotheses
        self._clusters += int(clusters.max(initial=-1)) + 1

    def estimates(self, wheres: Sequence[Mapping[str, str]]) -> list[list[Estimate]]:
        if not self._parts:
            return [[] for _ in wheres]
        present, wrong = (numpy.concatenate([part[each] for part in self._parts], axis=1) for each in (0, 1))
        label, clusters = (numpy.concatenate([part[each] for part in self._parts]) for each in (2, 3))
        left = _residuals(numpy.concatenate([wrong, present]).T, label, self._hypotheses, clusters)
        errors, cued = left[:, : len(wrong)].T, left[:, len(wrong) :].T  # (models, cases), (cues, cases)
        found: list[list[Estimate]] = []
        for model, where in enumerate(wheres):
            found.append([])
            for number, cue in enumerate(self._cues):
                n = int(present[number].sum())
                if FEWEST <= n <= len(label) - FEWEST and (cued[number] ** 2).sum() > 0:
                    value = float((errors[model] * cued[number]).sum() / (cued[number] ** 2).sum())
                    place = {**where, "cue": cue}
                    found[-1].append(Estimate(name="excess", value=value, n=n, slice=place))
        return found


def _residuals(targets: Bools, label: Ints, hypotheses: Sequence[frozenset[str]], clusters: Ints) -> Floats:
    """Residuals of each target given label and hypothesis; both are (cases, targets)."""
    frequent = Counter(word for words in hypotheses for word in words)
    ranked = sorted(frequent, key=lambda word: (-frequent[word], word))[: min(WORDS, len(label) // PER_WORD)]
    known = {word: number for number, word in enumerate(ranked)}
    inputs = numpy.zeros((len(label), len(known) + 1))  # (cases, words and length)
    for row, used in enumerate(hypotheses):
        inputs[row, [known[word] for word in used if word in known]] = 1
        inputs[row, -1] = numpy.log1p(len(used))
    left = numpy.zeros(targets.shape)
    for code in numpy.unique(label):
        for fold in range(FOLDS):
            there = label == code
            own, others = there & (clusters % FOLDS == fold), there & (clusters % FOLDS != fold)
            if not others.any() or not own.any():
                continue  # nothing to learn from: these cases say nothing
            left[own] = targets[own] - _predict_targets(inputs[others], targets[others], inputs[own])
    return left


def _predict_targets(seen: Floats, targets: Bools, asked: Floats) -> Floats:
    """(cases, targets) What the targets are expected to be: a ridge regression, corrected by deciles of its results."""
    middle, base = seen.mean(axis=0), targets.mean(axis=0)
    squares = (seen - middle).T @ (seen - middle) + RIDGE * numpy.eye(seen.shape[1])
    weights = numpy.linalg.solve(squares, (seen - middle).T @ (targets - base))
    fitted: Floats = base + (seen - middle) @ weights
    expected: Floats = base + (asked - middle) @ weights
    for number in range(targets.shape[1]):
        edges = numpy.quantile(fitted[:, number], DECILES)
        places = numpy.searchsorted(edges, fitted[:, number])
        sizes = numpy.bincount(places, minlength=len(edges) + 1)
        missed = numpy.bincount(places, weights=targets[:, number] - fitted[:, number], minlength=len(edges) + 1)
        expected[:, number] += (missed / numpy.maximum(sizes, 1))[numpy.searchsorted(edges, expected[:, number])]
    return expected


HINT = "Draw errors with `assay annotate sample RUN --layout errors --model MODEL`, have them sorted, and merge them."


def analyse_errors(
    run: Run, *, models: Sequence[str] = (), families: Sequence[str] = (), annotated: str | Path | None = None
) -> Analysis:
    """Errors by the cues that could explain them; with a file of sorted errors, next to the annotators' categories.

    By default, errors on unchanged pairs are looked at, as in the paper.
    """
    found = open_for_analysis(run, models)
    estimates: list[Estimate] = []
    for family in families or [ORIGINAL]:
        for suite in found.with_family(family):
            estimates += _estimate_by_cue(found, suite, family)
    sorted_errors = _read_sorted_errors(Path(annotated)) if annotated is not None else []
    return found.result(
        "error-causes",
        [*estimates, *_estimate_by_category(sorted_errors)],
        settings={"annotated": Path(annotated).name} if annotated is not None else {},
        notes=["A cue can be there by chance, and an error can have several."],
    )


def _estimate_by_cue(found: AnalysedRun, suite: str, family: str) -> list[Estimate]:
    counted, excess = [Cues(CUES) for _ in found.models], Excess(CUES)
    decode = msgspec.json.Decoder(PairTexts).decode
    for chunk, of_family in found.join_family(suite, family):
        cases = chunk.cases
        rows = of_family[cases.claims[of_family]]
        gold = cases.label[rows]
        texts = [decode(chunk.lines[row]) for row in rows.tolist()]
        labels = [LABELS[code] for code in gold.tolist()]
        explains = [find_cues(each.premise, each.hypothesis, label) for each, label in zip(texts, labels, strict=True)]
        present = numpy.array([[cue in each for each in explains] for cue in CUES]).reshape(len(CUES), len(rows))
        clusters, units = cases.cluster[rows], cases.unit[rows]
        errors = ~RIGHT[chunk.answers.label[:, rows], gold]  # (models, cases)
        words = [frozenset(folded_words(each.hypothesis)) for each in texts]
        excess.add(present, errors, label=gold, hypotheses=words, clusters=clusters)
        for model, said in enumerate(chunk.answers.label[:, rows]):
            wrong = errors[model]
            answers = [LABELS[code] if code < len(LABELS) else None for code in said.tolist()]
            explained = [
                [answer in each.get(cue, ()) for each, answer in zip(explains, answers, strict=True)] for cue in CUES
            ]
            fits = numpy.array(explained).reshape(present.shape) & wrong
            counted[model].add(present, fits, wrong=wrong, clusters=clusters, units=units)
    wheres = [{"model": model, "suite": suite, "family": family} for model in found.models]
    beyond = excess.estimates(wheres)
    return [
        each
        for where, own, more in zip(wheres, counted, beyond, strict=True)
        for each in (*own.estimates(where), *more)
    ]


def _read_sorted_errors(path: Path) -> list[SortedError]:
    """The errors that `assay annotate merge` wrote."""
    try:
        with path.open("rb") as file:
            found = list(decode_lines(file, SortedError, path, "a judged error", hint=HINT))
    except OSError as error:
        raise UserError(f"No sorted errors at {path}: {error.strerror}.\n  {HINT}") from error
    if not found:
        raise BadInputError("empty: it has no sorted errors", where=str(path), hint=HINT)
    return found


def _estimate_by_category(errors: Sequence[SortedError]) -> list[Estimate]:
    """The frequency of each category, and how often the cue of that category is there, in it and elsewhere."""
    if not errors:
        return []
    counts = Counter(each.category for each in errors if each.category != NO_GOLD)
    n = counts.total()
    found = [
        clustered_estimate(
            "annotated",
            clustered_share([each.category == name for each in errors if each.category != NO_GOLD], [1] * n),
            {"cue": name},
        )
        for name in CATEGORIES
        if n
    ]
    shown = [find_cues(each.premise, each.hypothesis, each.gold_label) for each in errors]
    for cue in (*CUES, UNKNOWN):
        fits = [
            each.answer in own.get(cue, ())
            if cue != UNKNOWN
            else not any(each.answer in answers for answers in own.values())
            for own, each in zip(shown, errors, strict=True)
        ]
        for name, is_category in (("cue there", True), ("cue elsewhere", False)):
            chosen = [fit for fit, each in zip(fits, errors, strict=True) if (each.category == cue) is is_category]
            if chosen:
                found.append(clustered_estimate(name, clustered_share(chosen, [1] * len(chosen)), {"cue": cue}))
    return found


def error_tables(found: Analysis) -> list[Part]:
    """Errors by cue, error rates with and without a cue, and the annotators' categories."""
    explained = AnalysisTable(
        "explained",
        "Errors that a cue could explain",
        "Percent of a model's errors, with 95% intervals. An error can have several cues.",
        by=("suite", "family", "cue"),
    )
    rates = AnalysisTable(
        "rates",
        "Error rates of cases with and without a cue",
        "Percent of the cases that are errors, with 95% intervals. Cases with a cue have other labels and other "
        "hypotheses than the rest, so a difference alone does not show that a model uses the cue.",
        by=("model", "suite", "family", "cue"),
        across=METRIC,
    )
    excess = AnalysisTable(
        "excess",
        "Errors that go with a cue beyond label and hypothesis",
        "Points by which cases with the cue are errors more often than their labels and the words of their "
        "hypotheses lead to expect. This is a description, not a test: rare words of the hypotheses can cause it.",
        by=("suite", "family", "cue"),
        show=lambda each: SheetCell(points(each.value or 0.0), each.value),
    )
    beyond = found.select("excess", "cue")
    return [
        explained.sheet(found.select("explained", "cue")),
        rates.sheet([*found.select("with", "cue"), *found.select("without", "cue")]),
        *([excess.sheet(beyond)] if beyond else []),
        _people_sheet(found),
        *found.notes,
    ]


def _people_sheet(found: Analysis) -> Sheet:
    """The shares of the nine categories as people sorted errors: in the paper, and here if a file was given."""
    own = {e.slice["cue"]: e for e in found.select("annotated")}
    there, elsewhere = ({e.slice["cue"]: e for e in found.select(name)} for name in ("cue there", "cue elsewhere"))
    rows = []
    for line in table("naik2018", "6").rows:
        cells = [
            SheetCell(figure("naik2018", number_, row=line.name, column=column).printed)
            for number_, column in (("section 2", "matched"), ("6", "mismatched"))
        ]
        measured = [
            share_cell(group[line.name]) if line.name in group else SheetCell("-") for group in (own, there, elsewhere)
        ]
        rows.append(SheetRow("", (SheetCell(line.name), *cells, *(measured if own else ()))))
    heads = ("annotated here", "cue, of these", "cue, of others") if own else ()
    return Sheet(
        "people",
        "Errors as people sorted them",
        "Percent of 100 errors of NB on each dev set (Naik et al. 2018, section 2 and Table 6). The authors gave each "
        "error one category, so these shares are not comparable with those of cues."
        + (
            " The last two columns: how often the category's cue is there, among errors of it and of others."
            if own
            else ""
        ),
        (*texts("category"), *numbers("matched", "mismatched", *heads)),
        tuple(rows),
    )


ANALYSIS = AnalysisEntry(
    "error-causes", "Errors by cause, in nine categories (Naik et al. 2018).", analyse_errors, error_tables
)
