"""How much of a hypothesis is in its premise."""

from collections.abc import Sequence
from typing import NamedTuple

from assay.language.fragment.shortcuts import is_subsequence
from assay.models.baselines.constituent import is_constituent


class Overlap(NamedTuple):
    """What a hypothesis takes from its premise."""

    share: float
    """The share of its distinct words that are in the premise; nothing shares all of its words."""
    new: int
    """Its distinct words that are not in the premise."""
    in_one_piece: bool
    """It is a subsequence of the premise."""
    is_phrase: bool
    """It is a constituent of the premise."""


def overlap_of(premise: str, hypothesis: str, *, said: Sequence[str], claimed: Sequence[str]) -> Overlap:
    """Compare two texts, given with their words."""
    distinct = {*claimed}
    new = len(distinct.difference(said))
    # Only what consists of the premise's words can be a piece or a phrase of it, and few hypotheses do.
    piece = not new and is_subsequence(hypothesis, premise)
    return Overlap(
        share=(len(distinct) - new) / len(distinct) if distinct else 1.0,
        new=new,
        in_one_piece=piece,
        is_phrase=piece and is_constituent(hypothesis, premise),
    )
