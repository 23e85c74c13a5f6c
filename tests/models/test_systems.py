"""What every system must do, whatever it is made of."""

import tomllib
from pathlib import Path
from typing import Any

import msgspec
import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.label import THREE_WAY
from assay.core.label_space import TWO_LABELS

torch = pytest.importorskip("torch", reason="systems need PyTorch")

from tests.models.small_systems import OVER_WORDS, WORDS, make, scores, sentences  # noqa: E402

from assay.core import registry  # noqa: E402
from assay.core.errors import BadInputError, UserError  # noqa: E402
from assay.core.label import Label  # noqa: E402
from assay.core.pair import Pair, Parses  # noqa: E402
from assay.language.words.wordnet_relations import VECTORS, relation_index  # noqa: E402
from assay.models.systems.esim import TURNED  # noqa: E402
from assay.models.systems.layers import BiLstm  # noqa: E402
from assay.models.systems.spinn import JoinParts, join_states  # noqa: E402
from assay.models.systems.system import (  # noqa: E402
    WordSystem,
    load_system,
    save_system,
)
from assay.models.systems.system_card import WordConfig  # noqa: E402
from assay.models.systems.vocabulary import (  # noqa: E402
    SPECIAL,
    UNKNOWN,
    Ragged,
    Vocabulary,
    numbers_of,
    vocabulary_of,
)
from assay.models.systems.word_readers import ALPHABET, FIRST_LETTER, pack_letters, unpack_letters  # noqa: E402

PARAMETERS: dict[str, str] = tomllib.loads((Path(__file__).parent / "parameters.toml").read_text())


@pytest.mark.parametrize("name", OVER_WORDS)
@pytest.mark.parametrize("labels", [THREE_WAY, TWO_LABELS.labels])
def test_scores_have_a_row_a_pair_and_a_column_a_label(name: str, labels: tuple[Label, ...]) -> None:
    assert scores(make(name, labels), sentences(5, seed=1), sentences(5, seed=2)).shape == (5, len(labels))


