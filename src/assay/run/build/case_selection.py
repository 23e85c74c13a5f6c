"""A suite without some of its cases, or with a sample of its pairs."""

import hashlib
import shutil
from collections import Counter, defaultdict
from collections.abc import Mapping
from heapq import nsmallest
from itertools import chain
from pathlib import Path

import msgspec

from assay.core.case import Case
from assay.core.manifest import Manifest, Slice
from assay.core.protocols import Sliced
from assay.core.serialise import to_json
from assay.evaluate.surface_shortcuts import measure_shortcuts
from assay.run.build.case_builder import step_name, step_names
from assay.run.build.recipes import transform_of
from assay.run.build.suite_builder import CaseFile
from assay.storage.files import digest, file_aside, folder_aside, write_whole
from assay.storage.suite import Suite


def without(suite: Suite, reasons: Mapping[str, str]) -> Suite:
    """Rewrite a suite without these cases; `reasons` holds the reason for each id."""
    suite.check()  # before it is moved
    dropped: list[Case] = []
    decode = msgspec.json.Decoder(Case).decode
    out = suite.folder.with_name(f".{suite.folder.name}.whole")
    shutil.rmtree(out, ignore_errors=True)  # an interrupted run may have left it
    suite.folder.rename(out)
    whole = Suite(out, suite.manifest)
    with folder_aside(suite.folder) as aside:
        with CaseFile(aside, suite.manifest.storage) as file:
            for line in whole.lines():
                case = decode(line)
                if case.id in reasons:
                    dropped.append(case)
                else:
                    file.write(line + b"\n")
            shortcuts = measure_shortcuts(file.cases(), suite.manifest.source.label_space)
        left = msgspec.structs.replace(
            _count_dropped(suite.manifest, dropped, reasons),
            shortcuts=shortcuts,
            digest=file.digest,
            file_digest=digest(file.path),
        )
        write_whole(aside / "manifest.json", to_json(left.sealed()))
        for other in out.iterdir():
            if not (aside / other.name).exists():
                other.rename(aside / other.name)
    shutil.rmtree(out, ignore_errors=True)
    return Suite.open(suite.folder)


def _count_dropped(manifest: Manifest, dropped: list[Case], reasons: Mapping[str, str]) -> Manifest:
    """The manifest, with these cases counted as skipped."""
    counts = {family: Counter(labels) for family, labels in manifest.counts.items()}
    skips: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for name, known in manifest.skips.items():
        skips[name].update(known)
    slices = {} if manifest.slices is msgspec.UNSET else manifest.slices
    for case in dropped:
        counts[case.family][case.compared_with.value] -= 1
        skips[step_name(case.provenance.recipe)][reasons[case.id]] += 1
        slices = _take_from_slice(slices, case, reasons[case.id])
    return msgspec.structs.replace(
        manifest,
        cases=manifest.cases - len(dropped),
        counts={family: {label: n for label, n in labels.items() if n} for family, labels in counts.items()},
        skips={name: dict(sorted(known.items())) for name, known in skips.items()},
        slices=slices or msgspec.UNSET,
        seal="",
    )


def _take_from_slice(slices: dict[str, dict[str, Slice]], case: Case, reason: str) -> dict[str, dict[str, Slice]]:
    transform = transform_of(case.provenance.recipe)
    if case.family not in slices or not isinstance(transform, Sliced):
        return slices
    name = case.group[transform.slice_by]
    old = slices[case.family][name]
    cases = {label: n - (label == case.compared_with.value) for label, n in old.cases.items()}
    skips = dict(Counter(chain(Counter(old.skips).elements(), [reason])))
    new = msgspec.structs.replace(old, cases={label: n for label, n in cases.items() if n}, skips=skips)
    return {**slices, case.family: {**slices[case.family], name: new}}


NO_CASE = "the whole suite has no case of it"


def sample_suite(suite: Suite, pairs: int, out: Path) -> Suite:
    """The cases of this many source pairs as a new suite; the suite itself if it has no more.

    Pairs are drawn by id only, so that a larger sample contains every smaller one.
    """
    decode = msgspec.json.Decoder(Case).decode
    roots = dict.fromkeys(decode(line).root for line in suite.lines())
    if len(roots) <= pairs:
        return suite
    kept = set(nsmallest(pairs, roots, key=_draw_number))
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


def _draw_number(root: str) -> bytes:
    return hashlib.blake2b(root.encode(), digest_size=8).digest()
