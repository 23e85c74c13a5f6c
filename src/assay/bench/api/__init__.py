"""What the command line does, from Python: read, generate, build, run, compare, gate, failures, verify and so on."""

from assay.bench.api.arguments import Pairs, is_suite
from assay.bench.api.building import build, export, planned_build
from assay.bench.api.judging import compare, diagnose, failures, gate, verify
from assay.bench.api.running import forecast, on_bench, planned_run, run
from assay.bench.api.scoring import score
from assay.bench.audit.audit import audit
from assay.bench.build.generated import generated
from assay.corpora.reading import read

__all__ = [
    "Pairs",
    "audit",
    "build",
    "compare",
    "diagnose",
    "export",
    "failures",
    "forecast",
    "gate",
    "generated",
    "is_suite",
    "on_bench",
    "planned_build",
    "planned_run",
    "read",
    "run",
    "score",
    "verify",
]
