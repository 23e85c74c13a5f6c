"""From the diagnosis of a stored run to a prescription."""

from pathlib import Path

from assay.bench.judge.diagnose import find_diagnosis
from assay.bench.prescribe.remedies import CURABLE, built_measures, remedies_for
from assay.bench.prescribe.sources import Given, find_sources
from assay.bench.prescribe.subject import chosen_profile, subject_of
from assay.bench.stored import open_run
from assay.core.errors import UserError
from assay.core.results.diagnosis import Profile
from assay.core.study.prescription import Prescription
from assay.stress.heuristics.grammar import load


def find_prescription(
    run: Path, given: Given, *, model: str | None = None, system: str | None = None
) -> Prescription | str:
    """The remedies for a model of a run; in words why there are none, if so."""
    record = open_run(run)
    profiles = find_diagnosis(run, models=[model] if model else []).profiles
    if not profiles:
        raise UserError(f"{run} has no diagnosis of {model or 'its models'}.\n  Test it with `assay run`.")
    profile = chosen_profile(record, profiles)
    if profile is None:
        return _healthy(profiles)
    curable = [each for each in profile.followed if each.name in CURABLE]
    if not curable:
        return (
            f"{profile.model} {profile.headline}. No remedy of Assay is against that: see whether its labels are "
            "in order, and how many training pairs each label has."
        )
    sources = find_sources(given)
    found = [each.name for each in curable]
    measures = [*built_measures(found, [each.name for each in load("").subcases]), *sources.tests]
    suites = [each.name for each in measures]
    return Prescription(
        subject=subject_of(profile, system),
        shortcuts=tuple(curable),
        incurable=tuple(each for each in profile.followed if each.name not in CURABLE),
        remedies=tuple(remedies_for(found, suites, generated_like=sources.generated_like)),
        measures=tuple(measures),
        corpora=sources.corpora,
        sources=sources.train,
        data=sources.data,
        vectors=sources.vectors,
    )


def _healthy(profiles: tuple[Profile, ...]) -> str:
    names = ", ".join(each.model for each in profiles)
    verb = "follows" if len(profiles) == 1 else "follow"
    return f"{names} {verb} no shortcut that shows in this run, so there is no remedy to suggest."
