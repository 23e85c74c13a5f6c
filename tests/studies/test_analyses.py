"""The papers' analyses on small runs whose figures can be worked out by hand."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

import assay
from assay.core.errors import BadInputError, UserError
from assay.core.estimate import Estimate
from assay.core.label import Label
from assay.core.pair import Pair
from assay.core.run_record import CorpusReading, RunRecord
from assay.models.systems.system_card import MAKING
from assay.run.workers.pool import quiet
from assay.studies.analyses.analysis_list import ANALYSES
from assay.studies.analyses.analysis_options import AnalysisOptions
from assay.studies.analyses.analysis_result import Analysis
from assay.studies.analyses.antonyms import analyse_antonyms
from assay.studies.analyses.directions import analyse_directions
from assay.studies.analyses.epochs import analyse_epochs
from assay.studies.analyses.error_causes import analyse_errors, find_cues
from assay.studies.analyses.numbers import analyse_numbers
from assay.studies.analyses.prediction_of_failure import analyse_prediction
from assay.studies.analyses.subcases import analyse_subcases
from assay.studies.analyses.swap_training import analyse_swap
from assay.studies.analyses.word_pairs import analyse_frequency, analyse_similarity, count_in
from assay.training.train_system import TrainingProvenance
from assay.training.training_corpus import PairCounts, TrainSpec

E, N, C = Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION

Told = Callable[[Sequence[tuple[str, str]]], list[str]]


def told(answers: Mapping[str, Label], other: Label = N) -> Told:
    """A model that answers by the hypothesis."""
    return lambda pairs: [answers.get(hypothesis, other).value for _, hypothesis in pairs]


def pair(number: int, premise: str, hypothesis: str, label: Label, **group: str) -> Pair:
    return Pair(id=f"p{number}", premise=premise, hypothesis=hypothesis, label=label, group=group)


def figure(found: Analysis, name: str, **where: str) -> Estimate:
    """The only figure of this name whose slice has all of this."""
    [each] = [each for each in found.estimates if each.name == name and where.items() <= each.slice.items()]
    return each


COLOURS = [
    pair(1, "A red hat is here.", "A blue hat is here.", C, category="colors"),
    pair(2, "A red coat is here.", "A blue coat is here.", C, category="colors"),
    pair(3, "A hot soup is here.", "A cold soup is here.", C, category="antonyms"),
    pair(4, "A hot tea is here.", "A fine cold coffee is here.", C, category="antonyms"),
    pair(5, "A red car is here.", "A car is here.", E, category="colors"),
]
SAID = {"A blue hat is here.": C, "A cold soup is here.": C, "A car is here.": C}
TRAINING = [
    *(pair(number, f"The red cup {number}.", f"The blue cup {number}.", C) for number in range(6)),
    pair(10, "The hot meal.", "The cold meal.", E),
    pair(11, "A cup.", "The cold cup.", N),
]


@pytest.fixture(scope="module")
def colours(tmp_path_factory: pytest.TempPathFactory) -> RunRecord:
    folder = tmp_path_factory.mktemp("colours")
    return assay.run(COLOURS, families="original", models={"m": told(SAID), "n": told({}, C)}, out=folder)


def test_directions_are_shares_of_errors(colours: RunRecord) -> None:
    found = analyse_directions(colours, models=["m"])
    # m errs three times: twice it answers neutral to a contradiction, once contradiction to an entailment.
    assert figure(found, "false-neutral").value == pytest.approx(2 / 3)
    assert figure(found, "false-neutral").n == 3
    assert figure(found, "direction", label="contradiction", answer="neutral").value == pytest.approx(2 / 3)
    assert figure(found, "direction", label="entailment", answer="contradiction").value == pytest.approx(1 / 3)
    assert figure(found, "rate", label="entailment", answer="contradiction").value == pytest.approx(1 / 5)


def test_an_analysis_is_computed_through_its_entry(colours: RunRecord) -> None:
    assert colours.folder
    entry, options = ANALYSES["directions"], AnalysisOptions(models=("m",))
    found = entry.compute([colours.folder], options, quiet)
    assert found.estimates == analyse_directions(colours, models=["m"]).estimates
    assert entry.tables(found)


def test_a_run_judged_by_two_labels_has_no_directions(tmp_path: Path) -> None:
    record = assay.run(COLOURS, families="original", models={"m": told(SAID)}, out=tmp_path, two_way=True)
    with pytest.raises(UserError, match="--three-way"):
        analyse_directions(record)


def test_accuracy_by_training_contradictions(colours: RunRecord) -> None:
    found = analyse_frequency(colours, TRAINING)
    # red and blue are in six contradictions; hot and cold are in none, though an entailment has both.
    assert figure(found, "accuracy", model="object:m", together="5-9").value == 0.5
    assert figure(found, "accuracy", model="object:m", together="0").value == 1.0
    assert figure(found, "accuracy", model="object:n", together="5-9").value == 1.0
    assert figure(found, "pairs", together="5-9").value == 1
    assert figure(found, "accuracy", model="object:m", word="1-9").n == 3
    assert figure(found, "most training pairs of a new word").value == 6
    assert figure(found, "least training pairs of a new word").value == 2
    assert "1 that differ otherwise" in found.notes[0]


def test_accuracy_by_cosine(colours: RunRecord, tmp_path: Path) -> None:
    ones = {"red": [1.0] * 10, "blue": [1.0] * 10, "hot": [1.0] * 5 + [0.0] * 5, "cold": [0.0] * 5 + [1.0] * 5}
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("".join(f"{word} {' '.join(map(str, values))}\n" for word, values in ones.items()))
    found = analyse_similarity(colours, vectors, models=["m"])
    assert figure(found, "accuracy", cosine="0.9-1.0").value == 0.5
    assert figure(found, "accuracy", cosine="below 0.5").value == 1.0
    interval = figure(found, "accuracy", cosine="0.9-1.0")
    assert (interval.low, interval.high) != (None, None)


def test_a_run_without_replaced_words_says_what_to_do(tmp_path: Path) -> None:
    record = assay.run(
        [pair(1, "A man sleeps.", "It rains.", N)], families="original", models={"m": told({})}, out=tmp_path
    )
    with pytest.raises(UserError, match="assay run --family lexical"):
        analyse_frequency(record, TRAINING)
    with pytest.raises(UserError, match=r"no antonymy cases; it has original\.\n.*assay run --family antonymy"):
        analyse_antonyms(record, TRAINING)
    with pytest.raises(UserError, match="assay run --family numeracy"):
        analyse_numbers(record)
    with pytest.raises(UserError, match="assay run --family heuristics"):
        analyse_subcases(record)
    with pytest.raises(UserError, match="assay train SYSTEM --swap"):
        analyse_swap(record)


def test_antonyms_that_training_contradicts(tmp_path: Path) -> None:
    pairs = [pair(1, "The war ended.", "It rains.", N), pair(2, "The success was clear.", "It rains.", N)]
    suite = assay.build("antonymy", pairs, out=tmp_path / "suite", switches={"fidelity": "code"})
    cases = {case.id: (case.premise, case.hypothesis) for case in suite}
    assert len(cases) == 2, cases
    knows = {hypothesis: C for _, hypothesis in cases.values() if "peace" in hypothesis}
    training = [pair(9, "There is peace.", "There is war.", C)]
    models = {"one": told(knows, E), "two": told(knows, N)}
    found = analyse_antonyms(assay.run(suites={"s": suite.folder}, models=models, out=tmp_path / "runs"), training)
    assert figure(found, "seen", pairs="easy").value == 1.0
    assert figure(found, "seen", pairs="hard").value == 0.0
    assert figure(found, "cases", pairs="easy").value == figure(found, "cases", pairs="hard").value == 1
    assert figure(found, "accuracy", model="object:one", together="1-4").value == 1.0
    assert figure(found, "accuracy", model="object:one", relation="noun").value == 0.5
    assert figure(found, "training", model="object:two").value == 1.0


def test_errors_about_numbers_that_models_share(tmp_path: Path) -> None:
    pairs = [pair(1, "Ann paid 40 coins for 1 hat .", "It rains .", N)]
    suite = assay.build("numeracy", pairs, out=tmp_path / "suite", switches={"fidelity": "code"})
    labels = {case.hypothesis: case.compared_with for case in suite}
    assert sorted(labels.values()) == [C, E, N]
    run = assay.run(suites={"s": suite.folder}, models={"one": told({}, E), "two": told({}, E)}, out=tmp_path / "runs")
    found = analyse_numbers(run, models=["one", "two"])
    # Both answer entailment: wrong on the contradiction and the neutral case, in the same way.
    assert figure(found, "false-entailment").value == 1.0
    assert figure(found, "false-entailment").n == 2
    assert figure(found, "direction", label="neutral", answer="entailment").value == 0.5
    assert figure(found, "shared", kind="a bound in the premise only").value == 1.0
    assert figure(found, "shared", kind="another number with a bound").value == 0.0


def test_cues_explain_the_answer_that_they_mislead_to() -> None:
    assert find_cues("The cat sees the dog.", "The dog sees the cat.", N) == {"word overlap": frozenset({E})}
    assert "word overlap" not in find_cues("The cat sees the dog.", "The dog sees the cat.", E)
    assert E not in find_cues("Nothing much happened there.", "People ran away.", E)["word overlap"]
    assert "numerical reasoning" in find_cues("There were cats.", "There were 12 cats.", N)
    assert "length mismatch" in find_cues("word " * 30, "The word.", N)


def test_errors_by_cue_and_by_people(tmp_path: Path) -> None:
    pairs = [
        pair(1, "The cat sees the dog.", "The dog sees the cat.", N),
        pair(2, "The man hears the boy.", "The boy hears the man.", N),
        pair(3, "Rain fell.", "People walked home.", N),
    ]
    record = assay.run(pairs, families="original", models={"m": told({"The boy hears the man.": N}, E)}, out=tmp_path)
    line = {
        "id": "original/v1:p1",
        "premise": "The cat sees the dog.",
        "hypothesis": "The dog sees the cat.",
        "gold_label": "neutral",
        "answer": "entailment",
        "category": "word overlap",
        "annotator_categories": ["word overlap"],
        "votes": {"word overlap": 1},
        "group": {},
    }
    sorted_errors = tmp_path / "sorted.jsonl"
    sorted_errors.write_text(json.dumps(line) + "\n")
    found = analyse_errors(record, annotated=sorted_errors)
    assert figure(found, "explained", cue="word overlap").value == 0.5
    assert figure(found, "explained", cue="unknown").value == 0.5
    assert figure(found, "with", cue="word overlap").value == 0.5
    assert figure(found, "without", cue="word overlap").value == 1.0
    assert figure(found, "annotated", cue="word overlap").value == 1.0
    assert figure(found, "cue there", cue="word overlap").value == 1.0
    sorted_errors.write_text("{}\n")
    with pytest.raises(UserError, match="assay annotate sample"):
        analyse_errors(record, annotated=sorted_errors)


def test_subcases_for_each_label(tmp_path: Path) -> None:
    group = {"heuristic": "lexical_overlap", "subcase": "ln_passive"}
    pairs = [
        pair(1, "The judge was seen by the actor.", "The judge saw the actor.", Label.NON_ENTAILMENT, **group),
        pair(2, "The actor was seen by the judge.", "The actor saw the judge.", Label.NON_ENTAILMENT, **group),
    ]
    record = assay.run(pairs, families="original", models={"m": told({"The judge saw the actor.": E})}, out=tmp_path)
    found = analyse_subcases(record, train=assay.read("bundled", limit=30))
    assert figure(found, "accuracy", subcase="ln_passive", label="non-entailment").value == 0.5
    assert figure(found, "accuracy", heuristic="lexical_overlap", label="non-entailment").n == 2
    assert {each.slice["heuristic"] for each in found.estimates if each.name == "support"} == {
        "lexical_overlap",
        "subsequence",
    }


def test_prediction_over_models(tmp_path: Path) -> None:
    pairs = [pair(number, f"Cat {number} sleeps.", f"Animal {number} sleeps.", E) for number in range(5)]
    elsewhere = [pair(number, f"Dog {number} runs.", f"Beast {number} runs.", E) for number in range(5)]
    stress = assay.build("negation", pairs, out=tmp_path / "stress")
    target = assay.build("original", elsewhere, out=tmp_path / "target")
    # Model k gets the first k cases of the stress test and of the target right.
    models = {
        f"m{right}": told({case.hypothesis: E for suite in (stress, target) for case in list(suite)[:right]}, N)
        for right in range(5)
    }
    suites = {"stress": stress.folder, "target": target.folder}
    record = assay.run(suites=suites, models=models, out=tmp_path / "runs")
    found = analyse_prediction([record], ["target"])
    assert figure(found, "correlation", family="negation").value == pytest.approx(1.0)
    assert figure(found, "correlation", family="negation").n == 5
    with pytest.raises(UserError, match="No suite 'targt'"):
        analyse_prediction([record], ["targt"])


def test_prediction_over_runs_and_seeds(tmp_path: Path) -> None:
    suites = {
        name: assay.build(
            "original", [pair(n, f"A {name} {n}.", f"{name} {n}!", E) for n in range(5)], out=tmp_path / name
        )
        for name in ("stress", "target")
    }

    def asked(right: Mapping[str, int], **used: assay.Suite) -> assay.RunRecord:
        models = {
            name: told({case.hypothesis: E for suite in used.values() for case in list(suite)[:count]}, N)
            for name, count in right.items()
        }
        folders = {name: suite.folder for name, suite in used.items()}
        return assay.run(suites=folders, models=models, out=tmp_path / "runs")

    runs = [asked({"a@1": 1, "a@2": 2, "b": 3}, **suites), asked({"c": 4, "d": 5}, **suites)]
    found = analyse_prediction(runs, ["target"])
    assert figure(found, "correlation", family="original").n == 4
    assert found.notes == ("5 models of 4 systems.",)
    few = [pair(7, "Cats sleep.", "Cats do.", E)]
    several = assay.build(["negation", "word-overlap"], few, out=tmp_path / "several")
    with pytest.raises(UserError, match="'several' has several families"):
        analyse_prediction([*runs, asked({"a@1": 1}, several=several)], ["several"])
    only = assay.build("negation", few, out=tmp_path / "only")
    answers = asked({"a@1": 0, "a@2": 1, "b": 0, "c": 1, "d": 1}, only=only)
    assert figure(analyse_prediction([*runs, answers], ["only"]), "correlation", suite="stress").n == 4
    other = assay.build("original", [pair(9, "A different pair.", "Really!", E)], out=tmp_path / "other")
    with pytest.raises(UserError, match="The suite 'stress' of run"):
        analyse_prediction([*runs, asked({"e": 1}, stress=other)], ["target"])


def trained(folder: Path, answers: Mapping[str, Sequence[Label]], epochs: int, **how: Any) -> Path:
    """A folder like that of a trained system with answers by epoch, to a suite called `suite`."""
    spec = TrainSpec(
        system="cbow/v1",
        preset="tiny",
        sources=(CorpusReading(source="x"),),
        rates=(1.0,),
        dev=CorpusReading(source="y"),
        **how,
    )
    made = TrainingProvenance(
        spec=spec,
        seed=0,
        data=PairCounts(pairs=0, labels={}, sources={}, swapped=0),
        digests={},
        accuracy=0.5,
        epochs=epochs,
        stopped="",
        parameters=1,
        versions={},
    )
    (folder / "predictions" / "suite").mkdir(parents=True)
    (folder / MAKING).write_bytes(msgspec.json.encode(made))
    for epoch in range(epochs):
        lines = [{"id": id_, "label": said[epoch]} for id_, said in answers.items()]
        path = folder / "predictions" / "suite" / f"epoch-{epoch + 1}.jsonl"
        path.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    return folder


def test_errors_that_stay_over_epochs(tmp_path: Path) -> None:
    pairs = [pair(number, f"Cat {number}.", f"Animal {number}.", E) for number in range(4)]
    suite = assay.build("original", pairs, out=tmp_path / "suite")
    ids = [case.id for case in suite]
    one = trained(tmp_path / "one", dict(zip(ids, ([N, N], [N, E], [E, E], [E, E]), strict=True)), 2)
    two = trained(
        tmp_path / "two", dict(zip(ids, ([C, C], [E, E], [C, C], [E, E]), strict=True)), 2, swap=0.5, regularise="logic"
    )
    found = analyse_epochs([one, two], suite.folder, most=2)
    assert figure(found, "accuracy", model="cbow@0", epoch="1").value == 0.5
    assert figure(found, "accuracy", model="cbow@0", epoch="2").value == 0.75
    assert figure(found, "agreement", model="cbow@0", epoch="2").value == 0.75
    assert figure(found, "accuracy", model="cbow@0, 50% swapped, rules of logic", epoch="1").value == 0.5
    # The first errs on cases 0 and 1, the second on 0 and 2.
    assert figure(found, "common").value == 1
    assert figure(found, "by chance").value == 1
    assert figure(found, "direction", model="cbow@0", label="entailment", answer="neutral").value == 1.0
    with pytest.raises(UserError, match="Train it with --suite"):
        analyse_epochs([trained(tmp_path / "none", {}, 0)], suite.folder)
    stored = two / "predictions" / "suite" / "epoch-2.jsonl"
    stored.write_bytes(stored.read_bytes()[:-5])
    with pytest.raises(BadInputError, match=r"epoch-2.jsonl:4: not a prediction"):
        analyse_epochs([one, two], suite.folder)


def test_training_is_read_once_and_only_what_is_wanted_is_kept() -> None:
    seen = count_in(iter(TRAINING), [("red", "blue"), ("cold", "hot")])
    assert seen.contradictions == {("red", "blue"): 6}
    assert seen.examples == {"red": 6, "blue": 6, "hot": 1, "cold": 2}
    assert seen.source.pairs == len(TRAINING)
