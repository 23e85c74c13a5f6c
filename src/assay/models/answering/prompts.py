"""Pairs to prompts, as tokens: what is too long loses the end of its premise, and is marked."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from assay.core.errors import BadInputError, UserError
from assay.core.protocols import Ready, Texts
from assay.models.answering.tokens import Tokens, padded

PROMPT = """\
Evidence: {premise}
Claim: {hypothesis}
Does the evidence support the claim? Answer yes or no.
Answer:"""
"""What a generative model is asked, unless the user has their own prompt."""

PREMISE, HYPOTHESIS = "{premise}", "{hypothesis}"


def read_prompt(file: str) -> str:
    """The prompt in a file, without the line break at its end; ours if there is no file."""
    if not file:
        return PROMPT
    try:
        text = Path(file).expanduser().read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(f"not a readable prompt: {error}", where=file) from error
    if text.count(PREMISE) != 1 or HYPOTHESIS not in text:
        raise BadInputError(f"a prompt must contain {PREMISE} once, and {HYPOTHESIS}", where=file)
    return text.rstrip("\n")


class PromptTokens:
    """A tokenizer of the `tokenizers` library, a prompt, and what a model takes."""

    def __init__(self, tokenizer: Any, prompt: str, *, longest: int, padding: int, ending: int | None = None) -> None:
        from tokenizers import Tokenizer

        self.prompt = prompt
        self.longest = longest
        """The most tokens in a prompt."""
        self.padding = padding
        """The padding token."""
        self.ending = ending
        """A token that must not end a prompt, because the answer follows it."""
        self._tokenizer = Tokenizer.from_str(tokenizer.to_str())
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()

    def ready(self, pairs: Sequence[Texts]) -> list[Ready]:
        """Pairs as prompts; if one is too long, the end of its premise is cut off."""
        return [self._ready(pair) for pair in pairs]

    def count(self, pairs: Sequence[Texts]) -> list[int]:
        """How many tokens each prompt has, before anything is cut off."""
        return [len(self._ids(pair)) for pair in pairs]

    def arrays(self, batch: Sequence[Ready], width: int) -> dict[str, Any]:
        """Tokens as tables, each row padded to the width."""
        return padded(batch, width, self.padding)

    def _ready(self, pair: Texts) -> Ready:
        ids = self._ids(pair)
        truncated = False
        while len(ids) > self.longest:
            pair = self._shorter(pair, by=len(ids) - self.longest)
            ids, truncated = self._ids(pair), True
        return Ready(Tokens(ids, [0] * len(ids)), len(ids), truncated)

    def _ids(self, pair: Texts) -> list[int]:
        """The premise goes last into the prompt, so that nothing in it is taken for a placeholder."""
        before, after = (part.replace(HYPOTHESIS, pair.hypothesis) for part in self.prompt.split(PREMISE))
        ids: list[int] = self._tokenizer.encode(f"{before}{pair.premise}{after}").ids
        return ids[:-1] if ids and ids[-1] == self.ending else ids

    def _shorter(self, pair: Texts, *, by: int) -> Texts:
        """The pair, with this many tokens less in its premise."""
        ends = [end for _, end in self._tokenizer.encode(pair.premise, add_special_tokens=False).offsets]
        if len(ends) <= by:
            raise UserError(
                f"A hypothesis is longer than the {self.longest} tokens that the model takes, and only premises "
                f"are ever cut: {pair.hypothesis[:80]!r}...\n  Leave that case out of the suite."
            )
        return Texts(pair.premise[: ends[-by - 1]], pair.hypothesis)
