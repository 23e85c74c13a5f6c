"""Presets: one file a system, all of them readable."""

import msgspec
import pytest

from assay.core import registry
from assay.core.errors import UnknownNameError, UserError
from assay.train.presets import choose, presets

pytest.importorskip("torch", reason="systems need PyTorch")

NAMES = [name.partition("/")[0] for name in registry.systems.names()]


@pytest.mark.parametrize("name", NAMES)
def test_every_system_has_its_presets(name: str) -> None:
    found = presets(name)
    kind = registry.systems.get(name)
    for setting in (found.paper, found.laptop, found.tiny):
        msgspec.convert(setting.system, kind.Config)
    assert found.laptop.reduced
    assert not found.paper.reduced


def test_a_switch_belongs_to_the_system_or_to_the_plan() -> None:
    kind = registry.systems.get("esim").Config
    chosen = choose(presets("esim").tiny, kind, {"hidden": "5", "tuned": "true", "epochs": "7", "patience": "none"})
    assert msgspec.to_builtins(chosen.config)["hidden"] == 5
    assert msgspec.to_builtins(chosen.config)["tuned"] is True
    assert (chosen.plan.epochs, chosen.plan.patience) == (7, None)


@pytest.mark.parametrize(
    ("name", "value", "said"), [("hiden", "5", "did you mean 'hidden'"), ("hidden", "five", "wrong value")]
)
def test_a_wrong_switch_says_what_is_wrong(name: str, value: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        choose(presets("esim").tiny, registry.systems.get("esim").Config, {name: value})


def test_rules_have_switches_only_where_they_are_asked_for() -> None:
    kind, setting = registry.systems.get("esim").Config, presets("esim").tiny
    chosen = choose(setting, kind, {"text_entails_itself": "2", "flips": "0"}, regularise=True)
    assert chosen.logic
    assert (chosen.logic.text_entails_itself, chosen.logic.flips) == (2.0, 0)
    assert choose(setting, kind, {}).logic is None
    with pytest.raises(UserError, match="No switch 'flips'"):
        choose(setting, kind, {"flips": "0"})


def test_an_unknown_system_has_none() -> None:
    with pytest.raises(UnknownNameError, match="no presets"):
        presets("nothing")
