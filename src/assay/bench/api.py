"""What the command line does, from Python: read, generate, build, run, compare, gate, failures, verify and so on."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from assay.bench.ask.long_input import Truncate
from assay.bench.build.recipes import are_generated, prepare, recipes_for
from assay.bench.build.suite import build_suite
from assay.bench.execute import carry_out
from assay.bench.export.suite import export_suite
from assay.bench.judge.compare import compare_runs
from assay.bench.judge.failures import find_failures
from assay.bench.judge.gate import gate_run
from assay.bench.judge.score import Missing, Score, pair_as_case, score_answers, score_submission
from assay.bench.shards import workers as crew_of
from assay.bench.spec import FAMILIES, MODELS, PER_SUBCASE, named_suites, run_spec
from assay.bench.stages import Stage, quiet
from assay.bench.stored import Run
from assay.bench.verify import damages
from assay.core.case import Case, Recipe
from assay.core.comparison import Comparisons
from assay.core.errors import CheckFailedError, UserError
from assay.core.example import Example
from assay.core.gate import Gate
from assay.core.run import Reading, RunRecord
from assay.core.suite import Storage, Suite
from assay.corpora.reading import BUNDLED, Corpus, read
from assay.evaluate.collapse import Collapse
from assay.stress.heuristics.corpus import GeneratedPairs
from assay.stress.heuristics.grammar import load, read_text
from assay.stress.heuristics.splits import Split

T = TypeVar("T", bound=str)

__all__ = ["build", "compare", "export", "failures", "gate", "generated", "read", "run", "score", "verify"]

MISSING = ("stop", "wrong", "drop")
COLLAPSES = ("argmax", "sum")

Source = str | Path | Corpus | GeneratedPairs


def generated(
    per_subcase: int = 1000,
    *,
    split: Split = "evaluation",
    seed: int = 0,
    switches: Mapping[str, str] | None = None,
    grammar: str | Path | None = None,
    subcases: Collection[str] | None = None,
) -> GeneratedPairs:
    """The pairs of the heuristics' templates, as a corpus to build from: so many of each subcase, or of some.

    Switches are `fidelity` and `quirks`; `grammar` is a file of your own, which is checked.

    >>> len(list(generated(2, split="training", subcases=["cn_adverb"])))
    2
    """
    options: dict[str, Any] = dict(recipes_for(["heuristics"], seed=seed, switches=switches)[0].options)
    if grammar:
        options["grammar"] = read_text(grammar)
        load(options["grammar"], name=str(grammar))  # so that errors name the file
    return GeneratedPairs(per_subcase, split=split, seed=seed, subcases=subcases, **options)


def build(
    families: str | Sequence[str],
    source: Source | None = None,
    *,
    out: str | Path,
    seed: int = 0,
    switches: Mapping[str, str] | None = None,
    ladder: int | None = None,
    storage: Storage = "jsonl",
    workers: int = 1,
    overwrite: bool = False,
    stage: Stage = quiet,
) -> Suite:
    """Build families of tests from a corpus, by default the bundled one, into a suite's folder.

    `heuristics` without a source are generated, 1,000 pairs of each subcase, or as `generated(...)` says.
    Switches change how a family works: `{"fidelity": "code"}` for all, `{"antonymy.senses": "lesk"}` for one.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     suite = build("negation", read("bundled", limit=2), out=f"{folder}/suite")
    ...     [case.hypothesis.endswith("and false is not true.") for case in suite]
    [True, True]
    """
    if source is None and are_generated(_names(families)):
        source, switches = generated(seed=seed, switches=switches), None
    if isinstance(source, GeneratedPairs):
        recipes = _recipes_of(source, _names(families), switches=switches, ladder=ladder)
    else:
        recipes = recipes_for(_names(families), seed=seed, switches=switches, ladder=ladder)
    prepare(recipes)
    with crew_of(workers) as crew:
        return build_suite(
            _corpus(source or BUNDLED), recipes, Path(out), crew=crew, storage=storage, overwrite=overwrite, stage=stage
        )


def run(
    source: str | Path | Corpus | None = None,
    *,
    families: str | Sequence[str] | None = None,
    suites: Sequence[str | Path] | Mapping[str, str | Path] = (),
    models: str | Sequence[str] = MODELS,
    seed: int = 0,
    switches: Mapping[str, str] | None = None,
    ladder: int | None = None,
    per_subcase: int = PER_SUBCASE,
    truncate: Truncate = "error",
    cache: bool = True,
    collapse: Collapse = "argmax",
    out: str | Path = "runs",
    workers: int = 1,
    stage: Stage = quiet,
    tell: Callable[[str], None] = lambda _: None,
) -> RunRecord:
    """Put models on the bench: build, ask, measure, and store the run in `out`/`record.id`.

    Families are built from the source, by default all usual ones from the bundled corpus; generated ones are a suite of
    their own. Suites that were built before come along by folder; where they are all that is given, nothing is built.
    Answers of models that can tell what they are are kept in the user's cache, unless `cache` is false.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     record = run(read("bundled", limit=30), families=["negation"], models=["assay:majority"], out=folder)
    >>> {family: found.value for (family,), found in record.find("accuracy", by=["family"]).items()}
    {'original': 0.3333333333333333, 'negation': 0.3333333333333333}
    """
    given = suites if isinstance(suites, Mapping) else named_suites(suites)
    builds = source is not None or families is not None or not given
    spec = run_spec(
        _reading(source or BUNDLED) if builds else None,
        families=_names(FAMILIES if families is None else families),
        suites=given,
        models=_names(models),
        seed=seed,
        switches=switches,
        ladder=ladder,
        per_subcase=per_subcase,
        truncate=truncate,
        collapse=_known(collapse, COLLAPSES, "collapse"),
    )
    return carry_out(spec, Path(out), worker_count=workers, cache=cache, stage=stage, tell=tell)


def compare(*runs: Run, models: Sequence[str] = ()) -> Comparisons:
    """Hold models against each other: those that two stored runs have in common, or a baseline and a candidate.

    A run is a record, its folder, or a folder of runs, of which the newest is meant; so in `gate` and `failures`.

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
    """Whether a stored run keeps rules over its figures, and is not significantly worse than an earlier run.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     record = run(read("bundled", limit=30), families="negation", models="assay:majority", out=folder)
    ...     found = gate(record, rules=["negation.accuracy>=0.5", "*.drop<=0.1"])
    >>> found.passed, [each.rule for each in found.rules if not each.holds]
    (False, ['negation.accuracy>=0.5'])
    """
    return gate_run(run, rules=_names(rules), no_worse_than=no_worse_than, models=_names(models), against=against)


