"""Build and run from Python."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from assay.core.case import DEFAULT_FAMILIES, FAMILIES_OF_CLAIMS, Recipe
from assay.core.errors import UserError
from assay.core.option_fields import given_options, refuse_options, takes_options
from assay.core.protocols import Corpus, Cost, GeneratedCorpus
from assay.core.run_record import RunRecord, RunSpec
from assay.corpora.in_memory import store_pairs
from assay.corpora.reader import BUNDLED, CorpusReader, holds_claims
from assay.run.run_options import LEXICAL, BuildOptions, ReadOptions, RunOptions
from assay.run.workers.pool import Stage, WorkerPool, quiet, worker_pool
from assay.storage.remote import local, stand_in
from assay.storage.suite import Suite, named_suites

if TYPE_CHECKING:
    from assay.run.execute import InMemoryInputs
    from assay.run.predict.model_names import ResolvedModels

Tell = Callable[[str], None]


def names_of(given: str | Sequence[str]) -> list[str]:
    """One name or several, as a list."""
    return [given] if isinstance(given, str) else list(given)


def is_suite(source: str | Path) -> bool:
    """True if this is the folder of a suite, not a corpus."""
    return (local(source) / "manifest.json").is_file()


@takes_options(RunOptions, "source")
def run(
    options: RunOptions,
    *,
    executor: Executor | WorkerPool | None = None,
    leave_open: bool = False,
    stage: Stage = quiet,
    tell: Tell = lambda _: None,
) -> RunRecord:
    """Test models: build the suites, predict, measure, and store the run in `out`/`record.id`.

    The keywords are the fields of `RunOptions`, which can also be passed as `options`. Families are built from the
    source, by default the usual ones from the bundled corpus; generated families get a suite of their own. `suites` are
    folders of suites that already exist; if you give only these, nothing is built.
    The source is a file, a name, what `read` returned, a table such as a DataFrame, or any iterable of `Pair`.
    A model is a name such as "hf:NAME", a function from pairs to labels or probabilities, or an object with `predict`;
    `{"mine": predict}` names it, and the record calls it `object:mine`. `default_models` and `all_models` add models
    that come with Assay; the default ones are also tested if you name no model. Baselines come last.
    With `two_way`, neutral and contradiction count as one label everywhere; if it is false, they never do. By default
    they do if the corpus has two labels or a model answers with one support score per pair.
    With `windows`, such as "max", long premises are split into overlapping windows of sentences, and the predictions
    are combined; a model's own option, as in "assay:minilm?windows=max", applies to it alone. The ends of other
    premises that are too long for a model are cut off and counted, unless `truncate` is "error".
    Predictions of models that have an identity are cached for the user, unless `cache` is false. Endpoints that have
    prices are not used for more than `budget`.
    Work is shared between `workers` processes on this machine, or given to your own executor, which stays open.
    With `leave_open`, the same call continues this run instead of starting another, until `close_run` is called.

    >>> import tempfile
    >>> from assay import read
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     record = run(read("bundled", limit=30), families=["negation"], models=["assay:majority"], out=folder)
    >>> {family: found.value for (family,), found in record.find("accuracy", by=["family"]).items()}
    {'original': 0.3333333333333333, 'negation': 0.3333333333333333}
    """
    from assay.run.execute import execute_run
    from assay.run.workers.engines import engine_pool

    if options.effect is not None:
        from assay.run.plan_sample import draw_enough

        options = draw_enough(options, tell, stage)
    with planned_run(options, tell) as (spec, inputs):
        pool = engine_pool(options.engine, options.workers, executor)
        return execute_run(spec, options, pool=pool, inputs=inputs, leave_open=leave_open, stage=stage, tell=tell)


@takes_options(RunOptions, "source")
def forecast(options: RunOptions, *, stage: Stage = quiet) -> dict[str, Cost]:
    """The cost of `run` with the same arguments, by model. Suites are built, but no endpoint is called.

    >>> from assay import read
    >>> found = forecast(read("bundled", limit=3), families="negation", models="openai:m@http://localhost:9/v1")
    >>> [cost.calls for cost in found.values()]
    [6]
    """
    from assay.run.execute import forecast_run

    with planned_run(options) as (spec, inputs):
        return forecast_run(spec, options, pool=worker_pool(options.workers), inputs=inputs, stage=stage)


@contextmanager
def planned_run(options: RunOptions, tell: Tell = lambda _: None) -> "Iterator[tuple[RunSpec, InMemoryInputs]]":
    """The spec of a run, with the Python objects that it names; pairs in memory are stored in a temporary file."""
    from assay.run.build.recipes import can_cross, needs_filler
    from assay.run.execute import InMemoryInputs, run_spec

    chosen = choose_models(options)
    folders = named_suites(options.suites)
    families = names_of(options.families or ())
    builds = options.source is not None or bool(families) or not folders
    if not builds:
        refuse_options(options, ReadOptions.__struct_fields__, "applies to a corpus, but this run does not read one")
    with ExitStack() as stack:
        corpus = options.read_corpus(BUNDLED if options.source is None else options.source) if builds else None
        held = stack.enter_context(store_pairs(corpus)) if corpus and not isinstance(corpus, CorpusReader) else None
        # a run that names its families is repeated as it was, whatever is usual for its corpus
        claims = corpus is not None and not families and holds_claims(held or corpus)
        if not families:
            families = [*(FAMILIES_OF_CLAIMS if claims else DEFAULT_FAMILIES)]
            if claims:  # nothing follows from a claim about its evidence
                tell("The corpus holds claims, so swap is not built. To build it, name the families.")
        switches = options.all_switches()
        crossing = [family for family in families if can_cross([family])] if claims else []
        if crossing and not {"across", "fidelity"} & {*switches}:
            edit = f"{', '.join(crossing)} edit the claim; --within edits the evidence instead"
            tell(f"The corpus holds claims, so {edit}.")
            switches["across"] = "yes"
        if corpus and needs_filler(families):
            from assay.run.build.family_sources import with_filler

            switches = dict(with_filler(families, held or corpus, switches) or {})
        spec = run_spec(
            corpus.reading if isinstance(corpus, CorpusReader) else held,
            msgspec.structs.replace(
                options, families=families, suites=folders, switches=switches, fidelity=None, across=None
            ),
            models=chosen.names,
        )
        yield spec, InMemoryInputs(held, chosen.objects)


def choose_models(options: RunOptions) -> "ResolvedModels":
    """The models of a run in their order; one that is both named and among the default models is tested once."""
    from assay.run.execute import ALL_MODELS, DEFAULT_MODELS
    from assay.run.predict.model_names import ResolvedModels, in_order, resolve_models

    given = resolve_models(options.models)
    default = options.default_models or not (given.names or options.all_models)
    added = resolve_models(ALL_MODELS if options.all_models else DEFAULT_MODELS if default else ()).names
    names = [*given.names, *(name for name in added if name not in given.names)]
    return ResolvedModels(in_order(names, given.objects), given.objects)


@takes_options(BuildOptions, "families", "source")
def build(options: BuildOptions, *, executor: Executor | WorkerPool | None = None, stage: Stage = quiet) -> Suite:
    """Build families of tests from a corpus, by default the bundled one, and write them to a suite's folder.

    The keywords are the fields of `BuildOptions`, which can also be passed as `options`.
    The source is a file, a name, what `read` returned, a table such as a DataFrame, or any iterable of `Pair`.
    Without a source, `heuristics` and the logic families are generated, `per_subcase` pairs of each subcase.
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
    from assay.run.build.suite_builder import build_suite
    from assay.run.workers.engines import engine_pool

    if options.out is None:
        raise UserError("A suite needs a folder: --out FOLDER.")
    with (
        planned_build(options, stage=stage) as (corpus, recipes),
        engine_pool(options.engine, options.workers, executor) as pool,
    ):
        return build_suite(
            corpus,
            recipes,
            stand_in(options.out),
            pool=pool,
            storage=options.storage,
            overwrite=options.overwrite,
            stage=stage,
        )


