"""A corpus with two labels of the user's own: everything is judged by two, and shown by the user's names."""

import csv
import json
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from tests import tiny_classifier
from tests.conftest import Assay, case
from tests.fixtures.reports import drawn

import assay as package
from assay.core.case import Recipe
from assay.core.errors import ModelError, UserError
from assay.core.label import Label
from assay.core.label_space import TWO_LABELS, LabelSpace
from assay.core.manifest import Manifest, Source
from assay.core.run_record import RunRecord
from assay.evaluate.case_columns import AnswerRow, Encoder, LabelProbabilities, answer_columns
from assay.evaluate.suite_metrics import SuiteMetrics
from assay.gate.gate_report import annotations, gate_summary
from assay.models.adapters.hf import HuggingFace
from assay.models.adapters.python import PythonFunction
from assay.reports.phrases import two_way_words
from assay.reports.terminal.run_summary import figure_summary, full_summary
from assay.reports.view import view_of
from assay.reports.write.output_formats import Format, write_report
from assay.run.measure import failures
from assay.storage.suite import Suite

NAMES = {"SUPPORTED": "entailment", "NOT_SUPPORTED": "non-entailment"}
SENTENCE = "Judged by two labels, SUPPORTED and NOT_SUPPORTED: neutral and contradiction count as NOT_SUPPORTED."
PREMISES = ("The old baker closed the heavy door.", "The small dog slept in the warm kitchen.", "A tall man is happy.")


def claims(folder: Path) -> Path:
    """Pairs that are as easy for word overlap as they can be."""
    path = folder / "claims.csv"
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["premise", "hypothesis", "label"])
        for number in range(18):
            premise = PREMISES[number % 3].replace("The", f"In {1900 + number} the")
            rows.writerow([premise, premise, "SUPPORTED"])
            rows.writerow([premise, "Nobody has ever read a book.", "NOT_SUPPORTED"])
    return path


def overlaps(pairs: list[tuple[str, str]]) -> list[str]:
    """Answers in the corpus's names: supported if most words occur."""
    found = []
    for premise, hypothesis in pairs:
        words = hypothesis.lower().split()
        shared = sum(word in premise.lower().split() for word in words)
        found.append("SUPPORTED" if 2 * shared > len(words) else "NOT_SUPPORTED")
    return found


def three_way(pairs: list[tuple[str, str]]) -> list[dict[str, float]]:
    """A model with three labels that never says non-entailment."""
    return [
        {"entailment": 0.4, "neutral": 0.35, "contradiction": 0.25}
        if said == "SUPPORTED"
        else {"entailment": 0.1, "neutral": 0.5, "contradiction": 0.4}
        for said in overlaps(pairs)
    ]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> RunRecord:
    """A run of both models on families with two labels and with three."""
    folder = tmp_path_factory.mktemp("two")
    return package.run(
        package.read(claims(folder), labels=NAMES),
        families=["antonymy", "negation"],
        models={"two": overlaps, "three": three_way},
        out=folder / "runs",
    )


def test_families_are_judged_as_their_source_pairs_are(made: RunRecord) -> None:
    assert made.spec.two_way is None
    assert made.label_space.is_binary
    assert made.suites["stress"].counts["antonymy"].keys() == {"contradiction"}
    labels = {e.slice["label"] for e in made.estimates if "label" in e.slice}
    answers = {e.slice["answer"] for e in made.estimates if "answer" in e.slice}
    assert labels == answers == {"entailment", "non-entailment"}
    by_model = made.find("accuracy", by=("model", "family"))
    families = {family for _, family in by_model}
    assert families == {"original", "antonymy", "negation"}
    for family in families:
        assert by_model["object:two", family].value == by_model["object:three", family].value
    assert not made.judgement.two_label_models


def half(pairs: list[tuple[str, str]]) -> list[float]:
    """A support score: the share of words that occur."""
    return [len({*b.split()} & {*a.split()}) / len({*b.split()}) for a, b in pairs]


def test_generated_pairs_with_three_labels_follow_the_corpus_too(tmp_path: Path) -> None:
    corpus = package.read(claims(tmp_path), labels=NAMES)
    record = package.run(
        corpus, families=["quantifiers"], per_subcase=6, models={"mine": half}, out=tmp_path / "runs", cache=False
    )
    assert {label for labels in record.suites["quantifiers"].counts.values() for label in labels} >= {"neutral"}
    assert record.label_space.is_binary


