"""hf: on checkpoints that are made on the spot, and what the detective says of them."""

import json
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from tests import tiny_classifier
from tests.conftest import case, pair

from assay.core.errors import ModelError, UserError
from assay.core.label import THREE_WAY, Label
from assay.core.label_space import TWO_LABELS
from assay.core.protocols import Texts
from assay.models.adapters.hf import HuggingFace
from assay.models.adapters.label_order import self_evident, write_labels
from assay.models.adapters.pair_classifier import PairClassifier
from assay.models.chat.endpoint import tokenizer_of
from assay.run.measure import pair_as_case

pytest.importorskip("transformers")

CASES = [
    case(number, premise=each.texts.premise, hypothesis=each.texts.hypothesis, label=each.label)
    for number, each in enumerate(self_evident())
]
UNNAMED = ("LABEL_0", "LABEL_1", "LABEL_2")


def opened(folder: Path, **options: object) -> PairClassifier:
    return HuggingFace(what=str(folder), **options).open()  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_classifier.save(tmp_path_factory.mktemp("hf") / "model")


@pytest.fixture(scope="module")
def model(folder: Path) -> PairClassifier:
    return opened(folder)


def test_a_checkpoint_answers_by_name(model: PairClassifier) -> None:
    answers = model.predict(CASES)
    assert [answer.id for answer in answers] == [each.id for each in CASES]
    right = sum(answer.label is each.label for answer, each in zip(answers, CASES, strict=True))
    assert right >= 40
    assert all(sum((answer.probabilities or {}).values()) == pytest.approx(1, abs=1e-5) for answer in answers)


@pytest.mark.parametrize("order", list(permutations(THREE_WAY)), ids=write_labels)
def test_every_order_is_found(tmp_path: Path, model: PairClassifier, order: tuple[Label, ...]) -> None:
    named = opened(tiny_classifier.save(tmp_path / "named", order=order))
    assert [answer.label for answer in named.predict(CASES)] == [answer.label for answer in model.predict(CASES)]
    unnamed = tiny_classifier.save(tmp_path / "unnamed", order=order, names=UNNAMED)
    with pytest.raises(ModelError, match="does not name its outputs") as told:
        opened(unnamed).predict(CASES)
    assert f"?labels={write_labels(order)}" in str(told.value)
    assert f"42 right as {write_labels(order)}" in str(told.value)
    explicit = opened(unnamed, labels=write_labels(order))
    assert explicit.notes == ()
    assert [answer.label for answer in explicit.predict(CASES)] == [answer.label for answer in model.predict(CASES)]


def test_a_flipped_map_is_stopped_with_the_evidence(tmp_path: Path) -> None:
    flipped = tiny_classifier.save(tmp_path, names=("contradiction", "neutral", "entailment"))
    with pytest.raises(ModelError, match="calls its outputs contradiction,neutral,entailment") as told:
        opened(flipped).predict(CASES)
    assert "?labels=entailment,neutral,contradiction" in str(told.value)
    insisting = opened(flipped, labels="contradiction,neutral,entailment")
    assert "behaves like entailment,neutral,contradiction" in insisting.notes[0]


def test_a_model_without_skill_is_undecided(tmp_path: Path) -> None:
    knows_nothing = tiny_classifier.save(tmp_path, shuffled=True)
    with pytest.raises(ModelError, match="unclear what its outputs mean"):
        opened(knows_nothing).predict(CASES)
    assert len(opened(knows_nothing, labels="e,n,c").predict(CASES)) == len(CASES)


CLAIMS = ("SUPPORTS", "REFUTES", "NOT ENOUGH INFO")
E_C_N = (Label.ENTAILMENT, Label.CONTRADICTION, Label.NEUTRAL)


def test_names_of_sets_of_claims_are_understood(tmp_path: Path, model: PairClassifier) -> None:
    named = opened(tiny_classifier.save(tmp_path / "right", order=E_C_N, names=CLAIMS))
    assert [answer.label for answer in named.predict(CASES)] == [answer.label for answer in model.predict(CASES)]
    with pytest.raises(ModelError, match=r"SUPPORTS, REFUTES, NOT ENOUGH INFO .*answers disagree") as told:
        opened(tiny_classifier.save(tmp_path / "wrong", names=CLAIMS)).predict(CASES)
    assert "?labels=entailment,neutral,contradiction" in str(told.value)


