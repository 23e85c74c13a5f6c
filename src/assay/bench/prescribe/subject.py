"""Who is to be cured: a model of a run that follows a shortcut, and the system that is trained for it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from assay.bench.ask.names import OWN, ModelName
from assay.bench.training.train import Made
from assay.core import registry
from assay.core.errors import UserError
from assay.core.files import from_json
from assay.core.results.diagnosis import Profile
from assay.core.run import RunRecord
from assay.core.study.prescription import Subject
from assay.models import shipped
from assay.models.adapters.trained import Trained
from assay.models.systems.card import MAKING

CHEAP = "decomposable-attention"
"""The system that stands in for a model that Assay did not train: it trains in minutes, and follows shared words."""


def chosen_profile(record: RunRecord, profiles: Sequence[Profile]) -> Profile | None:
    """The model that is prescribed for, if none is named: one that Assay can train again, and no reference.

    Of several, the first that follows a shortcut.
    """
    references = {each.model for each in record.models if each.reference}
    sick = [each for each in profiles if each.followed]
    return min(sick, key=lambda each: (each.model in references, making_of(each.model) is None), default=None)


def subject_of(profile: Profile, system: str | None) -> Subject:
    """The model with its system: the one that is named, the one that it is, or a cheap one."""
    made = making_of(profile.model)
    if system:
        resolved, options = registry.systems.resolve(system), {}
    elif made:
        resolved, options = made.spec.system, _options(made)
    else:
        resolved, options = registry.systems.resolve(CHEAP), {}
    return Subject(
        model=profile.model,
        headline=profile.headline,
        system=resolved.partition("/")[0],
        options=options,
        is_own=made is not None and made.spec.system == resolved,
    )


def making_of(model: str) -> Made | None:
    """How a model was trained, if Assay trained it and still knows."""
    kind, what, _ = ModelName.parse(model)
    name = what.partition("/")[0]
    if kind == OWN and name in shipped.NAMES:
        folder = shipped.HERE / name
    elif kind == "trained":
        folder = _trained_folder(what)
    else:
        return None
    return from_json(folder / MAKING, Made, newest=1) if (folder / MAKING).is_file() else None


def _trained_folder(what: str) -> Path:
    try:
        return Trained(what=what).folder
    except UserError:
        return Path(what)


def _options(made: Made) -> dict[str, Any]:
    spec = made.spec
    options: dict[str, Any] = {"preset": spec.preset}
    if spec.switches:
        options["set"] = dict(spec.switches)
    if spec.two_way:
        options["two-way"] = True
    return options
