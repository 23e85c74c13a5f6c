"""The grammar is that of the paper, and a user's own file is checked when it is loaded."""

import re
from pathlib import Path

import pytest
from tests.conftest import ROOT
from tests.stress.heuristics.conftest import pool_sizes

from assay.core.errors import BadInputError
from assay.core.label import Label
from assay.stress.heuristics.build import GeneratedPairs
from assay.stress.heuristics.counterexample import prove
from assay.stress.heuristics.grammar import load_grammar, read_text, sample_pairs

GRAMMAR = load_grammar()

SIZES = {
    "N": 32, "Ns": 16, "Np": 16, "VT": 16, "VPASS": 14, "VI": 8, "VNPS": 3, "VNPZ": 6, "VNPZp": 1, "VU": 7, "VQn": 6,
    "VQe": 4, "PREP": 3, "CONJ": 7, "SUBe": 7, "IF": 1, "UNLESS": 1, "PART": 5, "LOCB": 5, "ADJ": 8, "ADVn": 4,
    "ADVe": 5, "LOC": 10, "PRIZE": 9, "TEXT": 9, "FOOD": 7, "REL": 2,
}  # fmt: skip


def subcase(
    pair: str, label: str = "entailment", name: str = "mine", heuristic: str = "lexical_overlap", template: str = "t1"
) -> str:
    return (
        f'[[subcases]]\nname = "{name}"\nheuristic = "{heuristic}"\nlabel = "{label}"\n'
        f'templates = [{{ id = "{template}", pair = "{pair}" }}]\n'
    )


SAME = subcase("the N1 VI => the N1 VI")


def test_the_classes_have_the_released_sizes() -> None:
    assert {name: len(GRAMMAR.lexicon.words(name)) for name in GRAMMAR.lexicon.names} == SIZES
    assert set(GRAMMAR.lexicon.words("VPASS")) == set(GRAMMAR.lexicon.words("VT")) - {"called", "saw"}


def test_there_are_thirty_subcases_and_sixty_templates() -> None:
    ids = [template.id for each in GRAMMAR.subcases for template in each.templates]
    numbers = [int(name.removeprefix("temp")) for name in dict.fromkeys(ids)]
    assert numbers == [n for n in range(1, 69) if n not in (34, 55, 56, 57, 64, 65, 66, 67)]
    assert len(GRAMMAR.subcases) == 30
    labels = {(each.heuristic, each.label): 0 for each in GRAMMAR.subcases}
    for each in GRAMMAR.subcases:
        labels[each.heuristic, each.label] += 1
        first = "e" if each.label is Label.ENTAILMENT else "n"
        assert each.name.startswith(each.heuristic[0] + first)
    assert set(labels.values()) == {5}


@pytest.mark.parametrize("name", [each.name for each in GRAMMAR.subcases])
def test_every_template_is_proven_with_words_of_every_kind(name: str) -> None:
    for filled in GRAMMAR.filled[name]:
        for sample in sample_pairs(filled, GRAMMAR.lexicon):
            assert prove(sample.premise, sample.hypothesis).label is filled.subcase.label, sample


