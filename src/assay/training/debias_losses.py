"""Changes of the loss: debiasing, distillation, and rules of logic for answers to a pair and to its swap."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import softplus

from assay.core.errors import UserError
from assay.core.label import THREE_WAY, Label
from assay.core.pair import Pair
from assay.models.systems.system import System
from assay.training.hyperparameters import Debias, Logic, Method
from assay.training.loop import Objective, Rows, cross_entropy

LEAST = 1e-6  # no label is less probable than this to a biased model: a certain mistake would make the loss infinite


class Biased(Objective):
    """A loss that uses the probabilities of a biased model, which is frozen."""

    def __init__(self, bias: NDArray[numpy.floating]) -> None:
        """Bias is (training pairs, labels)."""
        super().__init__()
        self._bias = torch.from_numpy(numpy.asarray(bias, dtype=numpy.float32))

    def bias(self, rows: Rows) -> Tensor:
        """(batch, labels): what the biased model expects."""
        return self._bias[rows]

    def log_bias(self, rows: Rows) -> Tensor:
        """(batch, labels): the same in logarithms."""
        return self.bias(rows).clamp(min=LEAST).log()

    def certainty(self, right: Tensor, rows: Rows) -> Tensor:
        """(batch,): the biased model's probability of the gold label."""
        return (self.bias(rows) * right).sum(-1).clamp(max=1.0)


class ProductOfExperts(Biased):
    """System and bias answer together, softmax(log p + log b), so the system learns what the bias lacks."""

    def forward(self, scores: Tensor, right: Tensor, rows: Rows) -> Tensor:
        together = scores.log_softmax(-1) + self.log_bias(rows)  # (batch, labels)
        return cross_entropy(together, right).mean()


LEAST_WEIGHT = 1e-6
"""Minimum total weight of a batch, so that a batch that the bias fully predicts teaches nothing instead of dividing
by zero."""


class Reweight(Biased):
    """A pair weighs 1 - b(y), where b(y) is the bias's probability of the gold label; a batch's weights add up to 1."""

    def forward(self, scores: Tensor, right: Tensor, rows: Rows) -> Tensor:
        weights = 1 - self.certainty(right, rows)  # (batch,)
        return (weights * cross_entropy(scores, right)).sum() / weights.sum().clamp(min=LEAST_WEIGHT)


class Focal(Objective):
    """A pair weighs (1 - p(y))^gamma, where p(y) is the system's own probability of the gold label."""

    def __init__(self, *, gamma: float) -> None:
        super().__init__()
        self.gamma = gamma

    def forward(self, scores: Tensor, right: Tensor, rows: Rows) -> Tensor:  # noqa: ARG002 - all is in the scores
        loss = cross_entropy(scores, right)  # (batch,)
        return ((1 - (-loss).exp()) ** self.gamma * loss).mean()


class DebiasedFocal(Biased):
    """A pair weighs (1 - b(y))^gamma, where b(y) is the bias's probability of the gold label."""

    def __init__(self, bias: NDArray[numpy.floating], *, gamma: float) -> None:
        super().__init__(bias)
        self.gamma = gamma

    def forward(self, scores: Tensor, right: Tensor, rows: Rows) -> Tensor:
        weights = (1 - self.certainty(right, rows)) ** self.gamma  # (batch,)
        return (weights * cross_entropy(scores, right)).mean()


class Distillation(Objective):
    """The mean of the losses against the gold label and against a teacher's probabilities (Hinton et al. 2015)."""

    def __init__(self, teacher: NDArray[numpy.floating]) -> None:
        """Teacher is (training pairs, labels)."""
        super().__init__()
        self._teacher = torch.from_numpy(numpy.asarray(teacher, dtype=numpy.float32))

    def forward(self, scores: Tensor, right: Tensor, rows: Rows) -> Tensor:
        of_teacher = -(self._teacher[rows] * scores.log_softmax(-1)).sum(-1)  # (batch,)
        return (cross_entropy(scores, right) + of_teacher).mean() / 2


