"""How many template cases of the logic families are made and proven per second of processor time, after start-up.

python benchmarks/logic.py
"""

import sys
import time
from itertools import islice

from assay.bench.build.make import TOGETHER, Step
from assay.core.case import Case
from assay.stress.logic.corpus import LogicPairs
from assay.stress.logic.family import logic_family
from assay.stress.logic.natural.forms import FAMILIES

PAIRS = 20_000
"""Of each family, about."""
TURNS = 3
ENOUGH = 50_000
"""Proven cases per second over all families."""


def proven(name: str, seed: int) -> tuple[int, float]:
    """How many cases are proven, and how long it takes to generate the pairs, make the cases and prove them."""
    subcases = len({each.subcase for each in logic_family(name).templates})
    corpus = LogicPairs(name, PAIRS // subcases, seed=seed)
    step = Step(corpus.recipe())
    started = time.process_time()
    found = 0
    pairs = iter(corpus)
    while some := list(islice(pairs, TOGETHER)):
        found += sum(isinstance(made, Case) for cases in step.of_all(some) for made in cases)
    return found, time.process_time() - started


def main() -> None:
    started = time.process_time()
    for name in FAMILIES:
        proven(name, 0)
    print(f"start-up, and the first pairs of each form: {time.process_time() - started:.1f} s")
    rates = {}
    for name in FAMILIES:
        rates[name] = max(count / seconds for count, seconds in (proven(name, turn) for turn in range(1, TURNS + 1)))
        print(f"{name:13} {rates[name]:>9,.0f} proven cases per second of processor time")
    overall = len(rates) / sum(1 / rate for rate in rates.values())
    print(f"all           {overall:>9,.0f} (at least {ENOUGH:,})")
    if overall < ENOUGH:
        sys.exit(1)


if __name__ == "__main__":
    main()
