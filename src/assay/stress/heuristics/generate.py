"""Generating pairs: N different ones of each subcase, with parses, drawn as the released code draws them."""

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.core.chance import rng_for
from assay.core.errors import UserError, did_you_mean
from assay.core.pair import Pair, Parses
from assay.core.protocols import Fidelity
from assay.stress.heuristics.blocks import Block, blocks
from assay.stress.heuristics.grammar import Grammar, Subcase, load
from assay.stress.heuristics.quirks import quirks_of
from assay.stress.heuristics.shuffle import Numbers, chances
from assay.stress.heuristics.splits import SPLITS, Split
from assay.stress.heuristics.writing import Sheet

NAME = "heuristics/v1"


class Pool(NamedTuple):
    """All pairs that a subcase can have."""

    subcase: Subcase
    blocks: tuple[Block, ...]
    sheets: tuple[Sheet, ...]
    """How the pairs of each block are written."""

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
        raise UserError(f"The number of pairs must be 1 or more, not {n}.")
    pools = pools_of(grammar or load(), quirks_of(fidelity, quirks))
    if unknown := set(subcases or ()) - {pool.subcase.name for pool in pools}:
        name = sorted(unknown)[0]
        raise UserError(f"No subcase {name!r}{did_you_mean(name, [pool.subcase.name for pool in pools])}")
    wanted = [pool for pool in pools if subcases is None or pool.subcase.name in subcases]
    smallest = min(wanted, key=lambda pool: pool.size(split), default=None)
    if smallest and n > (size := smallest.size(split)):
        raise UserError(
            f"{smallest.subcase.name} has {size:,} different pairs in the {split} split, but {n:,} were requested.\n"
            f"  Request at most {size:,} of each subcase (--per-subcase), or add words with --grammar."
        )
    return chain.from_iterable(_pairs(pool, n, split, seed, n * place) for place, pool in enumerate(wanted))


@lru_cache(maxsize=8)
def pools_of(grammar: Grammar, quirks: frozenset[str]) -> tuple[Pool, ...]:
    """The pools of all subcases."""
    made = []
    for subcase in grammar.subcases:
        found = [block for filled in grammar.filled[subcase.name] for block in blocks(filled, grammar, quirks)]
        sheets = tuple(Sheet(block, grammar.lexicon, quirks) for block in found)
        made.append(Pool(subcase, tuple(found), sheets))
    return tuple(made)


def _pairs(pool: Pool, n: int, split: Split, seed: int, first: int) -> Iterator[Pair]:
    """The pairs of a subcase; `first` is the number of the first one's id."""
    key = f"{rng_for(seed, transform=NAME, pair=f'{split} {pool.subcase.name}').getrandbits(64):x}"
    order = _race(pool.blocks, n, split, key)
    shared = {"heuristic": pool.subcase.heuristic, "subcase": pool.subcase.name}
    groups = [{**shared, "template": block.filled.template.id} for block in pool.blocks]
    texts = {}
    for block, wanted in enumerate(np.bincount(order).tolist()):
        if wanted:
            drawn = pool.blocks[block].draw(wanted, split, f"{key} {block}")
            texts[block] = pool.sheets[block].write(drawn)  # written one at a time, while the pair is made
    label = pool.subcase.label
    for number, block in enumerate(order.tolist(), first):
        premise, hypothesis, premise_tree, hypothesis_tree, premise_binary, hypothesis_binary = next(texts[block])
        yield Pair(
            id=f"ex{number}",
            premise=premise,
            hypothesis=hypothesis,
            label=label,
            group=groups[block],
            parses=Parses(
                premise=premise_tree,
                hypothesis=hypothesis_tree,
                premise_binary=premise_binary,
                hypothesis_binary=hypothesis_binary,
            ),
        )


def _race(pool: Sequence[Block], n: int, split: Split, key: str) -> Numbers:
    """The blocks that n different pairs come from, in order.

    Drawing until n different ones are found is a race: each pair arrives after an exponential time at the rate of its
    weight, and the first n win. In a block with k pairs left, the next one arrives at k times the rate of one, so the
    outcome is found without drawing any pair in vain, however small the pool.
    """
    sizes = [block.sizes[split] for block in pool]
    rates = [size * block.weight for size, block in zip(sizes, pool, strict=True)]
    likely = [n * rate / sum(rates) for rate in rates]
    for slack in (8, None):  # more of a block than it is likely to get is only looked at if needed
        most = [n if slack is None else int(each + slack * each**0.5 + 20) for each in likely]
        runners = [min(size, n, limit) for size, limit in zip(sizes, most, strict=True)]
        times = np.concatenate(
            [
                _arrivals(block, size, count, f"race {key} {number}")
                for number, (block, size, count) in enumerate(zip(pool, sizes, runners, strict=True))
            ]
        )
        if len(times) < n:
            continue
        order = np.repeat(np.arange(len(pool)), runners)[np.argsort(times, kind="stable")[:n]]
        won = np.bincount(order, minlength=len(pool)).tolist()
        if all(w < count or count == min(size, n) for w, count, size in zip(won, runners, sizes, strict=True)):
            break
    return order


def _arrivals(block: Block, size: int, count: int, key: str) -> NDArray[np.float64]:
    left = np.arange(size, size - count, -1, dtype=np.float64)
    return np.cumsum(-np.log(chances(count, key=key)) / (left * block.weight))
