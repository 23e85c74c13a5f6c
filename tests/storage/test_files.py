"""Files are whole or not there."""

import errno
import os
import platform
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from tests.fixtures.runs import contents

from assay.core.errors import BadInputError, ExternalError, OutputExistsError, UserError
from assay.core.serialise import from_json, to_json
from assay.storage.files import (
    Kind,
    digest,
    exchange,
    file_aside,
    files_in,
    folder_aside,
    refuse_existing,
    refuse_folder,
    write_errors,
    write_whole,
)

Stop = BaseException | type[BaseException]


class Mark(msgspec.Struct):
    schema: int
    holds: tuple[str, ...]


BOX = Kind("a box", lambda folder: ("mark.json", *from_json(folder / "mark.json", Mark, newest=1).holds))


def box(folder: Path, *holds: str) -> Path:
    """A folder that was made here, with files that it knows of."""
    for name in holds:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("old")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "mark.json").write_bytes(to_json(Mark(1, holds)))
    return folder


def stopped_by(stop: Stop | None, target: Path, *, also: Path | None = None, resumes: bool = False) -> None:
    """Work in a folder aside until something stops it; meanwhile somebody else may make a file."""
    with folder_aside(target, resumes=resumes) as aside:
        (aside / "part").write_text("done")
        if also:
            also.parent.mkdir(exist_ok=True)
            also.write_text("x")
        if stop:
            raise stop


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "new" / "file"
    write_whole(path, b"one")
    write_whole(path, b"two")
    assert path.read_bytes() == b"two"
    assert list(path.parent.iterdir()) == [path]


