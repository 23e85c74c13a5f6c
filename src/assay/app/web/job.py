"""The process of a run that was started from the browser: it says how far it is, one line of JSON at a time."""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from assay.app.reporting import write_page
from assay.bench.api import read, run
from assay.bench.shards import default_workers
from assay.bench.stages import Progress
from assay.core.errors import AssayError

OFTEN = 0.2
"""Seconds between two lines about one stage."""


def say(**known: Any) -> None:
    """Tell the server."""
    print(json.dumps(known), flush=True)


def stage(name: str, total: int | None) -> Progress:
    """Tell the server about each stage, but not too often."""
    say(stage=name, done=0, total=total)
    state = {"done": 0, "last": 0.0}

    def progress(done: int) -> None:
        state["done"] += done
        if time.monotonic() - state["last"] >= OFTEN or state["done"] == total:
            state["last"] = time.monotonic()
            say(done=int(state["done"]))

    return progress


def main(folder: str, *words: str) -> int:
    """Test models, and store the run in a folder; the words are options of `assay run`."""
    parser = argparse.ArgumentParser()
    for name in ("model", "family", "suite"):
        parser.add_argument(f"--{name}", action="append", default=[])
    parser.add_argument("--sample", type=int)
    given = parser.parse_args(words)
    try:
        corpus = None if given.suite else read("bundled", sample=given.sample)
        record = run(
            corpus,
            families=given.family or None,
            suites=given.suite,
            models=given.model,
            truncate="premise",
            workers=default_workers(),
            out=Path(folder),
            leave_open=True,
            stage=stage,
            tell=lambda text: say(told=text),
        )
        write_page(record)
        say(run=record.id)
    except AssayError as error:
        say(told=str(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
