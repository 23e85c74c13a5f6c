"""The human check: from a suite to files, from answers to gold labels."""

import csv
import io
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.conftest import Assay, case

import assay as package
from assay.annotate.agreement import annotator_agreement
from assay.annotate.layouts import LAYOUTS
from assay.annotate.merge_answers import merge_answers
from assay.annotate.sample import INSTRUCTIONS, KEY, draw_sample, read_sample, wrong_answers
from assay.core.errors import BadInputError, OutputExistsError, UserError
from assay.core.label import THREE_WAY, Label
from assay.core.label_space import TWO_LABELS, LabelSpace
from assay.evaluate.error_categories import CATEGORIES

CASES = [
    case(number, family=family, premise=f'A cook, no. {number}, says "yes".', label=THREE_WAY[number % 3])
    for family, many in (("negation", 90), ("spelling", 9))
    for number in range(many)
]
QUESTIONS = tuple(each.column for each in LAYOUTS["events"].questions)
NAMES = ("ann", "bob", "cid")
Answers = dict[str, tuple[str, str, str]]


def drawn(folder: Path, **options: object) -> None:
    draw_sample(CASES, folder, **{"annotators": NAMES, "size": 12, **options})  # type: ignore[arg-type]


def sheet(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def fill(path: Path, answer: Callable[[str], tuple[str, str, str]]) -> None:
    """Answer every case of an annotator's file."""
    rows = [{**row, **dict(zip(QUESTIONS, answer(row["id"]), strict=True))} for row in sheet(path)]
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def fill_all(folder: Path, *answers: tuple[str, str, str]) -> None:
    for name, answer in zip(NAMES, answers, strict=True):
        fill(folder / f"{name}.csv", lambda _, answer=answer: answer)  # type: ignore[misc]


SAME, NEW, OTHER = ("yes", "no", "no"), ("Y", "1", "false"), ("no", "", "no")
BROKEN = ("", "", "yes")


def test_a_sample_is_even_and_the_same_again(tmp_path: Path) -> None:
    drawn(tmp_path / "one")
    found = read_sample(tmp_path / "one")
    assert Counter((each.group["family"], each.label) for each in found.values()) == {
        (family, label): 2 for family in ("negation", "spelling") for label in THREE_WAY
    }
    draw_sample(reversed(CASES), tmp_path / "two", annotators=NAMES, size=12)
    drawn(tmp_path / "three", seed=1)
    one, two, three = ((tmp_path / name / KEY).read_bytes() for name in ("one", "two", "three"))
    assert one == two != three


def test_a_small_stratum_gives_all_it_has(tmp_path: Path) -> None:
    drawn(tmp_path, size=50, by=("family",))
    assert Counter(each.group["family"] for each in read_sample(tmp_path).values()) == {"negation": 41, "spelling": 9}


def test_annotators_see_texts_and_no_labels_in_their_own_order(tmp_path: Path) -> None:
    drawn(tmp_path)
    sheets = {name: sheet(tmp_path / f"{name}.csv") for name in NAMES}
    for rows in sheets.values():
        assert list(rows[0]) == ["id", "premise", "hypothesis", *QUESTIONS]
        assert {row["id"]: row["premise"] for row in rows} == {
            each.key: each.premise for each in read_sample(tmp_path).values()
        }
    assert len({tuple(row["id"] for row in rows) for rows in sheets.values()}) == 3


def test_work_is_never_overwritten(tmp_path: Path) -> None:
    drawn(tmp_path)
    fill(tmp_path / "ann.csv", lambda _: SAME)
    before = (tmp_path / "ann.csv").read_bytes()
    draw_sample(CASES, tmp_path, annotators=(*NAMES, "dee"), size=12)
    assert (tmp_path / "ann.csv").read_bytes() == before
    assert (tmp_path / "dee.csv").exists()
    with pytest.raises(OutputExistsError, match="another sample"):
        drawn(tmp_path, size=13)
    assert (tmp_path / "ann.csv").read_bytes() == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"annotators": ("ann", "ann")}, "given twice"),
        ({"annotators": ("ann", "Ann")}, "would share a file"),
        ({"annotators": ("../ann",)}, "can't be an annotator"),
        ({"annotators": ("key",)}, "are taken"),
        ({"by": ("famly",)}, "did you mean 'family'"),
    ],
)
def test_what_can_not_be_drawn(tmp_path: Path, options: dict[str, object], message: str) -> None:
    with pytest.raises(UserError, match=message):
        drawn(tmp_path, **options)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("answers", "gold"),
    [
        ((SAME, SAME, SAME), Label.ENTAILMENT),
        ((SAME, NEW, NEW), Label.NEUTRAL),
        ((OTHER, SAME, OTHER), Label.CONTRADICTION),
        ((SAME, NEW, OTHER), "no majority"),
        ((SAME, SAME, BROKEN), "a sentence is incorrect"),
    ],
)
def test_most_annotators_decide(tmp_path: Path, answers: tuple[tuple[str, str, str], ...], gold: str) -> None:
    drawn(tmp_path)
    fill_all(tmp_path, *answers)
    found = merge_answers(tmp_path, tmp_path / "gold.jsonl")
    lines = (tmp_path / "gold.jsonl").read_text().splitlines()
    if isinstance(gold, Label):
        assert found.gold == {gold.value: 12}
        assert found.confirmed == 4
        corpus = list(package.read(tmp_path / "gold.jsonl"))
        assert {pair.label for pair in corpus} == {gold}
        assert all(len(pair.annotators) == 3 for pair in corpus)
        assert {pair.group["family"] for pair in corpus} == {"negation", "spelling"}
        assert json.loads(lines[0])["votes"][gold.value] >= 2
    else:
        assert (found.discarded, found.gold) == ({gold: 12}, {})
        assert {json.loads(line)["gold_label"] for line in lines} == ({"-"} if gold == "no majority" else set())


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda text: text.replace("\nc", "\nx", 1), r"bob.csv:2: the id 'x\w{12}' is not in the sample"),
        (lambda text: text.replace("yes,no,no", "maybe,no,no", 1), r"bob.csv:2: .*q1_same_event.*is 'maybe'\n.*same"),
        (lambda text: text.replace("yes,no,no", "yes,,no", 1), r"bob.csv:2: no answer to q2_adds_information"),
        (lambda text: text.replace("A cook", "A cock", 1), r"bob.csv:2: the premise of .* differs from the one"),
        (lambda text: text + text.splitlines()[1] + "\n", r"bob.csv:14: .* is answered again; .* at .*bob.csv:2"),
        (
            lambda text: text + text.splitlines()[1].replace("yes,no,no", "no,no,no") + "\n",
            r"bob.csv:14: .* is answered again, and differently",
        ),
        (lambda text: text.replace("q3_incorrect", "q3"), "bob.csv:2: no column 'q3_incorrect'"),
        (lambda text: "\n".join(text.splitlines()[:-2]) + "\n", "bob has not answered 2 of 12 cases, such as"),
        (lambda text: text.replace("yes,no,no", ",,"), "bob has not answered 12 of 12 cases"),
    ],
)
def test_bad_answers_are_named_with_file_and_line(tmp_path: Path, damage: Callable[[str], str], message: str) -> None:
    drawn(tmp_path)
    fill_all(tmp_path, SAME, SAME, SAME)
    path = tmp_path / "bob.csv"
    text = path.read_text().replace("\r\n", "\n")
    path.write_text(damage(text))
    assert path.read_text() != text
    with pytest.raises(BadInputError, match=message):
        merge_answers(tmp_path, tmp_path / "gold.jsonl")
    assert not (tmp_path / "gold.jsonl").exists()


