"""Formulas, which both provers use: facts, joined by "not", "and" and "or".

The prover of HANS (`heuristics/counterexample.py`) and that of the logic families (`logic/proof`) differ in what a fact
is and in which worlds there are. They share the connectives and their evaluation.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeAlias

Formula: TypeAlias = Any
"""A fact of one of the provers, or facts that are joined."""


class Not(NamedTuple):
    """The negation of a formula."""

    part: Formula


class Every(NamedTuple):
    """A conjunction: all parts hold."""

    parts: tuple[Formula, ...]


class Some(NamedTuple):
    """A disjunction: at least one part holds."""

    parts: tuple[Formula, ...]


def if_then(condition: Formula, result: Formula) -> Formula:
    """The implication: the result holds whenever the condition does."""
    return Some((Not(condition), result))


def facts_of(formula: Formula) -> Iterator[Any]:
    """The facts that occur in a formula.

    >>> list(facts_of(if_then("it rains", Every(("it is wet", "it is cold")))))
    ['it rains', 'it is wet', 'it is cold']
    """
    match formula:
        case Not(part):
            yield from facts_of(part)
        case Every(parts) | Some(parts):
            for part in parts:
                yield from facts_of(part)
        case _:
            yield formula


def evaluate(formula: Formula, value_of: Callable[[Any], Any], true: Any) -> Any:
    """The truth of a formula, given the truth of its facts: a bool, or one value for each world.

    >>> evaluate(if_then("rain", "wet"), {"rain": 0b1100, "wet": 0b1010}.__getitem__, 0b1111) == 0b1011
    True
    """
    match formula:
        case Not(part):
            return true ^ evaluate(part, value_of, true)
        case Every(parts):
            truth = true
            for part in parts:
                truth = truth & evaluate(part, value_of, true)
            return truth
        case Some(parts):
            truth = true ^ true
            for part in parts:
                truth = truth | evaluate(part, value_of, true)
            return truth
        case _:
            return value_of(formula)
