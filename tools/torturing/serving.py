"""A server that is killed while it carries out a run that was started from the browser."""

import http.client
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from assay.serve.access_tokens import Access, Role
from torturing.work import Round, contents, environment, leftovers, prepare

TOKEN = "a-token-that-only-the-torture-knows"  # noqa: S105 - of a server that lives for seconds
FORM = {"source": "corpus:pairs.jsonl", "sample": "60", "family:negation": "1", "model:assay:overlap": "1"}
LONGEST = 3.0
"""Seconds of work before a kill, at most."""


def served(rounds: int, seed: int, work: Path) -> Iterator[Round]:
    """Kill the server, with the run or without it, and start the same run again in another server."""
    prepare("build", work / "first")
    (work / "first" / "runs").mkdir()
    (work / "first" / "pairs.jsonl").rename(work / "first" / "runs" / "pairs.jsonl")
    (work / "first" / "token").write_text(TOKEN)
    folder = work / "round"  # the record names the corpus with its folder
    shutil.copytree(work / "first", folder)
    with _Server(folder) as server:
        assert server.run() == "done", server.said()
    expected = contents(folder / "runs")
    rng = random.Random(f"{seed} serve")  # noqa: S311 - moments, not secrets
    for _ in range(rounds):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(work / "first", folder)
        wait, both = rng.uniform(0, LONGEST), rng.random() < 0.5
        with _Server(folder) as server:
            server.post()
            time.sleep(wait)
            server.kill(both=both)
        with _Server(folder) as server:
            state = server.run()
        moment = f"after {wait:.2f} s{', with its run' if both else ''}"
        if state != "done":
            yield Round(moment, f"the same run is {state}: {server.said()[-300:]}")
        elif (found := contents(folder / "runs")) != expected:
            other = sorted(path for path in found.keys() | expected.keys() if found.get(path) != expected.get(path))
            yield Round(moment, f"the run differs from an undisturbed one: {', '.join(other[:5])}")
        else:
            yield Round(moment, ", ".join(leftovers(folder)[:5]))


class _Server:
    """`assay serve`, and the owner's browser."""

    def __init__(self, folder: Path) -> None:
        words = ["serve", "runs", "--port", "0", "--token-file", "token", "--model", "assay:overlap"]
        self._err = (folder / "tmp").with_name("said.txt")
        with self._err.open("ab") as err:
            self._process = subprocess.Popen(  # noqa: S603 - our own program
                [sys.executable, "-P", "-m", "assay", *words],
                cwd=folder,
                env=environment(folder),
                stdout=subprocess.PIPE,
                stderr=err,
                text=True,
                start_new_session=True,
            )
        assert self._process.stdout is not None
        self._port = urlsplit(self._process.stdout.readline()).port or 0
        person = Access().admit(TOKEN, "owner", Role.OWNER)
        self._headers = {"Cookie": f"assay-{self._port}={person.session}", "x-csrf": person.csrf}

    def __enter__(self) -> "_Server":
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
        self._process.communicate()
        _wait_for_orphans(self._process.pid)

    def post(self) -> None:
        """Start the run."""
        headers = {**self._headers, "content-type": "application/x-www-form-urlencoded"}
        assert self._ask("POST", "/start", urlencode(FORM), headers)[0] == 303

    def run(self) -> str:
        """Start the run and wait for its end; its state."""
        self.post()
        events = self._ask("GET", "/start/1/events", None, self._headers)[1]
        return events.rpartition('"state": "')[2].partition('"')[0]

    def kill(self, *, both: bool) -> None:
        """Kill the server at once, and what it started if both are to die."""
        os.killpg(self._process.pid, signal.SIGKILL) if both else self._process.kill()

    def said(self) -> str:
        """What it printed."""
        return self._err.read_text()

    def _ask(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> tuple[int, str]:
        line = http.client.HTTPConnection("127.0.0.1", self._port, timeout=600)
        try:
            line.request(method, path, body, headers)
            answer = line.getresponse()
            return answer.status, answer.read().decode()
        finally:
            line.close()


def _wait_for_orphans(group: int) -> None:
    """Wait until nothing of a killed server's group works any more."""
    while True:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
