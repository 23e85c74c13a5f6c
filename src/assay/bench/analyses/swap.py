"""Training with swapped pairs: how far it moves a system on each test (Wang et al. 2019, Table 2)."""

from pathlib import Path

import msgspec

from assay.bench.analyses.opened import Opened, opened
from assay.bench.stored import Run
from assay.bench.training.train import Made
from assay.core.analysis import Analysis
from assay.core.errors import UserError
from assay.core.files import from_json
from assay.core.results.estimate import Estimate
from assay.evaluate.accuracy import RIGHT
from assay.evaluate.analyses.swapping import Swapping
from assay.models.adapters.trained import Trained
from assay.models.systems.card import MAKING

KIND = "trained:"

HOW = (
    "Train the same system with several shares, 0 among them: assay train SYSTEM --swap 50 ... --out FOLDER\n"
    "  Then run all of them together: assay run --suite SUITE --model trained:FOLDER --model trained:FOLDER2 ..."
)


def analyse_swap(run: Run) -> Analysis:
    """Ratios and deviations of every system that the run has with several shares of swapped training pairs."""
    found = opened(run)
    groups = _groups(found)
    estimates: list[Estimate] = []
    for name, shares in groups.items():
        rows = [found.models.index(model) for model in shares.values()]
        for suite in found.record.suites:
            counted = None
            for chunk, encoder in found.joined(suite):
                counted = counted or Swapping(list(shares), suite=suite, encoder=encoder)
                counted.add(chunk.cases, RIGHT[chunk.answers.label[rows], chunk.cases.label])
            estimates += counted.estimates({"model": name}) if counted else []
    return Analysis(name="swap", runs=(found.record.id,), suites=found.asked, estimates=tuple(estimates))


def _groups(found: Opened) -> dict[str, dict[int, str]]:
    """For each system and seed that was trained with several shares, the models by percentage; 0 must be among them."""
    alike: dict[bytes, dict[int, str]] = {}
    names: dict[bytes, str] = {}
    for model in found.models:
        made = _made(model)
        if made is not None:
            key = msgspec.json.encode([msgspec.structs.replace(made.spec, swap=0.0), made.seed])
            names[key] = f"{made.spec.system.partition('/')[0]}@{made.seed}"
            alike.setdefault(key, {})[round(100 * made.spec.swap)] = model
    groups: dict[str, dict[int, str]] = {}
    for key, shares in alike.items():
        if len(shares) > 1 and 0 in shares:
            number = sum(other.partition(" ")[0] == names[key] for other in groups)
            groups[f"{names[key]} ({number + 1})" if number else names[key]] = dict(sorted(shares.items()))
    if not groups:
        raise UserError(
            f"No system of the run {found.record.id} was trained with several shares of swapped pairs.\n  {HOW}"
        )
    return groups


def _made(model: str) -> Made | None:
    """How a model was trained, if its folder is still there."""
    if not model.startswith(KIND):
        return None
    path = Trained(what=model.removeprefix(KIND)).folder / MAKING
    return from_json(path, Made, newest=1) if path.is_file() else None


def trained_folders(given: Path) -> list[Path]:
    """The folder of a trained system, or those of its seeds."""
    return [path.parent for path in sorted([*given.glob(MAKING), *given.glob(f"seed-*/{MAKING}")])]
