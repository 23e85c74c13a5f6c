"""Results of promptfoo."""

from pathlib import Path
from typing import Any, ClassVar

import msgspec

from assay.core.errors import BadRecordError
from assay.corpora.evaluation_logs.log_fields import Record, Rows, find_pair, label_in_reply

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
