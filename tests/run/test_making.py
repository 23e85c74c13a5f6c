"""What a worker of a build does, and how parts are put together."""

import json
from pathlib import Path
from random import Random
from typing import ClassVar

import msgspec
import pytest
from tests.conftest import Assay, pair

import assay as toolkit
from assay.core.case import Case, Recipe
from assay.core.edit import Edit, Replacement, Skip
from assay.core.errors import ExternalError
from assay.core.label import Label
from assay.core.pair import Pair
from assay.run.build.case_builder import NOT_ENGLISH, REPEATED, BuildStep, Tally, made_by, make_cases, unproven
from assay.run.build.recipes import recipes_for


def pairs_file(folder: Path, *pairs: tuple[str, str]) -> Path:
    path = folder / "pairs.jsonl"
    rows = [{"premise": premise, "hypothesis": hypothesis, "label": "neutral"} for premise, hypothesis in pairs]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_a_case_that_several_pairs_give_stands_in_a_suite_once(tmp_path: Path) -> None:
    premise = "The mayor was tired, and the soup was cold."
    corpus = pairs_file(tmp_path, (premise, "It rained."), (premise, "It snowed."), (premise, "It was dark."))
    suite = toolkit.build("antonymy", corpus, out=tmp_path / "suite")
    texts = [(case.premise, case.hypothesis) for case in suite]
    assert texts
    assert len(set(texts)) == len(texts) == len(suite)
    assert suite.manifest.skips["antonymy"][REPEATED] == 2
    toolkit.verify(suite.folder)


def test_repeats_are_found_across_parts_and_counted() -> None:
    premise = "The mayor was tired, and the soup was cold."
    recipes = tuple(recipes_for(["antonymy"], seed=0))
    batches = [msgspec.json.encode([pair(i, premise=premise)]) for i in (1, 2)]
    tally = Tally()
    first, second = (tally.add(make_cases(batch, recipes)) for batch in batches)
    decode = msgspec.json.Decoder(Case).decode
    made = [decode(line) for line in (first[0] + second[0]).splitlines()]
    assert len({(case.premise, case.hypothesis) for case in made}) == len(made) == tally.cases
    assert sum(tally.counts["antonymy"].values()) == tally.cases


def test_a_ladder_is_one_suite_with_a_slice_a_rung(tmp_path: Path) -> None:
    corpus = pairs_file(tmp_path, ("A cook fries eggs.", "Somebody cooks."))
    suite = toolkit.build("negation", corpus, out=tmp_path / "suite", ladder=2)
    rungs = {case.group["severity"]: case for case in suite}
    assert [rungs[k].hypothesis.count("false is not true") for k in "012"] == [0, 1, 2]
    assert len({case.id for case in suite}) == 3
    toolkit.verify(suite.folder)


def test_what_is_not_english_is_flagged(tmp_path: Path) -> None:
    corpus = pairs_file(tmp_path, ("Die alte Katze ist nicht auf dem Dach.", "Der Hund schläft in dem großen Haus."))
    suite = toolkit.build(["antonymy", "negation"], corpus, out=tmp_path / "suite")
    assert suite.manifest.skips["antonymy"] == {"plainly not English": 1}
    assert suite.manifest.skips["negation"] == {"plainly not English": 1}


def test_texts_too_short_to_tell_are_judged_by_the_corpus(tmp_path: Path) -> None:
    latin = [("Feles lac bibit.", "Feles vigilat."), ("Pluit hodie.", "Sol lucet."), ("Milites fugiunt.", "Vir edit.")]
    english = ("The cat sleeps on the roof.", "The cat is not awake.")
    corpus = pairs_file(tmp_path, *latin, *latin, english)
    suite = toolkit.build(["original", "negation"], corpus, out=tmp_path / "suite")
    assert suite.manifest.skips["negation"] == {"plainly not English": 6}
    assert suite.manifest.counts["original"].keys() == suite.manifest.counts["negation"].keys()
    assert [case.premise for case in suite if case.family == "negation"] == [english[0]]
    alone = toolkit.build("negation", pairs_file(tmp_path, latin[0]), out=tmp_path / "alone")
    assert len(alone) == 1


@pytest.mark.parametrize("family", ["word-overlap", "negation", "length-mismatch", "spelling:keyboard", "lexical"])
def test_a_language_without_resources_is_left_out_of_every_family(family: str) -> None:
    each = pair(premise="Watoto wanacheza barabarani na mpira mwekundu.", hypothesis="Leo hakuna mtu nyumbani.")
    assert BuildStep(recipes_for([family], seed=0)[0]).cases(each) == [NOT_ENGLISH]


def test_what_the_original_does_with_what_is_not_english_is_done_and_noted(tmp_path: Path) -> None:
    corpus = pairs_file(tmp_path, ("Die alte Katze ist nicht auf dem Dach.", "Es regnet."), ("It rains.", "It is wet."))
    suite = toolkit.build(["negation"], corpus, out=tmp_path / "suite", switches={"fidelity": "paper"})
    assert len(suite) == 2
    assert suite.manifest.source.notes[-1].startswith("negation: 1 pairs that are plainly not English were left in")


