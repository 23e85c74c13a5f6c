"""Who is to be cured: a model of a run that follows a shortcut, and the system that is trained for it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from assay.bench.ask.names import OWN, ModelName
from assay.bench.training.train import Made
from assay.core import registry
from assay.core.errors import UserError
from assay.core.files import from_json
from assay.core.label import THREE_WAY
from assay.core.results.diagnosis import Profile
from assay.core.run import RunRecord
from assay.core.study.prescription import Subject
from assay.models import shipped
from assay.models.adapters.hf import HuggingFace
from assay.models.adapters.label_words import is_generative
from assay.models.adapters.trained import Trained
from assay.models.answering.label_order import read_names
from assay.models.systems.card import MAKING

CHEAP = "decomposable-attention"
"""The system that stands in for a model that can't be trained here: it trains in minutes, and follows shared words."""

READY, GENTLY = "bert", "5e-5"
"""The system that begins with the weights of a ready classifier, and its rate then: half of that of a new one."""


def chosen_profile(record: RunRecord, profiles: Sequence[Profile]) -> Profile | None:
    """The model that is prescribed for, if none is named: one that Assay can train again, and no reference.

    Of several, the first that follows a shortcut.
    """
    references = {each.model for each in record.models if each.reference}
    sick = [each for each in profiles if each.followed]
    return min(sick, key=lambda each: (each.model in references, making_of(each.model) is None), default=None)


def subject_of(profile: Profile, system: str | None) -> Subject:
    """The model with its system: the one that is named, the one that it is, the model itself, or a cheap one."""
    made, ready = making_of(profile.model), ready_classifier(profile.model)
    named = registry.systems.resolve(system) if system else None
    goes_on = ready is not None and named in (None, registry.systems.resolve(READY))
    options: dict[str, Any]
    if goes_on:
        resolved, options = registry.systems.resolve(READY), {"set": {"checkpoint": ready, "rate": GENTLY}}
    elif named:
        resolved, options = named, {}
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
        goes_on=goes_on,
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


def ready_classifier(model: str) -> str | None:
    """The checkpoint of a classifier of transformers that names its labels, so that it can be trained further."""
    kind, what, options = ModelName.parse(model)
    if kind != "hf" or options.get("labels"):  # outputs that only the user can name would begin in the wrong order
        return None
    try:
        config = msgspec.json.decode((HuggingFace(what=what).folder() / "config.json").read_bytes())
    except (UserError, OSError, msgspec.DecodeError):  # it may have been moved since it was asked
        return None
    named = sorted(config.get("id2label", {}).items(), key=lambda item: int(item[0]))
    is_named = set(read_names([name for _, name in named]) or ()) == set(THREE_WAY)
    where = Path(what).expanduser()
    checkpoint = str(where.absolute()) if where.is_dir() else what  # a plan may be run from elsewhere
    return checkpoint if is_named and not is_generative(config) else None


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
