"""Lexical inference: what is replaced by what, and with which label."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import ROOT, Assay, pair
from tests.house import load_tool

from assay import build
from assay.core.case import Option, Recipe
from assay.core.edit import Skip
from assay.core.errors import BadInputError, UserError
from assay.core.fakes import FakeCorpus
from assay.corpora.reader import read
from assay.language.text.analysis import analyse
from assay.language.words.categories import Arrow, load_categories, read_arrows
from assay.language.words.corpus_statistics import WordSimilarities, count_words
from assay.run.build.case_builder import BuildStep
from assay.stress.lexical.build import NO_VECTOR, NOT_NEAR, ODD, UNKNOWN, LexicalFilters
from assay.stress.lexical.check import doubt_of_change

TOOLS = '[tools]\nwhy = "Different work."\n[[tools.sets]]\npart = "noun"\nentries = ["hammer, chisel"]\n'


def made(premise: str, **options: Option) -> dict[str, str]:
    """The hypotheses that are made of a premise and proven, with their labels."""
    step = BuildStep(Recipe(transform="lexical/v1", options={"per_pair": 0, **options}, seed=0))
    cases = step.cases(pair(premise=premise))
    return {case.hypothesis: case.compared_with.value for case in cases if not isinstance(case, Skip)}


@pytest.mark.parametrize(
    ("premise", "hypothesis", "label"),
    [
        ("A girl in a red coat runs.", "A girl in a blue coat runs.", "contradiction"),
        ("A girl in a red coat runs.", "A girl in an orange coat runs.", "contradiction"),
        ("An orange cat sleeps.", "A black cat sleeps.", "contradiction"),
        ("A man is drinking beer.", "A man is drinking wine.", "contradiction"),
        ("A man is drinking bourbon.", "A man is drinking whiskey.", "entailment"),
        ("A man is drinking beer.", "A man is drinking lager.", "neutral"),
        ("Two boys climb a wall.", "Seven boys climb a wall.", "contradiction"),
        ("She lives on the third floor.", "She lives on the 8th floor.", "contradiction"),
        ("They stayed in Peru.", "They stayed in Chile.", "contradiction"),
        ("They stayed in Spain.", "They stayed in the Netherlands.", "contradiction"),
        ("An Italian cook waits.", "A Greek cook waits.", "contradiction"),
        ("The probe landed on Mars.", "The probe landed on Venus.", "contradiction"),
        ("A man plays the guitar.", "A man plays the drums.", "contradiction"),
        ("A man plays an electric guitar.", "A man plays a guitar.", "entailment"),
        ("She peels a carrot.", "She peels a potato.", "contradiction"),
        ("A cat waits in the kitchen.", "A cat waits on the porch.", "contradiction"),
        ("A boy sits on a wooden bench.", "A boy sits on a metal bench.", "contradiction"),
        ("The house is near the lake.", "The house is far away from the lake.", "contradiction"),
        ("The boy is standing in a field.", "The boy is kneeling in a field.", "contradiction"),
        ("The soup is hot.", "The soup is cold.", "contradiction"),
        ("Two kids play.", "Two children play.", "entailment"),
        ("A dog is barking.", "An animal is barking.", "entailment"),
        ("An animal is sleeping.", "A dog is sleeping.", "neutral"),
    ],
)
def test_one_word_gives_way_and_the_label_follows(premise: str, hypothesis: str, label: str) -> None:
    assert made(premise).get(hypothesis) == label


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("There is no red car.", "There is no blue car."),
        ("Is the car red?", "Is the car blue?"),
        ("He drinks beer or wine.", "He drinks tea or wine."),
        ("Colours such as red please her.", "Colours such as blue please her."),
        ("Michael Jordan jumps.", "Michael Syria jumps."),
        ("He saw a Bank of America.", "He saw a Bank of Canada."),
        ("He drinks orange juice.", "He drinks red juice."),
        ("A dog jumps into the water.", "A dog jumps into the beer."),
        ("He gave first aid.", "He gave third aid."),
        ("A red and blue kite flies.", "A blue and blue kite flies."),
        ("The car may be red.", "The car may be blue."),
        ("The smallest dog won.", "The smallest animal won."),
        ("He bought turkey.", "He bought Greece."),
        ("A woman holds her son.", "A man holds her son."),
        ("A young boy runs.", "An old boy runs."),
        ('The sign says "red".', 'The sign says "blue".'),
        ("She drinks a beer.", "She drinks a water."),
        ("A man looks on.", "A man glances on."),
    ],
)
def test_a_context_that_spoils_the_label_gives_no_case(premise: str, hypothesis: str) -> None:
    assert hypothesis not in made(premise)


@given(
    st.sampled_from(
        [arrow for words in load_categories()["colors"].sets[:1] for e in words.entries for arrow in read_arrows(e)]
    )
)
def test_every_colour_that_is_listed_is_made_or_refused_by_wordnet(arrow: Arrow) -> None:
    old, new, relation = arrow
    article = "An" if old[0] in "aeio" else "A"
    found = made(f"{article} {old} door closes.")
    hypothesis = f"{'An' if new[0] in 'aeio' else 'A'} {new} door closes."
    labels = {"exclusive": "contradiction", "broader": "entailment", "narrower": "neutral", "same": "entailment"}
    assert found.get(hypothesis, labels[relation]) == labels[relation]


@pytest.mark.parametrize(
    ("premise", "wrong"),
    [
        ("She is a professional athlete.", "unprofessional"),
        ("The bread on the table is soft.", "loud"),
        ("He lived under the name Rust.", "on top of"),
        ("By the time he arrived, the order had been passed.", "left"),
        ("The show aired in Norway in 1991.", "Denmark|Sweden|Finland"),
        ("The song peaked at 115 in Norway.", "Denmark|Sweden|Finland"),
        ("It is a common bird of African wetlands.", "Asian|European"),
        ("Fifteen days a week he works.", "days a week"),
        ("Ada won the women's event.", "people|person|men's"),
    ],
)
def test_what_readers_found_wrong_is_not_made(premise: str, wrong: str) -> None:
    assert not [text for text in made(premise) if re.search(wrong, text.replace("women's", ""))]


def test_capitals_and_everything_else_are_kept() -> None:
    assert "SIX  men , drinking BEER ." in made("TWO  men , drinking BEER .")
    assert "  A green\tcar stops!!" in made("  A red\tcar stops!!")


def test_a_category_of_the_users_own_is_taken_at_its_word() -> None:
    found = made("He holds a hammer.", categories=TOOLS)
    assert found["He holds a chisel."] == "contradiction"
    assert "He holds a chisel." not in made("He holds a hammer.")


def test_only_some_categories() -> None:
    assert set(made("Two men drink beer.", only="cardinals")) == {
        text for text in made("Two men drink beer.") if text.endswith("men drink beer.") and not text.startswith("Two")
    }
    with pytest.raises(UserError, match="did you mean 'colors'"):
        made("A red car.", only="colours")


def test_draws_spread_over_categories() -> None:
    step = BuildStep(Recipe(transform="lexical/v1", options={"per_pair": 2}, seed=0))
    cases = step.cases(pair(premise="Two men play in a red car near Peru."))
    assert len({case.group["category"] for case in cases if not isinstance(case, Skip)}) == len(cases) == 2


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ('["hammer / saw / axe"]', "'hammer / saw / axe': use at most one"),
        ('["hammer"]', "'hammer': one word is not enough"),
        ('["hammer, , saw"]', "'' is not a word"),
        ('["hammer, hammer"]', "appears twice"),
        ('["hammer, saw"]\nmass = ["sow"]', "'sow' is in `mass`, but in no entry; did you mean 'saw'"),
        ('["hammer, saw"]\ncolour = "x"', "unknown field `colour`"),
    ],
)
def test_an_error_in_a_users_file_names_the_file_and_the_entry(entries: str, message: str) -> None:
    text = f'[tools]\nwhy = "Different work."\n[[tools.sets]]\npart = "noun"\nentries = {entries}'
    with pytest.raises(BadInputError) as caught:
        load_categories(text, name="mine.toml")
    assert str(caught.value).startswith("mine.toml: ")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('part = "nuon"', "`part` can't be 'nuon'; did you mean 'noun'? It can be noun, adjective, verb, adverb, "),
        ("part = 3", "`part` can't be 3. It can be noun, "),
        ("", "`part` is missing. It can be noun, "),
        (
            'part = "verb"\ntakes = "objects"',
            "`takes` can't be 'objects'; did you mean 'object'? It can be object, no ",
        ),
    ],
)
def test_what_is_possible_is_told_where_a_set_says_something_else(line: str, message: str) -> None:
    good = '[[tools.sets]]\npart = "noun"\nentries = ["hammer, saw"]\n'
    text = f'[tools]\nwhy = "Different work."\n{good}[[tools.sets]]\nentries = ["hit, cut"]\n{line}\n'
    with pytest.raises(BadInputError) as caught:
        load_categories(text, name="mine.toml")
    assert f"mine.toml: tools, set 2: {message}" in str(caught.value)


def test_every_list_that_ships_says_why() -> None:
    assert len(load_categories()) == 15
    assert all(category.why.endswith(".") for category in load_categories().values())


def test_the_examples_of_the_page_are_made() -> None:
    page = (ROOT / "docs" / "reference" / "tests" / "lexical.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (.+) => (.+) \| (\w+) \|$", page, re.MULTILINE)
    assert {category for category, *_ in rows} == set(load_categories())
    for category, premise, hypothesis, label in rows:
        assert made(premise, only=category).get(hypothesis) == label, premise


def test_the_filters() -> None:
    known = count_words(["a cold man drinks tea", "hot"])
    vectors = WordSimilarities(["cold", "warm", "hot"], np.eye(3, dtype=np.float32)[[0, 0, 1]])
    tokens = analyse("A cold man waits.")
    ask = LexicalFilters(train=known, vectors=None, bigrams=None, cosine=0.5, least=1)
    assert ask.refusal(tokens, 1, 1, "warm", "antonyms_wordnet") == UNKNOWN
    assert ask.refusal(tokens, 1, 1, "hot", "antonyms_wordnet") is None
    assert ask._replace(bigrams=known).refusal(tokens, 1, 1, "hot", "antonyms_wordnet") == ODD
    near = LexicalFilters(train=None, vectors=vectors, bigrams=None, cosine=0.5, least=1)
    assert near.refusal(tokens, 1, 1, "warm", "antonyms_wordnet") is None
    assert near.refusal(tokens, 1, 1, "hot", "antonyms_wordnet") == NOT_NEAR
    assert near.refusal(tokens, 1, 1, "hot", "antonyms") is None
    assert near.refusal(tokens, 1, 1, "icy", "antonyms") == NO_VECTOR
    assert near.refusal(tokens, 1, 1, "16th", "ordinals") is None


def test_the_command_line_takes_words_counts_and_vectors(assay: Assay, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(TOOLS)
    row = {"premise": "A man is drinking tea with a hammer.", "hypothesis": "A man is cold.", "label": "neutral"}
    train = [row, {**row, "premise": "A man is drinking wine with a chisel."}]
    (tmp_path / "corpus.jsonl").write_text(json.dumps(row))
    (tmp_path / "train.jsonl").write_text("\n".join(map(json.dumps, train)))
    (tmp_path / "pairs.txt").write_text("a chisel 12\ndrinking wine 3\nwine with 20\n")
    words = ["chisel", "wine", "hammer", "tea"]
    (tmp_path / "vectors.txt").write_text("".join(f"{word} {' '.join(['0.5'] * 12)}\n" for word in words))
    sources = ("--set", "categories=mine.toml,per_pair=all", "--train", "train.jsonl", "--vectors", "vectors.txt")
    assay("build", "lexical", "--from", "corpus.jsonl", "--out", "one", *sources)
    made = [json.loads(line)["hypothesis"] for line in (tmp_path / "one" / "cases.jsonl").read_text().splitlines()]
    assert made == ["A man is drinking wine with a hammer.", "A man is drinking tea with a chisel."]
    assay("verify", "one")
    assay("build", "lexical", "--from", "corpus.jsonl", "--out", "two", *sources, "--set", "bigrams=pairs.txt")
    made = [json.loads(line)["hypothesis"] for line in (tmp_path / "two" / "cases.jsonl").read_text().splitlines()]
    assert made == ["A man is drinking tea with a chisel."]
    (tmp_path / "pairs.txt").write_text("a chisel\n")
    refused = assay("build", "lexical", "--out", "three", "--set", "bigrams=pairs.txt", code=2)
    assert "pairs.txt:1: not two words and a count" in refused.stderr


def test_most_of_the_released_set_is_made_again(shared: Path) -> None:
    compare = load_tool("compare_breaking_nli").compare_with
    study = compare(read(shared / "breaking_nli" / "dataset.jsonl.gz"), {"lexical.only": ""})
    assert study.premises == 1796
    assert study.total.pairs == 8193
    assert study.total.constant == 8058
    assert study.total.made / study.total.pairs >= 0.57  # without its ordinals that are far apart
    assert study.total.agree / study.total.made >= 0.992
    assert study.total.agree > study.total.constant_of_made
    assert len(study.different) == 135


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ('["axe, adze", "axe = adze"]', "mine.toml: tools: .* contradict each other"),
        ('["axe < tool", "tool < axe"]', "mine.toml: tools: .* contradict each other"),
        ("3", "mine.toml: tools: Expected `array`"),
    ],
)
def test_entries_that_can_not_both_be_are_refused(entries: str, message: str) -> None:
    text = f'[tools]\nwhy = "They do different work."\n[[tools.sets]]\npart = "noun"\nentries = {entries}\n'
    with pytest.raises(BadInputError, match=message):
        load_categories(text, name="mine.toml")


def test_a_users_words_may_not_contradict_ours() -> None:
    text = '[colors]\nwhy = "Two names."\n[[colors.sets]]\npart = "adjective"\nentries = ["red = blue"]\n'
    with pytest.raises(BadInputError, match="red = blue"):
        load_categories(text, name="mine.toml")


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (("--set", "least=-5"), ">= 0"),
        (("--set", "cosine=2"), "<= 1"),
        (("--set", "cosine=0.3"), "without --vectors"),
        (("--set", "least=3"), "without --bigrams"),
        (("--set", "per_pair=-3"), ">= 0"),
        (("--fidelity", "paper"), "only be built as strict"),
    ],
)
def test_switches_that_say_nothing_are_refused(assay: Assay, option: tuple[str, str], message: str) -> None:
    assert message in assay("build", "lexical", "--limit", 3, *option, "--out", "suite", code=2).stderr


def test_a_build_tells_what_became_of_every_category(assay: Assay, tmp_path: Path) -> None:
    rows = [
        {"premise": "A man drinks beer in a red car.", "hypothesis": "A man drinks.", "label": "entailment"},
        {"premise": "A man drinks beer in a red car.", "hypothesis": "A man sits.", "label": "neutral"},
        {"premise": "There is no beer.", "hypothesis": "There is beer.", "label": "contradiction"},
        {"premise": "A guitar case falls.", "hypothesis": "A case falls.", "label": "entailment"},
    ]
    (tmp_path / "corpus.jsonl").write_text("\n".join(map(json.dumps, rows)))
    told = assay(
        "build", "lexical", "--from", "corpus.jsonl", "--out", "suite", "--set", "per_pair=all", "--json"
    ).stdout
    manifest = json.loads(told)
    slices = manifest["slices"]["lexical"]
    assert set(slices) == set(load_categories())
    assert slices["planets"] == {"cases": {}, "skips": {"no such word in the corpus": 4}, "not_drawn": 0}
    assert slices["instruments"]["skips"] == {"no other word of the category fits there": 1}
    assert slices["drinks"]["skips"]["not verified: negated"] > 10
    assert slices["colors"]["cases"]["contradiction"] == slices["colors"]["skips"][
        "an earlier pair or another family gave the same case"
    ] - slices["colors"]["cases"].get("neutral", 0)
    for label in ("entailment", "neutral", "contradiction"):
        assert sum(found["cases"].get(label, 0) for found in slices.values()) == manifest["counts"]["lexical"][label]
    shown = assay("build", "lexical", "--from", "corpus.jsonl", "--out", "again", "--set", "per_pair=1").stdout
    assert re.search(r"planets +0 .* no such word in the corpus", shown)
    again = json.loads((tmp_path / "again" / "manifest.json").read_text())["slices"]["lexical"]
    assert sum(found["not_drawn"] for found in again.values()) > 3
    assay("verify", "again")


@pytest.mark.parametrize(
    ("option", "text", "message"),
    [
        (
            "vectors",
            "wine 0.1 0.2 0.3\n",
            "mine.txt:1: the line is not a vector\n  Each line must hold a word and its numbers",
        ),
        ("vectors", f"wine{' 1' * 12}\ntea{' 1' * 11}\n", "mine.txt:2: wrong number of dimensions"),
        (
            "vectors",
            f"wine{' 1' * 12}\ntea{' nan' * 12}\n",
            "The vector of 'tea' contains something that is not a number",
        ),
        ("vectors", '{"premise": "A.", "hypothesis": "B.", "label": "neutral"}\n', "it holds Pairs, not vectors"),
        ("vectors", "", "empty"),
        ("categories", "", "mine.txt: it has no categories"),
        ("categories", "tools", "mine.txt: "),
    ],
)
def test_bad_files_are_named_with_a_way_out(assay: Assay, tmp_path: Path, option: str, text: str, message: str) -> None:
    (tmp_path / "mine.txt").write_text(text)
    given = ("--vectors", "mine.txt") if option == "vectors" else ("--set", f"{option}=mine.txt")
    refused = assay("build", "lexical", "--limit", 3, *given, "--out", "suite", code=2)
    assert message in refused.stderr
    assert "--on-error" not in refused.stderr


def test_a_pair_that_two_families_make_is_in_a_suite_once(tmp_path: Path) -> None:
    texts = ("The soup was hot.", "The room was dark and the soup was good.")
    corpus = FakeCorpus([pair(n, premise=text, hypothesis="It rains.") for n, text in enumerate(texts)])
    suite = build(["antonymy", "lexical"], corpus, out=tmp_path / "both")
    alone = build("lexical", corpus, out=tmp_path / "alone")
    found = [(case.premise, case.hypothesis) for case in suite]
    assert len(found) == len({*found})
    assert (texts[0], "The soup was cold.") in {(case.premise, case.hypothesis) for case in alone}
    assert [case.family for case in suite if case.hypothesis == "The soup was cold."] == ["antonymy"]


def test_the_check_looks_up_what_the_builder_has_derived() -> None:
    doubt_of_change.cache_clear()
    made("Two boys in red coats climb a wooden wall near the old house.", per_pair=2)
    assert doubt_of_change.cache_info().hits >= 2
