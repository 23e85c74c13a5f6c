"""The doors of the house: pairs, models, executors and families of a program, and the fakes, by the real entries."""

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest
from tests.conftest import pair
from tests.fixtures.runs import build, contents, stopping
from tests.house import HOUSE, imported

import assay
from assay import Case, FakeCorpus, FakeModel, Label, Pair, Prediction, Skip
from assay.core.case import Answer, Recipe
from assay.core.manifest import Source
from assay.core.pair import Problem
from assay.core.protocols import Cost, Ready, Texts
from assay.core.run_record import FromPairs, RunSpec
from assay.reports.repeat_command import command_of
from assay.run.stored_run import open_run

LABELS = (Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION)
PAIRS = [
    pair(number, premise=f"Clerk {number} filed two letters.", hypothesis="Somebody filed letters.", label=label)
    for number, label in enumerate(LABELS * 8)
]
Transforms = assay.registry.Registry[Any]
QUICK: dict[str, Any] = {"families": ["negation", "spelling:keyboard"]}


class Ours:
    """A corpus with all that the protocol asks for."""

    name = "ours"
    problems: Sequence[Skip] = (Skip("no gold label", where="line 3"),)

    def __iter__(self) -> Iterator[Pair]:
        return iter(PAIRS)

    def as_pairs(self, _split: object = None) -> Iterator[Pair]:
        return iter(PAIRS)

    def summary(self) -> Source:
        return Source(name="ours", format="ours/v1", digest="", rows=99, pairs=24, labels={}, skipped={"x": 75})


# --- Pairs. ---

FORMS: dict[str, Callable[[], Iterable[Pair]]] = {
    "list": lambda: PAIRS,
    "tuple": lambda: tuple(PAIRS),
    "generator": lambda: (each for each in PAIRS),
    "fake": lambda: FakeCorpus(PAIRS),
    "corpus": Ours,
}


@pytest.mark.parametrize("form", FORMS)
def test_any_pairs_are_built_and_run(form: str, tmp_path: Path) -> None:
    (tmp_path / "pairs.jsonl").write_bytes(b"\n".join(map(msgspec.json.encode, PAIRS)))
    read = assay.build(["original", *QUICK["families"]], tmp_path / "pairs.jsonl", out=tmp_path / "read")
    suite = assay.build(["original", *QUICK["families"]], FORMS[form](), out=tmp_path / "suite")
    assert suite.manifest.digest == read.manifest.digest
    assay.verify(suite.folder)
    record = assay.run(FORMS[form](), models="assay:overlap", out=tmp_path / "runs", **QUICK)
    assert record.suites["stress"].digest == read.manifest.digest
    assert record.suites["stress"].source.name == suite.manifest.source.name == getattr(FORMS[form](), "name", "pairs")


def test_a_corpus_says_itself_what_was_read(tmp_path: Path) -> None:
    source = assay.build("original", Ours(), out=tmp_path / "suite").manifest.source
    assert (source.name, source.format, source.rows, source.skipped) == ("ours", "ours/v1", 99, {"x": 75})
    assert "line 3" in (tmp_path / "suite" / "problems.jsonl").read_text()


def test_a_spec_names_pairs_in_memory_by_their_digest(tmp_path: Path) -> None:
    record = assay.run(FakeCorpus(PAIRS, name="mine"), models=[FakeModel()], out=tmp_path, **QUICK)
    spec = record.spec.suites["stress"]
    assert isinstance(spec, FromPairs)
    assert (spec.name, spec.digest) == ("mine", record.suites["stress"].source.digest)
    assert record.suites["stress"].source.labels == {"contradiction": 8, "entailment": 8, "neutral": 8}
    assert msgspec.json.decode(msgspec.json.encode(record.spec), type=RunSpec) == record.spec
    assert open_run(tmp_path / record.id) == record
    assert "-mine-" in record.id
    other = assay.run(PAIRS[::-1], models=[FakeModel()], out=tmp_path, **QUICK).spec.suites["stress"]
    assert isinstance(other, FromPairs)
    assert other.digest != spec.digest
    assert command_of(record.spec).startswith("# made by assay.run(...) in Python, with the pairs 'mine'")


