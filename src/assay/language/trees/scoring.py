"""How much two binary trees of the same words have in common."""

from collections.abc import Sequence

from assay.language.trees.binary import Steps, Tree, spans


def bracketing_f1(right: Sequence[Tree], found: Sequence[Steps]) -> float | None:
    r"""Of the parts of all right trees together, the share that was found; None if there are none.

    Parts have two words or more and are not the whole text. Binary trees of the same words have equally many of them,
    so precision, recall and F1 are one figure.

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
