"""Blind readings of built cases: `draw` makes files for readers, `merge` joins their answers with our labels.

`python tools/docs/readings.py draw WORK --seed N --corpus NAME=FILE --corpus NAME=FILE FAMILY ...` builds strict suites
and writes WORK/blind/FAMILY.jsonl: numbered pairs in random order, without label or id. Copies come with their source
pairs, unmarked, so that a label that was wrong before the edit can be told apart from one that the edit broke.
Each reader writes WORK/READER/FAMILY.jsonl, one line per pair: {"n": 1, "answer": "entailment"}; the answer may be
"undecided". `python tools/docs/readings.py merge WORK READER READER` writes docs/results/label-quality/FAMILY.csv, of
which `tools/docs/generate.py` makes the tables of the page.
"""

import argparse
import csv
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import assay
from assay.annotate.agreement import fleiss_kappa
from assay.core.label import THREE_WAY
from assay.core.rng import rng_for
from assay.evaluate.intervals import wilson

QUALITY = Path(__file__).parents[2] / "docs" / "results" / "label-quality"
COPIES = ("word-overlap", "negation", "length-mismatch", "spelling")
"""Families whose label is that of the source pair."""
UNDECIDED = "undecided"
ANSWERS = (*THREE_WAY, UNDECIDED)
FIELDS = ("corpus", "seed", "id", "label", "first", "second", "source_first", "source_second", "category")


class Drawn(NamedTuple):
    """A case that readers are asked about."""

    corpus: str
    """The corpus that it was built from."""
    case: assay.Case
    """The case."""
    source: assay.Case | None
    """Its source pair, where the case is a copy."""


class Reading(NamedTuple):
    """What one or two readers said about one case."""

    corpus: str
    """The corpus that it was built from."""
    seed: str
    """The seed that it was built and drawn with."""
    label: str
    """The label that we claim."""
    answers: tuple[str, ...]
    """Theirs."""
    of_source: tuple[str, ...]
    """Theirs on the source pair, where the label rests on its gold label; empty otherwise."""

    @property
    def verdict(self) -> str:
        """Wrong if all give another label; debatable if they split or one is undecided; otherwise right."""
        return _verdict(self.label, self.answers)

    @property
    def is_wrong_before(self) -> bool:
        """Whether all already give the source pair another label than its gold label.

        Where an edit changes the label, `of_source` is only kept if it differs from the gold label.
        """
        return bool(self.of_source) and _verdict(self.label, self.of_source) == "wrong"


def _verdict(label: str, answers: tuple[str, ...]) -> str:
    if all(_agrees(answer, label) for answer in answers):
        return "right"
    return "wrong" if not any(_agrees(answer, label) or answer == UNDECIDED for answer in answers) else "debatable"


def _agrees(answer: str, label: str) -> bool:
    return answer in ("neutral", "contradiction") if label == "non-entailment" else answer == label