@pytest.mark.parametrize("verb", ["build", "run", "score"])
@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        ([], "There are no pairs in pairs"),
        ([{"premise": "x"}], "no known format has the columns .premise."),
        ([PAIRS[0], PAIRS[1], PAIRS[0]], "Two pairs of pairs have the id 'p0'"),
        ([PAIRS[0], pair(2, premise=3)], "Pair 2 of pairs can't be used: Expected `str`, got `int`"),
        ([pair(label="maybe")], "Invalid enum value 'maybe'"),
        (7, "A corpus is a file, a name, a table or pairs, but this has type int"),
    ],
)
def test_what_is_no_corpus(verb: str, pairs: Any, said: str, tmp_path: Path) -> None:
    calls: dict[str, Callable[[], object]] = {
        "build": lambda: assay.build("original", pairs, out=tmp_path / "suite"),
        "run": lambda: assay.run(pairs, models=[FakeModel()], out=tmp_path / "runs", **QUICK),
        "score": lambda: assay.score(pairs, FakeModel()),
    }
    with pytest.raises(assay.UserError, match=said):
        calls[verb]()
    assert list(tmp_path.iterdir()) == []


def test_a_suite_that_was_just_built_can_be_run(tmp_path: Path) -> None:
    suite = assay.build("original", PAIRS, out=tmp_path / "suite")
    for suites in ([suite], {"suite": suite}, [suite.folder]):
        record = assay.run(suites=suites, models=[FakeModel()], out=tmp_path / "runs")
        assert record.suites == {"suite": suite.manifest}


# --- Models. ---


def all_neutral(pairs: list[tuple[str, str]]) -> list[str]:
    return ["neutral"] * len(pairs)


class Neutral:
    """Looks at cases, and can travel to workers."""

    def predict(self, cases: Sequence[Case]) -> list[Prediction]:
        return [Prediction(id=case.id, label=Label.NEUTRAL) for case in cases]


class Stuck(Neutral):
    """Can't travel."""

    def __init__(self) -> None:
        self.lock = threading.Lock()


class Encoder:
    """Encodes each text alone."""

    identity = ""
    budget = 1000

    def ready_texts(self, texts: Sequence[str]) -> list[Ready]:
        return [Ready(text) for text in texts]

    def encode(self, batch: Sequence[Ready], *, width: int) -> Any:
        return np.array([[len(each.content)] for each in batch], dtype=np.float32)

    def judge(self, premises: Any, hypotheses: Any) -> list[Answer]:
        return [Answer(label=Label.NEUTRAL) for _ in premises]


class Remote:
    """Is asked pair by pair."""

    identity = ""
    concurrency = 2

    def estimate(self, pairs: Iterable[Texts]) -> Cost:
        calls = len([*pairs])
        return Cost(calls, f"{calls} calls")

    def answer_one(self, pair: Texts) -> Answer:
        return Answer(label=Label.NEUTRAL)


class Pupil:
    """Learns the most frequent label of the original pairs."""

    def fit(self, cases: Iterable[Case]) -> FakeModel:
        labels = [case.label for case in cases]
        assert len(labels) == len(PAIRS)
        return FakeModel(Label.NEUTRAL)


class Settings(msgspec.Struct, frozen=True):
    """Opens a model."""

    what: str = "neutral"

    def open(self) -> FakeModel:
        return FakeModel(Label(self.what))


OBJECTS: dict[str, Any] = {
    "function": all_neutral,
    "lambda": lambda pairs: [{"neutral": 0.8, "entailment": 0.1, "contradiction": 0.1} for _ in pairs],
    "wrapped function": assay.PythonFunction(all_neutral, batch=3),
    "object": Neutral(),
    "class": Neutral,
    "fake": FakeModel(Label.NEUTRAL),
    "sentence model": Encoder(),
    "endpoint": Remote(),
    "learner": Pupil(),
    "settings": Settings(),
}


def accuracies(record: assay.RunRecord, model: str) -> dict[str, float | None]:
    return {
        e.slice["family"]: e.value
        for e in record.estimates
        if e.name == "accuracy" and e.slice == {**e.slice, "model": model} and len(e.slice) == 3
    }