@contextmanager
def planned_build(options: BuildOptions, *, stage: Stage = quiet) -> Iterator[tuple[Corpus, list[Recipe]]]:
    """The corpus and the recipes of a build, with their resources loaded."""
    from assay.run.build.family_sources import lexical_switches, with_filler
    from assay.run.build.recipes import are_generated, for_corpus, needs_filler, prepare, recipes_for

    names = names_of(options.families)
    with ExitStack() as stack:
        if options.source is None and are_generated(names):
            corpus: Corpus = _generated_corpus(options, names[0].partition("/")[0], stage=stage)
            switches: Mapping[str, str] = {}  # its pairs have them
        else:
            why = "is only for generated pairs: `assay build heuristics` without --from"
            refuse_options(options, ("per_subcase", "split", "grammar"), why)
            if not {"lexical", "all"} & {name.partition("/")[0] for name in names}:
                refuse_options(options, ("train",), "is only for generated heuristics, and for lexical")
                refuse_options(options, LEXICAL, "applies only to the family lexical")
            corpus = options.read_corpus(BUNDLED if options.source is None else options.source)
            switches = {**options.all_switches(), **lexical_switches(**options.given_lexical())}
        if isinstance(corpus, GeneratedCorpus):
            recipes = _recipes_of(corpus, names, switches=switches, ladder=options.ladder)
        else:
            if needs_filler(names) and not isinstance(corpus, CorpusReader):
                corpus = stack.enter_context(store_pairs(corpus))  # it is read twice
            names = for_corpus(names)
            filled = with_filler(names, corpus, switches)
            recipes = recipes_for(names, seed=options.seed, switches=filled, ladder=options.ladder)
        prepare(recipes)
        yield corpus, recipes


