"""Tortures Assay: `python tools/torture.py kill|flip [--rounds N] [--only NAME] [--seed S]`.

`kill` ends a command with SIGKILL, at a file operation or at a time drawn from the seed, and gives the same command
again. What it leaves must be the same, byte for byte, as after an undisturbed one, with nothing else beside it. `flip`
changes a bit of a stored file, or cuts its end off. Assay must find that before it shows a figure, or not need
what was changed. Failed rounds are named; the exit code is 1 if there are any.
"""

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

from torturing.flips import BROKEN, flips
from torturing.kills import DIES, kills


def main() -> None:
    """Torture, and count."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("how", choices=["kill", "flip"])
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--only", action="append", help=f"kill: {', '.join(DIES)}; flip: {', '.join(BROKEN)}")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    torture, names = (kills, DIES) if given.how == "kill" else (flips, BROKEN)
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