@pytest.mark.parametrize("kind", OBJECTS)
def test_any_object_can_be_a_model(kind: str, tmp_path: Path) -> None:
    record = assay.run(PAIRS, models={"mine": OBJECTS[kind]}, out=tmp_path, **QUICK)
    assert [each.model for each in record.models] == list(record.spec.models) == ["object:mine"]
    assert accuracies(record, "object:mine") == dict.fromkeys(["original", "negation", "spelling"], 1 / 3)
    worst = assay.failures(tmp_path / record.id, 1, models="mine")
    assert {each.answers["object:mine"].label for each in worst} == {Label.NEUTRAL}


def test_names_and_objects_sit_on_one_bench(tmp_path: Path) -> None:
    fake = FakeModel(answers={"original/v1:p0": Label.CONTRADICTION})
    record = assay.run(PAIRS, models=["assay:overlap", fake, all_neutral], out=tmp_path, **QUICK)
    assert record.spec.models == ("object:FakeModel", "object:all_neutral", "assay:overlap/v1")
    assert len(fake.asked) == len(set(fake.asked)) == record.suites["stress"].cases
    (answers,) = [each for each in record.models if each.model == "object:FakeModel"]
    first = (tmp_path / record.id / answers.files["stress"].file).read_bytes().splitlines()[0]
    assert msgspec.json.decode(first, type=Prediction).label is Label.CONTRADICTION
    alone = assay.run(PAIRS, models=all_neutral, out=tmp_path, **QUICK)
    assert alone.spec.models == ("object:all_neutral",)
    assert accuracies(alone, "object:all_neutral") == accuracies(record, "object:all_neutral")


@pytest.mark.parametrize(
    ("models", "said"),
    [
        ({"mine": 3}, "object:mine can't be used as a model: its type is int"),
        ([FakeModel(), FakeModel()], "Two models are called object:FakeModel"),
        (["object:mine"], "was a Python object"),
    ],
)
def test_what_is_no_model(models: Any, said: str, tmp_path: Path) -> None:
    with pytest.raises(assay.UserError, match=said):
        assay.run(PAIRS, models=models, out=tmp_path / "runs", **QUICK)
    assert list(tmp_path.iterdir()) == []


class Wrong:
    """Answers with labels where predictions are due."""

    def predict(self, cases: Sequence[Case]) -> Any:
        return ["neutral" for _ in cases]


class Crooked(Encoder):
    """Judges with labels where answers are due."""

    def judge(self, premises: Any, hypotheses: Any) -> Any:
        return ["neutral" for _ in premises]


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (Wrong(), "object:mine must answer with a list of Predictions, not with 'neutral'"),
        (Crooked(), "object:mine must answer with a list of Answers, not with 'neutral'"),
        (lambda pairs: None, "object:mine must return a list with one answer per pair"),
        (lambda pairs: 1 / 0, "object:mine failed: ZeroDivisionError"),
        (
            lambda pairs: [[0.1, 0.2, 0.7]] * len(pairs),
            r'say so: assay.PythonFunction\(..., labels="LABEL,LABEL',
        ),
    ],
)
def test_an_object_that_does_not_answer_as_it_must(model: Any, said: str, tmp_path: Path) -> None:
    with pytest.raises(assay.errors.ModelError, match=said):
        assay.run(PAIRS, models={"mine": model}, out=tmp_path, **QUICK)


class Closing(FakeModel):
    """Remembers that it was closed."""

    closed = False

    def close(self) -> None:
        self.closed = True


class Opening(msgspec.Struct, frozen=True):
    """Opens such a model."""

    what: str
    made: list[Closing]

    def open(self) -> Closing:
        self.made.append(Closing())
        return self.made[0]


def test_who_opens_a_model_closes_it(tmp_path: Path) -> None:
    given, opening = Closing(), Opening("x", [])
    assay.run(PAIRS, models={"given": given, "opened": opening}, out=tmp_path, **QUICK)
    assert (given.closed, opening.made[0].closed) == (False, True)


def test_answers_of_an_object_end_with_the_run(tmp_path: Path) -> None:
    """Unless it says what it is: then they are kept, and an interrupted run goes on."""
    calls: list[int] = []

    def counting(pairs: list[tuple[str, str]]) -> list[str]:
        calls.append(len(pairs))
        return all_neutral(pairs)

    for model, again in ((counting, True), (assay.PythonFunction(counting, version="1"), False)):
        for _ in range(2):
            before = sum(calls)
            assay.run(PAIRS, models={"mine": model}, out=tmp_path, **QUICK)
            asked = sum(calls) - before
        assert bool(asked) is again


