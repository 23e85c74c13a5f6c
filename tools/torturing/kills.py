"""Commands that are killed at moments drawn from a seed, and given again."""

import os
import random
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

from torturing.work import COMMANDS, Operation, Round, command, prepare, results, size, start, wrong

MOST_KILLS = 3
"""How often a command is killed in one round, at most."""

GROWTH = 3
"""How many times the bytes of an undisturbed command may be on the disk after kills, at most."""


def kills(name: str, rounds: int, seed: int, work: Path) -> Iterator[Round]:
    """Kill a command again and again, each time in a fresh folder; often, also the one that goes on with its work."""
    prepare(name, work / "first")
    shutil.copytree(work / "first", work / "whole")
    calm = command(COMMANDS[name], work / "whole")
    assert calm.code == 0, calm
    expected = results(name, work / "whole")
    most_bytes = GROWTH * size(work / "whole")
    rng = random.Random(f"{seed} {name}")  # noqa: S311 - moments, not secrets
    for number in range(rounds):
        folder = work / "round"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(work / "first", folder)
        moments = []
        for _ in range(rng.randint(1, MOST_KILLS)):
            event, after = rng.randint(1, calm.events), rng.random() * calm.seconds
            if number % 2 == 0:
                moments.append(f"at file operation {event} of {calm.events}")
                start(COMMANDS[name], folder, lambda done, last=event: _die(done, last)).ended()  # type: ignore[misc]
            else:
                moments.append(f"after {after:.2f} s")
                start(COMMANDS[name], folder).ended(die_after=after)
        used = size(folder)
        was_there = results(name, folder) == expected
        code = command(COMMANDS[name], folder).code
        failure = wrong(name, folder, expected, code, was_there=was_there)
        if used > most_bytes:
            failure = failure or f"{used:,} bytes were on the disk, more than {most_bytes:,}"
        yield Round(", ".join(moments), failure)


def _die(operation: Operation, last: int) -> None:
    if operation.writes and operation.number == last:
        os.kill(os.getpid(), signal.SIGKILL)
