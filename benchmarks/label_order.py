"""What the label-order detective says of a real model: `label_order.py MODEL`, a folder that finetune.py made.

The model is stored with its outputs in each of the six orders, with names and without, and with random weights.
"""

import argparse
import logging
import tempfile
import warnings
from itertools import permutations
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from assay.core.errors import AssayError
from assay.core.label import THREE_WAY, Label
from assay.models.adapters.hf import HuggingFace
from assay.models.adapters.label_order import detect, self_evident, write_labels


def save(source: Path, folder: Path, order: tuple[Label, ...], *, named: bool, shuffled: bool = False) -> Path:
    """Store the model with its outputs in an order."""
    model: Any = AutoModelForSequenceClassification.from_pretrained(source)
    rows = [THREE_WAY.index(label) for label in order]
    with torch.no_grad():
        model.classifier.weight.copy_(model.classifier.weight[rows].clone())
        model.classifier.bias.copy_(model.classifier.bias[rows].clone())
        if shuffled:
            torch.manual_seed(0)
            for weight in model.parameters():
                weight.normal_(std=0.02)
    model.config.id2label = {index: str(label) if named else f"LABEL_{index}" for index, label in enumerate(order)}
    model.config.label2id = {name: index for index, name in model.config.id2label.items()}
    model.save_pretrained(folder)
    AutoTokenizer.from_pretrained(source).save_pretrained(folder)
    return folder


def says(folder: Path) -> str:
    """Whether the model may run, and what its behaviour says."""
    model = HuggingFace(what=str(folder)).open()
    verdict = detect(model.probabilities([each.texts for each in self_evident()]))
    best, *others = verdict.right.values()
    found = write_labels(verdict.order) if verdict.order else "undecided"
    try:
        model.order  # noqa: B018 - settles it
        runs = "runs"
    except AssayError:
        runs = "stopped"
    return f"{runs:8} {found:40} {best} of {verdict.asked} right, the next order {others[0]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path, nargs="?")
    arguments = parser.parse_args()
    if arguments.model is None:
        print("label_order: say which model: label_order.py MODEL")
        return
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    with tempfile.TemporaryDirectory() as place:
        for order in permutations(THREE_WAY):
            for named in (True, False):
                folder = save(arguments.model, Path(place) / f"{write_labels(order)}-{named}", order, named=named)
                print(f"{write_labels(order):35} {'named' if named else 'LABEL_n':8} {says(folder)}", flush=True)
        flipped = save(arguments.model, Path(place) / "flipped", THREE_WAY, named=True)
        config = (flipped / "config.json").read_text()
        swapped = config.replace('"entailment"', '"x"').replace('"contradiction"', '"entailment"')
        (flipped / "config.json").write_text(swapped.replace('"x"', '"contradiction"'))
        print(f"{'names flipped':35} {'named':8} {says(flipped)}", flush=True)
        knows_nothing = save(arguments.model, Path(place) / "random", THREE_WAY, named=True, shuffled=True)
        print(f"{'random weights':35} {'named':8} {says(knows_nothing)}", flush=True)


if __name__ == "__main__":
    main()