class Identified(Neutral):
    """Looks at cases, and says what it is."""

    def __init__(self, identity: str, label: Label) -> None:
        self.identity = identity
        self.label = label
        self.asked = 0

    def predict(self, cases: Sequence[Case]) -> list[Prediction]:
        self.asked += len(cases)
        return [Prediction(id=case.id, label=self.label) for case in cases]


@pytest.mark.parametrize(("before", "after", "kept"), [("", "", False), ("a", "a", True), ("a", "b", False)])
def test_an_interrupted_run_never_takes_the_answers_of_another_object(
    before: str, after: str, kept: bool, tmp_path: Path
) -> None:
    many = [pair(number, label=label) for number, label in enumerate(LABELS * 700)]  # three batches
    with suppress(KeyboardInterrupt):
        first, stage = Identified(before, Label.ENTAILMENT), stopping(after=2, at="Running")
        assay.run(many, families="original", models={"mine": first}, out=tmp_path, stage=stage)
    (aside,) = tmp_path.iterdir()
    built = (aside / "suites" / "stress" / "cases.jsonl").stat().st_mtime_ns
    second = Identified(after, Label.NEUTRAL)
    record = assay.run(many, families="original", models={"mine": second}, out=tmp_path)
    cases = record.suites["stress"].cases
    assert (second.asked < cases) is kept
    assert kept or accuracies(record, "object:mine")["original"] == pytest.approx(1 / 3)
    assert record.models[0].identity == after
    (run,) = tmp_path.iterdir()
    assert (run / "suites" / "stress" / "cases.jsonl").stat().st_mtime_ns == built, "the suite was built again"


def test_an_interrupted_run_never_takes_the_answers_of_another_function(tmp_path: Path) -> None:
    def stopped(pairs: list[tuple[str, str]]) -> list[str]:
        if len(asked) == 2:
            raise KeyboardInterrupt
        asked.append(len(pairs))
        return ["entailment"] * len(pairs)

    asked: list[int] = []
    with pytest.raises(KeyboardInterrupt):
        assay.run(PAIRS, models={"mine": assay.PythonFunction(stopped, batch=10)}, out=tmp_path, **QUICK)
    assert asked == [10, 10]
    record = assay.run(PAIRS, models={"mine": all_neutral}, out=tmp_path, **QUICK)
    assert accuracies(record, "object:mine") == dict.fromkeys(["original", "negation", "spelling"], 1 / 3)


def test_an_object_goes_to_the_workers_if_it_can(tmp_path: Path) -> None:
    one = assay.run(PAIRS, models={"mine": Neutral()}, out=tmp_path / "one", **QUICK)
    two = assay.run(PAIRS, models={"mine": Neutral()}, out=tmp_path / "two", workers=2, **QUICK)
    with pytest.warns(RuntimeWarning, match="object:mine can't be sent to workers .* it runs in this process"):
        three = assay.run(PAIRS, models={"mine": Stuck()}, out=tmp_path / "three", workers=2, **QUICK)
    assert one.models == two.models == three.models
    assert one.estimates == two.estimates == three.estimates


# --- Executors. ---


