"""A small share of the fuzzing; `python tools/fuzz.py` does as much as you like."""

import subprocess
import sys

from tests.conftest import ROOT

INPUTS = 2_000


def test_no_input_makes_a_reader_fail() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools/fuzz.py"), "--inputs", str(INPUTS)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " inputs, 0 failed" in done.stdout.splitlines()[-1]


def test_a_reader_that_fails_is_found() -> None:
    code = (
        "import fuzz; from pathlib import Path; from fuzzing.targets import Target\n"
        "for read in (lambda data, _: data.decode('ascii'), lambda *_: bytearray(2_000_000_000)):\n"
        "    with fuzz.limited_memory():\n"
        "        print(fuzz.attempt(Target(read, list), 3, b'\\xff', Path('.')).what.partition(':')[0])\n"
        "def forever(*_):\n"
        "    while True: pass\n"
        "print(fuzz.attempt(Target(forever, list), 3, b'', Path('.'), seconds=0.01).what)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT / "tools", capture_output=True, text=True)
    assert done.stdout.splitlines() == [
        "UnicodeDecodeError",
        "MemoryError",
        "more than 0.01 s of processor time",
    ], done.stderr
