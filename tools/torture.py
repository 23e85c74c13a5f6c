"""Tortures Assay: `python tools/torture.py kill|disk|twin|flip|memory [--rounds N] [--only NAME] [--seed S]`.

`kill` ends a command with SIGKILL, at a file operation or at a time drawn from the seed, up to three times, and gives
the same command again. What it leaves must be the same, byte for byte, as after an undisturbed one, with nothing else
beside it. `disk` does the same with a disk that is full, read-only, slow or gone, or folders of another user, `memory`
with too little memory, `twin` with two commands at once, a clock that jumps, and a corpus that changes. `flip` changes
a bit of a stored file, or cuts its end off. Assay must find that before it shows a figure, or not need what was
changed. Failed rounds are named, and then the exit code is 1.
"""

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

from torturing.disks import DISKS, disks
from torturing.flips import BROKEN, flips
from torturing.kills import KILLED, kills
from torturing.memory import LIMITED, limits
from torturing.twins import TWINS, twins

HOW = {
    "kill": (kills, KILLED),
    "disk": (disks, DISKS),
    "twin": (twins, TWINS),
    "flip": (flips, BROKEN),
    "memory": (limits, LIMITED),
}
"""Kinds of torture, with the names of what is tortured."""


def main() -> None:
    """Torture, and count."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("how", choices=[*HOW])
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--only", action="append", help="; ".join(f"{how}: {', '.join(HOW[how][1])}" for how in HOW))
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    torture, names = HOW[given.how]
    failed = 0
    for name in given.only or names:
        with tempfile.TemporaryDirectory(prefix="assay-torture-") as folder:
            found = list(torture(name, given.rounds, given.seed, Path(folder)))
        wrong = [f"  {each.moment}: {each.failure}" for each in found if each.failure]
        failed += len(wrong)
        came = Counter("failed" if each.failure else each.came for each in found)
        print("\n".join([f"{name}: {', '.join(f'{n} {what}' for what, n in came.items())}", *wrong]), flush=True)
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
