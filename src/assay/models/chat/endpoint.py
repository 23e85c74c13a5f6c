"""An endpoint that gets one pair per call: finds the best way to get a label, and tries again if there is none."""

import hashlib
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from assay.core.case import Answer, Case, Prediction
from assay.core.errors import BadInputError, ModelError
from assay.core.label import NAMES, Label
from assay.core.protocols import Cost, Texts
from assay.models.adapters.pair_tokens import refuse_text_growth
from assay.models.chat.http_client import Calls
from assay.models.chat.prompt import Prompt
from assay.models.chat.reply import ReplyChoice, Usage, begins_with, from_logprobs, from_text
from assay.models.chat.server_quirks import PROBABILITIES, READ_FROM, WAYS, ServerQuirks, Way, fields_of

ALLOWANCES = (64, 1024, 8192)
"""Limits on the tokens of a reply, if the user sets none; the next one applies if a reply is cut before its label."""

OF_A_TEXT = 1024  # tokens within which a text without reasoning must come to its label
SHOWN = 500  # characters of an unclear reply that the model is shown again
TRIAL = Texts("A dog runs across the beach.", "An animal is outdoors.")  # the pair for trying the ways of answering
HOPELESS = 20  # after this many replies without a label, and none with one, the run stops: the question must be wrong


SHIPPED = Path(__file__).parents[1] / "shipped" / "minilm"  # the tokenizer that is always there

A_MILLION = 1_000_000

OF_A_REPLY = 8  # tokens of a reply that is one label
OF_A_MESSAGE = 4  # tokens that mark where a message begins and ends; most chat formats take three to five
AT_ONCE = 512  # number of texts counted at a time


class Prices(NamedTuple):
    prompt: float = 0.0  # a million tokens of prompts
    reply: float = 0.0  # a million tokens of replies
    tokenizer: str = ""  # the file of the tokenizer; empty for the one that comes with Assay

    def of(self, used: Usage) -> float | None:
        """The price of the used tokens; None if there are no prices."""
        if not (self.prompt or self.reply):
            return None
        return (used.prompt * self.prompt + used.reply * self.reply) / A_MILLION


class How(msgspec.Struct, frozen=True, kw_only=True):
    """Client-side settings that decide an endpoint's answers."""

    model: str
    url: str
    prompt: Prompt
    answers: Way | Literal["auto"]  # the way to get a label, or `auto`
    unclear: str  # the label that a reply without one counts as, or `stop`
    temperature: float
    seed: int | None
    max_tokens: int  # maximum number of tokens of a reply; 0 means that it is raised when replies are cut
    extra: Mapping[str, Any]
    threshold: float | msgspec.UnsetType = msgspec.UNSET  # from this probability, a two-word judge answers entailment
    again: int = 0  # number of earlier requests with the same prompt; each request gets its own answer

    @property
    def digest(self) -> str:
        """SHA-256 of all of this."""
        return hashlib.sha256(msgspec.json.encode(["openai", self])).hexdigest()


class AnsweredCall(NamedTuple):
    choice: ReplyChoice
    way: Way
    most: int

    @property
    def is_cut(self) -> bool:
        return self.choice.is_cut

    @property
    def is_cut_by_server(self) -> bool:
        """True if the reply was cut off before the requested number of tokens, by the server's own count."""
        return self.is_cut and 0 < self.choice.usage.reply < self.most

    @property
    def where_cut(self) -> str:
        """The place where the reply was cut off; rounded below the limit, so that similar places are one reason."""
        if self.is_cut_by_server:
            fewer = 1 << self.choice.usage.reply.bit_length()
            return f"by the server after fewer than {fewer} tokens, although {self.most} were allowed"
        return f"at {self.most} tokens"