def test_an_annotator_has_one_file(tmp_path: Path) -> None:
    drawn(tmp_path)
    fill_all(tmp_path, SAME, SAME, SAME)
    (tmp_path / "bob.jsonl").write_text("")
    with pytest.raises(BadInputError, match=r"bob.jsonl: the annotator 'bob' has two files"):
        merge_answers(tmp_path, tmp_path / "gold.jsonl")


def test_unanswered_cases_can_be_left_out(tmp_path: Path) -> None:
    drawn(tmp_path)
    fill_all(tmp_path, SAME, SAME, SAME)
    lines = (tmp_path / "bob.csv").read_text().splitlines()
    (tmp_path / "bob.csv").write_text("\n".join(lines[:-3]) + "\n")
    found = merge_answers(tmp_path, tmp_path / "gold.jsonl", missing="drop")
    assert (found.gold, found.discarded) == ({"entailment": 9}, {"not answered by all": 3})


def test_half_an_answer_is_none_where_gaps_are_dropped(tmp_path: Path) -> None:
    drawn(tmp_path)
    fill_all(tmp_path, SAME, SAME, ("yes", "", "no"))
    found = merge_answers(tmp_path, tmp_path / "gold.jsonl", missing="drop")
    assert (found.gold, found.discarded) == ({}, {"not answered by all": 12})


