"""Labels as people write them."""

import pytest

from assay.core.errors import BadRecordError, UserError
from assay.core.label import NAMES, NUMBERS, UNLABELLED, Label, LabelReader
from assay.core.label_space import TWO_LABELS


@pytest.mark.parametrize(("written", "label"), [*NAMES.items(), *NUMBERS.items()])
def test_known_spellings(written: str, label: Label) -> None:
    assert LabelReader()(f" {written.upper()} ") is label


@pytest.mark.parametrize("written", [*sorted(UNLABELLED), None, -1, -1.0, float("nan")])
def test_no_gold_label(written: object) -> None:
    assert LabelReader()(written) is None


@pytest.mark.parametrize(("written", "label"), [(0, Label.ENTAILMENT), (1.0, Label.NEUTRAL), (2, Label.CONTRADICTION)])
def test_numbers_are_read_by_convention_and_remembered(written: object, label: Label) -> None:
    read = LabelReader()
    assert read(written) is label
    assert read(written) is label
    assert read.numbers == {str(int(str(written)[0])): 2}


def test_own_spellings_win_and_end_the_convention_for_numbers() -> None:
    read = LabelReader({"entailment": "neutral", " 1 ": "entailment", "0": "not_entailment", "x": "-"})
    assert [read(each) for each in ("entailment", 1, "0", "x", "c")] == [
        Label.NEUTRAL,
        Label.ENTAILMENT,
        Label.NON_ENTAILMENT,
        None,
        Label.CONTRADICTION,
    ]
    assert not read.numbers
    with pytest.raises(BadRecordError):
        read(2)


@pytest.mark.parametrize("written", ["maybe", "3", 3, 0.5, True, ["neutral"], "entailmentt"])
def test_an_unknown_label_is_named_with_the_way_out(written: object) -> None:
    read = LabelReader()
    for _ in range(2):  # an answer that was remembered is no better than the first
        with pytest.raises(BadRecordError, match="unknown label") as caught:
            read(written)
        assert f"--labels {str(written).strip()}=" in caught.value.hint


def test_a_name_that_is_no_label_is_refused_at_once() -> None:
    with pytest.raises(UserError, match=r"'nuetral' is not a label; did you mean 'neutral'\?"):
        LabelReader({"1": "nuetral"})


def test_two_way() -> None:
    assert [TWO_LABELS.read(label) for label in Label] == [Label.ENTAILMENT] + 3 * [Label.NON_ENTAILMENT]
