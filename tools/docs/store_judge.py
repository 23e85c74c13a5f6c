"""Stores what a small language model does as a judge: `python tools/docs/store_judge.py STUDY RUN`.

STUDY is what `assay study judge --json` printed, RUN the stored run, both by the commands in docs/how-to/judge.md.
Writes docs/results/judge/smollm2.json.
"""

import sys
from pathlib import Path

import msgspec

from assay.run.stored_run import open_run
from assay.studies.experiments.judge_study import Leaning

RESULTS = Path(__file__).parents[2] / "docs" / "results"


def main() -> None:
    found = msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=Leaning)
    record = open_run(sys.argv[2])
    figures = [each for each in record.estimates if each.name in ("accuracy", "drop", "fallback")]
    kept = {"study": found, "run": {"spec": record.spec, "figures": figures}, "versions": record.versions}
    out = RESULTS / "judge" / "smollm2.json"
    out.parent.mkdir(exist_ok=True)
    out.write_bytes(msgspec.json.format(msgspec.json.encode(kept), indent=1) + b"\n")


if __name__ == "__main__":
    main()