def test_a_suggestion_for_a_model_without_skill_comes_from_its_own_names(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="It calls them SUPPORTS, REFUTES, NOT ENOUGH INFO") as told:
        opened(tiny_classifier.save(tmp_path / "claims", names=CLAIMS, shuffled=True)).predict(CASES)
    assert str(told.value).endswith('?labels=entailment,contradiction,neutral"')
    with pytest.raises(ModelError, match="It calls them LABEL_0, LABEL_1, LABEL_2") as told:
        opened(tiny_classifier.save(tmp_path / "unnamed", names=UNNAMED, shuffled=True)).predict(CASES)
    assert '?labels=LABEL,LABEL,LABEL"' in str(told.value), "no order is urged"


@pytest.mark.parametrize("order", [TWO_LABELS.labels, TWO_LABELS.labels[::-1]], ids=write_labels)
def test_two_outputs(tmp_path: Path, order: tuple[Label, ...]) -> None:
    names = ["entailment" if label is Label.ENTAILMENT else "not_entailment" for label in order]
    answers = opened(tiny_classifier.save(tmp_path, order=order, names=names)).predict(CASES)
    assert {answer.label for answer in answers} == set(TWO_LABELS.labels)
    right = sum(
        answer.label is TWO_LABELS.read(each.compared_with) for answer, each in zip(answers, CASES, strict=True)
    )
    assert right >= 40


ONE = (Label.ENTAILMENT,)


def test_one_output_is_a_support_score(tmp_path: Path) -> None:
    named = opened(tiny_classifier.save(tmp_path / "named", order=ONE, names=("support",)))
    answers = named.predict(CASES)
    assert (
        sum(answer.label is TWO_LABELS.read(each.compared_with) for answer, each in zip(answers, CASES, strict=True))
        >= 40
    )
    assert {answer.threshold for answer in answers} == {0.5}
    unnamed = tiny_classifier.save(tmp_path / "unnamed", order=ONE, names=("LABEL_0",))
    with pytest.raises(ModelError, match="does not name its outputs") as told:
        opened(unnamed).predict(CASES)
    assert "?labels=support" in str(told.value)
    explicit = opened(unnamed, labels="support", threshold=0.0)
    assert {answer.label for answer in explicit.predict(CASES)} == {Label.ENTAILMENT}
    assert [answer.probabilities for answer in explicit.predict(CASES)] == [answer.probabilities for answer in answers]


def test_one_output_that_is_called_the_opposite_is_stopped(tmp_path: Path) -> None:
    flipped = tiny_classifier.save(tmp_path, order=ONE, names=("unsupported",))
    with pytest.raises(ModelError, match="calls its outputs unsupported, but its answers disagree") as told:
        opened(flipped).predict(CASES)
    assert "premises right as support" in str(told.value)


def test_two_outputs_that_mean_neither_are_refused(tmp_path: Path) -> None:
    other_task = tiny_classifier.save(tmp_path, order=TWO_LABELS.labels, names=("NEGATIVE", "POSITIVE"), shuffled=True)
    with pytest.raises(ModelError, match=r"unclear what its outputs mean.*no skill") as told:
        opened(other_task).predict(CASES)
    for order in (TWO_LABELS.labels, TWO_LABELS.labels[::-1]):
        assert f"of 14 premises right as {write_labels(order)}" in str(told.value)


@pytest.mark.parametrize("pattern", [{"String": "a"}, {"Regex": "."}])
def test_a_tokenizer_that_multiplies_text_is_refused_before_it_reads_any(
    tmp_path: Path, pattern: dict[str, str]
) -> None:
    bomb = tiny_classifier.save(tmp_path)
    written = json.loads((bomb / "tokenizer.json").read_text())
    rule = {"type": "Replace", "pattern": pattern, "content": 200 * "a"}
    written["normalizer"] = {"type": "Sequence", "normalizers": [written["normalizer"], rule, rule, rule]}
    (bomb / "tokenizer.json").write_text(json.dumps(written))
    with pytest.raises(UserError, match=r"can make a text 8,.* times as long"):
        opened(bomb).predict(CASES)
    with pytest.raises(UserError, match=r"can make a text 8,.* times as long"):
        tokenizer_of(str(bomb))


def test_wrong_labels_are_refused(folder: Path) -> None:
    with pytest.raises(UserError, match="list what each output means"):
        opened(folder, labels="yes,no,maybe")
    with pytest.raises(UserError, match="3 outputs, but 2 labels"):
        opened(folder, labels="entailment,non-entailment").predict(CASES)


