"""What systems get wrong again and again during training, from stored answers (Wang et al. 2019, Tables A1 and A2)."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import numpy

from assay.bench.analyses.swap import trained_folders
from assay.bench.training.corpus import TrainSpec
from assay.bench.training.train import Made
from assay.core.analysis import Analysis
from assay.core.errors import BadInputError, UserError
from assay.core.files import from_json
from assay.core.results.estimate import Estimate
from assay.core.suite import Origin, Suite
from assay.evaluate.analyses.epochs import MOST, Trace, common
from assay.evaluate.count.columns import LABELS, AnswerRow, CaseRow
from assay.models.systems.card import MAKING

SWAP = "swap"
_EPOCH = re.compile(r"epoch-([0-9]+)\.jsonl")


def analyse_epochs(
    trained: Sequence[str | Path], suite: str | Path, *, families: Sequence[str] = (), most: int = MOST
) -> Analysis:
    """Accuracy by epoch, agreement of neighbours, and the most frequent errors of each system and of each two.

    `trained` are folders of `assay train --suite SUITE`. Without `families`, swapped pairs are looked at if the suite
    has some, as in the paper, and otherwise all cases.
    """
    asked = Suite.open(suite)
    there = list(asked.manifest.counts)
    chosen = families or ([SWAP] if SWAP in there else there)
    folders = [folder for each in trained for folder in trained_folders(Path(each)) or _no_system(Path(each))]
    rows = [msgspec.json.decode(line, type=CaseRow) for line in asked.lines()]
    kept = [number for number, row in enumerate(rows) if row.family in chosen]
    if not kept:
        raise UserError(f"{suite} has no cases of {', '.join(chosen)}; it has {', '.join(there)}.")
    cases = [rows[number] for number in kept]
    gold = numpy.array([LABELS.index(case.compared_with) for case in cases])
    roots = {root: number for number, root in enumerate(dict.fromkeys(case.root for case in cases))}
    clusters = numpy.array([roots[case.root] for case in cases])
    traces = [
        Trace(name, gold, _answers(folder, asked, rows)[:, kept], clusters) for name, folder in _names(folders).items()
    ]
    estimates: list[Estimate] = [each for trace in traces for each in trace.estimates(most)]
    return Analysis(
        name="epochs",
        runs=tuple(folder.name for folder in folders),
        suites={asked.folder.name: Origin(source=asked.manifest.source, recipes=tuple(asked.manifest.recipes))},
        estimates=(*estimates, *common(traces, most)),
        settings={"family": ", ".join(chosen), "most": str(most)},
        notes=(f"{len(cases):,} cases.",),
    )


def _no_system(folder: Path) -> list[Path]:
    raise UserError(f"{folder} is not a trained system: it has no {MAKING}.\n  `assay train` makes one.")


def _names(folders: Sequence[Path]) -> dict[str, Path]:
    """Folders by system and how it was trained, or by their path if two would be called the same."""
    made = {folder: from_json(folder / MAKING, Made, newest=1) for folder in folders}
    named: dict[str, Path] = {}
    for folder, each in made.items():
        name = ", ".join([f"{each.spec.system.partition('/')[0]}@{each.seed}", *_ways(each.spec)])
        named[name if name not in named else str(folder)] = folder
    return named


def _ways(spec: TrainSpec) -> Iterator[str]:
    if spec.swap:
        yield f"{100 * spec.swap:.0f} % swapped"
    if spec.regularise:
        yield f"rules of {spec.regularise}"
    if spec.debias:
        yield spec.debias


def _answers(
    folder: Path, suite: Suite, rows: Sequence[CaseRow]
) -> numpy.ndarray[tuple[int, int], numpy.dtype[numpy.int64]]:
    """The codes of the answers after each epoch, (epochs, cases)."""
    place = folder / "predictions" / suite.folder.name
    found = {int(match[1]): path for path in place.glob("epoch-*.jsonl") if (match := _EPOCH.fullmatch(path.name))}
    if not found:
        raise UserError(
            f"{folder} has no answers to {suite.folder.name} by epoch.\n"
            f"  Train it with --suite {suite.folder}, which stores them after each epoch."
        )
    answers = []
    for _, path in sorted(found.items()):
        given = msgspec.json.Decoder(AnswerRow).decode_lines(path.read_bytes())
        if [each.id for each in given] != [row.id for row in rows]:
            raise BadInputError(
                f"its answers are not to the cases of {suite.folder}", where=str(path), hint="Train with this suite."
            )
        answers.append([LABELS.index(each.label) for each in given])
    return numpy.array(answers, dtype=numpy.int64)
