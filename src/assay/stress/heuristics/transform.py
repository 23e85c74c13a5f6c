"""The transform of the family: pairs from the heuristics templates become cases as they are."""

from random import Random
from typing import ClassVar

import msgspec

from assay.core.edit import Edit, Skip
from assay.core.pair import Pair
from assay.core.protocols import Fidelity
from assay.stress.heuristics.corpus import GeneratedPairs
from assay.stress.heuristics.grammar import load
from assay.stress.heuristics.quirks import named_quirks
from assay.stress.heuristics.recognise import recognise

OTHER = Skip("not a pair of the heuristics' templates")
WRONG_LABEL = Skip("the label is not its template's")


class Heuristics(msgspec.Struct, frozen=True, kw_only=True):
    """Takes pairs that a heuristics template makes: generated ones, or those of the released set.

    >>> from assay.core.label import Label
    >>> pair = Pair(id="1", premise="The doctor saw the judge .", hypothesis="The judge saw the doctor .",
    ...             label=Label.NON_ENTAILMENT)
    >>> [edit.facts["template"] for edit in Heuristics()(pair, Random(0))]
    ['temp1']
    """

    fidelity: Fidelity = "strict"
    """Whose rules to follow: ours, the paper's, or those of the released code, including its errors."""
    quirks: str = ""
    """Which errors of the released code to keep, separated by blanks, or `none`; by default, as the fidelity says."""
    grammar: str = ""
    """The text of your own grammar file, so that a suite can be verified without the file."""

    family: ClassVar[str] = "heuristics"
    from_corpus: ClassVar[str] = "heuristics/v1"  # it recognises the pairs of its templates in any corpus
    distinct: ClassVar[bool] = True

    def generate(self, per_subcase: int, *, seed: int) -> GeneratedPairs:
        """Pairs of every subcase, `per_subcase` of each."""
        return GeneratedPairs(per_subcase, seed=seed, fidelity=self.fidelity, quirks=self.quirks, grammar=self.grammar)

    def __call__(self, pair: Pair, rng: Random) -> list[Edit] | Skip:  # noqa: ARG002 - nothing to decide
        found = recognise(
            pair.premise,
            pair.hypothesis,
            fidelity=self.fidelity,
            quirks=named_quirks(self.quirks),
            grammar=load(self.grammar),
        )
        if not found:
            return OTHER
        if pair.label.two_way is not found.label:
            return WRONG_LABEL
        facts = {"heuristic": found.heuristic, "subcase": found.subcase, "template": found.template}
        if found.quirks:
            facts["quirks"] = " ".join(found.quirks)
        return [Edit(facts={name: fact for name, fact in facts.items() if pair.group.get(name) != fact})]
