"""What the command line does, from Python: read, generate, build, run, compare, gate, failures, verify and so on."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from assay.bench.ask.long_input import Truncate
from assay.bench.ask.objects import ModelLike, Models, Seated, seated
from assay.bench.ask.order import in_order
from assay.bench.ask.windowing.windows import Windows
from assay.bench.audit.audit import audit
from assay.bench.build.fillers import needs_filler, with_filler
from assay.bench.build.generated import generated
from assay.bench.build.recipes import are_generated, generated_pairs, prepare, recipes_for, rungs
from assay.bench.build.suite import build_suite
from assay.bench.execute import Given, carry_out
from assay.bench.export.suite import export_suite
from assay.bench.forecast import forecast_run
from assay.bench.judge.compare import compare_runs
from assay.bench.judge.diagnose import find_diagnosis
from assay.bench.judge.failures import find_failures
from assay.bench.judge.gate import gate_run
from assay.bench.judge.score import (
    AS_IT_IS,
    Judging,
    Missing,
    Score,
    pair_as_case,
    score_answers,
)
from assay.bench.judge.score_given import score_given
from assay.bench.judge.submission import score_submission
from assay.bench.shards import workers as crew_of
from assay.bench.spec import BENCHES, PER_SUBCASE, Bench, named_suites, run_spec
from assay.bench.stages import Stage, quiet
from assay.bench.stored import Run
from assay.bench.verify import damages
from assay.bench.verify_run import examine_run, is_run
from assay.core.case import FAMILIES, Recipe
from assay.core.errors import CheckFailedError, UserError
from assay.core.fetching import local
from assay.core.label import are_two, merged_names, own_names
from assay.core.pair import Pair
from assay.core.prediction import THRESHOLD, Prediction
from assay.core.protocols import Corpus, Cost, GeneratedCorpus
from assay.core.remote.sending import stand_in
from assay.core.results.comparison import Comparisons
from assay.core.results.diagnosis import Diagnosis
from assay.core.results.example import Example
from assay.core.results.gate import Gate
from assay.core.run import RunRecord, RunSpec
from assay.core.suite import Origin, Storage, Suite
from assay.corpora.given import kept
from assay.corpora.reading import BUNDLED, CorpusReader, corpus_of, read
from assay.evaluate.collapse import Collapse

T = TypeVar("T", bound=str)

__all__ = [
    "audit",
    "build",
    "compare",
    "diagnose",
    "export",
    "failures",
    "forecast",
    "gate",
    "generated",
    "read",
    "run",
    "score",
    "verify",
]

MISSING = ("stop", "wrong", "drop")
COLLAPSES = ("argmax", "sum")

Pairs = str | Path | Iterable[Pair]
"""What can be passed as a corpus: a file, a name, or pairs."""


def build(
    families: str | Sequence[str],
    source: Pairs | None = None,
    *,
    out: str | Path,
    seed: int = 0,
    switches: Mapping[str, str] | None = None,
    ladder: int | None = None,
    per_subcase: int = 1000,
    storage: Storage | None = None,
    workers: int = 1,
    executor: Executor | None = None,
    overwrite: bool = False,
    stage: Stage = quiet,
) -> Suite:
    """Build families of tests from a corpus, by default the bundled one, and write them to a suite's folder.

    The source is a file, a name, what `read` returned, or any iterable of `Pair`. Without a source, `heuristics` and
    the logic families are generated, `per_subcase` pairs of each subcase; `generated(...)` has more options.
    Without a `storage`, cases are JSON lines, or parquet files in a folder if there are more than a million.
    Switches change how a family works: `{"fidelity": "code"}` for all, `{"antonymy.senses": "lesk"}` for one.
    Work is shared between `workers` processes on this machine, or given to your own executor, which stays open.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     suite = build("negation", read("bundled", limit=2), out=f"{folder}/suite")
    ...     [case.hypothesis.endswith("and false is not true.") for case in suite]
    [True, True]
    """
    plan = planned_build(families, source, seed=seed, switches=switches, ladder=ladder, per_subcase=per_subcase)
    with plan as (corpus, recipes), crew_of(workers, executor) as crew:
        return build_suite(corpus, recipes, stand_in(out), crew=crew, storage=storage, overwrite=overwrite, stage=stage)


@contextmanager
def planned_build(
    families: str | Sequence[str],
    source: Pairs | None,
    *,
    seed: int = 0,
    switches: Mapping[str, str] | None = None,
    ladder: int | None = None,
    per_subcase: int = 1000,
) -> Iterator[tuple[Corpus, list[Recipe]]]:
    """The corpus and the recipes of a build, with their resources loaded."""
    names = _names(families)
    if source is None and are_generated(names):
        recipes_for(names, seed=seed, switches=switches, ladder=ladder)  # refuses a ladder that makes no sense
        (recipe,) = recipes_for(names, seed=seed, switches=switches)
        source, switches = generated_pairs(recipe, per_subcase), None
    corpus = corpus_of(BUNDLED if source is None else source)
    with ExitStack() as stack:
        if isinstance(corpus, GeneratedCorpus):
            recipes = _recipes_of(corpus, names, switches=switches, ladder=ladder)
        else:
            if needs_filler(names) and not isinstance(corpus, CorpusReader):
                corpus = stack.enter_context(kept(corpus))  # it is read twice
            switches = with_filler(names, corpus, switches)
            recipes = recipes_for(names, seed=seed, switches=switches, ladder=ladder)
        prepare(recipes)
        yield corpus, recipes


def run(
    source: Pairs | None = None,
    *,
    families: str | Sequence[str] | None = None,
    suites: Sequence[str | Path | Suite] | Mapping[str, str | Path | Suite] = (),
    models: Models = (),
    bench: Bench | None = None,
    seed: int = 0,
    switches: Mapping[str, str] | None = None,
    ladder: int | None = None,
    per_subcase: int = PER_SUBCASE,
    truncate: Truncate = "premise",
    windows: str = "",
    cache: bool = True,
    budget: float | None = None,
    collapse: Collapse = "argmax",
    two_way: bool | None = None,
    out: str | Path = "runs",
    workers: int = 1,
    leave_open: bool = False,
    executor: Executor | None = None,
    stage: Stage = quiet,
    tell: Callable[[str], None] = lambda _: None,
) -> RunRecord:
    """Test models: build the suites, ask, measure, and store the run in `out`/`record.id`.

    Families are built from the source, by default the usual ones from the bundled corpus; generated families get a
    suite of their own. `suites` are folders of suites that already exist; if you give only these, nothing is built.
    The source is a file, a name, what `read` returned, or any iterable of `Pair`.
    A model is a name such as "hf:NAME", a function from pairs to labels or probabilities, or an object with `predict`;
    `{"mine": predict}` names it, and the record calls it `object:mine`. `bench` adds models that come with Assay:
    "papers" all of them, "default" six, which are also tested if you name no model. References come last.
    With `two_way`, neutral and contradiction count as one label everywhere, in cases and answers; if it is false, they
    never do. By default they do in suites that are built from a corpus with two labels.
    With `windows`, such as "max", long premises are split into overlapping windows of sentences, each is asked, and
    the answers are put together; a model's own option, as in "assay:minilm?windows=max", applies to it alone. Other
    premises that are too long for a model lose their ends, which is counted, unless `truncate` is "error".
    Answers of models that have an identity are kept in the user's cache, unless `cache` is false.
    Endpoints that have prices are not asked for more than `budget`.
    Work is shared between `workers` processes on this machine, or given to your own executor, which stays open.
    With `leave_open`, the same call continues this run instead of starting another, until `close_run` is called.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     record = run(read("bundled", limit=30), families=["negation"], models=["assay:majority"], out=folder)
    >>> {family: found.value for (family,), found in record.find("accuracy", by=["family"]).items()}
    {'original': 0.3333333333333333, 'negation': 0.3333333333333333}
    """
    plan = planned_run(
        source,
        on_bench(models, bench),
        families=families,
        folders=named_suites(suites),
        seed=seed,
        switches=switches,
        ladder=ladder,
        per_subcase=per_subcase,
        truncate=truncate,
        windows=windows,
        collapse=_known(collapse, COLLAPSES, "collapse"),
        two_way=two_way,
    )
    with plan as (spec, given):
        return carry_out(
            spec,
            stand_in(out),
            crew=crew_of(workers, executor),
            given=given,
            cache=cache,
            budget=budget,
            leave_open=leave_open,
            stage=stage,
            tell=tell,
        )


def forecast(
    source: Pairs | None = None,
    *,
    families: str | Sequence[str] | None = None,
    suites: Sequence[str | Path | Suite] | Mapping[str, str | Path | Suite] = (),
    models: Models = (),
    bench: Bench | None = None,
    cache: bool = True,
    workers: int = 1,
    stage: Stage = quiet,
    **building: Any,
) -> dict[str, Cost]:
    """What `run` would cost with the same arguments, by model: suites are built, but nothing is asked.

    >>> found = forecast(read("bundled", limit=3), families="negation", models="openai:m@http://localhost:9/v1")
    >>> [cost.calls for cost in found.values()]
    [6]
    """
    plan = planned_run(source, on_bench(models, bench), families=families, folders=named_suites(suites), **building)
    with plan as (spec, given):
        return forecast_run(spec, crew=crew_of(workers), given=given, cache=cache, stage=stage)


@contextmanager
def planned_run(
    source: Pairs | None,
    seats: Seated,
    *,
    families: str | Sequence[str] | None,
    folders: Mapping[str, str],
    seed: int = 0,
    switches: Mapping[str, str] | None = None,
    per_subcase: int = PER_SUBCASE,
    **spec: Any,
) -> Iterator[tuple[RunSpec, Given]]:
    """The spec of a run, with what it can only name; pairs in memory are kept in a file for as long as it lasts."""
    builds = source is not None or families is not None or not folders
    with ExitStack() as stack:
        corpus = corpus_of(BUNDLED if source is None else source) if builds else None
        held = stack.enter_context(kept(corpus)) if corpus and not isinstance(corpus, CorpusReader) else None
        asked = _names(FAMILIES if families is None else families)
        made = run_spec(
            corpus.reading if isinstance(corpus, CorpusReader) else held,
            families=asked,
            suites=folders,
            models=seats.names,
            seed=seed,
            switches=with_filler(asked, held or corpus, switches) if corpus else switches,
            per_subcase=per_subcase,
            **spec,
        )
        yield made, Given(held, seats.objects)


def compare(*runs: Run, models: Sequence[str] = ()) -> Comparisons:
    """Compare models: those that two stored runs have in common, or a baseline and a candidate.

    A run is a record, its folder, or a folder of runs, which means the newest. `gate` and `failures` take the same.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     bench = ["assay:majority", "assay:overlap"]
    ...     record = run(read("bundled", limit=90), families=["negation"], models=bench, out=folder)
    ...     found = compare(record, models=["majority", "overlap"])
    >>> [(row.slice["family"], row.verdict) for row in found.comparisons[0].slices if "label" not in row.slice]
    [('original', 'undecided'), ('negation', 'undecided')]
    """
    return compare_runs(runs, models=models)


def gate(
    run: Run,
    *,
    rules: str | Sequence[str] = (),
    no_worse_than: Run | None = None,
    models: str | Sequence[str] = (),
    against: str | None = None,
) -> Gate:
    """Check that a stored run keeps rules about its figures, and is not significantly worse than an earlier run.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     record = run(read("bundled", limit=30), families="negation", models="assay:majority", out=folder)
    ...     found = gate(record, rules=["negation.accuracy>=0.5", "*.drop<=0.1"])
    >>> found.passed, [each.rule for each in found.rules if not each.holds]
    (False, ['negation.accuracy>=0.5'])
    """
    return gate_run(run, rules=_names(rules), no_worse_than=no_worse_than, models=_names(models), against=against)


def diagnose(run: Run, *, models: str | Sequence[str] = ()) -> Diagnosis:
    """Why the models of a stored run fail: shortcuts that they follow, what edits do, what goes with their errors.

    A run that was stored without a diagnosis is diagnosed now, from its cases and answers. `models` limits it to these.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     record = run(read("bundled", limit=90), families="negation", models="assay:overlap", out=folder)
    ...     found = diagnose(record)
    >>> [effect.name for effect in found.profiles[0].followed]
    ['overlap']
    """
    return find_diagnosis(run, models=_names(models))


def failures(
    run: Run, most: int = 10, *, models: str | Sequence[str] = (), families: str | Sequence[str] = ()
) -> list[Example]:
    """The most telling failures of a stored run, spread over families and models: each case, and what each model said.

    There are as many as `most` says, if there are that many. `models` and `families` limit the search to these.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     record = run(read("bundled", limit=30), families="negation", models="assay:overlap", out=folder)
    ...     worst = failures(record, 3)
    >>> [(each.case.family, each.case.label.value, each.answers["assay:overlap/v1"].label.value) for each in worst[:2]]
    [('negation', 'entailment', 'neutral'), ('negation', 'contradiction', 'neutral')]
    """
    return find_failures(run, most, models=_names(models), families=_names(families))


def verify(folder: str | Path, *, deep: bool = False) -> None:
    """Check a suite or a stored run; the `CheckFailedError` lists all damage.

    With `deep`, every figure of a run is computed again from its answers.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     record = run(read("bundled", limit=30), families="negation", models="assay:overlap", out=folder)
    ...     verify(f"{folder}/{record.id}", deep=True)
    """
    folder = local(folder)
    if not is_run(folder) and deep:
        raise UserError(f"{folder} is not a run: only the figures of a run can be computed again.")
    if found := examine_run(folder, deep=deep).damages if is_run(folder) else damages(folder):
        raise CheckFailedError("\n".join(found))


def score(
    source: Pairs | Suite,
    predictions: str | Path | ModelLike | Iterable[Prediction] | None = None,
    *,
    labels: Mapping[str, str] | None = None,
    missing: Missing = "stop",
    collapse: Collapse = "argmax",
    two_way: bool | None = None,
    threshold: float = THRESHOLD,
    windows: str = "",
) -> Score:
    """Score answers against a suite or a corpus; nothing is stored.

    Predictions are a file, `Prediction`s with the ids of the pairs or cases, or a model as an object or a function,
    which is asked now. Without them, the source must be a file that holds both gold labels and predictions.
    `two_way` means the same as for `run`, and so does `windows` for a model that is asked now. `threshold` is for files
    with support scores.

    >>> found = score(read("bundled", limit=30), lambda pairs: ["neutral"] * len(pairs))
    >>> next(each.value for each in found.estimates if each.name == "accuracy")
    0.3333333333333333
    """
    own = own_names(labels or {})
    how = Judging(
        missing=_known(missing, MISSING, "missing"),
        collapse=_known(collapse, COLLAPSES, "collapse"),
        two_way=are_two(own.values()) if two_way is None else two_way,
        names=own,
        threshold=_share(threshold),
    )
    if predictions is None:
        if not isinstance(source, str | Path):
            raise UserError("There are no predictions to score.")
        return score_submission(source, labels=labels or {}, how=how)
    if isinstance(source, str | Path) and is_suite(source):
        source = Suite.open(source)
    if isinstance(source, Suite):
        cases, name = iter(source), source.folder.absolute().name
        manifest = source.manifest
        how = how._replace(
            two_way=manifest.two_way if two_way is None else two_way, names=merged_names([manifest.names, own])
        )
    else:
        corpus = corpus_of(source, labels=labels)
        cases, name = map(pair_as_case, corpus), corpus.name
    if isinstance(predictions, str | Path):
        found = score_answers(cases, predictions, suite=name, labels=labels or {}, how=how)
    else:
        found = score_given(cases, predictions, suite=name, how=how, windows=Windows.parse(windows))
    if isinstance(source, Suite):
        origin = Origin(source=source.manifest.source, recipes=source.manifest.recipes)
    else:
        origin = Origin(source=corpus.summary(), recipes=(AS_IT_IS,))
    return msgspec.structs.replace(found, suites={name: origin}, names=merged_names([origin.source.own_names, own]))


def on_bench(models: Models, bench: Bench | None) -> Seated:
    """The models of a run in their order; a model that is named and on the bench is tested once."""
    given = seated(models)
    asked = bench or (None if given.names else "default")
    added = seated(BENCHES[_known(asked, tuple(BENCHES), "bench")]).names if asked else []
    names = [*given.names, *(name for name in added if name not in given.names)]
    return Seated(in_order(names, given.objects), given.objects)


def is_suite(source: str | Path) -> bool:
    """Whether this is the folder of a suite, not a corpus."""
    return (local(source) / "manifest.json").is_file()


def export(
    suite: str | Path,
    to: str,
    *,
    out: str | Path,
    overwrite: bool = False,
    escape_formulas: bool = False,
    two_way: bool | None = None,
) -> Path:
    """Write a suite in another format: snli, mnli, hans, glue, csv, parquet, hf or lm-eval.

    With `escape_formulas`, no text in a csv file can run as a spreadsheet formula. With `two_way`, neutral and
    contradiction are written as one label; by default, they are if the corpus has two labels.
    """
    return export_suite(
        Suite.open(suite), to, stand_in(out), overwrite=overwrite, escape_formulas=escape_formulas, two_way=two_way
    )


def _known(value: T, values: Sequence[str], what: str) -> T:
    if value not in values:
        raise UserError(f"{what} must be {', '.join(map(repr, values[:-1]))} or {values[-1]!r}, not {value!r}.")
    return value


def _share(value: float) -> float:
    if not 0 <= value <= 1:
        raise UserError(f"threshold must be a score from 0 to 1, not {value!r}.")
    return value


def _names(given: str | Sequence[str]) -> list[str]:
    return [given] if isinstance(given, str) else list(given)


def _recipes_of(
    corpus: GeneratedCorpus, families: Sequence[str], *, switches: Mapping[str, str] | None, ladder: int | None
) -> list[Recipe]:
    recipe = corpus.recipe()
    owner = recipe.transform.partition("/")[0]
    if not {*families} <= {owner, recipe.transform}:
        raise UserError(f"Generated pairs are for {owner}, not for {', '.join(families)}.")
    if switches:
        raise UserError("Generated pairs take no switches here: pass switches to `generated(...)`.")
    return [recipe] if ladder is None else rungs(recipe, ladder)
