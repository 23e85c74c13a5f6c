"""Checking a suite: is it whole, and is it what its manifest says."""

import hashlib
from collections import Counter, defaultdict
from pathlib import Path

import msgspec

from assay.core.case import Case
from assay.core.errors import BadInputError
from assay.core.files import digest
from assay.core.suite import Suite
from assay.corpora.seen import SeenIds
from assay.run.making import unproven

MOST_NAMED = 20
"""How many damaged lines are named before the rest is only counted."""


def damages(folder: str | Path) -> list[str]:
    """All that is wrong with a suite, in words; empty if nothing is."""
    try:
        suite = Suite.open(folder)
    except BadInputError as error:
        return [str(error)]
    if not suite.cases_file.is_file():
        return [f"{suite.cases_file}: the suite's cases are missing"]
    found = []
    if suite.manifest.sealed() != suite.manifest:
        found.append(
            f"{suite.folder / 'manifest.json'}: it was changed since the suite was built (its seal does not fit)"
        )
    if digest(suite.cases_file) != suite.manifest.file_digest:
        found.append(
            f"{suite.cases_file}: the file was changed since it was built (SHA-256 differs from the manifest's)"
        )
    try:
        found += _check_cases(suite)
    except BadInputError as error:
        found.append(str(error))
    except (OSError, EOFError, msgspec.MsgspecError) as error:
        found.append(f"{suite.cases_file}: can't be read: {error}")
    return found


def _check_cases(suite: Suite) -> list[str]:
    found: list[str] = []
    content = hashlib.sha256()
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    seen, origins = SeenIds(), SeenIds()
    last_origin: str | None = None
    decode = msgspec.json.Decoder(Case).decode
    total = 0
    for number, line in enumerate(suite.lines(), 1):
        content.update(line + b"\n")
        total += 1
        where = f"{suite.cases_file}:{number}"
        try:
            case = decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            found.append(f"{where}: not a case: {error}")
            continue
        counts[case.family][case.label] += 1
        if not seen.add(case.id):
            found.append(f"{where}: the id {case.id!r} occurs twice")
        if case.origin != last_origin and not origins.add(case.origin):
            found.append(f"{where}: the cases of origin {case.origin!r} do not stand together")
        last_origin = case.origin
        if reason := unproven(case):
            found.append(f"{where}: the label of {case.id!r} does not hold: {reason}")
    manifest = suite.manifest
    if total != manifest.cases:
        found.append(f"{suite.cases_file}: {total} cases where the manifest says {manifest.cases}")
    for family in {**manifest.counts, **counts}:
        said, there = manifest.counts.get(family, {}), {str(label): n for label, n in counts.get(family, {}).items()}
        if said != there:
            found.append(f"{suite.cases_file}: {family}: {there} where the manifest says {said}")
    if content.hexdigest() != manifest.digest:
        found.append(f"{suite.cases_file}: the cases differ from those that were built (SHA-256 of the content)")
    if len(found) > MOST_NAMED:
        found[MOST_NAMED:] = [f"... and {len(found) - MOST_NAMED} more"]
    return found
