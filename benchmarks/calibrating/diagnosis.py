"""How often a diagnosis is wrong: honest models that get one, and models of a known shortcut that get another."""

import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[2]))  # the models are those of the tests

import msgspec
import numpy
from tests.evaluate.honest_models import HONEST, Honest
from tests.run.diagnosed_models import FOOLING, SHORTCUTS, Answer

import assay
from assay.core.case import Case
from assay.core.label_space import LABELS
from assay.evaluate.diagnose.diagnosis_evidence import Evidence
from assay.evaluate.diagnose.shortcut_effects import effects
from assay.run.diagnose_run import read_evidence
from assay.run.stored_run import StoredRun, run_folder
from calibrating.rate import Rate

PAIRS = (60, 200, 750)
"""Source pairs of a run; the bundled corpus has 750."""

SAMPLES = 3
"""Other pairs are drawn this often."""

SHARES = {60: 0.6, 200: 0.3, 750: 0.1}
"""The share of the draws that is made with so many pairs: where cases are many, a draw needs more time."""

NOT_SHORTCUTS = {"prior", "constant"}
"""A label that is given too often is described, and is true of some honest models."""

KNOWN: Mapping[str, tuple[Answer, set[str]]] = {
    **{name: (answer, {*names}) for name, (answer, names) in FOOLING.items()},
    **{name: (answer, {shortcut}) for name, (answer, shortcut) in SHORTCUTS.items() if shortcut not in NOT_SHORTCUTS},
}


def rates(draws: int, seed: int) -> Iterable[Rate]:
    """A row for all models of a shortcut at each number of pairs, and one for each kind of honest model."""
    samples = {pairs: [_cases(pairs, seed) for seed in range(SAMPLES if pairs < max(PAIRS) else 1)] for pairs in PAIRS}
    for pairs in PAIRS:
        yield _named(pairs, samples[pairs])
    for kind, errors in HONEST.items():
        runs = [samples[pairs] for pairs, share in SHARES.items() for _ in range(max(1, round(share * draws)))]
        wrong = 0
        for draw, choices in enumerate(runs):
            evidence, _ = choices[draw % len(choices)]
            found, possible = _found(evidence, errors(Honest(evidence, numpy.random.default_rng([seed, draw]))))
            wrong += bool(found or possible)
        yield Rate("diagnosis: a shortcut", f"honest: {kind}", wrong, len(runs), 0.05)


def _named(pairs: int, samples: list[tuple[Evidence, list[Case]]]) -> Rate:
    wrong, right, n = 0, 0, 0
    for evidence, cases in samples:
        for answer, names in KNOWN.values():
            found, _ = _found(evidence, numpy.array([LABELS.index(answer(case)) for case in cases]))
            wrong, right, n = wrong + bool(found - names), right + bool(found and found <= names), n + 1
    verdict = "diagnosis: another shortcut"
    return Rate(verdict, f"{len(KNOWN)} shortcuts, {pairs} pairs", wrong, n, 0.05, f"{right / n:.2f} named")


def _found(evidence: Evidence, answers: numpy.ndarray) -> tuple[set[str], set[str]]:
    """Shortcuts by name that a model is said to follow, and those of which it is said to follow one."""
    [found] = effects(evidence._replace(answers=answers[None]))
    named: set[str] = {each.name for each in found if each.follows}
    return named - NOT_SHORTCUTS, {each.name for each in found if each.possible}


def _cases(pairs: int, seed: int) -> tuple[Evidence, list[Case]]:
    source = list(assay.read("bundled"))
    Random(seed).shuffle(source)
    with tempfile.TemporaryDirectory() as folder:
        record = assay.run(source[:pairs], models=["assay:majority"], out=folder)
        run = StoredRun.of(run_folder(record), record)
        evidence = read_evidence(run, record.spec)
        assert evidence
        lines = [line for suite in run.suites.values() for line in suite.lines()]
        return evidence, [msgspec.json.decode(line, type=Case) for line in lines]
