"""The trained models that come with Assay."""

import json
import subprocess
import sys

import pytest
from tests.conftest import case

from assay.core import registry
from assay.core.case import Case
from assay.core.label import THREE_WAY
from assay.core.protocols import Model
from assay.corpora.reader import read
from assay.models.adapters.label_order import self_evident
from assay.models.shipped import HERE, NAMES
from assay.run.predict.model_names import open_model
from assay.storage.files import digest

LARGEST = 60_000_000


@pytest.fixture(scope="module", params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def model(name: str) -> Model:
    return open_model(f"assay:{name}")


def corpus() -> list[Case]:
    pairs = enumerate(read("bundled", limit=60))
    return [case(n, premise=p.premise, hypothesis=p.hypothesis, label=p.label) for n, p in pairs]


def test_batch_mates_change_no_answer(model: Model) -> None:
    cases = [*corpus(), case(98, premise="", hypothesis="?"), case(99, premise="zxcvb \U0001f600", hypothesis="")]
    together = model.predict(cases)
    alone = [answer for each in cases for answer in model.predict([each])]
    for one, two in zip(together, alone, strict=True):
        assert {*(one.probabilities or {})} == {*THREE_WAY}
        assert one.probabilities == pytest.approx(two.probabilities, abs=1e-5)


def test_it_has_learned_something(name: str, model: Model) -> None:
    known = self_evident()
    cases = [case(n, premise=each.texts.premise, hypothesis=each.texts.hypothesis) for n, each in enumerate(known)]
    answers = model.predict(cases)
    right = sum(answer.label is each.label for answer, each in zip(answers, known, strict=True))
    assert right > len(known) / 3, name


def test_hypothesis_only_never_sees_the_premise() -> None:
    model = open_model("assay:hypothesis-only")
    one, two = model.predict([case(1, premise="A dog runs."), case(2, premise="Nobody is here.")])
    assert one.probabilities == two.probabilities


def test_torch_is_not_needed() -> None:
    code = (
        "import sys; sys.modules['torch'] = sys.modules['transformers'] = sys.modules['safetensors'] = None\n"
        "from tests.conftest import case\nfrom assay.run.predict.model_names import open_model\n"
        f"for name in {NAMES}: print(open_model('assay:' + name).predict([case(1)])[0].label)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert {*done.stdout.split()} <= {*THREE_WAY}, done.stderr
    assert len(done.stdout.split()) == len(NAMES), done.stderr


def test_all_are_registered_and_listed_by_digest() -> None:
    assert {*NAMES} <= {each.partition("/")[0] for each in registry.models.names()}
    listed = json.loads((HERE / "digests.json").read_text())
    there = [path for path in HERE.rglob("*") if path.is_file() and path.suffix not in (".py", ".pyc")]
    assert listed == {path.relative_to(HERE).as_posix(): digest(path) for path in there if path.parent != HERE}
    assert sum(path.stat().st_size for path in there) < LARGEST


def test_systems_that_learned_the_same_words_share_their_list() -> None:
    lists = [json.loads(file.read_bytes())["learned"] for file in HERE.glob("*/vocabulary.json")]
    assert lists
    shared = (HERE / "words" / "learned.txt").read_text(encoding="utf-8").splitlines()
    own = [each for each in lists if each != "../words/learned.txt"]
    assert len(own) < len(lists) - 1  # the shared list has more than one user
    assert all(isinstance(each, list) and each != shared for each in own)
