"""Texts that are longer than a model takes: told before anything is cut off."""

from collections.abc import Iterable
from typing import Literal, NoReturn

from assay.core.errors import UserError

Truncate = Literal["premise", "error"]

EXAMPLES = 3


def refuse(name: str, too_long: Iterable[str]) -> NoReturn:
    """Stop, with the number of cases and a few of their ids."""
    cases = list(too_long)
    raise UserError(
        f"{len(cases):,} cases are longer than {name} takes, such as {', '.join(map(repr, cases[:EXAMPLES]))}.\n"
        "  Cut the end of their premises off with --truncate premise: each such answer is marked and counted."
    )
