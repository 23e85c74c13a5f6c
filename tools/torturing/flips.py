"""Stored things that are damaged at places drawn from a seed, and read again."""

import random
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import msgspec

from assay.core.errors import AssayError
from assay.models.adapters.trained import ABOUT, Trained
from assay.run.stored_run import open_run
from assay.run.verify_stored import damages, examine_run
from assay.run.workers.shard import finished_shards
from assay.storage.answer_cache import AnswerCache
from assay.storage.files import DIGESTS_FILE
from assay.storage.suite import Suite
from assay.studies.plan.joint_records import open_study
from assay.training.training_state import TrainingStore as SnapshotStore
from torturing.kills import die
from torturing.work import COMMANDS, Round, command, contents, prepare, said, start, undisturbed


def damaged(path: Path, rng: random.Random) -> str:
    """Change one bit of a file, or cut its end off, and say what was done."""
    data = bytearray(path.read_bytes())
    place = rng.randrange(len(data))
    if rng.random() < 0.2:
        path.write_bytes(data[:place])
        return f"cut to {place} of {len(data)} bytes"
    bit = rng.randrange(8)
    data[place] ^= 1 << bit
    path.write_bytes(data)
    return f"bit {bit} of byte {place} changed"


Look = Callable[[], object]
"""Reads a stored thing as the commands do: what it holds, or None if damage was found."""


def flips(name: str, rounds: int, seed: int, work: Path) -> Iterator[Round]:
    """Damage a stored thing again and again, and see whether Assay notices."""
    folder, look = BROKEN[name](work)
    rng = random.Random(f"{seed} {name}")  # noqa: S311 - moments, not secrets
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.stat().st_size)
    whole = look()
    assert whole is not None, f"{name} is damaged before it was touched"
    for _ in range(rounds):
        path = rng.choice(files)
        before = path.read_bytes()
        what = damaged(path, rng)
        seen = look()
        came = "found" if seen is None else "harmless"
        wrong = "nobody noticed" if seen not in (None, whole) else ""
        yield Round(f"{path.relative_to(folder)}: {what}", wrong, came)
        path.write_bytes(before)


def _suite(work: Path) -> tuple[Path, Look]:
    prepare("build", work / "first")
    assert command((*COMMANDS["build"], "--limit", "40"), work / "first").code == 0
    folder = work / "first" / "suite"

    def look() -> object:
        if damages(folder):
            return None
        suite = Suite.open(folder)
        return suite.manifest, list(suite.lines())

    return folder, look


def _run(work: Path) -> tuple[Path, Look]:
    prepare("run", work / "first")
    assert command(COMMANDS["run"], work / "first").code == 0
    (folder,) = (work / "first" / "runs").iterdir()

    def look() -> object:
        return None if examine_run(folder).damages else open_run(folder)

    return folder, look


def _shards(work: Path) -> tuple[Path, Look]:
    prepare("merge", work / "first")
    folder = work / "first" / "merged.shards"

    def look() -> object:
        try:
            return [shard.card for shard in finished_shards(folder)]
        except AssayError:
            return None

    return folder, look


def _answers(work: Path) -> tuple[Path, Look]:
    """Cached answers: a wrong one must never come back; those that are lost are asked again."""
    folder = work / "first"
    rows = {b"key %d" % number: b"answer %d" % number * 9 for number in range(500)}
    with AnswerCache(folder / "answers.sqlite") as store:
        store.put(rows.items())

    def look() -> object:
        with AnswerCache(folder / "answers.sqlite") as store:
            found = store.get(list(rows))
        for path in folder.glob("answers.sqlite?*"):
            path.unlink()
        return None if found != rows and found.items() <= rows.items() else found

    return folder, look


def _model(work: Path) -> tuple[Path, Look]:
    """A trained system: its folder without what only says how it was made."""
    prepare("train", work / "first")
    assert command(COMMANDS["train"], work / "first").code == 0
    folder = work / "first" / "trained"
    for name in ABOUT:
        if name != DIGESTS_FILE:
            (folder / name).unlink(missing_ok=True)

    def look() -> object:
        try:
            return Trained(what=str(folder)).open().identity
        except AssayError:
            return None

    return folder, look


def _study(work: Path) -> tuple[Path, Look]:
    """A study: after the same command its record is the same, or what is damaged is named."""
    prepare("study", work / "first")
    assert command(COMMANDS["study"], work / "first").code == 0, said(work / "first").read_text()
    folder = work / "first" / "studies"
    again = work / "again"

    def look() -> object:
        try:
            for path in sorted(folder.glob("*/study.json")):
                open_study(path)
        except AssayError:
            return None
        shutil.rmtree(again, ignore_errors=True)
        said(again).unlink(missing_ok=True)
        shutil.copytree(work / "first", again)
        if not command(COMMANDS["study"], again).code:
            return [contents(study) for study in sorted((again / "studies").glob("plan-*"))]
        told = said(again).read_text()
        return None if "Error: " in told and "Unexpected" not in told else told

    return folder, look


def _checkpoint(work: Path) -> tuple[Path, Look]:
    """The state of a training that was killed, from which the next command would go on."""
    prepare("train", work / "first")
    undisturbed("train", work / "first", work / "whole")
    moment = 0
    while not (found := [*(work / "first").rglob("snapshot/state.json")]):
        moment += 10
        start(COMMANDS["train"], work / "first", partial(die, last=moment)).ended()
    folder = found[0].parent

    def look() -> object:
        snapshot = SnapshotStore(folder).load()
        return snapshot and repr(msgspec.structs.asdict(snapshot))

    return folder, look


BROKEN = {
    "study": _study,
    "checkpoint": _checkpoint,
    "suite": _suite,
    "run": _run,
    "shards": _shards,
    "answers": _answers,
    "model": _model,
}
