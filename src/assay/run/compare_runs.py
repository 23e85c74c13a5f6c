"""Comparing stored runs: the same model in two of them, two models, or the seeds of systems."""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy

from assay.core.case import Case, text_digest
from assay.core.comparison import Banded, ComparedRanking, ComparedSlice, Comparison, Comparisons
from assay.core.errors import UnknownNameError, UserError, did_you_mean
from assay.core.estimate import Estimate, find
from assay.core.label_space import LabelSpace, merged_names
from assay.core.registry import called, split_alias, transforms
from assay.core.run_record import ModelAnswers, RunRecord
from assay.evaluate.accuracy import RIGHT
from assay.evaluate.case_columns import Bools, Encoder
from assay.evaluate.margin import check_margin
from assay.evaluate.model_comparison import PairedCounts, judge_differences, judge_systems
from assay.evaluate.seeds import band, models_called, spellings, split_seed
from assay.evaluate.support.ranking_comparison import RankingBoard, judge_rankings
from assay.evaluate.trainings import FEWEST, TrainingBoard, TrainingsTest
from assay.run.build.recipes import generates
from assay.run.stored_run import JoinedAnswers, Run, answer_file, join_answers, open_run, run_folder, suite_of
from assay.storage.suite import Suite


class ModelInRun(NamedTuple):
    folder: Path
    record: RunRecord
    model: ModelAnswers

    def suite(self, name: str) -> Suite:
        return suite_of(self.folder, self.record, name)

    def file(self, name: str) -> Path:
        return answer_file(self.folder, self.model, name)


def compare_runs(stored: Sequence[Run], *, models: Sequence[str] = (), margin: float | None = None) -> Comparisons:
    """Compare models.

    With two runs or more, every model that the first and the last have is compared, the last run against the first.
    With `models`, a baseline from the first run is compared with a candidate from the last. Models called `NAME@SEED`
    are one system: compared if a seed is in both runs, and otherwise one band of seeds over all runs. With a margin,
    each family also says whether a loss is shown to be smaller than that.
    """
    if margin is not None:
        check_margin(margin)
    runs = [(run_folder(each), open_run(each)) for each in stored]
    benches = [[ModelInRun(folder, record, model) for model in record.models] for folder, record in runs]
    notes: list[str] = []
    everybody = [each for bench in benches for each in bench]
    if models:
        pairs = [_pair_named(benches, models)]
    elif len(runs) > 1:
        pairs = _pair_common(benches[0], benches[-1], notes)
        pairs += _pair_only(benches[0], benches[-1], notes)
    else:
        pairs = []
    compared = {_system_of(each) for baseline, candidate in pairs for each in (baseline[0], candidate[0])}
    bands = _find_bands([each for each in everybody if _system_of(each) not in compared])
    if not pairs and not bands:
        there = ", ".join(dict.fromkeys(each.model.model for each in everybody))
        fact = "One run gives nothing to compare" if len(benches) == 1 else "The runs have no model in common"
        if len(benches) > 2:
            fact = "The first run and the last have no model in common, and no model is called NAME@SEED"
        raise UserError(
            f"{fact}.\n  Name two models, the baseline first: --model BASELINE --model MODEL. Choose from {there}."
        )
    for baseline, candidate in pairs:
        (alias, before), (other, after) = (split_alias(side[0].model.model) for side in (baseline, candidate))
        if alias and alias == other and before != after:  # it stands for two models
            notes.append(f"{alias} is {before} in {baseline[0].record.id} and {after} in {candidate[0].record.id}.")
    comparisons = tuple(_compare_sides(baseline, candidate, notes, margin) for baseline, candidate in pairs)
    return Comparisons(
        runs=tuple(record.id for _, record in runs),
        comparisons=comparisons,
        bands=tuple(bands),
        notes=tuple(dict.fromkeys(notes)),
        binary_suites=tuple(sorted({name for _, run in runs if run.label_space.is_binary for name in run.suites})),
        names=merged_names(record.own_names for _, record in runs),
        references=tuple(sorted({each.model.model for each in everybody if each.model.reference})),
    )


def _pair_common(
    first: Sequence[ModelInRun], last: Sequence[ModelInRun], notes: list[str]
) -> list[tuple[list[ModelInRun], list[ModelInRun]]]:
    """Each model or system that two runs have, by its alias or its name; without a common seed, it is a band."""
    pairs = []
    for system in dict.fromkeys(map(_system_of, first)):
        baseline, candidate = ([each for each in bench if _system_of(each) == system] for bench in (first, last))
        seeds, others = ({split_seed(each.model.model).seed for each in side} for side in (baseline, candidate))
        if seeds & others:
            pairs.append((baseline, candidate))
        elif others:
            name, _ = system
            notes.append(
                f"{name} has different seeds in each run, so they form one band: "
                f"--model {name} --model {name} compares them."
            )
    return pairs


