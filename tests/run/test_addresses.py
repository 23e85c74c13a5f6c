"""Addresses in the place of paths, on a file system in memory and on an object store on loopback."""

import json
import os
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem
from tests.conftest import Assay

import assay as api
from assay.core.errors import BadInputError, ExternalError, OutputExistsError, UserError
from assay.models import shipped
from assay.storage import remote
from assay.storage.folders import cache_folder
from assay.storage.remote import LAYOUT, local

implementations = import_module("fsspec.registry")  # fsspec has another thing of this name
SHIPPED = Path(shipped.__file__).parent
SECRET = "wJalrXUtnFEMI-K7MDENG-very-secret"
PAIRS = "".join(
    json.dumps(
        {"id": f"p{i}", "premise": f"A cook fries {i + 2} eggs.", "hypothesis": "Somebody cooks.", "label": label}
    )
    + "\n"
    for i, label in enumerate(["entailment", "neutral", "contradiction"] * 4)
)


@pytest.fixture
def memory() -> Iterator[Any]:
    """The file system in memory, empty before and after."""
    system = fsspec.filesystem("memory")
    yield system
    system.store.clear()
    system.pseudo_dirs[:] = [""]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    from moto.server import ThreadedMotoServer

    running = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    yield "http://{}:{}".format(*running.get_host_and_port())
    running.stop()


