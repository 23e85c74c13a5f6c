"""Generating pairs: so many different ones of each subcase, with their parses, drawn as the released code draws them."""

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache
from itertools import count
from typing import NamedTuple

import numpy as np

from assay.core.chance import rng_for
from assay.core.errors import UserError, did_you_mean
from assay.core.label import Label
from assay.core.pair import Pair, Parses
from assay.core.protocols import Fidelity
from assay.language.fragment.trees import Leaf, Tree, binary, binary_leaf, capital, joined, penn, penn_leaf, tag_of, tagged
from assay.stress.heuristics.blocks import Block, Numbers, blocks
from assay.stress.heuristics.grammar import Grammar, Subcase, load
from assay.stress.heuristics.patterns import Piece, Side, Slot
from assay.stress.heuristics.quirks import DOUBLED_THE, OBJECT_TAG, quirks_of
from assay.stress.heuristics.splits import SPLITS, Split

NAME = "heuristics/v1"

HOLE = "%s"


class Writing(NamedTuple):
    """How one text of a block's pairs is written: a text with holes, and the words for each."""

    text: str
    holes: tuple[tuple[int, tuple[str, ...]], ...]
    """For each hole the number of its column, and how that column's words are written there."""

    def write(self, drawn: Sequence[Numbers]) -> list[str]:
        """The texts of all fillings."""
        columns = [np.array(words, dtype=object)[drawn[column]].tolist() for column, words in self.holes]
        return list(map(self.text.__mod__, zip(*columns, strict=True)))


class Pool(NamedTuple):
    """All that a subcase can be."""

    subcase: Subcase
    blocks: tuple[Block, ...]
    writings: tuple[tuple[Writing, ...], ...]
    """For each block: premise, hypothesis, their trees, their binary trees."""

    def size(self, split: Split) -> int:
        """How many different pairs there are."""
        return sum(block.sizes[split] for block in self.blocks)


def generate(
    n: int = 1000,
    *,
    split: Split = "evaluation",
    seed: int = 0,
    fidelity: Fidelity = "strict",
    quirks: Collection[str] | None = None,
    grammar: Grammar | None = None,
    subcases: Collection[str] | None = None,
) -> Iterator[Pair]:
    """N different pairs of each subcase, in the order and with the ids of the released file.

    `quirks` names the errors of the released code that are kept; by default all with fidelity `code`, else none.

    >>> first = next(generate(1))
    >>> first.id, first.label.value, first.group["subcase"], first.group["template"]
    ('ex0', 'non-entailment', 'ln_subject/object_swap', 'temp1')
    >>> [pair.premise for pair in generate(2, seed=1)] == [pair.premise for pair in generate(2, seed=1)]
    True
    """
    if split not in SPLITS:
        raise UserError(f"No split {split!r}{did_you_mean(split, SPLITS)} There are {' and '.join(SPLITS)}.")
    if n < 1:
        raise UserError(f"The number of pairs is 1 or more, not {n}.")
    pools = pools_of(grammar or load(), quirks_of(fidelity, quirks))
    if unknown := set(subcases or ()) - {pool.subcase.name for pool in pools}:
        name = sorted(unknown)[0]
        raise UserError(f"No subcase {name!r}{did_you_mean(name, [pool.subcase.name for pool in pools])}")
    wanted = [pool for pool in pools if subcases is None or pool.subcase.name in subcases]
    for pool in wanted:
        if n > (size := pool.size(split)):
            raise UserError(f"{pool.subcase.name} has {size:,} different pairs in the {split} split, and {n:,} were asked for.")
    ids = map("ex%d".__mod__, count())
    return (pair for pool in wanted for pair in _pairs(pool, n, split, seed, ids))


def pool_sizes(
    *, fidelity: Fidelity = "strict", grammar: Grammar | None = None
) -> dict[str, dict[Split, int]]:
    """How many different pairs each subcase has in each split, exactly.

    >>> pool_sizes()["se_understood_object"]
    {'evaluation': 1376, 'training': 1312}
    """
    pools = pools_of(grammar or load(), quirks_of(fidelity))
    return {pool.subcase.name: {split: pool.size(split) for split in SPLITS} for pool in pools}


def pools_of(grammar: Grammar, quirks: frozenset[str]) -> tuple[Pool, ...]:
    """The pools of all subcases; parsing is done here, and once."""
    return _POOLS(id(grammar), quirks, lambda: grammar)


def _made(grammar: Grammar, quirks: frozenset[str]) -> tuple[Pool, ...]:
    made = []
    for subcase in grammar.subcases:
        found = [block for filled in grammar.filled[subcase.name] for block in blocks(filled, grammar, quirks)]
        made.append(Pool(subcase, tuple(found), tuple(tuple(_writings(block, quirks)) for block in found)))
    return tuple(made)
