"""What the command line does, from Python: read, build, run, verify, score, export."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from assay.core import registry
from assay.core.case import Case
from assay.core.errors import CheckFailedError, UserError
from assay.core.run import RunRecord
from assay.core.suite import Storage, Suite
from assay.corpora.reading import BUNDLED, Corpus, read
from assay.run.build import Stage, build_suite, quiet, recipe_for
from assay.run.export import export_suite
from assay.run.journey import FAMILIES, MODELS, carry_out, run_spec
from assay.run.score import Missing, Score, pair_as_case, score_answers, score_submission
from assay.run.shards import workers as crew_of
from assay.run.verify import damages

__all__ = ["build", "export", "read", "run", "score", "verify"]

Source = str | Path | Corpus


def build(
    families: str | Sequence[str],
    source: Source = BUNDLED,
    *,
    out: str | Path,
    seed: int = 0,
    storage: Storage = "jsonl",
    workers: int = 1,
    overwrite: bool = False,
    stage: Stage = quiet,
) -> Suite:
    """Build families of tests from a corpus into a suite's folder.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     suite = build("negation", read("bundled", limit=2), out=f"{folder}/suite")
    ...     [case.hypothesis.endswith("and false is not true.") for case in suite]
    [True, True]
    """
    recipes = [recipe_for(name, seed=seed) for name in _versioned(families)]
    with crew_of(workers) as crew:
        return build_suite(
            _corpus(source), recipes, Path(out), crew=crew, storage=storage, overwrite=overwrite, stage=stage
        )


def run(
    source: Source = BUNDLED,
    *,
    families: str | Sequence[str] = FAMILIES,
    models: str | Sequence[str] = MODELS,
    seed: int = 0,
    out: str | Path = "runs",
    workers: int = 1,
    stage: Stage = quiet,
) -> RunRecord:
    """Put models on the bench: build, ask, measure, and store the run in `out`/`record.id`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     record = run(read("bundled", limit=30), models=["assay:majority"], out=folder)
    >>> {e.slice["family"]: e.value for e in record.estimates if set(e.slice) == {"model", "family"}}
    {'original': 0.3333333333333333, 'word-overlap': 0.3333333333333333, 'negation': 0.3333333333333333}
    """
    asked = [name for name in _versioned(families) if name != registry.transforms.resolve("original")]
    named = [models] if isinstance(models, str) else models
    spec = run_spec(_corpus(source).reading, families=asked, models=named, seed=seed)
    return carry_out(spec, Path(out), worker_count=workers, stage=stage)


def verify(suite: str | Path) -> None:
    """Check a suite; `CheckFailedError` names every damage."""
    if found := damages(suite):
        raise CheckFailedError("\n".join(found))


def score(
    source: Source,
    predictions: str | Path | None = None,
    *,
    labels: Mapping[str, str] | None = None,
    missing: Missing = "stop",
) -> Score:
    """Score answers made elsewhere against a suite's folder or a corpus.

    Without `predictions`, the source is a file that holds gold labels and predictions side by side.
    """
    if missing not in ("stop", "wrong", "drop"):
        raise UserError(f"missing is 'stop', 'wrong' or 'drop', not {missing!r}.")
    if predictions is None:
        if isinstance(source, Corpus):
            raise UserError("There are no predictions to score.")
        return score_submission(source, labels=labels or {}, missing=missing)
    if not isinstance(source, Corpus) and is_suite(source):
        cases: Iterator[Case] = iter(Suite.open(source))
    else:
        cases = map(pair_as_case, source if isinstance(source, Corpus) else read(source, labels=labels))
    return score_answers(cases, predictions, labels=labels or {}, missing=missing)


def is_suite(source: str | Path) -> bool:
    """Whether this is the folder of a suite, and no corpus."""
    return (Path(source) / "manifest.json").is_file()


def export(suite: str | Path, to: str, *, out: str | Path, overwrite: bool = False) -> Path:
    """Write a suite in another format: snli, mnli, hans, glue, csv, parquet or hf."""
    return export_suite(Suite.open(suite), to, Path(out), overwrite=overwrite)


def _versioned(families: str | Sequence[str]) -> list[str]:
    """The families' full names; `all` is every family."""
    given = [families] if isinstance(families, str) else list(families)
    if "all" in given:
        return registry.transforms.newest()
    names = [registry.transforms.resolve(name) for name in given]
    for name in names:
        if names.count(name) > 1:
            raise UserError(f"The family {name!r} is given twice.")
    return names


def _corpus(source: Source) -> Corpus:
    return source if isinstance(source, Corpus) else read(source)