class ConfidenceRegularisation(Biased):
    """The system learns the answers of a teacher, an ordinarily trained model, smoothed by how right the bias is."""

    def __init__(self, bias: NDArray[numpy.floating], teacher: NDArray[numpy.floating]) -> None:
        """Bias and the teacher's probabilities are (training pairs, labels)."""
        super().__init__(bias)
        self._teacher = torch.from_numpy(numpy.asarray(teacher, dtype=numpy.float32))

    def forward(self, scores: Tensor, right: Tensor, rows: Rows) -> Tensor:
        aim = smooth_probabilities(self._teacher[rows], self.certainty(right, rows))  # (batch, labels)
        return -(aim * scores.log_softmax(-1)).sum(-1).mean()


def smooth_probabilities(teacher: Tensor, certainty: Tensor) -> Tensor:
    """p^(1 - b) for the teacher's probabilities p, normalised: uniform if the bias is certain of the gold label.

    >>> smooth_probabilities(torch.tensor([[0.9, 0.1]]), torch.tensor([1.0])).tolist()
    [[0.5, 0.5]]
    """
    powers = teacher ** (1 - certainty)[:, None]
    return powers / powers.sum(-1, keepdim=True)


class LearnedMixin(Biased):
    """A product of experts that learns how far to trust the bias in each pair: softmax(log p + g log b).

    g = softplus(w h), from the last hidden vector h of the system. The entropy of softmax(g log b) is added to the
    loss, because the system could otherwise learn to ignore the bias.
    """

    def __init__(self, system: System, bias: NDArray[numpy.floating], *, entropy: float) -> None:
        super().__init__(bias)
        self.entropy = entropy
        last = last_layer(system)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)  # nothing else that is drawn depends on the method
            self.trust = nn.Linear(last.in_features, 1)
        self._hidden: Tensor | None = None
        last.register_forward_pre_hook(self._listen)

    def _listen(self, layer: nn.Module, given: tuple[Any, ...]) -> None:
        if layer.training:
            self._hidden = given[0]  # (batch, hidden)

    def forward(self, scores: Tensor, right: Tensor, rows: Rows) -> Tensor:
        assert self._hidden is not None
        factor = softplus(self.trust(self._hidden))  # (batch, 1)
        return mixed_loss(scores, right, factor * self.log_bias(rows), entropy=self.entropy)


def mixed_loss(scores: Tensor, right: Tensor, trusted: Tensor, *, entropy: float) -> Tensor:
    """(batch, labels): scores plus the trusted part of the bias, g log b."""
    together = scores.log_softmax(-1) + trusted
    of_bias = trusted.log_softmax(-1)
    spread = -(of_bias.exp() * of_bias).sum(-1)  # (batch,)
    return (cross_entropy(together, right) + entropy * spread).mean()


def last_layer(system: System) -> nn.Linear:
    layers = [each for each in system.modules() if isinstance(each, nn.Linear)]
    found = [each for each in layers if each.out_features == len(system.labels)]
    if not found:
        raise UserError(
            f"--debias mixin needs a linear layer that scores the labels, and {type(system).__name__} has none.\n"
            "  Use --debias poe, which needs no hidden vector."
        )
    return found[-1]


BiasShares = NDArray[numpy.floating]  # (training pairs, labels): probabilities


def objective_for(
    method: Method, settings: Debias, system: System, *, bias: BiasShares | None, teacher: BiasShares | None
) -> Objective:
    """The loss of a method, whose settings must be complete."""
    if bias is None:
        assert method == "focal"
        return Focal(gamma=settings.gamma)
    match method:
        case "reweight":
            return Reweight(bias)
        case "poe":
            return ProductOfExperts(bias)
        case "mixin":
            return LearnedMixin(system, bias, entropy=settings.entropy)
        case "confreg":
            assert teacher is not None
            return ConfidenceRegularisation(bias, teacher)
        case "focal":
            return DebiasedFocal(bias, gamma=settings.gamma)
        case "draw":
            return Objective()


WORD = re.compile(r"\w+(?:['\u2019-]\w+)*")

FREQUENT = 1_020  # number of most frequent words that may replace another
DIGITS = range(4, 1_024)  # numbers of these words in the original


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


Shares = dict[Label, Tensor]  # (pairs,): the probability of each label


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
