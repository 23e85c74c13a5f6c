"""A gate for pipelines: rules about a run's numbers, and no significant loss compared with an earlier run."""

from collections.abc import Sequence

import msgspec

from assay.core.comparison import Comparison, Comparisons
from assay.core.errors import UserError
from assay.core.label_space import LabelNames
from assay.core.registry import called, option
from assay.core.run_record import RunRecord
from assay.evaluate.seeds import split_seed
from assay.evaluate.trainings import FEWEST, has_enough_trainings
from assay.gate.metric_rules import Gate, GateOutcome, check, losses_of, rule, slices_of
from assay.reports.tables.comparison_tables import trainings_of
from assay.run.api import names_of
from assay.run.case_index.saved_slices import slice_accuracies
from assay.run.compare_runs import compare_runs, only_system
from assay.run.measure import named_models
from assay.run.stored_run import Run, open_run


def gate(
    run: Run,
    *,
    rules: str | Sequence[str] = (),
    no_worse_than: Run | None = None,
    models: str | Sequence[str] = (),
    against: str | None = None,
    margin: float | None = None,
) -> Gate:
    """Check that a stored run keeps rules about its metrics, and did not lose anything compared with an earlier run.

    Without a margin, a significant loss fails. With one, such as 0.02, a family passes only if its loss is shown to be
    smaller, and the outcome may be inconclusive. Wrong rules and names raise errors.

    `models` are those that rules and comparisons are about, by default all except baselines. Each is compared
    with itself in the earlier run, or one of them with the model called `against`.

    >>> import tempfile
    >>> from assay import read, run
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     record = run(read("bundled", limit=30), families="negation", models="assay:majority", out=folder)
    ...     found = gate(record, rules=["negation.accuracy>=0.5", "*.drop<=0.1"])
    >>> found.passed, [each.rule for each in found.rules if not each.holds]
    (False, ['negation.accuracy>=0.5'])
    """
    if no_worse_than is None:
        _refuse_without_earlier(rules, against, margin)
    asked, models = [rule(text) for text in names_of(rules)], names_of(models)
    record, slices = open_run(run), slices_of(asked)
    earlier = open_run(no_worse_than) if no_worse_than is not None else None
    # By default all models except baselines, which fail by design and say nothing about what is tested.
    judged = named_models(record, models or [each.model for each in record.models if not each.reference])
    about = {*judged, *(split_seed(each).system for each in judged)}
    on_slices = slice_accuracies(run, slices) if slices else ()
    here = [e for e in (*record.estimates, *on_slices) if e.slice["model"] in about]
    curves = [each for each in record.support if each.slice["model"] in about]
    checked = tuple(found for each in asked for found in check(each, here, curves=curves, names=record.own_names))
    comparisons, notes = _compare_systems(record, earlier, judged, models=models, against=against, margin=margin)
    notes = [
        *notes,
        *_too_few_trainings(comparisons),
        *_too_small(comparisons),
        *_missed_losses(comparisons, margin),
        *_left_out(record, judged),
    ]
    found = Gate(
        run=record.id,
        baseline=earlier.id if earlier else "",
        outcome="pass",
        margin=margin,
        rules=checked,
        comparisons=tuple(comparisons),
        notes=tuple(dict.fromkeys(notes)),
        binary_suites=tuple(record.suites if record.label_space.is_binary else ()),
        names=record.own_names,
    )
    outcome: GateOutcome = "inconclusive" if found.open_rows or found.too_few_trainings else "pass"
    if found.losses or found.ranking_losses or not all(rule.holds for rule in found.rules):
        outcome = "fail"
    return msgspec.structs.replace(found, outcome=outcome)


def _refuse_without_earlier(rules: str | Sequence[str], against: str | None, margin: float | None) -> None:
    if not rules:
        raise UserError("A gate needs something to check a run against: a rule, an earlier run, or both.")
    if against is not None:
        raise UserError("The model to compare with must be in an earlier run, but none is given.")
    if margin is not None:
        raise UserError(f"A margin is about a loss, so it needs an earlier run: {option('no_worse_than', 'RUN')}.")


