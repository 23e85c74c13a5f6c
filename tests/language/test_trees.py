"""Binary trees, and the parser that finds them."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.errors import BadInputError, UserError
from assay.language.text.tokens import tokens
from assay.language.trees import shift_reduce as module
from assay.language.trees.binary_trees import Tree, nodes, read_tree, restrict_tree, right_branching, spans, write_tree
from assay.language.trees.shift_reduce import load_parser, pack_weights
from assay.models.systems.word_readers import find_trees, own_tree

SENTENCES = (
    "Two boys play football in a muddy field near the river .",
    "A woman who wears a red hat is talking to her friends .",
    "The old man sleeps",
    "Why ?",
    "Rain",
)
TEXTS = [text.split() for text in SENTENCES]
Words = st.lists(
    st.text(min_size=1, max_size=6).filter(lambda text: not set(text) & set("()") and text.split() == [text])
)


@st.composite
def random_trees(draw: st.DrawFn) -> Tree:
    parts = [([word], b"\0") for word in draw(Words.filter(bool))]
    while len(parts) > 1:
        place = draw(st.integers(0, len(parts) - 2))
        (left, before), (right, after) = parts[place : place + 2]
        parts[place : place + 2] = [(left + right, before + after + b"\1")]
    return Tree(tuple(parts[0][0]), parts[0][1])


@given(random_trees())
def test_a_written_tree_is_read_again(tree: Tree) -> None:
    assert read_tree(write_tree(tree)) == tree


@given(random_trees())
def test_parts_cover_their_words(tree: Tree) -> None:
    covered: list[set[int]] = []
    levels: list[int] = []
    for left, right, level in nodes(tree.steps):
        below = [covered[-child - 1] if child < 0 else {child} for child in (left, right)]
        under = [levels[-child - 1] if child < 0 else 0 for child in (left, right)]
        assert max(below[0]) + 1 == min(below[1])
        assert level == 1 + max(under)
        covered.append(below[0] | below[1])
        levels.append(level)
    assert [(min(each), max(each) + 1) for each in covered] == list(spans(tree.steps))


@given(random_trees(), st.data())
def test_a_tree_of_some_words_keeps_their_order_and_parts(tree: Tree, data: st.DataObject) -> None:
    size = len(tree.words)
    kept = data.draw(st.lists(st.booleans(), min_size=size, max_size=size))
    places = [place for place, is_kept in enumerate(kept) if is_kept]
    steps = restrict_tree(tree.steps, kept)
    assert len(steps) == max(0, 2 * len(places) - 1)
    before = {frozenset(place for place in range(*span) if kept[place]) for span in spans(tree.steps)}
    assert {frozenset(places[first:end]) for first, end in spans(steps)} <= before


@pytest.mark.parametrize("text", ["", "( a", "a )", ") a (", "( a b c )", "( a )", "a b", "( ( a b ) ( c ) )"])
def test_what_is_no_binary_tree_is_none(text: str) -> None:
    assert read_tree(text) is None


@given(Words)
def test_right_branching_trees_are_trees(words: list[str]) -> None:
    steps = right_branching(words)
    assert len(steps) == max(0, 2 * len(words) - 1)
    assert not words or read_tree(write_tree(Tree(tuple(words), steps))) == Tree(tuple(words), steps)


@given(st.lists(Words, max_size=4))
def test_any_words_get_a_tree(texts: list[list[str]]) -> None:
    for words, steps in zip(texts, load_parser().parse(texts), strict=True):
        assert len(steps) == max(0, 2 * len(words) - 1)
        assert not words or read_tree(write_tree(Tree(tuple(words), steps)))


def test_texts_that_are_parsed_together_change_no_tree() -> None:
    together = load_parser().parse([*TEXTS, ["a"] * 300, []])
    assert together[: len(TEXTS)] == [load_parser().parse([words])[0] for words in TEXTS]
    assert together[::-1] == load_parser().parse([[], ["a"] * 300, *TEXTS[::-1]])


def test_the_end_of_the_longest_text_is_read_as_that_of_any_other() -> None:
    text = "the man dog never unheard a never park runs red cat ? man the sleeps man man park woman big"
    close = text.split()  # one decision about its last words is close
    longer = [*close, *close]
    assert load_parser().parse([close, longer])[0] == load_parser().parse([close])[0]


def test_a_text_as_long_as_a_book_does_not_widen_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts are padded to the longest of those that are parsed together."""
    widths = []
    around = module.numbers_of

    def watched(texts: Sequence[Sequence[str]], sizes: Sequence[int]) -> Any:
        widths.append((len(texts), max(map(len, texts))))
        return around(texts, sizes)

    monkeypatch.setattr(module, "numbers_of", watched)
    load_parser().parse([["a", "dog"]] * 3000 + [["runs"] * 9000])
    assert all(count == 1 or count * width <= module.AT_ONCE for count, width in widths)
    assert (1, 9000) in widths
    assert sum(count for count, _ in widths) == 3001


