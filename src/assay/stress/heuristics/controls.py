"""The paper's controls: which pairs are not a case of a heuristic, and which words a model can have learned."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from assay.core.pair import Pair
from assay.language.fragment.fragment_lexicon import FragmentLexicon, standard_fragment_lexicon
from assay.language.fragment.syntactic_heuristics import HEURISTICS, HoldingHeuristics
from assay.language.text.tokens import folded_words

ENOUGH = 50
"""Minimum number of uses of a verb's frame in training that the paper asks for."""

_BRACKETS = re.compile(r"\(|\)|[^\s()]+")


def find_misfits(heuristic: str, holds: HoldingHeuristics) -> list[str]:
    """The fault of a case: its heuristic does not apply, or a narrower one applies as well.

    >>> find_misfits("subsequence", HoldingHeuristics(lexical_overlap=True, subsequence=True, constituent=True))
    ['is a constituent']
    """
    names: tuple[str, ...] = HEURISTICS  # each is a special case of the one before
    narrower = names[names.index(heuristic) + 1 :] if heuristic in names else ()
    errors = [f"is a {name}" for name in narrower if getattr(holds, name)]
    return errors + ([f"is not a {heuristic}"] if getattr(holds, heuristic, None) is False else [])


class FrameCounts(NamedTuple):
    """Counts of the lexicon's words, and of its verbs in their frames, in a training corpus."""

    pairs: int
    words: dict[str, int]
    frames: dict[str, int] | None
    """Counts by verb and frame, as in `helped (passive)`; None if no text of the corpus has a labelled tree."""
    parsed: int
    """Texts with a labelled tree."""

    def __add__(self, other: object) -> "FrameCounts":
        """The counts of two parts of a corpus together."""
        if not isinstance(other, FrameCounts):
            return NotImplemented
        frames = [counts for counts in (self.frames, other.frames) if counts is not None]
        return FrameCounts(
            self.pairs + other.pairs,
            _add_counts(self.words, other.words),
            _add_counts(*frames) if frames else None,
            self.parsed + other.parsed,
        )

    def rare_words(self, fewer_than: int = ENOUGH) -> dict[str, int]:
        """Words that occur less than `fewer_than` times."""
        return {word: count for word, count in self.words.items() if count < fewer_than}

    def rare_frames(self, fewer_than: int = ENOUGH) -> dict[str, int] | None:
        """Verbs in frames that occur less than `fewer_than` times; None if frames were not counted."""
        return self.frames and {frame: count for frame, count in self.frames.items() if count < fewer_than}


def frame_counts(corpus: Iterable[Pair], lexicon: FragmentLexicon | None = None) -> FrameCounts:
    """Count the lexicon's words and, in the trees that come with the pairs, the frames of its verbs.

    Words are counted in the form that they have in the lexicon; a premise that several pairs share counts each time.
    """
    lexicon = lexicon or standard_fragment_lexicon()
    wanted = sorted({word for name in lexicon.names for word in lexicon.words(name)})
    phrases = [word for word in wanted if " " in word]
    words, frames = Counter[str](), Counter[str]()
    pairs = parsed = 0
    for pair in corpus:
        pairs += 1
        trees = (pair.parses.premise, pair.parses.hypothesis) if pair.parses else (None, None)
        for text, tree in zip((pair.premise, pair.hypothesis), trees, strict=True):
            text_words = folded_words(text)
            words.update(text_words)
            joined = f" {' '.join(text_words)} "
            words.update({phrase: joined.count(f" {phrase} ") for phrase in phrases if phrase in joined})
            if tree:
                parsed += 1
                frames.update(f"{verb} ({frame})" for verb, frame in _find_frames(tree))
    known = [
        f"{word} ({frame})" for each in lexicon.classes.values() for word in each.words for frame in sorted(each.frames)
    ]
    return FrameCounts(
        pairs,
        {word: words[word] for word in wanted},
        {frame: frames[frame] for frame in known} if parsed else None,
        parsed,
    )


def _add_counts(*counts: dict[str, int]) -> dict[str, int]:
    return {name: sum(each[name] for each in counts) for name in counts[0]}


def _find_frames(tree: str) -> Iterator[tuple[str, str]]:
    """The verbs of a labelled tree, each with its frame."""
    stack: list[list[object]] = [[]]
    for piece in _BRACKETS.findall(tree):
        if piece == "(":
            stack.append([])
        elif piece == ")" and len(stack) > 1:
            node = stack.pop()
            yield from _frames_of(node)
            stack[-1].append(node)
        elif piece != ")":
            stack[-1].append(piece)


def _frames_of(node: list[object]) -> Iterator[tuple[str, str]]:
    parts = [part for part in node[1:] if isinstance(part, list) and part]
    if not node or node[0] != "VP" or not parts or len(parts[0]) < 2:
        return
    tag, word = parts[0][0], str(parts[0][1]).lower()
    labels = [str(part[0]) for part in parts[1:]]
    places = [part for part in parts[1:] if part[0] == "PP" and _first_word(part) == "in"]
    if tag in ("VBD", "VBN") and places:
        yield word, "place"
    if tag == "VBN" and "NP" not in labels and any(part[0] == "PP" and _first_word(part) == "by" for part in parts[1:]):
        yield word, "passive"
    if tag != "VBD":
        return
    clauses = [part for part in parts[1:] if part[0] == "SBAR"]
    if "NP" in labels:
        yield word, "object"
    elif clauses:
        yield word, "that" if _first_word(clauses[0]) == "that" else "clause"
    elif "S" not in labels:
        yield word, "alone"


def _first_word(node: object) -> str:
    while isinstance(node, list):
        if len(node) < 2:
            return ""
        node = node[1]
    return str(node).lower()