def _pair_only(
    first: Sequence[ModelInRun], last: Sequence[ModelInRun], notes: list[str]
) -> list[tuple[list[ModelInRun], list[ModelInRun]]]:
    """The only model or system of each of two runs, if neither is in both."""
    one, other = (only_system([each.model for each in bench]) for bench in (first, last))
    common = {_system_of(each)[0] for each in first} & {_system_of(each)[0] for each in last}
    if one is None or other is None or common & {called(one), called(other)}:
        return []
    notes.append(f"{one} is compared with {other}: each of the two runs has only one model.")
    return [(_find_model(one, first), _find_model(other, last))]


def only_system(models: Sequence[ModelAnswers]) -> str | None:
    """The name of the only model or system of a run, baselines aside; None if there are several."""
    judged = [each for each in models if not each.reference] or models
    systems = {split_seed(each.model).system for each in judged}
    return systems.pop() if len(systems) == 1 else None


def _system_of(each: ModelInRun) -> tuple[str, bool]:
    """The name of a model from run to run, without its seed, and whether it has one."""
    system, seed = split_seed(each.model.model)
    return called(system), seed is not None


def _pair_named(
    benches: Sequence[Sequence[ModelInRun]], models: Sequence[str]
) -> tuple[list[ModelInRun], list[ModelInRun]]:
    if len(models) != 2:
        raise UserError("Name two models: first the baseline, then the one to compare with it.")
    first, last = (models[0], benches[0]), (models[1], benches[-1])
    if len(benches) > 2:
        first, last = ((name, [each for bench in benches for each in bench]) for name in models)
    return _find_model(*first), _find_model(*last)


def _find_model(name: str, bench: Sequence[ModelInRun]) -> list[ModelInRun]:
    """The model of this name, or all seeds of the system of this name."""
    there = list(dict.fromkeys(each.model.model for each in bench))
    found = models_called(name, there)
    if not found:
        known = [spelling for model in there for spelling in sorted(spellings(model))]
        raise UnknownNameError(f"No model {name!r} here{did_you_mean(name, known)} Choose from {', '.join(there)}.")
    return _one_a_seed([each for each in bench if each.model.model in found])


def _one_a_seed(found: Sequence[ModelInRun]) -> list[ModelInRun]:
    """Models without repeated seeds, which add no evidence."""
    return list({each.model.model: each for each in reversed(found)}.values())[::-1]


def _compare_sides(
    baseline: Sequence[ModelInRun], candidate: Sequence[ModelInRun], notes: list[str], margin: float | None
) -> Comparison:
    several = len(baseline) > 1 or len(candidate) > 1
    if several:
        rows = _compare_systems(baseline, candidate, notes, margin)
    else:
        rows = judge_differences(_compare_two(baseline[0], candidate[0], notes), margin)
    known = {name.partition("/")[0] for name in transforms.names()}
    generated = {family for row in rows if (family := row.slice["family"]) in known and generates(family)}
    rows = tuple(
        msgspec.structs.replace(row, margin=msgspec.structs.replace(row.margin, is_generated=True))
        if row.margin and row.slice["family"] in generated
        else row
        for row in rows
    )
    if not rows:
        raise UserError(
            "The runs have no case in common.\n  Run both models on the same suite: `assay run --suite`. If their "
            "corpora have the same texts under other ids, give them equal ids, or none."
        )
    return Comparison(
        candidate=_name_side(candidate),
        candidate_run=", ".join(dict.fromkeys(each.record.id for each in candidate)),
        baseline=_name_side(baseline),
        baseline_run=", ".join(dict.fromkeys(each.record.id for each in baseline)),
        test="seeds" if several else "paired",
        slices=rows,
        rankings=tuple(_compare_rankings(baseline, candidate)),
    )


