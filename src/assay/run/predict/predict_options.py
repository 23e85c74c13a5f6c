"""The options of running a model, and the budget that endpoints keep to."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from assay.core.errors import UserError
from assay.core.protocols import Cost, Endpoint, Priced
from assay.core.registry import option
from assay.run.predict.windows import Windows

Truncate = Literal["premise", "error"]


def money(amount: float) -> str:
    """An amount for people, whatever its currency.

    >>> money(1234.5), money(0.00047)
    ('1,234.50', '0.00047')
    """
    return f"{amount:,.2f}" if amount >= 0.01 or not amount else f"{amount:.2g}"


class Budget:
    """The most that all endpoints of a run may cost together; None for no limit."""

    def __init__(self, budget: float | None = None) -> None:
        self.budget = budget
        self._spent: dict[str, float] = {}

    def check(self, name: str, model: Endpoint, cost: Cost) -> None:
        """Stop before the first call if a model is likely to cost more than is left, or if its price is unknown."""
        if self.budget is None:
            return
        if cost.price is None or not isinstance(model, Priced):
            raise UserError(
                f"{name} has no price, so it can't keep to a budget.\n"
                "  Say what a million tokens cost: openai:MODEL@URL?price_in=0.15&price_out=0.6"
            )
        left = self.budget - sum(self._spent.values())
        if cost.price > left:
            raise UserError(
                f"{name} would cost about {money(cost.price)}, but only {money(max(0.0, left))} of the budget of "
                f"{money(self.budget)} is left.\n  No call was made. Test fewer cases, or raise {option('budget')}."
            )

    def check_spent(self, name: str, model: Endpoint) -> None:
        """Stop when the budget is used up, as the servers count."""
        if self.budget is None or not isinstance(model, Priced):
            return
        self._spent[name] = model.spent or 0.0
        if (spent := sum(self._spent.values())) > self.budget:
            raise UserError(
                f"{name}: the budget of {money(self.budget)} is used up: {money(spent)} were spent.\n"
                f"  The answers so far are stored: repeat the command with a larger {option('budget')}."
            )


UNLIMITED = Budget()


class PredictOptions(NamedTuple):
    """Settings for running models."""

    truncate: Truncate = "error"  # the treatment of a premise that is too long for a model
    windows: Windows | None = None  # for models without their own rule for long premises; None if these are not split
    cache: bool = True  # True if answers are cached for other runs too
    names: Mapping[str, str] = MappingProxyType({})  # the user's own names for labels, each with ours
    scores: bool = True  # True if a support score is an answer: not if the user wants three labels
    budget: Budget = UNLIMITED
    tell: Callable[[str], None] = lambda _: None  # called with messages for the user while models run