def _generated_corpus(options: BuildOptions, family: str, *, stage: Stage) -> GeneratedCorpus:
    """Generated pairs; with training data, their notes say which of their words are rare in it."""
    from assay.run.build.family_sources import note_training
    from assay.run.build.recipes import generated_pairs, recipes_for
    from assay.run.build.suite_builder import generated

    if options.train is None:
        why = f"applies to families that are built from a corpus; {family} is generated"
        refuse_options(options, ReadOptions.__struct_fields__, why)
    refuse_options(options, LEXICAL, "applies only to the family lexical")
    if family != "heuristics":
        refuse_options(options, ("train",), "is only for generated heuristics, and for lexical")
    switches = options.all_switches()
    names = names_of(options.families)
    recipes_for(names, seed=options.seed, switches=switches, ladder=options.ladder)  # refuses a useless ladder
    if [*given_options(options, ("split", "grammar"))]:
        corpus: GeneratedCorpus = generated(
            options.per_subcase,
            family=names[0],
            split=options.split,
            seed=options.seed,
            switches=switches,
            grammar=local(options.grammar) if options.grammar else None,
        )
    else:
        (recipe,) = recipes_for(names, seed=options.seed, switches=switches)
        corpus = generated_pairs(recipe, options.per_subcase)
    if options.train is not None:
        note_training(corpus, options.read_corpus(options.train), workers=options.workers, stage=stage)
    return corpus


def _recipes_of(
    corpus: GeneratedCorpus, families: Sequence[str], *, switches: Mapping[str, str], ladder: int | None
) -> list[Recipe]:
    from assay.run.build.recipes import rungs

    recipe = corpus.recipe()
    owner = recipe.transform.partition("/")[0]
    if not {*families} <= {owner, recipe.transform}:
        raise UserError(f"Generated pairs are for {owner}, not for {', '.join(families)}.")
    if switches:
        raise UserError("Generated pairs take no switches here: pass switches to `generated(...)`.")
    return [recipe] if ladder is None else rungs(recipe, ladder)
