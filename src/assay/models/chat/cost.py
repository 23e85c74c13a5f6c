"""Cost of calls: tokens counted with a named tokenizer, and prices per million."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from assay.core.errors import BadInputError
from assay.core.protocols import Cost, Texts
from assay.models.adapters.pair_tokens import refuse_text_growth
from assay.models.chat.reply import Usage

if TYPE_CHECKING:
    from assay.models.chat.endpoint import How

SHIPPED = Path(__file__).parents[1] / "shipped" / "minilm"
"""The tokenizer that is always there."""

A_MILLION = 1_000_000

OF_A_REPLY = 8
"""Tokens of a reply that is one label."""

OF_A_MESSAGE = 4
"""Tokens that mark where a message begins and ends; most chat formats take three to five."""

AT_ONCE = 512
"""Number of texts counted at a time."""


class Prices(NamedTuple):
    """Prices of tokens."""

    prompt: float = 0.0
    """A million tokens of prompts."""
    reply: float = 0.0
    """A million tokens of replies."""
    tokenizer: str = ""
    """The file of the tokenizer; empty for the one that comes with Assay."""

    def of(self, used: Usage) -> float | None:
        """The price of some tokens; None if there are no prices."""
        if not (self.prompt or self.reply):
            return None
        return (used.prompt * self.prompt + used.reply * self.reply) / A_MILLION


def estimate(
    how: "How",
    pairs: Iterable[Texts],
    *,
    prices: Prices,
    concurrency: int,
    rate: float,
    most: Callable[[int], int],
) -> Cost:
    """Estimated cost for pairs, if every reply is just a label; `most` is the number of calls if none is."""
    tokenizer, name = tokenizer_of(prices.tokenizer)
    calls = tokens = 0
    batch: list[str] = []
    for pair in pairs:
        calls += 1
        for message in how.prompt.messages(pair):
            tokens += OF_A_MESSAGE
            batch.append(message["content"])
        if len(batch) >= AT_ONCE:
            tokens += _count(tokenizer, batch)
            batch.clear()
    tokens += _count(tokenizer, batch)
    used = Usage(tokens, calls * OF_A_REPLY)
    price = prices.of(used)
    text = (
        f"openai:{how.model}: {calls:,} calls, about {used.prompt:,} tokens of prompts (counted with {name}) and "
        f"{used.reply:,} of replies, if each is one label; up to {most(calls):,} calls if replies are cut or unclear"
    )
    if price is not None:
        shown = f"{price:,.2f}" if price >= 0.01 else f"{price:.2g}"
        text += f"; about {shown} at {prices.prompt:g} and {prices.reply:g} per million"
    if rate:
        return Cost(calls, f"{text}; at least {_duration(60 * calls / rate)} at {rate:g} calls per minute.", price)
    took = _duration(calls / concurrency)
    return Cost(calls, f"{text}; {took} if each of {concurrency} calls at once takes a second.", price)


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
