"""The transform of the family heuristics: pairs from its templates become cases unchanged."""

from collections import Counter
from collections.abc import Collection, Iterator
from itertools import chain
from random import Random
from typing import ClassVar

import msgspec

from assay.core.edit import Edit, Skip
from assay.core.errors import UserError, did_you_mean
from assay.core.label_space import TWO_LABELS
from assay.core.pair import Pair
from assay.core.protocols import Check, Fidelity
from assay.stress.heuristics.check import HeuristicsCheck
from assay.stress.heuristics.counterexample import named_quirks, quirks_of
from assay.stress.heuristics.generate import generate_subcase, pools_of
from assay.stress.heuristics.grammar import load_grammar
from assay.stress.heuristics.recognise import recognise
from assay.stress.template_pairs import Split, TemplatePairs


class GeneratedPairs(TemplatePairs):
    """N pairs of each subcase (or of chosen subcases), the same each time the corpus is read.

    `grammar` is the text of a user's own grammar file, which `grammar.read_text` reads. `quirks` names the errors of
    the released code that are kept; by default all with fidelity `code`, else none.

    >>> corpus = GeneratedPairs(2)
    >>> len(list(corpus)), corpus.summary().labels, corpus.recipe().transform
    (60, {'non-entailment': 30, 'entailment': 30}, 'heuristics/v1')
    """

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
    ) -> None:
        named = "" if fidelity == "strict" else fidelity
        options = {"fidelity": named, "quirks": quirks, "grammar": grammar}
        super().__init__("heuristics", n, split=split, seed=seed, options=options)
        self.fidelity: Fidelity = fidelity
        self.quirks = quirks
        self.grammar = grammar
        self.subcases = subcases

    def __iter__(self) -> Iterator[Pair]:
        """The pairs, in the order and with the ids of the released file."""
        pools = pools_of(load_grammar(self.grammar), quirks_of(self.fidelity, named_quirks(self.quirks)))
        names = [pool.subcase.name for pool in pools]
        if unknown := sorted({*(self.subcases or ())} - {*names}):
            raise UserError(f"No subcase {unknown[0]!r}{did_you_mean(unknown[0], names)}")
        wanted = [pool for pool in pools if self.subcases is None or pool.subcase.name in self.subcases]
        for pool in sorted(wanted, key=lambda pool: pool.size(self.split))[:1]:
            self.check_size(pool.subcase.name, pool.size(self.split))
        return chain.from_iterable(
            generate_subcase(pool, self.n, self.split, self.seed, self.n * place) for place, pool in enumerate(wanted)
        )

    def count_labels(self) -> dict[str, int]:
        """The number of pairs with each label."""
        labels: Counter[str] = Counter()
        for each in load_grammar(self.grammar).subcases:
            if self.subcases is None or each.name in self.subcases:
                labels[each.label.value] += self.n
        return dict(labels)


OTHER = Skip("no HANS template makes this pair")
WRONG_LABEL = Skip("the label differs from that of its template")


class Heuristics(msgspec.Struct, frozen=True, kw_only=True):
    """Pairs of HANS's templates in which word overlap misleads: generated, or from the released set.

    >>> from assay.core.label import Label
    >>> pair = Pair(id="1", premise="The doctor saw the judge .", hypothesis="The judge saw the doctor .",
    ...             label=Label.NON_ENTAILMENT)
    >>> [edit.facts["template"] for edit in Heuristics()(pair, Random(0))]
    ['temp1']
    """

    fidelity: Fidelity = "strict"
    """The rules to follow: ours, the paper's, or those of the released code, including its errors."""
    quirks: str = ""
    """Errors of the released code to keep, separated by blanks, or `none`; by default, as the fidelity says."""
    grammar: str = ""
    """The text of your own grammar file, so that a suite can be verified without the file."""

    family: ClassVar[str] = "heuristics"
    check: ClassVar[type[Check]] = HeuristicsCheck
    from_corpus: ClassVar[str] = "heuristics/v1"  # it recognises the pairs of its templates in any corpus
    distinct: ClassVar[bool] = True

    def generate(self, per_subcase: int, *, seed: int) -> GeneratedPairs:
        """Pairs of every subcase, `per_subcase` of each."""
        return GeneratedPairs(per_subcase, seed=seed, fidelity=self.fidelity, quirks=self.quirks, grammar=self.grammar)

    def __call__(self, pair: Pair, rng: Random) -> list[Edit] | Skip:  # noqa: ARG002 - nothing to decide
        quirks, grammar = named_quirks(self.quirks), load_grammar(self.grammar)
        recognition = recognise(pair.premise, pair.hypothesis, fidelity=self.fidelity, quirks=quirks, grammar=grammar)
        if not recognition:
            return OTHER
        if TWO_LABELS.read(pair.label) is not recognition.label:
            return WRONG_LABEL
        facts = {"heuristic": recognition.heuristic, "subcase": recognition.subcase, "template": recognition.template}
        if recognition.quirks:
            facts["quirks"] = " ".join(recognition.quirks)
        return [Edit(facts={name: fact for name, fact in facts.items() if pair.group.get(name) != fact})]
