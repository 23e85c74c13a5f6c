"""Planning a run: how many source pairs each family needs to detect a loss. Suites are built, and no model is run."""

import msgspec

from assay.core.case import ORIGINAL
from assay.core.errors import UserError
from assay.core.option_fields import takes_options
from assay.core.registry import option
from assay.evaluate.case_columns import Encoder, Ints
from assay.evaluate.planning import FamilyPlan, check_effect, larger_groups, plan_families
from assay.run.api import Tell, planned_run
from assay.run.build.suite_cache import places_of, suites_of
from assay.run.run_options import RunOptions
from assay.run.workers.pool import Stage, quiet, worker_pool
from assay.storage.folders import scratch

PLANNED_ON = 2000
"""The most source pairs that a plan is made from."""


@takes_options(RunOptions, "source")
def plan(options: RunOptions, *, stage: Stage = quiet) -> list[FamilyPlan]:
    """Plan how many source pairs each family of `run` needs to detect a loss of `effect`, with the same arguments.

    One answer in five is assumed to change between right and wrong. Cases that share a premise or a word pair, and the
    correction for the number of families, count as they will in the run.

    >>> [first, *_] = plan("bundled", families=["negation"], effect=0.05)
    >>> first.family, first.cases, first.pairs_needed
    ('original', 750, 1213)
    """
    effect = check_effect(options.effect or 0.0)
    whole = msgspec.structs.replace(
        options, effect=None, sample=None if options.limit else options.sample or PLANNED_ON
    )
    groups: dict[str, Ints] = {}
    pairs = 0
    with planned_run(whole) as (spec, inputs), scratch() as home, worker_pool(options.workers) as workers:
        places = places_of(spec, cache=options.cache)
        suites = suites_of(spec, home / "suites", places, corpus=inputs.corpus, pool=workers, stage=stage)
        for suite in (suite for suite in suites.values() if ORIGINAL in suite.manifest.counts):
            encoder = Encoder()
            cases = encoder.cases(list(suite))
            pairs += sum(suite.manifest.counts[ORIGINAL].values())
            for number, family in enumerate(encoder.families):
                own = (cases.family == number) & cases.claims
                if own.any():
                    groups[family] = larger_groups(cases.unit[own], cases.cluster[own])
    return plan_families(groups, pairs=pairs, effect=effect)


def plan_text(plans: list[FamilyPlan], effect: float) -> str:
    """A plan as lines of text, and what it assumes."""
    width = max((len(each.family) for each in plans), default=0)
    lines = [f"Source pairs that detect a loss of {100 * effect:g} points four times out of five, by family"]
    for each in plans:
        now = f"{100 * each.detects:.1f} points" if each.detects else "no loss"
        lines.append(f"  {each.family:<{width}}  {each.pairs_needed:>8,} pairs; {each.cases:,} cases detect {now}")
    lines.append("This assumes that one answer in five changes between right and wrong.")
    return "\n".join(lines)


def draw_enough(options: RunOptions, tell: Tell, stage: Stage) -> RunOptions:
    """The options with a sample that detects the loss they name in every family, as far as the corpus allows it."""
    if options.sample is not None or options.limit is not None:
        raise UserError(
            f"{option('effect', '0.05')} determines how many pairs are drawn. Leave out the sample and the limit."
        )
    plans = plan(options=options, stage=stage)
    needed = max((each.pairs_needed for each in plans), default=1)
    tell(f"Drawing {needed:,} source pairs, or all if there are fewer:\n{plan_text(plans, options.effect or 0.0)}")
    return msgspec.structs.replace(options, effect=None, sample=needed)
