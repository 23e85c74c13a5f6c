"""The diagnosis of a run: everything about each model, and about models beside each other."""

from collections.abc import Sequence

from assay.core.label import LabelNames
from assay.core.results.diagnosis import Diagnosis, Profile
from assay.evaluate.band import seeded
from assay.evaluate.diagnose.alike import all_wrong, only_right, versus
from assay.evaluate.diagnose.errors import regressions
from assay.evaluate.diagnose.evidence import Evidence
from assay.evaluate.diagnose.follow import effects
from assay.evaluate.diagnose.headline import headline, unusable
from assay.evaluate.diagnose.moves import moves
from assay.evaluate.diagnose.planting import unseen_shortcuts
from assay.evaluate.diagnose.seeds import seeds_headline


def diagnosed(evidence: Evidence, names: LabelNames) -> Diagnosis:
    """What the evidence says about why models fail; `names` are the user's names for labels."""
    measured = effects(evidence)
    is_decided = all(any(each.follows or each.possible for each in found) for found in measured)
    unseen = () if is_decided else unseen_shortcuts(evidence)
    parts = zip(evidence.models, evidence.judged, measured, moves(evidence), regressions(evidence), strict=True)
    profiles = tuple(
        Profile(
            model=model,
            headline=unusable(int((~judged).sum()), len(judged)) or headline(found, moved, names, unseen=unseen),
            effects=tuple(found),
            moves=tuple(moved),
            regression=errors,
        )
        for model, judged, found, moved, errors in parts
    )
    return Diagnosis(
        n=int(evidence.claims.sum()),
        profiles=profiles,
        versus=versus(evidence),
        all_wrong=all_wrong(evidence),
        only_right=only_right(evidence),
        unseen=unseen,
        systems=_systems(profiles, names),
    )


def _systems(profiles: Sequence[Profile], names: LabelNames) -> dict[str, str]:
    """The headlines of systems that have several seeds."""
    seeds: dict[str, list[Profile]] = {}
    for each in profiles:
        if (found := seeded(each.model)).seed:
            seeds.setdefault(found.system, []).append(each)
    return {system: seeds_headline(own, names) for system, own in seeds.items() if len(own) > 1}
