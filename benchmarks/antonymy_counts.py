"""What becomes of the antonym cases of `code`: how many change one word for another that excludes it."""

import sys
from collections import Counter
from pathlib import Path
from random import Random

import assay
from assay.core.edit import Skip
from assay.language.resources.installed import wordnet
from assay.language.text.analysis import analyse
from assay.stress.antonymy.build import Antonymy
from assay.stress.antonymy.check import PARTS, opposite_kinds

DATA = Path(__file__).parents[2] / "shared" / "data" / "mnli"


def kind_of(text: str, start: int, old: str, new: str) -> str:
    """What a change of a word is to the strict rules."""
    token = next((each for each in analyse(text) if each.start == start and each.text == old), None)
    if token is None:
        return "inside of another word"
    if token.tag not in PARTS:
        return "no noun or adjective there"
    lemmas = wordnet().morphy(old.lower(), PARTS[token.tag])
    exclusive = any((lemma, new.lower()) in opposite_kinds() for lemma in lemmas)
    return "excludes the word" if exclusive else "need not exclude the word"


def main() -> None:
    sources = [Path(name) for name in sys.argv[1:]] or [
        DATA / f"dev_{part}.jsonl.gz" for part in ("matched", "mismatched")
    ]
    for source in sources:
        if not source.is_file():
            sys.exit(f"No corpus at {source}; name files of pairs.")
        transform, seen, places = Antonymy(fidelity="code"), set(), set()
        counts: Counter[str] = Counter()
        for pair in assay.read(source):
            edits = transform(pair, Random(0))
            for edit in () if isinstance(edits, Skip) else edits:
                if (texts := edit.apply(pair)) in seen:
                    continue
                seen.add(texts)
                change = (edit.premise or edit.hypothesis)[-1]
                text = pair.premise if edit.hypothesis else pair.hypothesis
                counts[kind_of(text, change.start, change.old, change.new)] += 1
                counts["a further antonym in the same place"] += (text, change.start) in places
                places.add((text, change.start))
        print(f"{source.name}: {len(seen):,} cases; " + ", ".join(f"{name} {n:,}" for name, n in counts.items()))


if __name__ == "__main__":
    main()
