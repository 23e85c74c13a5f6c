"""How fast `assay serve` is: a run of many cases with three models' answers, and many people who look at it.

    python benchmarks/serve.py                                   # 20,000 cases, 64 people, 20 seconds
    python benchmarks/serve.py --cases 1000000 --alone           # one person, a million cases
    python benchmarks/serve.py --cases 240000 --alone            # one person, a run of about 250 MB
    python benchmarks/serve.py --cases 100000 --seconds 300      # 64 people for five minutes
    python benchmarks/serve.py --cases 1000000 --seconds 300     # the same, with a million cases
    python benchmarks/serve.py --cases 1000000 --annotators 0 --seconds 300   # all 64 people read

It prints how large the run is, how long its index and its page take to open, and for each kind of request the median
and the 95th percentile in milliseconds, the errors, and the most memory that the server used. People think for 2 to
5 seconds between requests, as readers do. Half of them annotate (`--annotators`), and all of their answers must be
stored.
"""

import argparse
import asyncio
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import httpx
import msgspec

import assay
from _annotators import TASK, Annotators
from assay.core.label import THREE_WAY
from assay.core.serialise import to_json
from assay.run.stored_run import open_run
from assay.storage.files import digest, write_whole

MODELS = ("assay:majority", "assay:hypothesis-words", "assay:overlap")
WORDS = ("not", "the", "woman", "two", "false is not true", "river", "never", "train", "because", "old")
THINK = (2.0, 5.0)


