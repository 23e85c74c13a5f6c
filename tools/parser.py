"""Trains the parser that ships (`python tools/parser.py train DEV`) or measures it (`tools/parser.py measure TEST`).

DEV and TEST are SNLI's own files. The parser learns from the binary parses of DEV alone, and is written into the
package in eight bits. It follows its own decisions in half of the steps while it learns; the right decision in any
state is the one that loses fewer parts of the parse, which can be told exactly (Cross and Huang 2016).

F1 is counted over unlabelled parts of two words and more, without the whole text: both trees are binary, so precision
and recall are the same. Each distinct parse counts once.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy
from numpy.typing import NDArray

from assay.corpora.reader import read
from assay.language.trees.binary_trees import REDUCE, SHIFT, Tree, bracketing_f1, read_tree, right_branching, spans
from assay.language.trees.shift_reduce import (
    DATA,
    LARGEST,
    PLACES,
    SIZES,
    Numbers,
    Parser,
    States,
    load_parser,
    numbers_of,
    pack_weights,
)

TABLES = {"words": (1 << 13, 32), "endings": (1 << 11, 16), "shapes": (1 << 7, 8)}
"""Rows and columns."""
FILTERS, HIDDEN = 64, 128
DROPPED, WORDS_DROPPED = 0.3, 0.1
"""The share of values, and of words, that training drops."""
RATE, BATCH, FOLLOWED = 2e-3, 64, 0.5
"""Learning rate at first, texts of a step, and the share of steps that follow the parse."""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("what", choices=["train", "measure"])
    arguments.add_argument("file", help="SNLI's dev file to train on, its test file to measure on")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--epochs", type=int, default=12)
    arguments.add_argument("--out", type=Path, default=DATA)
    given = arguments.parse_args()
    trees = list(dict.fromkeys(trees_of(given.file)))
    if given.what == "measure":
        measure(trees)
        return
    weights = train(trees, seed=given.seed, epochs=given.epochs)
    numpy.savez_compressed(given.out, **pack_weights(weights))
    print(f"{given.out}: {given.out.stat().st_size:,} bytes, of {len(trees):,} parses")


def trees_of(file: str) -> Iterator[Tree]:
    """The binary parses of a file."""
    for pair in read(file):
        for parse in (pair.parses and pair.parses.premise_binary, pair.parses and pair.parses.hypothesis_binary):
            if tree := parse and read_tree(parse):
                yield tree


def measure(trees: Sequence[Tree]) -> None:
    """F1 of the parser and of right-branching trees, and the parser's speed."""
    words = [tree.words for tree in trees]
    ours = load_parser()
    begun = time.process_time()
    found = ours.parse(words)
    rate = len(trees) / (time.process_time() - begun)
    plain = [bytes([SHIFT] * len(each) + [REDUCE] * (len(each) - 1)) for each in words]
    print(f"{len(trees):,} distinct parses, {rate:,.0f} texts a second of processor time")
    kinds = {
        "parser": found,
        "right-branching, final marks as in the parses": [right_branching(each) for each in words],
        "right-branching": plain,
    }
    for name, steps in kinds.items():
        print(f"F1 {bracketing_f1(trees, steps):.4f}  {name}")


class Gold:
    """The parts that texts have in their parses, and what each step loses of them."""

    def __init__(self, trees: Sequence[Tree]) -> None:
        size = max(len(tree.words) for tree in trees) + 2
        self.parts = numpy.zeros((len(trees), size, size), dtype=bool)
        for row, tree in enumerate(trees):
            for start, end in spans(tree.steps):
                self.parts[row, start, end] = True
        self.ending_from = self.parts[:, :, ::-1].cumsum(2)[:, :, ::-1]  # parts by first word that end here or later

    def reducing_loses(self, states: States, rows: Numbers) -> Numbers:
        """Parts that start where the last part does, and end later."""
        return self.ending_from[rows, states.start(rows, 0), states.next[rows] + 1]

    def shifting_loses(self, states: States, rows: Numbers) -> Numbers:
        """Parts that end here, and start before the last part does."""
        lost = numpy.zeros(len(rows), dtype=numpy.int64)
        for below in range(1, int(states.depth[rows].max(initial=0))):
            there = numpy.flatnonzero(states.depth[rows] > below)
            chosen = rows[there]
            lost[there] += self.parts[chosen, states.start(chosen, below), states.next[chosen]]
        return lost


