"""How many sentences of running text with a number give a case of `quantities` across the pair.

    python benchmarks/quantity_yield.py SEED NAME=FILE [NAME=FILE ...] [--show cases|misses]

Draws 200 premises with a number, the same number from each corpus. A number has a digit, or is a number word from "two"
on. Each sentence is a claim with itself as the evidence, so that every verified edit of its numbers is a case.
"""

import argparse
import re
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

import assay
from assay.core.case import Case
from assay.core.label import Label
from assay.core.pair import Pair
from assay.core.rng import rng_for
from assay.evaluate.intervals import wilson

SENTENCES = 200
TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
WORDS = f"two three four five six seven eight nine ten eleven twelve {TENS} hundred thousand million billion dozen"
NUMBER = re.compile(rf"(?<![\w.,&#-])\d|\b(?:(?:{'|'.join(WORDS.split())})s?|\w+teen)\b", re.IGNORECASE)


def draw_sentences(corpus: str, file: str, many: int, *, seed: int) -> list[Pair]:
    """Premises with a number, each with itself as the hypothesis."""
    texts = sorted({pair.premise.strip() for pair in assay.read(file) if NUMBER.search(pair.premise)})
    drawn = rng_for(seed, transform="quantity-yield", pair=corpus).sample(texts, min(many, len(texts)))
    return [
        Pair(id=f"{corpus}-{number}", premise=text, hypothesis=text, label=Label.ENTAILMENT)
        for number, text in enumerate(drawn)
    ]


def describe_yield(name: str, given: int, of: int) -> str:
    """The share of sentences that give a case, with its interval."""
    interval = wilson(given / of, of)
    return f"{name:<20} {given:>4} of {of} ({given / of:.1%}; {interval.low:.1%} to {interval.high:.1%})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seed", type=int)
    parser.add_argument("corpora", nargs="+", metavar="NAME=FILE")
    parser.add_argument("--show", choices=("cases", "misses"))
    options = parser.parse_args()
    many = SENTENCES // len(options.corpora)
    pairs = [
        pair
        for corpus, _, file in (corpus.partition("=") for corpus in options.corpora)
        for pair in draw_sentences(corpus, file, many, seed=options.seed)
    ]
    cases: dict[str, list[Case]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        suite = assay.build("quantities", pairs, out=Path(folder) / "suite", seed=options.seed, across=True)
        for case in suite:
            cases[case.origin].append(case)
    for pair in pairs:
        if options.show == "misses" and not cases[pair.id]:
            print(f"{pair.id}\t{pair.premise}")
        for case in cases[pair.id] if options.show == "cases" else ():
            print(f"{case.id}\t{case.compared_with}\t{pair.premise}\t{case.hypothesis}")
    for corpus, _, _file in (corpus.partition("=") for corpus in options.corpora):
        own = [pair for pair in pairs if pair.id.rpartition("-")[0] == corpus]
        print(describe_yield(corpus, sum(bool(cases[pair.id]) for pair in own), len(own)))
    print(describe_yield("all", sum(bool(cases[pair.id]) for pair in pairs), len(pairs)))
    kinds = Counter(case.group["quantity"] for found in cases.values() for case in found)
    print("cases: " + ", ".join(f"{kind} {count}" for kind, count in kinds.most_common()))


if __name__ == "__main__":
    main()
