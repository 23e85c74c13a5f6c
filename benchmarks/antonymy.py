"""Antonyms with `code` fidelity against a plain loop over NLTK's WordNet that makes the same pairs."""

import sys
import time
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))  # the loop is the tests' reference

import msgspec
from tests.stress.antonymy_reference import all_pairs
from tests.stress.wordnet_folder import nltk_wordnet

import assay
from assay.core.pair import Pair, Parses
from assay.language.resources import wordnet
from assay.language.tokens import tokens
from assay.stress.antonymy import Antonymy

ROUNDS = 3
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
            best = {"ours": float("inf"), "nltk": float("inf")}
            made: dict[str, set[tuple[str, str]]] = {}
            for _ in range(ROUNDS):  # by turns, so that a busy machine slows both
                # both see the texts for the first time, and know the words from before
                Antonymy(fidelity="code").maker.edits.cache_clear()
                for name, work in (("ours", ours), ("nltk", lambda each: all_pairs(reader, each))):
                    start = time.process_time()
                    made[name] = work(pairs)
                    best[name] = min(best[name], time.process_time() - start)
            same = "the same" if made["ours"] == made["nltk"] else "OTHER"
            print(
                f"{source.name}: {len(pairs):,} pairs, {len(made['ours']):,} cases, {same} as NLTK's; "
                f"{best['ours']:.2f} s against {best['nltk']:.2f} s: {best['nltk'] / best['ours']:.1f} times (20)"
            )


if __name__ == "__main__":
    main()
