"""Keyboard typos with provenance and proof, in sentences per second, against nlpaug's KeyboardAug.

Ours is measured twice: the work alone in one process, which is what nlpaug does, and the whole `assay build` as it
comes by default, on all cores, with reading the corpus and writing the suite, which nlpaug does not do.

In one process the two take turns, slice by slice, in processor time; a round's ratio is the median of its slices'.
The first round meets every word for the first time; every later one draws other typos in words that may be known.
"""

import importlib
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import assay
from assay.core.case import Recipe, case_from
from assay.core.pair import Pair
from assay.core.rng import KeyedRandom
from assay.language.words.word_forms import known_forms
from assay.run.build.case_builder import TOGETHER
from assay.run.workers.pool import default_workers, in_batches
from assay.stress.spelling.build import Spelling
from assay.stress.spelling.check import SpellingCheck

ROUNDS = 6
BUILDS = 3
SLICE = 500
"""Sentences by which the two take turns: a busy machine slows both."""
NAME = "spelling/v1"
CORPUS = Path(__file__).parents[2] / "shared" / "data" / "mnli" / "dev_matched.jsonl.gz"

Work = Callable[[list[Pair], int], int]


def ours(pairs: list[Pair], seed: int) -> int:
    """Cases with provenance, each proven."""
    recipe = Recipe(transform=NAME, options={"variant": "keyboard"}, seed=seed)
    transform, check, rng = Spelling(variant="keyboard"), SpellingCheck(), KeyedRandom(seed, transform=NAME)
    proven = 0
    for some in in_batches(pairs, TOGETHER):  # stage by stage, as a build does it
        drawn = [(pair, transform(pair, rng.keyed(pair.id))) for pair in some]
        cases = [
            case_from(pair, edits[0], family="spelling", recipe=recipe)
            for pair, edits in drawn
            if isinstance(edits, list)
        ]
        proven += [check(case) for case in cases].count(None)
    return proven


def theirs() -> Work:
    """Changed texts: one letter of one word becomes another letter.

    All texts in one call and in one thread is its fastest: with more, it starts a pool for every few texts.
    """
    try:
        char: Any = importlib.import_module("nlpaug.augmenter.char")
    except ImportError:
        sys.exit("This compares with nlpaug, which is not here: pip install '.[bench]'")
    augmenter = char.KeyboardAug(
        aug_char_min=1,
        aug_char_max=1,
        aug_word_min=1,
        aug_word_max=1,
        min_char=3,
        include_special_char=False,
        include_numeric=False,
        include_upper_case=False,
    )

    def augment(pairs: list[Pair], _seed: int) -> int:
        return len(augmenter.augment([pair.hypothesis for pair in pairs]))

    return augment


class Turn(NamedTuple):
    """Seconds for one slice."""

    ours: float
    theirs: float

    @property
    def ratio(self) -> float:
        return self.theirs / self.ours


def taken(work: Work, pairs: list[Pair], seed: int, clock: Callable[[], float] = time.process_time) -> float:
    start = clock()
    work(pairs, seed)
    return clock() - start


def build_turn(source: Path, pairs: list[Pair], peer: Work, seed: int) -> Turn:
    """The whole command with as many workers as it takes by default, and the peer's work, by the clock on the wall."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        assay.build("spelling:keyboard", source, out=Path(folder) / "suite", seed=seed, workers=default_workers())
        whole = time.perf_counter() - start
    return Turn(whole, taken(peer, pairs, seed, time.perf_counter))


def main() -> None:
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else CORPUS
    if not source.is_file():
        sys.exit(f"No corpus at {source}; name a file of pairs.")
    pairs, peer = list(assay.read(source)), theirs()
    known_forms()  # both have their resources before the clock starts
    slices = [pairs[start : start + SLICE] for start in range(0, len(pairs), SLICE)]
    print(f"{source.name}, one process, from pair to proven case, sentences a second of processor time:")
    for number in range(ROUNDS):
        turns = [Turn(taken(ours, part, number), taken(peer, part, number)) for part in slices]
        mine, other = (len(pairs) / sum(seconds) for seconds in zip(*turns, strict=True))
        ratio = statistics.median([turn.ratio for turn in turns])
        print(f"  round {number + 1}: ours {mine:,.0f}, nlpaug {other:,.0f}: {ratio:.1f} times (at least 5)")
    whole = statistics.median([build_turn(source, pairs, peer, number).ratio for number in range(BUILDS)])
    print(f"  the whole build by default, {default_workers()} workers, reading and writing too: {whole:.1f} times")


if __name__ == "__main__":
    main()
