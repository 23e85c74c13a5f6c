"""openai: against a stub of a reasoning model, and of servers that cut, ramble, refuse and are too busy."""

import json
import math
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import assay
from assay.core.errors import BadInputError, ModelError, UserError
from assay.core.label import Label
from assay.core.protocols import Texts
from assay.models.adapters.openai import OpenAI
from assay.models.chat.endpoint import HOPELESS, ChatEndpoint
from assay.models.chat.http_client import RateLimit
from assay.models.chat.prompt import Prompt, read_prompt
from assay.models.chat.reply import first_choice, from_logprobs, from_text, without_reasoning

PAIR = Texts("It rains.", "It is wet.")
THREE = {label.value: label for label in (Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION)}

Think = Callable[[dict[str, Any]], tuple[int, dict[str, Any], Mapping[str, str]]]


class Stub:
    """A server on loopback that answers each question with what a function makes of it."""

    def __init__(self, think: Think) -> None:
        self.asked: list[dict[str, Any]] = []
        self.open = self.most_open = 0
        lock = threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            def do_POST(inner) -> None:  # noqa: N805 - the outer one is the stub
                question = json.loads(inner.rfile.read(int(inner.headers["Content-Length"])))
                with lock:
                    self.asked.append(question)
                    self.open += 1
                    self.most_open = max(self.most_open, self.open)
                status, body, headers = think(question)
                with lock:
                    self.open -= 1
                data = json.dumps(body).encode()
                inner.send_response(status)
                for name, value in {"Content-Length": str(len(data)), **headers}.items():
                    inner.send_header(name, value)
                inner.end_headers()
                inner.wfile.write(data)

            def log_message(inner, *_: Any) -> None:  # noqa: N805
                """Be quiet."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()
        self.what = f"stub@http://127.0.0.1:{self.server.server_port}/v1"

    def model(self, **options: Any) -> ChatEndpoint:
        return OpenAI(what=self.what, **options).open(sleep=lambda seconds: time.sleep(min(seconds, 0.01)))


@pytest.fixture
def stub() -> Iterator[Callable[[Think], Stub]]:
    made: list[Stub] = []

    def start(think: Think) -> Stub:
        made.append(Stub(think))
        return made[-1]

    yield start
    for each in made:
        each.server.shutdown()
        each.server.server_close()


Start = Callable[[Think], Stub]


def reply(
    text: str | None, *, cut: bool = False, usage: tuple[int, int] = (100, 10), **message: Any
) -> tuple[int, dict[str, Any], Mapping[str, str]]:
    choice = {"message": {"content": text, **message}, "finish_reason": "length" if cut else "stop"}
    return 200, {"choices": [choice], "usage": {"prompt_tokens": usage[0], "completion_tokens": usage[1]}}, {}


def refusal(text: str) -> tuple[int, dict[str, Any], Mapping[str, str]]:
    return 400, {"error": {"message": text}}, {}


def reasoning(thought: int = 300) -> Think:
    """A reasoning model: wants `max_completion_tokens`, no temperature, no tools, and thinks before it answers."""

    def think(question: dict[str, Any]) -> tuple[int, dict[str, Any], Mapping[str, str]]:
        if "max_tokens" in question:
            return refusal("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
        if "temperature" in question:
            return refusal("Unsupported value: 'temperature' does not support 0 with this model.")
        for field in ("logprobs", "response_format", "tools"):
            if field in question:
                return refusal(f"{field} is not supported with this model.")
        whole = ["<think>", *["is it entailment or neutral?"] * thought, "</think>", "Answer: **contradiction**"]
        most = question["max_completion_tokens"]
        return reply(" ".join(whole[:most]), cut=most < len(whole), usage=(100, min(most, len(whole))))

    return think


def test_a_reasoning_model_reaches_its_answer(stub: Start) -> None:
    server = stub(reasoning())
    model = server.model()
    for _ in range(3):
        answer = model.answer_one(PAIR)
        assert answer.label is Label.CONTRADICTION
        assert answer.read_from == "plain text"
        assert not answer.note
    assert server.asked[-1]["max_completion_tokens"] == 1024
    assert not {"max_tokens", "temperature", "logprobs", "response_format", "tools"} & server.asked[-1].keys()
    tried, refused = model.notes
    assert tried.startswith("openai:stub: asked with answers=text; tried: logprobs (refused)")
    assert refused == "openai:stub: the endpoint refuses temperature, so its own default holds."
    before = len(server.asked)
    model.answer_one(PAIR)
    assert len(server.asked) == before + 1, "what was learned is kept"


def test_a_whole_run_with_a_reasoning_model_that_is_busy(stub: Start, tmp_path: Path) -> None:
    think = reasoning()
    lock, times = threading.Lock(), iter(range(10_000))

    def busy(question: dict[str, Any]) -> tuple[int, dict[str, Any], Mapping[str, str]]:
        with lock:
            turn = next(times)
        return (429, {}, {"Retry-After": "0"}) if turn % 4 == 3 else think(question)

    server = stub(busy)
    record = assay.run(
        assay.read("bundled", limit=9), families="negation", models=f"judge=openai:{server.what}", out=tmp_path
    )
    assert record.find("accuracy", by=["family"])[("original",)].value == pytest.approx(1 / 3)
    answered = Counter(each["messages"][-1]["content"] for each in server.asked if "max_completion_tokens" in each)
    assert len(answered) >= 18
    [answers] = record.models
    assert answers.files["stress"].n == 18
    assert any("answers=text" in note for note in answers.notes)


def test_a_cut_reply_is_called_cut(stub: Start) -> None:
    server = stub(reasoning())
    answer = server.model(max_tokens=100).answer_one(PAIR)
    assert answer.note == "the reply was cut off at 100 tokens; counted as neutral"
    with pytest.raises(ModelError, match=r"cut off at 100 tokens\. Allow more"):
        server.model(max_tokens=100, unclear="stop").answer_one(PAIR)


def test_a_server_that_cuts_below_the_limit_is_not_asked_for_more(stub: Start) -> None:
    server = stub(lambda _: reply("<think>Let me see", cut=True, usage=(50, 40)))
    model = server.model(answers="text")
    noted = "the reply was cut off by the server after fewer than 64 tokens, although 1024 were allowed"
    assert model.answer_one(PAIR).note == f"{noted}; counted as neutral"
    assert len(server.asked) == 2 * 2  # with more tokens, then in stricter words


def test_the_most_calls_are_forecast_and_kept(stub: Start) -> None:
    for options in ({}, {"max_tokens": 100}, {"answers": "text"}):
        server = stub(lambda question: reply("<think>", cut=True, usage=(9, question["max_tokens"])))
        model = server.model(**options)
        told = re.search(r"up to ([\d,]+) calls if replies are cut or unclear", model.estimate([PAIR] * 3).text)
        assert told
        for _ in range(3):
            assert model.answer_one(PAIR).note
        assert len(server.asked) <= int(told[1])


def test_a_judge_without_usable_answers_is_called_that(stub: Start, tmp_path: Path) -> None:
    server = stub(lambda _: reply("Let me see", cut=True, usage=(50, 8)))
    model = f"j=openai:{server.what}?answers=text&max_tokens=8"
    record = assay.run(assay.read("bundled", limit=9), families="original", models=model, out=tmp_path)
    assert record.diagnosis
    assert [each.headline for each in record.diagnosis.profiles] == ["gave no usable answer to 9 of 9 cases"]
    assert [each.outcome for each in record.judgement.verdicts] == ["unusable"]


def test_a_cut_reply_counts_only_if_it_begins_with_its_label(stub: Start) -> None:
    server = stub(lambda _: reply("Let me see whether it is neutral", cut=True, usage=(9, 8)))
    assert server.model(answers="text", max_tokens=8).answer_one(PAIR).note
    server = stub(lambda _: reply("**Neutral**, because it may", cut=True))
    answer = server.model(answers="text", max_tokens=8).answer_one(PAIR)
    assert answer.label is Label.NEUTRAL
    assert not answer.note
    server = stub(lambda _: reply('{"label": "neu', cut=True, usage=(9, 4)))
    assert server.model(answers="schema", max_tokens=4).answer_one(PAIR).note.startswith("the reply was cut off at 4")


def test_an_unclear_reply_is_asked_for_once_more_in_stricter_words(stub: Start) -> None:
    def think(question: dict[str, Any]) -> tuple[int, dict[str, Any], Mapping[str, str]]:
        return reply("neutral" if "exactly one of" in question["messages"][-1]["content"] else "Well, who knows.")

    server = stub(think)
    answer = server.model(answers="text").answer_one(PAIR)
    assert answer.label is Label.NEUTRAL
    assert answer.read_from == "plain text, asked again"
    _, again = server.asked
    assert [each["role"] for each in again["messages"]] == ["user", "assistant", "user"]
    assert again["messages"][1]["content"] == "Well, who knows."


def test_one_unclear_reply_does_not_stop_a_run_but_only_such_replies_do(stub: Start) -> None:
    server = stub(lambda _: reply("Hm."))
    model = server.model(answers="text")
    for _ in range(HOPELESS - 1):
        assert model.answer_one(PAIR).note == "no label in the reply; counted as neutral"
    with pytest.raises(ModelError, match=f"without a label {HOPELESS} times in a row: 'Hm.'"):
        model.answer_one(PAIR)
    turns = iter(["neutral", *["Hm."] * 200])
    mixed = stub(lambda _: reply(next(turns))).model(answers="text")
    assert [bool(mixed.answer_one(PAIR).note) for _ in range(HOPELESS + 5)] == [False] + [True] * (HOPELESS + 4)


def test_a_tool_call_is_read(stub: Start) -> None:
    def think(question: dict[str, Any]) -> tuple[int, dict[str, Any], Mapping[str, str]]:
        if "tools" not in question:
            return reply("I can't say.") if "response_format" not in question else refusal("no such field")
        call = {"function": {"name": "answer", "arguments": '{"label": "contradiction"}'}}
        return reply(None, tool_calls=[call])

    model = stub(think).model()
    answer = model.answer_one(PAIR)
    assert (answer.label, answer.read_from) == (Label.CONTRADICTION, "a tool call")
    assert "schema (refused), tools (a label), text (no label)" in model.notes[0]


def test_probabilities_are_read_where_the_label_begins() -> None:
    def token(text: str, **alternatives: float) -> dict[str, Any]:
        return {
            "token": text,
            "top_logprobs": [{"token": each, "logprob": math.log(share)} for each, share in alternatives.items()],
        }

    content = [
        token("<think>neutral</think>", neutral=1.0),
        token('{"label": "', The=0.9),
        token("ent", ent=0.2, n=0.1, con=0.1),
        token("ailment", ailment=1.0),
        token('"}'),
    ]
    message = {"content": '<think>neutral</think>{"label": "entailment"}'}
    choice = first_choice(json.dumps({"choices": [{"message": message, "logprobs": {"content": content}}]}).encode())
    assert choice is not None
    assert choice.text == '{"label": "entailment"}'
    assert from_logprobs(choice, THREE) is None, "labels have less than half of the probability"
    found = from_logprobs(choice, THREE, only_labels=True)
    assert found == pytest.approx({Label.ENTAILMENT: 0.5, Label.NEUTRAL: 0.25, Label.CONTRADICTION: 0.25})


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<think>neutral?</think>\n\nentailment", "entailment"),
        ("neutral?</think>entailment", "entailment"),
        ("<think>still thinking about neutral", ""),
        ("<reasoning>a</reasoning><think>b</think> entailment", "entailment"),
        ("<|channel|>analysis<|message|>neutral?<|end|><|channel|>final<|message|>entailment", "entailment"),
        ("entailment", "entailment"),
    ],
)
def test_reasoning_is_stripped(text: str, left: str) -> None:
    assert without_reasoning(text) == left


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ('{"reason": "not neutral, not a contradiction", "label": "entailment"}', Label.ENTAILMENT),
        ("It might be neutral, but the text is explicit. Answer: contradiction.", Label.CONTRADICTION),
        ("Final answer is: **Neutral**", Label.NEUTRAL),
        ("entailment or neutral", None),
        ("neither entailment", None),
        ("", None),
    ],
)
def test_labels_in_texts(text: str, label: Label | None) -> None:
    assert from_text(text, THREE) is label


PROMPT = """
system = "You check claims."
prompt = "{examples}Text: {premise}\\nClaim: {hypothesis}\\n{meanings}\\nOne of {labels}:"
example = "Text: {premise}\\nClaim: {hypothesis}\\n-> {label}\\n"

