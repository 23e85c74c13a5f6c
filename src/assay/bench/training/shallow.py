"""A shallow model: the system itself, trained on few pairs, which teach it little but shortcuts (Utama et al. 2020)."""

from collections.abc import Callable, Sequence

import numpy

from assay.core.pair import Pair
from assay.core.scratch import scratch
from assay.models.systems.system import System
from assay.train.building import Vectors, build_system
from assay.train.debias.crossfit import Answer, Ints, Learn, Shares
from assay.train.loop import Labelled, predicted, right_answers, train
from assay.train.presets import Chosen


def shallow_learner(
    kind: type[System],
    chosen: Chosen,
    pairs: Sequence[Pair],
    dev: Sequence[Pair],
    *,
    vectors: Callable[[], Vectors],
    two_way: bool,
    seed: int,
) -> Learn:
    """Learn from a few of the pairs that may be learned from, drawn by chance, with the system's own plan."""
    assert chosen.debias is not None
    most = chosen.debias.shallow_pairs

    def learn(rows: Ints) -> Answer:
        drawn = numpy.random.default_rng([seed, 2]).permutation(rows)[:most]
        few = [pairs[row] for row in drawn]
        texts = [text for pair in few for text in (pair.premise, pair.hypothesis)]
        system = build_system(kind, chosen, texts=texts, vectors=vectors, two_way=two_way, seed=seed)

        def labelled(some: Sequence[Pair]) -> Labelled:
            return Labelled(system.encode_pairs(some), right_answers([pair.label for pair in some], system.labels))

        with scratch() as folder:
            train(system, labelled(few), labelled(dev), chosen.plan, seed=seed, folder=folder)

        def answer(asked: Ints) -> Shares:
            encoded = system.encode_pairs([pairs[row] for row in asked])
            return predicted(system, encoded).astype(numpy.float64)

        return answer

    return learn
