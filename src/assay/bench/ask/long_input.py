"""Texts that are too long for a model: reported before anything is cut off."""

from collections.abc import Iterable
from typing import Literal, NoReturn

from assay.core.errors import UserError

Truncate = Literal["premise", "error"]

EXAMPLES = 3


def refuse(name: str, too_long: Iterable[str]) -> NoReturn:
    """Stop, with the number of cases and a few of their ids."""
    cases = list(too_long)
    raise UserError(
        f"{len(cases):,} cases are too long for {name}, such as {', '.join(map(repr, cases[:EXAMPLES]))}.\n"
        "  Cut off the end of their premises with --truncate premise: each such answer is marked and counted."
    )
