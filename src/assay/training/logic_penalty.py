"""Rules for answers to a pair and to its swap, as a penalty added to the loss (Minervini and Riedel 2018)."""

import re
from collections import Counter
from collections.abc import Sequence

import numpy
import torch
from torch import Tensor

from assay.core.errors import UserError
from assay.core.label import THREE_WAY, Label
from assay.core.pair import Pair
from assay.models.systems.system import System
from assay.training.hyperparameters import Logic

WORD = re.compile(r"\w+(?:['\u2019-]\w+)*")

FREQUENT = 1_020
"""Number of most frequent words that may replace another."""

DIGITS = range(4, 1_024)
"""Numbers of these words in the original."""


class Penalty:
    """The penalty of a step, by its number, so that resumed training gets the same one."""

    def __init__(self, system: System, pairs: Sequence[Pair], logic: Logic, *, seed: int) -> None:
        if set(system.labels) != set(THREE_WAY):
            raise UserError("--regularise logic needs three labels: train without --two-way.")
        self.system = system
        self.pairs = pairs
        self.logic = logic
        self.seed = seed
        texts = (text for pair in pairs for text in (pair.premise, pair.hypothesis))
        counts = Counter(word for text in texts for word in WORD.findall(text)) if logic.flips else Counter[str]()
        frequent = [word for word, _ in counts.most_common(FREQUENT)]
        self.words = list(map(str, DIGITS)) if logic.flip_to_digits else frequent

    def __call__(self, step: int) -> Tensor:
        premises, hypotheses = zip(*self._draw_pairs(numpy.random.default_rng([self.seed, step])), strict=True)
        there, back = self._shares(premises, hypotheses), self._shares(hypotheses, premises)
        penalty = rule_violation(there, back, self.logic) + rule_violation(back, there, self.logic)
        if self.logic.text_entails_itself:
            for texts in (premises, hypotheses):
                itself = self._shares(texts, texts)[Label.ENTAILMENT]
                penalty = penalty + self.logic.text_entails_itself * (1 - itself).sum()
        return penalty

    def _shares(self, premises: Sequence[str], hypotheses: Sequence[str]) -> "Shares":
        encoded = self.system.encode(premises, hypotheses)
        found = self.system(*self.system.batch(encoded, numpy.arange(len(premises)))).softmax(-1)  # (pairs, labels)
        return dict(zip(self.system.labels, found.unbind(-1), strict=True))

    def _draw_pairs(self, rng: numpy.random.Generator) -> list[tuple[str, str]]:
        """Some pairs, then copies of each with one word replaced on one side."""
        rows = rng.choice(len(self.pairs), min(self.logic.rule_pairs, len(self.pairs)), replace=False)
        found = [(self.pairs[row].premise, self.pairs[row].hypothesis) for row in rows]
        flipped = []
        for premise, hypothesis in found:
            for _ in range(self.logic.flips):
                word = self.words[int(rng.integers(len(self.words)))] if self.words else ""
                if rng.integers(2):
                    flipped.append((flip_word(premise, word, rng), hypothesis))
                else:
                    flipped.append((premise, flip_word(hypothesis, word, rng)))
        return found + flipped


Shares = dict[Label, Tensor]
"""(pairs,): the probability of each label."""


def flip_word(text: str, word: str, rng: numpy.random.Generator) -> str:
    """A text with one of its words replaced by another.

    >>> flip_word("Dogs", "cats", numpy.random.default_rng(0))
    'cats'
    """
    places = list(WORD.finditer(text))
    if not places:
        return text
    chosen = places[int(rng.integers(len(places)))]
    return text[: chosen.start()] + word + text[chosen.end() :]


def rule_violation(there: Shares, back: Shares, logic: Logic) -> Tensor:
    """The weighted violation of the rules by answers to pairs and to swapped pairs."""
    entailed, neutral, contradicted = (there[label] for label in THREE_WAY)
    rules = [
        (logic.contradiction_is_symmetric, contradicted - back[Label.CONTRADICTION]),
        (logic.entailed_is_no_contradiction, entailed + back[Label.CONTRADICTION] - 1),
        (logic.neutral_is_no_contradiction, neutral + back[Label.CONTRADICTION] - 1),
        (logic.entailed_is_neutral, entailed - back[Label.NEUTRAL]),
    ]
    return torch.stack([weight * excess.clamp(min=0).sum() for weight, excess in rules]).sum()