def test_a_corpus_with_two_labels_is_scored_by_two(tmp_path: Path) -> None:
    found = package.score(claims(tmp_path), half)
    assert found.two_way
    assert found.support
    assert package.score(package.read("bundled", limit=30), half).two_way, "one score knows no more than two labels"
    assert not package.score(package.read("bundled", limit=30), three_way).two_way
    with pytest.raises(UserError, match=r"support scores.*\n.*two_way=True") as told:
        package.score(claims(tmp_path), half, two_way=False)
    assert "--" not in str(told.value)


def test_errors_name_options_as_the_user_gives_them(tmp_path: Path, assay: Assay) -> None:
    def fails(pairs: list[tuple[str, str]]) -> list[str]:
        raise RuntimeError("out of order")

    with pytest.raises(ModelError, match="out of order") as told:
        package.score(package.read("bundled", limit=3), fails)
    assert "--debug" not in str(told.value)
    (tmp_path / "checker.py").write_text(
        "def fails(pairs):\n    raise RuntimeError('out of order')\ndef half(pairs):\n    return [0.5] * len(pairs)\n"
    )
    run = ("run", "--limit", "30", "--family", "original")
    assert "See the full error with --debug." in assay(*run, "--model", "python:checker:fails", code=3).stderr
    assert "Leave out --three-way" in assay(*run, "--three-way", "--model", "python:checker:half", code=2).stderr


def test_generated_pairs_follow_the_corpus(made: RunRecord) -> None:
    stress = made.suites["stress"]
    labels = {"entailment": 3, "non-entailment": 3}
    generated = msgspec.structs.replace(
        stress,
        source=msgspec.structs.replace(stress.source, format="heuristics/v1", labels=labels, names=msgspec.UNSET),
        recipes=(Recipe(transform="heuristics/v1", seed=0),),
    )
    spec = made.spec
    assert spec.label_space({"stress": stress, "heuristics": generated}).is_binary
    assert not spec.label_space({"heuristics": generated}).is_binary
    assert not msgspec.structs.replace(spec, two_way=False).label_space({"stress": stress}).is_binary


def test_three_labels_can_be_kept(tmp_path: Path) -> None:
    record = package.run(
        package.read(claims(tmp_path), labels=NAMES),
        families="antonymy",
        models={"three": three_way},
        two_way=False,
        out=tmp_path / "runs",
    )
    assert not record.label_space.is_binary
    labels = {e.slice["label"] for e in record.estimates if "label" in e.slice}
    assert labels == {"entailment", "non-entailment", "contradiction"}


def test_a_three_way_corpus_can_be_judged_by_two(tmp_path: Path) -> None:
    corpus = package.read("bundled", limit=30)
    both = {
        two_way: package.run(
            corpus, families="negation", models={"m": lambda pairs: ["neutral"] * len(pairs)}, two_way=two_way,
            out=tmp_path / "runs",
        )
        for two_way in (True, None)
    }  # fmt: skip
    shares = {way: run.find("accuracy", by=["family"])[("original",)].value for way, run in both.items()}
    assert shares == {True: pytest.approx(2 / 3), None: pytest.approx(1 / 3)}
    (verdict,) = both[True].judgement.verdicts
    assert verdict.source is not None
    assert verdict.source.chance == pytest.approx(2 / 3)
    found = package.compare(both[None], both[True])
    assert "was judged by two labels in" in found.notes[0]
    assert found.comparisons[0].slices[0].candidate == pytest.approx(2 / 3)
    view = view_of([both[None], both[True]])
    assert len(view.suites) == 2
    assert view.binary_suites == {f"stress in {both[True].id}"}


def test_rules_take_the_users_names(made: RunRecord) -> None:
    found = package.gate(made, rules=["original.SUPPORTED.accuracy>=0.9", "original.label=NOT_SUPPORTED.accuracy>=0.9"])
    ours = package.gate(made, rules=["original.entailment.accuracy>=0.9"])
    assert found.passed
    assert found.rules[0].value == ours.rules[0].value
    assert found.binary_suites == ("stress",)
    with pytest.raises(UserError, match=r"no family, label or group 'SUPORTED'; did you mean 'SUPPORTED'"):
        package.gate(made, rules=["original.SUPORTED.accuracy>=0.9"])


