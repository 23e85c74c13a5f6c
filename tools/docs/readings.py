"""Blind readings of built cases: `draw` makes sheets for readers, `merge` joins their answers with our labels.

`python tools/docs/readings.py draw WORK --seed N --corpus NAME=FILE --corpus NAME=FILE FAMILY ...` builds strict suites
and writes WORK/FAMILY.tsv: numbered pairs in random order, without label or id. The key is in WORK/FAMILY.key.tsv. The
family `lexical-across` is `lexical` with the evidence of the pair. Cases whose label rests on a gold label come with
their source pairs, unmarked, so that a label that was wrong before the edit can be told from one that the edit broke.
Each reader writes WORK/FAMILY.READER.tsv with the columns number, answer (E, N, C, or U for undecided), odd (y or n)
and note. `python tools/docs/readings.py merge WORK READER READER` writes docs/results/label-quality/FAMILY.csv, from
which `tools/docs/generate.py` makes the table of the page.
"""

import argparse
import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import assay
from assay.annotate.agreement import fleiss_kappa
from assay.core.rng import rng_for
from assay.evaluate.intervals import wilson

QUALITY = Path(__file__).parents[2] / "docs" / "results" / "label-quality"
COPIES = ("word-overlap", "negation", "length-mismatch", "spelling")
"""Families whose label is that of the source pair."""
ACROSS = "-across"
UNDECIDED = "undecided"
ANSWERS = {"E": "entailment", "N": "neutral", "C": "contradiction", "U": UNDECIDED}
KEY = ("number", "index", "side", "corpus", "seed", "id", "label", "category")
FIELDS = (
    *("corpus", "seed", "id", "label", "first", "second", "source_first", "source_second", "category"),
    *("odd_first", "odd_second"),
)


class Drawn(NamedTuple):
    """A case that readers are asked about."""

    corpus: str
    case: assay.Case
    source: assay.Case | None
    """Its source pair, where the label rests on the gold label."""


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
    """Theirs on the source pair, where our label rests on its gold label; across the pair, only what is against it."""
    across: bool
    odd: tuple[str, ...]
    """Whether each calls the English odd: y or n."""

    @property
    def verdict(self) -> str:
        """Wrong if all give another label; debatable if they split or one is undecided; otherwise right."""
        return _verdict(self.label, self.answers)

    @property
    def is_wrong_before(self) -> bool:
        """Whether all already give the source pair another label than its gold label."""
        if self.across:
            return len(self.of_source) == len(self.answers)
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
        by_corpus = {name: _drawn(work, family, name, file, seed) for name, file in corpora.items()}
        drawn = _draw_evenly(by_corpus, cases)
        pairs = [
            (index, side) for index, each in enumerate(drawn) for side in ("case", "source") if getattr(each, side)
        ]
        rng_for(seed, transform="readings", pair=family).shuffle(pairs)
        sheet, key = [], []
        for number, (index, side) in enumerate(pairs, 1):
            case: assay.Case = getattr(drawn[index], side)
            sheet.append((number, case.premise, case.hypothesis))
            category = next((case.group[name] for name in ("category", "quantity", "role") if name in case.group), "")
            key.append((number, index, side, drawn[index].corpus, seed, case.id, case.label, category))
        _write(work / f"{family}.tsv", ("number", "premise", "hypothesis"), sheet)
        _write(work / f"{family}.key.tsv", KEY, key)


def _draw_evenly(by_corpus: Mapping[str, Iterator[Drawn]], cases: int) -> list[Drawn]:
    """Cases of all corpora in turn, until there are enough or none is left."""
    drawn: list[Drawn] = []
    left = dict(by_corpus)
    while left and len(drawn) < cases:
        for name in list(left):
            if (each := next(left[name], None)) is None:
                del left[name]
            elif len(drawn) < cases:
                drawn.append(each)
    return drawn


def _drawn(work: Path, family: str, name: str, file: str, seed: int) -> Iterator[Drawn]:
    """The cases of a family from one corpus in random order; a corpus "-" has none, so the family is generated."""
    base = family.removesuffix(ACROSS)
    gold = family in COPIES or base != family
    suite = assay.build(
        ["original", base] if gold else [base],
        None if file == "-" else file,
        out=work / "suites" / f"{family}-{name}",
        seed=seed,
        overwrite=True,
        switches={f"{base}.across": "yes"} if base != family else {},
    )
    cases = [case for case in suite if case.family == base and case.expects == "label"]
    sources = {case.origin: case for case in suite if case.family == "original"} if gold else {}
    rng_for(seed, transform=f"readings {family}", pair=name).shuffle(cases)
    for case in cases:
        yield Drawn(name, case, sources.get(case.origin))


