"""What is left of people's answers if the server is killed again and again while they work.

People with two tabs each answer, change and undo as fast as the server allows, while `assay serve` is ended by
`kill -9` at seeded moments and started again. Afterwards, every acknowledged answer must be stored once, with its
version, in an order that agrees with the order in which they were acknowledged, and nothing else may be stored.
"""

import argparse
import http.client
import json
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, NamedTuple

from assay.annotate.answer_store import AnswerStore, faults, history
from assay.annotate.sample import draw_sample
from assay.core.case import Recipe, case_from
from assay.core.edit import Edit
from assay.core.label import THREE_WAY
from assay.core.pair import Pair
from assay.serve.access_tokens import key_of, new_token

TABS = 2
CASES = 12
PATIENCE = 0.1
"""Seconds before a request that got no answer is sent again."""


class Ack(NamedTuple):
    """A change that the server acknowledged."""

    person: str
    request: str
    case: str
    version: int
    said: dict[str, str]
    sent: float
    acknowledged: float


class Server:
    """`assay serve`, which can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        (folder / "token").write_text(new_token())
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        assay, site, token = Path(sys.executable).with_name("assay"), self._folder / "site", self._folder / "token"
        words = (assay, "serve", site, "--port", self.port, "--token-file", token, "--quiet")
        self._process = subprocess.Popen([*map(str, words)], stdout=subprocess.PIPE)
        if not (self._process.stdout and self._process.stdout.readline()):
            sys.exit("The server did not start.")

    def kill(self) -> None:
        if self._process:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()


class Tab(threading.Thread):
    """A browser's tab: one request after the other, each sent again until it is answered."""

    def __init__(self, port: int, person: str, token: str, *, seed: str) -> None:
        super().__init__(daemon=True)
        self.acks: list[Ack] = []
        self.conflicts = self.repeated = 0
        self.is_over = False
        self._port, self._person, self._token = port, person, token
        self._rng = random.Random(seed)
        self._headers: dict[str, str] = {}
        self._link: http.client.HTTPConnection | None = None

    def run(self) -> None:
        names = self._open()
        undo: dict[str, Any] | None = None
        while not self.is_over:
            request = f"{self._rng.getrandbits(64):016x}"
            if undo and self._rng.random() < 0.15:
                undo = self._change("undo", {**undo, "request": request})
                continue
            sheet = self._ask("GET", f"/api/task/case/{self._rng.choice(names)}")[1]
            others = [label for label in THREE_WAY if label != sheet["said"].get("label")]
            body = {"case": sheet["case"], "said": {"label": self._rng.choice(others)}, "base": sheet["version"]}
            undo = self._change("answer", {**body, "request": request})

    def _open(self) -> list[str]:
        _, answer = self._ask("GET", f"/task?token={self._token}", as_json=False)
        self._headers["cookie"] = answer["cookie"].partition(";")[0]
        _, page = self._ask("GET", "/task", as_json=False)
        csrf = re.search(r'name="csrf" content="(\w+)"', page["text"])
        data = re.search(r'id="data">(.*?)</script>', page["text"], re.DOTALL)
        if not csrf or not data:
            sys.exit("The page of the task can't be read.")
        self._headers["x-csrf"] = csrf[1]
        return [each["case"] for each in json.loads(data[1])["cases"]]

    def _change(self, what: str, body: dict[str, Any]) -> dict[str, Any] | None:
        """Make a change; what can be undone afterwards is returned."""
        sent = time.monotonic()
        status, found = self._ask("POST", f"/api/task/{what}", body)
        if status == http.HTTPStatus.CONFLICT:
            self.conflicts += 1
        elif status == http.HTTPStatus.OK:
            made = found["case"], found["version"], found["said"]
            self.acks.append(Ack(self._person, body["request"], *made, sent, time.monotonic()))
        else:
            sys.exit(f"{what}: {status} {found}")
        undo: dict[str, Any] | None = found["undo"]
        return undo

    def _ask(self, method: str, path: str, body: Any = None, *, as_json: bool = True) -> tuple[int, dict[str, Any]]:
        content = json.dumps(body) if body else None
        tries = 0
        while True:
            try:
                self._link = self._link or http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
                self._link.request(method, path, content, self._headers)
                answer = self._link.getresponse()
                text = answer.read().decode()
                if answer.status != http.HTTPStatus.TOO_MANY_REQUESTS:
                    plain = {"text": text, "cookie": answer.getheader("set-cookie", "")}
                    return answer.status, json.loads(text) if as_json else plain
            except (OSError, http.client.HTTPException):
                self._link = None
            tries += 1
            self.repeated += tries == 1 and method == "POST"
            time.sleep(PATIENCE)


