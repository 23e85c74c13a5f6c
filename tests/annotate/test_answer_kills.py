"""Answers survive `kill -9`; the benchmark does it fifty times, this does it once."""

import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from tests.conftest import ROOT

from assay.annotate.answer_store import AnswerStore, history

SCRIPT = ROOT / "benchmarks" / "kills.py"


@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")
def test_every_acknowledged_answer_survives_kills() -> None:
    done = subprocess.run(
        [sys.executable, SCRIPT, "--kills", "1", "--people", "2"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Every acknowledged answer is there" in done.stdout


@pytest.fixture(scope="module")
def kills() -> ModuleType:
    spec = spec_from_file_location("kills", SCRIPT)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    sys.modules["kills"] = module
    spec.loader.exec_module(module)
    return module


def test_what_is_lost_doubled_or_out_of_order_would_be_noticed(kills: ModuleType, tmp_path: Path) -> None:
    kills.prepared(tmp_path, ["ann"])
    with AnswerStore(tmp_path) as store:
        ann = store.person("ann")
        for number, place in enumerate(store.places(ann)[:3]):
            store.answer(ann, place.key, {"label": "neutral"}, base=0, request=str(number))
        shown = {place.key: place.shown for place in store.places(ann)}
        acks = [
            kills.Ack("ann", each.request, shown[each.key], each.version, each.said, number, number + 0.5)
            for number, each in enumerate(history(store))
        ]
        assert kills.problems(store, acks) == []
        assert "not stored" in kills.problems(store, [*acks, acks[0]._replace(request="x")])[0]
        assert "never acknowledged" in kills.problems(store, acks[1:])[0]
        assert "but stored as" in kills.problems(store, [acks[0]._replace(version=2), *acks[1:]])[0]
        late = acks[0]._replace(sent=9.0, acknowledged=9.5)
        assert "sent later" in kills.problems(store, [late, *acks[1:]])[0]
