"""How many cases families give on corpora, by fidelity and label, and why not more: the counts of docs/reference/tests.

`python benchmarks/counts.py FAMILIES CORPUS...`, with commas between families.
"""

import sys
import tempfile
from pathlib import Path

import assay

FIDELITIES = ("strict", "paper", "code")


def main() -> None:
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    families, *sources = sys.argv[1:]
    for source in sources:
        for fidelity in FIDELITIES:
            with tempfile.TemporaryDirectory() as folder:
                names = families.split(",")
                suite = assay.build(names, source, out=Path(folder) / "suite", switches={"fidelity": fidelity})
            manifest = suite.manifest
            print(f"{manifest.source.name}, {manifest.source.pairs:,} pairs, {fidelity}")
            for family, labels in manifest.counts.items():
                print(f"  {family}: {sum(labels.values()):,} ({', '.join(f'{k} {n:,}' for k, n in labels.items())})")
            for family, reasons in manifest.skips.items():
                for reason, count in reasons.items():
                    print(f"    {family} not made: {count:,} {reason}")


if __name__ == "__main__":
    main()
