"""Several seeds of one system: the headline of what all of them do."""

from collections.abc import Sequence
from statistics import fmean

import msgspec

from assay.core.label import LabelNames
from assay.core.results.diagnosis import Moves, Profile, Shortcut
from assay.evaluate.diagnose.headline import headline


def seeds_headline(seeds: Sequence[Profile], names: LabelNames) -> str:
    """What all seeds of a system do: shortcuts that each follows, and falls that each shows, with mean shares."""
    shared = [each for each in seeds[0].followed if all(each.name in _names(seed) for seed in seeds)]
    effects = []
    for effect in shared:
        same = [each for seed in seeds for each in seed.followed if each.name == effect.name]
        followed, base = (fmean(getattr(each, name) or 0.0 for each in same) for name in ("followed", "base"))
        effects.append(msgspec.structs.replace(effect, followed=followed, base=base))
    return headline(effects, _mean_moves(seeds), names)


def _names(profile: Profile) -> set[Shortcut]:
    return {each.name for each in profile.followed}


def _mean_moves(seeds: Sequence[Profile]) -> list[Moves]:
    """The matrices that all seeds have, with mean shifts and the largest p."""
    by_place = [{(each.suite, each.family, each.label): each for each in seed.moves} for seed in seeds]
    found = []
    for place, first in by_place[0].items():
        same = [places[place] for places in by_place if place in places]
        shifts = {answer: [s for each in same for s in each.shifts if s.answer == answer] for answer in first.answers}
        found.append(
            msgspec.structs.replace(
                first,
                shifts=tuple(
                    msgspec.structs.replace(
                        own[0],
                        before=fmean(each.before for each in own),
                        after=fmean(each.after for each in own),
                        p=max(each.p for each in own),
                        lost=all(each.lost for each in own),
                    )
                    for own in shifts.values()
                    if len(own) == len(seeds)
                ),
            )
        )
    return found
