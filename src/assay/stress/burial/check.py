"""Check of buried sentences: the added sentences share no word with the pair, and refer to nothing outside them."""

import re
from collections.abc import Iterable
from functools import lru_cache

from assay.core.case import Case, text_digest
from assay.core.edit import Replacement, Skip
from assay.core.label import Label
from assay.language.numbers.number_words import COUNTING
from assay.language.resources.data import load_words, word_list
from assay.stress.original import CHANGED, undo_case

WORDS = load_words(__file__)

SHARED = Skip("not verified: the filler shares a content word, a name or a number with the pair")
POINTING = Skip("not verified: the filler may refer to other sentences")

_WORD = re.compile(r"[A-Za-z]+(?:['\u2019][A-Za-z]+)?|[0-9][0-9.,]*")
_PART = re.compile(r"[A-Za-z]+")
FEWEST = 3


class BurialCheck:
    """Check of the family burial. It compares stems instead of base forms."""

    def __call__(self, case: Case) -> Skip | None:
        """Undo the edit, compare the added sentences with the pair, and derive the label again."""
        edit, texts = case.provenance.edit, undo_case(case)
        if texts is None or text_digest(*texts) != case.provenance.source:
            return CHANGED
        if edit.variant == "claim":
            if edit.premise != edit.hypothesis or len(edit.premise) != 1 or edit.premise[0].start != 0:
                return Skip("not verified: the claim says more than the premise and the source's hypothesis")
        elif edit.hypothesis:
            return CHANGED
        if not edit.premise or not all(_is_whole(each, texts[0]) for each in edit.premise):
            return Skip("not verified: the filler is not whole sentences before or after the premise")
        if doubt := doubt_of_filler(" ".join(each.new for each in edit.premise), f"{texts[0]} {texts[1]}"):
            return doubt
        label = case.provenance.label
        if label is Label.CONTRADICTION and not _same_subject(*texts):
            label = Label.NON_ENTAILMENT
        return None if case.label is label else Skip("not verified: the other sentences would change the label")


def _is_whole(change: Replacement, premise: str) -> bool:
    """True if whole sentences were added before or after the premise, and nothing was removed."""
    added = change.new.strip()
    ends = added.endswith(".") and added[:1].isupper() and not change.old
    before = change.start == 0 and change.new.endswith(" ")
    after = change.start == len(premise) and change.new.startswith(" ") and premise.rstrip()[-1:] in ".!"
    return ends and (before or after)


def _same_subject(premise: str, hypothesis: str) -> bool:
    """True if both texts begin with the same name, or with a definite article and, soon after, the same word."""
    ours, theirs = (_WORD.findall(text)[:6] for text in (hypothesis, premise))
    if not ours or not theirs:
        return False
    if ours[0].lower() in WORDS["determiners"] and theirs[0].lower() in WORDS["determiners"]:
        return bool({_cut_ending(word) for word in ours[1:]} & {_cut_ending(word) for word in theirs[1:]} - {""})
    known = word_list("function_words")
    return ours[0] == theirs[0] and ours[0].lower() not in known


def doubt_of_filler(added: str, beside: str) -> Skip | None:
    """The reason why the added sentences may say something about the texts next to them; None if there is none."""
    words = {*_WORD.findall(added)}
    if not _find_stems(words).isdisjoint(_find_stems(_WORD.findall(beside))):
        return SHARED
    return POINTING if any(map(_points_elsewhere, words)) else None


def _find_stems(words: Iterable[str]) -> set[str]:
    """The stems of all words except function words; numbers become digits, however they are written."""
    return {*map(_stem_of, words)} - {""}


@lru_cache(maxsize=1 << 15)
def _points_elsewhere(word: str) -> bool:
    """True if a word, or a part of "it's", may refer to other sentences, negate them or quantify over them."""
    return not WORDS["pointers"].isdisjoint(_PART.findall(word.lower()))


@lru_cache(maxsize=1 << 15)  # a long text repeats its words, and five cases share their filler
def _stem_of(word: str) -> str:
    low = word.lower().rstrip(".,").partition("'")[0].partition("\u2019")[0]
    if low in COUNTING:
        return str(COUNTING[low])
    if low[:1].isdigit():
        return low.replace(",", "")
    return "" if low in word_list("function_words") else _cut_ending(low)


def _cut_ending(word: str) -> str:
    """A word without its ending.

    >>> _cut_ending("houses"), _cut_ending("planned"), _cut_ending("bakes") == _cut_ending("baking")
    ('hous', 'plan', True)
    """
    low = word.lower()
    for ending in WORDS.ordered("endings"):
        if low.endswith(ending) and len(low) - len(ending) >= FEWEST:
            low = low.removesuffix(ending)
            break
    if len(low) > FEWEST and low[-1] == low[-2]:
        low = low[:-1]
    return low.rstrip("ey") if len(low.rstrip("ey")) >= FEWEST else low