def draw(work: Path, families: Sequence[str], corpora: Mapping[str, str], *, seed: int, cases: int) -> None:
    """Build, draw the same number of cases from each corpus, and write what readers see and the key to it."""
    for family in families:
        share = -(-cases // len(corpora))
        drawn = [each for name, file in corpora.items() for each in _drawn(work, family, name, file, seed, share)]
        pairs = [
            (index, side) for index, each in enumerate(drawn) for side in ("case", "source") if getattr(each, side)
        ]
        rng_for(seed, transform="readings", pair=family).shuffle(pairs)
        lines, key = [], []
        for number, (index, side) in enumerate(pairs, 1):
            case: assay.Case = getattr(drawn[index], side)
            lines.append({"n": number, "premise": case.premise, "hypothesis": case.hypothesis})
            key.append({"n": number, "index": index, "side": side})
        _write(work / "blind" / f"{family}.jsonl", lines)
        cells = [{"corpus": d.corpus, "seed": seed, "id": d.case.id, "label": d.case.label} for d in drawn]
        (work / f"{family}.key.json").write_text(json.dumps({"pairs": key, "cases": cells}), encoding="utf-8")


def _drawn(work: Path, family: str, name: str, file: str, seed: int, share: int) -> Iterator[Drawn]:
    """Some cases of a family from one corpus; a corpus "-" has none, so the family is generated."""
    wanted = ["original", family] if family in COPIES else [family]
    folder = work / "suites" / f"{family}-{name}"
    suite = assay.build(wanted, None if file == "-" else file, out=folder, seed=seed, overwrite=True)
    cases = [case for case in suite if case.family == family and case.expects == "label"]
    sources = {case.origin: case for case in suite if case.family == "original"} if family in COPIES else {}
    rng = rng_for(seed, transform=f"readings {family}", pair=name)
    for case in rng.sample(cases, min(share, len(cases))):
        yield Drawn(name, case, sources.get(case.origin))


def merge(work: Path, readers: Sequence[str]) -> None:
    """Join two readers' answers with the key; earlier readings of other corpora are kept."""
    for path in sorted(work.glob("*.key.json")):
        family = path.name.partition(".")[0]
        key = json.loads(path.read_text(encoding="utf-8"))
        answers = [_answers(work / reader / f"{family}.jsonl", len(key["pairs"])) for reader in readers]
        rows: list[dict[str, Any]] = [dict.fromkeys(FIELDS, "") | case for case in key["cases"]]
        for pair in key["pairs"]:
            prefix = "source_" if pair["side"] == "source" else ""
            for place, said in zip(("first", "second"), answers, strict=True):
                rows[pair["index"]][f"{prefix}{place}"] = said[pair["n"]]
        table = QUALITY / f"{family}.csv"
        others = [row for row in _rows(table) if row["corpus"] not in {each["corpus"] for each in rows}]
        with table.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
            writer.writeheader()
            writer.writerows([*others, *rows])


def _rows(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _answers(path: Path, pairs: int) -> dict[int, str]:
    found = {row["n"]: row["answer"] for row in map(json.loads, path.read_text(encoding="utf-8").splitlines())}
    missing = [n for n in range(1, pairs + 1) if found.get(n) not in ANSWERS]
    if missing or len(found) != pairs:
        raise SystemExit(
            f"{path}: {len(found)} answers to {pairs} pairs; none of {', '.join(ANSWERS)} at {missing[:5]}"
        )
    return found


def _write(path: Path, lines: Sequence[Mapping[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")


def table(folder: Path) -> str:
    """What the files of answers add up to, by family and corpus, as a table in Markdown."""
    rows = [
        "| family | corpus | seed | read | right % | debatable % | wrong % (95% interval) | wrong before the edit "
        "| readers agree % | kappa |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for path in sorted(folder.glob("*.csv")):
        found = _rows(path)
        readings = [_reading(row) for row in found]
        corpora = list(dict.fromkeys(each.corpus for each in readings))
        rows += [_row(path.stem, name, [each for each in readings if each.corpus == name]) for name in corpora]
        if len(corpora) > 1:
            rows.append(_row(f"**[{path.stem}](../results/label-quality/{path.name})**", "all", readings))
    return "\n".join(rows) + "\n"


def _reading(row: Mapping[str, str]) -> Reading:
    return Reading(
        row["corpus"],
        row["seed"],
        row["label"],
        tuple(filter(None, (row["first"], row["second"]))),
        tuple(filter(None, (row["source_first"], row["source_second"]))),
    )


def _row(family: str, corpus: str, readings: Sequence[Reading]) -> str:
    n, verdicts = len(readings), Counter(each.verdict for each in readings)
    ends = wilson(verdicts["wrong"] / n, n)
    wrong = f"{100 * verdicts['wrong'] / n:.1f} ({100 * ends.low:.1f}-{100 * ends.high:.1f})"
    before = sum(each.verdict == "wrong" and each.is_wrong_before for each in readings)
    alone = any(len(each.answers) == 1 for each in readings)
    equal = sum(len(set(each.answers)) == 1 for each in readings)
    kappa = None if alone else fleiss_kappa([Counter(each.answers) for each in readings])
    cells = (
        family,
        corpus,
        ", ".join(sorted({each.seed for each in readings})),
        n,
        f"{100 * verdicts['right'] / n:.1f}",
        f"{100 * verdicts['debatable'] / n:.1f}",
        wrong,
        before if any(map(any, (each.of_source for each in readings))) else "-",
        "one reader" if alone else f"{100 * equal / n:.1f}",
        "-" if kappa is None else f"{kappa:.2f}",
    )
    return f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    drawing = verbs.add_parser("draw")
    drawing.add_argument("work", type=Path)
    drawing.add_argument("families", nargs="+")
    drawing.add_argument("--corpus", action="append", required=True, help="NAME=FILE, or generated=- without a file")
    drawing.add_argument("--seed", type=int, required=True)
    drawing.add_argument("--cases", type=int, default=200)
    merging = verbs.add_parser("merge")
    merging.add_argument("work", type=Path)
    merging.add_argument("readers", nargs=2)
    given = parser.parse_args()
    if given.verb == "draw":
        chosen = dict(each.split("=", 1) for each in given.corpus)
        draw(given.work, given.families, chosen, seed=given.seed, cases=given.cases)
    else:
        merge(given.work, given.readers)
