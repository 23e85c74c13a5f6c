"""What stored runs amount to: comparisons, gates, diagnoses, failures, and whether they are intact."""

from collections.abc import Sequence
from pathlib import Path

from assay.bench.api.arguments import names_of
from assay.bench.browse.measured import slice_accuracies
from assay.bench.judge.compare import compare_runs
from assay.bench.judge.diagnose import find_diagnosis
from assay.bench.judge.failures import find_failures
from assay.bench.judge.gate import gate_run
from assay.bench.stored import Run
from assay.bench.verify import damages
from assay.bench.verify_run import examine_run, is_run
from assay.core.errors import CheckFailedError, UserError
from assay.core.fetching import local
from assay.core.results.comparison import Comparisons
from assay.core.results.diagnosis import Diagnosis
from assay.core.results.example import Example
from assay.core.results.gate import Gate
from assay.evaluate.rules import rule, slices_of


def compare(*runs: Run, models: Sequence[str] = ()) -> Comparisons:
    """Compare models: those that two stored runs have in common, or a baseline and a candidate.

    A run is a record, its folder, or a folder of runs, which means the newest. `gate` and `failures` take the same.

    >>> import tempfile
    >>> from assay import read, run
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
    >>> from assay import read, run
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     record = run(read("bundled", limit=30), families="negation", models="assay:majority", out=folder)
    ...     found = gate(record, rules=["negation.accuracy>=0.5", "*.drop<=0.1"])
    >>> found.passed, [each.rule for each in found.rules if not each.holds]
    (False, ['negation.accuracy>=0.5'])
    """
    slices = slices_of(map(rule, names_of(rules)))
    return gate_run(
        run,
        rules=names_of(rules),
        no_worse_than=no_worse_than,
        models=names_of(models),
        against=against,
        on_slices=slice_accuracies(run, slices) if slices else (),
    )


def diagnose(run: Run, *, models: str | Sequence[str] = ()) -> Diagnosis:
    """Why the models of a stored run fail: shortcuts that they follow, what edits do, what goes with their errors.

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