@pytest.mark.parametrize("name", OVER_WORDS)
def test_batch_mates_and_their_order_change_no_answer(name: str) -> None:
    system = make(name)
    premises, hypotheses = sentences(9, seed=1), sentences(9, seed=2)
    together = scores(system, premises, hypotheses)
    alone = torch.cat([scores(system, [p], [h]) for p, h in zip(premises, hypotheses, strict=True)])
    turned = scores(system, premises[::-1], hypotheses[::-1]).flip(0)
    torch.testing.assert_close(together, alone, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(together, turned, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("name", OVER_WORDS)
@pytest.mark.parametrize("text", ["", "qwerty zxcvb", "?!", "\U0001f600 a"])
def test_strange_texts_get_numbers(name: str, text: str) -> None:
    found = scores(make(name), [text, "a dog"], ["a dog", text])
    assert torch.isfinite(found).all()


@pytest.mark.parametrize("name", OVER_WORDS)
def test_the_gradient_reaches_every_weight(name: str) -> None:
    system = make(name, tuned=True)
    system.train()
    premises = [*sentences(20, seed=1), "rare", "unheard"]
    hypotheses = [*sentences(20, seed=2), "unheard rare", "rare"]
    encoded = system.encode(premises, hypotheses)
    system(*system.batch(encoded, numpy.arange(len(premises)))).pow(2).sum().backward()
    dead = [key for key, weight in system.named_parameters() if weight.grad is None or not weight.grad.abs().any()]
    assert not dead


@pytest.mark.parametrize("name", OVER_WORDS)
def test_a_stored_system_gives_the_same_answers(name: str, tmp_path: Path) -> None:
    system = make(name)
    save_system(system, registry.systems.resolve(name), tmp_path)
    again = load_system(tmp_path)
    premises, hypotheses = sentences(4, seed=5), sentences(4, seed=6)
    assert torch.equal(scores(system, premises, hypotheses), scores(again, premises, hypotheses))
    assert again.labels == system.labels


def test_a_damaged_folder_says_so(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="not a trained system"):
        load_system(tmp_path)
    (tmp_path / "seed-1").mkdir()
    (tmp_path / "seed-1" / "log.jsonl").touch()
    for begun in (tmp_path, tmp_path / "seed-1"):
        with pytest.raises(BadInputError, match=r"training is not finished.*\n.*same `assay train` command"):
            load_system(begun)
    save_system(make("cbow"), "cbow/v1", tmp_path)
    (tmp_path / "weights.safetensors").write_bytes(b"nothing")
    with pytest.raises(BadInputError, match="damaged"):
        load_system(tmp_path)


@pytest.mark.parametrize(("name", "millions"), PARAMETERS.items())
def test_the_papers_sizes_are_met(name: str, millions: str) -> None:
    from assay.training.presets import presets

    kind: type[WordSystem] = registry.systems.get(name)
    config = msgspec.convert(presets(name).paper.system, kind.Config)
    system = kind(config, Vocabulary((), ("a",)), numpy.zeros((1, 300), dtype=numpy.float32))
    counted = sum(weight.numel() for key, weight in system.named_parameters() if not key.startswith("embedding"))
    assert f"{counted / 1e6:.{len(millions.partition('.')[2])}f}" == millions


@pytest.mark.parametrize("name", OVER_WORDS)
def test_one_seed_gives_the_same_first_weights(name: str) -> None:
    first, second = make(name).state_dict(), make(name).state_dict()
    assert all(torch.equal(first[key], second[key]) for key in first)


def test_hypothesis_only_never_sees_the_premise() -> None:
    system = make("hypothesis-only")
    hypotheses = sentences(6, seed=2)
    assert torch.equal(
        scores(system, sentences(6, seed=1), hypotheses), scores(system, sentences(6, seed=9), hypotheses)
    )


def test_infersents_quirk_lets_padding_into_the_maximum() -> None:
    system = make("infersent", padding_in_max=True)
    long = " ".join(WORDS)
    alone, together = scores(system, ["a"], ["dog"]), scores(system, ["a", long], ["dog", long])
    assert not torch.allclose(alone[0], together[0])


@pytest.mark.parametrize("unit", [True, False])
def test_decomposable_attention_takes_vectors_of_one_length(unit: bool) -> None:
    system = make("decomposable-attention", unit=unit)
    before = scores(system, ["a red dog"], ["the cat sleeps"])
    with torch.no_grad():
        for weight in system.embedding.parameters():
            weight.mul_(3)
        for ready in system.embedding.buffers():
            ready.mul_(3)
    assert torch.allclose(before, scores(system, ["a red dog"], ["the cat sleeps"]), atol=1e-5) == unit


def test_gates_are_those_of_a_loop_over_time() -> None:
    torch.manual_seed(0)
    layer = BiLstm(5, 4)
    states = torch.randn(3, 6, 5, requires_grad=True)
    mask = torch.arange(6) < torch.tensor([[6], [2], [4]])
    read = layer(states, mask)
    gates = layer.gates(states, mask, read) * mask.unsqueeze(-1)
    expected = torch.zeros(3, 6, 8)
    outputs = torch.zeros(3, 6, 8)
    for row, length in enumerate(mask.sum(1).tolist()):
        for lstm, times, place in ((layer.ahead, range(length), 0), (layer.back, reversed(range(length)), 4)):
            hidden, memory = torch.zeros(4), torch.zeros(4)
            for time in times:
                ih, hh, of_ih, of_hh = lstm.all_weights[0]
                i, f, g, o = (ih @ states[row, time] + of_ih + hh @ hidden + of_hh).chunk(4)
                memory = f.sigmoid() * memory + i.sigmoid() * g.tanh()
                hidden = o.sigmoid() * memory.tanh()
                expected[row, time, place : place + 4] = i.sigmoid()
                outputs[row, time, place : place + 4] = hidden
    torch.testing.assert_close(read, outputs)
    torch.testing.assert_close(gates, expected)
    wanted = torch.autograd.grad(expected.pow(2).sum(), [states, *layer.parameters()])
    found = torch.autograd.grad(gates.pow(2).sum(), [states, *layer.parameters()])
    for one, two in zip(found, wanted, strict=True):
        torch.testing.assert_close(one, two)


def test_gated_attention_reads_the_letters_of_words_that_it_does_not_know() -> None:
    def differ(**switches: Any) -> bool:
        found = scores(make("gated-attention", **switches), ["unheard", "unseen"], ["a dog", "a dog"])
        return not torch.allclose(found[0], found[1])

    assert differ()
    assert not differ(spell_unknown=False)


def test_letters_are_read_up_to_a_number() -> None:
    system = make("gated-attention", letters=6)
    found = scores(system, ["unheardof", "unheardofs", "unhear", "unhea"], ["a dog"] * 4)
    assert torch.allclose(found[0], found[1], atol=1e-6)
    assert torch.allclose(found[0], found[2], atol=1e-6)
    assert not torch.allclose(found[0], found[3], atol=1e-6)


def test_gated_attentions_quirk_lets_padding_into_the_maximum() -> None:
    system = make("gated-attention", padding_in_max=True)
    alone, together = scores(system, ["a"], ["dog"]), scores(system, ["a", "a man " * 9], ["dog", "dog " * 9])
    assert not torch.allclose(alone[0], together[0])


class TestKim:
    def test_the_originals_form_has_the_originals_size(self) -> None:
        switches = {"attention": 0.0, "composition": False, "inference_twice": True}
        kind: type[WordSystem] = registry.systems.get("kim")
        system = kind(kind.Config(hidden=300, **switches), Vocabulary((), ("a",)), numpy.zeros((1, 300), numpy.float32))
        counted = sum(weight.numel() for key, weight in system.named_parameters() if not key.startswith("embedding"))
        assert f"{counted / 1e6:.2f}" == "4.34"

    def test_the_published_parts_off_leave_esim(self) -> None:
        off: dict[str, Any] = {"attention": 0.0, "inference": False, "composition": False}
        kim, esim = make("kim", **off), make("esim")
        esim.load_state_dict(kim.state_dict())
        texts = sentences(6, seed=1), sentences(6, seed=2)
        torch.testing.assert_close(scores(kim, *texts), scores(esim, *texts))

    @pytest.mark.parametrize("part", ["attention", "inference", "composition"])
    def test_each_part_tells_relations_of_unknown_words(self, part: str) -> None:
        """Words that the system does not know differ in nothing but what WordNet says."""
        off: dict[str, Any] = {"attention": 0.0, "inference": False, "composition": False}
        system = make("kim", **off | {part: 5.0 if part == "attention" else True})
        related, unrelated = scores(system, ["a violin red"] * 2, ["the fiddle dog", "the lawsuit dog"])
        assert not torch.equal(related, unrelated)

    def test_relations_are_seen_from_both_sides(self) -> None:
        """`poodle` is below `animal`; as the texts change places, so do hypernymy and hyponymy."""
        reader = make("kim").reader
        (there,) = reader.of_pair(*(Ragged.of([reader.tokens(text)]).pad_rows([0]) for text in ("poodle", "animal")))
        (back,) = reader.of_pair(*(Ragged.of([reader.tokens(text)]).pad_rows([0]) for text in ("animal", "poodle")))
        assert there[0, 1, 1]
        assert (VECTORS[there[0, 1, 1]] == VECTORS[back[0, 1, 1]][TURNED]).all()

    def test_lemmas_are_those_of_the_sentence(self) -> None:
        reader = make("kim").reader
        known = numpy.array(reader.tokens("The children are running."))[:, 1]
        words = ["the", "child", "be", "run", "."]
        assert known[1:-1].tolist() == relation_index().numbers(words).tolist()


@given(st.text(max_size=9), st.integers(1, 9))
def test_letters_survive_packing(word: str, longest: int) -> None:
    found = unpack_letters(numpy.array([pack_letters(word, longest)]))[0]
    letters = [ALPHABET[number - FIRST_LETTER] if number >= FIRST_LETTER else "?" for number in found if number]
    assert letters == [letter if letter in ALPHABET else "?" for letter in word[:longest]]


def test_rivercorners_gives_each_side_its_own_attention() -> None:
    system: Any = make("rivercorners")
    texts = sentences(6, seed=1)
    before = scores(system, texts, texts)
    system.premise.load_state_dict(system.hypothesis.state_dict())
    assert not torch.allclose(before, scores(system, texts, texts))


def test_rivercorners_quirk_depends_on_batch_mates_and_is_refused_outside_training(tmp_path: Path) -> None:
    system = make("rivercorners", attention_over="batch")
    alone, together = scores(system, ["a dog"], ["a cat"]), scores(system, ["a dog", "cat"], ["a cat", "dog"])
    assert not torch.allclose(alone[0], together[0])
    save_system(system, "rivercorners/v1", tmp_path)
    with pytest.raises(UserError, match=r"answers depend on the other pairs.\n.*without that switch"):
        load_system(tmp_path)


@pytest.mark.parametrize(
    ("numerals", "same", "known"), [("words", False, True), ("one", True, True), ("unknown", True, False)]
)
def test_numbers_are_words_or_one_type_or_unknown(numerals: Any, same: bool, known: bool) -> None:
    words = vocabulary_of(
        ["12 dogs and 7 cats", "7 of 12"],
        ready=(),
        lowercase=True,
        at_least=2,
        keep_unseen=True,
        one_numeral=numerals != "words",
    )
    twelve, seven = numbers_of("12 7", words, WordConfig(numerals=numerals))
    assert (twelve == seven) == same
    assert (twelve != UNKNOWN) == known


def test_numbers_of_words_start_after_the_special_ones() -> None:
    words = Vocabulary(("rare",), ("dog",))
    assert words.numbers(["rare", "dog"]) == [SPECIAL, SPECIAL + 1]


class TestSpinn:
    @pytest.mark.parametrize("join", [join_states, JoinParts.apply])
    def test_levels_at_once_are_joined_as_one_by_one(self, join: Any) -> None:
        """Every part of every tree, as the formulas of the paper say."""
        system: Any = make("spinn")
        texts = [*sentences(7, seed=1), "dog", ""]
        arrays = system.reader.of_text(Ragged.of(system.reader.read(texts)).pad_rows(range(len(texts))))
        _, mask, left, right, counts, root = map(torch.from_numpy, arrays)
        words = torch.randn(int(mask.sum()), 20)
        found = join(words, left, right, counts, system.join.weight, system.join.bias)
        states = [torch.zeros(20), *words]
        for one, two in zip(left.tolist(), right.tolist(), strict=True):
            (h1, c1), (h2, c2) = states[one].chunk(2), states[two].chunk(2)
            i, f1, f2, o, g = (system.join.weight @ torch.cat([h1, h2]) + system.join.bias).chunk(5)
            c = i.sigmoid() * g.tanh() + f1.sigmoid() * c1 + f2.sigmoid() * c2
            states.append(torch.cat([o.sigmoid() * c.tanh(), c]))
        torch.testing.assert_close(found, torch.stack(states))
        assert len(states) == 1 + len(words) + len(left)
        assert root[-1] == 0
        assert {*root.tolist()}.isdisjoint({*left.tolist(), *right.tolist()})

    def test_the_gradient_of_joined_parts_is_exact(self) -> None:
        system: Any = make("spinn", hidden=3)
        texts = [*sentences(4, seed=2), "dog", ""]
        arrays = system.reader.of_text(Ragged.of(system.reader.read(texts)).pad_rows(range(len(texts))))
        _, mask, left, right, counts, _ = map(torch.from_numpy, arrays)
        shapes = (int(mask.sum()), 6), (15, 6), (15,)
        words, *cell = (torch.randn(shape, dtype=torch.float64, requires_grad=True) for shape in shapes)
        assert torch.autograd.gradcheck(JoinParts.apply, (words, left, right, counts, *cell))

    def test_the_tree_that_a_pair_brings_decides(self) -> None:
        system = make("spinn")
        given = [Parses(premise_binary=tree) for tree in ("( ( a red ) dog )", "( a ( red dog ) )")]
        premise, hypothesis = "a red dog", "the cat sleeps"
        pairs = [
            Pair(id="1", premise=premise, hypothesis=hypothesis, label=Label.NEUTRAL, parses=each) for each in given
        ]
        encoded = system.encode_pairs(pairs)
        found = system.eval()(*system.batch(encoded, numpy.arange(2)))
        assert not torch.allclose(found[0], found[1])
        always = make("spinn", trees="parser")
        encoded = always.encode_pairs(pairs)
        found = always.eval()(*always.batch(encoded, numpy.arange(2)))
        torch.testing.assert_close(found[0], found[1])

    def test_a_parse_that_does_not_fit_is_refused(self) -> None:
        pair = Pair(
            id="1", premise="a dog", hypothesis="a cat", label=Label.NEUTRAL, parses=Parses(premise_binary="( a cat )")
        )
        with pytest.raises(UserError, match="does not fit its text"):
            make("spinn").encode_pairs([pair])

    @pytest.mark.parametrize("trees", ["own", "parser", "right"])
    def test_signs_and_cuts_leave_whole_trees(self, trees: str) -> None:
        system = make("spinn", trees=trees, ends=True, nothing=True, longest=3, drop_unknown=True)
        rows = system.reader.read(["unheard man in the unheard park", "unheard", "dog"])
        assert [len(row) for row in rows] == [6, 3, 4]
        assert [(numpy.asarray(row)[:, 3] > 0).sum() for row in rows] == [5, 2, 3]

    def test_long_texts_are_cut_before_they_are_parsed(self) -> None:
        (row,) = make("spinn").reader.read(["a dog " * 20_000])
        assert len(row) == 256

    def test_the_quirk_counts_padding_in_training_alone(self) -> None:
        texts = ["a", "a man " * 9], ["dog", "dog " * 9]
        for training, same in ((True, False), (False, True)):
            found = []
            for quirk in (True, False):
                system = make("spinn", padding_in_norm=quirk).train(training)
                found.append(system(*system.batch(system.encode(*texts), numpy.arange(2))))
            assert torch.allclose(*found, atol=1e-6) == same

    def test_a_batch_of_one_pair_can_be_trained_on(self) -> None:
        system = make("spinn").train()
        encoded = system.encode(["a"], ["dog"])
        assert torch.isfinite(system(*system.batch(encoded, numpy.arange(1)))).all()

    def test_answers_name_the_parsers_edition(self) -> None:
        assert make("spinn").reader.edition
        assert not make("spinn", trees="right").reader.edition