def test_batching_changes_no_label_and_hardly_a_probability(model: PairClassifier) -> None:
    pairs = [each.texts for each in self_evident()]
    together = model.probabilities(pairs)
    alone = np.concatenate([model.probabilities([pair]) for pair in pairs])
    wide = np.concatenate([model._judge([each], tiny_classifier.LENGTH) for each in model.ready(pairs)])
    for other in (alone, wide):
        assert np.abs(together - other).max() < 1e-5
        assert (together.argmax(axis=1) == other.argmax(axis=1)).all()


def test_a_long_premise_is_cut_and_marked(model: PairClassifier) -> None:
    hypothesis = "A man is making music."
    whole, cut = model.ready([Texts("A man is playing.", hypothesis), Texts("music " * 100, hypothesis)])
    assert not whole.truncated
    assert cut.truncated
    assert cut.size == tiny_classifier.LENGTH
    assert cut.content.ids[-7:] == whole.content.ids[-7:], "the hypothesis stays whole"
    assert model.answer([cut], width=cut.size)[0].truncated
    assert not model.ready([Texts("music", "music " * 100)])[0].fits
    with pytest.raises(UserError, match=r"hypothesis of 'p1' is longer"):
        model.predict([pair_as_case(pair(hypothesis="music " * 100))])


def test_a_shorter_length_can_be_set(folder: Path) -> None:
    assert opened(folder, length=16).ready([Texts("a man is playing " * 9, "A man plays.")])[0].size == 16


def test_a_template_stands_around_the_hypothesis(folder: Path, model: PairClassifier) -> None:
    asked = opened(folder, template="The man says: {}")
    pair = Texts("It rained.", "The soup is hot.")
    plain = model.ready([Texts(pair.premise, "The man says: The soup is hot.")])
    assert asked.ready([pair]) == plain
    with pytest.raises(UserError, match="the place of the hypothesis"):
        opened(folder, template="no place")


def test_identity_follows_weights_and_settings(tmp_path: Path, folder: Path, model: PairClassifier) -> None:
    assert opened(folder).identity == model.identity
    same = tiny_classifier.save(tmp_path / "same")
    other = tiny_classifier.save(tmp_path / "other", order=THREE_WAY[::-1])
    assert opened(same).identity == model.identity
    assert opened(other).identity != model.identity
    assert opened(folder, length=16).identity != model.identity


def test_what_is_no_model(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(UserError, match=r"a folder without config\.json.*\n.*save_pretrained"):
        opened(tmp_path)
    broken = tiny_classifier.save(tmp_path / "broken")
    (broken / "model.safetensors").write_bytes((folder / "model.safetensors").read_bytes()[:1000])
    with pytest.raises(UserError, match="can't be loaded"):
        opened(broken).predict(CASES)
    for name, kind in (("tokenizer.json", "tokenizer"), ("model.safetensors", "weights")):
        (broken / name).unlink()
        with pytest.raises(UserError, match=rf"has no {kind}: none of (.|\n)*save_pretrained"):
            opened(broken)


def test_a_cross_encoder_of_sentence_transformers(tmp_path: Path, folder: Path, model: PairClassifier) -> None:
    library = pytest.importorskip("sentence_transformers", reason="sentence-transformers is in the extra bench")
    library.CrossEncoder(str(folder), device="cpu").save_pretrained(str(tmp_path / "cross"))
    assert opened(tmp_path / "cross").predict(CASES) == model.predict(CASES)


def test_a_model_that_gives_no_number(tmp_path: Path) -> None:
    import torch
    from transformers import BertForSequenceClassification

    folder = tiny_classifier.save(tmp_path)
    model = BertForSequenceClassification.from_pretrained(folder)
    with torch.no_grad():
        model.classifier.weight.fill_(float("nan"))
    model.save_pretrained(folder)
    with pytest.raises(ModelError, match="is not a number"):
        opened(folder).predict(CASES)


def test_without_a_network_the_error_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import huggingface_hub.constants

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    with pytest.raises(UserError, match=r"is not a local folder, and can't be downloaded(.|\n)*`assay list models`"):
        HuggingFace(what="nobody/nothing").open()


@pytest.mark.parametrize("what", ["./nowhere", "/no/where", "~/nowhere", "a/b/c"])
def test_a_folder_that_is_not_there_is_not_looked_for_on_the_hub(what: str) -> None:
    with pytest.raises(UserError, match=r"is neither a local folder nor a name on the hub\.\n.*config\.json"):
        HuggingFace(what=what).open()
