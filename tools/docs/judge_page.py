"""The page of a small language model as a judge, docs/results/judge.md: `python tools/docs/judge_page.py STUDY RUN`.

STUDY is what `assay study judge --json` printed, RUN the stored run, both by the commands on the page. Too slow for
`make docs`, which runs in the tests.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from assay.core.run_record import RunRecord
from assay.reports.tables.accuracy_tables import accuracy, fallbacks
from assay.reports.tables.sheet import Sheet
from assay.reports.view import view_of
from assay.reports.write.markdown import escape, table
from assay.run.stored_run import open_run
from assay.studies.experiments.judge_study import Leaning, leaning_lines, leaning_sheets

RESULTS = Path(__file__).parents[2] / "docs" / "results"

INTRODUCTION = """# A small language model as a judge

SmolLM2 is a language model of 135 million parameters. `make judge` installs it with a server, and the same commands
work for any endpoint. It is far too small to judge well. That makes it a good example: the figures show what to look
for in a larger judge before you trust it.

```sh
make judge
.venv-test/bin/python tools/judge_server.py &
assay study judge --sample {pairs} --model "judge=openai:smollm2@http://127.0.0.1:8793/v1?concurrency=1"
assay run --sample {pairs} --family original --family negation \\
  --model "judge=openai:smollm2@http://127.0.0.1:8793/v1?concurrency=1" --model assay:majority --model assay:minilm
```
"""

NUMERICS = """The temperature is 0, so the same question should get the same answer. It does not always: if the server
still has a part of the prompt from an earlier question, it computes with slightly different numbers. The
log-probability of the same token moved by up to 0.3 that way. A model that is this unsure then gives another answer,
and self-agreement measures how often.
"""


def main() -> None:
    found = msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=Leaning)
    record = open_run(sys.argv[2])
    figures = [each for each in record.estimates if each.name in ("accuracy", "drop", "fallback")]
    kept = {"study": found, "run": {"spec": record.spec, "figures": figures}, "versions": record.versions}
    out = RESULTS / "judge" / "smollm2.json"
    out.parent.mkdir(exist_ok=True)
    out.write_bytes(msgspec.json.format(msgspec.json.encode(kept), indent=1) + b"\n")
    (RESULTS / "judge.md").write_text("\n".join(_page(found, record)), encoding="utf-8")


def _page(found: Leaning, record: RunRecord) -> Iterator[str]:
    yield INTRODUCTION.format(pairs=found.pairs)
    yield "## What it leans on\n"
    counts = ", ".join(f"{n} {label}" for label, n in record.suites["stress"].counts["original"].items())
    yield (
        f"{found.pairs:,} pairs of the bundled corpus ({counts}), each asked in {len(found.variants)} ways; 95 % "
        "intervals in brackets.\n"
    )
    yield from (f"- {line}" for line in leaning_lines(found))
    yield f"\n{NUMERICS}"
    for sheet in leaning_sheets(found):
        yield _table(sheet)
    view = view_of([record])
    yield "## The same pairs, and with a negation added\n"
    yield from (_table(sheet) for sheet in (accuracy(view), fallbacks(view)) if sheet.rows)
    yield (
        "The figures are in [smollm2.json](judge/smollm2.json). `python tools/docs/judge_page.py STUDY RUN` makes "
        "this page from them. [Endpoints](../models/openai.md) explains each figure.\n"
    )


def _table(sheet: Sheet) -> str:
    return f"### {sheet.title}\n\n{table(sheet)}\n\n{sheet.legend(escape('*'))}\n"


if __name__ == "__main__":
    main()
