"""Whether a shipped model repeats a paper's finding is decided as everywhere: by the corrected test."""

import importlib
from collections.abc import Mapping
from typing import Any

import pytest
from tests.conftest import ROOT


class Figures:
    """What was measured of one model: a drop whose interval leaves out zero."""

    def __init__(self, figure: Any, values: Mapping[str, float]) -> None:
        self.figure, self.values = figure, values

    def find(self, set_: str, family: str = "original", *, name: str = "accuracy", **where: str) -> Any:
        value = self.values[name]
        spread = {"low": value - 0.02, "high": value + 0.02}
        return self.figure(set=set_, name=name, slice={"family": family, **where}, value=value, n=900, **spread)


@pytest.mark.parametrize(("p", "repeats"), [(0.004, True), (0.088, False)])
@pytest.mark.parametrize("claim", [" cost", "though it should hold"])
def test_an_interval_without_zero_is_not_enough(
    monkeypatch: pytest.MonkeyPatch, claim: str, p: float, repeats: bool
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tools" / "docs"))
    claims, results = (importlib.import_module(name) for name in ("claims", "results"))
    model = Figures(results.Figure, {"source": 0.9, "drop": 0.1, "holm": p})
    judged = [each.judge(model) for each in claims.CLAIMS if claim in each.text]
    assert len(judged) >= 2
    assert {each.repeats for each in judged} == {repeats}
