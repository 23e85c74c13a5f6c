"""A smaller suite of the same kind: some source pairs with all of their cases; the same ones each time."""

import hashlib
from collections import Counter
from heapq import nsmallest
from pathlib import Path

import msgspec

from assay.bench.build.make import step_names
from assay.core.case import Case
from assay.core.files import file_aside, folder_aside, to_json, write_whole
from assay.core.suite import Suite

NO_CASE = "the whole suite has no case of it"


def sampled(suite: Suite, pairs: int, out: Path) -> Suite:
    """The cases of this many source pairs as a new suite; the suite itself if it has no more.

    Pairs are drawn by id only, so that a larger sample contains every smaller one.
    """
    decode = msgspec.json.Decoder(Case).decode
    roots = dict.fromkeys(decode(line).root for line in suite.lines())
    if len(roots) <= pairs:
        return suite
    kept = set(nsmallest(pairs, roots, key=_draw))
    counts = {family: Counter[str]() for family in suite.manifest.counts}
    names = step_names(suite.manifest.recipes)
    made = {recipe: set[str]() for recipe in names}
    origins = set[str]()
    hashed = hashlib.sha256()
    with folder_aside(out) as aside:
        with file_aside(aside / "cases.jsonl", overwrite=True) as write:
            for line in suite.lines():
                case = decode(line)
                if case.root in kept:
                    counts[case.family][case.compared_with.value] += 1
                    origins.add(case.origin)
                    made.get(msgspec.json.encode(case.provenance.recipe), set()).add(case.origin)
                    hashed.update(line + b"\n")
                    write(line + b"\n")
        skips = {name: Counter[str]() for name in names.values()}
        for recipe, name in names.items():
            skips[name][NO_CASE] += len(origins) - len(made[recipe])
        note = f"A sample: {pairs:,} of {len(roots):,} source pairs."
        manifest = msgspec.structs.replace(
            suite.manifest,
            source=msgspec.structs.replace(
                suite.manifest.source, pairs=len(origins), labels={}, notes=(*suite.manifest.source.notes, note)
            ),
            storage="jsonl",
            cases=sum(sum(labels.values()) for labels in counts.values()),
            counts={family: dict(sorted(labels.items())) for family, labels in counts.items() if labels},
            skips={name: {reason: n for reason, n in found.items() if n} for name, found in skips.items()},
            slices=msgspec.UNSET,
            shortcuts=msgspec.UNSET,
            digest=hashed.hexdigest(),
            file_digest=hashed.hexdigest(),
        ).sealed()
        write_whole(aside / "manifest.json", to_json(manifest))
    return Suite(out, manifest)


def _draw(root: str) -> bytes:
    return hashlib.blake2b(root.encode(), digest_size=8).digest()