def many(folder: Path, cases: int) -> Path:
    """A stored run with many cases: those of a small run, again and again, each time with other names and answers."""
    families = ("negation", "word-overlap", "lexical", "spelling", "length-mismatch")
    record = assay.run(assay.read("bundled"), families=families, models=MODELS, out=folder, cache=False)
    place = folder / record.id
    (name,) = record.suites
    lines = [msgspec.json.decode(line) for line in (place / "suites" / name / "cases.jsonl").read_bytes().splitlines()]
    chance = random.Random(0)
    files = {each.model: each.files[name] for each in record.models}
    copies = -(-cases // len(lines))
    answers = {model: (place / file.file).open("wb") for model, file in files.items()}
    with (place / "suites" / name / "cases.jsonl").open("wb") as out:
        for copy in range(copies):
            for each in lines:
                case = {**each, "id": f"{each['id']}~{copy}", "origin": f"{each['origin']}~{copy}"}
                case["premise"] = f"{each['premise']} ({copy})"
                out.write(msgspec.json.encode(case) + b"\n")
                for file in answers.values():
                    shares = [chance.random() for _ in THREE_WAY]
                    said = {
                        label.value: round(share / sum(shares), 6)
                        for label, share in zip(THREE_WAY, shares, strict=True)
                    }
                    best = max(said, key=lambda label: said[label])
                    file.write(msgspec.json.encode({"id": case["id"], "label": best, "probabilities": said}) + b"\n")
    for file in answers.values():
        file.close()
    manifest = record.suites[name]
    path = place / "suites" / name / "cases.jsonl"
    manifest = msgspec.structs.replace(
        manifest,
        cases=copies * len(lines),
        counts={f: {label: n * copies for label, n in own.items()} for f, own in manifest.counts.items()},
        digest=digest(path),
        file_digest=digest(path),
    ).sealed()
    write_whole(path.with_name("manifest.json"), to_json(manifest))
    models = tuple(
        msgspec.structs.replace(
            each,
            files={
                name: msgspec.structs.replace(
                    files[each.model], digest=digest(place / files[each.model].file), n=manifest.cases
                )
            },
        )
        for each in record.models
    )
    changed = msgspec.structs.replace(record, suites={name: manifest}, models=models).sealed()
    write_whole(place / "record.json", to_json(changed))
    open_run(place)
    return place


def requests(run: str, chance: random.Random) -> Iterator[tuple[str, str]]:
    """What people ask for, by kind, without end."""
    start = f"/runs/{quote(run)}/cases"
    models = [quote(f"{model}/v1") for model in MODELS]
    families = ("negation", "word-overlap", "lexical", "spelling", "original")
    while True:
        one, other = chance.sample(models, 2)
        family, word = chance.choice(families), quote(chance.choice(WORDS))
        yield "first page", start
        yield "filter", f"{start}?family={family}&model={one}&show=wrong"
        yield "search", f"{start}?words={word}"
        yield "search and filter", f"{start}?words={word}&label=neutral&model={one}&show=flipped"
        yield "worst failures", f"{start}?model={one}&show=wrong&order=worst"
        yield "disagreement", f"{start}?family={family}&model={one}&other={other}&show=differ&order=disagreement&down=1"
        yield "sorted by confidence", f"{start}?model={one}&order=confidence&down=1&page={chance.randint(1, 50)}"
        yield "case", f"{start}/{chance.randint(0, 999)}"
        yield "runs", "/"


async def person(
    client: httpx.AsyncClient,
    run: str,
    seed: int,
    until: float,
    think: bool,
    times: dict[str, list[float]],
    wrong: list[str],
) -> None:
    """Somebody who looks around."""
    chance = random.Random(seed)
    asked = requests(run, chance)
    for _ in range(chance.randint(0, 8)):
        next(asked)
    while time.monotonic() < until:
        if think:
            await asyncio.sleep(chance.uniform(*THINK))
        kind, path = next(asked)
        began = time.monotonic()
        answer = await client.get(path)
        times[kind].append((time.monotonic() - began) * 1000)
        if answer.status_code != 200:
            wrong.append(f"{answer.status_code} {path}")


async def visit(
    address: str, run: str, people: int, seconds: float, *, think: bool, annotators: Annotators
) -> tuple[dict[str, list[float]], list[str]]:
    base, _, token = address.partition("/?token=")
    times: dict[str, list[float]] = defaultdict(list)
    wrong: list[str] = []
    async with httpx.AsyncClient(base_url=base, timeout=120, limits=httpx.Limits(max_connections=people)) as client:
        await client.get(f"/?token={token}")
        began = time.monotonic()
        while (await client.get(f"/runs/{run}/cases")).status_code == 202:
            await asyncio.sleep(0.5)
        print(f"index ready and first page shown after {time.monotonic() - began:.1f} s")
        began = time.monotonic()
        await client.get(f"/runs/{run}")
        print(f"the run's page opens in {time.monotonic() - began:.2f} s")
        until = time.monotonic() + seconds
        await asyncio.gather(
            annotators.work(base, until, THINK, times, wrong),
            *(person(client, run, seed, until, think, times, wrong) for seed in range(people)),
        )
    return times, wrong


def share(values: list[float], part: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--people", type=int, default=64)
    parser.add_argument("--annotators", type=int, default=32, help="How many of the people annotate.")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--alone", action="store_true", help="One person, without thinking.")
    parser.add_argument("--work", type=Path, help="A folder to keep the run and its index in, for another time.")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        work = given.work or Path(temporary)
        runs = work / f"runs-{given.cases}"
        made = next((each.parent for each in runs.glob("*/record.json")), None) or many(runs, given.cases)
        size = sum(each.stat().st_size for each in made.rglob("*") if each.is_file()) / 1e6
        print(f"a run of {open_run(made).suites['stress'].cases:,} cases and three models, {size:,.0f} MB")
        command = [str(Path(sys.executable).with_name("assay")), "serve", str(runs), "--port", "0", "--quiet"]
        shutil.rmtree(runs / TASK, ignore_errors=True)
        annotators = Annotators(runs, 0 if given.alone else given.annotators)
        env = {**os.environ, "ASSAY_CACHE": str(work / "indexes")}
        began = time.monotonic()
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env) as server:
            try:
                assert server.stdout is not None
                address = server.stdout.readline().strip()
                print(f"the server is up after {time.monotonic() - began:.1f} s")
                readers = 1 if given.alone else given.people - given.annotators
                times, wrong = asyncio.run(
                    visit(address, made.name, readers, given.seconds, think=not given.alone, annotators=annotators)
                )
                peak = int(re.findall(r"VmHWM:\s+(\d+)", Path(f"/proc/{server.pid}/status").read_text())[0]) / 1024
                now = int(re.findall(r"RssAnon:\s+(\d+)", Path(f"/proc/{server.pid}/status").read_text())[0]) / 1024
                spent = sum(map(int, Path(f"/proc/{server.pid}/stat").read_text().split()[13:15])) / os.sysconf(
                    "SC_CLK_TCK"
                )
            finally:
                server.terminate()
        stored = annotators.told()
    everything = [each for own in times.values() for each in own]
    who = "one reader" if given.alone else f"{readers} readers and {given.annotators} annotators"
    print(f"{who}, {len(everything):,} requests, {len(wrong)} errors {wrong[:3]}")
    print(f"{'':24}{'requests':>9}{'median':>9}{'p95':>9}{'most':>9}  milliseconds")
    for kind, own in [*sorted(times.items()), ("all", everything)]:
        print(f"{kind:24}{len(own):>9,}{share(own, 0.5):>9.0f}{share(own, 0.95):>9.0f}{max(own):>9.0f}")
    print(stored)
    print(f"server: {peak:,.0f} MB at most, with the mapped files of the index; {now:,.0f} MB of its own")
    print(f"        {spent:.1f} s of processor time, {1000 * spent / max(1, len(everything)):.0f} ms per request")


if __name__ == "__main__":
    main()