def test_what_a_merge_wrote_is_no_annotator(tmp_path: Path) -> None:
    drawn(tmp_path)
    fill_all(tmp_path, SAME, SAME, SAME)
    merge_answers(tmp_path, tmp_path / "gold.jsonl")
    assert merge_answers(tmp_path, tmp_path / "again.jsonl").annotators == NAMES


def test_no_spreadsheet_reckons_with_a_text(tmp_path: Path) -> None:
    risky = [case(number, premise=text) for number, text in enumerate(("=1+1", "-5 degrees.", "+1", "@home", "'=x"))]
    draw_sample(risky, tmp_path, annotators=NAMES, size=5)
    assert not any(row["premise"].startswith(("=", "-", "+", "@")) for row in sheet(tmp_path / "ann.csv"))
    fill_all(tmp_path, SAME, SAME, SAME)
    merge_answers(tmp_path, tmp_path / "gold.jsonl")
    merged = [json.loads(line)["premise"] for line in (tmp_path / "gold.jsonl").read_text().splitlines()]
    assert sorted(merged) == sorted(each.premise for each in risky)


def test_files_of_other_programs_are_read_or_named(tmp_path: Path) -> None:
    drawn(tmp_path)
    fill_all(tmp_path, SAME, SAME, SAME)
    text = (tmp_path / "bob.csv").read_text()
    semicolons = io.StringIO(newline="")
    csv.writer(semicolons, delimiter=";").writerows(csv.reader(io.StringIO(text, newline="")))
    (tmp_path / "bob.csv").write_text(semicolons.getvalue(), newline="")
    assert merge_answers(tmp_path, tmp_path / "semicolons.jsonl").gold == {"entailment": 12}
    for name in NAMES:
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-16")
    assert merge_answers(tmp_path, tmp_path / "gold.jsonl", encoding="utf-16").gold == {"entailment": 12}


def test_json_lines_work_too(tmp_path: Path) -> None:
    drawn(tmp_path, storage="jsonl")
    for name in NAMES:
        path = tmp_path / f"{name}.jsonl"
        rows = [
            {**json.loads(line), "q1_same_event": False, "q3_incorrect": "no"} for line in path.read_text().splitlines()
        ]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert merge_answers(tmp_path, tmp_path / "gold.jsonl").gold == {"contradiction": 12}