@pytest.mark.parametrize("to", ["html", "md", "latex", "csv", "json"])
def test_every_format_says_how_it_was_judged(made: RunRecord, to: Format) -> None:
    (content,) = write_report(view_of([made]), to).values()
    text = content.decode().replace("\\", "").replace("{}", "")
    assert ("judged" if to in ("csv", "json") else SENTENCE) in text
    assert text.count(SENTENCE) <= 1 or to == "latex"  # in an article, each table stands alone
    assert "NOT_SUPPORTED" in text
    if to not in ("json", "html"):  # JSON has our names beside the user's, the page its charts' own code
        assert not re.search(r"\bnon-entailment\b", text)


def test_the_terminal_and_a_gate_say_it_once(made: RunRecord) -> None:
    assert drawn(full_summary(made), width=400).count(SENTENCE) == 1
    assert drawn(figure_summary(made, ["accuracy", "confusion"]), width=400).count(SENTENCE) == 1
    gate = package.gate(made, rules=["original.accuracy>=0"])
    several = msgspec.structs.replace(gate, binary_suites=("stress", "heuristics", "scope"))
    assert [each for each in annotations(several) if SENTENCE in each] == [f"::notice title=assay gate::{SENTENCE}"]
    assert drawn(gate_summary(several), width=400).count(SENTENCE) == 1


def test_examples_show_the_users_names(made: RunRecord) -> None:
    (failed, *_) = failures(made, 1, families=["antonymy"], models=["object:three"])
    assert failed.case.label is Label.CONTRADICTION
    assert failed.answers["object:three"].label is Label.ENTAILMENT
    page = write_report(view_of([made]), "html")["report.html"].decode()
    assert "Right: <b>NOT_SUPPORTED</b>" in page
    assert "Right: <b>contradiction</b>" not in page


def test_nothing_published_stands_beside_an_easier_task(made: RunRecord) -> None:
    assert "Published numbers" not in write_report(view_of([made]), "md")["report.md"].decode()


def test_a_family_of_one_label_is_calibrated_by_two_as_well() -> None:
    encoder = Encoder(LabelSpace(labels=TWO_LABELS.labels, collapse="sum"))
    board = SuiteMetrics(["m"], suite="s", encoder=encoder)
    shares = LabelProbabilities(entailment=0.4, neutral=0.35, contradiction=0.25)
    cases = [case(number, family="antonymy", label=Label.CONTRADICTION) for number in range(4)]
    said = [AnswerRow(id=each.id, label=Label.ENTAILMENT, probabilities=shares) for each in cases]
    board.add(encoder.cases(cases), answer_columns([said]))
    found = {e.name: e.value for e in board.estimates() if {*e.slice} == {"model", "suite", "family"}}
    assert found["accuracy"] == 1.0  # 0.6 is more than 0.4
    assert found["calibration-error"] == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("labels", "format", "two_way"),
    [
        ({"entailment": 3, "non-entailment": 3}, "pairs/v1", True),
        ({"entailment": 3, "non-entailment": 3}, "heuristics/v1", False),
        ({"entailment": 3, "neutral": 3}, "pairs/v1", False),
        ({"neutral": 1, "non-entailment": 3}, "pairs/v1", False),
    ],
)
def test_a_corpus_with_two_labels_makes_a_two_way_suite(labels: dict[str, int], format: str, two_way: bool) -> None:  # noqa: A002
    source = Source(name="x", format=format, digest="", rows=6, pairs=6, labels=labels, skipped={})
    recipe = Recipe(transform="heuristics/v1", seed=0)
    manifest = Manifest(
        source=source,
        recipes=(recipe,),
        seed=0,
        storage="jsonl",
        cases=6,
        counts={"heuristics": labels},
        skips={},
        digest="",
        file_digest="",
        versions={},
    )
    assert manifest.label_space.is_binary is two_way


