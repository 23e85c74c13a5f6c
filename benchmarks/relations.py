"""Relation features of sentence pairs: pairs a second, against a loop over NLTK's WordNet that remembers its senses."""

import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # the loop is the tests' reference

import numpy as np
from numpy.typing import NDArray
from tests.language.relations_reference import Reference
from tests.stress.wordnet_folder import nltk_wordnet

import assay
from assay.language.resources.installed import wordnet
from assay.language.text.analysis import analyse
from assay.language.words.wordnet_relations import VECTORS, find_lemma, relation_index

DATA = Path(__file__).parents[2] / "shared" / "data" / "snli" / "train_subset.jsonl.gz"
PAIRS, BY_LOOP, BATCH, CHUNK = 20_000, 100, 64, 512
WANTED = 20_000

Words = list[str]
Pair = tuple[Words, Words]


def lemmas(text: str) -> Words:
    return [find_lemma(token.text, token.tag).lower() for token in analyse(text)]


def rate(work: Callable[[list[Pair]], object], pairs: list[Pair], *, rounds: int = 5) -> float:
    """Pairs a second of one core's time, by the best time of every chunk, so that a busy machine does not count."""
    chunks = [pairs[start : start + CHUNK] for start in range(0, len(pairs), CHUNK)]
    best = [float("inf")] * len(chunks)
    for _ in range(rounds):
        for i, chunk in enumerate(chunks):
            start = time.process_time()
            work(chunk)
            best[i] = min(best[i], time.process_time() - start)
    return len(pairs) / sum(best)


def one_by_one(pairs: list[Pair]) -> None:
    features = relation_index().features
    for premise, hypothesis in pairs:
        features(premise, hypothesis)


def in_batches(pairs: list[Pair]) -> None:
    index = relation_index()
    for start in range(0, len(pairs), BATCH):
        premises, hypotheses = (
            padded([index.numbers(words) for words in side]) for side in zip(*pairs[start : start + BATCH], strict=True)
        )
        VECTORS[index.codes(premises, hypotheses)]  # (pairs, premise words, hypothesis words, 5)


def padded(sentences: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    batch = np.zeros((len(sentences), max(map(len, sentences))), dtype=np.int64)
    for row, sentence in zip(batch, sentences, strict=True):
        row[: len(sentence)] = sentence
    return batch


def main() -> None:
    source = Path(sys.argv[1]) if sys.argv[1:] else DATA
    if not source.is_file():
        sys.exit(f"No corpus at {source}; name a file of pairs.")
    wordnet()
    start = time.process_time()
    index = relation_index()
    print(f"the index is built in {time.process_time() - start:.1f} s")
    pairs = [(lemmas(pair.premise), lemmas(pair.hypothesis)) for pair in assay.read(source, limit=PAIRS)]
    words = sum(len(premise) * len(hypothesis) for premise, hypothesis in pairs) / len(pairs)
    print(f"{len(pairs):,} pairs of {source.name}, {words:.0f} pairs of words each, on one core:")
    single, batched = rate(one_by_one, pairs), rate(in_batches, pairs)
    print(f"  one by one: {single:,.0f} pairs a second ({WANTED:,})")
    print(f"  in padded batches of {BATCH}: {batched:,.0f} pairs a second")
    with nltk_wordnet() as reader:
        reference = Reference(reader)

        def loop(some: list[Pair]) -> list[NDArray[np.float32]]:
            return [
                np.array([[reference.features(a, b) for b in two] for a in one], dtype=np.float32) for one, two in some
            ]

        few = pairs[:BY_LOOP]
        same = all((a == index.features(*pair)).all() for a, pair in zip(loop(few), few, strict=True))
        slow = rate(loop, few)
    print(f"  a loop over NLTK's WordNet: {slow:,.0f} pairs a second, {'the same' if same else 'OTHER'} features")
    print(f"  {single / slow:.0f} and {batched / slow:.0f} times")


if __name__ == "__main__":
    main()
