"""Antonyms with `code` fidelity against a plain loop over NLTK's WordNet that makes the same pairs."""

import statistics
import sys
import time
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))  # the loop is the tests' reference

import msgspec
from tests.stress.antonymy_reference import all_pairs
from tests.stress.wordnet_folder import nltk_wordnet

import assay
from assay.core.pair import Pair, Parses
from assay.language.resources.installed import wordnet
from assay.language.text.tokens import tokens
from assay.stress.antonymy.build import Antonymy

ROUNDS = 3
SLICE = 1000
"""Pairs by which the two take turns: a busy machine slows both."""
DATA = Path(__file__).parents[2] / "shared" / "data"
CORPORA = ("snli/snli_1.0_dev.jsonl.gz", "snli/snli_1.0_test.jsonl.gz", "mnli/dev_matched.jsonl.gz")


def with_parses(pair: Pair) -> Pair:
    """The pair with parses that hold its tokens, as MultiNLI's own files have: finding tokens is not compared here."""
    if pair.parses:
        return pair
    premise, hypothesis = (" ".join(token.text for token in tokens(text)) for text in (pair.premise, pair.hypothesis))
    return msgspec.structs.replace(pair, parses=Parses(premise_binary=premise, hypothesis_binary=hypothesis))


def ours(pairs: list[Pair]) -> set[tuple[str, str]]:
    """The pairs, with sense, provenance and place of each change on the way."""
    transform = Antonymy(fidelity="code")
    rng = Random(0)
    made: set[tuple[str, str]] = set()
    for pair in pairs:
        edits = transform(pair, rng)
        if isinstance(edits, list):
            made.update([edit.apply(pair) for edit in edits])
    return made


class Turn(NamedTuple):
    """Seconds for the same pairs."""

    ours: float
    nltk: float


def turn(reader: Any, pairs: list[Pair]) -> Turn:
    """One after the other; ours knows no text from before."""
    Antonymy(fidelity="code").maker.edits.cache_clear()
    start = time.process_time()
    ours(pairs)
    between = time.process_time()
    all_pairs(reader, pairs)
    return Turn(between - start, time.process_time() - between)


def main() -> None:
    sources = [Path(name) for name in sys.argv[1:]] or [DATA / name for name in CORPORA]
    for source in sources:
        if not source.is_file():
            sys.exit(f"No corpus at {source}; name files of pairs.")
    wordnet()
    with nltk_wordnet() as reader:
        reader.synsets("dog")  # both have their resources before the clock starts
        for source in sources:
            pairs = [with_parses(pair) for pair in assay.read(source)]
            made, expected = ours(pairs), all_pairs(reader, pairs)  # and both know the words
            slices = [pairs[start : start + SLICE] for start in range(0, len(pairs), SLICE)]
            turns = [turn(reader, part) for _ in range(ROUNDS) for part in slices]
            mine, other = (sum(seconds) / ROUNDS for seconds in zip(*turns, strict=True))
            print(
                f"{source.name}: {len(pairs):,} pairs, {len(made):,} cases, "
                f"{'the same' if made == expected else 'OTHER'} as NLTK's; {mine:.2f} s against {other:.2f} s: "
                f"{statistics.median([each.nltk / each.ours for each in turns]):.1f} times (at least 20)"
            )


if __name__ == "__main__":
    main()