def test_a_folder_takes_its_name_at_the_end(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "out"
    with folder_aside(target) as aside:
        (aside / "x").write_text("x")
        assert not target.exists()
    assert (target / "x").read_text() == "x"
    assert list(target.parent.iterdir()) == [target]


def test_wrong_input_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(UserError):
        stopped_by(UserError("wrong"), tmp_path / "deep" / "er" / "out")
    assert list(tmp_path.iterdir()) == []


def test_wrong_input_leaves_what_others_made(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    with pytest.raises(UserError):
        stopped_by(UserError("wrong"), tmp_path / "runs" / "a" / "out", also=tmp_path / "runs" / "a" / "theirs")
    assert [path.name for path in (tmp_path / "runs" / "a").iterdir()] == ["theirs"]


STOPS = pytest.mark.parametrize("stop", [KeyboardInterrupt, ExternalError("disk"), SystemExit(130)])


@STOPS
def test_an_interruption_leaves_the_parts_of_what_is_resumed(tmp_path: Path, stop: Stop) -> None:
    target = tmp_path / "out"
    with pytest.raises((KeyboardInterrupt, ExternalError, SystemExit)):
        stopped_by(stop, target, resumes=True)
    assert not target.exists()
    with folder_aside(target, resumes=True) as aside:
        assert (aside / "part").read_text() == "done"
    assert (target / "part").exists()


@STOPS
def test_an_interruption_leaves_nothing_of_what_is_not(tmp_path: Path, stop: Stop) -> None:
    with pytest.raises((KeyboardInterrupt, ExternalError, SystemExit)):
        stopped_by(stop, tmp_path / "deep" / "out")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("resumes", "kept"), [(False, ["new"]), (True, ["data/whole", "new"])])
def test_a_killed_command_leaves_no_half_file_to_the_next(tmp_path: Path, resumes: bool, kept: list[str]) -> None:
    left = tmp_path / ".out.partial" / "data"
    left.mkdir(parents=True)
    for name in ("whole", ".half.4711.aside", ".tmp6icInn"):
        (left / name).write_text("x")
    with folder_aside(tmp_path / "out", resumes=resumes) as aside:
        (aside / "new").write_text("x")
    assert sorted(contents(tmp_path / "out")) == kept


LEAVE = """
import os, signal, sys
from pathlib import Path
from assay.storage.files import path_aside
with path_aside(Path(sys.argv[1])) as aside:
    aside.write_text("half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there, nobody knows who is dead")
def test_a_half_file_of_a_killed_command_is_deleted_by_the_next_that_writes_there(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", LEAVE, tmp_path / "file"])
    (half,) = tmp_path.iterdir()
    elsewhere = tmp_path / half.name.replace(platform.node(), "another-machine")
    living = tmp_path / f".file.{platform.node()}.{os.getppid()}.aside"
    for path in (elsewhere, living):
        path.write_text("somebody is writing this")
    write_whole(tmp_path / "other", b"x")
    assert {*tmp_path.iterdir()} == {elsewhere, living, tmp_path / "other"}


def test_what_is_there_is_refused_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with pytest.raises(OutputExistsError, match="--overwrite"), folder_aside(tmp_path / "out"):
        pytest.fail("work was begun")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_what_appears_meanwhile_is_not_lost(tmp_path: Path) -> None:
    with pytest.raises(OutputExistsError):
        stopped_by(None, tmp_path / "out", also=tmp_path / "out" / "theirs")
    assert (tmp_path / "out" / "theirs").exists()


def test_overwriting_replaces_all_at_the_end(tmp_path: Path) -> None:
    target = box(tmp_path / "out", "cases", "data/one")
    (target / ".DS_Store").write_text("a desktop was here")
    (target / ".page.html.4711.aside").write_text("a command was killed here")
    with folder_aside(target, over=BOX) as aside:
        (aside / "new").write_text("new")
        assert (target / "cases").exists()
    assert [path.name for path in target.iterdir()] == ["new"]
    assert list(tmp_path.iterdir()) == [target]


def test_overwriting_replaces_an_empty_folder(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with folder_aside(tmp_path / "out", over=BOX) as aside:
        (aside / "new").write_text("new")
    assert (tmp_path / "out" / "new").exists()


@pytest.mark.parametrize(
    "mark",
    [b"old", b"{}", b'{"manifest_version": 3, "name": "An extension of a browser"}', b'{"schema": 99, "holds": []}'],
)
def test_overwriting_spares_a_folder_whose_mark_is_not_ours(tmp_path: Path, mark: bytes) -> None:
    target = tmp_path / "out"
    (target / "src").mkdir(parents=True)
    (target / "src" / "main.js").write_text("precious")
    (target / "mark.json").write_bytes(mark)
    with pytest.raises(OutputExistsError, match="not a box that Assay made") as caught, folder_aside(target, over=BOX):
        pytest.fail("work was begun")
    assert "mark.json" in str(caught.value)
    assert files_in(target) == ["mark.json", "src/main.js"]


@pytest.mark.parametrize(
    ("theirs", "named"),
    [
        (["notes.txt"], "notes.txt"),
        (["data/notes.txt"], "data/notes.txt"),
        ([".git/HEAD", ".git/config", "src/a", "src/b"], ".git/, src/"),
        (["a", "b", "c", "d", "e"], "a, b, c and 2 more"),
    ],
)
def test_overwriting_spares_what_a_user_put_into_our_folder(tmp_path: Path, theirs: list[str], named: str) -> None:
    target = box(tmp_path / "out", "cases", "data/one")
    for name in theirs:
        (target / name).parent.mkdir(exist_ok=True)
        (target / name).write_text("precious")
    before = files_in(target)
    with pytest.raises(OutputExistsError, match="that Assay did not write") as caught, folder_aside(target, over=BOX):
        pytest.fail("work was begun")
    assert f": {named}.\n" in str(caught.value)
    assert files_in(target) == before


def test_overwriting_spares_a_linked_folder_in_ours(tmp_path: Path) -> None:
    target = box(tmp_path / "out", "cases")
    (tmp_path / "elsewhere").mkdir()
    (target / "linked").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OutputExistsError, match="linked"):
        refuse_folder(target, over=BOX)


def test_what_a_user_adds_meanwhile_is_spared(tmp_path: Path) -> None:
    target = box(tmp_path / "out", "cases")
    with pytest.raises(OutputExistsError, match=r"notes\.txt"), folder_aside(target, over=BOX):
        (target / "notes.txt").write_text("precious")
    assert files_in(target) == ["cases", "mark.json", "notes.txt"]


def test_a_folder_does_not_replace_a_file(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("precious")
    with pytest.raises(OutputExistsError, match="is a file"), folder_aside(tmp_path / "out", over=BOX):
        pytest.fail("work was begun")
    assert (tmp_path / "out").read_text() == "precious"


def test_a_link_to_a_folder_stays_and_leads_to_the_new(tmp_path: Path) -> None:
    real = box(tmp_path / "real", "cases")
    link = tmp_path / "link"
    link.symlink_to(real)
    with folder_aside(link, over=BOX) as aside:
        (aside / "new").write_text("new")
    assert link.is_symlink()
    assert files_in(real) == ["new"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "real"]


def test_a_link_to_a_file_stays_and_leads_to_the_new(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    link = tmp_path / "link"
    link.symlink_to("real")
    with file_aside(link, overwrite=True, over_any=True) as write:
        write(b"new")
    assert link.is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


class Killed(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("renames", [0, 1, 2])
def test_a_kill_while_folders_are_exchanged_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, renames: int
) -> None:
    """Whenever it comes, the next command finds the old folder or the new one under the name, and cleans up."""
    target = box(tmp_path / "out", "cases")
    made = box(tmp_path / "aside", "cases", "more")
    with monkeypatch.context() as patch:
        _end_after(renames, patch)
        with pytest.raises(Killed):
            exchange(made, target)
    with pytest.raises(OutputExistsError, match="already exists"), folder_aside(target):
        pytest.fail("work was begun")
    assert files_in(target) == (["cases", "mark.json", "more"] if renames == 2 else ["cases", "mark.json"])
    assert [path.name for path in tmp_path.iterdir() if path != made] == ["out"]


def _end_after(renames: int, patch: pytest.MonkeyPatch) -> None:
    """Nothing is done to any file after so many renames."""
    rename, done = os.rename, 0

    def counted(old: str, new: str) -> None:
        nonlocal done
        if done == renames:
            raise Killed
        rename(old, new)
        done += 1

    def never(*_: object, **__: object) -> None:
        raise Killed

    patch.setattr(os, "rename", counted)
    patch.setattr("shutil.rmtree", never)


def test_a_folder_comes_back_where_the_new_one_can_not_take_its_name(tmp_path: Path) -> None:
    target = box(tmp_path / "out", "cases")
    with pytest.raises(ExternalError, match="Can't write"):
        exchange(tmp_path / "nothing", target)
    assert files_in(tmp_path) == ["out/cases", "out/mark.json"]


def test_a_file_does_not_replace_a_folder(tmp_path: Path) -> None:
    with pytest.raises(OutputExistsError, match="--overwrite does not replace"):
        refuse_existing(tmp_path, overwrite=True)


def test_overwriting_keeps_the_old_when_the_new_fails(tmp_path: Path) -> None:
    box(tmp_path / "out")
    with pytest.raises(UserError), folder_aside(tmp_path / "out", over=BOX):
        raise UserError("wrong")
    assert [path.name for path in tmp_path.rglob("*")] == ["out", "mark.json"]


def test_two_commands_do_not_share_a_folder(tmp_path: Path) -> None:
    target = tmp_path / "out"
    with folder_aside(target) as aside:
        (aside / "mine").write_text("x")
        with pytest.raises(ExternalError, match="Another command is working"), folder_aside(target):
            pytest.fail("two at once")
        assert (aside / "mine").exists()
    assert (target / "mine").exists()


def test_a_full_disk_is_named_with_the_way_out() -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("no /dev/full here")
    with pytest.raises(ExternalError, match="No space left on device") as caught, write_errors(full):
        full.write_bytes(b"x")
    assert "--out" in str(caught.value)


def test_no_half_file_where_the_disk_is_full(tmp_path: Path) -> None:
    """A limit on the size of files stands in for a full disk."""
    code = """
import resource, signal, sys
from pathlib import Path
from assay.core.errors import ExternalError
from assay.storage.files import write_whole
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    write_whole(Path(sys.argv[1]), b"x" * 5000)
except ExternalError as error:
    print(error)
"""
    path = tmp_path / "file"
    path.write_bytes(b"old")
    done = subprocess.run([sys.executable, "-B", "-c", code, str(path)], capture_output=True, text=True, check=True)
    assert f"Can't write {path}: File too large." in done.stdout
    assert "--out" in done.stdout
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_place_that_is_no_folder_is_an_external_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(ExternalError, match="Can't write"), folder_aside(tmp_path / "file" / "out"):
        pytest.fail("work was begun")


@pytest.mark.parametrize("name", ["x" * 300, "x" * 300 + "/out"])
def test_a_name_that_is_too_long_is_an_external_error(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    attempts: list[Callable[[], object]] = [
        lambda: write_whole(path, b"x"),
        lambda: file_aside(path).__enter__(),
        lambda: folder_aside(path).__enter__(),
        lambda: folder_aside(path, over=BOX).__enter__(),
    ]
    for attempt in attempts:
        with pytest.raises(ExternalError, match=r"Can't write .*: File name too long"):
            attempt()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, "No space left on device"),
        RuntimeError("Error while serializing: I/O error: No space left on device (os error 28)"),
        OSError("100000 requested and 4096 written"),
    ],
)
def test_a_full_disk_is_named_whoever_meets_it(tmp_path: Path, error: Exception) -> None:
    """Libraries have errors of their own for it."""
    with pytest.raises(ExternalError, match=f"Can't write {tmp_path / 'out'}: ") as caught:
        stopped_by(error, tmp_path / "out")
    assert "Free some space" in str(caught.value)


def test_an_error_that_is_not_about_a_disk_stays_what_it_is(tmp_path: Path) -> None:
    for error in (ValueError("wrong"), ConnectionError(errno.ECONNREFUSED, "Connection refused"), OSError("no model")):
        with pytest.raises(type(error)):
            stopped_by(error, tmp_path / "out")


@pytest.mark.parametrize("write", [lambda path: write_whole(path, b"x"), lambda path: file_aside(path).__enter__()])
def test_a_disk_that_takes_nothing_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: Callable[[Path], object]
) -> None:
    """As a file system that is mounted for reading only: there even unlinking what is not there fails so."""

    def closed(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    for name in ("open", "unlink"):
        monkeypatch.setattr(Path, name, closed)
    with pytest.raises(ExternalError, match="Read-only file system"):
        write(tmp_path / "file")


def test_content_is_on_disk_before_it_gets_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sync, rename, replace = os.fsync, os.rename, os.replace
    done: list[tuple[str, str]] = []

    def name_of(path: object) -> str:
        return Path(os.fsdecode(path)).name  # type: ignore[arg-type]

    def synced(handle: int) -> None:
        found = [path for path in tmp_path.rglob("*") if os.path.samestat(path.stat(), os.fstat(handle))]
        done.extend(("sync", path.name) for path in found)
        sync(handle)

    def renamed(old: object, new: object) -> None:
        done.append(("rename", name_of(old)))
        rename(old, new)  # type: ignore[arg-type]

    def replaced(old: object, new: object) -> None:
        done.append(("rename", name_of(old)))
        replace(old, new)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "rename", renamed)
    monkeypatch.setattr(os, "replace", replaced)
    write_whole(tmp_path / "file", b"x")
    assert [what for what, _ in done] == ["sync", "rename"]
    done.clear()
    with folder_aside(tmp_path / "out") as aside:
        (aside / "deep").mkdir()
        (aside / "deep" / "other's").write_text("x")  # as a library writes it
    assert {("sync", name) for name in (".out.partial", "deep", "other's")} <= {*done[:-1]}
    assert done[-1] == ("rename", ".out.partial")


class Kept(msgspec.Struct):
    schema: int
    words: dict[str, int]


def test_json_for_people(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    write_whole(path, to_json(Kept(1, {"b": 1, "a": 2})))
    assert path.read_text() == '{\n  "schema": 1,\n  "words": {\n    "a": 2,\n    "b": 1\n  }\n}\n'
    assert from_json(path, Kept, newest=1) == Kept(1, {"a": 2, "b": 1})
    assert len(digest(path)) == 64


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (None, "no such file"),
        (b"", "damaged"),
        (b"\xff\xfe", "damaged"),
        (b"[]", "damaged"),
        (b'{"schema": 1, "words": 2}', "damaged"),
        (b'{"schema": 2, "other": 2}', "written by a newer Assay"),
        (b'{"schema": 1, "other": ' + b"[" * 100_000, "nested too deeply"),
    ],
)
def test_a_damaged_or_newer_file_is_named(tmp_path: Path, data: bytes | None, said: str) -> None:
    path = tmp_path / "x.json"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(BadInputError, match=said) as caught:
        from_json(path, Kept, newest=1)
    assert caught.value.where == str(path)
