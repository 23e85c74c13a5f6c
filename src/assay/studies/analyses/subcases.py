"""Accuracy on HANS by subcase, template and label, and support for its heuristics in training (McCoy et al. 2019)."""

from collections.abc import Sequence
from pathlib import Path

from assay.core.errors import UserError
from assay.core.estimate import Estimate
from assay.corpora.reader import CorpusReader
from assay.reports.published.published_results import table as published
from assay.reports.tables.sheet import Part
from assay.run.stored_run import Run
from assay.run.workers.pool import Stage, quiet
from assay.studies.analyses.analysis_result import Analysis, AnalysisEntry, open_for_analysis
from assay.studies.analyses.analysis_tables import METRIC, AnalysisTable, number_cell
from assay.studies.experiments.heuristic_support import study_support

GROUPS = ({"heuristic", "label"}, {"subcase", "label"}, {"template", "label"})  # slices that accuracy is shown by


def analyse_subcases(
    run: Run,
    *,
    models: Sequence[str] = (),
    train: str | Path | CorpusReader | None = None,
    workers: int = 1,
    stage: Stage = quiet,
) -> Analysis:
    """Accuracy by heuristic, subcase and template for each label; with a training corpus, its support."""
    found = open_for_analysis(run, models)
    own = [
        each
        for each in found.record.estimates
        if each.name == "accuracy"
        and each.slice["model"] in found.models
        and {*each.slice} - {"model", "suite", "family"} in GROUPS
    ]
    if not own:
        raise UserError(
            f"No case of the run {found.record.id} names its heuristic, subcase or template.\n"
            "  Run on HANS (assay run --family original --from heuristics_evaluation_set.txt), or generate such pairs: "
            "assay run --family heuristics"
        )
    settings = {}
    if train is not None:
        studied = study_support(train, workers=workers, stage=stage)
        settings["train"] = f"{studied.source.name}, {studied.source.pairs:,} pairs"
        for definition, shares in studied.counts.items():
            for heuristic, share in shares.items():
                if share is not None:
                    where = {"heuristic": heuristic, "definition": definition}
                    n = share.support + share.contradict
                    own.append(Estimate(name="support", value=float(share.support), n=n, slice=where))
                    own.append(Estimate(name="contradict", value=float(share.contradict), n=n, slice=where))
    suites = {each.slice["suite"] for each in own if "suite" in each.slice}
    return found.result("hans-subcases", own, suites=[*suites], settings=settings)


def subcase_tables(found: Analysis) -> list[Part]:
    parts: list[Part] = []
    for name, title in (("heuristic", "Heuristics"), ("subcase", "Subcases"), ("template", "Templates")):
        table = AnalysisTable(
            f"{name}s",
            f"{title}, entailed and not",
            "Accuracy in %, with 95% intervals.",
            by=("suite", "label", name),
            n="cases",
        )
        if own := found.select("accuracy", name, "label"):
            parts.append(table.beside_published(found, own, "accuracy", as_family="heuristics"))
    support = [*found.select("support", "definition"), *found.select("contradict", "definition")]
    if support:
        printed = {row.name.replace("_", " "): row.values for row in published("mccoy2019", "section 2").rows}
        told = ", ".join(f"{name} {values[0]} and {values[1]}" for name, values in printed.items())
        table = AnalysisTable(
            "support",
            f"Pairs of {found.settings['train']} that support and contradict a heuristic",
            f"In McCoy et al. (2019), for all of MultiNLI's training pairs: {told}.",
            by=("definition", "heuristic"),
            across=METRIC,
            show=number_cell,
        )
        parts.append(table.sheet(support))
    return parts


ANALYSIS = AnalysisEntry(
    "hans-subcases", "Accuracy by subcase of HANS (McCoy et al. 2019).", analyse_subcases, subcase_tables
)
