"""Settings of a training run."""

from typing import Annotated, Literal

import msgspec


class Hyperparameters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that decides the weights, apart from the system, the data and the seed."""

    epochs: int
    """Maximum number of passes over the data."""
    batch: int = 32
    """Pairs per step."""
    optimiser: Literal["adam", "adamw", "adagrad", "rmsprop", "sgd"] = "adam"
    rate: float
    """Learning rate at the start."""
    epsilon: float | None = None
    """Term that keeps the optimiser from dividing by zero; None for PyTorch's default."""
    decay: float = 0.0
    """Weight decay; biases and layer norms are left out."""
    clip_norm: float | None = None
    """Scale larger gradients down to this norm."""
    clip_value: float | None = None
    """Cut each value of the gradient to this size."""
    schedule: Literal["constant", "linear", "steps", "halve", "halve-every-second", "plateau", "infersent"] = "constant"
    """Linear: warm up, then down to nothing. Steps: multiply by .75 over each 10,000 steps. Halve: when a check brings
    no gain, halve the rate and go back to the best weights. Halve-every-second: halve it after every second epoch.
    Plateau: when a check brings no gain, halve the rate and go on. InferSent: multiply by .99 each epoch, and divide by
    five when a check brings no gain."""
    warm_up: float = 0.0
    """Share of all steps over which a linear schedule rises."""
    patience: int | None = None
    """Stop after this many checks in a row without a gain."""
    gain: float = 0.0
    """Relative improvement of the best accuracy that counts as a gain."""
    check_every: int | tuple[int, ...] | None = None
    """Steps between checks on the development pairs, or one number per epoch of which the last one stays; None for once
    an epoch."""
    buckets: bool = True
    """Put pairs of like length into one batch."""
    in_file_order: bool = False
    """Quirk of the shortcut-stacked encoder's code: pairs stay in the order of the files, without chance."""
    bf16: bool = False
    """Multiply matrices with 16 bits, which halves a transformer's time on processors that can. The result then differs
    from one kind of processor to another in more than the last digits."""
    vector_words_at_least: int = 2
    """Minimum frequency of a word without a ready vector in the training texts to get a learned one; 0 for no word."""

    def checks_every(self, epoch: int) -> int | None:
        """Steps between checks in an epoch, which is counted from 0.

        >>> plan = Hyperparameters(epochs=6, rate=1.0, check_every=(9000, 100))
        >>> [plan.checks_every(epoch) for epoch in range(3)]
        [9000, 100, 100]
        """
        if not isinstance(self.check_every, tuple):
            return self.check_every
        return self.check_every[min(epoch, len(self.check_every) - 1)]


Weight = Annotated[float, msgspec.Meta(ge=0)]


class Logic(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Weights of rules, and the pairs they apply to. A rule's penalty is summed over the pairs of a step."""

    contradiction_is_symmetric: Weight = 0.01
    """If the premise contradicts the hypothesis, the hypothesis contradicts the premise."""
    entailed_is_no_contradiction: Weight = 0.01
    """If the premise entails the hypothesis, the hypothesis does not contradict the premise."""
    neutral_is_no_contradiction: Weight = 0.01
    """If the premise is neutral to the hypothesis, the hypothesis does not contradict the premise."""
    text_entails_itself: Weight = 0.01
    """Every text entails itself."""
    entailed_is_neutral: Weight = 0.0
    """If the premise entails the hypothesis, the hypothesis is neutral to the premise: not so for paraphrases."""
    rule_pairs: Annotated[int, msgspec.Meta(ge=1)] = 16
    """Pairs that are drawn for each step."""
    flips: Annotated[int, msgspec.Meta(ge=0)] = 1
    """Copies of each with one word replaced by another, drawn by chance from the frequent ones."""
    flip_to_digits: bool = False
    """Quirk of the original: the number of such a word takes the place, in digits, which is an unknown word mostly."""


Method = Literal["reweight", "poe", "mixin", "confreg", "focal", "draw"]

NEEDS_NO_BIAS: tuple[Method, ...] = ("focal",)  # methods that also work with the system's own certainty alone


class Debias(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of the methods and of biased models."""

    entropy: Weight = 0.03
    """Of the learned mixin: what the entropy of the trusted bias weighs. Clark et al. used 0.03 for MultiNLI."""
    gamma: Weight = 2.0
    """Of the focal loss: how much less easy pairs count; with 0 all count the same."""
    focus: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.5
    """For the method `draw`, the fraction of each epoch that is drawn by the bias."""
    shallow_pairs: Annotated[int, msgspec.Meta(ge=1)] = 2_000
    """Pairs that a shallow model is trained on."""