def test_the_whole_way_from_the_command_line(tmp_path: Path, assay: Assay) -> None:
    claims(tmp_path)
    labels = ",".join(f"{own}={label}" for own, label in NAMES.items())
    (tmp_path / "model.py").write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    asked = json.loads(line)\n"
        "    same = asked['premise'].split()[-1] == asked['hypothesis'].split()[-1]\n"
        "    print(json.dumps('SUPPORTED' if same else 'NOT_SUPPORTED'), flush=True)\n"
    )
    built = assay("build", "original", "antonymy", "--from", "claims.csv", "--labels", labels, "--out", "suite")
    assert SENTENCE in built.stdout
    assert "NOT_SUPPORTED" in built.stdout
    run = ("run", "--suite", "suite", "--model", "cmd:python3 model.py", "--model", "assay:overlap", "--out", "runs")
    done = assay(*run)
    assert SENTENCE in " ".join(done.stdout.split())
    assert "right: NOT_SUPPORTED" in " ".join(assay("show", "runs", "--failures", 3).stdout.split())
    assay("gate", "runs", "--rule", "original.SUPPORTED.accuracy>=0.9")
    shown = assay("compare", "runs", "--model", "overlap", "--model", "cmd:python3 model.py").stdout
    assert SENTENCE in " ".join(shown.split())
    noted = assay("export", "suite", "--to", "csv", "--out", "suite.csv").stderr
    assert "--three-way keeps them apart" in noted
    with (tmp_path / "suite.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["label"] for row in rows} == {*NAMES}
    answers = [{"id": row["id"], "label": row["label"]} for row in rows]
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in answers))
    scored = json.loads(assay("score", "suite", "answers.jsonl", "--json").stdout)
    assert scored["two_way"] is True
    assert {e["value"] for e in scored["estimates"] if e["name"] == "accuracy"} == {1.0}
    assert len(Suite.open(tmp_path / "suite")) == len(rows)


def test_a_classifier_may_name_its_outputs_as_the_corpus_does(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    order = (Label.NON_ENTAILMENT, Label.ENTAILMENT)
    folder = tiny_classifier.save(tmp_path / "model", order=order, names=["INVENTED", "GROUNDED"])
    model = HuggingFace(what=str(folder))
    with pytest.raises(ModelError, match=r"does not name its outputs \(INVENTED, GROUNDED\)"):
        model.open().predict([case()])
    named = model.with_names({"INVENTED": "non-entailment", "GROUNDED": "entailment"})
    assert named.with_names({"yes": "neutral"}).names == named.names
    (answer,) = named.open().predict([case()])
    assert answer.probabilities is not None
    assert {*answer.probabilities} == {*order}


def test_a_models_own_names_come_before_those_of_the_corpus() -> None:
    own = PythonFunction(lambda pairs: ["yes"] * len(pairs), names={"yes": "neutral"}, version="1")
    assert own.with_names({"yes": "entailment"}).predict([case()])[0].label is Label.NEUTRAL
    plain = PythonFunction(lambda pairs: ["yes"] * len(pairs), name="m", version="1")
    with pytest.raises(ModelError, match=r"'yes' is not a label; .* the option names"):
        plain.predict([case()])
    first, second = (plain.with_names({"yes": label}) for label in ("entailment", "neutral"))
    assert second.predict([case()])[0].label is Label.NEUTRAL
    assert len({plain.identity, first.identity, second.identity}) == 3


def test_the_notebooks_heading_says_it(made: RunRecord) -> None:
    assert "judged by two labels: stress" in made._repr_html_()
    assert "judged by two labels" in repr(made)


def test_the_pytest_plugin_judges_by_two(tmp_path: Path) -> None:
    suite = package.build(
        ["original", "antonymy"], package.read(claims(tmp_path), labels=NAMES), out=tmp_path / "suite"
    )
    (tmp_path / "checker.py").write_text(
        "def check(pairs):\n    return ['SUPPORTED' if b.split()[-1] in a else 'NOT_SUPPORTED' for a, b in pairs]\n"
    )
    words = ["--assay-model", "python:checker:check", "--assay-suite", str(suite.folder), "-p", "no:cacheprovider"]
    rules = ["--assay-rule", "original.SUPPORTED.accuracy>=0.9", "--assay-rule", "antonymy.NOT_SUPPORTED.accuracy>=0.9"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", *words, *rules], cwd=tmp_path, capture_output=True, text=True
    )
    assert "1 failed, 1 passed" in done.stdout, done.stdout + done.stderr
    assert SENTENCE in done.stdout
    assert "right: NOT_SUPPORTED; python:checker:check: SUPPORTED" in done.stdout


def test_the_sentence_is_that_of_the_names() -> None:
    assert two_way_words().startswith("Judged by two labels, entailment and non-entailment")
