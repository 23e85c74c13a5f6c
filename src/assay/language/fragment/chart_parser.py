"""A chart parser for the fragment: its trees, its rules, and every parse of a sentence."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import NamedTuple, TypeAlias


class FragmentToken(NamedTuple):
    """A word of a sentence, or a slot of a pattern for many words."""

    text: str
    """The word in lower case, or the slot's name."""
    can: frozenset[str]
    """Possible roles, in the terms of the grammar rules."""
    number: str = ""
    """For a noun: singular, plural, or either; for a verb: the number of the subject that it needs, if any."""


class Leaf(NamedTuple):
    """A token in a tree."""

    symbol: str
    token: FragmentToken


class PhraseNode(NamedTuple):
    """A phrase."""

    label: str
    rule: str
    children: "tuple[Tree, ...]"
    number: str
    """For a noun phrase: its number. For a verb phrase: the number of the subject that it needs, if any."""

    def phrases(self) -> "list[PhraseNode]":
        """Child nodes that are phrases."""
        return [child for child in self.children if isinstance(child, PhraseNode)]

    def words(self) -> list[str]:
        """Child nodes that are words."""
        return [child.token.text for child in self.children if isinstance(child, Leaf)]


Tree: TypeAlias = PhraseNode | Leaf

Writer = Callable[[Leaf, int], str]


def tag_of(leaf: Leaf) -> str:
    """The Penn tag of a word.

    >>> tag_of(Leaf("noun", FragmentToken("doctors", frozenset(), "plural")))
    'NNS'
    >>> tag_of(Leaf("VBD:alone", FragmentToken("ran", frozenset())))
    'VBD'
    """
    symbol, token = leaf
    if symbol in ("noun", "plural"):
        return "NNS" if token.number == "plural" else "NN"
    if symbol == "relative":
        return "WP" if token.text == "who" else "WDT"
    return symbol.partition(":")[0]


def leaves(tree: Tree) -> Iterator[Leaf]:
    """The words of a tree, in order."""
    if isinstance(tree, Leaf):
        yield tree
    else:
        for child in tree.children:
            yield from leaves(child)


def write_penn(tree: Tree, write: Writer | None = None) -> str:
    """A tree in Penn Treebank notation, with labels and tags."""
    return _penn_node("ROOT", [_write_node(tree, write or penn_leaf, count(), _penn_node)])


def write_binary(tree: Tree, write: Writer | None = None) -> str:
    """A tree in binary notation, without labels. Unary nodes are removed; longer ones are joined from the right."""
    return _write_node(tree, write or binary_leaf, count(), _binary_node)


def penn_leaf(leaf: Leaf, position: int) -> str:
    """A word with its tag in brackets; each word of a multiword token gets the same tag."""
    return tag_words(tag_of(leaf), capitalise(leaf.token.text, position))


def binary_leaf(leaf: Leaf, position: int) -> str:
    """A word; a multiword token becomes a right-branching tree."""
    return join_words(capitalise(leaf.token.text, position))


def tag_words(tag: str, text: str) -> str:
    """Each word in brackets with the same tag.

    >>> tag_words("NN", "ice cream")
    '(NN ice) (NN cream)'
    """
    return " ".join(f"({tag} {word})" for word in text.split())


def join_words(text: str) -> str:
    """Words as a right-branching binary tree.

    >>> join_words("rice"), join_words("ice cream")
    ('rice', '( ice cream )')
    """
    return _binary_node("", text.split())


def capitalise(text: str, position: int) -> str:
    """The first word of a sentence gets a capital; `str.capitalize` would change the others."""
    return text if position else text[:1].upper() + text[1:]


def _write_node(tree: Tree, write: Writer, positions: Iterator[int], node: Callable[[str, list[str]], str]) -> str:
    if isinstance(tree, Leaf):
        return write(tree, next(positions))
    return node(tree.label, [_write_node(child, write, positions, node) for child in tree.children])


def _penn_node(label: str, parts: list[str]) -> str:
    return f"({label} {' '.join(parts)})"


def _binary_node(_label: str, parts: list[str]) -> str:
    tree = parts[-1]
    for part in reversed(parts[:-1]):
        tree = f"( {part} {tree} )"
    return tree


def binary_spans(written: str) -> set[tuple[str, ...]]:
    """The phrases of a written binary tree, in lower case and without final punctuation.

    >>> sorted(" ".join(span) for span in binary_spans("( ( The doctor ) ( ran . ) )"))
    ['ran', 'the doctor', 'the doctor ran']
    """
    spans: set[tuple[str, ...]] = set()
    words: list[str] = []
    open_at: list[int] = []
    for piece in written.lower().split():
        if piece == "(":
            open_at.append(len(words))
        elif piece == ")":
            if open_at:  # a tree from outside may be damaged
                spans.add(tuple(words[open_at.pop() :]))
        elif piece not in (".", "?", "!"):
            words.append(piece)
    return spans


TOP = "S/top"


