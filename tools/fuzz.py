"""Gives Assay inputs that nobody would write: `python tools/fuzz.py [--inputs N] [--minutes M] [--only NAME]`.

Everything that reads what others wrote is called with changed copies of good inputs: corpora, answers, replies of
models, configuration, plans, grammar and category files, and more. Only errors of Assay's own tree may come out, after
at most 2 seconds of processor time, with at most 500 MB more memory. What fails is printed with the number of the
input, which `--from NUMBER` makes again. Inputs that once failed are kept in `fuzzing/found.jsonl` and come first.
"""

import argparse
import base64
import json
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from fuzzing.targets import TARGETS, Target

from assay.core.errors import AssayError

SECONDS = 2
"""The most processor time of an input."""
MORE_BYTES = 500_000_000
"""The most memory that an input may take."""
FOUND = Path(__file__).parent / "fuzzing" / "found.jsonl"
MOST_SHOWN = 5
"""How many failures of a target are printed."""


class TooSlowError(BaseException):
    """An input took too long. Nobody catches it."""


class Failure(NamedTuple):
    """An input that made trouble."""

    number: int
    """Which one, or -1 for a kept one."""
    data: bytes
    what: str


def main() -> None:
    """Fuzz, and count."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--inputs", type=int, default=10_000, help="how many inputs in all")
    parser.add_argument("--minutes", type=float, default=60, help="stop each target after its share of this time")
    parser.add_argument("--only", action="append", help=", ".join(TARGETS))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--from", dest="start", type=int, default=0, help="the number of the first input")
    given = parser.parse_args()
    names = given.only or [*TARGETS]
    shares = sum(TARGETS[name].share for name in names)
    total = failed = 0
    with tempfile.TemporaryDirectory(prefix="assay-fuzz-", dir=_memory()) as folder:
        for name in names:
            target = TARGETS[name]
            count = max(1, given.inputs * target.share // shares)
            seeds = target.seeds()
            for data in seeds:
                attempt(target, -1, data, Path(folder), seconds=60)  # what is loaded once is not counted
            begun, worked, done, failures = time.monotonic(), time.process_time(), 0, []
            with limited_memory():
                numbers = range(given.start, given.start + count)
                for outcome in fuzz(name, target, seeds, numbers, given.seed, Path(folder)):
                    done += 1
                    failures += [outcome] if outcome else []
                    if time.monotonic() - begun > 60 * given.minutes / len(names):
                        break
            total, failed = total + done, failed + len(failures)
            seconds = time.process_time() - worked
            print(f"{name}: {done:,} inputs in {seconds:.0f} s of processor time, {len(failures):,} failed", flush=True)
            for each in failures[:MOST_SHOWN]:
                print(f"  input {each.number}: {each.what}\n    {each.data[:300]!r}", flush=True)
    print(f"{total:,} inputs, {failed:,} failed")
    sys.exit(bool(failed))


def _memory() -> str | None:
    """A place in memory, where files cost nothing, if there is one."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 - a folder of its own is made there


def fuzz(
    name: str, target: Target, seeds: list[bytes], numbers: range, seed: int, folder: Path
) -> Iterator[Failure | None]:
    """Give a target what was kept, and then inputs that are drawn from the seed."""
    kept = [base64.b64decode(each["data"]) for each in found() if each["target"] == name]
    for data in (*seeds, *kept):
        yield attempt(target, -1, data, folder)
    for number in numbers:
        rng = Random(f"{seed} {name} {number}")  # noqa: S311 - inputs, not secrets
        yield attempt(target, number, target.change(rng.choice(seeds), rng, seeds), folder)


def found() -> list[dict[str, Any]]:
    """Inputs that once failed."""
    return [json.loads(line) for line in FOUND.read_text().splitlines()]


def attempt(target: Target, number: int, data: bytes, folder: Path, *, seconds: float = SECONDS) -> Failure | None:
    """Give one input to a target; what went wrong, if anything."""
    signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        target.read(data, folder)
    except AssayError as error:
        str(error).encode()  # it can be shown
        return None
    except TooSlowError:
        return Failure(number, data, f"more than {seconds} s of processor time")
    except Exception as error:  # noqa: BLE001 - this is what is looked for
        return Failure(number, data, f"{type(error).__name__}: {error}"[:300])
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return None


def _stop(*_: object) -> None:
    raise TooSlowError


@contextmanager
def limited_memory() -> Iterator[None]:
    """Memory runs out for an input that takes too much."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MORE_BYTES, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


if __name__ == "__main__":
    main()
