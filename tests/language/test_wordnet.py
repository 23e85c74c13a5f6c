"""WordNet as it is looked up."""

import pytest

from assay.language.resources.installed import wordnet
from assay.language.resources.wordnet_database import ADJECTIVE, HYPERNYM, INSTANCE_HYPERNYM, NOUN, VERB

pytestmark = pytest.mark.usefixtures("english")


def test_senses_come_in_order_of_frequency() -> None:
    assert [synset.name for synset in wordnet().synsets("dog", NOUN)][:2] == ["dog.n.01", "frump.n.01"]


def test_inflected_forms_reach_their_lemmas() -> None:
    found = wordnet()
    assert found.morphy("children", NOUN) == ("child",)
    assert found.morphy("went", VERB) == ("go",)
    assert found.morphy("happier", ADJECTIVE) == ("happy",)
    assert found.morphy("leaves", NOUN) == ("leaf", "leave")
    assert found.morphy("xyzzy", NOUN) == ()
    assert found.synsets("Dogs") == found.synsets("dog", NOUN) + found.synsets("dogs", VERB)


def test_antonyms_belong_to_words() -> None:
    found = wordnet()
    hot = found.synsets("hot", ADJECTIVE)[0]
    assert [(each.of, each.word) for each in found.antonyms(hot)] == [("hot", "cold")]


def test_relations_and_files() -> None:
    found = wordnet()
    dog = found.synsets("dog", NOUN)[0]
    assert {synset.name for synset in found.related(dog, HYPERNYM)} == {"canine.n.02", "domestic_animal.n.01"}
    paris = found.synsets("Paris", NOUN)[0]
    assert [synset.name for synset in found.related(paris, INSTANCE_HYPERNYM)] == ["national_capital.n.01"]
    assert paris.file == 15


def test_definitions_have_no_examples() -> None:
    assert '"' not in wordnet().synsets("happy", ADJECTIVE)[0].definition


def test_satellites_carry_no_antonyms() -> None:
    """Why the released code of the stress tests never makes an antonym of an adjective."""
    synsets = wordnet().data.synsets
    satellites = [synset for synset in synsets if synset.pos == "s"]
    assert len(satellites) == 10_693
    assert not any(list(wordnet().antonyms(synset)) for synset in satellites)
