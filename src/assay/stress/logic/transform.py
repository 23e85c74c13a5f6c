"""The transforms of the logic families: pairs from their templates become cases, with unrelated sentences if asked."""

from random import Random
from typing import Annotated, ClassVar

import msgspec

from assay.core.edit import Edit, Replacement, Skip
from assay.core.pair import Pair
from assay.language.logic.lexicon import verb
from assay.stress.logic.corpus import LogicPairs
from assay.stress.logic.family import LogicFamily, logic_family

OTHER = Skip("not a pair of the family's templates")
TOO_FEW_WORDS = Skip("too few words are left for another unrelated sentence")

EXTRA = ("{name} did not {base}.", "{name} never {past}.", "{name} {past}.", "{name} did not {base} or {other}.")
"""Sentences that have nothing to do with a pair."""


class LogicTransform(msgspec.Struct, frozen=True, kw_only=True):
    """Takes pairs that a template of the family makes."""

    extra: Annotated[int, msgspec.Meta(ge=0)] = 0
    """How many unrelated sentences, most of them with a negation, come before the premise; a ladder varies it."""
    templates: str = ""
    """The text of your own file of words and templates, so that a suite can be verified without the file."""

    family: ClassVar[str]
    distinct: ClassVar[bool] = True
    strength: ClassVar[str] = "extra"

    def generate(self, per_subcase: int, *, seed: int) -> LogicPairs:
        """Pairs of every subcase, `per_subcase` of each."""
        return LogicPairs(self.family, per_subcase, seed=seed, templates=self.templates, extra=self.extra)

    def __call__(self, pair: Pair, rng: Random) -> list[Edit] | Skip:
        if "template" not in pair.group:
            return OTHER
        known = logic_family(self.family, self.templates)
        if pair.group["template"] not in known.template_ids:
            return OTHER
        if not self.extra:
            return [Edit()]
        text = unrelated(pair, self.extra, rng, known)
        return [Edit(premise=(Replacement(0, "", text),))] if text else TOO_FEW_WORDS


def unrelated(pair: Pair, count: int, rng: Random, family: LogicFamily) -> str:
    """Sentences without any name or verb of a pair; empty if there are too few words."""
    used = {*pair.premise.replace(".", " ").replace(",", " ").split(), *pair.hypothesis.rstrip(".").split()}
    names = [each for each in family.lexicon.words.names if each not in used]
    acts = [made for each in family.lexicon.words.acts if used.isdisjoint(made := verb(each))]
    if len(names) < count or len(acts) < 2 * count:
        return ""
    rng.shuffle(names)
    rng.shuffle(acts)
    found = ""
    for number in range(count):
        act, other = acts[2 * number], acts[2 * number + 1]
        sentence = rng.choice(EXTRA)
        found += sentence.format(name=names[number], base=act.base, past=act.past, other=other.base) + " "
    return found


class Scope(LogicTransform, frozen=True, kw_only=True):
    """A word is replaced in and out of the scope of negations."""

    family: ClassVar[str] = "scope"


class Monotonicity(LogicTransform, frozen=True, kw_only=True):
    """A word is replaced, or described, under determiners, negation and conditions."""

    family: ClassVar[str] = "monotonicity"
    from_corpus: ClassVar[str] = "monotonicity-corpus/v1"


class Conjunction(LogicTransform, frozen=True, kw_only=True):
    """A part of a conjunction or a disjunction is dropped or added."""

    family: ClassVar[str] = "conjunction"
    from_corpus: ClassVar[str] = "conjunction-corpus/v1"


class Quantifiers(LogicTransform, frozen=True, kw_only=True):
    """A determiner is replaced by another over the same nouns."""

    family: ClassVar[str] = "quantifiers"
    from_corpus: ClassVar[str] = "quantifiers-corpus/v1"


class Comparatives(LogicTransform, frozen=True, kw_only=True):
    """Comparatives, alone and in chains."""

    family: ClassVar[str] = "comparatives"


class Conditionals(LogicTransform, frozen=True, kw_only=True):
    """What follows from conditions and facts, and what does not."""

    family: ClassVar[str] = "conditionals"
