"""openai: against a local server that answers, stumbles and lies."""

import json
import math
import re
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import assay
from assay.cli.main import main
from assay.core.case import Answer
from assay.core.errors import BadInputError, ModelError, UserError
from assay.core.label import Label
from assay.core.protocols import Endpoint, Texts
from assay.core.run_record import ModelAnswers
from assay.models.adapters.openai import OpenAI
from assay.models.chat import http_client
from assay.models.chat.endpoint import ChatEndpoint
from assay.storage.answer_cache import ANSWERS

PAIR = Texts("It rains.", "It is wet.")
SECRET = "sk-very-secret"

Say = Callable[["Handler"], None]


class Handler(BaseHTTPRequestHandler):
    """Says what the test's script has for each call in turn; the last line holds for all further calls."""

    script: list[Say]
    asked: list[dict[str, Any]]
    keys: list[str | None]

    def do_POST(self) -> None:
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        place = min(len(self.asked), len(self.script) - 1)
        self.asked.append(question)
        self.keys.append(self.headers["Authorization"])
        self.script[place](self)

    def send(
        self, status: int, body: bytes, *, length: int | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        for name, value in (headers or {}).items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Be quiet."""


def says(text: str, logprobs: dict[str, float] | None = None) -> Say:
    """A good reply."""
    choice: dict[str, Any] = {"index": 0, "message": {"role": "assistant", "content": text}}
    if logprobs is not None:
        top = [{"token": token, "logprob": math.log(share)} for token, share in logprobs.items()]
        choice["logprobs"] = {"content": [{"token": text, "top_logprobs": top}]}
    return lambda handler: handler.send(200, json.dumps({"choices": [choice]}).encode())


def status(code: int, body: bytes = b'{"error": "no"}', **headers: str) -> Say:
    return lambda handler: handler.send(code, body, headers=headers)


def half(handler: Handler) -> None:
    handler.send(200, b'{"choices": [{"mess', length=500)
    handler.close_connection = True


def flood(handler: Handler) -> None:
    """A reply without end, as far as anybody will read it."""
    with suppress(OSError):
        handler.send(200, b" " * (http_client.LARGEST + 2**16))


def dripping(first: bytes, rest: bytes) -> Say:
    """The rest comes byte by byte: each in time, all together much too late."""

    def say(handler: Handler) -> None:
        with suppress(OSError):
            handler.wfile.write(first)
            for byte in rest:
                handler.wfile.write(bytes([byte]))
                time.sleep(0.02)
        handler.close_connection = True

    return say


def nothing(handler: Handler) -> None:
    handler.close_connection = True


def refuses(what: str, otherwise: Say) -> Say:
    """HTTP 400 where the question has a field, as servers that do not know it say."""

    def say(handler: Handler) -> None:
        (status(400) if what in handler.asked[-1] else otherwise)(handler)

    return say


@pytest.fixture(autouse=True)
def _a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)


def no_waiting(_: float) -> None:
    pass


@pytest.fixture
def serve() -> Iterator[Callable[..., tuple[ChatEndpoint, type[Handler]]]]:
    servers = []

    def start(
        *script: Say,
        sleep: Callable[[float], None] = no_waiting,
        clock: Callable[[], float] = time.monotonic,
        **options: Any,
    ) -> tuple[ChatEndpoint, type[Handler]]:
        handler = type("Scripted", (Handler,), {"script": list(script), "asked": [], "keys": []})
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        servers.append(server)
        address = f"http://127.0.0.1:{server.server_port}/v1"
        settings = OpenAI(what=f"tiny@{address}", **{"retries": 3, "timeout": 600.0, **options})
        return settings.open(sleep=sleep, clock=clock), handler

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def address_of(model: ChatEndpoint) -> str:
    return f"{model.how.model}@{model.how.url}"


Serve = Callable[..., tuple[ChatEndpoint, type[Handler]]]


@pytest.fixture
def assay_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Any:
    """What `assay run` says against a model, before it has written anything."""

    def said(model: str, *, debug: bool) -> str:
        monkeypatch.chdir(tmp_path)
        words = ["assay", "run", "--limit", "3", "--family", "negation", "--model", model]
        monkeypatch.setattr("sys.argv", [*words, "--debug"] if debug else words)
        with pytest.raises((SystemExit, UserError)) as left:
            main()
        assert not list(tmp_path.iterdir())
        raised = "" if isinstance(left.value, SystemExit) else "".join(traceback.format_exception(left.value))
        return raised + "".join(capfd.readouterr())

    return said


def test_a_label_from_probabilities(serve: Serve) -> None:
    shares = {"ent": 0.6, " Entail": 0.1, "neutral": 0.2, "con": 0.05, "the": 0.05}
    model, server = serve(says("entailment", shares))
    assert isinstance(model, Endpoint)
    answer = model.answer_one(PAIR)
    assert answer.label is Label.ENTAILMENT
    assert answer.read_from == "the label words' probabilities"
    assert answer.probabilities == pytest.approx(
        {Label.ENTAILMENT: 0.7 / 0.95, Label.NEUTRAL: 0.2 / 0.95, Label.CONTRADICTION: 0.05 / 0.95}, abs=1e-5
    )
    _trial, question = server.asked
    assert "It rains." in question["messages"][0]["content"]
    assert "It is wet." in question["messages"][0]["content"]
    assert question["model"] == "tiny"
    assert question["temperature"] == 0
    assert server.keys == [f"Bearer {SECRET}"] * 2


def test_probabilities_that_lie_elsewhere_give_way_to_the_text(serve: Serve) -> None:
    model, _ = serve(says("The answer: contradiction", {"The": 0.9, "ent": 0.1}), answers="logprobs")
    answer = model.answer_one(PAIR)
    assert answer == Answer(label=Label.CONTRADICTION, read_from="plain text")


def ways_of(server: type[Handler]) -> list[str]:
    """How each question wanted its label."""
    marks = {"response_format": "schema", "tools": "tools", "logprobs": "logprobs"}
    return [next((way for mark, way in marks.items() if mark in each), "text") for each in server.asked]


def test_the_best_way_that_is_offered_is_found_by_one_trial(serve: Serve) -> None:
    model, server = serve(refuses("logprobs", says('{"label": "neutral"}')))
    assert [model.answer_one(PAIR).label for _ in range(3)] == [Label.NEUTRAL] * 3
    assert ways_of(server)[0] == "logprobs"
    assert ways_of(server)[-3:] == ["schema"] * 3, "with probabilities it was refused, so they are left out"
    assert [each for each in server.asked[-3:] if "logprobs" in each] == []
    schema = server.asked[-1]["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["label"]["enum"] == ["entailment", "neutral", "contradiction"]
    silent, server = serve(says("neutral"))  # says nothing of probabilities, and does not mind being asked
    assert silent.answer_one(PAIR) == Answer(label=Label.NEUTRAL, read_from="text under a schema")
    assert ways_of(server) == ["logprobs", "schema", "tools", "text", "schema"]
    plain, _ = serve(refuses("logprobs", refuses("response_format", refuses("tools", says("Neutral.")))))
    assert plain.answer_one(PAIR) == Answer(label=Label.NEUTRAL, read_from="plain text")


def test_a_way_that_was_asked_for_is_not_replaced(serve: Serve) -> None:
    model, _ = serve(says("neutral"), answers="logprobs")
    with pytest.raises(ModelError, match="does not offer answers=logprobs"):
        model.answer_one(PAIR)


@pytest.mark.parametrize(
    "fault",
    [
        status(429, Retry_After="0"),
        status(500),
        status(503, b""),
        status(200, b"<html>garbage</html>"),
        status(200, b'{"choices": []}'),
        status(200, b""),
        half,
        nothing,
    ],
    ids=["429", "500", "503", "garbage", "no choice", "empty", "half a body", "nothing"],
)
def test_a_fault_that_passes_is_tried_again(serve: Serve, fault: Say) -> None:
    model, server = serve(says("entailment"), fault, fault, says("neutral"), answers="text")
    assert [model.answer_one(PAIR).label for _ in range(2)] == [Label.ENTAILMENT, Label.NEUTRAL]
    assert len(server.asked) == 4


@pytest.mark.parametrize(
    ("fault", "kind", "said", "calls"),
    [
        (status(429), ModelError, "answered 4 times with HTTP 429", 4),
        (status(200, b"[" * 200_000), ModelError, "answered 4 times with something that is not a reply", 4),
        (status(500, SECRET.encode()), ModelError, r"with HTTP 500: \*\*\*", 4),
        (status(200, b"\n<html>"), ModelError, "answered with something that is not a reply: <html>\n.*the address", 1),
        (half, ModelError, "did not answer 4 times", 4),
        (nothing, ModelError, "did not answer 4 times", 4),
        (status(401, SECRET.encode()), UserError, "refused the key.*\n.*export OPENAI_API_KEY", 1),
        (status(404), UserError, "no such model or address", 1),
        (flood, ModelError, "did not answer 4 times: it sent more than 4 MB", 4),
        (status(302, Location="http://127.0.0.1:9/"), UserError, r"redirects to another address \(HTTP 302\)", 1),
        (says("I would rather not say."), ModelError, "replied without a label: 'I would rather not say.'", 2),
        (says("not entailment"), ModelError, "replied without a label", 2),
    ],
)
def test_a_fault_that_stays_is_told_without_the_key(
    serve: Serve, fault: Say, kind: type[Exception], said: str, calls: int
) -> None:
    model, server = serve(fault, answers="text", unclear="stop")
    with pytest.raises(kind, match=said) as told:
        model.answer_one(PAIR)
    assert len(server.asked) == calls
    assert SECRET not in str(told.value)
    assert SECRET not in repr(vars(told.value))


def test_a_second_reply_to_one_question_is_never_taken_for_the_answer_to_the_next(serve: Serve) -> None:
    def twice(handler: Handler) -> None:
        handler.close_connection = False
        for text in ("neutral", "contradiction"):
            says(text)(handler)

    model, server = serve(twice, says("entailment"), answers="text")
    assert [model.answer_one(PAIR).label for _ in range(2)] == [Label.NEUTRAL, Label.ENTAILMENT]
    assert len(server.asked) == 2


@pytest.mark.parametrize("host", ["127.0.0.1:9", "no-such-host.invalid"])
def test_a_server_that_is_not_there_is_called_once(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = counted_calls(monkeypatch)
    model = OpenAI(what=f"tiny@http://{host}/v1", retries=6).open(sleep=no_waiting)
    with pytest.raises(ModelError, match=r"did not answer: .*\n  Check the address") as told:
        model.answer_one(PAIR)
    assert len(calls) == 1
    assert "kept" not in str(told.value), "there are no answers yet"


def counted_calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    calls: list[str] = []
    post = http_client.Caller.post

    def counted(caller: http_client.Caller, url: str, *rest: Any) -> http_client.Reply:
        calls.append(url)
        return post(caller, url, *rest)

    monkeypatch.setattr(http_client.Caller, "post", counted)
    return calls


@pytest.mark.parametrize("options", ["", "?answers=text"])
def test_a_run_against_a_server_that_is_not_there_makes_one_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: str
) -> None:
    calls = counted_calls(monkeypatch)
    with pytest.raises(ModelError, match="Connection refused"):
        assay.run(
            [
                assay.Pair(id=str(n), premise=f"It rains {n}.", hypothesis="It is wet.", label=assay.Label.NEUTRAL)
                for n in range(20)
            ],
            models=f"openai:tiny@http://127.0.0.1:9/v1{options}",
            families=["original"],
            out=tmp_path,
            cache=False,
        )
    assert len(calls) == 1


def test_a_server_that_goes_away_is_tried_again_and_keeps_what_there_is(serve: Serve) -> None:
    model, _ = serve(says("neutral"), nothing, answers="text", retries=2)
    model.answer_one(PAIR)
    with pytest.raises(ModelError, match=r"did not answer 3 times.*\n  The answers so far are stored"):
        model.answer_one(PAIR)


@pytest.mark.parametrize(
    "extra",
    [
        {"api_key": SECRET},
        {"extra_headers": {"Authorization": f"Bearer {SECRET}"}},
        {"auth": [{"accessToken": SECRET}]},
    ],
)
def test_a_key_in_extra_is_refused_without_being_shown(extra: Any, assay_error: Any) -> None:
    said = assay_error(f"openai:tiny@http://127.0.0.1:9/v1?extra={json.dumps(extra)}", debug=False)
    assert "which holds a key" in said
    assert "?key=MY_KEY" in said
    assert SECRET not in said


def test_a_server_that_is_slow(serve: Serve) -> None:
    ready = threading.Event()
    model, _ = serve(lambda _: ready.wait(5) and None, retries=0, timeout=0.2)
    with pytest.raises(ModelError, match=r"did not answer: timed out"):
        model.answer_one(PAIR)
    ready.set()


NEUTRAL = json.dumps({"choices": [{"message": {"content": "neutral"}}]}).encode()
OK = b"HTTP/1.0 200 OK\r\n"


@pytest.mark.parametrize(
    ("first", "rest"),
    [
        (b"", OK + b"X: " + b"x" * 400 + b"\r\n\r\n" + NEUTRAL),
        (OK + b"\r\n", b" " * 400 + NEUTRAL),
        (OK + b"Content-Length: %d\r\n\r\n" % (400 + len(NEUTRAL)), b" " * 400 + NEUTRAL),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n" * 400),
        (b"HTTP/1.0 500 No\r\n\r\n", b"x" * 400),
    ],
    ids=["headers", "open body", "body", "chunks", "error"],
)
def test_a_server_that_drips_gets_no_more_time_than_others(serve: Serve, first: bytes, rest: bytes) -> None:
    model, _ = serve(dripping(first, rest), retries=0, timeout=0.5, answers="text")
    with pytest.raises(ModelError, match=r"timed out|HTTP 500: nothing"):
        model.answer_one(PAIR)


def test_a_slow_reply_within_the_time_is_taken(serve: Serve) -> None:
    model, _ = serve(dripping(OK + b"\r\n", NEUTRAL), retries=0, timeout=600.0, answers="text")
    assert model.answer_one(PAIR).label is Label.NEUTRAL


def test_a_server_says_when_to_come_back_within_a_minute(serve: Serve) -> None:
    slept: list[float] = []
    late = format_datetime(datetime.now(UTC) + timedelta(minutes=30), usegmt=True)
    past = format_datetime(datetime.now(UTC) - timedelta(minutes=30), usegmt=True)
    script = [status(429, Retry_After=said) for said in ("40", "120", late, past)]
    model, _ = serve(*script, says("neutral"), answers="text", retries=4, sleep=slept.append, clock=lambda: sum(slept))
    assert model.answer_one(PAIR).label is Label.NEUTRAL
    seconds, long, until, already = slept
    assert 40 <= seconds <= 41
    assert 60 <= long <= 61
    assert 60 <= until <= 61
    assert already <= 1


def test_unclear_replies_may_count_as_a_label(serve: Serve) -> None:
    model, _ = serve(says("Hm."), answers="text", unclear="neutral")
    counted = Answer(label=Label.NEUTRAL, note="no label in the reply; counted as neutral")
    assert model.answer_one(PAIR) == counted


def test_notes_belong_to_the_answers_whoever_asked_for_them(serve: Serve, tmp_path: Path) -> None:
    """A run from the cache has the notes of the first; one of other cases has those of its own answers."""
    model, server = serve(*[says("neutral")] * 6, says("Hm."), answers="text")
    name = f"openai:{address_of(model)}?answers=text&concurrency=1"

    def run(limit: int, out: str) -> ModelAnswers:
        corpus = assay.read("bundled", limit=limit)
        [answers] = assay.run(corpus, families="negation", models=name, out=tmp_path / out).models
        return answers

    first = run(12, "first")
    assert len(server.asked) == 6 + 2 * 18, "an unclear reply is asked for once more"
    assert first.notes == (
        f"{name}: labels were read from plain text (6 cases).",
        f"{name}: 18 of 24 answers are fallbacks: no label in the reply; counted as neutral.",
    )
    assert run(12, "again") == first
    few = run(3, "few")
    assert len(server.asked) == 42, "all was kept"
    assert few.notes == (f"{name}: labels were read from plain text (6 cases).",)


def test_unclear_replies_are_a_figure(serve: Serve, tmp_path: Path) -> None:
    model, _ = serve(says("Hm."))
    name = f"openai:{address_of(model)}?answers=text"
    record = assay.run(assay.read("bundled", limit=3), families="negation", models=name, out=tmp_path)
    shares = {e.slice["note"]: (e.value, e.n) for e in record.estimates if e.name == "fallback"}
    assert shares == {"no label in the reply; counted as neutral": (1.0, 3)}


def test_a_template_of_ones_own(serve: Serve, tmp_path: Path) -> None:
    path = tmp_path / "prompt.txt"
    path.write_text("P={premise} H={hypothesis} {x}")
    model, server = serve(says("neutral"), template=str(path), answers="text")
    model.answer_one(PAIR)
    assert server.asked[0]["messages"][0]["content"] == "P=It rains. H=It is wet. {x}"
    model.answer_one(Texts("{hypothesis}", "{premise} {}"))
    assert server.asked[1]["messages"][0]["content"] == "P={hypothesis} H={premise} {} {x}"
    path.write_text("P={premise}")
    with pytest.raises(BadInputError, match=r"must contain {premise} and {hypothesis}"):
        OpenAI(what="tiny@http://localhost/v1", template=str(path)).open()
    with pytest.raises(BadInputError, match="not a readable prompt"):
        OpenAI(what="tiny@http://localhost/v1", template="nowhere.txt").open()


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("tiny", "give a model and an address"),
        ("tiny@localhost", "give a model and an address"),
        ("@http://localhost", "give a model and an address"),
        ("tiny@http://me:secret@localhost/v1", "not have a user, password or query"),
        ("tiny@http://localhost/v1?api-key=secret", "not have a user, password or query"),
        ("tiny@http://localhost/v1#secret", "not have a user, password or query"),
        ("tiny@http://me:secret@[localhost/v1", "give a model and an address"),
        ("tiny@me:secret@localhost/v1", "give a model and an address"),
    ],
)
def test_addresses_that_are_none(what: str, said: str) -> None:
    with pytest.raises(UserError, match=said) as told:
        OpenAI(what=what).open()
    assert "secret" not in "".join(traceback.format_exception(told.value))


def test_a_key_is_sent_without_what_stands_around_it(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", f" {SECRET}\r\n")
    model, server = serve(status(500, SECRET.encode()), answers="text")
    with pytest.raises(ModelError) as told:
        model.answer_one(PAIR)
    assert server.keys[0] == f"Bearer {SECRET}"
    assert SECRET not in "".join(traceback.format_exception(told.value))


@pytest.mark.parametrize("between", ["\n", "\r\nX-Other: 1", " ", "\t", "\x7f", "\u200b", "\u00e9"])
def test_a_key_that_can_not_be_sent_is_not_shown(
    between: str, assay_error: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", f"{SECRET}{between}{SECRET}")
    for debug in (False, True):
        said = assay_error("openai:tiny@http://127.0.0.1:9/v1?key=MY_KEY&retries=0", debug=debug)
        assert "The key in MY_KEY can't be sent" in said
        assert SECRET not in said


@pytest.mark.parametrize("option", [SECRET, "abcdef0123456789", "", "MY-KEY"])
def test_a_key_in_the_place_of_its_name_is_not_shown(option: str, assay_error: Callable[..., str]) -> None:
    for name in (f"?key={option}", f"?key={option}&retries=0", f"?key={option}&key={option}"):
        said = assay_error(f"openai:tiny@http://127.0.0.1:9/v1{name}", debug=True)
        assert "never the key itself" in said or "twice" in said
        assert not option or option not in said


def test_identity_has_no_key_and_follows_what_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    what = "tiny@http://localhost/v1"
    one = OpenAI(what=what).open().identity
    monkeypatch.setenv("OPENAI_API_KEY", "another")
    assert OpenAI(what=what, concurrency=1, rate=5.0).open().identity == one
    assert OpenAI(what="other@http://localhost/v1").open().identity != one
    assert OpenAI(what=what, answers="text").open().identity != one


def test_estimates() -> None:
    pairs = [Texts("It rains.", "It is wet.")] * 1200
    cost = OpenAI(what="tiny@http://localhost/v1", rate=60.0).open().estimate(iter(pairs))
    assert cost.calls == 1200
    assert cost.price is None
    assert "1,200 calls" in cost.text
    assert "counted with the word pieces of assay:minilm" in cost.text
    assert "at least 20 min" in cost.text
    priced = OpenAI(what="tiny@http://localhost/v1", price_in=0.5, price_out=2.0).open().estimate(pairs[:120])
    assert "15 s if each of 8" in priced.text
    tokens = int(re.search(r"about ([0-9,]+) tokens of prompts", priced.text)[1].replace(",", ""))  # type: ignore[index]
    assert priced.price == pytest.approx((tokens * 0.5 + 120 * 8 * 2.0) / 1e6)
    assert tokens % 120 == 0
    longer = OpenAI(what="tiny@http://localhost/v1").open().estimate([Texts("It rains. " * 200, "It is wet.")])
    assert "about 6" in longer.text, "nothing is cut off: 200 sentences of three tokens"


def test_a_tokenizer_of_ones_own(tmp_path: Path) -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers

    words = Tokenizer(models.WordLevel({"?": 0}, unk_token="?"))
    words.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    (tmp_path / "words").mkdir()
    words.save(str(tmp_path / "words" / "tokenizer.json"))
    (tmp_path / "prompt.txt").write_text("{premise} {hypothesis}")
    options: dict[str, Any] = {"tokenizer": str(tmp_path / "words"), "template": str(tmp_path / "prompt.txt")}
    cost = OpenAI(what="tiny@http://localhost/v1", **options).open().estimate([Texts("a b c", "d")])
    assert "about 8 tokens of prompts (counted with words/tokenizer.json)" in cost.text, "four, and four of a message"
    with pytest.raises(BadInputError, match="not a tokenizer"):
        OpenAI(what="tiny@http://localhost/v1", tokenizer="nowhere.json").open()


def test_calls_keep_to_the_rate(serve: Serve) -> None:
    slept: list[float] = []
    model, _ = serve(says("neutral"), answers="text", rate=30.0, sleep=slept.append, clock=lambda: 100.0)
    for _ in range(3):
        model.answer_one(PAIR)
    assert slept == [2.0, 4.0]


def test_a_run_keeps_every_answer_and_writes_the_key_nowhere(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path / "kept"))
    good, told = says("neutral", {"neutral": 1.0}), list[str]()
    model, server = serve(*[good] * 5, status(429), good, *[status(500)] * 99, concurrency=2)
    name = f"openai:{address_of(model)}?retries=1&concurrency=2"
    corpus = assay.read("bundled", limit=12)
    with pytest.raises(ModelError, match="with HTTP 500"):
        assay.run(corpus, families="negation", models=name, out=tmp_path / "runs", tell=told.append)
    answered = 5  # after one trial four, and one at the second try
    server.script[:] = [good]
    before = len(server.asked)
    record = assay.run(corpus, families="negation", models=name, out=tmp_path / "runs", tell=told.append)
    assert record.models[0].files["stress"].n == 24
    assert len(server.asked) - before == 1 + 24 - answered, "one is the trial"
    assert f"{24 - answered} calls" in told[-1]
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any(ANSWERS in str(path) for path in files)
    assert not [path for path in files if SECRET.encode() in path.read_bytes()]
