"""Build, run, diagnose, list failures and verify from Python."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from assay.core.case import FAMILIES, Recipe
from assay.core.diagnosis import Diagnosis
from assay.core.errors import CheckFailedError, UserError
from assay.core.judgement import Example
from assay.core.label_space import Collapse
from assay.core.manifest import Storage
from assay.core.pair import Pair
from assay.core.protocols import Corpus, Cost, GeneratedCorpus
from assay.core.run_record import RunRecord, RunSpec
from assay.corpora.in_memory import store_pairs
from assay.corpora.reader import BUNDLED, CorpusReader, corpus_of, holds_claims
from assay.run.build.family_sources import needs_filler, with_filler
from assay.run.build.recipes import are_generated, for_corpus, generated_pairs, prepare, recipes_for, rungs
from assay.run.build.suite_builder import build_suite
from assay.run.diagnose_run import find_diagnosis
from assay.run.execute import InMemoryInputs, execute_run, forecast_run
from assay.run.failure_examples import find_failures
from assay.run.predict.long_texts import Truncate
from assay.run.predict.model_names import in_order
from assay.run.predict.model_objects import Models, ResolvedModels, resolve_models
from assay.run.spec import BENCHES, PER_SUBCASE, Bench, named_suites, run_spec
from assay.run.stored_run import Run
from assay.run.verify_run import examine_run, is_run
from assay.run.verify_suite import damages
from assay.run.workers.pool import Stage, WorkerPool, quiet, worker_pool
from assay.storage.fetch import local
from assay.storage.remote import stand_in
from assay.storage.suite import Suite

T = TypeVar("T", bound=str)

COLLAPSES = ("argmax", "sum")

Pairs = str | Path | Iterable[Any]
"""Anything that can be passed as a corpus: a file, a name, a table such as a DataFrame, or pairs."""


def check_choice(value: T, values: Sequence[str], what: str) -> T:
    """The value of the argument `what`, if it is one of those that are known."""
    if value not in values:
        raise UserError(f"{what} must be {', '.join(map(repr, values[:-1]))} or {values[-1]!r}, not {value!r}.")
    return value


def names_of(given: str | Sequence[str]) -> list[str]:
    """One name or several, as a list."""
    return [given] if isinstance(given, str) else list(given)


def is_suite(source: str | Path) -> bool:
    """True if this is the folder of a suite, not a corpus."""
    return (local(source) / "manifest.json").is_file()


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
    executor: Executor | WorkerPool | None = None,
    stage: Stage = quiet,
    tell: Callable[[str], None] = lambda _: None,
) -> RunRecord:
    """Test models: build the suites, ask, measure, and store the run in `out`/`record.id`.

    Families are built from the source, by default the usual ones from the bundled corpus; generated families get a
    suite of their own. `suites` are folders of suites that already exist; if you give only these, nothing is built.
    The source is a file, a name, what `read` returned, a table such as a DataFrame, or any iterable of `Pair`.
    A model is a name such as "hf:NAME", a function from pairs to labels or probabilities, or an object with `predict`;
    `{"mine": predict}` names it, and the record calls it `object:mine`. `bench` adds models that come with Assay:
    "papers" all of them, "default" six, which are also tested if you name no model. References come last.
    With `two_way`, neutral and contradiction count as one label everywhere, in cases and answers; if it is false, they
    never do. By default they do if the corpus has two labels or a model answers with one support score per pair.
    With `windows`, such as "max", long premises are split into overlapping windows of sentences, each is asked, and
    the answers are put together; a model's own option, as in "assay:minilm?windows=max", applies to it alone. Other
    premises that are too long for a model lose their ends, which is counted, unless `truncate` is "error".
    Answers of models that have an identity are kept in the user's cache, unless `cache` is false.
    Endpoints that have prices are not asked for more than `budget`.
    Work is shared between `workers` processes on this machine, or given to your own executor, which stays open.
    With `leave_open`, the same call continues this run instead of starting another, until `close_run` is called.

    >>> import tempfile
    >>> from assay import read
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
        collapse=check_choice(collapse, COLLAPSES, "collapse"),
        two_way=two_way,
        tell=tell,
    )
    with plan as (spec, given):
        return execute_run(
            spec,
            stand_in(out),
            pool=worker_pool(workers, executor),
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
    """The cost of `run` with the same arguments, by model: suites are built, but nothing is asked.

    >>> from assay import read
    >>> found = forecast(read("bundled", limit=3), families="negation", models="openai:m@http://localhost:9/v1")
    >>> [cost.calls for cost in found.values()]
    [6]
    """
    plan = planned_run(source, on_bench(models, bench), families=families, folders=named_suites(suites), **building)
    with plan as (spec, given):
        return forecast_run(spec, pool=worker_pool(workers), given=given, cache=cache, stage=stage)


@contextmanager
def planned_run(
    source: Pairs | None,
    seats: ResolvedModels,
    *,
    families: str | Sequence[str] | None,
    folders: Mapping[str, str],
    seed: int = 0,
    switches: Mapping[str, str] | None = None,
    per_subcase: int = PER_SUBCASE,
    tell: Callable[[str], None] = lambda _: None,
    **spec: Any,
) -> Iterator[tuple[RunSpec, InMemoryInputs]]:
    """The spec of a run, with what it can only name; pairs in memory are kept in a file for as long as it lasts."""
    builds = source is not None or families is not None or not folders
    with ExitStack() as stack:
        corpus = corpus_of(BUNDLED if source is None else source) if builds else None
        held = stack.enter_context(store_pairs(corpus)) if corpus and not isinstance(corpus, CorpusReader) else None
        asked = names_of(_usual_families(held or corpus, tell) if families is None else families)
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
        yield made, InMemoryInputs(held, seats.objects)


def _usual_families(corpus: Iterable[Pair] | None, tell: Callable[[str], None]) -> Sequence[str]:
    """The families of a run that names none: evidence is not swapped with claims, because nothing follows from it."""
    if corpus is None or not holds_claims(corpus):
        return FAMILIES
    tell("The corpus holds claims, which are not swapped with their evidence: to do so, name families and swap.")
    return [family for family in FAMILIES if family != "swap"]


def on_bench(models: Models, bench: Bench | None) -> ResolvedModels:
    """The models of a run in their order; a model that is named and in the bench is tested once."""
    given = resolve_models(models)
    asked = bench or (None if given.names else "default")
    added = resolve_models(BENCHES[check_choice(asked, tuple(BENCHES), "bench")]).names if asked else []
    names = [*given.names, *(name for name in added if name not in given.names)]
    return ResolvedModels(in_order(names, given.objects), given.objects)


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
    executor: Executor | WorkerPool | None = None,
    overwrite: bool = False,
    stage: Stage = quiet,
) -> Suite:
    """Build families of tests from a corpus, by default the bundled one, and write them to a suite's folder.

    The source is a file, a name, what `read` returned, a table such as a DataFrame, or any iterable of `Pair`.
    Without a source, `heuristics` and the logic families are generated, `per_subcase` pairs of each subcase;
    `generated(...)` has more options.
    Without a `storage`, cases are JSON lines, or parquet files in a folder if there are more than a million.
    Switches change how a family works: `{"fidelity": "code"}` for all, `{"antonymy.senses": "lesk"}` for one.
    Work is shared between `workers` processes on this machine, or given to your own executor, which stays open.

    >>> import tempfile
    >>> from assay import read
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     suite = build("negation", read("bundled", limit=2), out=f"{folder}/suite")
    ...     [case.hypothesis.endswith("and false is not true.") for case in suite]
    [True, True]
    """
    plan = planned_build(families, source, seed=seed, switches=switches, ladder=ladder, per_subcase=per_subcase)
    with plan as (corpus, recipes), worker_pool(workers, executor) as pool:
        return build_suite(corpus, recipes, stand_in(out), pool=pool, storage=storage, overwrite=overwrite, stage=stage)


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
    names = names_of(families)
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
                corpus = stack.enter_context(store_pairs(corpus))  # it is read twice
            names = for_corpus(names)
            switches = with_filler(names, corpus, switches)
            recipes = recipes_for(names, seed=seed, switches=switches, ladder=ladder)
        prepare(recipes)
        yield corpus, recipes


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


