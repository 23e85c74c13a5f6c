"""hf: on generative models that are made on the spot: the probability of yes and no is the answer."""

from pathlib import Path

import numpy as np
import pytest
from tests import tiny_generator
from tests.conftest import case

from assay.core.errors import BadInputError, UserError
from assay.core.label import Label
from assay.core.label_space import TWO_LABELS
from assay.core.protocols import Texts
from assay.models.adapters.hf import HuggingFace
from assay.models.adapters.label_order import self_evident
from assay.models.adapters.pair_classifier import PairClassifier

pytest.importorskip("torch", reason="these models need PyTorch")
pytest.importorskip("transformers")

CASES = [
    case(number, premise=each.texts.premise, hypothesis=each.texts.hypothesis, label=each.label)
    for number, each in enumerate(self_evident())
]


@pytest.fixture(scope="module", params=["t5", "gpt2"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_generator.save(tmp_path_factory.mktemp("generator") / request.param, request.param)


def opened(folder: Path, **options: object) -> PairClassifier:
    return HuggingFace(what=str(folder), **options).open()  # type: ignore[arg-type]


def test_it_answers_with_the_probability_of_yes(folder: Path) -> None:
    answers = opened(folder).predict(CASES)
    right = sum(
        answer.label is TWO_LABELS.read(each.compared_with) for answer, each in zip(answers, CASES, strict=True)
    )
    assert right >= 40
    assert {answer.threshold for answer in answers} == {0.5}
    assert all(sum((answer.probabilities or {}).values()) == pytest.approx(1, abs=1e-5) for answer in answers)


def test_the_probability_is_what_the_model_itself_gives(folder: Path) -> None:
    import torch

    tokenizer, model = tiny_generator.generator("t5" if folder.name == "t5" else "gpt2")
    pair = self_evident()[3].texts
    inputs = tokenizer([tiny_generator._asked(*pair)], return_tensors="pt")
    if folder.name == "t5":
        start = torch.tensor([[model.config.decoder_start_token_id]])
        logits = model(**inputs, decoder_input_ids=start).logits[0, -1]
    else:
        logits = model(**inputs).logits[0, -1]
    yes, no = (tokenizer.convert_tokens_to_ids(word) for word in ("yes", "no"))
    expected = torch.softmax(logits[[yes, no]], dim=0)[0].item()
    (found,) = opened(folder).probabilities([pair])
    assert found[0] == pytest.approx(expected, abs=1e-5)


def test_words_of_several_tokens_count_as_a_whole(folder: Path) -> None:
    """After the first word, the second has a probability that depends on it; the sum over tokens is the word's."""
    words = "yes no:entailment,no:non-entailment"
    long, short = opened(folder, words=words).probabilities([self_evident()[0].texts])[0]
    yes, no = opened(folder).probabilities([self_evident()[0].texts])[0]
    assert long / short < yes / no


def test_batching_changes_hardly_a_probability(folder: Path) -> None:
    model = opened(folder)
    pairs = [each.texts for each in self_evident()][:12]
    together = model.probabilities(pairs)
    alone = np.concatenate([model.probabilities([pair]) for pair in pairs])
    assert np.abs(together - alone).max() < 1e-4


def test_a_threshold_moves_the_answer_alone(folder: Path) -> None:
    strict, plain = opened(folder, threshold=1.0).predict(CASES), opened(folder).predict(CASES)
    assert [each.probabilities for each in strict] == [each.probabilities for each in plain]
    assert {each.label for each in strict if each.probabilities[Label.ENTAILMENT] < 1} == {Label.NON_ENTAILMENT}  # type: ignore[index]
    assert opened(folder, threshold=0.3).identity != opened(folder).identity


def test_a_long_premise_loses_its_end_and_nothing_else(folder: Path) -> None:
    model = opened(folder)
    pair = Texts("music " * 200, "A man is making music.")
    (ready,) = model.ready([pair])
    assert ready.truncated
    assert ready.size == tiny_generator.LENGTH
    (whole,) = model.ready([Texts("music", pair.hypothesis)])
    assert ready.content.ids[-20:] == whole.content.ids[-20:]
    with pytest.raises(UserError, match="only premises are ever cut"):
        model.ready([Texts("music", "music " * 200)])


def test_an_own_prompt(folder: Path, tmp_path: Path) -> None:
    prompt = tmp_path / "prompt.txt"
    prompt.write_text("{hypothesis} {premise} yes or no\n")
    model = opened(folder, prompt=str(prompt))
    (ready,) = model.ready([Texts("man", "{premise} music")])
    tokenizer, _ = tiny_generator.generator("gpt2")
    ids = [each for each in ready.content.ids if each != tokenizer.eos_token_id]
    assert tokenizer.convert_ids_to_tokens(ids)[-4:] == ["man", "yes", "or", "no"], "placeholders in texts stay texts"
    assert model.identity != opened(folder).identity
    prompt.write_text("{hypothesis}")
    with pytest.raises(BadInputError, match=r"must contain \{premise\} once"):
        opened(folder, prompt=str(prompt))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"words": "yes:entailment"}, "one word for each of two labels"),
        ({"words": "yes:entailment,no:neutral"}, "one word for each of two labels"),
        ({"words": "indeed:entailment,no:non-entailment"}, "does not know the word 'indeed'"),
        ({"labels": "entailment,non-entailment"}, "writes text, so it has no outputs to name"),
    ],
)
def test_what_can_not_be_asked(folder: Path, options: dict[str, str], said: str) -> None:
    with pytest.raises(UserError, match=said):
        opened(folder, **options).predict(CASES)


def test_three_words_are_three_labels(folder: Path) -> None:
    words = "yes:entailment,maybe:neutral,no:contradiction"
    answers = opened(folder, words=words).predict(CASES)
    assert {len(answer.probabilities or {}) for answer in answers} == {3}
    assert {answer.threshold for answer in answers} == {None}
