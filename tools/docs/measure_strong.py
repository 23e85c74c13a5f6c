"""Measures the model of tools/strong_encoder.py: `python tools/docs/measure_strong.py MODEL SUITES [--about FILE]`.

MODEL is `hf:FOLDER` or `onnx:FOLDER`. SUITES is a folder of suites, one for each data set, such as
`assay build original --from snli_1.0_test.jsonl.gz --sample 2000 --out SUITES/snli-test` makes. Writes
docs/results/deberta-v3-xsmall.json, or another file. Answers are cached, so a stopped measurement continues.
"""

import argparse
import json
from pathlib import Path

import msgspec
from measure import ask, content_digest
from measured import FOLDER, Figure, Set

from assay.core.serialise import to_json
from assay.storage.files import write_whole
from assay.storage.suite import Suite

OUT = FOLDER / "deberta-v3-xsmall.json"


class StrongModel(msgspec.Struct, frozen=True, kw_only=True):
    """Numbers of a model that does not ship."""

    about: dict[str, str]
    """What it is; every number is one of a frozen encoder with a fitted head."""
    sets: dict[str, Set]
    """What it was measured on; the sampled part of a larger set has fewer cases than the set."""
    figures: tuple[Figure, ...]


def main() -> None:
    """Measure one set after the other; each is stored when it is done."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("model")
    parser.add_argument("suites", type=Path)
    parser.add_argument("--about", type=Path, required=True, help="the about.json of tools/strong_encoder.py")
    parser.add_argument("--work", type=Path, default=Path("runs/results"))
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--set", dest="sets", action="append", help="only this set; may be repeated")
    options = parser.parse_args()
    about = json.loads(options.about.read_text(encoding="utf-8"))
    out: Path = options.out
    before = msgspec.json.decode(out.read_bytes(), type=StrongModel) if out.is_file() else None
    sets, figures = (dict(before.sets), list(before.figures)) if before else ({}, [])
    for name in options.sets or sorted(path.name for path in options.suites.iterdir()):
        suite = Suite.open(options.suites / name)
        measured = Set(cases=len(suite), digest=content_digest(suite), source=suite.manifest.source.name)
        print(f"{name}: {len(suite):,} cases", flush=True)
        (own,) = ask([options.model], name, suite, options.work)
        sets[name] = measured
        figures = [figure for figure in figures if figure.set != name] + own
        write_whole(out, to_json(StrongModel(about=about, sets=sets, figures=tuple(figures))))


if __name__ == "__main__":
    main()
