"""Burial: the sentence that determines the label is hidden in a long, unrelated text."""

from collections.abc import Sequence
from itertools import takewhile
from random import Random
from typing import ClassVar, Literal

import msgspec

from assay.core.edit import Edit, Replacement, Skip
from assay.core.label import Label
from assay.core.pair import Pair
from assay.core.protocols import Check
from assay.language.resources.data import load_words
from assay.language.resources.installed import wordnet
from assay.language.text.analysis import Tagged, analyse
from assay.language.text.tokens import tokens
from assay.stress.burial.check import BurialCheck
from assay.stress.burial.filler import Filler, load_filler

WORDS = load_words(__file__)

Variant = Literal["evidence", "claim"]

DEPTHS = (0, 25, 50, 75, 100)
"""Positions of the deciding sentence: the fraction of the filler before it, in %."""

NO_FILLER = Skip("no corpus was given that filler could come from")
TOO_FEW = Skip("the corpus has too few other sentences that share no word with the pair")

LONGEST = 60
"""Maximum number of tokens of a premise that is buried."""


class Burial(msgspec.Struct, frozen=True, kw_only=True):
    """Buries the premise in a long text, or the hypothesis at the end of a long, otherwise true claim.

    The filler comes from other texts of the corpus, and shares no content word, name or number with the pair.
    """

    variant: Variant = "evidence"
    """The long side: the premise (evidence), or the hypothesis, whose other sentences the premise repeats (claim)."""
    lengths: str = ""
    """Lengths of the text in tokens, joined by `+`; by default 128 to 8192, or 32 to 256 for claims."""
    per_pair: int = 1
    """The number of these lengths that are drawn for each pair; 0 takes all."""
    filler: str = ""
    """The name of the stored sentences, which a build or a run gathers from its corpus."""

    family: ClassVar[str] = "burial"
    check: ClassVar[type[Check]] = BurialCheck
    variants: ClassVar[tuple[str, ...]] = ("evidence", "claim")
    with_original: ClassVar[bool] = True
    on_request: ClassVar[bool] = True
    uses: ClassVar[tuple[str, ...]] = ("wordnet", "tagger")

    def __post_init__(self) -> None:
        if not all(each.isdecimal() and int(each) > 0 for each in self.lengths.split("+") if self.lengths):
            raise ValueError(f"lengths are numbers joined by +, not {self.lengths!r}")

    def __call__(self, pair: Pair, rng: Random) -> list[Edit] | Skip:
        if not self.filler:
            return NO_FILLER
        if len(tokens(pair.premise)) > LONGEST:
            return Skip("the premise is too long to be buried as one sentence")
        if not all(text.rstrip()[-1:] in ".!" for text in (pair.premise, pair.hypothesis)):
            return Skip("a text does not end with a full stop or an exclamation mark")
        pool, label = load_filler(self.filler), label_of(pair)
        lengths = self._draw_lengths(rng)
        edits = [edit for length in lengths for edit in self._make_edits(pair, length, label, pool, rng)]
        return edits or TOO_FEW

    def _draw_lengths(self, rng: Random) -> list[int]:
        given = [int(each) for each in self.lengths.split("+") if each]
        all_of = given or ([1 << n for n in range(7, 14)] if self.variant == "evidence" else [32, 64, 128, 256])
        return sorted(rng.sample(all_of, self.per_pair)) if 0 < self.per_pair < len(all_of) else all_of

    def _make_edits(self, pair: Pair, length: int, label: Label, pool: Filler, rng: Random) -> list[Edit]:
        own = len(tokens(pair.premise if self.variant == "evidence" else pair.hypothesis))
        numbers = pool.draw_sentences(f"{pair.premise} {pair.hypothesis}", max(length - own, 0), rng)
        if not numbers:
            return []
        label_change = None if label is pair.label else label
        if self.variant == "claim":
            added = (Replacement(0, "", f"{' '.join(pool.texts[number] for number in numbers)} "),)
            group = {"length": str(length)}
            return [Edit(label=label_change, variant=self.variant, premise=added, hypothesis=added, group=group)]
        edits = []
        for depth in DEPTHS:
            before, after = _split_filler(pool, numbers, depth)
            start = (Replacement(0, "", f"{before} "),) if before else ()
            end = (Replacement(len(pair.premise), "", f" {after}"),) if after else ()
            group = {"length": str(length), "depth": str(depth), "place": f"{length}@{depth}"}
            edits.append(Edit(label=label_change, variant=self.variant, premise=start + end, group=group))
        return edits


def _split_filler(pool: Filler, numbers: list[int], depth: int) -> tuple[str, str]:
    """The filler before and after the deciding sentence; `depth` percent of its tokens come before."""
    total = sum(pool.sizes[number] for number in numbers)
    passed, place = 0, 0
    while place < len(numbers) and 100 * (passed + pool.sizes[numbers[place]] / 2) <= depth * total:
        passed += pool.sizes[numbers[place]]
        place += 1
    texts = [pool.texts[number] for number in numbers]
    return " ".join(texts[:place]), " ".join(texts[place:])


def label_of(pair: Pair) -> Label:
    """The label among unrelated sentences: a contradiction stays only if both sentences are about the same thing.

    "A man sleeps" contradicts "A man runs" in one picture, but not in a text where there may be another man.
    """
    if pair.label is not Label.CONTRADICTION:
        return pair.label
    subject = _find_subject(pair.hypothesis)
    same = bool(subject) and subject == _find_subject(pair.premise)
    return Label.CONTRADICTION if same else Label.NON_ENTAILMENT


def _find_subject(text: str) -> str:
    """The head of the first noun phrase, in its base form, if it is a name or definite."""
    tokens = analyse(text)
    if not tokens:
        return ""
    if tokens[0].tag == "NNP":
        return " ".join(token.text for token in _take_while(tokens, "NNP"))
    if tokens[0].text.lower() not in WORDS["definite"]:
        return ""
    inside = _take_while(tokens[1:], "NN", "JJ", "CD", "VBN", "VBG")
    heads = [token.text.lower() for token in inside if token.tag.startswith("NN")]
    return next(iter(wordnet().morphy(heads[-1], "n")), heads[-1]) if heads else ""


def _take_while(found: Sequence[Tagged], *tags: str) -> list[Tagged]:
    """The leading tokens whose tags are among the given ones."""
    return list(takewhile(lambda token: token.tag.startswith(tags), found))
