"""Files are whole or not there."""

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from assay.core.errors import BadInputError, ExternalError, OutputExistsError, UserError
from assay.core.files import digest, folder_aside, from_json, refuse_existing, to_json, write_errors, write_whole


def stopped_by(stop: BaseException | type[BaseException] | None, target: Path, *, also: Path | None = None) -> None:
    """Work in a folder aside until something stops it; meanwhile somebody else may make a file."""
    with folder_aside(target) as aside:
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


@pytest.mark.parametrize("stop", [KeyboardInterrupt, ExternalError("disk"), SystemExit(130)])
def test_an_interruption_leaves_the_parts(tmp_path: Path, stop: BaseException | type[BaseException]) -> None:
    target = tmp_path / "out"
    with pytest.raises((KeyboardInterrupt, ExternalError, SystemExit)):
        stopped_by(stop, target)
    assert not target.exists()
    with folder_aside(target) as aside:
        assert (aside / "part").read_text() == "done"
    assert (target / "part").exists()


def test_what_is_there_is_refused_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with pytest.raises(OutputExistsError, match="--overwrite"), folder_aside(tmp_path / "out"):
        pytest.fail("work was begun")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_what_appears_meanwhile_is_not_lost(tmp_path: Path) -> None:
    with pytest.raises(OutputExistsError):
        stopped_by(None, tmp_path / "out", also=tmp_path / "out" / "theirs")
    assert (tmp_path / "out" / "theirs").exists()


@pytest.mark.parametrize("old", ["manifest.json", "record.json"])
def test_overwriting_replaces_all_at_the_end(tmp_path: Path, old: str) -> None:
    target = tmp_path / "out"
    target.mkdir()
    (target / old).write_text("old")
    with folder_aside(target, overwrite=True) as aside:
        (aside / "new").write_text("new")
        assert (target / old).exists()
    assert [path.name for path in target.iterdir()] == ["new"]
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("old", ["file", "folder"])
def test_overwriting_spares_what_is_not_ours(tmp_path: Path, old: str) -> None:
    target = tmp_path / "out"
    if old == "file":
        target.write_text("precious")
    else:
        target.mkdir()
        (target / "precious").write_text("x")
    with pytest.raises(OutputExistsError, match="--overwrite does not replace"), folder_aside(target, overwrite=True):
        pytest.fail("work was begun")
    assert target.is_file() or (target / "precious").exists()


def test_a_file_does_not_replace_a_folder(tmp_path: Path) -> None:
    with pytest.raises(OutputExistsError, match="--overwrite does not replace"):
        refuse_existing(tmp_path, overwrite=True)


def test_overwriting_keeps_the_old_when_the_new_fails(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "manifest.json").write_text("old")
    with pytest.raises(UserError), folder_aside(tmp_path / "out", overwrite=True):
        raise UserError("wrong")
    assert [path.name for path in tmp_path.rglob("*")] == ["out", "manifest.json"]


def test_two_commands_do_not_share_a_folder(tmp_path: Path) -> None:
    target = tmp_path / "out"
    with folder_aside(target) as aside:
        (aside / "mine").write_text("x")
        with pytest.raises(ExternalError, match="Another command is at work"), folder_aside(target):
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
from assay.core.files import write_whole
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
    ],
)
def test_a_damaged_or_newer_file_is_named(tmp_path: Path, data: bytes | None, said: str) -> None:
    path = tmp_path / "x.json"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(BadInputError, match=said) as caught:
        from_json(path, Kept, newest=1)
    assert caught.value.where == str(path)
