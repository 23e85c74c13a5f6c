"""The sets about logic: two labels where a set has two, slices, odd headers, and the real files where they are."""

from collections.abc import Callable

import pytest
from tests.conftest import ROOT
from tests.corpora.files import Example, jsonl
from tests.corpora.logic_sets import IMPLICATURE, LOGIC, MONLI

from assay.core.label import Label
from assay.corpora.cards import find_card
from assay.corpora.reader import read
from assay.reports.published.published_results import splits

Put = Callable[..., str]

DATA = ROOT.parent / "shared" / "data" / "logic"

TABLES = {name: example for name, example in LOGIC.items() if not example.data.startswith(b"{")}


@pytest.mark.parametrize("example", TABLES.values(), ids=TABLES)
@pytest.mark.parametrize("case", [str.upper, str.lower, str.title])
def test_a_header_in_any_case_with_a_byte_order_mark(
    example: Example, case: Callable[[str], str], deliver: Put
) -> None:
    head, _, rest = example.data.decode().partition("\n")
    corpus = read(deliver(example.file, f"\N{BOM}{case(head)}\n{rest}".encode()))
    first = next(iter(corpus))
    assert corpus.format == example.format
    assert {name: getattr(first, name) for name in example.first} == example.first


@pytest.mark.parametrize("name", ["med", "monli", "scone-one-scoped"])
def test_a_set_with_two_labels_is_read_so_and_says_it(name: str, deliver: Put) -> None:
    example = LOGIC[name]
    path = deliver(example.file, example.data)
    corpus = read(path)
    assert {pair.label for pair in corpus} <= {Label.ENTAILMENT, Label.NON_ENTAILMENT}
    assert [note for note in corpus.notes() if "neutral was read as non-entailment" in note]
    kept = read(path, input_format="pairs")
    assert Label.NEUTRAL in {pair.label for pair in kept}
    own = read(path, labels={"neutral": "neutral"})
    assert Label.NEUTRAL in {pair.label for pair in own}
    assert not [note for note in own.notes() if "neutral was read" in note]


def test_the_files_of_a_set_tell_its_parts(deliver: Put) -> None:
    for name, part in (("pmonli.jsonl", "positive"), ("nmonli_train.jsonl", "negated")):
        assert next(iter(read(deliver(name, jsonl(MONLI))))).group == {"change": "specific", "part": part}
    assert next(iter(read(deliver("mine.jsonl", jsonl(MONLI))))).group == {"change": "specific"}
    scone = LOGIC["scone-edited"]
    assert next(iter(read(deliver("no_negation.csv", scone.data)))).group == {"condition": "no_negation"}


def test_implicatures_can_be_read_as_a_listener_takes_them(deliver: Put) -> None:
    path = deliver("quantifiers.jsonl", jsonl(IMPLICATURE))
    corpus = read(path)
    assert [pair.label for pair in corpus] == [Label.NEUTRAL]
    assert "--columns label=gold_label_prag" in corpus.notes()[0]
    assert [pair.label for pair in read(path, columns={"label": "gold_label_prag"})] == [Label.CONTRADICTION]


def test_a_file_without_labels_is_counted(deliver: Put) -> None:
    corpus = read(deliver("diagnostic-full.tsv", LOGIC["glue-diagnostic"].data.replace(b"Label", b"Comment")))
    assert list(corpus.records()) == []
    assert dict(corpus.skipped) == {"no gold label": 2}


REAL = {
    "MED.tsv.gz": ("med", {"entailment": 2705, "non-entailment": 2677}),
    "pmonli.jsonl.gz": ("monli", {"entailment": 738, "non-entailment": 738}),
    "nmonli_train.jsonl.gz": ("monli", {"entailment": 501, "non-entailment": 501}),
    "nmonli_test.jsonl.gz": ("monli", {"entailment": 100, "non-entailment": 100}),
    "conj_dev.tsv.gz": ("conjnli", {"contradiction": 138, "entailment": 204, "neutral": 281}),
}


@pytest.mark.skipif(not DATA.is_dir(), reason="no real data beside the project (../shared/data/logic)")
@pytest.mark.parametrize("file", REAL)
def test_the_real_files(file: str) -> None:
    corpus = read(DATA / file)
    pairs = list(corpus)
    card = find_card(corpus.summary())
    name, labels = REAL[file]
    assert card
    assert (card.name, dict(corpus.labels)) == (name, labels)
    assert set(labels) <= set(card.labels)
    assert not corpus.problems
    if name == "med":
        assert {pair.group["monotonicity"] for pair in pairs} == {"upward", "downward", "non"}
    if name == "conjnli":
        assert any(split.corpus == "ConjNLI" and split.is_all_of(corpus.summary()) for split in splits())
