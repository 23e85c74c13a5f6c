"""Keyboard typos with provenance and proof, in sentences per second, against nlpaug's KeyboardAug."""

import importlib
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import assay
from assay.core.case import Recipe, case_from
from assay.core.chance import KeyedRandom
from assay.core.edit import Skip
from assay.core.pair import Pair
from assay.language.resources import wordnet
from assay.stress.checks.spelling import SpellingCheck
from assay.stress.spelling import Spelling

ROUNDS = 7
NAME = "spelling/v1"
CORPUS = Path(__file__).parents[2] / "shared" / "data" / "mnli" / "dev_matched.jsonl.gz"


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


def theirs() -> Callable[[list[Pair], int], int]:
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
        return len(augmenter.augment([pair.hypothesis for pair in pairs]))

    return augment


def main() -> None:
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else CORPUS
    if not source.is_file():
        sys.exit(f"No corpus at {source}; name a file of pairs.")
    pairs = list(assay.read(source))
    wordnet()  # both have their resources before the clock starts
    works = {"ours": ours, "nlpaug": theirs()}
    speeds: dict[str, list[float]] = {name: [] for name in works}
    for number in range(ROUNDS):  # by turns, so that a busy machine slows both; other typos every time
        for name, work in works.items():
            start = time.perf_counter()
            made = work(pairs, number)
            speeds[name].append(made / (time.perf_counter() - start))
    best = {name: max(each) for name, each in speeds.items()}
    print(
        f"{source.name}: {best['ours']:,.0f} sentences a second (the first round {speeds['ours'][0]:,.0f}), nlpaug "
        f"{best['nlpaug']:,.0f}: {best['ours'] / best['nlpaug']:.1f} times (at least 5)"
    )


if __name__ == "__main__":
    main()
