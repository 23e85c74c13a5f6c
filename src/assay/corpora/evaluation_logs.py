"""Logs of other evaluation tools: rows with id, premise, hypothesis, label and prediction."""

import math
import re
import struct
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from assay.core.errors import BadRecordError
from assay.core.label import Label
from assay.corpora.formats.pairs import named_columns, usual_column

Record = Mapping[str, Any]
Rows = Iterator[dict[str, Any] | BadRecordError]
IDS = ("id", "pairID", "case", "uid")  # names of the id of a pair
TEST = ("family", "variant")  # the fields in which an exported suite says which test a case belongs to

WORDS = {
    Label.ENTAILMENT: ("true", "yes", "correct", "entailment", "supported"),
    Label.NEUTRAL: ("neither", "maybe", "neutral", "unknown", "inconclusive", "also", "cannot tell"),
    Label.CONTRADICTION: ("false", "no", "incorrect", "contradiction", "refuted", "never"),
}
"""The usual choices of NLI tasks."""

PROMPT = re.compile(
    r"(?:premise|evidence|context|passage|text)\s*:\s*(?P<premise>.+?)\s*\n\s*"
    r"(?:hypothesis|claim|statement|question)\s*:\s*(?P<hypothesis>.+?)\s*(?:\n|$)",
    re.IGNORECASE | re.DOTALL,
)
"""Two texts in a prompt, each after its name."""