def diagnose(run: Run, *, models: str | Sequence[str] = ()) -> Diagnosis:
    """The diagnosis of a stored run: shortcuts that they follow, what edits do, what goes with their errors.

    A run that was stored without a diagnosis is diagnosed now, from its cases and answers. `models` limits it to these.

    >>> import tempfile
    >>> from assay import read, run
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     record = run(read("bundled", limit=300), families="negation", models="assay:overlap", out=folder)
    ...     found = diagnose(record)
    >>> [effect.name for effect in found.profiles[0].followed]
    ['overlap']
    """
    return find_diagnosis(run, models=names_of(models))


def failures(
    run: Run, most: int = 10, *, models: str | Sequence[str] = (), families: str | Sequence[str] = ()
) -> list[Example]:
    """The most telling failures of a stored run, spread over families and models: each case, and what each model said.

    There are as many as `most` says, if there are that many. `models` and `families` limit the search to these.

    >>> import tempfile
    >>> from assay import read, run
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     record = run(read("bundled", limit=30), families="negation", models="assay:overlap", out=folder)
    ...     worst = failures(record, 3)
    >>> [(each.case.family, each.case.label.value, each.answers["assay:overlap/v1"].label.value) for each in worst[:2]]
    [('negation', 'entailment', 'neutral'), ('negation', 'contradiction', 'neutral')]
    """
    return find_failures(run, most, models=names_of(models), families=names_of(families))


def verify(folder: str | Path, *, deep: bool = False) -> None:
    """Check a suite or a stored run; the `CheckFailedError` lists all damage.

    With `deep`, every figure of a run is computed again from its answers.

    >>> import tempfile
    >>> from assay import read, run
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     record = run(read("bundled", limit=30), families="negation", models="assay:overlap", out=folder)
    ...     verify(f"{folder}/{record.id}", deep=True)
    """
    folder = local(folder)
    if not is_run(folder) and deep:
        raise UserError(f"{folder} is not a run: only the figures of a run can be computed again.")
    if found := examine_run(folder, deep=deep).damages if is_run(folder) else damages(folder):
        raise CheckFailedError("\n".join(found))
