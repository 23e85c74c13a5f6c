"""Accuracy on antonyms that training contradicts, by relation and frequency (Naik et al. 2018, 4.3)."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import mean

import msgspec
import numpy

from assay.core.case import Case
from assay.core.estimate import Estimate
from assay.core.pair import Pair
from assay.evaluate.accuracy import RIGHT
from assay.evaluate.intervals import clustered_share
from assay.evaluate.slice_sums import clustered_estimate
from assay.reports.tables.sheet import Part, Sheet, count, numbers, sheet_row, texts
from assay.run.stored_run import Run
from assay.run.workers.pool import Stage, quiet
from assay.studies.analyses.analysis_result import AnalysedRun, Analysis, AnalysisEntry, best_and_worst
from assay.studies.analyses.analysis_tables import AnalysisTable, model_names, number_cell, share_cell
from assay.studies.analyses.word_pairs import SEEN, WordPair, WordPairTable, band_name, count_column, count_in

FAMILY = "antonymy"

EASY, HARD = "easy", "hard"  # cases that every model gets right, or wrong

PARTS = {"n": "noun", "v": "verb", "a": "adjective", "s": "adjective", "r": "adverb"}
AFFIXED = "one is the other with a prefix"
RELATIONS = (*dict.fromkeys(PARTS.values()), AFFIXED, "not known")

PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non", "mis", "anti", "a", "counter")


def analyse_antonyms(
    run: Run, train: str | Path | Iterable[Pair], *, models: Sequence[str] = (), stage: Stage = quiet
) -> Analysis:
    """Easy and hard antonyms that training contradicts, and accuracy by relation and training frequency.

    Without `models`, the best and the worst of the run on antonymy are compared, as in the paper.
    """
    found = best_and_worst(run, FAMILY, models)
    suites = found.with_family(FAMILY)
    counted = [_count_word_pairs(found, suite) for suite in suites]
    wanted = {pair for table, _ in counted for one, other in table.pairs for pair in ((one, other), (other, one))}
    seen = count_in(train, wanted, stage=stage)
    estimates: list[Estimate] = []
    for table, relations in counted:
        # Training contradictions with one word on one side and the other on the other.
        times = [seen.contradictions[one, other] + seen.contradictions[other, one] for one, other in table.pairs]
        estimates += table.estimates(found.models, "together", [band_name(n, SEEN) for n in times], SEEN)
        estimates += table.estimates(found.models, "relation", [relations[pair] for pair in table.pairs], RELATIONS)
        # Of the distinct pairs with an easy or a hard case, the share that training contradicts at least once.
        contradicted = numpy.array(times) > 0
        for name, hits in zip((EASY, HARD), table.hits[-2:], strict=True):
            where = {**table.where, "pairs": name}
            share = clustered_share(contradicted[hits > 0], numpy.ones(int((hits > 0).sum())))
            estimates.append(clustered_estimate("seen", share, where))
            n = int(table.trials.sum())
            estimates.append(Estimate(name="cases", value=float(hits.sum()), n=n, slice=where))
        for model, hits in zip(found.models, table.hits, strict=False):
            known = [n for n, hit in zip(times, hits.tolist(), strict=True) if hit]
            where = {"model": model, **table.where}
            estimates.append(Estimate(name="training", value=mean(known) if known else None, n=len(known), slice=where))
    settings = {**seen.settings, "models": ", ".join(found.models)}
    return found.result("antonyms", estimates, suites=suites, settings=settings)


def relation_of(old: str, new: str, sense: str) -> str:
    """Kind of antonyms: by part of speech, unless a prefix makes one word from the other.

    >>> relation_of("happy", "unhappy", "happy.a.01"), relation_of("war", "peace", "war.n.01")
    ('one is the other with a prefix', 'noun')
    """
    short, long = sorted((old, new), key=len)
    if any(long == prefix + short for prefix in PREFIXES):
        return AFFIXED
    part = sense.rsplit(".", 2)[-2:-1]
    return PARTS.get(part[0] if part else "", "not known")


def _count_word_pairs(found: AnalysedRun, suite: str) -> tuple[WordPairTable, dict[WordPair, str]]:
    """The word pairs of a suite's antonymy cases, with a row for each model, for easy and for hard; and their kinds."""
    table = WordPairTable(suite, FAMILY, rows=len(found.models) + 2)
    relations: dict[WordPair, str] = {}
    for chunk, rows in found.join_family(suite, FAMILY):
        right = RIGHT[chunk.answers.label[:, rows], chunk.cases.label[rows]]  # (models, cases)
        pairs = []
        for row in rows.tolist():
            edit = msgspec.json.decode(chunk.lines[row], type=Case).provenance.edit
            change = (edit.hypothesis or edit.premise)[0]
            sides = (change.old, change.new) if edit.hypothesis else (change.new, change.old)
            pair = (sides[0].lower(), sides[1].lower())
            relations.setdefault(pair, relation_of(*pair, edit.facts.get("sense", "")))
            pairs.append(pair)
        table.add(pairs, numpy.vstack([right, right.all(axis=0), ~right.any(axis=0)]))
    return table, relations


def antonym_tables(found: Analysis) -> list[Part]:
    rows = [
        sheet_row("", seen.slice["suite"], seen.slice["pairs"], number_cell(cases), count(seen.n), share_cell(seen))
        for seen, cases in zip(found.select("seen", "pairs"), found.select("cases", "pairs"), strict=True)
    ]
    easy = Sheet(
        "easy-and-hard",
        "Easy and hard antonyms",
        f"Easy: all of {model_names(found)} are right; hard: all are wrong. Seen: the share of distinct pairs "
        "with one word on each side of a training contradiction.",
        (*texts("suite", "pairs"), *numbers("cases", "distinct pairs", "seen")),
        tuple(rows),
    )
    known = AnalysisTable(
        "known",
        "Training contradictions of the antonyms that a model knows",
        "Mean over the distinct pairs that it gets right at least once.",
        by=("suite",),
        show=number_cell,
    )
    return [
        f"Training: {found.settings['train']}.",
        easy,
        _accuracy_sheet(found, "together", "Accuracy by training contradictions with both words"),
        _accuracy_sheet(found, "relation", "Accuracy by relation of the two words"),
        known.sheet(found.select("training")),
    ]


def _accuracy_sheet(found: Analysis, key: str, title: str) -> Sheet:
    note = "Percent, with 95% intervals that take the cases of two words as one cluster."
    table = AnalysisTable(key, title, note, by=("suite", key), n="cases", after=count_column(found, key))
    return table.sheet(found.select("accuracy", key))


ANALYSIS = AnalysisEntry(
    "antonyms",
    "Antonyms that training contradicts, by relation and frequency (Naik et al. 2018).",
    analyse_antonyms,
    antonym_tables,
)