def pair_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The id, the two texts and the gold label among the fields of a record, by their usual names.

    A case of an exported suite also has its family and variant.

    >>> pair_fields({"claim": "It is wet.", "evidence": "It rains.", "verdict": "supported", "split": "dev"})
    {'premise': 'It rains.', 'hypothesis': 'It is wet.', 'label': 'supported'}
    """
    columns = tuple(fields)
    identity = next(iter(named_columns(columns, IDS)), "")
    found = {"id": str(fields[identity])} if identity and fields[identity] is not None else {}
    for field in ("premise", "hypothesis", "label"):
        column = usual_column(columns, field).column
        if column and fields[column] is not None:
            found[field] = fields[column]
    if all(isinstance(fields.get(name), str) for name in TEST):
        found |= {name: fields[name] for name in TEST}
    return found


def find_pair(fields: Mapping[str, Any], prompt: str) -> dict[str, Any]:
    """The pair among the fields of a record; texts that are not there are looked for in the prompt."""
    pair = pair_fields(fields)
    return pair if "premise" in pair and "hypothesis" in pair else pair | pair_in_prompt(prompt)


def pair_in_prompt(prompt: str) -> dict[str, str]:
    r"""The last two texts that a prompt names; earlier ones are examples.

    >>> pair_in_prompt("Premise: It rains.\nHypothesis: It is wet.\nTrue or false?")
    {'premise': 'It rains.', 'hypothesis': 'It is wet.'}
    """
    found = [*PROMPT.finditer(prompt)]
    return found[-1].groupdict() if found else {}


def choice_labels(choices: Sequence[str], gold: Iterable[tuple[int, Any]]) -> list[Any]:
    """The label of each choice: the gold label wherever the choice is right, or else the label that its text names.

    >>> choice_labels(["True", "Neither", "False"], [(0, 0), (2, 2)])
    [0, 'neutral', 2]
    >>> choice_labels(["Yes", "No"], [])
    ['entailment', 'non-entailment']
    """
    known: dict[int, list[Any]] = {}
    for index, label in gold:
        if label is not None and label not in known.setdefault(index, []):
            known[index].append(label)
    found = []
    for index, choice in enumerate(choices):
        said = choice.strip().rstrip(".").lower()
        meant = next((each.value for each, words in WORDS.items() if said in words), choice.strip())
        if meant == Label.CONTRADICTION and len(choices) < len(WORDS):
            meant = Label.NON_ENTAILMENT.value
        found.append(known[index][0] if len(known.get(index, [])) == 1 else meant)
    return found


def label_in_reply(reply: str, labels: Iterable[Any]) -> str | None:
    """The label that a free text gives: the only one it names, or the first if it begins with one.

    >>> label_in_reply("The answer is: not_entailment.", ["entailment", "not_entailment"])
    'not_entailment'
    >>> label_in_reply("entailment or neutral", ["entailment", "neutral"]), label_in_reply("It depends.", ["yes", "no"])
    ('entailment', None)
    """
    names = sorted({str(label) for label in labels}, key=len, reverse=True)
    if not names:
        return reply.strip() or None
    found = re.findall(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)", reply, re.IGNORECASE)
    spelled = {name.lower(): name for name in names}
    said = list(dict.fromkeys(spelled[each.lower()] for each in found))
    first = bool(said) and reply.strip().strip("*\"'(").lower().startswith(said[0].lower())
    return said[0] if len(said) == 1 or first else None


LOWER_IS_BETTER = ("hallucination",)  # metrics whose score is the fraction of what is not supported


class DeepEvalLog:
    """A test run of DeepEval: outputs that are labels, or metrics that say how well the context supports an output."""

    title: ClassVar[str] = "test runs of DeepEval, .json"

    def recognise(self, name: str, head: bytes) -> bool:
        """True if it has test cases as DeepEval names them."""
        return name.endswith(".json") and (b'"testCases"' in head or b'"testFile"' in head)

    def rows(self, path: Path) -> Rows:
        """Each test case as a row."""
        cases = msgspec.json.decode(path.read_bytes())["testCases"]
        labels = [each["expectedOutput"] for each in cases if each.get("expectedOutput")]
        for case in cases:
            metadata = case.get("metadata") or case.get("additionalMetadata") or {}
            named = {"id": str(case["name"])} if case.get("name") else {}
            context = case.get("retrievalContext") or case.get("context") or []
            scores = [each for each in case.get("metricsData") or [] if each.get("score") is not None]
            if not context or not scores:
                pair = find_pair(metadata, str(case.get("input") or ""))
                reply = label_in_reply(str(case.get("actualOutput") or ""), labels)
                yield {**named, **pair, "label": case.get("expectedOutput"), "prediction": reply}
            elif len(scores) > 1:
                names = ", ".join(str(each.get("name")) for each in scores)
                yield BadRecordError(f"several metrics: {names}", hint="Evaluate one metric at a time.")
            else:
                texts = {"premise": " ".join(context), "hypothesis": case.get("actualOutput")}
                lower = any(word in str(scores[0].get("name")).lower() for word in LOWER_IS_BETTER)
                score = 1 - scores[0]["score"] if lower else scores[0]["score"]
                pair = {**named, **texts, **pair_fields(metadata)}
                yield {"label": case.get("expectedOutput"), **pair, "score": score}


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


EXPECTED = ("equals", "iequals", "icontains", "contains")  # assertions whose value is the right answer


class PromptfooLog:
    """Results of promptfoo for one provider and one prompt; the variables of a test are the texts and the label."""

    title: ClassVar[str] = "results of promptfoo, .json or .jsonl"

    def recognise(self, name: str, head: bytes) -> bool:
        """True if it begins as promptfoo's files do."""
        return name.endswith((".json", ".jsonl")) and (b'"evalId"' in head or b'"promptIdx"' in head)

    def rows(self, path: Path) -> Rows:
        """Each test as a row; the answer is the label that the output names."""
        results = _results(path)
        made_by = list(dict.fromkeys((_provider(each), str(each.get("promptIdx", 0))) for each in results))
        if len(made_by) > 1:
            yield BadRecordError(
                f"answers of {len(made_by)} providers or prompts: {', '.join(provider for provider, _ in made_by)}",
                hint="Write one file for each: promptfoo eval --filter-providers NAME --output NAME.json.",
            )
            return
        pairs = [_promptfoo_pair(each) for each in results]
        labels = [pair["label"] for pair in pairs if pair.get("label") is not None]
        for each, pair in zip(results, pairs, strict=True):
            reply = (each.get("response") or {}).get("output")
            told = reply.get("label", "") if isinstance(reply, dict) else reply
            yield {**pair, "prediction": None if told is None else label_in_reply(str(told), labels)}


def _results(path: Path) -> list[Record]:
    content = path.read_bytes()
    if b'"evalId"' in content[:200]:
        found = msgspec.json.decode(content)["results"]["results"]
    else:
        found = [msgspec.json.decode(line) for line in content.splitlines() if line.strip()]
    return sorted(found, key=lambda each: each.get("testIdx", 0))


def _provider(result: Record) -> str:
    provider = result.get("provider") or {}
    return str(provider.get("label") or provider.get("id") or "") if isinstance(provider, dict) else str(provider)


def _promptfoo_pair(result: Record) -> dict[str, Any]:
    test = result.get("testCase") or {}
    fields = {**(test.get("metadata") or {}), **(result.get("vars") or test.get("vars") or {})}
    pair = find_pair(fields, str((result.get("prompt") or {}).get("raw", "")))
    if "label" not in pair:
        checks = [each for each in test.get("assert") or [] if each.get("type") in EXPECTED]
        pair |= {"label": checks[0]["value"]} if checks else {}
    return pair
