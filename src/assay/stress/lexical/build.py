"""The transform: a word is replaced with another of its category, and the label follows from their relation."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from random import Random
from typing import Annotated, ClassVar, NamedTuple

import msgspec

from assay.core.edit import Edit, Replacement, Skip
from assay.core.errors import UserError, did_you_mean
from assay.core.pair import Pair
from assay.core.protocols import Check
from assay.language.resources.data import word_list
from assay.language.text.analysis import Tagged, analyse
from assay.language.text.tokens import TextCache
from assay.language.text.tokens import tokens as split
from assay.language.words import corpus_statistics
from assay.language.words import corpus_statistics as counts
from assay.language.words.categories import Relation, load_categories
from assay.language.words.corpus_statistics import WordCounts, WordSimilarities
from assay.stress.across.join_edits import JOINS, WORD_RELATIONS, AcrossSwitch
from assay.stress.lexical.check import LABELS, LexicalCheck, doubt_of_change
from assay.stress.lexical.lexical_relations import UNRELATED, VALUES, find_relation
from assay.stress.lexical.replacements import found_in, load_lexicon, write_replacement

UNKNOWN = Skip("the new word is unknown to the training corpus")
NO_VECTOR = Skip("the new word has no vector")
NOT_NEAR = Skip("the vectors of the antonyms are too different")
ODD = Skip("the new word makes a rare bigram")


class LexicalFilters(NamedTuple):
    """The user's data for filtering replacements, and the thresholds."""

    train: WordCounts | None
    vectors: WordSimilarities | None
    bigrams: WordCounts | None
    cosine: float
    least: int

    def refusal(self, tokens: Sequence[Tagged], first: int, last: int, new: str, category: str) -> Skip | None:
        """The reason why `new` may not replace the tokens from `first` to `last`; None if it may."""
        if not (self.train or self.vectors or self.bigrams):
            return None
        words = [token.text.lower() for token in split(new)]
        if self.train and not all(word in self.train.words for word in words):
            return UNKNOWN
        if self.vectors and not all(word in self.vectors or _is_plain(word) for word in words):
            return NO_VECTOR
        if self.vectors and category == "antonyms_wordnet":
            near = self.vectors.cosine(tokens[first].text.lower(), words[-1])
            if near is None or near < self.cosine:
                return NOT_NEAR
        if self.bigrams and not all(
            self.bigrams.bigrams.get(f"{one} {other}", 0) >= self.least
            for one, other in _new_bigrams(tokens, first, last, words)
        ):
            return ODD
        return None


def _is_plain(word: str) -> bool:
    """True for numbers and function words, which files of vectors may leave out."""
    return not word.isalpha() or word in word_list("function_words")


def _new_bigrams(tokens: Sequence[Tagged], first: int, last: int, words: list[str]) -> list[tuple[str, str]]:
    """The bigrams that the new word forms with the words around it, ignoring punctuation."""
    before = tokens[first - 1].text.lower() if first else ""
    after = tokens[last + 1].text.lower() if last + 1 < len(tokens) else ""
    pairs = [(before, words[0]), (words[-1], after)]
    return [pair for pair in pairs if all(any(map(str.isalnum, word)) for word in pair)]


SMALLEST, LARGEST = 0.4, 2.5
"""Shares of a number between which its replacement lies."""
COUNTED_AT_ONCE = 10
"""Numbers up to this one are near each other: a reader counts this many without thinking."""
TRIES = 6
"""The number of replacements of a word that are tried before its place is taken to allow none."""
NO_WORD = Skip("no word from any category")
NO_FIT = Skip("no other word of the category fits there")


class LexicalOption(NamedTuple):
    """A replacement that could be made."""

    category: str
    old: str
    new: str
    relation: Relation
    change: tuple[Replacement, ...]


class LexicalChoices(NamedTuple):
    """Replacements that are possible in a text."""

    options: tuple[LexicalOption, ...]
    slices: dict[str, Skip | None]
    """The categories with words in the text, each with the reason why none can be replaced."""


