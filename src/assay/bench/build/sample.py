"""A smaller suite of the same kind: some source pairs with all of their cases, the same ones each time."""

import hashlib
from collections import Counter
from heapq import nsmallest
from pathlib import Path

import msgspec

from assay.core.case import Case
from assay.core.files import file_aside, folder_aside, to_json, write_whole
from assay.core.suite import Suite


def sampled(suite: Suite, pairs: int, out: Path) -> Suite:
    """The cases of so many source pairs, as a suite of its own; the suite itself where it has no more.

    Pairs are drawn by their ids alone, so that a larger sample holds a smaller one.
    """
    decode = msgspec.json.Decoder(Case).decode
    roots = dict.fromkeys(decode(line).root for line in suite.lines())
    if len(roots) <= pairs:
        return suite
    kept = set(nsmallest(pairs, roots, key=_draw))
    counts = {family: Counter[str]() for family in suite.manifest.counts}
    hashed = hashlib.sha256()
    with folder_aside(out) as aside:
        with file_aside(aside / "cases.jsonl", overwrite=True) as write:
            for line in suite.lines():
                case = decode(line)
                if case.root in kept:
                    counts[case.family][case.label.value] += 1
                    hashed.update(line + b"\n")
                    write(line + b"\n")
        note = f"A sample: {pairs:,} of {len(roots):,} source pairs."
        manifest = msgspec.structs.replace(
            suite.manifest,
            source=msgspec.structs.replace(suite.manifest.source, notes=(*suite.manifest.source.notes, note)),
            storage="jsonl",
            cases=sum(sum(labels.values()) for labels in counts.values()),
            counts={family: dict(sorted(labels.items())) for family, labels in counts.items() if labels},
            skips={},
            shortcuts=msgspec.UNSET,
            digest=hashed.hexdigest(),
            file_digest=hashed.hexdigest(),
        ).sealed()
        write_whole(aside / "manifest.json", to_json(manifest))
    return Suite(out, manifest)


def _draw(root: str) -> bytes:
    return hashlib.blake2b(root.encode(), digest_size=8).digest()
