"""How often every verdict that Assay prints is wrong, in simulated data, and how often it finds what is there."""

import argparse
import importlib
import sys

from calibrating.rate import Rate

PARTS = ("intervals", "paired", "guessing", "claims", "rankings", "trainings", "confidence", "diagnosis")

HEAD = "| verdict | condition | nominal | wrong (95% interval) | power or width | draws | seed |"


def main() -> None:
    """Print the table, one row as soon as it is simulated; exit with 1 if a verdict is wrong too often."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=PARTS, help="one part of the table")
    parser.add_argument("--draws", type=int, default=2000, help="draws per row (default: 2000)")
    parser.add_argument("--seed", type=int, default=33, help="seed of all draws (default: 33)")
    options = parser.parse_args()
    broken = 0
    print(f"{HEAD}\n| --- | --- | --: | --- | --- | --: | --: |")
    for name in PARTS if options.only is None else [options.only]:
        for row in importlib.import_module(f"calibrating.{name}").rates(options.draws, options.seed):
            print(_line(row, options.seed), flush=True)
            broken += not row.holds
    sys.exit(bool(broken))


def _line(row: Rate, seed: int) -> str:
    low, high = row.interval
    wrong = f"{row.wrong / row.draws:.1%} ({low:.1%} to {high:.1%})"
    wrong += "" if row.holds else " **too often**"
    condition = f"{row.condition} ({row.why})" if row.why else row.condition
    return f"| {row.verdict} | {condition} | {row.nominal:.1%} | {wrong} | {row.power} | {row.draws:,} | {seed} |"


if __name__ == "__main__":
    main()
