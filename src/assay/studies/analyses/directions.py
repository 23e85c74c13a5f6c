"""Directions of errors by family (Naik et al. 2018, Tables 4 and 7, section 4.4)."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

import msgspec
import numpy

from assay.core.errors import UserError
from assay.core.estimate import Estimate
from assay.core.label import THREE_WAY, Label
from assay.core.label_space import LABELS, NO_ANSWER
from assay.evaluate.accuracy import RIGHT
from assay.evaluate.case_columns import NON_ENTAILMENT, VARIANT
from assay.evaluate.slice_sums import clustered_estimate
from assay.reports.tables.sheet import Part, Sheet
from assay.run.stored_run import Run
from assay.studies.analyses.analysis_result import (
    NOWHERE,
    AnalysedRun,
    Analysis,
    AnalysisEntry,
    SliceShares,
    open_for_analysis,
)
from assay.studies.analyses.analysis_tables import AnalysisTable, plain_share

DIRECTIONS = [(gold, answer) for gold in THREE_WAY for answer in THREE_WAY if gold is not answer]
"""Every way to err with three labels."""

NEUTRAL = LABELS.index(Label.NEUTRAL)


def analyse_directions(run: Run, *, models: Sequence[str] = ()) -> Analysis:
    """The fraction of errors with the answer neutral, and of errors with each label and answer, by family and variant.

    `false-neutral` is the fraction of errors in which the answer is neutral; `direction` that of errors with one right
    label and one answer; `rate` the fraction of cases that are such errors. Cases without a label are left out, and so
    are families that are judged by two labels.
    """
    found = open_for_analysis(run, models)
    estimates = [each for suite in found.record.suites for each in _count_directions(found, suite)]
    if not estimates:
        raise UserError(
            f"The run {found.record.id} is judged by two labels, so errors have no directions.\n"
            "  Use a run on pairs with three labels, or repeat it with --three-way."
        )
    return found.result("directions", estimates)


def _count_directions(found: AnalysedRun, suite: str) -> Iterator[Estimate]:
    """The numbers of each model, family and variant of a suite."""
    shares: defaultdict[tuple[str, str, str, str], SliceShares] = defaultdict(SliceShares)
    two_way: set[str] = set()  # families with a case that has one of two labels
    facets = []
    for chunk, encoder in found.join_answers(suite):
        cases, facets = chunk.cases, encoder.facets
        two_way |= {encoder.families[code] for code in set(cases.family[cases.label == NON_ENTAILMENT].tolist())}
        is_shown = numpy.array([facet.name in (None, VARIANT) for facet in facets])
        chosen = is_shown[cases.facet] & cases.claims[cases.facet_of]
        rows, facet = cases.facet_of[chosen], cases.facet[chosen]
        order = numpy.argsort(rows, kind="stable")  # so that clusters never decrease
        rows, facet = rows[order], facet[order]
        gold, cluster, unit = cases.label[rows], cases.cluster[rows], cases.unit[rows]
        for model, said in zip(found.models, chunk.answers.label[:, rows], strict=True):
            wrong = ~RIGHT[said, gold] & (said != NO_ANSWER)
            errors = numpy.where(wrong, facet, NOWHERE)
            shares[model, "false-neutral", "", ""].add(errors, cluster, said == NEUTRAL, unit)
            for name, codes in (("direction", errors), ("rate", facet)):
                for label, answer in DIRECTIONS:
                    goes = wrong & (gold == LABELS.index(label)) & (said == LABELS.index(answer))
                    shares[model, name, label, answer].add(codes, cluster, goes, unit)
    for (model, name, right, given), counted in shares.items():
        direction = {"label": str(right), "answer": str(given)} if right else {}
        for code, share in sorted(counted.shares().items()):
            if facets[code].family not in two_way:
                where = {"model": model, "suite": suite, **facets[code].slice, **direction}
                yield clustered_estimate(name, share, where)


def direction_tables(found: Analysis) -> list[Part]:
    neutral = AnalysisTable(
        "false-neutral",
        "Errors that answer neutral",
        "Percent of all errors, with 95% intervals. Published: systems of Naik et al. on the same data.",
        by=("suite", "family", "variant"),
    )
    antonymy = AnalysisTable(
        "antonymy",
        "Errors on antonymy by the answer given",
        "Percent of the errors, with 95% intervals.",
        by=("suite", "answer"),
    )
    as_in_paper = [
        each
        for each in found.select("direction", "label", "answer")
        if each.slice["family"] == "antonymy" and each.slice["label"] == "contradiction" and "variant" not in each.slice
    ]
    return [
        neutral.beside_published(found, _drop_single_variants(found.select("false-neutral")), "false neutral"),
        _direction_sheet(found, "direction", "Directions of errors", "errors of a model in a family"),
        _direction_sheet(found, "rate", "Directions of errors among all cases", "cases of a family"),
        *([antonymy.beside_published(found, as_in_paper, "share of errors")] if as_in_paper else []),
    ]


def _direction_sheet(found: Analysis, name: str, title: str, of: str) -> Sheet:
    own = [
        msgspec.structs.replace(each, slice={**each.slice, "direction": f"{label[0].upper()} to {answer[0].upper()}"})
        for each in _drop_single_variants(found.select(name, "label", "answer"))
        for label, answer in [(each.slice["label"], each.slice["answer"])]
    ]
    return AnalysisTable(
        name,
        title,
        f"Percent of the {of}. E: entailment, N: neutral, C: contradiction; the right label comes first.",
        by=("model", "suite", "family", "variant"),
        across="direction",
        show=plain_share,
        n="errors" if name == "direction" else "cases",
    ).sheet(own)


def _drop_single_variants(found: list[Estimate]) -> list[Estimate]:
    """Numbers of families, and of variants if a family has several."""
    variants: dict[str, set[str]] = {}
    for each in found:
        variants.setdefault(each.slice["family"], set()).update(filter(None, [each.slice.get("variant")]))
    return [each for each in found if "variant" not in each.slice or len(variants[each.slice["family"]]) > 1]


ANALYSIS = AnalysisEntry(
    "directions", "Errors by direction and family (Naik et al. 2018).", analyse_directions, direction_tables
)
