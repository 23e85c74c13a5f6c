"""Sizes and schedules of the systems: the paper's, AllenNLP's, one for a laptop, and a tiny one for tests."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Literal, get_args

import msgspec

from assay.core.errors import UnknownNameError, UserError, did_you_mean
from assay.core.registry import convert_option
from assay.models.systems.system_card import Config
from assay.training.hyperparameters import Debias, Hyperparameters, Logic

Preset = Literal["paper", "allennlp", "laptop", "tiny"]


class PresetSetting(msgspec.Struct, frozen=True, kw_only=True):
    system: dict[str, Any]  # its switches that differ from the default
    plan: Hyperparameters
    reduced: str = ""  # reductions from the paper
    departs: tuple[str, ...] = ()  # known differences from the original code, and details that are unknown


class Presets(msgspec.Struct, frozen=True, kw_only=True):
    title: str
    reference: str
    paper: PresetSetting
    laptop: PresetSetting
    tiny: PresetSetting
    allennlp: PresetSetting | None = None
    """AllenNLP's version, if a paper tested that one and it differs from the original."""

    def setting(self, preset: Preset) -> PresetSetting:
        """One of them.

        >>> presets("esim").setting("allennlp").system["activation"]
        'relu'
        """
        found: PresetSetting | None = getattr(self, preset)
        if found is None:
            there = [name for name in get_args(Preset) if getattr(self, name)]
            raise UserError(f"{self.title}: there is no preset {preset!r}. Choose from {', '.join(there)}.")
        return found


def presets(system: str) -> Presets:
    """The presets of a system, by its name without version.

    >>> presets("esim").paper.plan.rate
    0.0004
    """
    file = files("assay.training") / "presets" / f"{system}.toml"
    if not file.is_file():
        raise UnknownNameError(f"The system {system!r} has no presets.")
    return msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), Presets)


class ChosenPreset(msgspec.Struct, frozen=True):
    config: Config
    plan: Hyperparameters
    logic: Logic | None = None  # the rules that are added to the loss, if any
    debias: Debias | None = None  # the settings of debiasing, if it is used


def choose(
    setting: PresetSetting,
    kind: type[Config],
    switches: Mapping[str, str],
    *,
    regularise: bool = False,
    debias: bool = False,
) -> ChosenPreset:
    """A preset with some values changed.

    Each name belongs to the system, to the plan or, if they are used, to the rules or to debiasing.

    >>> from assay.models.systems.esim import EsimConfig
    >>> choose(presets("esim").tiny, EsimConfig, {"hidden": "12", "rate": "0.1"}).config.hidden
    12
    """
    system, plan = dict(setting.system), msgspec.to_builtins(setting.plan)
    logic, debiasing = dict[str, Any](), dict[str, Any]()
    asked = [(Logic, logic)] * regularise + [(Debias, debiasing)] * debias
    homes = {
        field.name: (values, field.type)
        for struct, values in ((Hyperparameters, plan), (kind, system), *asked)
        for field in msgspec.structs.fields(struct)
    }
    for name, value in switches.items():
        if name not in homes:
            raise UserError(
                f"No switch {name!r}{did_you_mean(name, homes)} Known switches: {', '.join(sorted(homes))}."
            )
        values, type_ = homes[name]
        given = None if value == "none" else value
        values[name] = convert_option(given, type_, f"The switch {name}", written=value)
    return ChosenPreset(
        msgspec.convert(system, kind, strict=False),
        msgspec.convert(plan, Hyperparameters, strict=False),
        msgspec.convert(logic, Logic) if regularise else None,
        msgspec.convert(debiasing, Debias) if debias else None,
    )
