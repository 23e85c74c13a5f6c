"""Trees are those that the released code writes, construction by construction."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.language.fragment.lexicon import standard
from assay.language.fragment.trees import binary, penn, spans

LEXICON = standard()

TREES = {
    "The actors near the judge ran .": "(ROOT (S (NP (NP (DT The) (NNS actors)) (PP (IN near) (NP (DT the) (NN judge)))) (VP (VBD ran)) (. .)))",
    "The actor in front of the judge ran .": "(ROOT (S (NP (NP (DT The) (NN actor)) (PP (IN in) (NP (NP (NN front)) (PP (IN of) (NP (NP (DT the) (NN judge))))))) (VP (VBD ran)) (. .)))",
    "The actor next to the judge ran .": "(ROOT (S (NP (NP (DT The) (NN actor)) (ADVP (JJ next) (PP (TO to) (NP (DT the) (NN judge))))) (VP (VBD ran)) (. .)))",
    "The actor who ran slept .": "(ROOT (S (NP (NP (DT The) (NN actor)) (SBAR (WHNP (WP who)) (S (VP (VBD ran))))) (VP (VBD slept)) (. .)))",
    "The actor that the judge saw slept .": "(ROOT (S (NP (NP (DT The) (NN actor)) (SBAR (WHNP (WDT that)) (S (NP (DT the) (NN judge)) (VP (VBD saw))))) (VP (VBD slept)) (. .)))",
    "The actor and the judges ran .": "(ROOT (S (NP (NP (DT The) (NN actor)) (CC and) (NP (DT the) (NNS judges))) (VP (VBD ran)) (. .)))",
    "The judges were helped by the actor .": "(ROOT (S (NP (DT The) (NNS judges)) (VP (VBD were) (VP (VBN helped) (PP (IN by) (NP (DT the) (NN actor))))) (. .)))",
    "The judge heard the actor ran .": "(ROOT (S (NP (DT The) (NN judge)) (VP (VBD heard) (SBAR (S (NP (DT the) (NN actor)) (VP (VBD ran))))) (. .)))",
    "The judge said that the actor ran .": "(ROOT (S (NP (DT The) (NN judge)) (VP (VBD said) (SBAR (IN that) (S (NP (DT the) (NN actor)) (VP (VBD ran))))) (. .)))",
    "While the judge hid the actor ran .": "(ROOT (S (SBAR (IN While) (S (NP (DT the) (NN judge)) (VP (VBD hid)))) (NP (DT the) (NN actor)) (VP (VBD ran)) (. .)))",
    "If the judge ran , the actor slept .": "(ROOT (S (SBAR (IN If) (S (NP (DT the) (NN judge)) (VP (VBD ran)))) (, ,) (S (NP (DT the) (NN actor)) (VP (VBD slept))) (. .)))",
    "Whether or not the judge ran , the actor slept .": "(ROOT (S (SBAR (IN Whether) (CC or) (RB not) (S (NP (DT the) (NN judge)) (VP (VBD ran)))) (, ,) (S (NP (DT the) (NN actor)) (VP (VBD slept))) (. .)))",
    "In case the judge ran , the actor slept .": "(ROOT (S (SBAR (PP (IN In) (NP (NN case))) (S (NP (DT the) (NN judge)) (VP (VBD ran)))) (, ,) (S (NP (DT the) (NN actor)) (VP (VBD slept))) (. .)))",
    "The judge ran , or the actor slept .": "(ROOT (S (S (NP (DT The) (NN judge)) (VP (VBD ran))) (, ,) (CC or) (S (NP (DT the) (NN actor)) (VP (VBD slept))) (. .)))",
    "Maybe the judge ran .": "(ROOT (S (ADVP (RB Maybe)) (S (NP (DT the) (NN judge)) (VP (VBD ran))) (. .)))",
    "Without a doubt the judge ran .": "(ROOT (S (PP (IN Without) (NP (DT a) (NN doubt))) (S (NP (DT the) (NN judge)) (VP (VBD ran))) (. .)))",
    "Of course the judge ran .": "(ROOT (S (PP (IN Of) (NP (NN course))) (S (NP (DT the) (NN judge)) (VP (VBD ran))) (. .)))",
    "The judge paid in the office ran .": "(ROOT (S (NP (NP (DT The) (NN judge)) (VP (VBN paid) (PP (IN in) (NP (DT the) (NN office))))) (VP (VBD ran)) (. .)))",
    "The judge paid in the office .": "(ROOT (S (NP (DT The) (NN judge)) (VP (VBD paid) (PP (IN in) (NP (DT the) (NN office)))) (. .)))",
    "Happy judges ran .": "(ROOT (S (NP (JJ Happy) (NNS judges)) (VP (VBD ran)) (. .)))",
    "The judge ate the ice cream .": "(ROOT (S (NP (DT The) (NN judge)) (VP (VBD ate) (NP (DT the) (NN ice) (NN cream))) (. .)))",
}  # fmt: skip

BINARY = {
    "The actor ran .": "( ( The actor ) ( ran . ) )",
    "The actor saw the judge .": "( ( The actor ) ( ( saw ( the judge ) ) . ) )",
    "The actor and the judge ran .": "( ( ( The actor ) ( and ( the judge ) ) ) ( ran . ) )",
    "If the judge ran , the actor slept .": "( ( If ( ( the judge ) ran ) ) ( , ( ( ( the actor ) slept ) . ) ) )",
    "Judges ran .": "( Judges ( ran . ) )",
    "The judge ate the ice cream .": "( ( The judge ) ( ( ate ( the ( ice cream ) ) ) . ) )",
}


@pytest.mark.parametrize(("sentence", "tree"), TREES.items(), ids=str)
def test_a_sentence_has_the_released_tree(sentence: str, tree: str) -> None:
    assert [penn(found) for found in LEXICON.parse(sentence)] == [tree]


@pytest.mark.parametrize(("sentence", "tree"), BINARY.items(), ids=str)
def test_a_sentence_has_the_released_binary_tree(sentence: str, tree: str) -> None:
    assert [binary(found) for found in LEXICON.parse(sentence)] == [tree]


@pytest.mark.parametrize(
    "sentence",
    [
        "The judges was helped by the actor .",
        "The judge were helped by the actor .",
        "The judge fought the actor .",
        "Judge ran .",
        "The judge ran the actor .",
        "The judge saw .",
        "The judge",
        "The cook ran .",
        "",
    ],
)
def test_what_is_not_of_the_fragment_has_no_tree(sentence: str) -> None:
    assert LEXICON.parse(sentence) == []


def test_both_readings_are_found() -> None:
    assert len(LEXICON.parse("The judge believed the actor paid in the office .")) == 2


def test_blanks_before_punctuation_do_not_matter() -> None:
    assert LEXICON.parse("If the judge ran, the actor slept.") == LEXICON.parse("If the judge ran , the actor slept .")


def test_spans_are_the_phrases() -> None:
    (tree,) = LEXICON.parse("The judge saw the actor .")
    assert {" ".join(span) for span in spans(binary(tree))} == {
        "the judge saw the actor",
        "the judge",
        "saw the actor",
        "the actor",
    }


@given(st.lists(st.sampled_from(sorted(LEXICON.tokens)), max_size=14).map(" ".join))
def test_any_words_parse_or_do_not(text: str) -> None:
    for tree in LEXICON.parse(text):
        written = penn(tree)
        assert written.count("(") == written.count(")")
        assert binary(tree).replace("( ", "").replace(" )", "").lower() == text.lower()


@given(st.text(max_size=80))
def test_any_text_is_taken(text: str) -> None:
    assert isinstance(LEXICON.parse(text), list)
