"""Makes the files that MiniLM and ESIM are trained on: `python tools/training_mix.py DATA OUT`.

Pairs that come from one protocol go into one file, with equally many of each label. Whatever could be known from a test
is left out: pairs of an evaluation set, and pairs whose premise is one of SNLI's or MultiNLI's evaluation premises.
`OUT/counts.json` says how many pairs were read, left out for each reason, and written.
"""

import argparse
import gzip
import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import assay

GROUPS = {
    "snli": ("snli/train_subset.jsonl.gz", "more/snli_more.jsonl.gz"),
    "mnli": ("mnli/train_subset.jsonl.gz",),
    "wanli": ("more/wanli_subset.jsonl.gz",),
    "edited": ("more/cf_nli.jsonl.gz", "more/disco.jsonl.gz"),
}
"""The training files by the protocol behind them. Files whose licence is unknown are not among them."""

TESTS = (
    "snli/snli_1.0_dev.jsonl.gz",
    "snli/snli_1.0_test.jsonl.gz",
    "mnli/dev_matched.jsonl.gz",
    "mnli/dev_mismatched.jsonl.gz",
)
"""Evaluation sets none of whose premises may be in training."""

OTHER_TESTS = (
    "breaking_nli/dataset.jsonl.gz",
    "hans/heuristics_evaluation_set.txt.gz",
    "sick/SICK_test_annotated.txt.gz",
    "scitail/test.jsonl.gz",
)
"""Evaluation sets none of whose pairs may be in training. Breaking NLI has premises of SNLI's training part."""


def main() -> None:
    """Write a file per group, and the counts."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    held_premises = {plain(pair.premise) for test in TESTS for pair in read(options.data / test)}
    held_pairs = {key_of(pair) for test in OTHER_TESTS for pair in read(options.data / test)}
    held_pairs |= {key_of(pair) for pair in assay.read("bundled")}
    seen: set[tuple[str, str]] = set()
    counts = {}
    for group, files in GROUPS.items():
        outcomes: Counter[str] = Counter()
        by_label: dict[str, list[assay.Pair]] = {}
        for file in files:
            for pair in read(options.data / file):
                key = key_of(pair)
                reason = (
                    "premise of a test" if key[0] in held_premises
                    else "pair of a test" if key in held_pairs
                    else "seen before" if key in seen
                    else "free"
                )  # fmt: skip
                outcomes[reason] += 1
                if reason == "free":
                    seen.add(key)
                    by_label.setdefault(str(pair.label), []).append(pair)
        rng = random.Random(f"{options.seed} {group}")  # noqa: S311 - samples, not secrets
        most = min(map(len, by_label.values()))
        drawn = [pair for pairs in by_label.values() for pair in rng.sample(pairs, most)]
        rng.shuffle(drawn)
        with gzip.open(options.out / f"{group}.jsonl.gz", "wt", encoding="utf-8") as file_out:
            for number, pair in enumerate(drawn):
                row = {"id": f"{group}-{number}", "premise": pair.premise, "hypothesis": pair.hypothesis}
                file_out.write(json.dumps(row | {"label": str(pair.label)}, ensure_ascii=False) + "\n")
        labels = {label: len(pairs) for label, pairs in sorted(by_label.items())}
        counts[group] = {"files": files, "read": outcomes.total(), **outcomes, "labels": labels, "written": len(drawn)}
        print(group, counts[group], flush=True)
    (options.out / "counts.json").write_text(json.dumps(counts, indent=1) + "\n", encoding="utf-8")


def read(file: Path) -> Iterator[assay.Pair]:
    """Pairs that have one of the three labels."""
    return (pair for pair in assay.read(file) if str(pair.label) in {"entailment", "neutral", "contradiction"})


def plain(text: str) -> str:
    """Words in lower case alone, because some files are tokenised."""
    return " ".join(re.findall(r"\w+", text.lower()))


def key_of(pair: assay.Pair) -> tuple[str, str]:
    """What makes two pairs the same."""
    return plain(pair.premise), plain(pair.hypothesis)


if __name__ == "__main__":
    main()