@pytest.mark.parametrize(
    ("file", "pairs", "figures"),
    [
        ("breaking_nli/dataset.jsonl.gz", 8193, (0.6075, 0.6068, 0.8967, 94.14)),
        ("snli/snli_1.0_test.jsonl.gz", 9815, (0.6744, 0.7688, 0.6862, 87.72)),
    ],
)
def test_real_annotators_agree_as_published(
    shared: Path, file: str, pairs: int, figures: tuple[float, float, float, float]
) -> None:
    found = annotator_agreement(shared / file)
    assert found.kappa is not None
    assert found.human is not None
    rounded = [round(found.kappas[label] or 0, 4) for label in ("contradiction", "entailment")]
    assert (found.pairs, round(found.kappa, 4), *rounded, round(100 * found.human, 2)) == (pairs, *figures)


def test_a_corpus_without_annotators_says_so() -> None:
    with pytest.raises(BadInputError, match="no pair has two or more annotators' labels"):
        annotator_agreement("bundled")


def test_the_whole_way_from_the_command_line(tmp_path: Path, assay: Assay) -> None:
    assay("build", "negation", "--limit", 9, "--out", "suite")
    drawn = assay(
        "annotate", "sample", "suite", "--size", 6, "--out", "check", "--annotator", "ann", "--annotator", "bob"
    )
    assert "2  negation, contradiction" in drawn.stdout
    key = read_sample(tmp_path / "check")
    for name in ("ann", "bob"):
        fill(tmp_path / "check" / f"{name}.csv", lambda case: SAME if key[case].label is Label.ENTAILMENT else OTHER)
    merged = assay("annotate", "merge", "check", "--out", "gold.jsonl")
    assert "6 of 6 cases have a gold label from ann, bob" in merged.stdout
    found = json.loads(assay("annotate", "agreement", "gold.jsonl", "--json").stdout)
    assert (found["kappa"], found["human"], found["unanimous"]) == (1.0, 1.0, 6)
    assert "estimated human performance: 100.00%" in assay("annotate", "agreement", "gold.jsonl").stdout
    again = assay("annotate", "merge", "check", "--out", "gold.jsonl", code=2)
    assert "gold.jsonl" in again.stderr


def test_pairs_without_a_majority_and_small_suites_are_told(tmp_path: Path, assay: Assay) -> None:
    assay("build", "negation", "--limit", 9, "--out", "suite")
    told = assay("annotate", "sample", "suite", "--size", 600, "--out", "check")
    assert "Drew all 9 cases; there are fewer than 600." in told.stderr
    ids = [row["id"] for row in sheet(tmp_path / "check" / "a.csv")]
    for name, answer in zip("abc", (SAME, NEW, OTHER), strict=True):
        fill(tmp_path / "check" / f"{name}.csv", lambda case, answer=answer: answer if case == ids[0] else SAME)  # type: ignore[misc]
    assay("annotate", "merge", "check", "--out", "gold.jsonl")
    found = assay("annotate", "agreement", "gold.jsonl")
    assert "Not measured: 1 pairs without a gold label" in found.stderr


def answer_columns(folder: Path, **columns: Callable[[str], str]) -> None:
    """Fill the columns of every annotator's file; a column's function takes the case's key."""
    for name in NAMES:
        path = folder / f"{name}.csv"
        rows = [{**row, **{column: say(row["id"]) for column, say in columns.items()}} for row in sheet(path)]
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)


HANS = [
    case(number, family="heuristics", label=(Label.ENTAILMENT, Label.NON_ENTAILMENT)[number % 2])
    for number in range(10)
]


