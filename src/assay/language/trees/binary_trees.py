"""Binary trees without labels, stored as the steps that build them: shift a word, or join the last two parts."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

SHIFT, REDUCE = 0, 1

Steps = bytes
"""One step after the other; a tree of n words takes n shifts and n - 1 reductions."""

FINAL = frozenset(".?!")


class Tree(NamedTuple):
    """Words, and the steps that join them to a tree."""

    words: tuple[str, ...]
    steps: Steps


def read_tree(written: str) -> Tree | None:
    r"""A tree from its brackets; None if they do not form a single binary tree.

    >>> read_tree("( ( The dog ) ( barks . ) )")
    Tree(words=('The', 'dog', 'barks', '.'), steps=b'\x00\x00\x01\x00\x00\x01\x01')
    >>> read_tree("( The old dog )") is read_tree("( dog") is None
    True
    """
    words: list[str] = []
    steps = bytearray()
    open_parts = [0]
    for piece in written.split():
        if piece == "(":
            open_parts.append(0)
        elif piece == ")":
            if len(open_parts) < 2 or open_parts.pop() != 2:
                return None
            steps.append(REDUCE)
            open_parts[-1] += 1
        else:
            words.append(piece)
            steps.append(SHIFT)
            open_parts[-1] += 1
    return Tree(tuple(words), bytes(steps)) if open_parts == [1] else None


def write_tree(tree: Tree) -> str:
    r"""A tree written with brackets, as in SNLI.

    >>> write_tree(Tree(("The", "dog", "barks"), b"\0\0\1\0\1"))
    '( ( The dog ) barks )'
    """
    stack: list[str] = []
    words = iter(tree.words)
    for step in tree.steps:
        if step == SHIFT:
            stack.append(next(words))
        else:
            right = stack.pop()
            stack[-1] = f"( {stack[-1]} {right} )"
    return stack[0] if stack else ""


def right_branching(words: Sequence[str]) -> Steps:
    """A right-branching tree, except that a final mark is joined to all words after the first, as in SNLI.

    >>> write_tree(Tree(("The", "dog", "barks", "."), right_branching(["The", "dog", "barks", "."])))
    '( The ( ( dog barks ) . ) )'
    """
    count = len(words)
    if count > 3 and words[-1] in FINAL:
        return bytes([SHIFT] * (count - 1) + [REDUCE] * (count - 3) + [SHIFT, REDUCE, REDUCE])
    return bytes([SHIFT] * count + [REDUCE] * max(0, count - 1))


def restrict_tree(steps: Steps, kept: Sequence[bool]) -> Steps:
    r"""The tree of the words that are kept; parts without any kept word vanish.

    >>> restrict_tree(b"\0\0\1\0\1", [True, False, True])
    b'\x00\x00\x01'
    """
    kept_steps = bytearray()
    stack: list[bool] = []
    places = iter(kept)
    for step in steps:
        if step == SHIFT:
            stack.append(next(places))
            if stack[-1]:
                kept_steps.append(SHIFT)
        else:
            right = stack.pop()
            if right and stack[-1]:
                kept_steps.append(REDUCE)
            stack[-1] |= right
    return bytes(kept_steps)


class BinaryNode(NamedTuple):
    """A node that joins two parts. Words are numbered from 0, and joined parts from -1 downwards."""

    left: int
    right: int
    level: int
    """Height of the node: the number of joins on the longest path down, including its own."""


def nodes(steps: Steps) -> list[BinaryNode]:
    r"""The inner nodes of a tree, lower ones first.

    >>> nodes(b"\0\0\1\0\1")
    [BinaryNode(left=0, right=1, level=1), BinaryNode(left=-1, right=2, level=2)]
    """
    joined: list[BinaryNode] = []
    stack: list[tuple[int, int]] = []
    word = 0
    for step in steps:
        if step == SHIFT:
            stack.append((word, 0))
            word += 1
        else:
            right, right_level = stack.pop()
            left, left_level = stack[-1]
            level = 1 + max(left_level, right_level)
            joined.append(BinaryNode(left, right, level))
            stack[-1] = -len(joined), level
    return joined


def spans(steps: Steps) -> Iterator[tuple[int, int]]:
    r"""First word and end of every inner node, including the whole text.

    >>> list(spans(b"\0\0\1\0\1"))
    [(0, 2), (0, 3)]
    """
    starts: list[int] = []
    word = 0
    for step in steps:
        if step == SHIFT:
            starts.append(word)
            word += 1
        else:
            starts.pop()
            yield starts[-1], word


def bracketing_f1(right: Sequence[Tree], found: Sequence[Steps]) -> float | None:
    r"""The fraction of the parts of all correct trees that were found; None if there are no parts.

    Parts have two words or more and are not the whole text. Binary trees of the same words have equally many of them,
    so precision, recall and F1 are one number.

    >>> tree = Tree(("The", "dog", "barks", "."), b"\0\0\1\0\0\1\1")
    >>> bracketing_f1([tree], [b"\0\0\1\0\1\0\1"])
    0.5
    """
    hits = wanted = 0
    for tree, steps in zip(right, found, strict=True):
        parts = {*spans(tree.steps)} - {(0, len(tree.words))}
        hits += len(parts & {*spans(steps)})
        wanted += len(parts)
    return hits / wanted if wanted else None
