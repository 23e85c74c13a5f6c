"""Test runs of DeepEval."""

from pathlib import Path
from typing import ClassVar

import msgspec

from assay.core.errors import BadRecordError
from assay.corpora.evaluation_logs.log_fields import Rows, find_pair, label_in_reply, pair_fields

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