@pytest.mark.parametrize("layout", ["events", "label", "check"])
def test_right_answers_confirm_a_two_way_set(tmp_path: Path, layout: str) -> None:
    draw_sample(HANS, tmp_path, annotators=NAMES, size=10, layout=layout)
    key = read_sample(tmp_path)
    right = {name: each.label is Label.ENTAILMENT for name, each in key.items()}
    # whoever doesn't see entailment sees a contradiction, or something new, as they like
    other = {name: ("no", "neutral") if number % 4 else ("yes", "contradiction") for number, name in enumerate(key)}
    say: dict[str, Callable[[str], str]] = {
        "q1_same_event": lambda case: "yes" if right[case] else other[case][0],
        "q2_adds_information": lambda case: "no" if right[case] else "yes",
        "q3_incorrect": lambda _: "no",
        "label": lambda case: "entailment" if right[case] else other[case][1],
        "grammatical": lambda _: "yes",
        "easy": lambda _: "yes",
    }
    columns = [each.column for each in LAYOUTS[layout].questions]  # type: ignore[index]
    answer_columns(tmp_path, **{column: say[column] for column in columns})
    found = merge_answers(tmp_path, tmp_path / "gold.jsonl")
    assert found.gold == {"entailment": 5, "non-entailment": 5}
    assert found.confirmed == 10
    agreed = annotator_agreement(tmp_path / "gold.jsonl")
    assert (agreed.kappa, agreed.human, agreed.unanimous) == (1.0, 1.0, 10)


def test_agreement_on_a_two_way_set_reads_labels_as_two(tmp_path: Path) -> None:
    rows = [
        {"premise": "a", "hypothesis": f"b {n}", "gold_label": gold, "annotator_labels": labels}
        for n, (gold, labels) in enumerate(
            [("entailment", ["entailment"] * 3), ("non-entailment", ["neutral", "contradiction", "neutral"])]
        )
    ]
    (tmp_path / "set.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = annotator_agreement(tmp_path / "set.jsonl")
    assert (found.kappa, found.human, found.unanimous) == (1.0, 1.0, 2)


def test_annotators_files_tell_nothing_about_a_case(tmp_path: Path) -> None:
    drawn(tmp_path)
    for each in read_sample(tmp_path).values():
        text = (tmp_path / "ann.csv").read_text() + (tmp_path / INSTRUCTIONS).read_text()
        assert each.id not in text
        assert each.key in text
    assert "negation" not in (tmp_path / "ann.csv").read_text()
    assert not (tmp_path / "ann.csv").read_text().count("entailment")


def test_people_are_scored_as_in_mccoys_study(tmp_path: Path) -> None:
    draw_sample(HANS, tmp_path, annotators=NAMES, size=10, layout="label")
    answer_columns(tmp_path, label=lambda _: "entailment")
    found = merge_answers(tmp_path, tmp_path / "gold.jsonl")
    shares = {each.what: (each.share, each.n) for each in found.figures}
    assert shares["all"] == (0.5, 10)
    assert (shares["entailment"], shares["non-entailment"]) == ((1.0, 5), (0.0, 5))
    assert shares["annotator ann"] == (0.5, 10)


def test_two_of_three_decide_naiks_check(tmp_path: Path) -> None:
    cases = [case(number, label=Label.NEUTRAL) for number in range(4)]
    draw_sample(cases, tmp_path, annotators=NAMES, size=4, layout="check")
    keys = sorted(read_sample(tmp_path))
    for place, name in enumerate(NAMES):
        path = tmp_path / f"{name}.csv"
        rows = [
            {
                **row,
                "label": "neutral" if place < 2 else "contradiction",
                "grammatical": "yes" if place < keys.index(row["id"]) else "no",
                "easy": "yes" if row["id"] == keys[0] or not place else "no",
            }
            for row in sheet(path)
        ]
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)
    found = merge_answers(tmp_path, tmp_path / "gold.jsonl")
    shares = {each.what: each.share for each in found.figures}
    assert shares == {
        "label": 1.0,
        "grammatical": 0.5,
        "easy": 0.25,
        "single labels": pytest.approx(2 / 3),
    }
    assert found.kappas.keys() == {"label", "grammatical", "easy"}


