"""Test runs that DeepEval writes to its results folder."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from assay.core.errors import BadRecordError
from assay.corpora.logs.log_answers import label_in_reply, pair_fields, pair_in_prompt

Record = Mapping[str, Any]
LOWER_IS_BETTER = ("hallucination",)
"""Metrics whose score is the fraction of what is not supported."""


class DeepEvalLog:
    """A test run: outputs that are labels, or metrics that say how well the context supports an output."""

    title: ClassVar[str] = "test runs of DeepEval, .json"

    def recognise(self, name: str, head: bytes) -> bool:
        """True if it has test cases as DeepEval names them."""
        return name.endswith(".json") and (b'"testCases"' in head or b'"testFile"' in head)

    def rows(self, path: Path) -> Iterator[dict[str, Any] | BadRecordError]:
        """Each test case as a row."""
        cases = msgspec.json.decode(path.read_bytes())["testCases"]
        labels = [each["expectedOutput"] for each in cases if each.get("expectedOutput")]
        for case in cases:
            metadata = case.get("metadata") or case.get("additionalMetadata") or {}
            pair = pair_fields(metadata)
            context = case.get("retrievalContext") or case.get("context") or []
            if context and _scores(case):
                texts = {"premise": " ".join(context), "hypothesis": case.get("actualOutput")}
                yield _supported({**_named(case), **texts, **pair}, case)
            else:
                if "premise" not in pair or "hypothesis" not in pair:
                    pair |= pair_in_prompt(str(case.get("input") or ""))
                reply = label_in_reply(str(case.get("actualOutput") or ""), labels)
                yield {**_named(case), **pair, "label": case.get("expectedOutput"), "prediction": reply}


def _named(case: Record) -> dict[str, str]:
    return {"id": str(case["name"])} if case.get("name") else {}


def _scores(case: Record) -> list[Record]:
    return [each for each in case.get("metricsData") or [] if each.get("score") is not None]


def _supported(row: dict[str, Any], case: Record) -> dict[str, Any] | BadRecordError:
    """A row with the support score of the only metric."""
    scores = _scores(case)
    if len(scores) > 1:
        names = ", ".join(str(each.get("name")) for each in scores)
        return BadRecordError(f"several metrics: {names}", hint="Evaluate one metric at a time.")
    lower = any(word in str(scores[0].get("name")).lower() for word in LOWER_IS_BETTER)
    row["score"] = 1 - scores[0]["score"] if lower else scores[0]["score"]
    row.setdefault("label", case.get("expectedOutput"))
    return row