class ChatEndpoint:
    """Asks one pair per call; safe to use from several threads."""

    def __init__(self, how: How, calls: Calls, *, concurrency: int, rate: float = 0.0, prices: Prices) -> None:
        self.how = how
        self.concurrency = concurrency
        self._calls = calls
        self._rate = rate
        self._prices = prices
        self._dialect = ServerQuirks()
        self._lock = threading.Lock()
        self._trying = threading.Lock()
        self._way: tuple[Way, int] | None = None
        self._outcomes: dict[Way, str] = {}
        self._used = Usage()
        self._clear = self._unclear = 0

    @property
    def identity(self) -> str:
        """A digest of model, address, prompt and options; the server behind the address may still change."""
        return self.how.digest

    @property
    def notes(self) -> tuple[str, ...]:
        """The kinds of requests that were tried, and the endpoint's refusals."""
        found = [*self._dialect.notes]
        if self._way and self._outcomes:
            tried = ", ".join(f"{way} ({outcome})" for way, outcome in self._outcomes.items())
            found.insert(0, f"asked with answers={self._way[0]}; tried: {tried}")
        return tuple(f"openai:{self.how.model}: {note}." for note in found)

    @property
    def spent(self) -> float | None:
        """Cost of the calls so far, by the server's own count of tokens; None without prices."""
        return self._prices.of(self._used)

    def estimate(self, pairs: Iterable[Texts]) -> Cost:
        """Estimated cost for these pairs, if every reply is just a label."""
        prices, rate = self._prices, self._rate
        tokenizer, name = tokenizer_of(prices.tokenizer)
        calls = tokens = 0
        batch: list[str] = []
        for pair in pairs:
            calls += 1
            for message in self.how.prompt.messages(pair):
                tokens += OF_A_MESSAGE
                batch.append(message["content"])
            if len(batch) >= AT_ONCE:
                tokens += _count(tokenizer, batch)
                batch.clear()
        # Each reply may be cut at every allowance, and be asked for twice.
        lengths = 1 if self.how.max_tokens else len(ALLOWANCES)
        trial = len(WAYS) * (1 + lengths) if self.how.answers == "auto" else 0
        used = Usage(tokens + _count(tokenizer, batch), calls * OF_A_REPLY)
        price = prices.of(used)
        text = (
            f"openai:{self.how.model}: {calls:,} calls, about {used.prompt:,} tokens of prompts (counted with {name}) "
            f"and {used.reply:,} of replies, if each is one label; up to {trial + 2 * lengths * calls:,} calls if "
            "replies are cut or unclear"
        )
        if price is not None:
            shown = f"{price:,.2f}" if price >= 0.01 else f"{price:.2g}"
            text += f"; about {shown} at {prices.prompt:g} and {prices.reply:g} per million"
        if rate:
            return Cost(calls, f"{text}; at least {_duration(60 * calls / rate)} at {rate:g} calls per minute.", price)
        took = _duration(calls / self.concurrency)
        return Cost(calls, f"{text}; {took} if each of {self.concurrency} calls at once takes a second.", price)

    def predict(self, cases: Sequence[Case]) -> list[Prediction]:
        """One answer per case, in order, one after the other."""
        return [self.answer_one(Texts(case.premise, case.hypothesis)).to(case.id) for case in cases]

    def answer_one(self, pair: Texts) -> Answer:
        """Send requests until there is an answer, or until it is clear that there will be none."""
        with self._trying:
            if self._way is None:
                self._way = self._try_ways()
            way, most = self._way
        messages: Sequence[Mapping[str, str]] = self.how.prompt.messages(pair)
        asked = self._ask(messages, way, most)
        if asked is None or (self.how.answers == "logprobs" and not asked.choice.tokens):
            raise ModelError(f"openai:{self.how.model} at {self.how.url} does not offer answers={way}.")
        found = self._read(asked)
        if found is None:
            again = self._ask(self.how.prompt.stricter(messages, asked.choice.text[:SHOWN]), way, most)
            found = self._read(again) if again else None
            if found:
                found = msgspec.structs.replace(found, read_from=f"{found.read_from}, asked again")
        self._count(asked, is_clear=found is not None)
        if found:
            return found
        label = NAMES[self.how.unclear.lower()]
        why = f"the reply was cut off {asked.where_cut}" if asked.is_cut else "no label in the reply"
        return Answer(label=label, note=f"{why}; counted as {label.value}")

    def _try_ways(self) -> tuple[Way, int]:
        """The first way that gives a label with probabilities; otherwise the first that gives a label.

        Only if all replies are cut or unclear, more tokens are allowed.
        """
        most = self.how.max_tokens or ALLOWANCES[0]
        if self.how.answers != "auto":
            return self.how.answers, most
        messages = self.how.prompt.messages(TRIAL)
        for patiently in (False, True):
            clear: list[tuple[Way, int]] = []
            for way in WAYS:
                asked = self._ask(messages, way, most, patiently=patiently)
                answer = self._read(asked) if asked else None
                self._outcomes[way] = _outcome(asked, answer)
                if asked and answer:
                    if answer.probabilities:
                        return way, asked.most
                    clear.append((way, asked.most))
            if clear:
                # A label in free text is no reason to prefer the way that asks for probabilities.
                return next((each for each in clear if each[0] != "logprobs"), ("text", clear[0][1]))
        return WAYS[-1], most

    def _ask(
        self, messages: Sequence[Mapping[str, str]], way: Way, most: int, *, patiently: bool = True
    ) -> AnsweredCall | None:
        """A reply, with a higher token limit if it is cut before its label; None if the endpoint refuses this way."""
        allowances = [most, *(each for each in ALLOWANCES if each > most and patiently and not self.how.max_tokens)]
        longest = 0
        for allowed in allowances:
            choice = self._call(messages, way, allowed)
            if choice is None:
                return None
            asked = AnsweredCall(choice, way, allowed)
            if not choice.is_cut or self._read(asked):
                break
            if asked.is_cut_by_server and choice.usage.reply <= longest:  # more was allowed, and nothing more came
                break
            longest = choice.usage.reply
            if choice.text and allowed >= OF_A_TEXT:  # it rambles; only reasoning is worth more
                break
        return asked

    def _call(self, messages: Sequence[Mapping[str, str]], way: Way, most: int) -> ReplyChoice | None:
        own = {"temperature": self.how.temperature, **({} if self.how.seed is None else {"seed": self.how.seed})}
        asks = {"model": self.how.model, "messages": [*messages], **own}
        asks |= fields_of(way, self.how.prompt.words)
        needed = frozenset(PROBABILITIES if way == "logprobs" else ())
        while True:
            question = self._dialect.write_question(asks, most=most) | dict(self.how.extra)
            if needed - question.keys():
                return None
            found = self._calls.ask(question)
            if isinstance(found, ReplyChoice):
                with self._lock:
                    used = found.usage
                    self._used = Usage(self._used.prompt + used.prompt, self._used.reply + used.reply)
                return found
            if self._dialect.learn(question, self._calls.safe(found.body), keep=needed):
                continue
            if way == "schema" and "logprobs" in question:
                self._dialect.leave_out(*PROBABILITIES)
            else:
                if way == "text":
                    raise self._calls.failure(found)
                return None

    def _read(self, asked: AnsweredCall) -> Answer | None:
        """The answer in a reply; a cut reply has an answer only if it begins with a label."""
        choice, words = asked.choice, self.how.prompt.words
        if probabilities := from_logprobs(choice, words, only_labels=asked.way == "schema"):
            more = "" if asked.way == "logprobs" else ", with probabilities"
            read_from = f"{READ_FROM[asked.way]}{more}"
            if self.how.threshold is not msgspec.UNSET:
                support = probabilities[Label.ENTAILMENT]
                return Answer.scored(support, threshold=self.how.threshold, read_from=read_from)
            best = max(probabilities, key=lambda label: probabilities[label])
            return Answer(label=best, probabilities=probabilities, read_from=read_from)
        label = from_text(choice.text, words)
        if label is None or (choice.is_cut and not begins_with(choice.text, words)):
            return None
        way: Way = "text" if asked.way == "logprobs" or (asked.way == "tools" and not choice.is_call) else asked.way
        return Answer(label=label, read_from=READ_FROM[way])

    def _count(self, asked: AnsweredCall, *, is_clear: bool) -> None:
        with self._lock:
            self._clear += is_clear
            self._unclear += not is_clear
            hopeless = not self._clear and self._unclear >= HOPELESS
        if not is_clear and (hopeless or self.how.unclear == "stop"):
            times = f" {self._unclear} times in a row" if self._unclear > 1 else ""
            shown = repr(self._calls.safe(asked.choice.text))
            hint = "Write a clearer prompt (option template=FILE)."
            if asked.is_cut:
                how = "in the server" if asked.is_cut_by_server else "option max_tokens=N"
                hint = (
                    f"The reply was cut off {asked.where_cut}. Allow more ({how}), or switch reasoning off where the "
                    "server can."
                )
            raise ModelError(f"openai:{self.how.model} replied without a label{times}: {shown}\n  {hint}")


def _outcome(asked: AnsweredCall | None, answer: Answer | None) -> str:
    if asked is None:
        return "refused"
    if answer is None:
        return "cut" if asked.is_cut else "no label"
    return "a label and probabilities" if answer.probabilities else "a label"


def tokenizer_of(path: str) -> tuple[Any, str]:
    """A tokenizer and its name: that of a file, or the word pieces of the transformer that comes with Assay."""
    from tokenizers import Tokenizer

    file = Path(path).expanduser() if path else SHIPPED
    file = file / "tokenizer.json" if file.is_dir() else file
    refuse_text_growth(file)
    try:
        tokenizer = Tokenizer.from_file(str(file))
    except Exception as error:  # the library raises nothing more specific
        raise BadInputError(f"not a tokenizer: {error}", where=path, hint="Give a tokenizer.json.") from error
    tokenizer.no_truncation()
    return tokenizer, f"{file.parent.name}/{file.name}" if path else "the word pieces of assay:minilm"


def _count(tokenizer: Any, texts: Sequence[str]) -> int:
    return sum(len(each.ids) for each in tokenizer.encode_batch(list(texts), add_special_tokens=False))


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