def test_errors_are_sorted_into_naiks_categories(tmp_path: Path) -> None:
    record = package.run(
        package.read("bundled", limit=12),
        families="negation",
        models={"never": lambda pairs: ["contradiction"] * len(pairs)},
        out=tmp_path / "runs",
    )
    wrong = wrong_answers(record)
    assert wrong.answers
    assert {case.label for case in wrong.cases} == {Label.ENTAILMENT, Label.NEUTRAL}
    folder = tmp_path / "errors"
    draw_sample(wrong.cases, folder, annotators=NAMES, size=6, layout="errors", answers=wrong.answers)
    assert {row["answer"] for row in sheet(folder / "ann.csv")} == {"contradiction"}
    assert all(f"`{name}`" in (folder / INSTRUCTIONS).read_text() for name in CATEGORIES)
    answer_columns(folder, category=lambda _: "Real-World Knowledge")
    found = merge_answers(folder, tmp_path / "sorted.jsonl")
    assert {each.what: each.share for each in found.figures if each.share} == {"real-world knowledge": 1.0}
    line = json.loads((tmp_path / "sorted.jsonl").read_text().splitlines()[0])
    assert (line["category"], line["answer"]) == ("real-world knowledge", "contradiction")
    assert line["id"] in wrong.answers


def test_a_question_of_ones_own_gives_the_answer_of_most(tmp_path: Path, assay: Assay) -> None:
    assay("build", "negation", "--limit", 6, "--out", "suite")
    sample = ("annotate", "sample", "suite", "--layout", "own", "--size", 4, "--out", "check", "--annotator", "ann")
    assert "two answers or more" in assay(*sample, "--set", "choices=clear+Clear", code=2).stderr
    assay(
        *sample,
        "--annotator",
        "bob",
        "--annotator",
        "cid",
        "--set",
        "question=Is it clear?",
        "--set",
        "choices=Clear+not so clear",
    )
    assert "Is it clear? Write clear or not so clear." in (tmp_path / "check" / INSTRUCTIONS).read_text()
    answer_columns(tmp_path / "check", category=lambda _: "Not_so clear")
    assert "100.0%  not so clear" in assay("annotate", "merge", "check", "--out", "found.jsonl").stdout
    lines = (tmp_path / "found.jsonl").read_text().splitlines()
    assert {json.loads(line)["category"] for line in lines} == {"not so clear"}
    answer_columns(tmp_path / "check", category=lambda _: "unclear")
    wrong = assay("annotate", "merge", "check", "--out", "found.jsonl", "--overwrite", code=2).stderr
    assert "Answer with clear or not so clear: Is it clear?" in wrong


@pytest.mark.parametrize(
    ("layout", "column", "said", "message"),
    [
        ("label", "label", "maybe", "the answer to label of 'c.*' is 'maybe'\n.*Answer with a label"),
        ("check", "easy", "so so", "the answer to easy of 'c.*' is 'so so'\n.*yes or no"),
        ("check", "grammatical", "", "no answer to grammatical"),
    ],
)
def test_answers_to_other_layouts_are_checked_too(
    tmp_path: Path, layout: str, column: str, said: str, message: str
) -> None:
    draw_sample(HANS, tmp_path, annotators=NAMES, size=4, layout=layout)
    good = {"label": "entailment", "grammatical": "yes", "easy": "no"}
    columns = [each.column for each in LAYOUTS[layout].questions]  # type: ignore[index]
    answers = {each: said if each == column else good[each] for each in columns}
    answer_columns(tmp_path, **{each: lambda _, text=text: text for each, text in answers.items()})
    with pytest.raises(BadInputError, match=message):
        merge_answers(tmp_path, tmp_path / "gold.jsonl")


def test_what_a_killed_command_did_not_write_is_written_by_the_next(tmp_path: Path) -> None:
    drawn(tmp_path)
    whole = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    for name in (INSTRUCTIONS, "bob.csv"):
        (tmp_path / name).unlink()
        drawn(tmp_path)
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == whole


def test_instructions_have_the_labels_that_there_are(tmp_path: Path) -> None:
    for name, cases in {"two": HANS, "both": [*HANS, case(99, family="lexical", label=Label.NEUTRAL)]}.items():
        draw_sample(cases, tmp_path / name, annotators=NAMES, size=20, layout="label")
        told = (tmp_path / name / INSTRUCTIONS).read_text()
        assert ("`neutral`" in told) is (name == "both")
        assert ("`non-entailment`" in told) is (name == "two")


