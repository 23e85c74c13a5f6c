"""A real classifier of transformers, small enough to be made on the spot: it learns the self-evident pairs by heart."""

import copy
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from assay.core.label import THREE_WAY, Label
from assay.core.label_space import TWO_LABELS
from assay.models.adapters.label_order import self_evident

LENGTH = 48
"""Tokens that it takes."""


def save(
    folder: Path,
    *,
    order: Sequence[Label] = THREE_WAY,
    names: Sequence[str] | None = None,
    shuffled: bool = False,
) -> Path:
    """Store it with its outputs in some order, under their own names or others; or with weights that know nothing."""
    torch = pytest.importorskip("torch", reason="these models need PyTorch")
    tokenizer, trained = classifier(len(order))
    model = copy.deepcopy(trained)
    known = THREE_WAY if len(order) == 3 else TWO_LABELS.labels[: len(order)]
    with torch.no_grad():
        rows = [known.index(label) for label in order]
        model.classifier.weight.copy_(trained.classifier.weight[rows])
        model.classifier.bias.copy_(trained.classifier.bias[rows])
        if shuffled:
            torch.manual_seed(1)
            for weight in model.parameters():
                weight.normal_(std=0.2)
    model.config.id2label = dict(enumerate(names or list(order)))
    model.config.label2id = {name: index for index, name in model.config.id2label.items()}
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@cache
def classifier(outputs: int) -> tuple[Any, Any]:
    """Tokenizer and model, trained in a second or two."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    torch.manual_seed(0)
    tokenizer = _tokenizer()
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=LENGTH,
        num_labels=outputs,
        initializer_range=0.2,  # words that begin far apart are learnt by heart in no time
        pad_token_id=tokenizer.pad_token_id,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    model = BertForSequenceClassification(config)
    pairs = self_evident()
    inputs = tokenizer(
        [pair.texts.premise for pair in pairs],
        [pair.texts.hypothesis for pair in pairs],
        padding=True,
        return_tensors="pt",
    )
    known = THREE_WAY if outputs == 3 else TWO_LABELS.labels
    gold = torch.tensor([known.index(pair.label if outputs == 3 else TWO_LABELS.read(pair.label)) for pair in pairs])
    if outputs == 1:  # one score, which is high where the pair is entailed
        gold = (gold == 0).float()[:, None]
        model.config.problem_type = "multi_label_classification"
    optimiser = torch.optim.Adam(model.parameters(), lr=5e-3)
    for _ in range(100):
        loss = model(**inputs, labels=gold).loss
        loss.backward()
        optimiser.step()
        optimiser.zero_grad()
        if loss.item() < 0.02:
            break
    return tokenizer, model.eval()


def _tokenizer() -> Any:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    texts = [text for pair in self_evident() for text in pair.texts]
    words = sorted({word for text in texts for word in text.lower().replace(".", " .").split()})
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    vocabulary = {word: number for number, word in enumerate([*special, *words])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", vocabulary["[CLS]"]), ("[SEP]", vocabulary["[SEP]"])],
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        model_max_length=LENGTH,
    )
