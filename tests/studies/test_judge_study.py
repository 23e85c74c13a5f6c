"""What judges lean on, with judges on loopback whose leanings are known."""

import json
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from assay.cli.main import assay as command
from assay.core.errors import UserError
from assay.corpora.reader import read
from assay.studies.experiments.judge_study import Leaning, judge_cost, leaning_lines, study_judge

Judge = Callable[[str], str]
"""Replies to a question."""

LIMIT = 9


def listed(question: str) -> list[str]:
    """The labels in the order in which a question lists them."""
    found = re.search(r"(\w+), (\w+) or (\w+)", question)
    assert found
    return [*found.groups()]


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Leaning]]:
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path / "kept"))
    servers = []

    def studied(judge: Judge, template: str = "", **options: Any) -> Leaning:
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["messages"][-1]["content"]
                body = json.dumps({"choices": [{"message": {"content": judge(asked)}}]}).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                """Be quiet."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        servers.append(server)
        name = f"judge=openai:stub@http://127.0.0.1:{server.server_port}/v1?answers=text{template}"
        return study_judge(name, read("bundled", limit=LIMIT), **options)

    yield studied
    for server in servers:
        server.shutdown()
        server.server_close()


def values(found: Leaning, name: str, by: str) -> dict[str, float | None]:
    return {each.slice[by]: each.value for each in found.estimates if each.name == name and [*each.slice] == [by]}


def test_a_judge_that_takes_the_first_label(study: Callable[..., Leaning]) -> None:
    found = study(lambda question: listed(question)[0])
    assert values(found, "place", "place") == {"1": 1.0, "2": 0.0, "3": 0.0}
    effect = found.find("order-effect")
    assert effect is not None
    assert effect.value == 1.0
    assert effect.low is not None
    assert effect.low < 0.5, "pairs with the same premise count together: nine on their own would begin at 0.70"
    assert effect.n == LIMIT
    agreement = found.find("self-agreement")
    assert agreement is not None
    assert agreement.value == 1.0
    assert "label 1 of the list is chosen in 100.0%" in " ".join(leaning_lines(found))


def test_a_judge_that_likes_a_word(study: Callable[..., Leaning]) -> None:
    found = study(lambda _: "entailment")
    figures = {each.name: each.value for each in found.estimates if not each.slice}
    assert figures["order-effect"] == 0.0
    assert figures["name-effect"] == 1.0
    assert figures["keeps-name"] == 1.0
    assert figures["prompt-spread"] == 0.0
    assert figures["prompt-agreement"] == 1.0
    assert set(values(found, "place", "place").values()) == {1 / 3}
    prior = found.find("answer", variant="no premise", label="entailment")
    assert prior is not None
    assert prior.value == 1.0
    assert "without a premise, judge says entailment in 100.0%" in " ".join(leaning_lines(found))


def test_a_judge_that_follows_meanings_and_tosses_no_coin(study: Callable[..., Leaning]) -> None:
    def follows(question: str) -> str:
        word = re.search(r"^(\w+): the hypothesis must be false$", question, re.MULTILINE)
        assert word
        return word[1]

    figures = {each.name: each.value for each in study(follows).estimates if not each.slice}
    assert figures["name-effect"] == 0.0
    assert figures["keeps-name"] == 0.0
    assert figures["order-effect"] == 0.0


def test_a_judge_that_changes_its_mind_and_one_that_mumbles(study: Callable[..., Leaning]) -> None:
    seen: Counter[str] = Counter()

    def fickle(question: str) -> str:
        seen[question] += 1
        return "neutral" if seen[question] == 1 else "entailment"

    agreement = study(fickle).find("self-agreement")
    assert agreement is not None
    assert agreement.value == 0.0
    mumbles = study(lambda said: "Hm." if "Somebody claims" in said or "not an answer" in said else "neutral")
    unclear = values(mumbles, "unclear", "variant")
    assert unclear["as asked"] == 0.0
    assert unclear["wording 3"] == 1.0


def test_wordings_that_matter(study: Callable[..., Leaning]) -> None:
    found = study(lambda question: "contradiction" if "Somebody claims" in question else "neutral")
    agreement = found.find("prompt-agreement")
    assert agreement is not None
    assert agreement.value == 0.0
    accuracy = values(found, "accuracy", "variant")
    spread = found.find("prompt-spread")
    assert spread is not None
    assert spread.low is None  # three premises are too few to resample
    assert spread.value == pytest.approx(abs((accuracy["wording 3"] or 0) - (accuracy["as asked"] or 0)))


def test_what_a_prompt_does_not_name_is_not_measured(study: Callable[..., Leaning], tmp_path: Path) -> None:
    (tmp_path / "prompt.txt").write_text("{premise} {hypothesis} entailment, neutral or contradiction?")
    found = study(lambda _: "neutral", template=f"&template={tmp_path / 'prompt.txt'}")
    assert set(found.not_measured) == {"order effect", "name effect"}
    assert found.find("order-effect") is None
    assert [*found.variants] == ["as asked", "asked again", "no premise", "wording 2", "wording 3"]


def test_a_study_keeps_its_answers_and_its_budget(study: Callable[..., Leaning], tmp_path: Path) -> None:
    calls: Counter[str] = Counter()

    def counts(question: str) -> str:
        calls["all"] += 1
        return "neutral"

    with pytest.raises(UserError, match="would cost about"):
        study(counts, template="&price_in=1000", budget=0.001)
    assert not calls
    found = study(counts)
    # Two pairs in `bundled` may share a hypothesis, and are one question without a premise.
    assert calls["all"] <= len(found.variants) * LIMIT
    assert calls["all"] > (len(found.variants) - 1) * LIMIT


def test_what_the_study_costs_and_what_it_is_for(tmp_path: Path) -> None:
    name = "judge=openai:stub@http://127.0.0.1:9/v1?price_in=1"
    cost = judge_cost(name, read("bundled", limit=3))
    assert cost.calls == 8 * 3
    assert "In all 24 calls" in cost.text
    with pytest.raises(UserError, match="is not a chat model"):
        study_judge("assay:overlap", read("bundled", limit=3))
    said = CliRunner().invoke(
        command, ["study", "judge", "--model", name, "--from", "bundled", "--limit", "3", "--dry-run"]
    )
    assert said.exit_code == 0, said.output
    assert "In all 24 calls" in said.output
