"""Answers to suites while a system is trained: one file after each epoch."""

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from assay.core.files import write_whole
from assay.core.suite import Suite
from assay.models.systems.system import System
from assay.train.loop import predicted


def answers_to(suites: Sequence[Path], system: System, folder: Path) -> Callable[[int], None]:
    """What to do after each epoch: ask about the suites and store the answers."""
    asked = {path.name: list(Suite.open(path)) for path in suites}

    def answer(epoch: int) -> None:
        for name, cases in asked.items():
            encoded = system.encode([case.premise for case in cases], [case.hypothesis for case in cases])
            answers = predicted(system, encoded)
            lines = []
            for case, row in zip(cases, answers, strict=True):
                shares = {label.value: round(float(share), 6) for label, share in zip(system.labels, row, strict=True)}
                lines.append({"id": case.id, "label": system.labels[int(row.argmax())], "probabilities": shares})
            data = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
            write_whole(folder / "predictions" / name / f"epoch-{epoch}.jsonl", data)

    return answer
