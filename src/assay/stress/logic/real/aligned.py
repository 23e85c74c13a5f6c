"""Where two texts differ, token by token, without what makes no difference."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from assay.language.text.analysis import Tagged, analyse

SILENT = frozenset({'"', "``", "''", "\u201c", "\u201d", "(", ")", "[", "]"})
"""Marks that say nothing."""
SAME = {"n't": "not", "n\u2019t": "not", "ca": "can", "wo": "will", "an": "a"}
AGREEING = ({"is", "are"}, {"was", "were"}, {"has", "have"}, {"does", "do"})
"""Forms of helping verbs that differ only because their subjects do."""


class Site(NamedTuple):
    """Tokens of the first text, and what the second has in their place."""

    start: int
    end: int
    other_start: int
    other_end: int


class Aligned(NamedTuple):
    """Two texts as tokens, and where they differ."""

    first: tuple[Tagged, ...]
    second: tuple[Tagged, ...]
    sites: tuple[Site, ...]


def aligned(first: str, second: str) -> Aligned:
    """The tokens of two texts, and where they differ.

    `aligned("A man plays a guitar", "A man plays an electric guitar.").sites` is `(Site(4, 4, 4, 5),)`.
    """
    one, two = _tokens(first), _tokens(second)
    low = [[SAME.get(each.text.lower(), each.text.lower()) for each in side] for side in (one, two)]
    steps = SequenceMatcher(None, low[0], low[1], autojunk=False).get_opcodes()
    sites = [Site(i, j, k, m) for kind, i, j, k, m in steps if kind != "equal"]
    kept = _joined([each for each in sites if not _agrees(low, each)])
    return Aligned(*_tagged_alike(one, two, kept), tuple(kept))


def _tagged_alike(
    one: tuple[Tagged, ...], two: tuple[Tagged, ...], sites: Sequence[Site]
) -> tuple[tuple[Tagged, ...], tuple[Tagged, ...]]:
    """Both with the same tags, if one word changed: taggers err on rare words, and then on those around them."""
    if len(sites) != 1 or len(one) != len(two) or sites[0].end - sites[0].start != 1:
        return one, two
    tags = one[sites[0].start].tag, two[sites[0].start].tag
    if tags[0][:2] == tags[1][:2] or not {"NN", "JJ"}.intersection(each[:2] for each in tags):
        return one, two
    wanted = "NN" if "NN" in (tags[0][:2], tags[1][:2]) else "JJ"
    source = one if tags[0].startswith(wanted) else two
    copied = [
        tuple(each._replace(tag=like.tag) for each, like in zip(side, source, strict=True)) for side in (one, two)
    ]
    return copied[0], copied[1]


def _tokens(text: str) -> tuple[Tagged, ...]:
    """The tokens of a text, without marks that say nothing and without the end of the sentence."""
    spaced = text.replace(" - ", "-").replace("cannot", "can not")
    found = [each for each in analyse(spaced) if each.text not in SILENT]
    while found and found[-1].text in (".", "!"):
        found.pop()
    return tuple(found)


def _agrees(low: Sequence[Sequence[str]], site: Site) -> bool:
    ours, theirs = low[0][site.start : site.end], low[1][site.other_start : site.other_end]
    return len(ours) == len(theirs) == 1 and any({*ours, *theirs} <= forms for forms in AGREEING)


def _joined(sites: Sequence[Site]) -> list[Site]:
    """Sites with only one token between them are one: it may be the same by chance."""
    found: list[Site] = []
    for site in sites:
        if found and site.start - found[-1].end <= 1 and site.other_start - found[-1].other_end <= 1:
            found[-1] = Site(found[-1].start, site.end, found[-1].other_start, site.other_end)
        else:
            found.append(site)
    return found
