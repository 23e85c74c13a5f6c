"""Generated pairs as a corpus, so that a suite can be built from them as from any other."""

from collections import Counter
from collections.abc import Collection, Iterator

from assay.core.case import Option, Recipe
from assay.core.edit import Skip
from assay.core.pair import Pair
from assay.core.protocols import Fidelity
from assay.core.suite import Source
from assay.stress.heuristics.generate import NAME, generate
from assay.stress.heuristics.grammar import load
from assay.stress.heuristics.quirks import named_quirks
from assay.stress.heuristics.splits import Split


class GeneratedPairs:
    """N pairs of each subcase, or of some; the same ones each time it is read.

    `grammar` is the text of a user's own grammar file, which `grammar.read_text` reads; `notes` go into the manifest.

    >>> corpus = GeneratedPairs(2)
    >>> len(list(corpus)), corpus.summary().labels, corpus.recipe().transform
    (60, {'non-entailment': 30, 'entailment': 30}, 'heuristics/v1')
    """

    name = "heuristics"

    def __init__(
        self,
        n: int = 1000,
        *,
        split: Split = "evaluation",
        seed: int = 0,
        fidelity: Fidelity = "strict",
        quirks: str = "",
        grammar: str = "",
        subcases: Collection[str] | None = None,
        notes: Collection[str] = (),
    ) -> None:
        self.n = n
        self.split: Split = split
        self.seed = seed
        self.fidelity: Fidelity = fidelity
        self.quirks = quirks
        self.grammar = grammar
        self.subcases = subcases
        self.notes = tuple(notes)
        self.problems: list[Skip] = []

    def __iter__(self) -> Iterator[Pair]:
        return generate(
            self.n,
            split=self.split,
            seed=self.seed,
            fidelity=self.fidelity,
            quirks=named_quirks(self.quirks),
            grammar=load(self.grammar),
            subcases=self.subcases,
        )

    def as_pairs(self, _split: object = None) -> Iterator[Pair]:
        """The pairs; there are no word problems to split."""
        return iter(self)

    def summary(self) -> Source:
        """What a manifest says about it."""
        labels: Counter[str] = Counter()
        for each in load(self.grammar).subcases:
            if self.subcases is None or each.name in self.subcases:
                labels[each.label.value] += self.n
        return Source(
            name=f"{self.name}, {self.split}, {self.n} per subcase, seed {self.seed}",
            format=NAME,
            digest="",
            rows=labels.total(),
            pairs=labels.total(),
            labels=dict(labels),
            skipped={},
            notes=self.notes,
        )

    def recipe(self) -> Recipe:
        """The recipe that makes cases from its pairs."""
        options: dict[str, Option] = {}
        if self.fidelity != "strict":
            options["fidelity"] = self.fidelity
        if self.quirks:
            options["quirks"] = self.quirks
        if self.grammar:
            options["grammar"] = self.grammar
        return Recipe(transform=NAME, options=options, seed=self.seed)
