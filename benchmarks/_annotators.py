"""People who annotate while others look around: what they send, how long it takes, and whether all of it is stored."""

import asyncio
import json
import random
import re
import time
from pathlib import Path

import httpx

from assay.annotate.answer_store import AnswerStore
from assay.core.label import THREE_WAY
from kills import Ack, prepared, problems

TASK = "annotated"


class Annotators:
    """People with a task below the served folder."""

    def __init__(self, served: Path, many: int) -> None:
        self._folder = served / TASK
        self._tokens = prepared(self._folder, [f"person-{number}" for number in range(many)]) if many else {}
        self._acks: list[Ack] = []

    async def work(
        self, base: str, until: float, think: tuple[float, float], times: dict[str, list[float]], wrong: list[str]
    ) -> None:
        """Everybody answers at once."""
        await asyncio.gather(
            *(self._one(name, token, base, until, think, times, wrong) for name, token in self._tokens.items())
        )

    async def _one(
        self,
        name: str,
        token: str,
        base: str,
        until: float,
        think: tuple[float, float],
        times: dict[str, list[float]],
        wrong: list[str],
    ) -> None:
        chance = random.Random(name)
        async with httpx.AsyncClient(base_url=base, timeout=120, follow_redirects=True) as client:
            await asyncio.sleep(chance.uniform(0, think[1]))
            page = (await client.get(f"/task?token={token}")).text
            client.headers["x-csrf"] = re.findall(r'name="csrf" content="(\w+)"', page)[0]
            names = [
                each["case"] for each in json.loads(re.findall(r'id="data">(.*?)</script>', page, re.S)[0])["cases"]
            ]
            while time.monotonic() < until:
                await asyncio.sleep(chance.uniform(*think))
                began = time.monotonic()
                sheet = (await client.get(f"/api/task/case/{chance.choice(names)}")).json()
                times["case to annotate"].append((time.monotonic() - began) * 1000)
                label = chance.choice([each for each in THREE_WAY if each != sheet["said"].get("label")])
                request = f"{chance.getrandbits(64):016x}"
                body = {"case": sheet["case"], "said": {"label": label}, "base": sheet["version"], "request": request}
                began = time.monotonic()
                answer = await client.post("/api/task/answer", json=body)
                ended = time.monotonic()
                times["answer of an annotator"].append((ended - began) * 1000)
                if answer.status_code != httpx.codes.OK:
                    wrong.append(f"{answer.status_code} {answer.text}")
                    continue
                made = answer.json()
                self._acks.append(Ack(name, request, made["case"], made["version"], made["said"], began, ended))

    def told(self) -> str:
        """Whether everything that was acknowledged is stored."""
        if not self._tokens:
            return "nobody annotated"
        with AnswerStore(self._folder) as store:
            found = problems(store, self._acks)
        return f"{len(self._acks):,} answers acknowledged, {len(found)} problems with what is stored {found[:3]}"
