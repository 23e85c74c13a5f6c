"""The few examples that tell most about some models."""

from collections.abc import Collection, Iterable

from assay.core.results.example import Example

FEW = 3
"""Examples at the end of a run, and on the first screen of the page."""


def most_telling(
    examples: Iterable[Example], most: int = FEW, *, models: Collection[str] | None = None
) -> list[Example]:
    """The most telling few: right before the edit and wrong after it, for many models, each in another family.

    With `models`, only what they fail on counts.
    """
    left = [each for each in examples if models is None or {*each.failing} & {*models}]
    left.sort(key=lambda each: _weight(each, models), reverse=True)
    chosen: list[Example] = []
    while left and len(chosen) < most:
        seen = {each.case.family for each in chosen}
        best = next((each for each in left if each.case.family not in seen), left[0])
        left.remove(best)
        chosen.append(best)
    return chosen


def _weight(example: Example, models: Collection[str] | None) -> tuple[int, int, int]:
    own = [answer for model, answer in example.answers.items() if models is None or model in models]
    flips = sum(answer.failed and answer.source is not None and answer.source is example.source_label for answer in own)
    brevity = -len(example.case.premise) - len(example.case.hypothesis)
    return flips, sum(answer.failed for answer in own), brevity