def problems(store: AnswerStore, acks: list[Ack]) -> list[str]:
    """What is wrong with the stored answers, given what was acknowledged."""
    found = faults(store)
    names = {(person.name, place.key): place.shown for person in store.people() for place in store.places(person)}
    stored = {(each.person, each.request): each for each in history(store)}
    known = {(each.person, each.request): each for each in acks}
    found += [f"acknowledged, but not stored: {each}" for name, each in known.items() if name not in stored]
    latest = 0.0
    for name, change in stored.items():
        ack = known.get(name)
        if ack is None:
            found.append(f"stored, but never acknowledged: {change}")
            continue
        if (ack.case, ack.version, ack.said) != (names[change.person, change.key], change.version, change.said):
            found.append(f"acknowledged as {ack}, but stored as {change}")
        if ack.acknowledged < latest:
            found.append(f"stored after a change that was sent later: {change}")
        latest = max(latest, ack.sent)
    return found


def prepared(folder: Path, people: list[str]) -> dict[str, str]:
    """A task for people, each with their token."""
    recipe = Recipe(transform="original/v1", seed=0)
    pairs = [
        Pair(id=f"p{n}", premise=f"Cook {n} fries eggs.", hypothesis="Somebody cooks.", label=THREE_WAY[n % 3])
        for n in range(CASES)
    ]
    cases = [case_from(pair, Edit(), family="original", recipe=recipe) for pair in pairs]
    draw_sample(cases, folder, annotators=(), size=CASES, layout="label")
    tokens = {name: new_token() for name in people}
    with AnswerStore(folder) as store:
        for name, token in tokens.items():
            store.let_in(store.add(name), key_of(token))
    return tokens


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--kills", type=int, default=50)
    options.add_argument("--people", type=int, default=4)
    options.add_argument("--seed", type=int, default=0)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        task = folder / "site" / "task"
        tokens = prepared(task, [f"person-{number}" for number in range(given.people)])
        server = Server(folder)
        server.start()
        tabs = [
            Tab(server.port, person, token, seed=f"{given.seed} {person} {number}")
            for person, token in tokens.items()
            for number in range(TABS)
        ]
        for tab in tabs:
            tab.start()
        try:
            worked = harassed(server, tabs, kills=given.kills, seed=given.seed)
        finally:
            server.kill()
        acks = [ack for tab in tabs for ack in tab.acks]
        with AnswerStore(task) as store:
            wrong = problems(store, acks)
    told = f"{given.kills} kills, {given.people} people with {TABS} tabs, {worked:.0f} s of work"
    conflicts, repeated = sum(tab.conflicts for tab in tabs), sum(tab.repeated for tab in tabs)
    print(f"{told}: {len(acks):,} acknowledged, {repeated:,} of them sent again, {conflicts:,} conflicts shown")
    if wrong:
        sys.exit("\n".join(wrong))
    print("Every acknowledged answer is there, once, with its version, and in order; nothing else is.")


def harassed(server: Server, tabs: list[Tab], *, kills: int, seed: int) -> float:
    """Kill the server while people work; how long it was up, in seconds, is returned."""
    rng = random.Random(seed)
    worked = 0.0
    for number in range(kills + 1):
        before = sum(len(tab.acks) for tab in tabs)
        while sum(len(tab.acks) for tab in tabs) == before:
            if not all(tab.is_alive() for tab in tabs):
                sys.exit("A tab has ended; its message is above.")
            time.sleep(0.01)
        begun = time.monotonic()
        time.sleep(rng.uniform(0, 1.5))
        worked += time.monotonic() - begun
        if number == kills:
            break
        server.kill()
        server.start()
    for tab in tabs:
        tab.is_over = True
    for tab in tabs:
        tab.join()
    return worked


if __name__ == "__main__":
    main()
