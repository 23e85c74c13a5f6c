"""What every registered model keeps, built in or brought by a package."""

import pickle
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import case

from assay.core import registry
from assay.core.case import Case, Prediction
from assay.core.errors import ModelError
from assay.core.label import Label
from assay.core.protocols import Adapter, Learner, Model
from assay.corpora.reader import read

NAMES = [name for name in registry.models.names() if not isinstance(registry.models.get(name)(), Adapter)]
"""Those that ship trained are in test_shipped."""
LEARNERS = [name for name in NAMES if isinstance(registry.models.get(name)(), Learner)]

Text = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
Cases = st.lists(
    st.builds(
        lambda name, premise, hypothesis, label: case(id=name, premise=premise, hypothesis=hypothesis, label=label),
        Text,
        Text,
        Text,
        st.sampled_from(Label),
    ),
    max_size=8,
)


def corpus() -> list[Case]:
    return [
        case(number, premise=p.premise, hypothesis=p.hypothesis, label=p.label)
        for number, p in enumerate(read("bundled", limit=120))
    ]


def fitted(name: str, cases: Sequence[Case]) -> Model:
    kind: Any = registry.models.get(name)
    model: Model = kind()
    return model.fit(cases) if isinstance(model, Learner) else model


@pytest.fixture(scope="module", params=NAMES)
def model(request: pytest.FixtureRequest) -> Model:
    return fitted(request.param, corpus())


@given(cases=Cases)
def test_one_answer_a_case_in_order(model: Model, cases: list[Case]) -> None:
    answers = model.predict(cases)
    assert [answer.id for answer in answers] == [each.id for each in cases]
    for answer in answers:
        assert answer.label in Label
        if answer.probabilities is not None:
            assert sum(answer.probabilities.values()) == pytest.approx(1, abs=1e-5)
            assert answer.probabilities[answer.label] == max(answer.probabilities.values())
        assert msgspec.json.decode(msgspec.json.encode(answer), type=Prediction) == answer


def test_no_case_no_answer(model: Model) -> None:
    assert model.predict([]) == []


@given(cases=Cases, data=st.data())
def test_an_answer_does_not_depend_on_the_other_cases(model: Model, cases: list[Case], data: st.DataObject) -> None:
    together = model.predict(cases)
    assert together == [answer for each in cases for answer in model.predict([each])]
    order = data.draw(st.permutations(range(len(cases))))
    assert model.predict([cases[i] for i in order]) == [together[i] for i in order]


def test_the_same_over_a_whole_corpus_in_any_batches(model: Model) -> None:
    cases = corpus()
    together = model.predict(cases)
    for size in (1, 7, 50):
        batches = [cases[start : start + size] for start in range(0, len(cases), size)]
        assert [answer for batch in batches for answer in model.predict(batch)] == together


@given(cases=Cases, data=st.data())
def test_a_model_never_looks_at_the_label(model: Model, cases: list[Case], data: st.DataObject) -> None:
    other = [msgspec.structs.replace(each, label=data.draw(st.sampled_from(Label))) for each in cases]
    assert model.predict(other) == model.predict(cases)


def test_it_is_the_same_after_pickling(model: Model) -> None:
    cases = corpus()
    assert pickle.loads(pickle.dumps(model)).predict(cases) == model.predict(cases)


@pytest.mark.parametrize("name", NAMES)
def test_fitting_again_gives_the_same_answers(name: str) -> None:
    cases = corpus()
    assert fitted(name, cases).predict(cases) == fitted(name, cases).predict(cases)


@pytest.mark.parametrize("name", LEARNERS)
def test_a_model_that_saw_nothing_says_so(name: str) -> None:
    with pytest.raises(ModelError, match="needs original pairs"):
        fitted(name, [])


@pytest.mark.parametrize("name", LEARNERS)
@given(cases=Cases.filter(bool))
def test_a_learner_learns_from_any_text(name: str, cases: list[Case]) -> None:
    known = {each.label for each in cases}
    assert {answer.label for answer in fitted(name, cases).predict(cases)} <= known | {Label.ENTAILMENT}
