"""Checking a suite: whether it is complete, and matches its manifest."""

import hashlib
from collections import Counter, defaultdict
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from assay.bench.build.make import check_of, unproven
from assay.bench.verify_manifest import Claims
from assay.core.case import Case
from assay.core.errors import BadInputError
from assay.core.files import digest
from assay.core.suite import Suite
from assay.corpora.seen import SeenIds

Standing = Literal["proven", "unchecked", "unclaimed"]

MOST_NAMED = 20
"""How many damaged lines are named; the rest are only counted."""


class Verified(NamedTuple):
    """The result of checking a whole suite."""

    damages: list[str]
    """Everything that is wrong, in words."""
    labels: Counter[Standing]
    """How many cases have a proven label, a label without a check, and no claimed label."""
    families: frozenset[str] = frozenset()
    """The families that the suite has cases of."""


def damages(folder: str | Path) -> list[str]:
    """Everything that is wrong with a suite, in words; empty if nothing is."""
    return examine(folder).damages


def examine(folder: str | Path) -> Verified:
    """Look for damage, and prove every label that is claimed."""
    labels: Counter[Standing] = Counter()
    try:
        suite = Suite.open(folder)
    except BadInputError as error:
        return Verified([str(error)], labels)
    if not suite.cases_file.is_file():
        return Verified([f"{suite.cases_file}: the suite's cases are missing"], labels)
    found = []
    if suite.manifest.sealed() != suite.manifest:
        found.append(
            f"{suite.folder / 'manifest.json'}: it was changed since the suite was built (its seal does not match)"
        )
    if digest(suite.cases_file) != suite.manifest.file_digest:
        found.append(
            f"{suite.cases_file}: the file was changed since it was built (SHA-256 differs from the manifest's)"
        )
    try:
        found += _check_cases(suite, labels)
    except BadInputError as error:
        found.append(str(error))
    except (OSError, EOFError, msgspec.MsgspecError) as error:
        found.append(f"{suite.cases_file}: can't be read: {error}")
    return Verified(found, labels, frozenset(suite.manifest.counts))


def _check_cases(suite: Suite, labels: Counter[Standing]) -> list[str]:
    found: list[str] = []
    content = hashlib.sha256()
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    seen, origins = SeenIds(), SeenIds()
    claims = Claims(suite.manifest)
    last_origin: str | None = None
    decode = msgspec.json.Decoder(Case).decode
    total = 0
    for number, line in enumerate(suite.lines(), 1):
        content.update(line + b"\n")
        total += 1
        where = f"{suite.cases_file}:{number}"
        try:
            case = decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            found.append(f"{where}: not a case: {error}")
            continue
        counts[case.family][case.label] += 1
        if not seen.add(case.id):
            found.append(f"{where}: the id {case.id!r} occurs twice")
        if case.origin != last_origin and not origins.add(case.origin):
            found.append(f"{where}: the cases of origin {case.origin!r} are not next to each other")
        last_origin = case.origin
        if wrong := claims.see(case):
            found.append(f"{where}: {wrong}")
        if reason := unproven(case):
            found.append(f"{where}: the label of {case.id!r} does not hold: {reason}")
        else:
            labels[_standing(case)] += 1
    manifest = suite.manifest
    if total != manifest.cases:
        found.append(f"{suite.cases_file}: {total} cases, but the manifest says {manifest.cases}")
    for family in {**manifest.counts, **counts}:
        said, there = manifest.counts.get(family, {}), {str(label): n for label, n in counts.get(family, {}).items()}
        if said != there:
            found.append(f"{suite.cases_file}: {family}: {there}, but the manifest says {said}")
    found += (f"{suite.folder / 'manifest.json'}: {each}" for each in claims.contradictions())
    if content.hexdigest() != manifest.digest:
        found.append(f"{suite.cases_file}: the cases differ from those that were built (SHA-256 of the content)")
    if len(found) > MOST_NAMED:
        found[MOST_NAMED:] = [f"... and {len(found) - MOST_NAMED} more"]
    return found


def _standing(case: Case) -> Standing:
    """What is known about the label of a case if nothing is wrong with it."""
    recipe = case.provenance.recipe
    if not recipe.claims_labels or case.expects != "label":
        return "unclaimed"
    return "proven" if check_of(recipe.transform) else "unchecked"
