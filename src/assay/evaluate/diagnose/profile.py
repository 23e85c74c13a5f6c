"""The diagnosis of a run: everything about each model, and about models beside each other."""

from assay.core.label import LabelNames
from assay.core.results.diagnosis import Diagnosis, Profile
from assay.evaluate.diagnose.alike import all_wrong, only_right, versus
from assay.evaluate.diagnose.errors import regressions
from assay.evaluate.diagnose.evidence import Evidence
from assay.evaluate.diagnose.follow import effects
from assay.evaluate.diagnose.headline import headline
from assay.evaluate.diagnose.moves import moves


def diagnosed(evidence: Evidence, names: LabelNames) -> Diagnosis:
    """What the evidence says about why models fail; `names` are the user's names for labels."""
    parts = zip(evidence.models, effects(evidence), moves(evidence), regressions(evidence), strict=True)
    return Diagnosis(
        n=int(evidence.claims.sum()),
        profiles=tuple(
            Profile(
                model=model,
                headline=headline(found, moved, names),
                effects=tuple(found),
                moves=tuple(moved),
                regression=errors,
            )
            for model, found, moved, errors in parts
        ),
        versus=versus(evidence),
        all_wrong=all_wrong(evidence),
        only_right=only_right(evidence),
    )
