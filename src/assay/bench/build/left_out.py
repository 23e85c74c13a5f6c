"""A suite without some of its cases: they are counted in its manifest like pairs that gave none."""

import shutil
from collections import Counter, defaultdict
from collections.abc import Mapping
from itertools import chain

import msgspec

from assay.bench.build.case_file import CaseFile
from assay.bench.build.make import step_name
from assay.bench.build.recipes import transform_of
from assay.core.case import Case
from assay.core.files import digest, folder_aside, to_json, write_whole
from assay.core.protocols import Sliced
from assay.core.suite import Manifest, Slice, Suite
from assay.evaluate.shortcuts import measure_shortcuts


def without(suite: Suite, reasons: Mapping[str, str]) -> Suite:
    """Replace a suite by itself without these cases; `reasons` says why, by id."""
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
            shortcuts = measure_shortcuts(file.cases(), two_way=suite.manifest.source.two_way)
        left = msgspec.structs.replace(
            _counted(suite.manifest, dropped, reasons),
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


def _counted(manifest: Manifest, dropped: list[Case], reasons: Mapping[str, str]) -> Manifest:
    """The manifest, with these cases counted as left out."""
    counts = {family: Counter(labels) for family, labels in manifest.counts.items()}
    skips: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for name, known in manifest.skips.items():
        skips[name].update(known)
    slices = {} if manifest.slices is msgspec.UNSET else manifest.slices
    for case in dropped:
        counts[case.family][case.compared_with.value] -= 1
        skips[step_name(case.provenance.recipe)][reasons[case.id]] += 1
        slices = _less(slices, case, reasons[case.id])
    return msgspec.structs.replace(
        manifest,
        cases=manifest.cases - len(dropped),
        counts={family: {label: n for label, n in labels.items() if n} for family, labels in counts.items()},
        skips={name: dict(sorted(known.items())) for name, known in skips.items()},
        slices=slices or msgspec.UNSET,
        seal="",
    )


def _less(slices: dict[str, dict[str, Slice]], case: Case, reason: str) -> dict[str, dict[str, Slice]]:
    transform = transform_of(case.provenance.recipe)
    if case.family not in slices or not isinstance(transform, Sliced):
        return slices
    name = case.group[transform.slice_by]
    old = slices[case.family][name]
    cases = {label: n - (label == case.compared_with.value) for label, n in old.cases.items()}
    skips = dict(Counter(chain(Counter(old.skips).elements(), [reason])))
    new = msgspec.structs.replace(old, cases={label: n for label, n in cases.items() if n}, skips=skips)
    return {**slices, case.family: {**slices[case.family], name: new}}
