"""What a language model that judges pairs leans on besides the texts."""

import msgspec

from assay.core.results.estimate import Estimate


class Leaning(msgspec.Struct, frozen=True, kw_only=True):
    """How a judge's answers move with the question, while the pairs stay the same.

    Figures that could not be measured, because the prompt has no field for what they vary, are left out.
    """

    model: str
    """The judge."""
    source: str
    """The corpus of the pairs."""
    pairs: int
    """How many pairs it was asked about, in each variant of the question."""
    premises: int
    """How many different premises they have; intervals count pairs with the same premise together."""
    variants: dict[str, str]
    """The variants of the question: what each of them changes."""
    estimates: tuple[Estimate, ...]
    """Accuracy, unclear replies and answers by label for each variant, and what follows from comparing variants."""
    labels: tuple[str, ...]
    """The labels that it chooses from, in the order of the prompt."""
    not_measured: dict[str, str] = {}
    """What could not be measured, and why."""
    notes: tuple[str, ...] = ()
    """What a careful reader should know."""

    def find(self, name: str, **where: str) -> Estimate | None:
        """The figure of a name on a slice; None if it was not measured."""
        return next((each for each in self.estimates if each.name == name and each.slice == where), None)
