"""Planning a run: how many source pairs each family needs to detect a loss. Suites are built, and no model is run."""

from collections.abc import Mapping
from math import ceil, sqrt
from statistics import NormalDist

import msgspec
import numpy

from assay.core.case import ORIGINAL
from assay.core.errors import UserError
from assay.core.option_fields import takes_options
from assay.core.registry import option
from assay.evaluate.case_columns import Encoder, Ints
from assay.evaluate.paired import LEVEL, Z_POWER, smallest_difference
from assay.run.api import Tell, planned_run
from assay.run.build.suite_cache import places_of, suites_of
from assay.run.run_options import RunOptions
from assay.run.workers.pool import Stage, quiet, worker_pool
from assay.storage.folders import scratch

PLANNED_ON = 2000  # the most source pairs that a plan is made from
CHANGED = 0.2  # the fraction of cases that are assumed to change between right and wrong, in either direction
ALIKE = 0.3  # how strongly cases that share a premise or a word pair are assumed to change together, from 0 to 1


class FamilyPlan(msgspec.Struct, frozen=True, kw_only=True):
    """The smallest loss that a family's cases can show, and the pairs that a wanted loss needs."""

    family: str
    cases: int
    groups: int  # groups of cases that share a premise or a word pair
    detects: float | None  # the smallest loss that these cases detect four times out of five; None if none
    pairs_needed: int


def check_effect(effect: float) -> float:
    """A loss to detect, as a share.

    >>> check_effect(5)
    Traceback (most recent call last):
    ...
    assay.core.errors.UserError: A loss of 5 can't be planned for.
      It is a fraction between 0 and 1: write 0.05 for 5 points.
    """
    if not 0 < effect < 1:
        raise UserError(
            f"A loss of {effect:g} can't be planned for.\n  It is a fraction between 0 and 1: write 0.05 for 5 points."
        )
    return effect


def cases_to_detect(effect: float, *, tests: int = 1, design_effect: float = 1.0) -> int:
    """Cases that detect a loss four times out of five, if a fraction of them changes, with this many tests.

    >>> cases_to_detect(0.05), cases_to_detect(0.05, tests=8)
    (626, 1020)
    """
    changed = max(CHANGED, effect)
    z = NormalDist().inv_cdf(1 - LEVEL / (2 * tests))
    return ceil(((z * sqrt(changed) + Z_POWER * sqrt(changed - effect**2)) / effect) ** 2 * design_effect)


def larger_groups(*kinds: Ints) -> Ints:
    """The sizes of groups of one kind, such as by premise or by word pair: the kind with the larger groups.

    >>> larger_groups(numpy.array([1, 2, 3]), numpy.array([7, 7, 9])).tolist()
    [2, 1]
    """
    sizes = [numpy.unique(kind, return_counts=True)[1] for kind in kinds]
    return max(sizes, key=lambda own: float((own * own).sum()))


def plan_families(groups: Mapping[str, Ints], *, pairs: int, effect: float) -> list[FamilyPlan]:
    """The plan of each family, from the sizes of its groups of cases and the number of source pairs they come from.

    >>> [plan] = plan_families({"negation": numpy.ones(200, dtype=int)}, pairs=200, effect=0.05)
    >>> round(plan.detects, 3), plan.pairs_needed
    (0.088, 626)
    """
    check_effect(effect)
    found = []
    for family, sizes in groups.items():
        cases = int(sizes.sum())
        typical = float((sizes * sizes).sum()) / cases
        inflation = 1 + ALIKE * (typical - 1)
        needed = cases_to_detect(effect, tests=len(groups), design_effect=inflation)
        found.append(
            FamilyPlan(
                family=family,
                cases=cases,
                groups=len(sizes),
                detects=smallest_difference(cases / inflation, CHANGED, tests=len(groups)),
                pairs_needed=ceil(needed / cases * pairs),
            )
        )
    return found


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
