"""Columns and labels under the names that people use, and what is refused because it could mean two things."""

from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.conftest import Assay

import assay as package
from assay.core.errors import BadInputError
from assay.core.label import USUAL_NAMES, LabelReader


def table(folder: Path, header: str, *rows: str, name: str = "pairs.csv") -> Path:
    path = folder / name
    path.write_text("\n".join((header, *(rows or ("Ann sat on a bench.,Ann sat.,entailment",)))) + "\n")
    return path


@pytest.mark.parametrize(
    ("header", "told"),
    [
        ("Premise,Hypothesis,Label", ""),
        ("\ufeffPREMISE,HYPOTHESIS,LABEL", ""),
        ("sentence_a,sentence_b,Gold_Label", ""),
        ("prem,hyp,label", "premise=prem, hypothesis=hyp"),
        ("Text,Hypothesis,label", "premise=Text"),
        ("evidence,claim,label", "premise=evidence, hypothesis=claim"),
        ("context,answer,gold_label_majority", "premise=context, hypothesis=answer, label=gold_label_majority"),
        ("premise,hypothesis,Verdict", "label=Verdict"),
    ],
)
def test_columns_are_found_whatever_their_case_and_name(header: str, told: str, tmp_path: Path) -> None:
    corpus = package.read(table(tmp_path, header))
    (pair,) = corpus
    assert (pair.premise, pair.hypothesis, pair.label.value) == ("Ann sat on a bench.", "Ann sat.", "entailment")
    read = [note for note in corpus.notes() if "columns were read as" in note]
    assert [note.split(";")[0] for note in read] == ([f"columns were read as {told}"] if told else [])


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ("evidence,context,claim,label", "2 columns could be the premise: 'context', 'evidence'"),
        ("premise,claim,answer,label", "2 columns could be the hypothesis: 'claim', 'answer'"),
        (
            "premise,hypothesis,gold_label_a,gold_label_b",
            "2 columns could be the label: 'gold_label_a', ",
        ),
        ("Premise,PREMISE,hypothesis,label", "2 columns could be the premise: 'Premise', 'PREMISE'"),
    ],
)
def test_two_possible_columns_are_refused_until_one_is_named(header: str, said: str, tmp_path: Path) -> None:
    path = table(tmp_path, header, "Ann sat.,Ann sat.,entailment,entailment")
    with pytest.raises(BadInputError, match=said) as caught:
        list(package.read(path))
    assert "Choose one: --columns " in str(caught.value)


def test_a_column_of_groups_that_is_not_read_is_named(tmp_path: Path) -> None:
    rows = [f"Ann saw {n} cats.,Ann saw cats.,entailment,{('sea', 'land')[n % 2]},{n},{n % 2}" for n in range(40)]
    path = table(tmp_path, "premise,hypothesis,label,topic,number,prediction", *rows)
    corpus = package.read(path)
    assert all(not pair.group for pair in corpus)
    noted = [note for note in corpus.notes() if "is not read" in note]
    assert noted == ["column 'topic' is not read: 2 values; --columns topic=topic splits results by it"]
    named = package.read(path, columns={"topic": "topic"})
    assert {pair.group["topic"] for pair in named} == {"sea", "land"}
    assert not [note for note in named.notes() if "is not read" in note]


def test_a_named_column_settles_it(tmp_path: Path) -> None:
    path = table(tmp_path, "evidence,context,claim,label", "Ann sat.,Ann ran.,Ann moved.,entailment")
    (pair,) = package.read(path, columns={"premise": "context"})
    assert pair.premise == "Ann ran."


@pytest.mark.parametrize(
    ("spelling", "label"),
    [
        ("SUPPORTED", "entailment"),
        ("Supports", "entailment"),
        ("REFUTES", "contradiction"),
        ("NOT ENOUGH INFO", "neutral"),
        ("NOT_ENOUGH_INFO", "neutral"),
        ("yes", "entailment"),
        ("no", "non-entailment"),
        ("Hallucinated", "non-entailment"),
    ],
)
def test_usual_spellings_are_read_and_told(spelling: str, label: str, tmp_path: Path) -> None:
    corpus = package.read(table(tmp_path, "premise,hypothesis,label", f"Ann sat.,Ann sat.,{spelling}"))
    assert [pair.label.value for pair in corpus] == [label]
    assert any(f"labels were read as {spelling}={label}; --labels {spelling}=LABEL" in n for n in corpus.notes())
    assert LabelReader({spelling: "neutral"}, usual=True)(spelling) == "neutral"


CLAIMS = ("A sat.,B sat.,SUPPORTED", "A sat.,C sat.,REFUTES", "A sat.,D sat.,NOT ENOUGH INFO")


