"""Accuracy on antonyms that training contradicts, by relation and frequency (Naik et al. 2018, 4.3)."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import mean

import msgspec
import numpy

from assay.core.case import Case
from assay.core.estimate import Estimate
from assay.core.pair import Pair
from assay.evaluate.accuracy import RIGHT
from assay.evaluate.intervals import clustered_share
from assay.reports.tables.sheet import Part, Sheet, SheetCell, SheetRow, count, numbers, texts
from assay.run.stored_run import Run
from assay.run.workers.pool import Stage, quiet
from assay.studies.analyses.analysis_result import (
    AnalysedRun,
    Analysis,
    AnalysisEntry,
    band_of,
    best_and_worst,
    estimate_of,
)
from assay.studies.analyses.analysis_tables import (
    Heading,
    cases,
    grid,
    model_names,
    number_cell,
    select_estimates,
    share_cell,
)
from assay.studies.analyses.word_pairs import (
    SEEN,
    WordPair,
    WordPairCounts,
    WordPairHits,
    WordTable,
    by_group,
    count_in,
    sizes,
)

FAMILY = "antonymy"

EASY, HARD = "easy", "hard"
"""Cases that every model gets right, or wrong."""

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
    counted = {suite: _count_word_pairs(found, suite) for suite in suites}
    wanted = {
        pair for table, _ in counted.values() for one, other in table.pairs for pair in ((one, other), (other, one))
    }
    seen = count_in(train, wanted, stage=stage)
    estimates: list[Estimate] = []
    for suite, (table, relations) in counted.items():
        where = {"suite": suite, "family": FAMILY}
        times = [_count_contradictions(pair, seen) for pair in table.pairs]
        rows = [{"model": model, **where} for model in found.models]
        own = table._replace(hits=table.hits[: len(rows)])
        for by, groups, order in (
            ("together", [list(SEEN)[band_of(n, list(SEEN.values()))] for n in times], list(SEEN)),
            ("relation", [relations[pair] for pair in table.pairs], RELATIONS),
        ):
            estimates += by_group(own, groups, order=order, rows=rows, by=by)
            estimates += sizes(groups, order=order, where=where, by=by)
        estimates += _easy_and_hard(table, times, where)
        estimates += _mean_contradictions(table, times, found.models, where)
    return Analysis(
        name="antonyms",
        runs=(found.record.id,),
        suites={name: each for name, each in found.sources.items() if name in suites},
        estimates=tuple(estimates),
        settings={"train": f"{seen.source.name}, {seen.source.pairs:,} pairs", "models": ", ".join(found.models)},
    )


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


def _count_word_pairs(found: AnalysedRun, suite: str) -> tuple[WordTable, Mapping[WordPair, str]]:
    """The word pairs of a suite's antonymy cases, with a row for each model, for easy and for hard; and their kinds."""
    counts = WordPairHits(len(found.models) + 2)
    relations: dict[WordPair, str] = {}
    for chunk, encoder in found.join_answers(suite):
        if FAMILY not in encoder.families:
            continue
        rows = numpy.flatnonzero(chunk.cases.family == encoder.families.index(FAMILY))
        right = RIGHT[chunk.answers.label[:, rows], chunk.cases.label[rows]]  # (models, cases)
        pairs = []
        for row in rows.tolist():
            edit = msgspec.json.decode(chunk.lines[row], type=Case).provenance.edit
            change = (edit.hypothesis or edit.premise)[0]
            sides = (change.old, change.new) if edit.hypothesis else (change.new, change.old)
            pair = (sides[0].lower(), sides[1].lower())
            relations.setdefault(pair, relation_of(*pair, edit.facts.get("sense", "")))
            pairs.append(pair)
        counts.add(pairs, numpy.vstack([right, right.all(axis=0), ~right.any(axis=0)]))
    return counts.table(), relations


def _count_contradictions(pair: WordPair, seen: WordPairCounts) -> int:
    """Training contradictions with one word on one side and the other on the other."""
    one, other = pair
    return seen.contradictions[one, other] + seen.contradictions[other, one]


def _easy_and_hard(table: WordTable, times: Sequence[int], where: Mapping[str, str]) -> list[Estimate]:
    """Of the distinct pairs with an easy or a hard case, the share that training contradicts at least once."""
    found = []
    contradicted = numpy.array(times) > 0
    for name, hits in zip((EASY, HARD), table.hits[-2:], strict=True):
        there = hits > 0
        share = clustered_share(contradicted[there], numpy.ones(int(there.sum())))
        found.append(estimate_of("seen", share, {**where, "pairs": name}))
        cases = int(hits.sum())
        found.append(
            Estimate(name="cases", value=float(cases), n=int(table.trials.sum()), slice={**where, "pairs": name})
        )
    return found


def _mean_contradictions(
    table: WordTable, times: Sequence[int], models: Sequence[str], where: Mapping[str, str]
) -> list[Estimate]:
    """Mean number of training contradictions for the word pairs that a model knows."""
    found = []
    for model, hits in zip(models, table.hits, strict=False):
        known = [n for n, hit in zip(times, hits.tolist(), strict=True) if hit]
        value = mean(known) if known else None
        found.append(Estimate(name="training", value=value, n=len(known), slice={"model": model, **where}))
    return found


def antonym_tables(found: Analysis) -> list[Part]:
    """Easy and hard pairs, then accuracy by training frequency and by relation."""
    seen = {(e.slice["suite"], e.slice["pairs"]): e for e in select_estimates(found, "seen", "pairs")}
    amounts = {(e.slice["suite"], e.slice["pairs"]): e for e in select_estimates(found, "cases", "pairs")}
    rows = [
        SheetRow(
            "",
            (SheetCell(suite), SheetCell(pairs), number_cell(amounts[suite, pairs]), count(each.n), share_cell(each)),
        )
        for (suite, pairs), each in seen.items()
    ]
    easy = Sheet(
        "easy-and-hard",
        "Easy and hard antonyms",
        f"Easy: all of {model_names(found)} are right; hard: all are wrong. Seen: the share of distinct pairs "
        "with one word on each side of a training contradiction.",
        (*texts("suite", "pairs"), *numbers("cases", "distinct pairs", "seen")),
        tuple(rows),
    )
    by_training = _by(found, "together", "Accuracy by training contradictions with both words")
    by_relation = _by(found, "relation", "Accuracy by relation of the two words")
    known = grid(
        select_estimates(found, "training"),
        ("suite",),
        Heading(
            "known",
            "Training contradictions of the antonyms that a model knows",
            "Mean over the distinct pairs that it gets right at least once.",
        ),
        show=number_cell,
    )
    return [f"Training: {found.settings['train']}.", easy, by_training, by_relation, known]


def _by(found: Analysis, name: str, title: str) -> Sheet:
    pairs = {
        (e.slice["suite"], e.slice[name]): e for e in select_estimates(found, "pairs", name) if "model" not in e.slice
    }
    return grid(
        select_estimates(found, "accuracy", name),
        ("suite", name),
        Heading(name, title, "Percent, with 95% intervals that take the cases of two words as one cluster."),
        after={"cases": cases, "word pairs": lambda e: number_cell(pairs[e.slice["suite"], e.slice[name]])},
    )


ANALYSIS = AnalysisEntry(
    name="antonyms",
    about="Antonyms that training contradicts, by relation and frequency (Naik et al. 2018).",
    options=("train", "models"),
    compute=lambda runs, options, stage: analyse_antonyms(
        runs[0], options.train or "", models=options.models, stage=stage
    ),
    tables=antonym_tables,
    required=("train",),
)
