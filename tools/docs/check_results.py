"""Finds stored results of suites that the code no longer builds: `python tools/docs/check_results.py --data DATA`.

Builds the sets of tools/docs/measure.py, or those named with `--set`, and compares digests of their texts and labels
with those in docs/results. Exits with 1 if a model was measured, or the stress tests were audited, on another suite:
measure them again.
"""

import argparse
import sys
import tempfile
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from audits import FOLDER
from measure import SETS, content_digest, suite_of
from measured import STRESS, measured

from assay.audit.audit_result import Audit
from assay.storage.suite import Suite


def stale_results(data: Path, names: Sequence[str]) -> Iterator[str]:
    """A line for each model and set whose suite has changed since it was measured."""
    with tempfile.TemporaryDirectory() as work:
        for name in names:
            suite = suite_of(name, SETS[name], Namespace(data=data, work=Path(work), limit=None))
            today = content_digest(suite)
            if name == STRESS:
                yield from stale_audits(suite)
            for model, found in measured().items():
                if name in found.sets and found.sets[name].digest != today:
                    yield f"{model} was measured on another suite of {name}"


def stale_audits(stress: Suite) -> Iterator[str]:
    """A line for each family of the stress tests that was audited with another number of cases."""
    audit = msgspec.json.decode((FOLDER / f"{STRESS}.json").read_bytes(), type=Audit)
    for family, found in audit.families.items():
        if found.n != sum(stress.manifest.counts[family].values()):
            yield f"{family} was audited on another suite of {STRESS}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--set", dest="sets", choices=[*SETS], action="append", help="only this set; may be repeated")
    options = parser.parse_args()
    stale = list(stale_results(options.data, options.sets or [*SETS]))
    print("\n".join(stale) or "All stored results are of today's suites.")
    sys.exit(bool(stale))
