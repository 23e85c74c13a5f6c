"""Logs of Inspect: `.eval` archives, and the same as one JSON file."""

import struct
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from assay.core.errors import BadRecordError
from assay.corpora.logs.log_answers import choice_labels, label_in_reply, pair_fields, pair_in_prompt

Record = Mapping[str, Any]
ZSTANDARD = 93
"""The number of this compression in a zip."""
HEADER = 30
"""Bytes before the name of a member."""
MOST_BYTES = 64 << 20
"""The size of the largest sample that is read."""


class InspectLog:
    """A log with its samples; of several epochs, the first is read."""

    title: ClassVar[str] = ".eval and .json logs of Inspect"

    def recognise(self, name: str, head: bytes) -> bool:
        """True for an archive called .eval, and for a JSON file that begins as a log does."""
        return name.endswith(".eval") or (name.endswith(".json") and b'"eval_id"' in head)

    def rows(self, path: Path) -> Iterator[dict[str, Any] | BadRecordError]:
        """Each sample as a row; the answer is the choice or text that a scorer took it for."""
        samples = [each for each in _samples(path) if each.get("epoch", 1) == 1]
        pairs = [_pair(each) for each in samples]
        choices = (samples[0].get("choices") or []) if samples else []
        gold = [(_letter(_target(each)), pair.get("label")) for each, pair in zip(samples, pairs, strict=True)]
        labels = choice_labels(choices, [each for each in gold if each[0] >= 0])
        targets = [_target(each) for each in samples]
        for sample, pair, target in zip(samples, pairs, targets, strict=True):
            answer = _answer(sample)
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


def _pair(sample: Record) -> dict[str, Any]:
    pair = pair_fields(sample.get("metadata") or {})
    if "premise" not in pair or "hypothesis" not in pair:
        pair |= pair_in_prompt(_text(sample.get("input")))
    return {"id": str(sample["id"]), **pair}


def _text(content: Any) -> str:
    """The text of an input, which may be a list of messages or of parts."""
    if isinstance(content, list):
        return "\n".join(_text(each.get("content", each.get("text", ""))) for each in content)
    return content if isinstance(content, str) else ""


def _target(sample: Record) -> str:
    target = sample.get("target")
    return str(target[0] if isinstance(target, list) and target else target)


def _answer(sample: Record) -> str:
    """The answer that the first scorer saw, or else the model's text."""
    scores = [each.get("answer") for each in (sample.get("scores") or {}).values()]
    said = next((each for each in scores if each), None)
    return str(said or (sample.get("output") or {}).get("completion") or "")


def _letter(text: str) -> int:
    """The number of a choice by its letter; -1 if it is none."""
    return ord(text.strip().upper()) - ord("A") if len(text.strip()) == 1 and text.strip().isalpha() else -1