def _compare_rankings(baseline: Sequence[ModelInRun], candidate: Sequence[ModelInRun]) -> list[ComparedRanking]:
    """The ROC-AUC of both sides, on the suites whose cases are the same; none if training runs are too few."""
    everybody = [*candidate, *baseline]
    if len(everybody) > 2 and min(len(baseline), len(candidate)) < FEWEST:
        return []
    stored: list[dict[tuple[str, str], Estimate]] = []
    for each in everybody:
        scored = find(each.record.estimates, "roc-auc", ("suite", "family"), model=each.model.model)
        suites = each.record.suites
        stored.append({(suites[suite].digest, family): e for (suite, family), e in scored.items() if e.low is not None})
    named = [{manifest.digest: name for name, manifest in each.record.suites.items()} for each in everybody]
    tests, areas = list[TrainingsTest](), list[list[Estimate]]()
    for digest in dict.fromkeys(digest for digest, _ in stored[0]):
        if not all(any(digest == place[0] for place in scored) for scored in stored):
            continue
        suite, encoder = named[0][digest], Encoder(shared_space([each.record for each in everybody]))
        board = RankingBoard(suite=suite, encoder=encoder, candidates=len(candidate))
        files = [each.file(names[digest]) for each, names in zip(everybody, named, strict=True)]
        for chunk in join_answers(candidate[0].suite(suite), files, encoder):
            board.add(chunk.cases, chunk.answers)
        for test in board.tests():
            place = digest, test.slice["family"]
            if all(place in scored for scored in stored):
                tests.append(test)
                areas.append([scored[place] for scored in stored])
    few = len(candidate)
    return judge_rankings(tests, [each[:few] for each in areas], [each[few:] for each in areas])


def shared_space(records: Iterable[RunRecord]) -> LabelSpace:
    """The labels that several runs are compared by: two if one of them is judged by two."""
    spaces = [record.label_space for record in records]
    return spaces[0].resize(any(space.is_binary for space in spaces))


def _name_side(models: Sequence[ModelInRun]) -> str:
    return models[0].model.model if len(models) == 1 else split_seed(models[0].model.model).system


def _compare_two(baseline: ModelInRun, candidate: ModelInRun, notes: list[str]) -> list[ComparedSlice]:
    found: list[ComparedSlice] = []
    for mine, theirs in _same_suites(candidate.record, baseline.record):
        space = shared_space([candidate.record, baseline.record])
        one_sided = [each.record for each in (candidate, baseline) if each.record.label_space.is_binary]
        if len(one_sided) == 1:
            other = one_sided[0].id
            notes.append(f"Suite {mine} was judged by two labels in {other} only. Here, both models are judged by two.")
        encoder = Encoder(space)
        board = PairedCounts(suite=mine, encoder=encoder)
        if candidate.record.suites[mine].digest == baseline.record.suites[theirs].digest:
            for each in join_answers(candidate.suite(mine), [candidate.file(mine), baseline.file(theirs)], encoder):
                rows = numpy.flatnonzero(each.cases.claims)
                ours, other = _mark_right(each)[:, rows]
                board.add(each.cases, rows, candidate=ours, baseline=other)
        else:
            old = join_answers(baseline.suite(theirs), [baseline.file(theirs)], Encoder(space))
            new = join_answers(candidate.suite(mine), [candidate.file(mine)], encoder)
            notes.append(_join_cases(board, old, new, suite=mine) + _same_suite_command(baseline, theirs, candidate))
        found += board.rows()
    apart = {*candidate.record.suites} ^ {*baseline.record.suites}
    apart -= {name for pair in _same_suites(candidate.record, baseline.record) for name in pair}
    if apart:
        verb = "Suite {} is" if len(apart) == 1 else "The suites {} are"
        notes.append(f"{verb.format(', '.join(sorted(apart)))} in only one of the runs and left out.")
    return found


def _compare_systems(
    baseline: Sequence[ModelInRun], candidate: Sequence[ModelInRun], notes: list[str], margin: float | None
) -> tuple[ComparedSlice, ...]:
    """Two systems over their seeds, on the suites whose cases are the same in all runs."""
    everybody = [*candidate, *baseline]
    _refuse_mixed(everybody)
    named = [{manifest.digest: name for name, manifest in each.record.suites.items()} for each in everybody]
    boards = []
    for digest, suite in named[0].items():
        if any(digest not in names for names in named):
            notes.append(f"Suite {suite} does not have the same cases in all runs and is left out.")
            continue
        encoder = Encoder(shared_space(each.record for each in everybody))
        board = TrainingBoard(suite=suite, encoder=encoder, candidates=len(candidate))
        files = [each.file(names[digest]) for each, names in zip(everybody, named, strict=True)]
        for chunk in join_answers(candidate[0].suite(suite), files, encoder):
            board.add(chunk.cases, _mark_right(chunk))
        boards.append(board)
    tests = [test for board in boards for test in board.tests() if test.slice.keys() <= {"suite", "family", "label"}]
    return judge_systems(tests, [standing for board in boards if (standing := board.standing())], margin)


