"""How many files of Assay a run with one family enters: those in which a function runs; imports don't count.

`python benchmarks/run_files.py --list` names them, with the number of functions that ran in each.
"""

import io
import os
import sys
import tempfile
import threading
from collections import defaultdict
from contextlib import redirect_stdout, suppress
from pathlib import Path
from types import CodeType, FrameType

import assay
from assay.cli.main import main as command

SOURCE = str(Path(assay.__file__).parent) + "/"
IS_FUNCTION = 1
"""The flag of code that is neither a module's nor a class's body."""
MOST = 110
PAIRS = """premise,hypothesis,label
A man is playing a guitar on the stage.,A man is playing an instrument.,entailment
Two dogs run through the snow.,Two cats sleep on a sofa.,contradiction
A woman in a red coat is reading a newspaper.,A woman waits for her friend.,neutral
The children are eating ice cream in the park.,Children are eating.,entailment
"""

entered: defaultdict[str, set[CodeType]] = defaultdict(set)


def watch(frame: FrameType, event: str, _: object) -> None:
    code = frame.f_code
    is_ours = code.co_filename.startswith(SOURCE) and code.co_filename.endswith(".py")
    if event == "call" and is_ours and code.co_flags & IS_FUNCTION and not _is_importing(frame):
        entered[code.co_filename.removeprefix(SOURCE)].add(code)


def _is_importing(frame: FrameType | None) -> bool:
    while frame:
        if frame.f_code.co_name == "<module>" and frame.f_code.co_filename.startswith(SOURCE):
            return True
        frame = frame.f_back
    return False


def main() -> None:
    lists = "--list" in sys.argv
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "pairs.csv"
        corpus.write_text(PAIRS)
        os.environ["ASSAY_CACHE"] = f"{folder}/cache"
        options = ["--family", "negation", "--model", "assay:minilm", "--workers", "1"]
        sys.argv = ["assay", "run", "--from", str(corpus), "--out", f"{folder}/runs", *options]
        threading.setprofile(watch)
        sys.setprofile(watch)
        try:
            with redirect_stdout(io.StringIO()), suppress(SystemExit):
                command()
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
    if lists:
        for name, functions in sorted(entered.items()):
            print(f"{len(functions):4}  {name}")
    total = sum(map(len, entered.values()))
    print(f"assay run with one family: {len(entered)} files, {total:,} functions (at most {MOST} files)")


if __name__ == "__main__":
    main()