def test_a_user_adds_words(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[nouns]\nnurse = "nurses"\n[classes.VI]\nwords = ["laughed"]\n[classes.SUBe]\nwords = ["once"]\n')
    mine = load_grammar(read_text(file), name=str(file))
    assert pool_sizes(mine)["cn_adverb"]["evaluation"] > pool_sizes()["cn_adverb"]["evaluation"]
    said = " ".join(pair.premise for pair in GeneratedPairs(300, grammar=read_text(file)))
    for word in ("nurse", "nurses", "laughed", "Once"):
        assert f" {word} " in f" {said} "


def test_a_user_adds_a_subcase_and_a_template() -> None:
    text = subcase("the N1 VQe that the Ns2 was VPASS by the N3 => the N3 VPASS the Ns2") + subcase(
        "ADVe the N1 RC VT the N2 => the N1 VT the N2", name="x", template="t2"
    )
    mine = load_grammar(text)
    assert [each.name for each in mine.subcases][-2:] == ["mine", "x"]
    pairs = list(GeneratedPairs(50, grammar=text, subcases=["mine", "x"]))
    assert len(pairs) == 100
    assert {prove(pair.premise, pair.hypothesis).label for pair in pairs} == {Label.ENTAILMENT}


def test_a_template_joins_a_subcase() -> None:
    more = subcase("the Ns1 P the N2 was VPASS by the N3 => the N3 VPASS the Ns1", name="le_passive")
    assert len(load_grammar(more).subcases) == 30
    assert {pair.group["template"] for pair in GeneratedPairs(100, grammar=more, subcases=["le_passive"])} == {
        *("temp35", "temp36", "t1"),
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = ", "Invalid value"),
        ("[verbs]\nx = 1", "verbs"),
        ('[nouns]\nnurse = "lawyers"', r"nouns\.(lawyer|nurse): 'lawyers' is the form of more than one"),
        ('[nouns]\nNurse = "nurses"', "nouns.Nurse: 'Nurse' is not a word"),
        ('[nouns]\nnurse = ""', "nouns.nurse: '' is not a word"),
        ('[nouns]\nnurse = "head nurses"', "nouns.nurse: 'head nurses' is not a word"),
        ('[nouns]\nsheep = "sheep"', "nouns.sheep: 'sheep' is the form of .* both numbers"),
        ('[nouns]\nsaw = "saws"', "nouns.saw: 'saw' is already a word of VT"),
        ('[classes.NEW]\nkind = "verb"\nframes = ["alone"]\nwords = []', "classes.NEW: a class must have words"),
        ('[quirks]\nmine = "x"', "unknown field `quirks`"),
        ('[twice]\nLOC = ["town"]', "unknown field `twice`"),
        ('[phrases.VP]\nVX = ["VX"]', "phrases.VP: no class 'VX'"),
        ('[phrases.WHO]\nVI = ["REL VJ"]', "phrases.WHO: no class 'VJ'"),
        ('[phrases.WHO]\nVI = []', "phrases.WHO: a phrase must have patterns"),
        ('[phrases.X]\nVI = ["REL VI VI"]\n' + subcase("the N1 X VI => the N1 VI"), "makes 'the N1 REL VI VI VI .'"),
        (SAME.replace(" }]", ', quirk = "x" }]'), "t1: only templates of the released file can have quirks"),
        (SAME.replace(" }]", ", weight = 0 }]"), "subcases.mine.t1: a weight must be 1 or more"),
        (SAME * 2, "subcases.mine: the name is given twice"),
        ('[classes.N]\nwords = ["nurse"]', "nouns are added under"),
        ('[classes.NEW]\nwords = ["x"]', "classes.NEW.*kind"),
        ('[classes.NEW]\nkind = "verb"\nwords = ["x"]', "classes.NEW: a verb must have frames"),
        ('[classes.VI]\nframes = ["object"]\nwords = ["x"]', "classes.VI: frames is already"),
        ('[classes.VI]\nwords = ["Laughed"]', "classes.VI: 'Laughed' is not a word"),
        ('[classes.VI]\nwords = ["fell over"]', "classes.VI: 'fell over' has several words"),
        ('[classes.VQe]\nwords = ["said"]', "'said' is factive in one class and not in another"),
        ('[classes.ADVn]\nwords = ["suddenly"]', "'suddenly' must mean one thing"),
        ('[classes.VU]\nwords = ["drank"]', "objects.drank"),
        ('[objects]\nate = "FOODS"', "objects.ate: no class 'FOODS'; did you mean 'FOOD'"),
        (subcase("the N1 VX the N2 => the N2 VX the N1"), "subcases.mine.t1: no class 'VX'"),
        (subcase("the N1 saw teh N2 => the N1 saw"), "t1: 'teh' is not a word of the lexicon; did you mean 'the'"),
        (subcase("the N1 was VPASS by the N2 => the N2 VPASS the N1"), "subcases.mine.t1: no rule .* agreement"),
        (subcase("the N1 VI the N2 => the N1 VI"), "subcases.mine.t1: no rule"),
        (subcase("the N1 VI => the N2 VI"), "N2 occurs only in the hypothesis"),
        (subcase("the N1 VI"), "not a pair of patterns"),
        (subcase("the N1 VT the N2 => the N2 VT the N1"), "entailment can't be verified for 'The .*: it is non"),
        (subcase("the N1 and the N2 VI => the N1 VI", "non-entailment"), "non-entailment can't be verified"),
        (subcase("the N1 VQe that the N2 VP => the N2 VP", "neutral"), "the label entailment or non-entailment"),
        (
            subcase("the N1 VT the N2 => the N2 VT the N1", name="le_passive", heuristic="subsequence"),
            "le_passive: it is lexical_overlap",
        ),
        (
            subcase("the Ns was VPASS by the N => the N VPASS the Ns", name="le_passive"),
            "le_passive.t1: it makes some of the same pairs as temp35 of le_passive",
        ),
        (
            subcase("the N1 VT the N2 => the N2 VT the N1", "non-entailment"),
            r"mine.t1: it makes some of the same pairs as temp1 of ln_subject/object_swap",
        ),
        (
            subcase("the N1 near the N2 VT the N3 => the N1 VT the N3"),
            r"mine.t1: it makes some of the same pairs as temp30 of le_around_prepositional_phrase",
        ),
        (subcase("the N1 VI => the N1 VI", heuristic="lexical"), "no heuristic 'lexical'; did you mean 'lexical_over"),
        (subcase("the N1 VI => the N1 VI", heuristic="own"), "no heuristic 'own'. Choose from lexical_overlap, subs"),
        (subcase("ADVe the N1 VI => the N1 VI"), "t1: not a case of lexical_overlap: .* is a subsequence and is a c"),
        (
            subcase("the N1 VT the N2 => the N2 VT the N1", "non-entailment", heuristic="constituent"),
            "mine.t1: not a case of constituent: 'The .*' is not a constituent of 'The ",
        ),
        (subcase("the N1 VI => the N1 VI", template="temp1"), "temp1 is already a template of ln_subject/object_swap"),
        (SAME + subcase("the N1 VI => the N1 VI", name="other"), "subcases.other.t1: t1 is already a template of mine"),
        (subcase("the N1 VI => the N1 VI", name="my own"), "have no blanks"),
        (subcase("the N1 VI => the N1 VI", template=" t1"), "have no blanks"),
        (subcase("the N1 VI => the N1 VI", template=""), "have no blanks, and are not empty"),
        (subcase("the N1 VNPS the N2 PART in the LOCB => the N1 VNPS the N2"), "can be read in 2 ways"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(text: str, message: str) -> None:
    with pytest.raises(BadInputError, match=message) as found:
        load_grammar(text, name="mine.toml")
    assert str(found.value).startswith("mine.toml:")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("\n[nouns\n", 2),
        ('[nouns]\nnurse = "nurses"\nNanny = "nannies"\n', 3),
        ("\n" + subcase("the N1 VX => the N1 VX"), 6),
        (subcase("the N1 VI => the N1 VI", name="a") + subcase("the N1 VI => the N1 VI", "entails"), 6),
        ('[classes.VI]\nwords = ["Laughed"]', 1),
    ],
)
def test_the_line_is_named(text: str, line: int) -> None:
    with pytest.raises(BadInputError) as found:
        load_grammar(text, name="mine.toml")
    assert str(found.value).startswith(f"mine.toml:{line}: "), found.value


def test_a_word_that_breaks_a_label_is_refused() -> None:
    """A verb that may also take a clause makes sentences of temp41 ambiguous; here with a factive one."""
    with pytest.raises(BadInputError, match=r"sn_past_participle\.temp41: non-entailment can't be verified"):
        load_grammar('[classes.VT]\nwords = ["knew"]', name="mine.toml")


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="the grammar can't be read"):
        read_text(tmp_path / "none.toml")


def test_the_documented_grammar_works() -> None:
    page = (ROOT / "docs" / "how-to" / "custom-templates.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)[:1]
    pairs = list(
        GeneratedPairs(60, grammar=example, subcases=["le_passive", "le_knew_passive", "se_understood_object"])
    )
    assert {"my1", "my2", "my3", "temp47"} <= {pair.group["template"] for pair in pairs}
    assert any("drank the " in pair.premise for pair in pairs)