def test_annotators_may_use_the_users_names(tmp_path: Path) -> None:
    names = {"SUPPORTED": "entailment", "NOT_SUPPORTED": "non-entailment"}
    draw_sample(
        HANS,
        tmp_path,
        annotators=NAMES,
        size=10,
        layout="label",
        space=LabelSpace(labels=TWO_LABELS.labels, names=names),
    )
    assert "`NOT_SUPPORTED`" in (tmp_path / INSTRUCTIONS).read_text()
    key = read_sample(tmp_path)
    answer_columns(tmp_path, label=lambda name: "supported" if key[name].label is Label.ENTAILMENT else "NOT_SUPPORTED")
    assert merge_answers(tmp_path, tmp_path / "gold.jsonl").confirmed == 10


def test_errors_are_drawn_from_a_run(tmp_path: Path, assay: Assay) -> None:
    assay("build", "negation", "--limit", 6, "--out", "suite")
    refused = assay("annotate", "sample", "suite", "--layout", "errors", "--out", "check", code=2)
    assert "suite is not a run" in refused.stderr
    assay("run", "--suite", "suite", "--model", "assay:overlap", "--no-report", "--out", "runs", "--quiet")
    assay("annotate", "sample", "runs", "--layout", "errors", "--out", "check", "--annotator", "ann")
    answers = [{**row, "category": "negation"} for row in sheet(tmp_path / "check" / "ann.csv")]
    with (tmp_path / "check" / "ann.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, answers[0])
        writer.writeheader()
        writer.writerows(answers)
    merged = assay("annotate", "merge", "check", "--out", "sorted.jsonl").stdout
    assert "100.0%  negation" in merged


def test_notes_are_put_side_by_side(tmp_path: Path, assay: Assay) -> None:
    draw_sample(CASES, tmp_path / "notes", annotators=NAMES, size=6, layout="notes")
    assert "`note`: What do you notice" in (tmp_path / "notes" / INSTRUCTIONS).read_text()
    answer_columns(tmp_path / "notes", note=lambda key: f"about {key}")
    told = assay("annotate", "merge", "notes", "--out", "notes/all.jsonl").stdout
    assert told == "6 of 6 cases have notes from ann, bob, cid\n"
    lines = [json.loads(line) for line in (tmp_path / "notes" / "all.jsonl").read_text().splitlines()]
    keys = {each.id: key for key, each in read_sample(tmp_path / "notes").items()}
    assert {line["id"]: line["annotator_notes"] for line in lines} == {
        name: [f"about {key}"] * 3 for name, key in keys.items()
    }
    assay("annotate", "merge", "notes", "--out", "again.jsonl")  # the merged file is not taken for an annotator's


def test_adjudication_decides_whatever_people_say(tmp_path: Path, assay: Assay) -> None:
    drawn(tmp_path / "check")
    fill_all(tmp_path / "check", SAME, NEW, OTHER)
    one, two, three, *_ = read_sample(tmp_path / "check")
    rows = [("id", *QUESTIONS), (one, *SAME), (two, *OTHER), (three, *BROKEN)]
    (tmp_path / "check" / "adjudication.csv").write_text("".join(f"{','.join(row)}\n" for row in rows))
    told = assay("annotate", "merge", "check", "--out", "gold.jsonl").stdout
    assert "2 of 12 cases have a gold label from ann, bob, cid" in told
    assert "1  have none: a sentence is incorrect" in told
    assert "3  decided by adjudication" in told
    gold = [json.loads(line) for line in (tmp_path / "gold.jsonl").read_text().splitlines()]
    assert sorted(line["gold_label"] for line in gold if "adjudicated" in line) == ["contradiction", "entailment"]
    assert all(len(line["annotator_labels"]) == 3 for line in gold)
