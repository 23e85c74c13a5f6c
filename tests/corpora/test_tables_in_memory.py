"""DataFrames, data sets and lists of rows are corpora like files with the same columns."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import assay as package
from assay.core.errors import BadInputError, UserError
from assay.core.pair import Pair

ROWS: list[dict[str, Any]] = [
    {"context": "Ann sat.", "answer": "Ann sat down.", "is_hallucination": 0},
    {"context": "Ann sat.", "answer": "Ann stood.", "is_hallucination": 1},
    {"context": "Ben ran.", "answer": "Ben slept.", "is_hallucination": 1},
]
LABELS = ["entailment", "non-entailment", "non-entailment"]


def pandas_frame() -> Any:
    return pytest.importorskip("pandas").DataFrame(ROWS)


def polars_frame() -> Any:
    return pytest.importorskip("polars").DataFrame(ROWS)


def data_set() -> Any:
    return pytest.importorskip("datasets").Dataset.from_list(ROWS)


def streamed_set() -> Any:
    return data_set().to_iterable_dataset()


KINDS: list[Callable[[], Any]] = [pandas_frame, polars_frame, data_set, streamed_set, lambda: ROWS, lambda: iter(ROWS)]


@pytest.mark.parametrize("table", KINDS)
def test_a_table_is_read_like_a_file(table: Callable[[], Any], tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    lines = ["context,answer,is_hallucination", *(",".join(map(str, row.values())) for row in ROWS)]
    path.write_text("\n".join(lines) + "\n")
    assert list(package.read(table())) == list(package.read(path))
    assert [pair.label.value for pair in package.read(table())] == LABELS


@pytest.mark.parametrize("table", [pandas_frame, polars_frame, data_set, lambda: ROWS, lambda: iter(ROWS)])
def test_run_build_and_score_take_tables(table: Callable[[], Any], tmp_path: Path) -> None:
    def supported(pairs: list[Any]) -> list[str]:
        return ["entailment"] * len(pairs)

    suite = package.build("negation", table(), out=tmp_path / "suite")
    assert suite.manifest.source.labels == {"entailment": 1, "non-entailment": 2}
    assert suite.manifest.source.digest
    record = package.run(table(), families=["original"], models={"m": supported}, out=tmp_path / "runs")
    assert record.find("accuracy", by=["family"])["original",].value == pytest.approx(1 / 3)
    score = package.score(table(), supported)
    assert next(each.value for each in score.estimates if each.name == "accuracy") == pytest.approx(1 / 3)


def test_rows_without_names_are_premise_hypothesis_and_label() -> None:
    first, second = package.read([("Ann sat.", "She sat.", "e"), ["Ann sat.", "She stood.", "c"]])
    assert (first.premise, first.hypothesis, second.label.value) == ("Ann sat.", "She sat.", "contradiction")
    with pytest.raises(
        BadInputError, match=r"list:2: not a row: 2 values\n  A row is a dict, or \(premise, hypothesis"
    ):
        list(package.read([("Ann sat.", "She sat.", "e"), ("Ann sat.", "She stood.")]))


def test_declared_classes_of_a_data_set_keep_their_names() -> None:
    datasets = pytest.importorskip("datasets")
    features = datasets.Features(
        premise=datasets.Value("string"),
        hypothesis=datasets.Value("string"),
        label=datasets.ClassLabel(names=["not_entailment", "entailment"]),
    )
    rows = {"premise": ["Ann sat."] * 2, "hypothesis": ["She sat.", "She stood."], "label": [1, 0]}
    data = datasets.Dataset.from_dict(rows, features=features)
    assert [pair.label.value for pair in package.read(data)] == ["entailment", "non-entailment"]
    with pytest.raises(UserError, match=r"2 splits: train, test.\n  Pass one, as in data\['train'\]"):
        list(package.read(datasets.DatasetDict(train=data, test=data)))


def test_missing_values_of_pandas_are_no_labels() -> None:
    pandas = pytest.importorskip("pandas")
    corpus = package.read(pandas.DataFrame({**pandas.DataFrame(ROWS), "is_hallucination": [0.0, 1.0, None]}))
    assert [pair.label.value for pair in corpus] == LABELS[:2]
    assert dict(corpus.skipped) == {"no gold label": 1}


def test_options_apply_and_messages_are_those_of_python() -> None:
    rows = [{"a": "Ann sat.", "b": f"Claim {n}.", "y": n % 2} for n in range(4)]
    columns = {"premise": "a", "hypothesis": "b", "label": "y"}
    with pytest.raises(BadInputError, match=r'labels=\{"0": "non-entailment", "1": "entailment"\}'):
        list(package.read(rows, columns=columns))
    corpus = package.read(rows, columns=columns, labels={0: "non-entailment", 1: "entailment"}, limit=3)  # type: ignore[dict-item]
    assert repr(corpus) == "<TableReader pairs: not read yet, iterate over it to get its pairs>"
    assert [pair.label.value for pair in corpus] == ["non-entailment", "entailment", "non-entailment"]
    assert repr(corpus) == "<TableReader pairs: 3 pairs (entailment 1, non-entailment 2), format pairs/v1>"


def test_what_is_no_table_is_refused() -> None:
    with pytest.raises(UserError, match=r"Item 1 of pairs has type int.*\n  Give a DataFrame, or a list of dicts"):
        package.score([1, 2], lambda pairs: ["neutral"] * len(pairs))


class TestRepeats:
    ROWS = (("A sat.", "B sat.", "e"), ("A sat.", "C sat.", "n"), ("A sat.", "B sat.", "e"), ("A sat.", "C sat.", "c"))

    def test_repeats_are_counted_with_their_lines(self, tmp_path: Path) -> None:
        corpus = package.read(self.ROWS)
        first, second, *repeats = [pair.id for pair in corpus]
        assert repeats == [f"{first}-2", f"{second}-2"]
        expected = [
            "1 pair repeats an earlier pair and its label, in line 3",
            "1 pair repeats an earlier pair with another label, in line 4",
        ]
        assert corpus.notes() == expected
        suite = package.build("original", corpus, out=tmp_path / "suite")
        assert list(suite.manifest.source.notes) == expected
        given = package.build("original", list(corpus), out=tmp_path / "given")
        assert list(given.manifest.source.notes) == expected

    def test_pairs_with_their_own_ids_are_compared_too(self) -> None:
        rows = [{"id": n, "premise": "A sat.", "hypothesis": "B sat.", "label": "e"} for n in range(6)]
        corpus = package.read([*rows, {**rows[0], "id": 6, "label": "c"}])
        assert [pair.id for pair in corpus] == list("0123456")
        assert corpus.notes() == [
            "5 pairs repeat an earlier pair and its label, in lines 2, 3 and 4, and in others",
            "1 pair repeats an earlier pair with another label, in line 7",
        ]

    def test_one_class(self) -> None:
        corpus = package.read([("A sat.", f"{name} sat.", "e") for name in "BC"])
        list(corpus)
        assert corpus.notes() == [
            "all 2 pairs have the label entailment, so a model that always gives this answer is right on all of them"
        ]


def test_a_row_at_the_top_does_not_change_the_other_ids() -> None:
    rows = [("A sat.", f"{name} sat.", "e") for name in "BCD"]
    later: list[Pair] = list(package.read([("New.", "Row.", "n"), *rows]))
    assert later[1:] == list(package.read(rows))