class Lexical(AcrossSwitch, frozen=True, kw_only=True):
    """Replaces a word of the premise with another of the same category; the result is the hypothesis.

    `Lexical()(pair, rng)` for the premise "A man drinks beer." makes "A man drinks wine." its hypothesis.
    """

    categories: str = ""
    """The text of a user's own file of categories, so that a suite can be verified without the file."""
    only: str = ""
    """Names of the categories to use, joined by `+`; empty for all."""
    per_pair: Annotated[int, msgspec.Meta(ge=0)] = 3
    """The number of replacements that are drawn for a premise; 0 takes all."""
    per_word_pair: Annotated[int, msgspec.Meta(ge=0)] | None = None
    """Limit on cases of a word pair; 0 for no limit. By default a tenth of all, if there are ten word pairs."""
    train: str = ""
    """The name of stored counts of a training corpus, which must know every new word."""
    vectors: str = ""
    """The name of stored vectors, which must know every new word."""
    cosine: Annotated[float, msgspec.Meta(ge=-1, le=1)] = 0.5
    """The least similarity of the vectors of WordNet's antonyms, where vectors are given."""
    bigrams: str = ""
    """The name of stored counts of pairs of words."""
    least: Annotated[int, msgspec.Meta(ge=0)] = 10
    """The least count of a pair of words that the new word makes, where counts are given."""

    family: ClassVar[str] = "lexical"
    check: ClassVar[type[Check]] = LexicalCheck
    uses: ClassVar[tuple[str, ...]] = ("wordnet", "tagger")
    slice_by: ClassVar[str] = "category"
    absent: ClassVar[str] = "no such word in the corpus"

    def __post_init__(self) -> None:
        for switch, source in (("cosine", "vectors"), ("least", "bigrams")):
            if getattr(self, switch) != DEFAULTS[switch] and not getattr(self, source):
                raise ValueError(f"the switch {switch} has no effect without --{source}")

    def __call__(self, pair: Pair, rng: Random) -> list[Edit] | Skip:
        options, slices = _find_choices(pair.premise, self)
        if not options:
            return next((skip for skip in slices.values() if skip and skip != NO_FIT), NO_FIT) if slices else NO_WORD
        if self.across:
            options = tuple(each for each in options if (pair.label, WORD_RELATIONS[each.relation]) in JOINS)
        drawn = draw_options(options, self.per_pair, rng, holds=partial(_is_provable, pair.premise, self))
        return [_make_edit(option, across=self.across) for option in drawn]

    def word_pair(self, edit: Edit) -> str:
        """The two words in alphabetical order."""
        change = edit.hypothesis[-1]
        return "/".join(sorted((change.old.lower(), change.new.lower())))

    def slices(self) -> list[str]:
        """The categories that are used."""
        return [name for name in load_categories(self.categories) if _is_asked(name, self.only)]

    def slices_of(self, pair: Pair) -> dict[str, Skip | None]:
        """The categories that the premise has words of."""
        return _find_choices(pair.premise, self).slices


DEFAULTS = {field.name: field.default for field in msgspec.structs.fields(Lexical)}


