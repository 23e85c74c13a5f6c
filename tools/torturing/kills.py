"""Commands that are killed at moments drawn from a seed, and given again."""

import os
import random
import shutil
import signal
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from torturing.serving import served
from torturing.work import COMMANDS, Ended, Operation, Round, command, prepare, results, size, start, undisturbed, wrong

MOST_KILLS = 3
"""How often a command is killed in one round, at most."""

GROWTH = 3
"""How many times the bytes of an undisturbed command may be on the disk after kills, at most."""


SERVE = "serve"

KILLED = (*COMMANDS, SERVE)
"""What is killed."""


def kills(name: str, rounds: int, seed: int, work: Path) -> Iterator[Round]:
    """Kill a command again and again, each time in a fresh folder; often, also the one that goes on with its work."""
    if name == SERVE:
        yield from served(rounds, seed, work)
        return
    prepare(name, work / "first")
    calm = undisturbed(name, work / "first", work / "whole")
    expected = results(name, work / "whole")
    most_bytes = GROWTH * size(work / "whole")
    rng = random.Random(f"{seed} {name}")  # noqa: S311 - moments, not secrets
    for number in range(rounds):
        folder = work / "round"
        moments: list[str] = []
        while not moments:  # a moment in time may come after the end
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(work / "first", folder)
            moments = [*_killed(name, folder, calm, rng, at_operations=number % 2 == 0)]
        used = size(folder)
        was_there = results(name, folder) == expected
        code = command(COMMANDS[name], folder).code
        failure = wrong(name, folder, expected, code, was_there=was_there)
        if used > most_bytes:
            failure = failure or f"{used:,} bytes were on the disk, more than {most_bytes:,}"
        yield Round(", ".join(moments), failure)


def _killed(name: str, folder: Path, calm: Ended, rng: random.Random, *, at_operations: bool) -> Iterator[str]:
    """Start a command up to three times, and kill it; when that was, each time that it was not over before."""
    for _ in range(rng.randint(1, MOST_KILLS)):
        event, after = rng.randint(1, calm.events), rng.random() * calm.seconds
        if at_operations:
            moment = f"at file operation {event} of {calm.events}"
            ended = start(COMMANDS[name], folder, partial(die, last=event)).ended()
        else:
            moment = f"after {after:.2f} s"
            ended = start(COMMANDS[name], folder).ended(die_after=after)
        if ended.code:
            yield moment


def die(operation: Operation, last: int) -> None:
    """Kill a command, with its workers, before a file operation."""
    if operation.writes and operation.number == last:
        os.killpg(0, signal.SIGKILL)  # this may be one of the workers
