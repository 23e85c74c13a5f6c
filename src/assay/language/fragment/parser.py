"""Parsing by the rules: every tree of a sentence, or of a pattern with slots."""

from collections.abc import Iterator, Sequence

from assay.language.fragment.rules import AGREEMENT, RULES, TOP, Part, Rule
from assay.language.fragment.trees import Leaf, Node, Token, Tree


def parse(tokens: Sequence[Token]) -> list[Node]:
    """All trees of a sentence; none if it is not in the fragment."""
    return [tree for tree, end in _Chart(tokens).phrases(TOP, 0) if end == len(tokens)]


class _Chart:
    """What was already found, by phrase and position."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self._found: dict[tuple[str, int], list[tuple[Node, int]]] = {}

    def phrases(self, phrase: str, start: int) -> list[tuple[Node, int]]:
        key = (phrase, start)
        if key not in self._found:
            self._found[key] = [
                (Node(rule.label, rule.name, children, number), end)
                for rule in RULES[phrase]
                if start < len(self.tokens) and not rule.first.isdisjoint(self.tokens[start].can)
                for children, end in self._sequence(rule.parts, start)
                if (number := _number(rule, children)) is not None
            ]
        return self._found[key]

    def _sequence(self, parts: Sequence[Part], start: int) -> Iterator[tuple[tuple[Tree, ...], int]]:
        first, rest = parts[0], parts[1:]
        for head, end in self._leaves(first, start) if first.needs else self.phrases(first.symbol, start):
            if not rest:
                yield (head,), end
                continue
            for tail, last in self._sequence(rest, end):
                yield (head, *tail), last

    def _leaves(self, part: Part, position: int) -> Sequence[tuple[Tree, int]]:
        if position < len(self.tokens) and part.needs in self.tokens[position].can:
            return [(Leaf(part.symbol, self.tokens[position]), position + 1)]
        return ()


def _number(rule: Rule, children: tuple[Tree, ...]) -> str | None:
    """The number of a noun phrase, or the one that a verb phrase needs; None if the parts don't agree."""
    nodes = {child.label: child.number for child in children if isinstance(child, Node)}
    if rule.label == "S":
        if "NP" in nodes and "VP" in nodes:
            return "" if _agree(nodes["NP"], nodes["VP"]) else None
        return nodes.get("VP", "")
    if rule.label == "SBAR":
        return nodes["S"]
    if rule.label == "NP":
        if rule.name == "both":
            return "plural"
        if "SBAR" in nodes and not _agree(nodes["NP"], nodes["SBAR"]):
            return None
        return nodes.get("NP") or _word_number(children[-1])
    return _word_number(children[0])


def _word_number(tree: Tree) -> str:
    if isinstance(tree, Node):
        return ""
    return AGREEMENT.get(tree.token.text, tree.token.number)


def _agree(subject: str, verb: str) -> bool:
    return not verb or subject == verb
