"""Gated attention: stacked BiLSTMs over words and letters, pooled by the top one's input gates (Chen et al. 2017)."""

import torch
from torch import Tensor, nn

from assay.models.systems.layers import BiLstm, dense, masked_max, masked_mean, matching
from assay.models.systems.system import SentenceSystem
from assay.models.systems.system_card import SpelledConfig
from assay.models.systems.word_readers import LETTERS, NO_LETTER, SpelledReader

WIDTHS = (1, 3, 5)  # letters that a filter sees at once


class GatedAttentionConfig(SpelledConfig, frozen=True, kw_only=True):
    ends: bool = True
    hidden: int = 600  # states of every layer in each direction
    layers: int = 3  # BiLSTMs on top of each other
    classifier: int = 600  # size of the two hidden layers
    letter_size: int = 15  # size of a letter's vector
    letter_maps: int = 100  # filters of each width over letters
    dropout: float = 0.5  # dropout rate for the input of the lowest layer and for the hidden layers
    padding_in_max: bool = False  # Quirk of the original: zeros of padding are in the maximum, so batch mates matter


class GatedAttention(SentenceSystem):
    """A sentence encoder: each text is the mean, the maximum and a weighed mean of the top layer's states."""

    Reader = SpelledReader
    Config = GatedAttentionConfig
    config: GatedAttentionConfig

    def build(self, size: int, labels: int) -> None:
        config = self.config
        read = size + len(WIDTHS) * config.letter_maps
        *lower, top = [read] + [2 * config.hidden + read] * (config.layers - 1)
        compared = 4 * 3 * 2 * config.hidden
        self.letters = Letters(config.letter_size, config.letter_maps)
        self.dropout = nn.Dropout(config.dropout)
        self.lower = nn.ModuleList(BiLstm(each, config.hidden) for each in lower)
        self.top = BiLstm(top, config.hidden)
        self.first = dense(compared, config.classifier, dropout=config.dropout)
        self.second = dense(compared + config.classifier, config.classifier, dropout=config.dropout)
        self.output = nn.Linear(config.classifier, labels)

    def text(self, numbers: Tensor, mask: Tensor, *more: Tensor) -> Tensor:
        (letters,) = more
        words = self.dropout(torch.cat([self.embedding(numbers), self.letters(letters)], -1))  # (batch, words, read)
        read = words
        for layer in self.lower:
            read = torch.cat([layer(read, mask), words], -1)  # (batch, words, 2 * hidden + read)
        states = self.top(read, mask)  # (batch, words, 2 * hidden)
        weights = self.top.gates(read, mask, states).norm(dim=-1) * mask.to(words.dtype)  # (batch, words)
        weights = weights / weights.sum(1, keepdim=True).clamp(min=torch.finfo(words.dtype).tiny)
        pooled = [
            masked_mean(states, mask),
            masked_max(states, torch.ones_like(mask) if self.config.padding_in_max else mask),
            (weights.unsqueeze(-1) * states).sum(1),
        ]
        return torch.cat(pooled, -1)  # (batch, 6 * hidden)

    def judge(self, premise: Tensor, hypothesis: Tensor) -> Tensor:
        compared = matching(premise, hypothesis)  # (batch, 24 * hidden)
        hidden = self.second(torch.cat([compared, self.first(compared)], -1))  # (batch, classifier)
        return self.output(hidden)  # (batch, labels)


class Letters(nn.Module):
    """Words as vectors of their letters: filters over neighbouring letters, and the maximum of each."""

    def __init__(self, size: int, maps: int) -> None:
        super().__init__()
        self.vectors = nn.Embedding(LETTERS, size, padding_idx=NO_LETTER)
        self.filters = nn.ModuleList(nn.Conv1d(size, maps, width, padding=width // 2) for width in WIDTHS)

    def forward(self, letters: Tensor) -> Tensor:
        flat = letters.flatten(0, 1)  # (batch * words, letters)
        is_letter = (flat != NO_LETTER).unsqueeze(1).to(self.vectors.weight.dtype)  # (batch * words, 1, letters)
        vectors = self.vectors(flat).transpose(1, 2)  # (batch * words, size, letters)
        # A word without letters has zeros, which no other word falls below.
        found = [(torch.relu(each(vectors)) * is_letter).amax(-1) for each in self.filters]
        return torch.cat(found, -1).reshape(letters.shape[0], letters.shape[1], -1)  # (batch, words, all maps)
