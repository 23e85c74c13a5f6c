"""Samples that lm-evaluation-harness logs."""

import math
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from assay.corpora.evaluation_logs.log_fields import Record, Rows, choice_labels, find_pair, label_in_reply


class LmEvalLog:
    """Files of lm-evaluation-harness called samples_TASK_TIME.jsonl, with one object per document."""

    title: ClassVar[str] = "samples_*.jsonl of lm-evaluation-harness"

    def recognise(self, name: str, head: bytes) -> bool:
        """True if the first object has a document, its number and responses."""
        return name.endswith(".jsonl") and all(key in head for key in (b'"doc_id"', b'"doc"'))

    def rows(self, path: Path) -> Rows:
        """Each document as a row; the answer is the likeliest choice, or the label that a generated text names."""
        lines = [line for line in path.read_bytes().splitlines() if line.strip()]
        records = [msgspec.json.decode(line) for line in lines]
        records = [each for each in records if each.get("filter") == records[0].get("filter")]  # one answer each
        pairs = [
            find_pair(each["doc"] if isinstance(each.get("doc"), dict) else {}, (_arguments(each) or [[""]])[0][0])
            for each in records
        ]
        choices = _choices(records[0]) if records else []
        gold = [(_right_choice(each), pair.get("label")) for each, pair in zip(records, pairs, strict=True)]
        labels = choice_labels(choices, [each for each in gold if each[0] >= 0])
        words = [pair["label"] for pair in pairs if "label" in pair]
        for record, pair in zip(records, pairs, strict=True):
            if choices:
                index = _right_choice(record)
                right = pair.get("label", labels[index] if 0 <= index < len(labels) else None)
                yield {**pair, "label": right, **_likeliest(record, labels)}
            else:
                right = pair.get("label", record.get("target"))
                reply = record["filtered_resps"][0] if record.get("filtered_resps") else ""
                yield {**pair, "label": right, "prediction": label_in_reply(str(reply), words or [right])}


def _arguments(record: Record) -> list[list[str]]:
    """The prompt of the model: a context and a continuation for each choice."""
    given = record.get("arguments") or []
    if isinstance(given, dict):
        given = [list(each.values()) for each in given.values()]
    return [[str(part) for part in each] for each in given]


def _choices(record: Record) -> list[str]:
    """The continuations, if each of them has a likelihood."""
    replies = record.get("filtered_resps") or []
    likely = len(replies) > 1 and all(isinstance(reply, list) for reply in replies)
    return [each[1] for each in _arguments(record)] if likely else []


def _right_choice(record: Record) -> int:
    """The number of the right choice; -1 if it is not a number."""
    try:
        return int(record.get("target", -1))
    except (TypeError, ValueError):
        return -1


def _likeliest(record: Record, labels: list[Any]) -> dict[str, Any]:
    """The answer, with the probabilities of the choices among each other."""
    logs = [float(reply[0]) for reply in record["filtered_resps"]]
    weights = [math.exp(each - max(logs)) for each in logs]
    shares = {str(label): weight / sum(weights) for label, weight in zip(labels, weights, strict=True)}
    found: dict[str, Any] = {"prediction": labels[logs.index(max(logs))]}
    return found | ({"probabilities": shares} if len(shares) == len(labels) else {})
