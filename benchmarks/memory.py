"""The most memory that inspecting, building and asking take, with 5 million synthetic pairs unless told otherwise."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

LABELS = ("entailment", "neutral", "contradiction")


def write_corpus(path: Path, pairs: int) -> None:
    with path.open("w", encoding="utf-8") as file:
        for i in range(pairs):
            record = {
                "id": f"synthetic-{i}",
                "premise": f"Clerk {i // 3} filed {i % 997} letters in the {i % 13}th drawer before noon.",
                "hypothesis": f"Somebody filed {i % 991} letters.",
                "label": LABELS[i % 3],
            }
            file.write(json.dumps(record) + "\n")


def peak(*command: str, folder: str) -> tuple[float, float]:
    """Megabytes and seconds that a command took."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=folder)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{' '.join(command)} failed")
    return usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime


def main() -> None:
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000_000
    assay = str(Path(sys.executable).with_name("assay"))
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "synthetic.jsonl"
        write_corpus(corpus, pairs)
        commands = {
            "data inspect": (assay, "data", "inspect", str(corpus), "--json"),
            "build": (
                assay,
                "build",
                "original",
                "--from",
                str(corpus),
                "--out",
                f"{folder}/suite",
                "--workers",
                "1",
                "--quiet",
            ),
        }
        module = Path(folder) / "constant.py"
        module.write_text("def answer(pairs):\n    return ['neutral'] * len(pairs)\n")
        commands["run"] = (
            assay,
            "run",
            "--suite",
            f"{folder}/suite",
            "--model",
            "python:constant:answer?batch=1000",
            "--out",
            f"{folder}/runs",
            "--workers",
            "1",
            "--quiet",
        )
        for name, command in commands.items():
            megabytes, seconds = peak(*command, folder=folder)
            print(f"{name}: {pairs:,} pairs, {megabytes:.0f} MB at most (under 300), {seconds:.0f} s of processor time")


if __name__ == "__main__":
    main()