def test_a_corpus_keeps_its_usual_names(tmp_path: Path) -> None:
    corpus = package.read(table(tmp_path, "premise,hypothesis,label", *CLAIMS), labels={"REFUTES": "non-entailment"})
    list(corpus)
    assert corpus.summary().names == {
        "SUPPORTED": "entailment",
        "NOT ENOUGH INFO": "neutral",
        "REFUTES": "non-entailment",
    }


def test_tables_and_models_use_the_usual_names_of_a_corpus(assay: Assay, tmp_path: Path) -> None:
    path = table(tmp_path, "premise,hypothesis,label", *CLAIMS)
    record = package.run(
        families="original", source=path, models={"mine": lambda pairs: ["REFUTES"] * len(pairs)}, out=tmp_path / "runs"
    )
    assert record.find("accuracy", by=("model", "label"), suite="stress")["object:mine", "contradiction"].value == 1.0
    assert "always answers REFUTES" in assay("show", tmp_path / "runs").stdout
    assert "SUPPORTED  NOT ENOUGH INFO  REFUTES  cases" in assay("show", tmp_path / "runs", "--all").stdout


def test_scores_use_the_usual_names_of_a_corpus(tmp_path: Path) -> None:
    path = table(tmp_path, "premise,hypothesis,label,prediction", *(f"{row},REFUTES" for row in CLAIMS))
    names = {"SUPPORTED": "entailment", "REFUTES": "contradiction", "NOT ENOUGH INFO": "neutral"}
    assert package.score(path).names == names
    assert package.score(path, lambda pairs: ["neutral"] * len(pairs)).names == names


def test_models_that_answer_in_words_are_not_read_by_the_conventions_of_files() -> None:
    for spelling in USUAL_NAMES:
        with pytest.raises(package.UserError, match="unknown label"):
            LabelReader()(spelling)


def test_yes_and_no_wait_for_the_user_next_to_a_third_label(tmp_path: Path) -> None:
    rows = ("A sat.,B sat.,yes", "A sat.,C sat.,no", "A sat.,D sat.,maybe")
    path = table(tmp_path, "premise,hypothesis,label", *rows)
    with pytest.raises(BadInputError, match=r"unknown label: 'yes', the first of 2: 'yes' \(1\), 'no' \(1\)"):
        list(package.read(path, labels={"maybe": "neutral"}))


FLAGGED = ("A sat.,B sat.,{}", "A sat.,A sat.,{}")


@pytest.mark.parametrize(
    ("column", "values", "labels"),
    [
        ("Hallucinated", ("yes", "no"), ("non-entailment", "entailment")),
        ("is_hallucination", ("1", "0"), ("non-entailment", "entailment")),
        ("unsupported", ("True", "False"), ("non-entailment", "entailment")),
        ("Unsupported?", ("Y", "N"), ("non-entailment", "entailment")),
        ("not_consistent", ("yes", "no"), ("non-entailment", "entailment")),
        ("supported", ("no", "yes"), ("non-entailment", "entailment")),
        ("hallucination", ("hallucinated", "factual"), ("non-entailment", "entailment")),
    ],
)
def test_the_name_of_a_column_says_what_yes_means(
    column: str, values: tuple[str, str], labels: tuple[str, str], tmp_path: Path
) -> None:
    rows = [row.format(value) for row, value in zip(FLAGGED, values, strict=True)]
    path = table(tmp_path, f"Context,Answer,{column}", *rows)
    for columns in ({}, {"label": column}):
        corpus = package.read(path, columns=columns)
        assert tuple(pair.label.value for pair in corpus) == labels
        read = f"labels were read as {values[0]}={labels[0]}, {values[1]}={labels[1]}; --labels {values[0]}=LABEL"
        assert any(read in note for note in corpus.notes()), corpus.notes()
    own = package.read(path, labels=dict(zip(values, reversed(labels), strict=True)))
    assert tuple(pair.label.value for pair in own) == labels[::-1]


def test_yes_to_a_question_about_the_opposite_stays_a_word_for_support(tmp_path: Path) -> None:
    corpus = package.read(table(tmp_path, "context,answer,hallucinated", *(row.format("yes") for row in FLAGGED)))
    list(corpus)
    assert "the column 'hallucinated' says whether a claim is not supported, so labels" in "".join(corpus.notes())
    assert not corpus.reader.names


@pytest.mark.parametrize("value", ["yes", "FALSE"])
def test_a_column_that_could_be_read_both_ways_is_refused_with_both_to_paste(
    value: str, assay: Assay, tmp_path: Path
) -> None:
    path = table(tmp_path, "context,answer,flagged", FLAGGED[0].format(value))
    said = assay("show", path, "--columns", "label=flagged", code=2).stderr
    assert f"pairs.csv:2: {value!r} in the column 'flagged' could mean supported or not supported" in said
    pasted = said.split(" or --labels ")[1].split(". ")[0]
    assert "label " in assay("show", path, "--columns", "label=flagged", "--labels", pasted).stdout