@pytest.mark.parametrize("kind", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_an_executor_makes_the_same_bytes(kind: type[Any], tmp_path: Path) -> None:
    alone = assay.build(QUICK["families"], PAIRS, out=tmp_path / "alone")
    once = assay.run(PAIRS, models=["assay:majority", Neutral()], out=tmp_path / "once", **QUICK)
    executor: Executor
    with kind(2) as executor:
        shared = build(QUICK["families"], PAIRS, out=tmp_path / "shared", executor=executor, batch=5)
        again = assay.run(
            PAIRS, models=["assay:majority", Neutral()], out=tmp_path / "again", executor=executor, workers=3, **QUICK
        )
        assert executor.submit(int, 3).result() == 3, "a caller's executor was shut down"
    assert contents(alone.folder) == contents(shared.folder)
    assert (once.models, once.estimates, once.suites) == (again.models, again.estimates, again.suites)


class Counting(ThreadPoolExecutor):
    """Counts what it is given."""

    submitted = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        self.submitted += 1
        return super().submit(fn, *args, **kwargs)


def test_an_executor_gets_all_the_work(tmp_path: Path) -> None:
    with Counting(1) as executor:
        build(["original"], PAIRS, out=tmp_path / "suite", executor=executor, batch=5)
    assert executor.submitted == 5


# --- Scoring. ---


@pytest.mark.parametrize("form", [*FORMS, "suite", "folder"])
def test_a_model_is_scored_without_a_run(form: str, tmp_path: Path) -> None:
    suite = assay.build("original", PAIRS, out=tmp_path / "suite")
    sources: dict[str, Callable[[], Any]] = {**FORMS, "suite": lambda: suite, "folder": lambda: suite.folder}
    for kind in ("function", "object", "fake", "learner", "settings"):
        found = assay.score(sources[form](), OBJECTS[kind])
        assert found.estimates[0].value == pytest.approx(1 / 3)
        assert (found.cases, found.answered, found.missing) == (24, 24, 0)


def test_predictions_are_scored_by_id() -> None:
    right = [Prediction(id=each.id, label=each.label) for each in PAIRS]
    assert assay.score(PAIRS, right).estimates[0].value == 1
    assert assay.score(PAIRS, iter(right[:12]), missing="wrong").estimates[0].value == 0.5
    found = assay.score(PAIRS[:12], right)
    assert (found.cases, found.unknown) == (12, 12)


@pytest.mark.parametrize(
    ("predictions", "said"),
    [
        (None, "There are no predictions"),
        (3, "not int"),
        ([Label.NEUTRAL], "one has type Label"),
        ([Prediction(id="p1", label=Label.NEUTRAL)] * 2, "Two predictions are about 'p1'"),
        ([Prediction(id="q1", label=Label.NEUTRAL)], "None of the predictions .* the first id is 'q1'"),
        ([Prediction(id="p1", label=Label.NEUTRAL)], "no answer for 23 of 24 cases"),
    ],
)
def test_what_can_not_be_scored(predictions: Any, said: str) -> None:
    with pytest.raises(assay.UserError, match=said):
        assay.score(PAIRS, predictions)


# --- Families. ---


GENERIC = ("api", "execute", "build/case_builder", "build/case_selection", "build/recipes")


def test_the_generic_build_knows_no_family() -> None:
    for module in GENERIC:
        code = (HOUSE / "run" / f"{module}.py").read_text(encoding="utf-8")
        names = imported(code, package="assay.run")
        families = [name for name in names if name.startswith("assay.stress") and ".across." not in name]
        assert not families, module  # across the pair is a way to build, which several families have


@pytest.fixture
def transforms(monkeypatch: pytest.MonkeyPatch) -> Transforms:
    """The registry, which forgets afterwards what a test registers."""
    known = assay.registry.transforms
    monkeypatch.setattr(known, "_own", dict(known._own))
    monkeypatch.setattr(known, "_objects", dict(known._objects))
    return known


def test_a_class_needs_no_optional_attribute(transforms: Transforms, tmp_path: Path) -> None:
    @transforms.register("bare/v1")
    class Bare:
        """Leaves the pair as it is."""

        def __call__(self, pair: Pair, rng: Random) -> list[assay.Edit] | Skip:
            return [assay.Edit()] if rng.random() < 2 else Skip("never")

    assert assay.protocols.described(Bare, name="bare/v1") == assay.protocols.Traits(family="bare")
    record = assay.run(PAIRS, families="bare", models=[FakeModel()], out=tmp_path)
    assert record.suites["stress"].counts["bare"] == {"contradiction": 8, "entailment": 8, "neutral": 8}


def test_a_function_is_a_family(transforms: Transforms, tmp_path: Path) -> None:
    @transforms.register("yell/v1")
    def yell(pair: Pair, _rng: Random) -> list[assay.Edit] | Skip:
        """Writes the hypothesis in capitals."""
        if pair.label is Label.NEUTRAL:
            return Skip("neutral")
        return [assay.Edit(hypothesis=(assay.Replacement(0, pair.hypothesis, pair.hypothesis.upper()),))]

    suite = assay.build(["yell", "negation"], PAIRS, out=tmp_path / "suite")
    assert suite.manifest.counts["yell"] == {"contradiction": 8, "entailment": 8}
    assert suite.manifest.skips["yell"] == {"neutral": 8}
    with pytest.raises(assay.UserError, match="No switch 'loud'"):
        assay.build("yell", PAIRS, out=tmp_path / "loud", switches={"loud": "yes"})


def test_an_attribute_of_the_wrong_type_is_named(transforms: Transforms, tmp_path: Path) -> None:
    @transforms.register("odd/v1")
    class Odd:
        uses = "wordnet"

        def __call__(self, pair: Pair, rng: Random) -> list[assay.Edit]:
            return [assay.Edit()]

    with pytest.raises(assay.UserError, match=r"'odd/v1' .*Expected `array`, got `str` - at `\$.uses`"):
        assay.build("odd", PAIRS, out=tmp_path / "suite")


class Pool:
    """Pairs that a family brought."""

    name = "pool"
    problems: Sequence[Skip] = ()

    def __init__(self, n: int, seed: int) -> None:
        self.pairs, self.seed = PAIRS[:n], seed

    def __iter__(self) -> Iterator[Pair]:
        return iter(self.pairs)

    def as_pairs(self, _split: object = None) -> Iterator[Pair]:
        return iter(self.pairs)

    def summary(self) -> Source:
        n = len(self.pairs)
        return Source(name="pool", format="bring/v1", digest="", rows=n, pairs=n, labels={}, skipped={})

    def recipe(self) -> Recipe:
        return Recipe(transform="bring/v1", seed=self.seed)


def test_a_family_may_bring_its_pairs(transforms: Transforms, tmp_path: Path) -> None:
    @transforms.register("bring/v1")
    class Bring:
        """Brings its own pairs."""

        def generate(self, per_subcase: int, *, seed: int) -> Pool:
            return Pool(per_subcase, seed)

        def __call__(self, pair: Pair, rng: Random) -> list[assay.Edit]:
            return [assay.Edit()]

    assert isinstance(Pool(1, 0), assay.protocols.GeneratedCorpus)
    suite = assay.build("bring", out=tmp_path / "suite", per_subcase=4, seed=3)
    assert (len(suite), suite.manifest.seed) == (4, 3)
    record = assay.run(
        PAIRS, families=["bring", "negation"], models=[FakeModel()], per_subcase=6, out=tmp_path / "runs"
    )
    assert (record.suites["bring"].cases, record.suites["bring"].source.name) == (6, "pool")
    assert "bring" not in record.suites["stress"].counts


class Halves:
    """Makes two pairs of a problem."""

    def __init__(self) -> None:
        self.skips: Counter[str] = Counter()

    def __call__(self, problem: Problem) -> Iterator[Pair]:
        self.skips["a third half"] += 1
        for half in "ab":
            yield pair(id=f"{problem.id}{half}", premise=problem.question, hypothesis=half)

    def told(self) -> tuple[str, ...]:
        return ("halves were made",)


def test_a_family_may_split_problems(transforms: Transforms, tmp_path: Path) -> None:
    @transforms.register("halve/v1")
    class Halve:
        """Splits problems in its own way."""

        def splitter(self) -> Halves:
            return Halves()

        def __call__(self, pair: Pair, rng: Random) -> list[assay.Edit]:
            return [assay.Edit()]

    problem = {"question": "Ada has 3 hats. How many?", "options": ["A)3"], "rationale": "", "correct": "A"}
    (tmp_path / "problems.jsonl").write_bytes(msgspec.json.encode(problem))
    manifest = assay.build(["halve", "original"], tmp_path / "problems.jsonl", out=tmp_path / "suite").manifest
    assert manifest.counts["halve"] == manifest.counts["original"] == {"entailment": 2}
    assert (manifest.skips["halve"], manifest.source.notes) == ({"a third half": 1}, ("halves were made",))
    other = assay.build("original", tmp_path / "problems.jsonl", out=tmp_path / "other").manifest
    assert [*other.skips] == ["numeracy"], "where no family of the build can split, the first registered one does"
