"""Trees for texts: those that they bring, those of sentences in the heuristics' fragment, and the parser's."""

from collections.abc import Sequence
from typing import Literal

from assay.core.errors import UserError
from assay.language.fragment import chart_parser as fragment
from assay.language.fragment.fragment_lexicon import standard_fragment_lexicon
from assay.language.text.tokens import tokens
from assay.language.trees.binary_trees import Tree, read_tree, right_branching
from assay.language.trees.shift_reduce import load_parser

Origin = Literal["own", "parser", "right"]
"""Sources of trees: the text's own where it brings one, else the fragment's, else the parser's; the parser's for
all; or right-branching ones."""

AS_TYPED = {
    "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}", "``": '"', "''": '"',
}  # fmt: skip
"""Keyboard characters for what parses have in their place."""


def find_trees(
    texts: Sequence[str], own: Sequence[str | None] = (), *, origin: Origin = "own", longest: int = 0
) -> list[Tree]:
    """A tree for each text, in order; `own` are the texts' own trees, where they have any.

    If `longest` is given, of a text that must be parsed no more than so many words are.

    >>> find_trees(["A man sleeps."], ["( ( A man ) ( sleeps . ) )"])[0].words
    ('A', 'man', 'sleeps', '.')
    """
    trees_by_number: dict[int, Tree] = {}
    if origin == "own":
        trees_by_number |= {row: own_tree(texts[row], given) for row, given in enumerate(own) if given}
        recognised = {row: _in_fragment(text) for row, text in enumerate(texts) if row not in trees_by_number}
        trees_by_number |= {row: tree for row, tree in recognised.items() if tree}
    left = [row for row in range(len(texts)) if row not in trees_by_number]
    words = {
        text: tuple(token.text for token in tokens(text))[: longest or None] for text in map(texts.__getitem__, left)
    }
    several = list(words.values())
    steps = list(map(right_branching, several)) if origin == "right" else load_parser().parse(several)
    parsed = {text: Tree(*each) for text, each in zip(words, zip(several, steps, strict=True), strict=True)}
    trees_by_number |= {row: parsed[texts[row]] for row in left}
    return [trees_by_number[row] for row in range(len(texts))]


def own_tree(text: str, given: str) -> Tree:
    """The tree that a text brings."""
    tree = read_tree(given)
    if tree is None:
        raise _misfit_error(text, given, "it is not a bracketed binary tree")
    words = tuple(AS_TYPED.get(word, word) for word in tree.words)
    if _only_letters(text) != _only_letters("".join(words)):
        raise _misfit_error(text, given, "its words are not those of the text")
    return Tree(words, tree.steps)


def _misfit_error(text: str, given: str, why: str) -> UserError:
    return UserError(
        f"A parse does not fit its text: {why}.\n  Text:  {text}\n  Parse: {given}\n"
        "  Correct the file, or find all trees with the parser that comes with Assay: --set trees=parser"
    )


def _only_letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


def _in_fragment(text: str) -> Tree | None:
    """The first tree of a sentence that is in the fragment, with the text's own words."""
    for each in standard_fragment_lexicon().parse(text):
        tree, words = read_tree(fragment.write_binary(each)), tuple(token.text for token in tokens(text))
        if tree and len(tree.words) == len(words):
            return Tree(words, tree.steps)
    return None