def test_it_finds_what_belongs_together() -> None:
    found = [
        write_tree(Tree(tuple(words), steps)) for words, steps in zip(TEXTS, load_parser().parse(TEXTS), strict=True)
    ]
    assert "( Two boys )" in found[0]
    assert "( a ( muddy field ) )" in found[0]
    assert "( the river )" in found[0]
    assert "( a ( red hat ) )" in found[1]
    assert "( her friends )" in found[1]
    assert found[3:] == ["( Why ? )", "Rain"]


def test_it_is_small_and_holds_no_text() -> None:
    assert module.DATA.stat().st_size < 2_000_000
    with numpy.load(module.DATA, allow_pickle=False) as stored:
        assert {stored[name].dtype.kind for name in stored.files} == {"i", "f"}


def test_eight_bits_are_close() -> None:
    values = numpy.random.default_rng(0).normal(size=(50, 8)).astype(numpy.float32)
    stored: dict[str, Any] = pack_weights({"words": values, "bias": values[0]})
    assert stored["words"].dtype == numpy.int8
    whole = stored["words"].astype(numpy.float32) * stored["words.scale"].astype(numpy.float32)
    assert numpy.abs(whole - values).max() < 0.02
    assert numpy.array_equal(stored["bias"], values[0])


class TestWhereTreesComeFrom:
    def test_a_text_brings_its_own(self) -> None:
        given = "( ( ( The dog ) barks ) . )"
        (tree,) = find_trees(["The dog barks."], [given])
        assert write_tree(tree) == given
        assert write_tree(find_trees(["The dog barks."], [given], origin="parser")[0]) != given

    def test_quotes_and_brackets_of_parses_are_those_of_the_text(self) -> None:
        tree = own_tree('He said "no" (twice)', "( ( He said ) ( ( `` ( no '' ) ) ( -LRB- ( twice -RRB- ) ) ) )")
        assert tree.words == ("He", "said", '"', "no", '"', "(", "twice", ")")

    def test_sentences_of_the_fragment_have_the_fragments(self) -> None:
        text = "The doctors near the actor danced ."
        expected = "( ( ( The doctors ) ( near ( the actor ) ) ) ( danced . ) )"
        assert write_tree(find_trees([text])[0]) == expected

    def test_others_are_parsed(self) -> None:
        text = "Two boys play football in a muddy field."
        words = [token.text for token in tokens(text)]
        assert find_trees([text, text], [None, None]) == [Tree(tuple(words), load_parser().parse([words])[0])] * 2

    def test_right_branching_on_demand(self) -> None:
        assert write_tree(find_trees(["A b c"], origin="right")[0]) == "( A ( b c ) )"

    @pytest.mark.parametrize(
        ("given", "said"),
        [("( A cat", "not a bracketed binary tree"), ("( A cat )", "its words are not those of the text")],
    )
    def test_a_parse_that_does_not_fit_is_shown(self, given: str, said: str) -> None:
        with pytest.raises(UserError, match=rf"does not fit its text: .*{said}(.|\n)*A dog\.(.|\n)*--set trees=parser"):
            find_trees(["A dog."], [given])


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The parser's data are looked for in another file."""
    monkeypatch.setattr(module, "DATA", tmp_path / "parser.npz")
    load_parser.cache_clear()
    yield tmp_path / "parser.npz"
    load_parser.cache_clear()


def test_without_its_data_it_says_what_to_do(elsewhere: Path) -> None:
    with pytest.raises(UserError, match=r"bring no parses, and the parser .* is not there(.|\n)*Install Assay again"):
        load_parser()


@pytest.mark.parametrize("data", [b"", b"nothing", b"PK\x05\x06" + bytes(18)])
def test_damaged_data_are_named(elsewhere: Path, data: bytes) -> None:
    elsewhere.write_bytes(data)
    with pytest.raises(BadInputError, match="damaged"):
        load_parser()
