"""HANS by subcase and template, entailed and not, and what training says for the heuristics (McCoy et al. 2019)."""

from collections.abc import Sequence
from pathlib import Path

from assay.bench.analyses.opened import opened
from assay.bench.stages import Stage, quiet
from assay.bench.stored import Run
from assay.bench.studies.support import study_support
from assay.core.analysis import Analysis
from assay.core.errors import UserError
from assay.core.results.estimate import Estimate
from assay.corpora.reading import CorpusReader

GROUPS = ({"heuristic", "label"}, {"subcase", "label"}, {"template", "label"})
"""What accuracy is shown by."""


def analyse_subcases(
    run: Run,
    *,
    models: Sequence[str] = (),
    train: str | Path | CorpusReader | None = None,
    workers: int = 1,
    stage: Stage = quiet,
) -> Analysis:
    """Accuracy by heuristic, subcase and template for each label; with a training corpus, its support."""
    found = opened(run, models)
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
    return Analysis(
        name="subcases",
        runs=(found.record.id,),
        suites={name: each for name, each in found.asked.items() if name in suites},
        estimates=tuple(own),
        settings=settings,
    )
