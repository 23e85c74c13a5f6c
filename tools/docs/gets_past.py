"""What gets past each shipped model as a fact checker: `python tools/docs/gets_past.py`.

Builds false claims of docs/results/claims/claims.csv with three seeds, runs every shipped model and the word-overlap
baseline on them, and writes docs/results/claims/passed.json. `tools/docs/generate.py` makes the table of the page.
Name models to measure only these again: `python tools/docs/gets_past.py assay:minilm`. `DeBERTa=hf:FOLDER` measures the
model of tools/strong_encoder.py.
"""

import json
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import assay
from assay.core.label import Label

FOLDER = Path(__file__).parents[2] / "docs" / "results" / "claims"
CLAIMS, PASSED = FOLDER / "claims.csv", FOLDER / "passed.json"
MODELS = (
    *("minilm", "kim", "esim", "shortcut-stacked", "infersent", "gated-attention", "spinn", "decomposable-attention"),
    *("cbow", "hypothesis-only", "overlap"),
)
STRONG = "DeBERTa"
"""The model of tools/strong_encoder.py, which does not ship."""
SEEDS = (0, 1, 2)
FAMILIES = ("quantities", "roles", "denial", "lexical", "antonymy", "foreign")
COLUMNS = {
    "supported": "supported claims accepted",
    "number": "another number",
    "range": "wrong range",
    "slip": "67 as 999 million",
    "word": "another word",
    "roles": "roles exchanged",
    "denial": "denied",
    "topic": "same topic",
    "foreign": "foreign evidence",
}
SLIP = "The Linden Library holds 999 million items."
"""A false claim of the file: its evidence says 67 million."""


def build_cases() -> Iterator[tuple[str, assay.Case]]:
    """Each false claim once, with what was changed in it, and the claims as they are."""
    seen: set[tuple[str, str]] = set()
    with tempfile.TemporaryDirectory() as folder:
        for seed in SEEDS:
            for families, across in ((["original"], None), (list(FAMILIES), True)):
                out = Path(folder) / f"{seed}{across}"
                for case in assay.build(families, CLAIMS, out=out, seed=seed, across=across):
                    kind = kind_of(case)
                    if kind and (kind != "foreign" or seed == SEEDS[0]) and (case.premise, case.hypothesis) not in seen:
                        seen.add((case.premise, case.hypothesis))
                        yield kind, case


def kind_of(case: assay.Case) -> str:
    """The column of a case; empty if it is a true claim that was edited."""
    supported = case.label is Label.ENTAILMENT
    if case.family == "original":
        return "supported" if supported else "topic"
    if supported or (case.provenance.label is not Label.ENTAILMENT and case.family != "foreign"):
        return ""
    if case.family != "quantities":
        return {"lexical": "word", "antonymy": "word"}.get(case.family, case.family)
    return "range" if "between" in case.provenance.edit.hypothesis[0].new.lower() else "number"


def measure(address: str, cases: list[tuple[str, assay.Case]]) -> dict[str, list[int]]:
    """Of each column, how many cases a model calls supported, and how many there are."""
    passed: Counter[str] = Counter()
    model = assay.open_model(address)
    predictions = model.predict([case for _, case in cases])
    for (kind, case), prediction in zip(cases, predictions, strict=True):
        supported = prediction.label is Label.ENTAILMENT
        passed[kind] += supported
        passed["slip"] += supported and kind == "topic" and case.hypothesis == SLIP
    cases_of = Counter(kind for kind, _ in cases) | {"slip": 1}
    return {kind: [passed[kind], cases_of[kind]] for kind in COLUMNS}


def table() -> str:
    """The stored numbers in Markdown: one row per model, the share of claims that it calls supported."""
    stored = json.loads(PASSED.read_text(encoding="utf-8"))
    heads = [f"{words} ({stored[MODELS[0]][kind][1]})" for kind, words in COLUMNS.items()]
    rows = [
        f"| model | {' | '.join(heads)} |",
        f"| --- |{' --: |' * len(COLUMNS)}",
    ]
    for name in [STRONG, *MODELS]:
        cells = (stored[name].get(kind, (0, 0)) for kind in COLUMNS)  # an older measurement lacks the newest kinds
        shares = (
            "-" if not total else ("yes" if passed else "no") if total == 1 else f"{100 * passed / total:.0f}"
            for passed, total in cells
        )
        rows.append(f"| {name if name == STRONG else f'`assay:{name}`'} | {' | '.join(shares)} |")
    return "\n".join(rows) + "\n"


def main() -> None:
    stored: dict[str, dict[str, list[int]]] = defaultdict(dict)
    if PASSED.exists():
        stored |= json.loads(PASSED.read_text(encoding="utf-8"))
    cases = list(build_cases())
    for given in sys.argv[1:] or [f"assay:{name}" for name in MODELS]:
        name, address = given.split("=", 1) if "=" in given else (given.removeprefix("assay:"), given)
        stored[name] = measure(address, cases)
        print(name, stored[name], flush=True)
        PASSED.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")
    print(table())


if __name__ == "__main__":
    main()
