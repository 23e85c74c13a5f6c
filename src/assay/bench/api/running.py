"""Test models, and say in advance what it would cost."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from assay.bench.api.arguments import COLLAPSES, Pairs, known, names_of
from assay.bench.ask.long_input import Truncate
from assay.bench.ask.objects import Models, Seated, seated
from assay.bench.ask.order import in_order
from assay.bench.build.fillers import with_filler
from assay.bench.execute import Given, carry_out
from assay.bench.forecast import forecast_run
from assay.bench.shards import workers as crew_of
from assay.bench.spec import BENCHES, PER_SUBCASE, Bench, named_suites, run_spec
from assay.bench.stages import Stage, quiet
from assay.core.case import FAMILIES
from assay.core.pair import Pair
from assay.core.protocols import Cost
from assay.core.remote.sending import stand_in
from assay.core.run import RunRecord, RunSpec
from assay.core.suite import Suite
from assay.corpora.given import kept
from assay.corpora.reading import BUNDLED, CorpusReader, corpus_of, holds_claims
from assay.evaluate.collapse import Collapse


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
        collapse=known(collapse, COLLAPSES, "collapse"),
        two_way=two_way,
        tell=tell,
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

    >>> from assay import read
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
    tell: Callable[[str], None] = lambda _: None,
    **spec: Any,
) -> Iterator[tuple[RunSpec, Given]]:
    """The spec of a run, with what it can only name; pairs in memory are kept in a file for as long as it lasts."""
    builds = source is not None or families is not None or not folders
    with ExitStack() as stack:
        corpus = corpus_of(BUNDLED if source is None else source) if builds else None
        held = stack.enter_context(kept(corpus)) if corpus and not isinstance(corpus, CorpusReader) else None
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
        yield made, Given(held, seats.objects)


def _usual_families(corpus: Iterable[Pair] | None, tell: Callable[[str], None]) -> Sequence[str]:
    """The families of a run that names none: evidence is not swapped with claims, because nothing follows from it."""
    if corpus is None or not holds_claims(corpus):
        return FAMILIES
    tell("The corpus holds claims, which are not swapped with their evidence: to do so, name families and swap.")
    return [family for family in FAMILIES if family != "swap"]


def on_bench(models: Models, bench: Bench | None) -> Seated:
    """The models of a run in their order; a model that is named and on the bench is tested once."""
    given = seated(models)
    asked = bench or (None if given.names else "default")
    added = seated(BENCHES[known(asked, tuple(BENCHES), "bench")]).names if asked else []
    names = [*given.names, *(name for name in added if name not in given.names)]
    return Seated(in_order(names, given.objects), given.objects)