def test_a_degree_of_hallucination_is_not_a_flag(tmp_path: Path) -> None:
    path = table(tmp_path, "context,answer,hallucination", FLAGGED[0].format("1"), FLAGGED[1].format("2"))
    with pytest.raises(BadInputError, match="unknown label: '2'"):
        list(package.read(path))


def test_unknown_next_to_yes_and_no_is_neutral(tmp_path: Path) -> None:
    rows = ("A sat.,B sat.,yes", "A sat.,C sat.,no", "A sat.,D sat.,unknown")
    corpus = package.read(table(tmp_path, "premise,hypothesis,label", *rows))
    assert [pair.label.value for pair in corpus] == ["entailment", "non-entailment", "neutral"]


def test_two_columns_of_flags_are_refused_until_one_is_named(tmp_path: Path) -> None:
    path = table(tmp_path, "context,answer,supported,hallucinated", "A sat.,A sat.,yes,no")
    with pytest.raises(BadInputError, match="2 columns could be the label: 'supported', 'hallucinated'"):
        list(package.read(path))


def test_all_unknown_labels_come_with_an_option_to_paste(assay: Assay, tmp_path: Path) -> None:
    rows = ("A sat.,B sat.,true", "A sat.,C sat.,mostly true", "A sat.,D sat.,false", "A sat.,E sat.,true")
    path = table(tmp_path, "premise,hypothesis,label", *rows)
    said = assay("show", path, code=2).stderr
    assert "pairs.csv:2: unknown label: 'true', the first of 3: 'true' (2), 'mostly true' (1), 'false' (1)" in said
    assert "--labels 'true=LABEL,mostly true=LABEL,false=LABEL', where LABEL is" in said
    given = "true=entailment,mostly true=neutral,false=contradiction"
    assert "label neutral: 1" in assay("show", path, "--labels", given).stdout


def test_a_column_of_anything_is_not_listed_to_its_end(tmp_path: Path) -> None:
    path = table(tmp_path, "premise,hypothesis,label", *(f"A sat.,B sat.,note {i}" for i in range(40)))
    with pytest.raises(BadInputError, match=r"the first of 40: .* and 28 more\n  If this is the wrong column, name"):
        list(package.read(path))


ROWS = {"Premise": ["Ann sat.", "Ben ran."], "hyp": ["Ann sat down.", "Ben slept."], "Label": ["e", "c"]}


class TestFrames:
    @pytest.mark.parametrize("kind", ["file", "stream", "feather"])
    def test_arrow(self, kind: str, tmp_path: Path) -> None:
        polars = pytest.importorskip("polars")
        path = tmp_path / ("x.feather" if kind == "feather" else "x.arrow")
        frame = polars.DataFrame(ROWS)
        frame.write_ipc_stream(path) if kind == "stream" else frame.write_ipc(path)
        assert [pair.label.value for pair in package.read(path)] == ["entailment", "contradiction"]

    def test_xlsx(self, tmp_path: Path) -> None:
        pytest.importorskip("openpyxl")
        pandas = pytest.importorskip("pandas")
        path = tmp_path / "x.xlsx"
        pandas.DataFrame(ROWS).to_excel(path, index=False)
        assert [pair.label.value for pair in package.read(path)] == ["entailment", "contradiction"]
        pandas.DataFrame({**ROWS, "Label": [0, 1]}).to_excel(path, index=False)
        with pytest.raises(BadInputError, match=r"the numbers 0 \(1\) and 1 \(1\) in the column 'Label'"):
            list(package.read(path))

    @pytest.mark.skipif(bool(find_spec("openpyxl") or find_spec("fastexcel")), reason="a reader of xlsx is installed")
    def test_xlsx_without_a_reader_names_the_extra(self, tmp_path: Path) -> None:
        path = tmp_path / "x.xlsx"
        path.write_bytes(b"PK\x03\x04")
        with pytest.raises(
            package.UserError, match=r"pip install '\.\[excel\]' in a clone of Assay, or save it as csv"
        ):
            list(package.read(path))

    @pytest.mark.parametrize("name", ["x.arrow", "x.feather"])
    def test_damaged_files_are_named(self, name: str, tmp_path: Path) -> None:
        pytest.importorskip("polars")
        path = tmp_path / name
        path.write_bytes(b"ARROW1 and then nothing of use")
        with pytest.raises(BadInputError, match=rf"{name}: not a readable Arrow file"):
            list(package.read(path))


@pytest.mark.parametrize(("name", "pairs"), [("MED.tsv.gz", 5382), ("conj_dev.tsv.gz", 623), ("pmonli.jsonl.gz", 1476)])
def test_sets_of_logic_are_read_as_they_are(name: str, pairs: int, shared: Path) -> None:
    assert sum(1 for _ in package.read(shared / "logic" / name)) == pairs