def _missed_losses(comparisons: Sequence[Comparison], margin: float | None) -> list[str]:
    """The size of the losses that a comparison without a margin could have missed."""
    rows = [row for each in comparisons for row in each.families if row.clusters is not None]
    if margin is not None or not rows:
        return []
    sizes = {row.slice["family"]: row.smallest for row in rows}
    worst = max(sizes, key=lambda family: sizes[family] or 1.0)
    size = sizes[worst]
    found = f"a loss of {100 * size:.1f} points" if size else "any loss, however large,"
    often = "one time in five" if size else "most of the time"
    return [
        f"Only a significant loss fails here: {found} in {worst} would be missed {often}. "
        f"{option('margin', '0.02')} asks for evidence that no more than 2 points were lost."
    ]


def _too_small(comparisons: Sequence[Comparison]) -> list[str]:
    """A note about families with too few cases to ever pass."""
    tests = [(row.slice["family"], row.margin) for each in comparisons for row in each.slices if row.margin]
    small = {family: test.smallest for family, test in tests if test.smallest}
    if not small:
        return []
    sizes = ", ".join(f"{family} (from {100 * size:.1f} points)" for family, size in small.items())
    return [f"Too few cases to ever show so small a loss, even if no answer changed: {sizes}."]


def _left_out(record: RunRecord, judged: Sequence[str]) -> list[str]:
    """A note about baselines, which are not judged."""
    left = [each.model for each in record.models if each.reference and each.model not in judged]
    verb = "is a baseline" if len(left) == 1 else "are baselines"
    return [f"{', '.join(left)} {verb} and not judged; name one with --model to judge it."] if left else []


def _compare_systems(
    run: RunRecord,
    earlier: RunRecord | None,
    judged: Sequence[str],
    *,
    models: Sequence[str],
    against: str | None,
    margin: float | None,
) -> tuple[list[Comparison], list[str]]:
    """Each system compared with itself in the earlier run; all its seeds count together, a named seed is a model."""
    if earlier is None:
        return [], []
    partly = {split_seed(each.model).system for each in run.models if each.model not in judged}
    systems = list(
        dict.fromkeys(each if split_seed(each).system in partly else split_seed(each).system for each in judged)
    )
    if against is not None:
        if len(systems) > 1:
            raise UserError(
                f"{against} can only be compared with one model, and there are several: {', '.join(systems)}.\n"
                "  Name one with --model."
            )
        found = compare_runs([earlier, run], models=[against, systems[0]], margin=margin)
        return list(found.comparisons), [*found.notes, *_hidden_losses(found)]
    there = [each.model for each in earlier.models]
    before = {called(name): name for name in (*there, *(split_seed(each).system for each in there))}
    common = [each for each in systems if called(each) in before]
    missing = [each for each in systems if called(each) not in before]
    if missing and systems == [only_system(run.models)] and (only := only_system(earlier.models)):
        before[called(systems[0])] = only
        common, missing = systems, []
    if missing and (models or not common):
        raise UserError(
            f"{missing[0]} is not in {earlier.id}, which has {', '.join(sorted(before.values()))}.\n"
            f"  Name the model to compare it with: {option('against', 'BASELINE')}."
        )
    comparisons: list[Comparison] = []
    notes = [f"{each} is not in {earlier.id}, so it is not compared." for each in missing]
    for system in common:
        found = compare_runs([earlier, run], models=[before[called(system)], system], margin=margin)
        comparisons += found.comparisons
        notes += [*found.notes, *_hidden_losses(found)]
    return comparisons, notes


def _too_few_trainings(comparisons: Sequence[Comparison]) -> list[str]:
    """Notes about systems with too few training runs to show a loss."""
    return [
        f"{each.candidate}: {trainings_of(each)} can't show a loss; a verdict needs {FEWEST} of each."
        for each in comparisons
        if not has_enough_trainings(each)
    ]


def _hidden_losses(found: Comparisons) -> list[str]:
    """Notes about labels with a loss in families without one; they do not fail the gate."""
    notes = []
    names = LabelNames(found.names)
    for each in found.comparisons:
        families = [row.slice["family"] for row in losses_of(each)]
        worse = [row.slice for row in each.slices if row.verdict == "worse" and "label" in row.slice]
        told = [f"{names(where['label'])} in {where['family']}" for where in worse if where["family"] not in families]
        if told:
            notes.append(f"{each.candidate} is worse on {', '.join(told)}, but not on the family as a whole.")
    return notes
