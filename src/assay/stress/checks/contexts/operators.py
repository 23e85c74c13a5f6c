"""Words around a quantity that keep a comparison from deciding the label."""

from collections.abc import Sequence
from itertools import pairwise


def _words(*lines: str) -> frozenset[str]:
    return frozenset(" ".join(lines).split())


OPERATORS = _words(
    "not n't n\u2019t no never none nobody nothing neither nor without cannot rarely seldom",
    "if unless whether whenever suppose assuming provided otherwise lest",
    "can could may might must should would ought 'd \u2019d able unable capable capacity ability enable enables",
    "every any anyone anybody anything anywhere everyone everybody whoever whatever",
    "hope hopes hoped wish wishes wished doubt doubts doubted deny denies denied guess guesses guessed imagine pretend",
    "estimate estimates estimated estimating want wants wanted refuse refuses refused avoid avoids avoided prevent",
    "prevents prevented fail fails failed forget forgot urge urges ask asks please consider consideration encourage",
    "invite recommend recommends recommended suggest suggests suggested propose proposes proposed request requests",
    "typically usually generally sometimes normally maybe perhaps probably possibly equal equals ratio proportion x y",
    "consist consists consisted comprise comprises",
)
"""Words that, anywhere in the sentence, keep a comparison from deciding the label."""
NEAR_OPERATORS = _words(
    "hardly scarcely barely few little only just even merely simply almost nearly about approximately roughly around",
    "likely often average averages averaged minimum maximum least most than like say up",
)
"""Words that do so near the quantity."""
OPERATORS_BEFORE = _words("some several many certain various others someone somebody need needs how why")
"""Words that do so before the quantity: others need not pay what some pay, and "how" leaves the amount open."""
OPERATORS_AFTER = _words("enough too sufficient required needed necessary allowed limit limited")
"""Words that do so after the quantity."""
MEASURED = _words("many much few little well far long high low soon of per if though opposed compared needed")
"""Words after "as" that measure something, or leave it open."""
NEAR = 6
"""How many tokens count as near."""


def may_undo(before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether a word before or after the quantity, in its sentence, may undo a change of it.

    >>> may_undo(["ada", "sold"], ["hats"]), may_undo(["ada", "never", "sold"], ["hats"])
    (False, True)
    """
    return not (
        OPERATORS.isdisjoint([*before, *after])
        and NEAR_OPERATORS.isdisjoint([*before[-NEAR:], *after[:NEAR]])
        and "before" not in before[-NEAR:]
        and OPERATORS_BEFORE.isdisjoint(before)
        and OPERATORS_AFTER.isdisjoint(after)
        and not _compares([*before, *after])
    )


def _compares(words: Sequence[str]) -> bool:
    """Whether "as" compares instead of starting a clause: "as many as", "as well as", but not "as the sun sets"."""
    return words.count("as") > 1 or any(one == "as" and other in MEASURED for one, other in pairwise(words))
