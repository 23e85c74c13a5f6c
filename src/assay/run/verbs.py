"""What the command line does, from Python: read, build, run, verify, score, export."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from assay.core.errors import CheckFailedError, UserError
from assay.core.run import RunRecord
from assay.core.suite import Storage, Suite
from assay.corpora.reading import BUNDLED, Corpus, read
from assay.run.build import Stage, build_suite, quiet, recipe_for
from assay.run.export import export_suite
from assay.run.journey import FAMILIES, MODELS, carry_out, run_spec
from assay.run.score import Missing, Score, pairs_as_cases, score_answers
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
    names = [families] if isinstance(families, str) else list(families)
    recipes = [recipe_for(name, seed=seed) for name in names]
    return build_suite(
        _corpus(source), recipes, Path(out), storage=storage, worker_count=workers, overwrite=overwrite, stage=stage
    )


def run(
    source: Source = BUNDLED,
    *,
    families: Sequence[str] = FAMILIES,
    models: Sequence[str] = MODELS,
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
    spec = run_spec(_corpus(source).reading, families=families, models=models, seed=seed)
    return carry_out(spec, Path(out), worker_count=workers, stage=stage)


def verify(suite: str | Path) -> None:
    """Check a suite; `CheckFailedError` names every damage."""
    if found := damages(suite):
        raise CheckFailedError("\n".join(found))


def score(
    source: str | Path, predictions: str | Path, *, labels: Mapping[str, str] | None = None, missing: Missing = "stop"
) -> Score:
    """Score answers made elsewhere against a suite's folder or a corpus."""
    if missing not in ("stop", "wrong", "drop"):
        raise UserError(f"missing is 'stop', 'wrong' or 'drop', not {missing!r}.")
    is_suite = (Path(source) / "manifest.json").is_file()
    cases = iter(Suite.open(source)) if is_suite else pairs_as_cases(iter(read(source)))
    return score_answers(cases, predictions, labels=labels or {}, missing=missing)


def export(suite: str | Path, to: str, *, out: str | Path, overwrite: bool = False) -> Path:
    """Write a suite in another format: snli, mnli, hans, glue, csv, parquet or hf."""
    return export_suite(Suite.open(suite), to, Path(out), overwrite=overwrite)


def _corpus(source: Source) -> Corpus:
    return source if isinstance(source, Corpus) else read(source)