def train(trees: Sequence[Tree], *, seed: int, epochs: int) -> dict[str, NDArray[numpy.float32]]:
    """The weights of a parser."""
    import torch
    from torch import Tensor, nn

    class Network(nn.Module):
        """The parser's own network, with dropout."""

        def __init__(self) -> None:
            super().__init__()
            self.tables = nn.ModuleList(nn.Embedding(*shape) for shape in TABLES.values())
            for table in self.tables:
                nn.init.normal_(table.weight, std=0.1)
            size = sum(columns for _, columns in TABLES.values())
            self.filters = nn.ModuleList([nn.Linear(3 * size, FILTERS), nn.Linear(3 * FILTERS, FILTERS)])
            self.sizes = nn.ParameterList(torch.randn(LARGEST + 1, HIDDEN) * 0.05 for _ in range(SIZES))
            self.hidden = nn.Linear(PLACES * FILTERS, HIDDEN)
            self.output = nn.Linear(HIDDEN, 1)
            self.dropout = nn.Dropout(DROPPED)

        def read(self, numbers: Tensor) -> Tensor:
            dropped = (torch.rand(numbers.shape[:2]) < WORDS_DROPPED).unsqueeze(-1)
            numbers = torch.cat([numbers[..., :1] * ~dropped, numbers[..., 1:]], -1)
            words = torch.cat([table(numbers[..., kind]) for kind, table in enumerate(self.tables)], -1)
            first = self._filtered(self.dropout(words), self.filters[0])
            return self.dropout(first + self._filtered(first, self.filters[1]))

        def _filtered(self, states: Tensor, layer: nn.Module) -> Tensor:
            around = nn.functional.pad(states, (0, 0, 1, 1))
            return torch.relu(layer(torch.cat([around[:, :-2], around[:, 1:-1], around[:, 2:]], -1)))

        def forward(self, read: Tensor, places: Tensor, sizes: Tensor) -> Tensor:
            hidden = self.hidden(read.flatten(0, 1)[places].flatten(1))
            for kind, table in enumerate(self.sizes):
                hidden = hidden + table[sizes[:, kind]]
            return self.output(self.dropout(torch.relu(hidden))).squeeze(1)

        def weights(self) -> dict[str, NDArray[numpy.float32]]:
            named = dict(zip(TABLES, (table.weight for table in self.tables), strict=True))
            for number, layer in enumerate(self.filters, 1):
                named |= {f"filter{number}": layer.weight.T, f"filter{number}_bias": layer.bias}
            named |= {"sizes": torch.stack([*self.sizes]), "hidden": self.hidden.weight.T}
            named |= {"hidden_bias": self.hidden.bias, "output": self.output.weight[0], "output_bias": self.output.bias}
            return {name: weight.detach().numpy().copy() for name, weight in named.items()}

    torch.manual_seed(seed)
    rng = numpy.random.default_rng(seed)
    network = Network()
    optimiser = torch.optim.Adam(network.parameters(), lr=RATE, weight_decay=1e-6)
    several = sorted((tree for tree in trees if len(tree.words) > 2), key=lambda tree: len(tree.words))
    batches = [several[start : start + BATCH] for start in range(0, len(several), BATCH)]
    golds = [Gold(batch) for batch in batches]
    steps = epochs * len(batches)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: 1 - step / steps)
    for epoch in range(epochs):
        total = count = 0.0
        for place in rng.permutation(len(batches)):
            current = Parser(network.weights()) if epoch else None
            seen = walked(batches[place], golds[place], current, rng)
            places, sizes, right = map(torch.from_numpy, seen)
            network.train()
            numbers = numbers_of([tree.words for tree in batches[place]], [rows for rows, _ in TABLES.values()])
            scores = network(network.read(torch.from_numpy(numbers)), places, sizes)
            loss = nn.functional.binary_cross_entropy_with_logits(scores, right.float())
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            total, count = total + loss.item() * len(right), count + len(right)
        print(f"epoch {epoch + 1}: loss {total / count:.4f} on {count:,.0f} decisions", flush=True)
    return network.weights()


def walked(
    trees: Sequence[Tree], gold: Gold, current: Parser | None, rng: numpy.random.Generator
) -> tuple[Numbers, Numbers, NDArray[numpy.bool_]]:
    """The states that a parser comes through, and whether to reduce in each; without a parser, those of the parses."""
    texts = [tree.words for tree in trees]
    states = States(numpy.array([len(words) for words in texts]))
    decide = current.decisions(texts, states) if current else None
    rows = states.open(numpy.arange(len(texts)))
    seen = []
    while len(rows):
        reduce = ~states.must_shift(rows)
        undecided = numpy.flatnonzero(reduce & ~states.must_reduce(rows))
        free = rows[undecided]
        reducing, shifting = gold.reducing_loses(states, free), gold.shifting_loses(states, free)
        right, matters = reducing < shifting, reducing != shifting
        places, sizes = states.view(free[matters])
        seen.append((places + free[matters][:, None] * states.width, sizes, right[matters]))
        own = decide(free) if decide else right
        follows = matters & (rng.random(len(free)) < (FOLLOWED if current else 1.0))
        reduce[undecided] = numpy.where(follows, right, own)
        states.step(rows, reduce)
        rows = states.open(rows)
    places, sizes, right = (numpy.concatenate(each) for each in zip(*seen, strict=True))
    return places, sizes, right


if __name__ == "__main__":
    main()
