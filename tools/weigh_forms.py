"""How often each pair of texts of the corpus logic families is drawn, so that no shortcut tells the label.

`python tools/weigh_forms.py` (it needs scipy) writes src/assay/stress/logic/from_corpus/weights.toml. A linear
programme looks for weights with which guessing from the words of either text, their lengths or what they share gets as
little as possible beyond the most frequent label, while every pair keeps a part of the weight. Weights are parts of
10,000.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.optimize import linprog

from assay.core.label import THREE_WAY, Label
from assay.stress.logic.from_corpus.conjunction import conjunction_forms
from assay.stress.logic.natural_logic import quantity_label

OUT = Path(__file__).parents[1] / "src/assay/stress/logic/from_corpus/weights.toml"
PARTS = ("all", "most", "some", "few", "no", "not all")
COUNTED = ("{}", "at least {}", "exactly {}", "at most {}", "more than {}", "fewer than {}")
NUMBERS = ("some", "no", *(each.format(name) for each in COUNTED for name in ("two", "three")))
SEEN = {
    "one": ("a",),
    "both": ("a", "and", "part"),
    "either": ("a", "or", "part"),
    "-one": ("no",),
    "-either": ("no", "or", "part"),
}
"""What can be seen of the texts with one part, with both or with either."""
SYMBOLS = {"two": "N", "three": "M"}
"""In the table, M is the number after N."""
MOST = 0.025
"""How far a shortcut may be above the most frequent label."""
KEPT = 0.75
"""Which part of the largest possible smallest weight is kept, to leave room for the others."""
SMALLEST, LARGEST = 0.2, 0.52
"""The parts that labels may have."""


class Form(NamedTuple):
    premise: str
    hypothesis: str
    label: Label
    words: tuple[frozenset[str], frozenset[str]]
    """What can be seen of the two texts."""
    mixed: bool = False
    """Whether the premise is one text among others that have the same words."""


def main() -> None:
    lines = [
        "# Made by tools/weigh_forms.py: how often each hypothesis is drawn with each premise, in parts of 10,000."
    ]
    tables = {
        "parts": list(_determiners(PARTS)),
        "numbers": list(_determiners(NUMBERS)),
        "conjunction": [
            Form(one, other, label, (frozenset(SEEN[one]), frozenset(SEEN[other])), mixed=True)
            for one, other, label, _ in conjunction_forms()
        ],
    }
    for name, forms in tables.items():
        floor, roof, found = _evenest(forms)
        shares = {
            label: sum(w for form, w in zip(forms, found, strict=True) if form.label == label) for label in THREE_WAY
        }
        parts = ", ".join(f"{label} {share:.2f}" for label, share in shares.items())
        print(f"{name}: {len(forms)} forms, each {floor:.4f} to {roof:.4f} of all; {parts}")
        for premise in dict.fromkeys(form.premise for form in forms):
            lines.append(f'\n[{name}."{_symbolic(premise)}"]')
            rows = [(form, weight) for form, weight in zip(forms, found, strict=True) if form.premise == premise]
            lines += [f'"{_symbolic(form.hypothesis)}" = {round(10_000 * weight)}' for form, weight in rows]
    OUT.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _symbolic(determiner: str) -> str:
    return " ".join(SYMBOLS.get(word, word) for word in determiner.split())


def _determiners(names: Sequence[str]) -> Iterator[Form]:
    for premise in names:
        for hypothesis in names:
            label = quantity_label(premise.split(), hypothesis.split())
            if premise != hypothesis and label is not None:
                yield Form(premise, hypothesis, label, (frozenset(premise.split()), frozenset(hypothesis.split())))


def _seen(form: Form) -> Iterable[tuple[str, object]]:
    """What each shortcut sees of a form."""
    premise, hypothesis = form.words
    yield "hypothesis", form.hypothesis
    if form.mixed:
        yield from ((f"{word} in the premise", word in premise) for word in ("and", "or", "no"))
    else:
        yield "premise", form.premise
    yield "difference", len(hypothesis) - len(premise)
    yield "new", len(hypothesis - premise)


def _evenest(forms: Sequence[Form]) -> tuple[float, float, list[float]]:
    """Weights with which no shortcut gets too far.

    The smallest is nearly as large as is possible, and with that the largest is as small as possible.
    """
    floor = _bisected(lambda each: _solved(forms, each, 1.0) is not None, 0.0, 1 / len(forms)) * KEPT
    roof = -_bisected(lambda each: _solved(forms, floor, -each) is not None, -1.0, -floor)
    found = _solved(forms, floor, roof)
    if found is None:
        raise SystemExit("no weights are even enough")
    return floor, roof, found


def _bisected(works: Callable[[float], bool], low: float, high: float) -> float:
    """The largest number that works; the lowest one does."""
    for _ in range(14):
        middle = (low + high) / 2
        low, high = (middle, high) if works(middle) else (low, middle)
    return low


def _solved(forms: Sequence[Form], floor: float, roof: float) -> list[float] | None:
    groups: dict[tuple[str, object], list[int]] = {}
    for n, form in enumerate(forms):
        for feature in _seen(form):
            groups.setdefault(feature, []).append(n)
    size = len(forms) + len(groups)
    for most_frequent in THREE_WAY:
        rows, limits = [], []
        shortcuts: dict[str, np.ndarray] = {}
        for k, (feature, members) in enumerate(groups.items(), len(forms)):
            for label in THREE_WAY:  # a group's variable is at least the weight of each of its labels
                row = np.zeros(size)
                row[[n for n in members if forms[n].label == label]] = 1
                row[k] = -1
                rows.append(row)
                limits.append(0.0)
            shortcuts.setdefault(feature[0], np.zeros(size))[k] = 1
        for row in shortcuts.values():
            row[[n for n, form in enumerate(forms) if form.label == most_frequent]] = -1
            rows.append(row)
            limits.append(MOST)
        for label in THREE_WAY:
            row = np.zeros(size)
            row[[n for n, form in enumerate(forms) if form.label == label]] = 1
            rows += [row, -row]
            limits += [LARGEST, -SMALLEST]
        whole = np.zeros(size)
        whole[: len(forms)] = 1
        bounds = [(floor, roof)] * len(forms) + [(0.0, 1.0)] * len(groups)
        made = linprog(np.zeros(size), A_ub=rows, b_ub=limits, A_eq=[whole], b_eq=[1.0], bounds=bounds)
        if made.status == 0:
            return [float(each) for each in made.x[: len(forms)]]
    return None


if __name__ == "__main__":
    main()
