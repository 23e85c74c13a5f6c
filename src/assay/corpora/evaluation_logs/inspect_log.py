"""Logs of Inspect."""

import struct
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from assay.core.errors import BadRecordError
from assay.corpora.evaluation_logs.log_fields import Record, Rows, choice_labels, find_pair, label_in_reply

ZSTANDARD = 93  # the number of this compression in a zip
HEADER = 30  # bytes before the name of a member
MOST_BYTES = 64 << 20  # the size of the largest sample that is read


class InspectLog:
    """A log of Inspect with its samples; of several epochs, the first is read."""

    title: ClassVar[str] = ".eval and .json logs of Inspect"

    def recognise(self, name: str, head: bytes) -> bool:
        """True for an archive called .eval, and for a JSON file that begins as a log does."""
        return name.endswith(".eval") or (name.endswith(".json") and b'"eval_id"' in head)

    def rows(self, path: Path) -> Rows:
        """Each sample as a row; the answer is the choice or text that a scorer took it for."""
        samples = [each for each in _samples(path) if each.get("epoch", 1) == 1]
        pairs = [
            {"id": str(each["id"]), **find_pair(each.get("metadata") or {}, _text(each.get("input")))}
            for each in samples
        ]
        choices = (samples[0].get("choices") or []) if samples else []
        targets = [_first_target(each) for each in samples]
        gold = [(_letter(target), pair.get("label")) for target, pair in zip(targets, pairs, strict=True)]
        labels = choice_labels(choices, [each for each in gold if each[0] >= 0])
        for sample, pair, target in zip(samples, pairs, targets, strict=True):
            # The answer that the first scorer saw, or else the model's text.
            scored = (each.get("answer") for each in (sample.get("scores") or {}).values())
            answer = str(next(filter(None, scored), None) or (sample.get("output") or {}).get("completion") or "")
            if choices:
                right, said = _letter(target), _letter(answer)
                taken = labels[said] if 0 <= said < len(labels) else None
                yield {**pair, "label": pair.get("label", labels[right] if right >= 0 else target), "prediction": taken}
            else:
                yield {**pair, "label": target, "prediction": label_in_reply(answer, targets)}


def _samples(path: Path) -> Iterator[Record]:
    if not zipfile.is_zipfile(path):
        yield from msgspec.json.decode(path.read_bytes()).get("samples") or []
        return
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            if not info.filename.startswith("samples/"):
                continue
            if info.file_size > MOST_BYTES:
                raise BadRecordError(f"the sample {info.filename!r} has more than {MOST_BYTES >> 20} MiB")
            yield msgspec.json.decode(_unpack(path, info) if info.compress_type == ZSTANDARD else archive.read(info))


def _unpack(path: Path, info: zipfile.ZipInfo) -> bytes:
    """A member that is compressed with zstandard, as Inspect does it; zipfile knows that from Python 3.14."""
    import zstandard

    with path.open("rb") as file:
        file.seek(info.header_offset)
        names = struct.unpack("<26x2H", file.read(HEADER))
        file.seek(sum(names), 1)
        with zstandard.ZstdDecompressor().stream_reader(file.read(info.compress_size)) as reader:
            return reader.read(info.file_size)


def _text(content: Any) -> str:
    """The text of an input, which may be a list of messages or of parts."""
    if isinstance(content, list):
        return "\n".join(_text(each.get("content", each.get("text", ""))) for each in content)
    return content if isinstance(content, str) else ""


def _first_target(sample: Record) -> str:
    target = sample.get("target")
    return str(target[0] if isinstance(target, list) and target else target)


def _letter(text: str) -> int:
    """The number of a choice by its letter; -1 for other texts."""
    return ord(text.strip().upper()) - ord("A") if len(text.strip()) == 1 and text.strip().isalpha() else -1
