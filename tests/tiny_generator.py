"""Real generative models of transformers, small enough to be made on the spot: they learn pairs by heart."""

from functools import cache
from pathlib import Path
from typing import Any, Literal

from assay.core.label import Label
from assay.models.adapters.label_order import self_evident
from assay.models.adapters.pair_tokens import PROMPT

Kind = Literal["t5", "gpt2"]

LENGTH = 96
"""Tokens that they take."""

STEPS = 150


def save(folder: Path, kind: Kind) -> Path:
    """Store the model and its tokenizer."""
    tokenizer, model = generator(kind)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@cache
def generator(kind: Kind) -> tuple[Any, Any]:
    """Tokenizer and model, trained in a few seconds to answer yes or no."""
    import torch

    torch.manual_seed(0)
    tokenizer = _tokenizer(kind)
    model = _model(kind, tokenizer)
    asked = [_asked(each.texts.premise, each.texts.hypothesis) for each in self_evident()]
    inputs = tokenizer(asked, padding=True, return_tensors="pt")
    said = tokenizer([_word(each.label) for each in self_evident()], add_special_tokens=False)["input_ids"]
    answers = torch.tensor(said)  # (pairs, 1)
    optimiser = torch.optim.Adam(model.parameters(), lr=5e-3)
    for _ in range(STEPS):
        loss = _loss(kind, model, inputs, answers)
        loss.backward()
        optimiser.step()
        optimiser.zero_grad()
        if loss.item() < 0.02:
            break
    return tokenizer, model.eval()


def _loss(kind: Kind, model: Any, inputs: Any, answers: Any) -> Any:
    import torch

    if kind == "t5":
        return model(**inputs, labels=answers).loss
    last = inputs["attention_mask"].sum(dim=1) - 1
    logits = model(**inputs).logits[torch.arange(len(last)), last]
    return torch.nn.functional.cross_entropy(logits, answers[:, 0])


def _model(kind: Kind, tokenizer: Any) -> Any:
    from transformers import GPT2Config, GPT2LMHeadModel, T5Config, T5ForConditionalGeneration

    if kind == "t5":
        config = T5Config(
            vocab_size=len(tokenizer),
            d_model=32,
            d_kv=16,
            d_ff=64,
            num_layers=1,
            num_heads=2,
            dropout_rate=0.0,
            pad_token_id=tokenizer.pad_token_id,
            eos_token_id=tokenizer.eos_token_id,
            decoder_start_token_id=tokenizer.pad_token_id,
        )
        return T5ForConditionalGeneration(config)
    return GPT2LMHeadModel(
        GPT2Config(
            vocab_size=len(tokenizer),
            n_embd=32,
            n_layer=1,
            n_head=2,
            n_positions=LENGTH,
            initializer_range=0.2,
            resid_pdrop=0.0,
            embd_pdrop=0.0,
            attn_pdrop=0.0,
            pad_token_id=tokenizer.pad_token_id,
            eos_token_id=tokenizer.eos_token_id,
            bos_token_id=tokenizer.eos_token_id,
        )
    )


def _tokenizer(kind: Kind) -> Any:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    split = pre_tokenizers.BertPreTokenizer()
    texts = [PROMPT, "yes no maybe", *(text for pair in self_evident() for text in pair.texts)]
    words = sorted({word for text in texts for word, _ in split.pre_tokenize_str(text.lower())})
    vocabulary = {word: number for number, word in enumerate(["[PAD]", "[UNK]", "[END]", *words])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = split
    if kind == "t5":
        tokenizer.post_processor = processors.TemplateProcessing(
            single="$A [END]", special_tokens=[("[END]", vocabulary["[END]"])]
        )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="[PAD]",
        unk_token="[UNK]",
        eos_token="[END]",
        model_max_length=LENGTH,
    )


def _asked(premise: str, hypothesis: str) -> str:
    return PROMPT.format(premise=premise, hypothesis=hypothesis)


def _word(label: Label) -> str:
    return "yes" if label is Label.ENTAILMENT else "no"
