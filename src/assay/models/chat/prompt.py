"""Prompts of a language model: a text with fields, the words that mean labels, and examples."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from assay.core.errors import BadInputError
from assay.core.label import NAMES, THREE_WAY, Label
from assay.core.protocols import Texts

FIELDS = ("premise", "hypothesis", "labels", "meanings", "examples")
PLACES = re.compile(rf"\{{({'|'.join((*FIELDS, 'label'))})\}}")

TEXT = """\
Premise: {premise}
Hypothesis: {hypothesis}
If the premise is true, what about the hypothesis?
{meanings}
Answer with one of these words and nothing else: {labels}.
"""

WORDINGS = (
    """\
Read the two texts and decide how the second one relates to the first.
Text 1: {premise}
Text 2: {hypothesis}
Your choices:
{meanings}
Reply with exactly one of {labels}.
""",
    """\
You know only this: "{premise}"
Somebody claims: "{hypothesis}"
What do you say about the claim?
{meanings}
Your one-word verdict ({labels}):
""",
)
"""The same question in other words."""

STRICTER = "That is not an answer that I can use. Reply with exactly one of these and nothing else: {labels}."
"""Message after a reply without a label."""

EXAMPLE = "Premise: {premise}\nHypothesis: {hypothesis}\nAnswer: {label}\n"

MEANINGS: Mapping[Label, str] = MappingProxyType(
    {
        Label.ENTAILMENT: "the hypothesis must be true",
        Label.NEUTRAL: "the hypothesis may be true or false",
        Label.CONTRADICTION: "the hypothesis must be false",
        Label.NON_ENTAILMENT: "the hypothesis may be false",
    }
)


class Shot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    premise: str
    hypothesis: str
    label: str  # the answer, as one of the prompt's words


class Prompt(msgspec.Struct, frozen=True, kw_only=True):
    """A question with fields.

    >>> said = Prompt(text="{premise} So: {hypothesis} {labels}?").messages(Texts("It rains.", "It is wet."))
    >>> said[-1]["content"]
    'It rains. So: It is wet. entailment, neutral or contradiction?'
    """

    text: str = TEXT
    """The question, with `{premise}` and `{hypothesis}`, and perhaps `{labels}`, `{meanings}` and `{examples}`."""
    words: dict[str, Label] = msgspec.field(default_factory=lambda: {label.value: label for label in THREE_WAY})
    """The words to choose from, in the order in which they are named, each with its label."""
    meanings: dict[Label, str] = msgspec.field(default_factory=lambda: dict(MEANINGS))
    system: str = ""
    examples: tuple[Shot, ...] = ()
    """Examples: in the question where it has `{examples}`, and otherwise as earlier turns of the conversation."""
    example: str = EXAMPLE
    """The template of an example inside the question."""

    def has(self, field: str) -> bool:
        return f"{{{field}}}" in self.text

    def messages(self, pair: Texts) -> list[dict[str, str]]:
        """The conversation up to the question about a pair."""
        said = [{"role": "system", "content": self.system}] if self.system else []
        if not self.has("examples"):
            for shot in self.examples:
                said.append({"role": "user", "content": self._question(Texts(shot.premise, shot.hypothesis))})
                said.append({"role": "assistant", "content": shot.label})
        return [*said, {"role": "user", "content": self._question(pair)}]

    def stricter(self, messages: Sequence[Mapping[str, str]], reply: str) -> list[Mapping[str, str]]:
        """The messages that ask again after a reply without a label."""
        again = {"role": "user", "content": STRICTER.format(labels=self._list_words())}
        return [*messages, {"role": "assistant", "content": reply or "..."}, again]

    def _question(self, pair: Texts) -> str:
        return _fill_fields(
            self.text,
            premise=pair.premise,
            hypothesis=pair.hypothesis,
            labels=self._list_words(),
            meanings="\n".join(f"{word}: {self.meanings[label]}" for word, label in self.words.items()),
            examples="\n".join(
                _fill_fields(self.example, premise=each.premise, hypothesis=each.hypothesis, label=each.label)
                for each in self.examples
            ),
        )

    def _list_words(self) -> str:
        *first, last = self.words
        return f"{', '.join(first)} or {last}"


def _fill_fields(text: str, **fields: str) -> str:
    """Fill all fields at once, because a filled-in text may look like a field."""
    return PLACES.sub(lambda place: fields.get(place[1], place[0]), text)


class PromptFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A prompt as a TOML file holds it."""

    prompt: str = TEXT
    system: str = ""
    labels: dict[str, str] = msgspec.field(default_factory=lambda: {label.value: label.value for label in THREE_WAY})
    """The words to choose from, each with Assay's label."""
    meanings: dict[str, str] = {}
    example: str = EXAMPLE
    examples: tuple[Shot, ...] = ()


def read_prompt(path: str) -> Prompt:
    """A prompt from a file: a text with fields, or TOML with labels, meanings, examples and a system prompt."""
    try:
        text = Path(path).expanduser().read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(f"not a readable prompt: {error}", where=path) from error
    prompt = _from_toml(text, path) if path.endswith(".toml") else Prompt(text=text)
    if not (prompt.has("premise") and prompt.has("hypothesis")):
        raise BadInputError("a prompt must contain {premise} and {hypothesis}", where=path)
    return prompt


def _from_toml(text: str, path: str) -> Prompt:
    try:
        given = msgspec.convert(tomllib.loads(text), PromptFile)
    except (ValueError, msgspec.ValidationError, RecursionError) as error:
        raise BadInputError(f"not a prompt file: {error}", where=path) from error
    words = {word: _label(word, label, path) for word, label in given.labels.items()}
    if len(words) < 2 or len({*words.values()}) != len(words) or len({word.lower() for word in words}) != len(words):
        raise BadInputError("a prompt needs two or more labels, each under one word", where=path)
    strange: list[Any] = [
        *(word for word in given.meanings if word not in words),
        *(each.label for each in given.examples if each.label not in words),
    ]
    if strange:
        raise BadInputError(f"{strange[0]!r} is not one of the labels {', '.join(words)}", where=path)
    return Prompt(
        text=given.prompt,
        words=words,
        meanings={**MEANINGS, **{words[word]: meaning for word, meaning in given.meanings.items()}},
        system=given.system,
        examples=given.examples,
        example=given.example,
    )


def _label(word: str, label: str, path: str) -> Label:
    found = NAMES.get(label.strip().lower())
    if found is None:
        raise BadInputError(
            f"labels.{word}: {label!r} is not a label", where=path, hint=f"Use one of {', '.join(Label)}."
        )
    return found
