"""Texts that are too long for a model: reported, family by family, before anything is asked."""

from collections import Counter
from collections.abc import Iterable
from typing import Literal, NoReturn, Protocol

from assay.bench.ask.gathering import CaseTexts
from assay.core.errors import UserError
from assay.core.options import option

Truncate = Literal["premise", "error"]

EXAMPLES = 3


class Named(Protocol):
    """What is asked: a case, which has a family, or a row of a task."""

    @property
    def id(self) -> str: ...


def refuse(name: str, too_long: Iterable[Named]) -> NoReturn:
    """Stop, with the number of cases in each family and a few of their ids."""
    cases = list({case.id: case for case in too_long}.values())
    shown = ", ".join(repr(case.id) for case in cases[:EXAMPLES])
    raise UserError(
        f"{len(cases):,} cases are too long for {name}{by_family(cases)}, such as {shown}.\n"
        f"  Ask about all of each premise, window by window, with {option('windows', 'max')}; or cut off the end of "
        f"the premises with {option('truncate', 'premise')}: each such answer is marked and counted."
    )


def refuse_hypothesis(name: str, case: CaseTexts) -> NoReturn:
    """Stop at a case that can't be asked however much of its premise is cut off."""
    raise UserError(
        f"The hypothesis of {case.id!r} ({case.family}) is longer than {name} takes, and only premises are ever cut: "
        f"{case.hypothesis[:80]!r}...\n  Leave that pair out of the corpus."
    )


def foretold(name: str, too_long: Iterable[CaseTexts]) -> str:
    """What will be cut off, before it is; empty if nothing will."""
    cases = list(too_long)
    if not cases:
        return ""
    return (
        f"{name}: the premises of {len(cases):,} cases are longer than it takes{by_family(cases)}. Their ends are cut "
        f"off, and the answers are marked. {option('windows', 'max')} asks about all of each premise, window by "
        f"window; {option('truncate', 'error')} stops instead."
    )


def by_family(cases: Iterable[Named]) -> str:
    """How many cases each family has, in brackets.

    >>> by_family([CaseTexts("1", "", "", "original"), CaseTexts("2", "", "", "negation")])
    ' (original 1, negation 1)'
    """
    counts = Counter(family for case in cases if (family := getattr(case, "family", "")))
    return f" ({', '.join(f'{family} {n:,}' for family, n in counts.items())})" if counts else ""
