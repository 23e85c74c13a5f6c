"""How `assay study recognise` does on the two halves of a file: the rules were written while looking at the first only.

    python benchmarks/recognition.py MED.tsv conj_dev.tsv

Pairs are taken in blocks of 20, which go to the two halves in turn, because neighbours are often alike.
"""

import argparse
from collections import Counter

import assay
from assay.bench.studies.recognition import recognised
from assay.core.label import Label

BLOCK = 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    for file in parser.parse_args().files:
        counts: Counter[tuple[int, str]] = Counter()
        for number, pair in enumerate(assay.read(file)):
            half = number // BLOCK % 2
            proven = recognised(pair).proven
            counts[half, "pairs"] += 1
            if proven is not None:
                label = proven.two_way if pair.label is Label.NON_ENTAILMENT else proven
                counts[half, "read"] += 1
                counts[half, "as in the file"] += label is pair.label
        for half in (0, 1):
            pairs, read, equal = (counts[half, name] for name in ("pairs", "read", "as in the file"))
            shares = f"{read / pairs:.1%} read, {equal / max(read, 1):.1%} of them as in the file"
            print(f"{file}, {'blocks that were looked at' if half == 0 else 'other blocks'}: {pairs:,} pairs, {shares}")


if __name__ == "__main__":
    main()
