"""Quantifiers in real sentences: the determiner of the subject gives way to another."""

from collections.abc import Iterator
from random import Random
from typing import ClassVar

from assay.core.edit import Edit, Replacement, Side, Skip
from assay.core.label import Label
from assay.core.pair import Pair
from assay.language.logic.polarity import NUMBERS
from assay.language.polarity.phrases import Sentence, sentence_of
from assay.language.text.analysis import analyse
from assay.language.words.inflection import capitals_of
from assay.stress.logic.natural.quantities import quantity_label
from assay.stress.logic.real.family import Change, CorpusLogic, edit_of

NEW = ("all", "most", "some", "few", "no")
WITH_NUMBER = ("at least {}", "exactly {}", "at most {}", "more than {}", "fewer than {}")
"""Determiners that a plural takes."""
OLD = frozenset({"all", "most", "some", "no", "few", *NUMBERS[2:]})
"""Determiners that are replaced, at the beginning of a text."""
UNSETTLING = frozenset({
    *("not", "n't", "or", "only", "each", "every", "all", "both", "other", "others", "another", "if", "one", "them"),
    *("first", "second", "third", "together", "no", "none", "never", "respectively", "themselves"),
})  # fmt: skip
"""Words that a second determiner could mean something else with."""


LARGER = frozenset({"of", "times", "more", "hundred", "thousand", "million", "dozen"})
"""Words after a determiner that make it another one."""


class QuantifiersFromCorpus(CorpusLogic, frozen=True, kw_only=True):
    """The determiner of a real sentence's subject gives way to another over the same nouns.

    `QuantifiersFromCorpus()(pair, rng)` for the premise "Two men are singing." may make "No men are singing." its
    hypothesis, which contradicts it.
    """

    family: ClassVar[str] = "quantifiers"
    nothing: ClassVar[Skip] = Skip("no sentence that begins with a determiner and a plural")

    def __call__(self, pair: Pair, rng: Random) -> list[Edit] | Skip:
        sources: dict[Side, str] = {"premise": pair.premise, "hypothesis": pair.hypothesis}
        found: dict[tuple[Label, bool], list[Edit]] = {}
        for side, text in sources.items():
            for change in self.changes(text):
                old, new = (_folded(each) for each in (change.replacements[0].old, change.replacements[0].new))
                for forwards in (True, False):
                    label = quantity_label(old if forwards else new, new if forwards else old)
                    if label is not None:
                        edit = edit_of(text, side, change, label, forwards=forwards)
                        found.setdefault((label, forwards), []).append(edit)
        if not found:
            return self.nothing
        if not self.per_pair:
            return [edit for edits in found.values() for edit in edits]
        kinds = sorted(found)
        rng.shuffle(kinds)
        return [rng.choice(found[kind]) for kind in kinds[: self.per_pair]]

    def changes(self, text: str) -> Iterator[Change]:
        """All determiners that could stand at the beginning of a text."""
        tokens = analyse(text)
        if not tokens or not is_counted(sentence_of([each for each in tokens if each.sentence == 0])):
            return
        if tokens[-1].sentence > 0:
            return
        old = tokens[0].text
        number = NUMBERS.index(old.lower()) if old.lower() in NUMBERS else 2
        others = [*NEW, *(each.format(NUMBERS[n]) for each in WITH_NUMBER for n in (number, number + 1) if 1 < n <= 10)]
        for new in others:
            if new != old.lower():
                change = Replacement(0, old, capitals_of(old, new))
                yield Change("determiner", (change,), "exclusive", 0)


def is_counted(sentence: Sentence) -> bool:
    """Whether a sentence begins with a determiner and a plural, and no other operator could change what it says."""
    low, tags = sentence.low, sentence.tags
    if (
        len(low) < 4
        or low[0] not in OLD
        or tags[1] in ("CD", "DT", "PRP$")
        or UNSETTLING.intersection(low[1:])
        or LARGER.intersection(low[1:3])
    ):
        return False
    end = sentence.phrase_end(1)
    if end < 2 or tags[end - 1] not in ("NNS",) or "," in low[:end]:
        return False
    return sentence.main_verb(end) == end and low[-1] != "?"


def _folded(determiner: str) -> list[str]:
    return determiner.lower().split()
