"""How many template cases of the logic families are made and proven per second of processor time, after start-up.

python benchmarks/logic.py

With a corpus, the families from real sentences and antonymy side by side: pairs that are read per second.

python benchmarks/logic.py CORPUS
"""

import sys
import time
from collections.abc import Sequence
from itertools import islice

import assay
from assay.core.case import Case
from assay.core.pair import Pair
from assay.language.text.analysis import analyse
from assay.run.build.case_builder import TOGETHER, BuildStep
from assay.run.build.recipes import for_corpus, recipes_for
from assay.stress.logic.build import LogicPairs
from assay.stress.logic.pair_forms import LOGIC_FAMILIES
from assay.stress.logic.template_family import logic_family

PAIRS = 20_000
"""Of each family, about."""
CORPUS_PAIRS = 4_000
TURNS = 3
ENOUGH = 50_000
"""Proven cases per second over all families."""


def proven(name: str, seed: int) -> tuple[int, float]:
    """How many cases are proven, and how long it takes to generate the pairs, make the cases and prove them."""
    subcases = len({each.subcase for each in logic_family(name).templates})
    corpus = LogicPairs(name, PAIRS // subcases, seed=seed)
    step = BuildStep(corpus.recipe())
    started = time.process_time()
    found = 0
    pairs = iter(corpus)
    while some := list(islice(pairs, TOGETHER)):
        found += sum(isinstance(made, Case) for cases in step.of_all(some) for made in cases)
    return found, time.process_time() - started


def read(family: str, pairs: Sequence[Pair]) -> tuple[int, float]:
    """How many cases a family makes of some pairs and proves, and how long it takes with empty caches of texts."""
    analyse.cache_clear()
    step = BuildStep(recipes_for([family], seed=0)[0])
    started = time.process_time()
    found = 0
    for first in range(0, len(pairs), TOGETHER):
        found += sum(isinstance(made, Case) for cases in step.of_all(pairs[first : first + TOGETHER]) for made in cases)
    return found, time.process_time() - started


def beside_antonymy(corpus: str) -> None:
    pairs = list(islice(assay.read(corpus), CORPUS_PAIRS))
    names = for_corpus(["antonymy", "monotonicity", "conjunction", "quantifiers"])
    for name in names:
        read(name, pairs[:200])
    fastest = dict.fromkeys(names, 0.0)
    for turn in range(TURNS):
        for name in names:
            count, seconds = read(name, pairs[turn:])
            fastest[name] = max(fastest[name], len(pairs) / seconds)
            if turn == 0:
                print(f"{name:24} {count:>7,} cases of {len(pairs):,} pairs")
    for name, rate in fastest.items():
        print(f"{name:24} {rate:>7,.0f} pairs per second of processor time, {rate / fastest[names[0]]:.2f} of antonymy")


def main() -> None:
    if len(sys.argv) > 1:
        beside_antonymy(sys.argv[1])
        return
    started = time.process_time()
    for name in LOGIC_FAMILIES:
        proven(name, 0)
    print(f"start-up, and the first pairs of each form: {time.process_time() - started:.1f} s")
    rates = {}
    for name in LOGIC_FAMILIES:
        rates[name] = max(count / seconds for count, seconds in (proven(name, turn) for turn in range(1, TURNS + 1)))
        print(f"{name:13} {rates[name]:>9,.0f} proven cases per second of processor time")
    overall = len(rates) / sum(1 / rate for rate in rates.values())
    print(f"all           {overall:>9,.0f} (at least {ENOUGH:,})")
    if overall < ENOUGH:
        sys.exit(1)


if __name__ == "__main__":
    main()