class RulePart(NamedTuple):
    """One part of a rule."""

    symbol: str
    """The name of a phrase, or the role of a word."""
    needs: str
    """The role that a word must have; `'in'` in quotation marks means exactly that word. Empty for a phrase."""


class GrammarRule(NamedTuple):
    """A rule for one kind of phrase."""

    name: str
    """The name by which the code that computes meanings refers to the rule."""
    label: str
    parts: tuple[RulePart, ...]
    first: frozenset[str]
    """Possible roles of the first word of such a phrase."""


Rules = Mapping[str, tuple[GrammarRule, ...]]
"""Rules by the phrase that they make."""


def read_rules(module_file: str) -> Rules:
    """The rules in `grammar_rules.txt`, next to the given module."""
    text = Path(module_file).with_name("grammar_rules.txt").read_text(encoding="utf-8")
    lines = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    made_of: defaultdict[str, list[str]] = defaultdict(list)
    for _, made, first, *_ in lines:
        made_of[made].append(first)

    def part(text: str) -> RulePart:
        symbol, quote, word = text.partition("'")
        needs = f"'{text}'" if text in (".", ",") else quote + word or text
        return RulePart(text, "") if text in made_of else RulePart(symbol, needs)

    def first_words(text: str) -> frozenset[str]:
        if text not in made_of:
            return frozenset([part(text).needs])
        return frozenset().union(*map(first_words, made_of[text]))

    rules_by_phrase: defaultdict[str, list[GrammarRule]] = defaultdict(list)
    for name, made, *parts in lines:
        rule = GrammarRule(name, made.partition("/")[0], tuple(map(part, parts)), first_words(parts[0]))
        rules_by_phrase[made].append(rule)
    return {made: tuple(rules) for made, rules in rules_by_phrase.items()}


RULES = read_rules(__file__)

AGREEMENT = {"was": "singular", "were": "plural"}
"""The number of the subject that a word in a rule needs."""


def literals_of(rules: Rules) -> frozenset[str]:
    """The words that are written literally in the rules."""
    parts = (part.needs for each in rules.values() for rule in each for part in rule.parts)
    return frozenset(needs.strip("'") for needs in parts if needs.startswith("'"))


LITERALS = literals_of(RULES)


def parse_fragment(tokens: Sequence[FragmentToken], rules: Rules = RULES, top: str = TOP) -> list[PhraseNode]:
    """All trees of a sentence; empty if the rules do not cover it."""
    return [tree for tree, end in _Chart(tokens, rules).phrases(top, 0) if end == len(tokens)]


class _Chart:
    """Partial parses, cached by phrase type and position."""

    def __init__(self, tokens: Sequence[FragmentToken], rules: Rules) -> None:
        self.tokens = tokens
        self._rules = rules
        self._found: dict[tuple[str, int], list[tuple[PhraseNode, int]]] = {}

    def phrases(self, phrase: str, start: int) -> list[tuple[PhraseNode, int]]:
        key = (phrase, start)
        if key not in self._found:
            self._found[key] = [
                (PhraseNode(rule.label, rule.name, children, number), end)
                for rule in self._rules[phrase]
                if start < len(self.tokens) and not rule.first.isdisjoint(self.tokens[start].can)
                for children, end in self._match_parts(rule.parts, start)
                if (number := _agreed_number(rule, children)) is not None
            ]
        return self._found[key]

    def _match_parts(self, parts: Sequence[RulePart], start: int) -> Iterator[tuple[tuple[Tree, ...], int]]:
        first, rest = parts[0], parts[1:]
        for head, end in self._match_word(first, start) if first.needs else self.phrases(first.symbol, start):
            if not rest:
                yield (head,), end
                continue
            for tail, last in self._match_parts(rest, end):
                yield (head, *tail), last

    def _match_word(self, part: RulePart, position: int) -> Sequence[tuple[Tree, int]]:
        if position < len(self.tokens) and part.needs in self.tokens[position].can:
            return [(Leaf(part.symbol, self.tokens[position]), position + 1)]
        return ()


def _agreed_number(rule: GrammarRule, children: tuple[Tree, ...]) -> str | None:
    """The grammatical number of a phrase (or the number that it requires); None if its parts don't agree."""
    if rule.label not in ("S", "SBAR", "NP"):
        return _word_number(children[0])
    nodes = {child.label: child.number for child in children if isinstance(child, PhraseNode)}
    if rule.label == "S":
        if "NP" in nodes and "VP" in nodes:
            return "" if _do_agree(nodes["NP"], nodes["VP"]) else None
        return nodes.get("VP", "")
    if rule.label == "SBAR":
        return nodes["S"]
    if rule.name == "both":
        return "plural"
    if "SBAR" in nodes and not _do_agree(nodes["NP"], nodes["SBAR"]):
        return None
    return nodes.get("NP") or _word_number(children[-1])


def _word_number(tree: Tree) -> str:
    if isinstance(tree, PhraseNode):
        return ""
    return AGREEMENT.get(tree.token.text, tree.token.number)


def _do_agree(subject: str, verb: str) -> bool:
    return not verb or subject == verb
