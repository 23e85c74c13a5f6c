"""How often every verdict that Assay prints is wrong, in simulated data, and how often it finds what is there."""

import argparse
import importlib
import pkgutil
import sys

import calibrating


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parts = sorted(each.name for each in pkgutil.iter_modules(calibrating.__path__) if each.name != "rate")
    parser.add_argument("--only", choices=parts, help="one part of the table")
    parser.add_argument("--draws", type=int, default=2000, help="draws per row (default: 2000)")
    options = parser.parse_args()
    broken = 0
    print("| verdict | condition | nominal | wrong | draws | power |\n| --- | --- | --: | --: | --: | --- |")
    for name in parts if options.only is None else [options.only]:
        for row in importlib.import_module(f"calibrating.{name}").rates(options.draws):
            low, high = row.interval
            share = f"{row.wrong / row.draws:.1%} ({low:.1%} to {high:.1%}){'' if row.holds else ' **too often**'}"
            print(
                f"| {row.verdict} | {row.condition} | {row.nominal:.1%} | {share} | {row.draws:,} | {row.power} |",
                flush=True,
            )
            broken += not row.holds
    sys.exit(bool(broken))


if __name__ == "__main__":
    main()