def failures(
    run: Run, most: int = 10, *, models: str | Sequence[str] = (), families: str | Sequence[str] = ()
) -> list[Example]:
    """The most telling failures of a stored run, so many of each family and model: the case, and what each model said.

    Names of models and families leave the others out.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     record = run(read("bundled", limit=30), families="negation", models="assay:overlap", out=folder)
    ...     worst = failures(record, 3)
    >>> [(each.case.family, each.case.label.value, each.answers["assay:overlap/v1"].label.value) for each in worst[:2]]
    [('negation', 'entailment', 'neutral'), ('negation', 'contradiction', 'neutral')]
    """
    return find_failures(run, most, models=_names(models), families=_names(families))


def verify(suite: str | Path) -> None:
    """Check a suite; `CheckFailedError` names every damage."""
    if found := damages(suite):
        raise CheckFailedError("\n".join(found))


def score(
    source: str | Path | Corpus,
    predictions: str | Path | None = None,
    *,
    labels: Mapping[str, str] | None = None,
    missing: Missing = "stop",
    collapse: Collapse = "argmax",
) -> Score:
    """Score answers made elsewhere against a suite's folder or a corpus.

    Without `predictions`, the source is a file that holds gold labels and predictions side by side.
    """
    options: Any = {
        "labels": labels or {},
        "missing": _known(missing, MISSING, "missing"),
        "collapse": _known(collapse, COLLAPSES, "collapse"),
    }
    if predictions is None:
        if isinstance(source, Corpus):
            raise UserError("There are no predictions to score.")
        return score_submission(source, **options)
    if not isinstance(source, Corpus) and is_suite(source):
        cases: Iterator[Case] = iter(Suite.open(source))
        name = Path(source).absolute().name
    else:
        corpus = source if isinstance(source, Corpus) else read(source, labels=labels)
        cases, name = map(pair_as_case, corpus), corpus.name
    return score_answers(cases, predictions, suite=name, **options)


def is_suite(source: str | Path) -> bool:
    """Whether this is the folder of a suite, and no corpus."""
    return (Path(source) / "manifest.json").is_file()


def export(suite: str | Path, to: str, *, out: str | Path, overwrite: bool = False) -> Path:
    """Write a suite in another format: snli, mnli, hans, glue, csv, parquet, hf or lm-eval."""
    return export_suite(Suite.open(suite), to, Path(out), overwrite=overwrite)


def _known(value: T, values: Sequence[str], what: str) -> T:
    if value not in values:
        raise UserError(f"{what} is {', '.join(map(repr, values[:-1]))} or {values[-1]!r}, not {value!r}.")
    return value


def _names(given: str | Sequence[str]) -> list[str]:
    return [given] if isinstance(given, str) else list(given)


def _recipes_of(
    source: GeneratedPairs, families: Sequence[str], *, switches: Mapping[str, str] | None, ladder: int | None
) -> list[Recipe]:
    if not are_generated(families):
        raise UserError(f"Generated pairs are for heuristics, not for {', '.join(families)}.")
    if switches or ladder is not None:
        raise UserError("Generated pairs have their switches already, and no ladder: say it to `generated(...)`.")
    return [source.recipe()]


def _corpus(source: Source) -> Corpus | GeneratedPairs:
    return source if isinstance(source, Corpus | GeneratedPairs) else read(source)


def _reading(source: str | Path | Corpus) -> Reading:
    corpus = _corpus(source)
    if isinstance(corpus, GeneratedPairs):
        raise UserError("A run generates heuristics by itself: name them as a family, or give a suite of them.")
    return corpus.reading
