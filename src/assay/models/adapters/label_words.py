"""Generative models as classifiers: the probability of each word that means a label, as the answer to a prompt."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.core.errors import UserError
from assay.core.label import NAMES, Label
from assay.models.adapters.answer_parsing import named_labels
from assay.models.adapters.label_order import MEANINGS

WORDS = "yes:entailment,no:non-entailment"  # the words of a model that says whether the premise supports the hypothesis
GENERATIVE = ("ForConditionalGeneration", "ForCausalLM", "LMHeadModel")  # suffixes of class names of generative models


def is_generative(config: Mapping[str, Any]) -> bool:
    return any(str(name).endswith(GENERATIVE) for name in config.get("architectures") or ())


def parse_words(text: str) -> dict[str, Label]:
    """The words of an option, each with the label that it means.

    >>> [*parse_words("true:entailment,false:non-entailment")]
    ['true', 'false']
    """
    given = named_labels(text, option="words")
    found = {word: NAMES[label.strip().lower()] for word, label in given.items()}
    labels = {*found.values()}
    if len(found) < 2 or len(labels) != len(found) or labels not in MEANINGS:
        raise UserError(f"words={text}: give one word for each of two labels, or of three, as in words={WORDS}.")
    return found


class LabelWords:
    """Gives the log-probability of each word after a prompt: (prompts, words)."""

    def __init__(self, model: Any, tokenizer: Any, words: Iterable[str], *, device: Any) -> None:
        self.model = model
        self.device = device
        self.is_encoder_decoder = bool(model.config.is_encoder_decoder)
        self.tokens = [self._tokens(tokenizer, word) for word in words]

    @property
    def longest(self) -> int:
        """Number of tokens that the longest word adds to a prompt."""
        return 0 if self.is_encoder_decoder else max(map(len, self.tokens)) - 1

    def __call__(self, tables: Mapping[str, NDArray[np.int64]]) -> NDArray[Any]:
        import torch

        with torch.inference_mode():
            ids, mask = (torch.from_numpy(tables[name]).to(self.device) for name in ("input_ids", "attention_mask"))
            encoded = self.model.get_encoder()(input_ids=ids, attention_mask=mask) if self.is_encoder_decoder else None
            known: dict[tuple[int, ...], Any] = {}  # by what was written so far: (prompts, vocabulary)
            columns = []
            for word in self.tokens:
                for end in range(len(word)):
                    if word[:end] not in known:
                        known[word[:end]] = self._next(ids, mask, encoded, word[:end])
                columns.append(sum(known[word[:end]][:, word[end]] for end in range(len(word))))
            return torch.stack(columns, dim=1).float().cpu().numpy()  # (prompts, words)

    def _next(self, ids: Any, mask: Any, encoded: Any, written: tuple[int, ...]) -> Any:
        """The log-probabilities of the next token after the given ones: (prompts, vocabulary)."""
        import torch

        rows = torch.arange(len(ids), device=self.device)
        if encoded is not None:
            start = self.model.config.decoder_start_token_id
            begun = torch.tensor([[start, *written]], device=self.device).expand(len(ids), -1)
            logits = self.model(encoder_outputs=encoded, attention_mask=mask, decoder_input_ids=begun).logits[:, -1]
            return torch.log_softmax(logits, dim=-1)
        sizes = mask.sum(dim=1)  # (prompts,)
        room = ids.new_zeros((len(ids), len(written)))
        ids, mask = torch.cat([ids, room], dim=1), torch.cat([mask, room], dim=1)
        for place, token in enumerate(written):
            ids[rows, sizes + place], mask[rows, sizes + place] = token, 1
        logits = self.model(input_ids=ids, attention_mask=mask).logits  # (prompts, width, vocabulary)
        return torch.log_softmax(logits[rows, sizes + len(written) - 1], dim=-1)

    def _tokens(self, tokenizer: Any, word: str) -> tuple[int, ...]:
        """The tokens of a word as an answer: at the start of a text, or after the end of a prompt."""

        def encoded(text: str) -> list[int]:
            return list(tokenizer(text, add_special_tokens=False)["input_ids"])

        found = encoded(word) if self.is_encoder_decoder else encoded(f": {word}")[len(encoded(":")) :]
        if not found or tokenizer.unk_token_id in found:
            raise UserError(
                f"The model's tokenizer does not know the word {word!r}.\n"
                "  Name words that it knows: words=WORD:entailment,WORD:non-entailment"
            )
        return tuple(found)
