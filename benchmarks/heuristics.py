"""Generating the heuristics' pairs, parses included, beside a straightforward generator, and the ratio.

Both make 30 subcases of 1,000 pairs with four trees each. They take turns of about equal length, and the best turn of
each counts: what else the machine does slows both, and never makes one faster.
"""

import sys
import time
from collections.abc import Callable, Iterator

from _straightforward import straightforward
from assay.core.pair import Pair
from assay.stress.heuristics.build import GeneratedPairs

N = 1000
TURNS = 9
FASTER = 8
"""How often ours runs in a turn."""
ENOUGH = 5_000
"""What the straightforward one must reach to be worth comparing with."""


def rate(make: Callable[[int], Iterator[Pair]], turn: int, times: int) -> float:
    started = time.process_time()
    made = sum(1 for number in range(times) for _ in make(turn * times + number))
    return made / (time.process_time() - started)


def main() -> None:
    started = time.process_time()
    next(iter(GeneratedPairs(1)))
    print(f"loading the grammar and parsing its patterns, once: {time.process_time() - started:.2f} s")
    ours, theirs = [], []
    for turn in range(TURNS):
        theirs.append(rate(lambda seed: straightforward(N, seed), turn, 1))
        ours.append(rate(lambda seed: iter(GeneratedPairs(N, seed=seed)), turn, FASTER))
    if max(theirs) < ENOUGH:
        sys.exit(f"The straightforward generator makes {max(theirs):,.0f} examples a second, and should {ENOUGH:,}.")
    ratios = sorted(one / other for one, other in zip(ours, theirs, strict=True))
    print(f"straightforward  {max(theirs):>9,.0f} examples a second of processor time (at least {ENOUGH:,})")
    print(f"assay            {max(ours):>9,.0f}")
    print(
        f"ratio            {max(ours) / max(theirs):>9.1f} (at least 10); {ratios[0]:.1f} to {ratios[-1]:.1f} by turns"
    )


if __name__ == "__main__":
    main()
