"""The cost of wrong trees to a system that composes texts along them.

`python tools/tree_origins.py trained:FOLDER snli_1.0_test.jsonl` compares the answers of a trained system such as spinn
to the same pairs with their own parses, with the trees of Assay's parser, and with right-branching trees.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

import msgspec
import numpy
from numpy.typing import NDArray

from assay.core.errors import UserError
from assay.core.manifest import Source
from assay.core.pair import Pair
from assay.corpora.reader import CorpusReader, read
from assay.evaluate.accuracy import is_right
from assay.evaluate.paired import PairedShares, paired_shares
from assay.language.trees.binary_trees import Tree, bracketing_f1, right_branching
from assay.language.trees.shift_reduce import load_parser
from assay.models.adapters.trained import Trained
from assay.models.systems.spinn import Spinn
from assay.models.systems.system import load_system
from assay.models.systems.word_readers import Origin, ParsedReader, own_tree
from assay.reports.formatting import p_value
from assay.reports.tables.sheet import Part, plain_sheet
from assay.reports.terminal.terminal_tables import show_parts
from assay.training.loop import predict_shares

Rights = NDArray[numpy.bool_]


class Trees(msgspec.Struct, frozen=True, kw_only=True):
    """A model's answers with trees of one origin."""

    f1: float | None
    """Of the parts of the texts' own trees, the share that these have; None if no text has three words."""
    accuracy: float
    """The share of right answers."""
    gain: float
    """What is right beyond the answers with the texts' own trees, as a share."""
    low: float
    """Lower end of its 95% interval."""
    high: float
    p: float
    """McNemar's exact test against the texts' own trees, by premise."""
    changed: float
    """The share of answers that differ from those with the texts' own trees."""


class TreeStudy(msgspec.Struct, frozen=True, kw_only=True):
    """What trees of each origin do to a model."""

    model: str
    source: Source
    pairs: int
    """Pairs with a binary parse of both texts."""
    trees: dict[Origin, Trees]


def compare_origins(model: str, source: str | Path | CorpusReader) -> TreeStudy:
    """Ask a trained model about the pairs of a corpus, with their own parses, with the parser's trees, and others."""
    corpus = source if isinstance(source, CorpusReader) else read(source)
    system = _opened(model)
    pairs = [each for each in corpus if each.parses and each.parses.premise_binary and each.parses.hypothesis_binary]
    if not pairs:
        raise UserError(
            f"No pair of {corpus.reading.source} brings binary parses of both texts, so there is nothing to compare "
            "with.\n  SNLI's and MultiNLI's own files have them."
        )
    own = list(dict.fromkeys(_own_trees(pairs)))
    words = [tree.words for tree in own]
    shapes = {"own": [tree.steps for tree in own], "parser": load_parser().parse(words)}
    shapes["right"] = [right_branching(each) for each in words]
    answers, rights = {}, {}
    for origin in get_args(Origin):
        answers[origin] = _answers(system, pairs, origin)
        labels = [system.labels[place] for place in answers[origin].tolist()]
        rights[origin] = numpy.array(
            [is_right(label, pair.label) for label, pair in zip(labels, pairs, strict=True)], dtype=bool
        )
    clusters = [pair.cluster for pair in pairs]
    return TreeStudy(
        model=model,
        source=corpus.summary(),
        pairs=len(pairs),
        trees={
            origin: _compared(
                pair_answers(rights[origin], rights["own"], clusters),
                f1=bracketing_f1(own, shapes[origin]),
                changed=float((answers[origin] != answers["own"]).mean()),
            )
            for origin in get_args(Origin)
        },
    )


def pair_answers(first: Rights, second: Rights, clusters: Sequence[str]) -> PairedShares:
    """Two answers to each pair, whether right or not, by cluster.

    >>> counts = pair_answers(numpy.array([True, True]), numpy.array([False, True]), ["a", "b"])
    >>> counts.difference, counts.both
    (0.5, 1)
    """
    places = {name: place for place, name in enumerate(dict.fromkeys(clusters))}
    counts = numpy.zeros((len(places), 4), dtype=numpy.int64)
    columns = numpy.stack([numpy.ones_like(first), first & second, first & ~second, second & ~first], axis=-1)
    numpy.add.at(counts, [places[name] for name in clusters], columns)
    return paired_shares(counts)


def _compared(counts: PairedShares, *, f1: float | None, changed: float) -> Trees:
    interval = counts.interval
    assert interval is not None
    assert counts.first is not None
    assert counts.difference is not None
    assert counts.p is not None
    return Trees(
        f1=f1,
        accuracy=counts.first,
        gain=counts.difference,
        low=interval.low,
        high=interval.high,
        p=counts.p,
        changed=changed,
    )


def _opened(model: str) -> Spinn:
    system = load_system(Trained(what=model.removeprefix("trained:")).folder)
    if not isinstance(system, Spinn):
        raise UserError(f"{model} reads no trees: this study is about systems that do, such as spinn.")
    return system


def _own_trees(pairs: Sequence[Pair]) -> list[Tree]:
    found = []
    for pair in pairs:
        assert pair.parses
        sides = (pair.premise, pair.parses.premise_binary), (pair.hypothesis, pair.parses.hypothesis_binary)
        found += [own_tree(text, given) for text, given in sides if given]
    return found


def _answers(system: Spinn, pairs: Sequence[Pair], origin: Origin) -> NDArray[numpy.int64]:
    """(pairs,): places of labels."""
    system.reader = ParsedReader(system.vocabulary, msgspec.structs.replace(system.config, trees=origin))
    found: NDArray[numpy.int64] = predict_shares(system, system.encode_pairs(pairs)).argmax(1)
    return found


NAMES = {"own": "the pairs' own", "parser": "the parser's", "right": "right-branching"}


def tables(found: TreeStudy) -> list[Part]:
    """Accuracy by origin."""
    rows = [
        {
            "trees": NAMES[origin],
            "F1": "" if each.f1 is None else f"{each.f1:.3f}",
            "accuracy": f"{100 * each.accuracy:.1f}",
            "difference": "" if origin == "own" else f"{100 * each.gain:+.1f}",
            "95 % interval": "" if origin == "own" else f"{100 * each.low:+.1f} to {100 * each.high:+.1f}",
            "p": "" if origin == "own" else p_value(each.p),
            "answers changed": "" if origin == "own" else f"{100 * each.changed:.1f}%",
        }
        for origin, each in found.trees.items()
    ]
    return [
        f"{found.model} on {found.pairs:,} pairs of {found.source.name}",
        plain_sheet(rows, figures=["F1", "accuracy", "difference", "95 % interval", "p", "answers changed"]),
        "Accuracy in per cent, differences in points. p: McNemar's exact test by premise, against own trees.",
        "F1: the share of the parts of the pairs' own trees that are found, without single words and whole texts.",
        "A model knows the trees that it was trained with; one trained with others (`--set trees=`) may lose less.",
    ]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("model", help="trained:FOLDER of a system that reads trees")
    options.add_argument("source", help="pairs with binary parses, such as SNLI's files")
    given = options.parse_args()
    print(show_parts(tables(compare_origins(given.model, given.source))))


if __name__ == "__main__":
    main()
