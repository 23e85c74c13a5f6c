"""Trees of the fragment, and how they are written."""

from collections.abc import Callable, Iterator
from itertools import count
from typing import NamedTuple, TypeAlias


class Token(NamedTuple):
    """A word of a sentence, or a slot of a pattern for many words."""

    text: str
    """The word in lower case, or the slot's name."""
    can: frozenset[str]
    """What it can do, in the terms of the rules."""
    number: str = ""
    """For a noun: singular, plural, or either; for a verb: the number of the subject that it needs, if any."""


class Leaf(NamedTuple):
    """A token in a tree."""

    symbol: str
    """Its role."""
    token: Token
    """The token."""


class Node(NamedTuple):
    """A phrase."""

    label: str
    """The label of the Penn Treebank."""
    rule: str
    """The name of the rule that made it."""
    children: "tuple[Tree, ...]"
    """Its parts."""
    number: str
    """For a noun phrase: its number; for a verb phrase: the number that it needs, if any."""

    def phrases(self) -> "list[Node]":
        """The parts that are phrases."""
        return [child for child in self.children if isinstance(child, Node)]

    def words(self) -> list[str]:
        """The parts that are words."""
        return [child.token.text for child in self.children if isinstance(child, Leaf)]


Tree: TypeAlias = Node | Leaf

Writer = Callable[[Leaf, int], str]
"""How a leaf is written, given its position."""


def tag_of(leaf: Leaf) -> str:
    """The Penn tag of a word.

    >>> tag_of(Leaf("noun", Token("doctors", frozenset(), "plural")))
    'NNS'
    >>> tag_of(Leaf("VBD:alone", Token("ran", frozenset())))
    'VBD'
    """
    symbol, token = leaf
    if symbol in ("noun", "plural"):
        return "NNS" if token.number == "plural" else "NN"
    if symbol == "relative":
        return "WP" if token.text == "who" else "WDT"
    return symbol.partition(":")[0]


def leaves(tree: Tree) -> Iterator[Leaf]:
    """The words in their order."""
    if isinstance(tree, Leaf):
        yield tree
    else:
        for child in tree.children:
            yield from leaves(child)


def penn(tree: Tree, write: Writer | None = None) -> str:
    """A sentence's tree with labels and tags."""
    return _penn_node("ROOT", [_written(tree, write or penn_leaf, count(), _penn_node)])


def binary(tree: Tree, write: Writer | None = None) -> str:
    """The tree without labels: nodes with one part vanish, and of several parts the last two are joined first."""
    return _written(tree, write or binary_leaf, count(), _binary_node)


def penn_leaf(leaf: Leaf, position: int) -> str:
    """A word under its tag; several words each get the same tag."""
    return tagged(tag_of(leaf), capital(leaf.token.text, position))


def binary_leaf(leaf: Leaf, position: int) -> str:
    """A word; several words are right-branching, as everything is."""
    return joined(capital(leaf.token.text, position))


def tagged(tag: str, text: str) -> str:
    """Words under a tag.

    >>> tagged("NN", "ice cream")
    '(NN ice) (NN cream)'
    """
    return " ".join(f"({tag} {word})" for word in text.split())


def joined(text: str) -> str:
    """Words as a binary tree.

    >>> joined("rice"), joined("ice cream")
    ('rice', '( ice cream )')
    """
    return _binary_node("", text.split())


def capital(text: str, position: int) -> str:
    """The first word of a sentence gets a capital; `str.capitalize` would change the others."""
    return text if position else text[:1].upper() + text[1:]


def _written(tree: Tree, write: Writer, positions: Iterator[int], node: Callable[[str, list[str]], str]) -> str:
    if isinstance(tree, Leaf):
        return write(tree, next(positions))
    return node(tree.label, [_written(child, write, positions, node) for child in tree.children])


def _penn_node(label: str, parts: list[str]) -> str:
    return f"({label} {' '.join(parts)})"


def _binary_node(_label: str, parts: list[str]) -> str:
    made = parts[-1]
    for part in reversed(parts[:-1]):
        made = f"( {part} {made} )"
    return made


def spans(written: str) -> set[tuple[str, ...]]:
    """The phrases of a binary tree, in lower case and without final punctuation.

    >>> sorted(" ".join(span) for span in spans("( ( The doctor ) ( ran . ) )"))
    ['ran', 'the doctor', 'the doctor ran']
    """
    found: set[tuple[str, ...]] = set()
    words: list[str] = []
    open_at: list[int] = []
    for piece in written.lower().split():
        if piece == "(":
            open_at.append(len(words))
        elif piece == ")":
            if open_at:  # a tree from outside may be damaged
                found.add(tuple(words[open_at.pop() :]))
        elif piece not in (".", "?", "!"):
            words.append(piece)
    return found
