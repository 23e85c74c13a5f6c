"""A family, a model, a kind of model and a format of one's own: what a package needs to add to Assay."""

from collections.abc import Sequence
from random import Random
from typing import ClassVar

import msgspec

from assay import Case, Edit, Label, Pair, Prediction, Replacement, Skip
from assay.core.label import LabelReader
from assay.core.protocols import Check, Model, Row, Sample


class ShoutCheck:
    """The label stays if nothing but the case of letters changed."""

    def __call__(self, case: Case) -> Skip | None:
        changed = case.provenance.edit.hypothesis
        same = all(part.old.lower() == part.new.lower() for part in changed)
        return None if same and not case.provenance.edit.premise else Skip("not verified: other words were changed")


class Shout(msgspec.Struct, frozen=True, kw_only=True):
    """Writes one word of the hypothesis in capitals; the label stays."""

    family: ClassVar[str] = "shout"
    check: ClassVar[type[Check]] = ShoutCheck

    def __call__(self, pair: Pair, rng: Random) -> list[Edit] | Skip:
        words = [word for word in pair.hypothesis.split(" ") if word.islower() and len(word) > 3]
        if not words:
            return Skip("no long word in lower case")
        word = rng.choice(words)
        start = f" {pair.hypothesis} ".index(f" {word} ")
        return [Edit(hypothesis=(Replacement(start, word, word.upper()),))]


class Contrarian:
    """Answers contradiction, always."""

    def predict(self, cases: Sequence[Case]) -> list[Prediction]:
        return [Prediction(id=case.id, label=Label.CONTRADICTION) for case in cases]


class Stubborn(msgspec.Struct, frozen=True, kw_only=True):
    """Answers the label that it is named after, but neutral where a word of the user's stands in the hypothesis."""

    what: str
    unless: str = ""

    def open(self) -> Model:
        return self

    def predict(self, cases: Sequence[Case]) -> list[Prediction]:
        return [Prediction(id=case.id, label=self._label(case.hypothesis.split())) for case in cases]

    def _label(self, words: list[str]) -> Label:
        return Label.NEUTRAL if self.unless in words else Label(self.what)


class ArrowFormat:
    """Pairs in one column, premise and hypothesis separated by an arrow."""

    title: ClassVar = "premise => hypothesis in one column, jsonl"

    def recognise(self, sample: Sample) -> int:
        return 3 if set(sample.columns) == {"arrow", "gold"} else 0

    def record(self, row: Row, label: LabelReader) -> Pair | Skip:
        premise, _, hypothesis = row.fields["arrow"].partition(" => ")
        gold = label(row.fields["gold"])
        if gold is None:
            return Skip("no gold label")
        return Pair(id=f"row-{row.number}", premise=premise, hypothesis=hypothesis, label=gold)