@pytest.fixture
def bucket(server: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """A bucket of an object store, whose keys are in the environment."""
    for name, value in {
        "AWS_ENDPOINT_URL": server,
        "AWS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE",
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_DEFAULT_REGION": "us-east-1",
    }.items():
        monkeypatch.setenv(name, value)
    system = fsspec.filesystem("s3")
    if system.exists("assay"):
        system.rm("assay", recursive=True)
    system.mkdir("assay")
    return "s3://assay"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.jsonl"
    path.write_text(PAIRS)
    return path


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def stored(system: Any, root: str) -> dict[str, bytes]:
    return {path.removeprefix(root).lstrip("/"): system.cat_file(path) for path in system.find(root)}


def test_a_suite_in_memory_has_the_bytes_of_one_on_disk(memory: Any, corpus: Path, tmp_path: Path) -> None:
    memory.pipe_file("/data/pairs.jsonl", PAIRS.encode())
    here = api.build("negation", corpus, out=tmp_path / "suite")
    api.build("negation", "memory://data/pairs.jsonl", out="memory://suites/mine")
    assert stored(memory, "/suites/mine") == files(here.folder)
    found = api.Suite.open("memory://suites/mine")
    assert [case.id for case in found] == [case.id for case in here]
    api.verify("memory://suites/mine")


def test_a_run_asks_suites_and_models_by_address(memory: Any, corpus: Path) -> None:
    suite = api.build("original", corpus, out="memory://suites/mine")
    answers = "".join(json.dumps({"id": case.id, "prediction": "neutral"}) + "\n" for case in suite)
    memory.pipe_file("/answers.jsonl", answers.encode())
    memory.put(str(SHIPPED / "minilm"), "/models/own", recursive=True)
    models = ["predictions:memory://answers.jsonl", "onnx:memory://models/own", "assay:minilm"]
    record = api.run(suites=["memory://suites/mine"], models=models, out="memory://runs")
    assert next(iter(record.spec.suites.values())).folder == "memory://suites/mine"  # type: ignore[union-attr]
    assert record.spec.models[:2] == tuple(models[:2])
    accuracy = record.find("accuracy", by=["model"])
    assert accuracy[models[0],].value == pytest.approx(1 / 3)
    assert accuracy[models[1],].value == accuracy["assay:minilm/v1",].value
    assert stored(memory, f"/runs/{record.id}")["record.json"]
    api.verify(f"memory://runs/{record.id}", deep=True)
    assert api.failures("memory://runs", 2)  # a folder of runs means the newest
    assert api.score("memory://suites/mine", "memory://answers.jsonl").answered == 12


def test_the_manifest_is_sent_last_and_removed_first(
    memory: Any, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    api.build("negation", corpus, out="memory://suite")
    done: list[str] = []
    put, remove = memory.put_file, memory.rm_file

    def noted(what: str, call: Callable[..., None], place: int) -> Callable[..., None]:
        def act(*given: Any, **more: Any) -> None:
            done.append(f"{what} {Path(given[place]).name}")
            call(*given, **more)

        return act

    monkeypatch.setattr(type(memory), "put_file", staticmethod(noted("put", put, 1)))
    monkeypatch.setattr(type(memory), "rm_file", staticmethod(noted("remove", remove, 0)))
    with pytest.raises(OutputExistsError, match="already exists"):
        api.build("negation", corpus, out="memory://suite")
    assert not done
    api.build("negation", corpus, out="memory://suite", storage="jsonl.zst", overwrite=True)
    assert done == ["remove manifest.json", "put cases.jsonl.zst", "put manifest.json", "remove cases.jsonl"]
    assert {*stored(memory, "/suite")} == {"manifest.json", "cases.jsonl.zst"}


def test_what_fails_to_be_sent_is_no_suite_and_is_made_again(
    memory: Any, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put = memory.put_file

    def full(_self: Any, here: str, there: str, **more: Any) -> None:
        if there.endswith("manifest.json"):
            raise OSError(28, "No space left")
        put(here, there, **more)

    with monkeypatch.context() as patch:
        patch.setattr(type(memory), "put_file", full)
        with pytest.raises(ExternalError, match="memory://suite can't be used: OSError"):
            api.build("negation", corpus, out="memory://suite")
    with pytest.raises(BadInputError, match="not a suite"):
        api.Suite.open("memory://suite")
    with pytest.raises(OutputExistsError):
        api.build("negation", corpus, out="memory://suite")
    memory.rm("/suite", recursive=True)
    assert len(api.build("negation", corpus, out="memory://suite")) == 12


def test_a_suite_that_was_deleted_there_can_be_built_again(memory: Any, corpus: Path) -> None:
    api.build("negation", corpus, out="memory://suite")
    memory.rm("/suite", recursive=True)
    api.build("negation", corpus, out="memory://suite")
    assert memory.exists("/suite/manifest.json")


def test_a_copy_is_fetched_once_checked_and_fetched_again_if_it_changed(memory: Any, corpus: Path) -> None:
    memory.pipe_file("/pairs.jsonl", PAIRS.encode())
    copy = local("memory://pairs.jsonl")
    assert copy.name == "pairs.jsonl"
    assert local("memory://pairs.jsonl") == copy
    copy.write_bytes(b"damaged")
    remote._known().clear()  # as a new process would begin
    assert local("memory://pairs.jsonl").read_text() == PAIRS
    memory.pipe_file("/pairs.jsonl", PAIRS.encode() * 2)
    assert local("memory://pairs.jsonl").read_text() == PAIRS * 2


def test_an_archive_is_read_and_not_written(tmp_path: Path, corpus: Path) -> None:
    suite = api.build("negation", corpus, out=tmp_path / "suite")
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.write(corpus, "data/pairs.jsonl")
        for path in suite.folder.iterdir():
            archive.write(path, f"suite/{path.name}")
    assert len(list(api.read(f"zip://data/pairs.jsonl::{tmp_path}/all.zip"))) == 12
    assert len(api.Suite.open(f"zip://suite::{tmp_path}/all.zip")) == 12
    with pytest.raises(UserError, match="archives can be read, but not written"):
        api.build("negation", corpus, out=f"zip://new::{tmp_path}/all.zip")


def test_the_command_line_takes_an_object_store(assay: Assay, bucket: str, corpus: Path, tmp_path: Path) -> None:
    store = fsspec.filesystem("s3")
    store.put_file(str(corpus), "assay/data/pairs.jsonl")
    assay("build", "negation", "--from", corpus, "--out", "here")
    for shard in ("1/2", "2/2"):
        said = assay(
            "build", "negation", "--from", f"{bucket}/data/pairs.jsonl", "--out", f"{bucket}/suite", "--shard", shard
        )
    assert f"assay build --merge {bucket}/suite.shards" in said.stderr
    store.invalidate_cache()
    assert store.exists("assay/suite.shards/2-of-2/shard.json")
    said = assay("build", "--merge", f"{bucket}/suite.shards")
    assert f"The suite is in {bucket}/suite" in said.stderr
    store.invalidate_cache()
    assert stored(store, "assay/suite") == files(tmp_path / "here")
    assert "already exists" in assay("build", "negation", "--out", f"{bucket}/suite", code=2).stderr
    said = assay("verify", f"{bucket}/suite")
    assert f"{bucket}/suite is complete" in said.stderr
    said = assay("run", "--suite", f"{bucket}/suite", "--model", "assay:overlap", "--out", f"{bucket}/runs")
    assert f"{bucket}/runs/" in said.stdout
    store.invalidate_cache()
    assert len(store.glob("assay/runs/*/report.html")) == 1
    assert assay("show", f"{bucket}/runs").stdout
    assay("report", f"{bucket}/runs", "--out", f"{bucket}/page.html")
    store.invalidate_cache()
    assert store.exists("assay/page.html")
    everything = b"".join(stored(store, "assay").values()) + b"".join(
        path.read_bytes() for path in cache_folder(LAYOUT).rglob("*") if path.is_file()
    )
    assert SECRET.encode() not in everything
    assert b"AKIA" not in everything


class Bucket(MemoryFileSystem):  # type: ignore[misc]
    """A store of the kind of gs://: a bucket is the first part of a path, and only files exist."""

    protocol = ("gs", "gcs")
    store: ClassVar[dict[str, Any]] = {}
    pseudo_dirs: ClassVar[list[str]] = [""]

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return path.removeprefix("gs://").strip("/")


def test_a_store_of_another_service_is_one_too(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`gs://` needs a library and a network for its own store; all else is ours, and the same for every service."""
    monkeypatch.setitem(implementations._registry, "gs", Bucket)
    here = api.build("negation", corpus, out=tmp_path / "suite")
    fsspec.filesystem("gs").put_file(str(corpus), "bucket/pairs.jsonl")
    api.build("negation", "gs://bucket/pairs.jsonl", out="gs://bucket/suites/mine")
    assert stored(fsspec.filesystem("gs"), "bucket/suites/mine") == files(here.folder)
    record = api.run(suites=["gs://bucket/suites/mine"], models=["assay:overlap"], out="gs://bucket/runs")
    api.verify(f"gs://bucket/runs/{record.id}", deep=True)
    with pytest.raises(OutputExistsError):
        api.build("negation", corpus, out="gs://bucket/suites/mine")


def test_a_service_whose_library_is_missing_names_the_extra(assay: Assay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(implementations._registry, "gs", raising=False)
    monkeypatch.setitem(implementations.known_implementations, "gs", {"class": "no_such_library.Store", "err": "no"})
    assert "pip install '.[remote]'" in assay("verify", "gs://bucket/suite", code=2).stderr


class Hub(BaseHTTPRequestHandler):
    """As much of the Hub's interface as reading a data set takes."""

    held: dict[str, bytes]
    """Files of the data set me/tiny."""

    def do_GET(self) -> None:
        start, _, rest = self.path.partition("?")[0].partition("/me/tiny")
        what, _, path = rest.strip("/").partition("/main")
        path = path.replace("%2F", "/").strip("/")
        if (start, what) == ("/datasets", "resolve") and path in self.held:
            self.reply(200, self.held[path])
        elif start == "/api/datasets" and not what:
            self.reply(200, {"id": "me/tiny", "sha": "a" * 40, "siblings": []})
        elif start == "/api/datasets" and what == "tree" and (found := self.below(path)):
            self.reply(200, found)
        else:
            self.reply(404, {"error": "no"})

    def below(self, folder: str) -> list[dict[str, Any]]:
        """The files and folders of a folder; all files below it if that is asked for."""
        inner = {name: len(data) for name, data in self.held.items() if name.startswith(f"{folder}/" if folder else "")}
        depth = folder.count("/") + 1 if folder else 0
        if "recursive=true" not in self.path:
            inner = {"/".join(name.split("/")[: depth + 1]): size for name, size in inner.items()}
        return [
            {"type": "file", "path": name, "size": size, "oid": f"{size:040}"}
            if name in self.held
            else {"type": "directory", "path": name, "oid": "0" * 40}
            for name, size in inner.items()
        ]

    def reply(self, code: int, thing: Any) -> None:
        data = thing if isinstance(thing, bytes) else json.dumps(thing).encode()
        self.send_response(code)
        for name, value in {
            "Content-Length": str(len(data)),
            "X-Repo-Commit": "a" * 40,
            "ETag": f'"{len(data)}"',
            **({"X-Error-Code": "EntryNotFound"} if code == 404 else {}),
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        """Be quiet."""


def test_the_hub_is_read(corpus: Path, tmp_path: Path) -> None:
    """In processes of its own: its library looks for the Hub's address once, when it is imported."""
    suite = api.build("negation", corpus, out=tmp_path / "suite")
    held = {"data/train.jsonl": PAIRS.encode(), **{f"mine/{name}": data for name, data in files(suite.folder).items()}}
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Tiny", (Hub,), {"held": held}))
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    hub = {"HF_ENDPOINT": f"http://127.0.0.1:{server.server_port}", "HF_TOKEN": f"hf_{SECRET}", "NO_PROXY": "127.0.0.1"}
    code = (
        "import assay\n"
        "print(len(list(assay.read('hf://datasets/me/tiny/data/train.jsonl'))))\n"
        "suite = assay.Suite.open('hf://datasets/me/tiny/mine')\n"
        "print(len(suite), suite.manifest.file_digest)\n"
        "assay.Suite.open('hf://datasets/me/tiny/nothing')\n"
    )
    try:
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, **hub, "HF_HOME": str(tmp_path), "ASSAY_CACHE": str(tmp_path / "cache")},
            capture_output=True,
            text=True,
        )
    finally:
        server.shutdown()
        server.server_close()
    assert done.stdout.split() == ["12", "12", suite.manifest.file_digest], done.stderr
    assert "hf://datasets/me/tiny/nothing: no such file or folder" in done.stderr
    assert SECRET not in done.stderr


def test_keys_never_reach_an_error(assay: Assay, memory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    said = assay("build", "negation", "--from", f"s3://user:{SECRET}@assay/pairs.jsonl", "--out", "x", code=2)
    assert "would be stored and shown" in said.stderr
    assert SECRET not in said.stderr
    said = assay("run", "--model", f"trained:s3://user:{SECRET}@assay/model", code=2)
    assert SECRET not in said.stderr + said.stdout
    said = assay("verify", f"https://host/suite?token={SECRET}", code=2)
    assert SECRET not in said.stderr

    def tell(*_given: Any, **_more: Any) -> None:
        raise PermissionError(f"signed with {SECRET}")

    monkeypatch.setattr(type(memory), "isfile", tell)
    said = assay("verify", "memory://suite", code=3)
    assert "signed with ***" in said.stderr
    assert SECRET not in said.stderr


def test_a_missing_address_is_named(assay: Assay, memory: Any) -> None:
    assert "memory://nothing: no such file or folder" in assay("verify", "memory://nothing", code=2).stderr
    assert (
        "must be a path on this machine"
        in assay("study", "run", "swap-training", "--out", "memory://studies", code=2).stderr
    )
    assert "adlfs" in assay("verify", "az://nothing", code=2).stderr


def test_a_path_never_loads_the_library() -> None:
    code = "import sys; import assay; next(iter(assay.read('bundled'))); sys.exit('fsspec' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_what_was_sent_is_deleted_here_when_the_process_ends(tmp_path: Path) -> None:
    code = (
        "import sys, fsspec, assay; from assay.storage.remote import stand_in\n"
        "suite = assay.build('original', assay.read('bundled', limit=3), out='memory://folder/suite')\n"
        "assert fsspec.filesystem('memory').exists('/folder/suite/manifest.json')\n"
        "print(stand_in('memory://folder/suite'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "ASSAY_CACHE": str(tmp_path)}, capture_output=True, text=True
    )
    path = Path(done.stdout.strip())
    assert path.parent.is_dir(), done.stderr
    assert not path.exists()