[labels]
supported = "entailment"
"not supported" = "non-entailment"

[meanings]
supported = "the text says so"

[[examples]]
premise = "It snows."
hypothesis = "It is {premise}."
label = "not supported"
"""


def test_a_prompt_file_has_labels_meanings_and_examples(stub: Start, tmp_path: Path) -> None:
    (tmp_path / "prompt.toml").write_text(PROMPT)
    server = stub(lambda _: reply("Not supported."))
    answer = server.model(template=str(tmp_path / "prompt.toml"), answers="schema", seed=3, system="").answer_one(PAIR)
    assert answer.label is Label.NON_ENTAILMENT
    [question] = server.asked
    system, user = question["messages"]
    assert system == {"role": "system", "content": "You check claims."}
    assert user["content"] == (
        "Text: It snows.\nClaim: It is {premise}.\n-> not supported\n"
        "Text: It rains.\nClaim: It is wet.\n"
        "supported: the text says so\nnot supported: the hypothesis may be false\nOne of supported or not supported:"
    )
    assert question["seed"] == 3
    enum = question["response_format"]["json_schema"]["schema"]["properties"]["label"]["enum"]
    assert enum == ["supported", "not supported"]


def test_examples_are_earlier_turns_where_the_prompt_has_no_place_for_them(tmp_path: Path) -> None:
    (tmp_path / "prompt.toml").write_text(PROMPT.replace("{examples}", ""))
    roles = [each["role"] for each in read_prompt(str(tmp_path / "prompt.toml")).messages(PAIR)]
    assert roles == ["system", "user", "assistant", "user"]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (PROMPT.replace("{hypothesis}\\n{meanings}", ""), "must contain"),
        (PROMPT.replace('"entailment"', '"maybe"'), "labels.supported: 'maybe' is not a label"),
        (PROMPT.replace('label = "not supported"', 'label = "no"'), "'no' is not one of the labels"),
        (PROMPT.replace('"non-entailment"', '"entailment"'), "two or more labels"),
        (PROMPT.replace("system =", "sistem ="), "not a prompt file: .*sistem"),
        ("prompt = [", "not a prompt file"),
    ],
)
def test_a_prompt_file_that_is_wrong(tmp_path: Path, wrong: str, said: str) -> None:
    (tmp_path / "prompt.toml").write_text(wrong)
    with pytest.raises(BadInputError, match=said):
        read_prompt(str(tmp_path / "prompt.toml"))


def test_options_reach_the_question(stub: Start) -> None:
    server = stub(lambda _: reply("neutral"))
    extra = '{"reasoning_effort": "low", "top_p": 0.9}'
    server.model(answers="text", temperature=0.7, max_tokens=99, system="Be brief.", extra=extra).answer_one(PAIR)
    [question] = server.asked
    assert question["temperature"] == 0.7
    assert question["max_tokens"] == 99
    assert question["reasoning_effort"] == "low"
    assert question["messages"][0] == {"role": "system", "content": "Be brief."}
    for wrong in ("[]", "{", '{"messages": []}'):
        with pytest.raises(UserError, match="extra must be a JSON object"):
            OpenAI(what=server.what, extra=wrong)


def test_what_decides_answers_decides_the_identity(tmp_path: Path) -> None:
    def identity(**options: Any) -> str:
        return OpenAI(what="m@http://localhost/v1", **options).open().identity

    (tmp_path / "prompt.txt").write_text("{premise} {hypothesis}")
    options: list[dict[str, Any]] = [
        *({"temperature": 0.5}, {"seed": 1}, {"system": "x"}, {"max_tokens": 5}, {"extra": '{"a": 1}'}),
        *({"unclear": "stop"}, {"template": str(tmp_path / "prompt.txt")}),
    ]
    assert len({identity(), *(identity(**each) for each in options)}) == 1 + len(options)
    assert identity(price_in=3.0, timeout=9.0, retries=1) == identity()


def test_fewer_calls_are_open_while_a_server_is_busy() -> None:
    now = [0.0]
    slept: list[float] = []
    pace = RateLimit(most=8, sleep=slept.append, clock=lambda: now[0])
    pace.too_much(30.0)
    assert pace.at_once == 4
    with pace.turn():
        assert slept == [30.0], "nobody calls before the server says so"
    now[0] = 40.0
    for _ in range(40):
        with pace.turn():
            pace.good()
    assert pace.at_once == 5
    assert slept == [30.0]
    for _ in range(5):
        pace.too_much(None)
    assert pace.at_once == 1


def test_no_more_calls_are_open_than_the_pace_allows(stub: Start) -> None:
    def think(_: dict[str, Any]) -> tuple[int, dict[str, Any], Mapping[str, str]]:
        time.sleep(0.02)
        return reply("neutral")

    server = stub(think)
    model = server.model(answers="text", concurrency=3)
    threads = [threading.Thread(target=model.answer_one, args=(PAIR,)) for _ in range(12)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(server.asked) == 12
    assert server.most_open <= 3


def test_a_budget_is_kept(stub: Start, tmp_path: Path) -> None:
    server = stub(lambda _: reply("neutral", usage=(1_000_000, 0)))
    name = f"openai:{server.what}?answers=text&concurrency=1&price_in=1&price_out=1"
    corpus = assay.read("bundled", limit=6)
    with pytest.raises(UserError, match=r"would cost about (?s:.*) No call was made"):
        assay.run(corpus, families="negation", models=name, budget=1e-9, out=tmp_path)
    assert not server.asked
    with pytest.raises(UserError, match=r"the budget of 3\.00 is used up: 4\.00 were spent"):
        assay.run(corpus, families="negation", models=name, budget=3.0, out=tmp_path)
    assert len(server.asked) == 4
    record = assay.run(corpus, families="negation", models=name, budget=100.0, out=tmp_path)
    assert record.models[0].files["stress"].n == 12
    assert len(server.asked) == 12, "what was paid for is not asked again"
    with pytest.raises(UserError, match="has no price"):
        assay.run(corpus, families="negation", models=f"openai:{server.what}", budget=1.0, out=tmp_path)


def test_a_forecast_asks_nothing(stub: Start, tmp_path: Path) -> None:
    server = stub(lambda _: reply("neutral"))
    name = f"judge=openai:{server.what}?answers=text&price_in=2"
    corpus = assay.read("bundled", limit=6)
    found = assay.forecast(corpus, families="negation", models=[name, "assay:overlap"])
    assert not server.asked
    judge, local = found.values()
    assert judge.calls == 12
    assert judge.price is not None
    assert local.calls == 0
    assay.run(corpus, families="negation", models=name, out=tmp_path)
    assert assay.forecast(corpus, families="negation", models=name)[name].calls == 0, "all is cached"


def test_a_model_has_an_alias_everywhere(stub: Start, tmp_path: Path) -> None:
    server = stub(lambda _: reply("neutral"))
    name = f"judge=openai:{server.what}?answers=text"
    record = assay.run(assay.read("bundled", limit=3), families="negation", models=[name], out=tmp_path)
    assert [each.model for each in record.models] == [name]
    assert record.models[0].notes == ("judge: labels were read from plain text (6 cases).",)
    assert {each.case.family for each in assay.failures(record, 2, models="judge")} <= {"original", "negation"}
    assert assay.gate(record, rules=["negation.accuracy>=0"], models="judge").passed
    with pytest.raises(UserError, match="Two models are called 'judge'"):
        assay.run(models=[name, "judge=assay:overlap"], out=tmp_path)
    with pytest.raises(UserError, match="Two models are called 'hf:mine'"):
        assay.run(models=["hf:mine?labels=e,n,c", "hf:mine?labels=c,n,e"], out=tmp_path)


def test_the_wordings_differ_only_in_words() -> None:
    from assay.models.chat.prompt import WORDINGS

    said = [Prompt(text=text).messages(PAIR)[-1]["content"] for text in (Prompt().text, *WORDINGS)]
    assert len({*said}) == 3
    for text in said:
        assert re.search(r"entailment, neutral or contradiction", text)
        assert PAIR.premise in text
        assert PAIR.hypothesis in text


YES_OR_NO = """
prompt = "Text: {premise}\\nClaim: {hypothesis}\\nDoes the text support the claim? {labels}:"
[labels]
yes = "entailment"
no = "non-entailment"
"""


def unsure(question: dict[str, Any]) -> tuple[int, dict[str, Any], Mapping[str, str]]:
    """Says yes with a probability of 0.9 where the claim is true, and of 0.6 where it is not."""
    yes = 0.9 if "true" in question["messages"][-1]["content"] else 0.6
    alternatives = [{"token": word, "logprob": math.log(share)} for word, share in (("yes", yes), ("no", 1 - yes))]
    status, body, headers = reply("yes")
    body["choices"][0]["logprobs"] = {"content": [{"token": "yes", "top_logprobs": alternatives}]}
    return status, body, headers


def test_a_judge_with_two_words_gives_a_score_and_gets_a_threshold(stub: Start, tmp_path: Path) -> None:
    server, prompt = stub(unsure), tmp_path / "prompt.toml"
    prompt.write_text(YES_OR_NO)
    answer = server.model(template=str(prompt), threshold=0.8).answer_one(PAIR)
    assert (answer.label, answer.threshold) == (Label.NON_ENTAILMENT, 0.8)
    claims = tmp_path / "claims.csv"
    rows = [
        f"c{n},It is {n} o'clock.,It is {'true' if n % 2 else 'wrong'}.,{'yes' if n % 2 else 'no'}" for n in range(24)
    ]
    claims.write_text("\n".join(["id,evidence,claim,label", *rows]))
    record = assay.run(
        str(claims),
        families=["original"],
        models=[
            f"plain=openai:{server.what}?template={prompt}",
            f"strict=openai:{server.what}?template={prompt}&threshold=0.8",
        ],
        out=tmp_path / "runs",
        cache=False,
    )
    false = record.find("false-support", by=("model",))
    assert [each.value for each in false.values()] == [1.0, 0.0]
    assert [curve.chosen for curve in record.support] == pytest.approx([0.75, 0.75])
    assert assay.gate(record, rules="claims.false-support<=0.1 at threshold=chosen").passed


def test_a_threshold_is_for_two_words() -> None:
    with pytest.raises(UserError, match=r"needs a prompt with two labels, not entailment, neutral, contradiction"):
        OpenAI(what="m@http://127.0.0.1:1/v1", threshold=0.8).open()


@pytest.mark.parametrize("alias", ["x" * 41, "my judge", "-judge", "a=b"])
def test_an_alias_that_cannot_be_one_is_refused_with_the_rule(alias: str) -> None:
    with pytest.raises(UserError, match=r"can't be an alias of assay:overlap\. An alias has up to 40 letters, digits"):
        assay.run(families="original", models=f"{alias}=assay:overlap")