def test_the_manifest_says_that_our_tokens_stood_in_for_parses(assay: Assay, tmp_path: Path) -> None:
    done = assay("build", "word-overlap", "numeracy", "--fidelity", "code", "--limit", 3, "--out", "s")
    said = "word-overlap: 3 pairs with cases have no parses: our own tokens and tags were used"
    assert toolkit.Suite.open(tmp_path / "s").manifest.source.notes == (said,)
    assert said in done.stdout
    assert not toolkit.build("antonymy", toolkit.read("bundled", limit=9), out=tmp_path / "t").manifest.source.notes


@pytest.mark.parametrize("clause", ["and green is red", "pigs fly"])
def test_a_clause_that_is_not_known_to_be_true_is_refused_at_once(assay: Assay, clause: str, tmp_path: Path) -> None:
    done = assay("build", "negation", "--set", f"tautology={clause}", "--limit", 3, "--out", "s", code=2)
    assert '"X is X"' in done.stderr
    assert not list(tmp_path.glob("s*"))


def test_labels_that_are_not_claimed_are_counted_apart(assay: Assay) -> None:
    assay("build", "negation", "swap", "--limit", 3, "--out", "s")
    assert "labels: 6 verified, 3 not claimed to hold.\n" in assay("verify", "s").stderr


class Liar:
    """A builder that changes the label on the way."""

    family: ClassVar[str] = "negation"

    def __call__(self, pair: Pair, rng: Random) -> list[Edit] | Skip:
        return [Edit(label=Label.CONTRADICTION, hypothesis=(Replacement(14, "", " and false is not true"),))]


def test_a_wrong_builder_is_caught_as_it_builds() -> None:
    step = BuildStep(Recipe(transform="negation/v1", seed=0))
    step.transform = Liar()
    (made,) = step.cases(pair())
    assert isinstance(made, Skip)
    assert made.reason.startswith("not verified")


@pytest.mark.parametrize("family", ["antonymy", "lexical"])
def test_a_family_that_exchanges_words_names_them(family: str) -> None:
    (recipe,) = recipes_for([family], seed=3)
    made = [case for cases in BuildStep(recipe).of_all([*toolkit.read("bundled", limit=40)]) for case in cases]
    units = [case.provenance.unit for case in made if isinstance(case, Case)]
    assert units
    assert all(unit.count("/") == 1 for unit in units)


@pytest.mark.parametrize(
    "family", ["original", "antonymy", "length-mismatch", "numeracy", "spelling:keyboard", "lexical"]
)
def test_pairs_that_are_made_together_give_what_each_gives_alone(family: str) -> None:
    pairs = [*toolkit.read("bundled", limit=40), pair(premise="Die Katze ist nicht da.", hypothesis="Es ist so.")]
    (recipe,) = recipes_for([family], seed=3)
    together, alone = BuildStep(recipe), BuildStep(recipe)
    assert together.of_all(pairs) == [alone.cases(each) for each in pairs]
    assert together.slices == alone.slices
    assert together.notes == alone.notes


class Picky(Liar):
    """A builder that fails on one pair."""

    def __call__(self, pair: Pair, rng: Random) -> list[Edit] | Skip:
        if pair.id == "p2":
            raise IndexError("too far")
        return [Edit()]


def test_the_pair_that_a_builder_fails_on_is_named() -> None:
    step = BuildStep(Recipe(transform="negation/v1", seed=0))
    step.transform = Picky()
    with pytest.raises(ExternalError, match=r"negation/v1 failed on pair 'p2': IndexError: too far"):
        made_by(step, [pair(1), pair(2), pair(3)])


def test_what_a_paper_or_its_code_does_is_built_as_it_is() -> None:
    step = BuildStep(Recipe(transform="negation/v1", options={"fidelity": "code"}, seed=0))
    (made,) = step.cases(pair(hypothesis="He left at 3.5 p.m. on foot."))
    assert isinstance(made, Case)
    assert made.hypothesis == "He left at 3 and false is not true ."
    assert not unproven(made)


def test_verify_proves_labels(assay: Assay, tmp_path: Path) -> None:
    assay("build", "negation", "--limit", 3, "--out", "s")
    cases = tmp_path / "s" / "cases.jsonl"
    cases.write_text(cases.read_text().replace("false is not true", "false is true"))
    done = assay("verify", "s", code=1)
    assert "does not hold: not verified" in done.stderr


@pytest.mark.parametrize("family", ["antonymy", "numeracy", "word-overlap", "negation", "length-mismatch", "spelling"])
def test_every_family_applies_to_the_bundled_corpus(family: str, tmp_path: Path) -> None:
    suite = toolkit.build(family, out=tmp_path / "suite")
    share = len({case.origin for case in suite}) / suite.manifest.source.pairs
    assert share > (0.1 if family in ("antonymy", "numeracy") else 0.9)
