"""Conditionals: what follows by modus ponens and modus tollens, step by step."""

from collections.abc import Sequence
from typing import NamedTuple

from assay.core.label import Label
from assay.language.logic.files import EntryError
from assay.stress.logic.natural.patterns import Piece, only_sentence, sentences


class Literal(NamedTuple):
    """A simple clause, or its denial."""

    clause: tuple[str, ...]
    holds: bool

    @property
    def denied(self) -> "Literal":
        """The opposite."""
        return self._replace(holds=not self.holds)


class Rule(NamedTuple):
    """One clause leads to another."""

    condition: Literal
    result: Literal


WORDS = {"only if": (True, True), "if": (False, True), "unless": (False, False)}
"""Between two clauses: whether the first is the condition, and whether the condition is taken as it is."""


def conditional_label(premise: Sequence[Piece], hypothesis: Sequence[Piece]) -> Label | None:
    """The label of a claim, given rules and facts; None if logic and usage differ.

    >>> from assay.stress.logic.natural.patterns import pieces
    >>> said = pieces("if NAME1 is STATE1 , NAME2 is STATE2 . NAME2 is not STATE2")
    >>> conditional_label(said, pieces("NAME1 is STATE1")).value
    'contradiction'
    """
    rules, facts = [], set()
    for each in map(_read, ([*map(str, each)] for each in sentences(premise))):
        if isinstance(each, Rule):
            rules += [each, Rule(each.result.denied, each.condition.denied)]
        else:
            facts.add(each)
    claim = _read([*map(str, only_sentence(hypothesis))])
    if isinstance(claim, Literal):
        known = _closed(facts, rules)
        if claim in known:
            return Label.ENTAILMENT
        return Label.CONTRADICTION if claim.denied in known else Label.NEUTRAL
    for condition, result in (claim, Rule(claim.result.denied, claim.condition.denied)):
        known = _closed(facts | {condition}, rules)
        if result in known:
            return Label.ENTAILMENT
        if result.denied in known:  # "if A, B" and "if A, not B" can both hold, but sound like a contradiction
            return None
    return Label.NEUTRAL


def _closed(facts: set[Literal], rules: Sequence[Rule]) -> set[Literal]:
    known = set(facts)
    while more := {rule.result for rule in rules if rule.condition in known} - known:
        known |= more
    return known


def _read(words: Sequence[str]) -> Rule | Literal:
    if words[:1] in (["if"], ["unless"]):
        if "," not in words:
            raise EntryError(
                f"{' '.join(words)!r} has no comma after its condition",
                entry=" ".join(words),
                hint=f'Write "{words[0]} NAME1 is STATE1, NAME2 is STATE2", without "then".',
            )
        comma = words.index(",")
        condition, result = _literal(words[1:comma]), _literal(words[comma + 1 :])
        return Rule(condition if words[0] == "if" else condition.denied, result)
    for text, (first_is_condition, as_it_is) in WORDS.items():
        size = len(text.split())
        for at in range(len(words)):
            if " ".join(words[at : at + size]) == text:
                first, second = _literal(words[:at]), _literal(words[at + size :])
                condition, result = (first, second) if first_is_condition else (second, first)
                return Rule(condition if as_it_is else condition.denied, result)
    return _literal(words)


def _literal(words: Sequence[str]) -> Literal:
    if not words or words[0] in (",", "if", "unless"):
        raise EntryError(
            f"{' '.join(words)!r} is not a simple clause",
            entry=" ".join(words) or "if",
            hint='Write "if NAME1 is STATE1, NAME2 is STATE2", with simple clauses.',
        )
    said = " ".join(words).replace("isn't", "is not").split()
    return Literal(tuple(word for word in said if word != "not"), "not" not in said)