@TextCache
def _find_choices(text: str, asked: Lexical) -> LexicalChoices:
    tokens = analyse(text)
    sources = _load_filters(asked)
    options: dict[tuple[Replacement, ...], LexicalOption] = {}
    refusals: defaultdict[str, Counter[Skip]] = defaultdict(Counter)
    for entry in found_in(tokens, load_lexicon(asked.categories)):
        category = entry.entry.category
        if not _is_asked(category, asked.only):
            continue
        refusals[category][NO_FIT] += 0
        for new, relation in entry.entry.targets:
            if category in VALUES and is_far_off(entry.entry.word, new):
                continue  # nobody has to read a text to tell two from seventy
            change = write_replacement(text, tokens, entry, new)
            if not change or change in options:
                continue
            old = " ".join(token.text for token in tokens[entry.first : entry.last + 1])
            verb = tokens[entry.first].tag.startswith("VB")
            if not find_relation(old, change[-1].new, category=category, verb=verb, own=asked.categories):
                refusals[category][UNRELATED] += 1  # a draw would be lost on it
            elif refusal := sources.refusal(tokens, entry.first, entry.last, change[-1].new, category):
                refusals[category][refusal] += 1
            else:
                options[change] = LexicalOption(category, entry.entry.word, new, relation, change)
    filled = {option.category for option in options.values()}
    slices = {name: None if name in filled else reasons.most_common(1)[0][0] for name, reasons in refusals.items()}
    return LexicalChoices(tuple(options.values()), slices)


def is_far_off(old: str, new: str) -> bool:
    """True if a number is far from another: it excludes the other, but makes an implausible case.

    >>> is_far_off("two", "seven"), is_far_off("second", "nineteenth"), is_far_off("dozens", "hundreds")
    (False, True, False)
    """
    one, other = (VALUES["cardinals"](each) or VALUES["ordinals"](each) for each in (old, new))
    scales = old.endswith("s") and new.endswith("s")
    if not one or not other or scales or max(one, other) <= COUNTED_AT_ONCE:
        return False
    return not SMALLEST <= other / one <= LARGEST


def _is_asked(category: str, only: str) -> bool:
    return not only or category in only.split("+")


@lru_cache(maxsize=64)
def _load_filters(asked: Lexical) -> LexicalFilters:
    if unknown := [name for name in asked.only.split("+") if name and name not in load_categories(asked.categories)]:
        known = load_categories(asked.categories)
        raise UserError(f"No category {unknown[0]!r}{did_you_mean(unknown[0], known)} Choose from {', '.join(known)}.")
    return LexicalFilters(
        train=counts.load_counts(asked.train) if asked.train else None,
        vectors=corpus_statistics.load_vectors(asked.vectors) if asked.vectors else None,
        bigrams=counts.load_counts(asked.bigrams) if asked.bigrams else None,
        cosine=asked.cosine,
        least=asked.least,
    )


def _is_provable(text: str, asked: Lexical, option: LexicalOption) -> bool:
    """True if the check will verify the replacement."""
    label, own = LABELS[option.relation], asked.categories
    return doubt_of_change(text, option.change, label, category=option.category, own=own, captions=True) is None


def draw_options(
    options: tuple[LexicalOption, ...],
    most: int,
    rng: Random,
    *,
    holds: Callable[[LexicalOption], bool] = lambda _: True,
) -> list[LexicalOption]:
    """Draw options from as many categories as possible, so that rare ones get a share, until `most` of them hold.

    Replacements that do not hold are drawn, too, so that the build counts the reasons; after `TRIES` of them, the
    word is skipped.
    """
    if not most or len(options) <= most:
        return list(options)
    by_category: dict[str, list[LexicalOption]] = {}
    for option in options:
        by_category.setdefault(option.category, []).append(option)
    names = list(by_category)
    rng.shuffle(names)
    chosen: list[LexicalOption] = []
    failed: Counter[int] = Counter()
    held = 0
    while held < most and any(by_category.values()):
        for name in names:
            if not by_category[name] or held == most:
                continue
            option = by_category[name].pop(rng.randrange(len(by_category[name])))
            place = option.change[-1].start
            if failed[place] < TRIES:
                chosen.append(option)
                failed[place] += not holds(option)
                held = len(chosen) - failed.total()
    return chosen


def _make_edit(option: LexicalOption, *, across: bool) -> Edit:
    return Edit(
        label=LABELS[option.relation],
        premise_from="premise",
        hypothesis_from="premise",
        hypothesis=option.change,
        facts={"relation": option.relation} if across else {},
        group={"category": option.category, "old": option.old, "new": option.new},
    )
