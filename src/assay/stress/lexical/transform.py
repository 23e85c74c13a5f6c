"""The transform of the family: words of categories give way to others, and each pair gets the label that follows."""

from functools import lru_cache
from random import Random
from typing import ClassVar, NamedTuple

import msgspec

from assay.core.edit import Edit, Replacement, Skip
from assay.core.label import Label
from assay.core.pair import Pair
from assay.language.analysis import analyse
from assay.language.categories import Relation
from assay.stress.lexical.lexicon import lexicon
from assay.stress.lexical.places import found_in, written

LABELS: dict[Relation, Label] = {
    "exclusive": Label.CONTRADICTION,
    "same": Label.ENTAILMENT,
    "broader": Label.ENTAILMENT,
    "narrower": Label.NEUTRAL,
}
"""What follows when a word gives way to another that is this to it."""

NO_WORD = Skip("no word of a category")
NO_FIT = Skip("no other word of the category fits in the place")


class Option(NamedTuple):
    """A replacement that could be made."""

    category: str
    old: str
    new: str
    relation: Relation
    change: tuple[Replacement, ...]


class Lexical(msgspec.Struct, frozen=True, kw_only=True):
    """Puts another word of the same category in the place of one; the premise is followed by its changed self.

    `Lexical()(pair, rng)` for the premise "A man drinks beer." makes "A man drinks wine." its hypothesis.
    """

    categories: str = ""
    """The text of a user's own file of categories, so that a suite can be verified without the file."""
    per_pair: int = 3
    """How many replacements of a premise are drawn; 0 takes all."""

    family: ClassVar[str] = "lexical"
    distinct: ClassVar[bool] = True
    uses: ClassVar[tuple[str, ...]] = ("wordnet", "tagger")

    def __call__(self, pair: Pair, rng: Random) -> list[Edit] | Skip:
        options = _options(pair.premise, self.categories)
        if isinstance(options, Skip):
            return options
        return [_edit(option) for option in drawn(options, self.per_pair, rng)]


@lru_cache(maxsize=4096)  # premises come in threes and more
def _options(text: str, own: str) -> tuple[Option, ...] | Skip:
    tokens = analyse(text)
    places = list(found_in(tokens, lexicon(own)))
    if not places:
        return NO_WORD
    options: dict[tuple[Replacement, ...], Option] = {}
    for found in places:
        for new, relation in found.entry.targets:
            change = written(text, tokens, found, new)
            if change:
                options.setdefault(change, Option(found.entry.category, found.entry.word, new, relation, change))
    return tuple(options.values()) or NO_FIT


def drawn(options: tuple[Option, ...], most: int, rng: Random) -> list[Option]:
    """So many of the options, of as many categories as possible, so that common ones do not crowd out rare ones."""
    if not most or len(options) <= most:
        return list(options)
    by_category: dict[str, list[Option]] = {}
    for option in options:
        by_category.setdefault(option.category, []).append(option)
    names = list(by_category)
    rng.shuffle(names)
    chosen: list[Option] = []
    while len(chosen) < most:
        for name in names:
            if by_category[name] and len(chosen) < most:
                chosen.append(by_category[name].pop(rng.randrange(len(by_category[name]))))
    return chosen


def _edit(option: Option) -> Edit:
    return Edit(
        label=LABELS[option.relation],
        premise_from="premise",
        hypothesis_from="premise",
        hypothesis=option.change,
        group={"category": option.category, "old": option.old, "new": option.new},
    )