def _same_suites(candidate: RunRecord, baseline: RunRecord) -> list[tuple[str, str]]:
    """Suites of the same name, and those of the same cases under another name."""
    pairs = [(name, name) for name in candidate.suites if name in baseline.suites]
    by_digest = {manifest.digest: name for name, manifest in baseline.suites.items() if name not in candidate.suites}
    for name, manifest in candidate.suites.items():
        if name not in baseline.suites and manifest.digest in by_digest:
            pairs.append((name, by_digest[manifest.digest]))
    return pairs


def _join_cases(
    board: PairedCounts, baseline: Iterator[JoinedAnswers], candidate: Iterator[JoinedAnswers], *, suite: str
) -> str:
    """Count the cases that both have, with the same texts and label; notes how many were left out."""
    theirs: dict[str, tuple[str | None, bool]] = {}
    for each in baseline:
        (right,) = _mark_right(each)
        theirs |= {each.cases.ids[row]: (_content_of(each.lines[row]), right[row]) for row in _claimed_rows(each)}
    total = common = changed = 0
    for each in candidate:
        rows, others = [], []
        for row in _claimed_rows(each):
            content, other = theirs.pop(each.cases.ids[row], (None, False))
            if content == _content_of(each.lines[row]):
                rows.append(row)
                others.append(other)
            elif content is not None:
                changed += 1
            total += 1
        common += len(rows)
        (right,) = _mark_right(each)
        board.add(each.cases, numpy.array(rows, dtype=int), candidate=right[rows], baseline=numpy.array(others))
    alone = [f"{total - common - changed:,} are only in the second", f"{len(theirs):,} only in the first"]
    differ = f", {changed:,} have other texts or labels" if changed else ""
    return f"Suite {suite} differs: {common:,} cases are in both and compared; {' and '.join(alone)}{differ}."


def _same_suite_command(baseline: ModelInRun, suite: str, candidate: ModelInRun) -> str:
    """The command that runs the candidate on the baseline's cases; a run made in Python has none."""
    if candidate.model.model.startswith("object:"):
        return ""
    folder = baseline.folder / "suites" / suite
    words = ("--suite", "/".join(folder.parts[-4:]), "--model", candidate.model.model)
    return f" To compare both on all cases of the first run: assay run {shlex.join(words)}"


def _claimed_rows(each: JoinedAnswers) -> list[int]:
    """The rows of the cases that have a label."""
    return numpy.flatnonzero(each.cases.claims).tolist()


def _mark_right(each: JoinedAnswers) -> Bools:
    """(models, cases) Whether the answers are right."""
    return RIGHT[each.answers.label, each.cases.label]


def _content_of(line: bytes) -> str:
    case = msgspec.json.decode(line, type=Case)
    return f"{text_digest(case.premise, case.hypothesis)} {case.compared_with.value}"


def _read_seeds(models: Sequence[ModelInRun]) -> dict[tuple[tuple[str, str], ...], list[float]]:
    """Each seed's stored accuracies, by slice; slices that a seed lacks are left out."""
    _refuse_mixed(models)
    found: dict[tuple[tuple[str, str], ...], list[float]] = {}
    for each in models:
        for e in each.record.estimates:
            where = {name: e.slice[name] for name in ("suite", "family", "label") if name in e.slice}
            plain = set(e.slice) == {"model", *where}
            if e.name == "accuracy" and e.value is not None and e.slice["model"] == each.model.model and plain:
                found.setdefault(tuple(where.items()), []).append(e.value)
    return {place: values for place, values in found.items() if len(values) == len(models)}


def _refuse_mixed(models: Sequence[ModelInRun]) -> None:
    """Refuse to compare stored numbers if some are for two labels and some for three: the tasks differ."""
    judged: dict[str, dict[bool, str]] = {}
    for each in models:
        for name in each.record.suites:
            judged.setdefault(name, {})[each.record.label_space.is_binary] = each.record.id
    for name, runs in judged.items():
        if len(runs) > 1:
            raise UserError(
                f"Suite {name} was judged by two labels in {runs[True]} and by three in {runs[False]}, and seeds are "
                "compared by the same labels.\n  Run one of them again with --two-way or --three-way."
            )


def _find_bands(everybody: Sequence[ModelInRun]) -> list[Banded]:
    systems: dict[str, list[ModelInRun]] = {}
    for each in _one_a_seed(everybody):
        system, seed = split_seed(each.model.model)
        if seed is not None:
            systems.setdefault(system, []).append(each)
    return [
        Banded(system=system, slice=dict(place), band=band(values))
        for system, seeds in systems.items()
        for place, values in _read_seeds(seeds).items()
    ]
