"""How often a diagnosis is wrong: honest models that get one, and models of a known shortcut that get another."""

import sys
import tempfile
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[2]))  # the models are those of the tests

import msgspec
import numpy
from tests.evaluate.honest_models import HONEST, Errors, Honest
from tests.run.diagnosed_models import FOOLING, SHORTCUTS, Answer

import assay
from assay.core.case import Case
from assay.core.label_space import LABELS
from assay.evaluate.diagnose.diagnosis_evidence import Evidence
from assay.evaluate.diagnose.shortcut_effects import measure_effects
from assay.run.diagnose_run import read_evidence
from assay.run.stored_run import StoredRun, run_folder
from calibrating.held_out_models import HELD_OUT_HONEST, HELD_OUT_PLANTED
from calibrating.rate import Rate

PAIRS = (60, 200, 750)
"""Source pairs of a run; the bundled corpus has 750."""

SAMPLES = 3
"""Other pairs are drawn this often."""

SHARES = {60: 0.01, 200: 0.004, 750: 0.001}
"""The share of the draws that each kind of honest model gets with so many pairs: with many, a draw needs more time."""

Sample = tuple[Evidence, list[Case]]

NOT_SHORTCUTS = {"prior", "constant"}
"""A label that is given too often is described, and is true of some honest models."""

KNOWN: Mapping[str, tuple[Answer, set[str]]] = {
    **{name: (answer, {*names}) for name, (answer, names) in FOOLING.items()},
    **{name: (answer, {shortcut}) for name, (answer, shortcut) in SHORTCUTS.items() if shortcut not in NOT_SHORTCUTS},
}


def rates(draws: int, seed: int) -> Iterable[Rate]:
    """Models of a shortcut at each number of pairs, and honest models, of kinds that were tuned on and of others."""
    samples = {
        pairs: [cases_of(pairs, seed + part) for part in range(SAMPLES if pairs < max(PAIRS) else 1)] for pairs in PAIRS
    }
    for which, known in (("tuned on", KNOWN), ("not tuned on", HELD_OUT_PLANTED)):
        for pairs in PAIRS:
            yield _named(pairs, samples[pairs], known, which)
    for which, honest in (("tuned on", HONEST), ("not tuned on", HELD_OUT_HONEST)):
        for pairs, share in SHARES.items():
            yield _honest(pairs, samples[pairs], honest, which, (max(1, round(share * draws)), seed))


def _honest(
    pairs: int,
    samples: list[Sample],
    kinds: Mapping[str, Errors],
    which: str,
    draws: tuple[int, int],
) -> Rate:
    each, seed = draws
    wrong: dict[str, int] = {}
    for kind, errors in kinds.items():
        for draw in range(each):
            evidence, _ = samples[draw % len(samples)]
            rng = numpy.random.default_rng([seed, pairs, draw])
            found, possible = named_shortcuts(evidence, errors(Honest(evidence, rng)))
            wrong[kind] = wrong.get(kind, 0) + bool(found or possible)
    worst = max(wrong, key=lambda kind: wrong[kind])
    about = f"{len(kinds)} kinds of honest models, {which}, {pairs} pairs"
    often = f"worst: {worst}, {wrong[worst]} of {each}" if wrong[worst] else ""
    return Rate("diagnosis: a shortcut", about, sum(wrong.values()), each * len(kinds), 0.05, often)


def _named(
    pairs: int,
    samples: list[Sample],
    known: Mapping[str, tuple[Answer, Collection[str]]],
    which: str,
) -> Rate:
    wrong, right, n = 0, 0, 0
    for evidence, cases in samples:
        for answer, names in known.values():
            found, _ = named_shortcuts(evidence, numpy.array([LABELS.index(answer(case)) for case in cases]))
            wrong, right, n = wrong + bool(found - {*names}), right + bool(found and found <= {*names}), n + 1
    about = f"{len(known)} models of a shortcut, {which}, {pairs} pairs"
    return Rate("diagnosis: another shortcut", about, wrong, n, 0.05, f"{right / n:.2f} named")


def honest_model(number: int, evidence: Evidence, rng: numpy.random.Generator) -> numpy.ndarray:
    """The answers of an honest model: of each kind in turn."""
    kinds = [*HONEST.values(), *HELD_OUT_HONEST.values()]
    return kinds[number % len(kinds)](Honest(evidence, rng))


def named_shortcuts(evidence: Evidence, answers: numpy.ndarray) -> tuple[set[str], set[str]]:
    """Shortcuts by name that a model is said to follow, and those of which it is said to follow one."""
    [found] = measure_effects(evidence._replace(answers=answers[None]))
    named: set[str] = {each.name for each in found if each.follows}
    return named - NOT_SHORTCUTS, {each.name for each in found if each.possible}


def cases_of(pairs: int, seed: int) -> Sample:
    """The cases of a run on some of the bundled pairs."""
    source = list(assay.read("bundled"))
    Random(seed).shuffle(source)
    with tempfile.TemporaryDirectory() as folder:
        record = assay.run(source[:pairs], models=["assay:majority"], out=folder)
        run = StoredRun.of(run_folder(record), record)
        evidence = read_evidence(run, record.spec)
        assert evidence
        lines = [line for suite in run.suites.values() for line in suite.lines()]
        return evidence, [msgspec.json.decode(line, type=Case) for line in lines]
