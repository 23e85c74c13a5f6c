"""How `assay audit --gold-labels` does on two parts of a file: the rules were written while looking at the first only.

    python benchmarks/recognition.py MED.tsv conj_dev.tsv

Pairs are taken in blocks of 20, because neighbours are often alike. The last of each four blocks was not looked at.
"""

import argparse
from collections import Counter

import assay
from assay.audit.label_audit import derive_labels
from assay.core.label import Label
from assay.core.label_space import TWO_LABELS

BLOCK = 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    for file in parser.parse_args().files:
        counts: Counter[tuple[int, str]] = Counter()
        for number, pair in enumerate(assay.read(file)):
            part = int(number // BLOCK % 4 == 3)
            labels = derive_labels(pair.premise, pair.hypothesis).labels
            counts[part, "pairs"] += 1
            if labels:
                allowed = {TWO_LABELS.read(each) for each in labels} if pair.label is Label.NON_ENTAILMENT else labels
                counts[part, "read"] += 1
                counts[part, "as in the file"] += pair.label in allowed
        for part in (0, 1):
            pairs, read, equal = (counts[part, name] for name in ("pairs", "read", "as in the file"))
            shares = f"{read / pairs:.1%} read, {equal / max(read, 1):.1%} of them as in the file"
            print(f"{file}, {'blocks that were looked at' if part == 0 else 'other blocks'}: {pairs:,} pairs, {shares}")


if __name__ == "__main__":
    main()