def merge(work: Path, readers: Sequence[str]) -> None:
    """Join two readers' answers with the key; earlier readings of other corpora are kept."""
    for path in sorted(work.glob("*.key.tsv")):
        family = path.name.partition(".")[0]
        answers = [work / f"{family}.{reader}.tsv" for reader in readers]
        if all(each.exists() for each in answers):
            _merge_family(family, _rows(path, "\t"), [_rows(each, "\t") for each in answers])


def _merge_family(family: str, key: Sequence[Mapping[str, str]], readers: Sequence[list[dict[str, str]]]) -> None:
    rows: dict[str, dict[str, Any]] = {
        entry["index"]: {field: entry.get(field, "") for field in FIELDS} for entry in key if entry["side"] == "case"
    }
    for place, answers in zip(("first", "second"), readers, strict=True):
        said = {answer["number"]: answer for answer in answers}
        missing = [entry["number"] for entry in key if said.get(entry["number"], {}).get("answer") not in ANSWERS]
        if missing:
            raise SystemExit(f"{family}, {place} reader: no answer to {', '.join(missing[:5])}")
        for entry in key:
            answer = said[entry["number"]]
            row, given = rows[entry["index"]], ANSWERS[answer["answer"]]
            if entry["side"] == "case":
                row[place], row[f"odd_{place}"] = given, answer.get("odd", "")
            elif family in COPIES or _verdict(entry["label"], (given,)) == "wrong":
                row[f"source_{place}"] = given
    table = QUALITY / f"{family}.csv"
    new = {row["corpus"] for row in rows.values()}
    others = [dict.fromkeys(FIELDS, "") | row for row in _rows(table) if row["corpus"] not in new]
    with table.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows([*others, *rows.values()])


def _rows(path: Path, delimiter: str = ",") -> list[dict[str, str]]:
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter=delimiter))


def _write(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, delimiter="\t", lineterminator="\n").writerows([header, *rows])


def table(folder: Path) -> str:
    """What the files of answers add up to, by family, as a table in Markdown; the files have the corpora."""
    rows = [
        "| family | seed | read | right % | debatable % | wrong % (95% interval) | wrong before the edit "
        "| odd % | readers agree % | kappa |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for path in sorted(folder.glob("*.csv")):
        found = _rows(path)
        readings = [_reading(row, across=path.stem.endswith(ACROSS)) for row in found]
        rows.append(_row(f"[{path.stem}](../results/label-quality/{path.name})", readings))
    return "\n".join(rows) + "\n"


def _reading(row: Mapping[str, str], *, across: bool) -> Reading:
    return Reading(
        row["corpus"],
        row["seed"],
        row["label"],
        tuple(filter(None, (row["first"], row["second"]))),
        tuple(filter(None, (row["source_first"], row["source_second"]))),
        across,
        tuple(filter(None, (row.get("odd_first"), row.get("odd_second")))),
    )


def _row(family: str, readings: Sequence[Reading]) -> str:
    n, verdicts = len(readings), Counter(each.verdict for each in readings)
    ends = wilson(verdicts["wrong"] / n, n)
    wrong = f"{100 * verdicts['wrong'] / n:.1f} ({100 * ends.low:.1f}-{100 * ends.high:.1f})"
    before = sum(each.verdict == "wrong" and each.is_wrong_before for each in readings)
    alone = any(len(each.answers) == 1 for each in readings)
    equal = sum(len(set(each.answers)) == 1 for each in readings)
    judged = [each.odd for each in readings if each.odd]
    kappa = None if alone else fleiss_kappa([Counter(each.answers) for each in readings])
    cells = (
        family,
        ", ".join(sorted({each.seed for each in readings})),
        n,
        f"{100 * verdicts['right'] / n:.1f}",
        f"{100 * verdicts['debatable'] / n:.1f}",
        wrong,
        before if any(map(any, (each.of_source for each in readings))) else "-",
        f"{100 * judged.count(('y', 'y')) / len(judged):.1f}" if judged else "-",
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
