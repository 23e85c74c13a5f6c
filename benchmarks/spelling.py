"""Keyboard typos with provenance and proof, in sentences per second, against nlpaug's KeyboardAug.

Ours is measured twice: the work alone in one process, which is what nlpaug does, and the whole `assay build` as it
comes by default, on all cores, with reading the corpus and writing the suite, which nlpaug does not do.
"""

import importlib
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import assay
from assay.core.case import Recipe, case_from
from assay.core.chance import KeyedRandom
from assay.core.edit import Skip
from assay.core.pair import Pair
from assay.language.forms import brief_forms
from assay.run.shards import default_workers
from assay.stress.checks.spelling import SpellingCheck
from assay.stress.spelling import Spelling

ROUNDS = 9
SLICE = 500
"""Sentences by which the two take turns: a busy machine slows both, and the best round of each slice counts."""
NAME = "spelling/v1"
CORPUS = Path(__file__).parents[2] / "shared" / "data" / "mnli" / "dev_matched.jsonl.gz"

Work = Callable[[list[Pair], int], int]


def ours(pairs: list[Pair], seed: int) -> int:
    """Cases with provenance, each proven."""
    recipe = Recipe(transform=NAME, options={"variant": "keyboard"}, seed=seed)
    transform, check, rng = Spelling(variant="keyboard"), SpellingCheck(), KeyedRandom(seed, transform=NAME)
    proven = 0
    for pair in pairs:
        edits = transform(pair, rng.keyed(pair.id))
        if not isinstance(edits, Skip):
            proven += check(case_from(pair, edits[0], family="spelling", recipe=recipe)) is None
    return proven


def theirs(threads: int) -> Work:
    """Changed texts: one letter of one word becomes another letter; all texts in one call, which is its fastest."""
    try:
        char: Any = importlib.import_module("nlpaug.augmenter.char")
    except ImportError:
        sys.exit("This compares with nlpaug, which is not here: pip install 'nli-assay[bench]'")
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
        return len(augmenter.augment([pair.hypothesis for pair in pairs], num_thread=threads))

    return augment


def in_turns(works: dict[str, Work], pairs: list[Pair]) -> tuple[dict[str, float], float]:
    """Sentences a second of each work, and of the first one when nothing was remembered yet."""
    slices = [pairs[start : start + SLICE] for start in range(0, len(pairs), SLICE)]
    best = {name: [float("inf")] * len(slices) for name in works}
    made = dict.fromkeys(works, 0)
    first = 0.0
    for number in range(ROUNDS):  # other typos every time
        made = dict.fromkeys(works, 0)
        for place, part in enumerate(slices):
            for name, work in works.items():
                start = time.perf_counter()
                made[name] += work(part, number)
                best[name][place] = min(best[name][place], time.perf_counter() - start)
        first = first or made["ours"] / sum(best["ours"])
    return {name: made[name] / sum(best[name]) for name in works}, first


def whole_build(source: Path) -> float:
    """Sentences a second of the whole command in its best round, with as many workers as it takes by default."""
    fastest = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(ROUNDS):
            start = time.perf_counter()
            out = Path(folder) / str(number)
            suite = assay.build("spelling:keyboard", source, out=out, seed=number, workers=default_workers())
            fastest = max(fastest, len(suite) / (time.perf_counter() - start))
    return fastest


def main() -> None:
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else CORPUS
    if not source.is_file():
        sys.exit(f"No corpus at {source}; name a file of pairs.")
    pairs = list(assay.read(source))
    brief_forms()  # both have their resources before the clock starts
    whole = whole_build(source)
    threads = sorted({1, 2, os.cpu_count() or 1})
    speeds, first = in_turns({"ours": ours} | {f"nlpaug {count}": theirs(count) for count in threads}, pairs)
    peer = max((name for name in speeds if name != "ours"), key=speeds.__getitem__)
    print(f"{source.name}, sentences a second; nlpaug at its best ({peer.split()[1]} of {threads} threads)")
    print(f"  nlpaug: {speeds[peer]:,.0f}")
    print(
        f"  ours in one process, from pair to proven case: {speeds['ours']:,.0f} (the first time {first:,.0f}): "
        f"{speeds['ours'] / speeds[peer]:.1f} times (at least 5)"
    )
    print(
        f"  ours by default, {default_workers()} workers, with reading and writing: {whole:,.0f}: "
        f"{whole / speeds[peer]:.1f} times"
    )


if __name__ == "__main__":
    main()
