"""Make the logs in tests/fixtures/logs with the tools themselves: Inspect, lm-evaluation-harness, DeepEval, promptfoo.

    python tools/log_fixtures.py inspect|lm-eval|deepeval|promptfoo
    python tools/log_fixtures.py exported FOLDER    # the log of a task that `assay export` wrote for Inspect or lm-eval

Run it where the tool is installed; no language model is asked, the answers are given here.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import chdir
from pathlib import Path
from typing import Any

LOGS = Path(__file__).parents[1] / "tests/fixtures/logs"
PAIRS = [
    ("A baker opens her shop at dawn.", "A shop is opened.", "entailment"),
    ("Rain fell on the harbour all night.", "The fishermen stayed at home.", "neutral"),
    ("The museum is open on Sundays.", "The museum is closed every Sunday.", "contradiction"),
    ("Four hikers cross a frozen lake.", "People are on the ice.", "entailment"),
    ("Two sisters paint a wooden boat.", "The sisters are twins.", "neutral"),
    ("The train left ten minutes late.", "The train left on time.", "contradiction"),
    ("The clerk stamped every letter.", "Each letter got a stamp.", "entailment"),
    ("A violinist tunes her instrument.", "She plays in an orchestra.", "neutral"),
    ("All of the seats were taken.", "Half of the seats were empty.", "contradiction"),
]
LABELS = ["entailment", "neutral", "contradiction"]
ANSWERS = {
    "first": [LABELS[n] for n in (0, 1, 2, 0, 1, 1, 0, 0, 2)],
    "second": [LABELS[n] for n in (1, 0, 1, 1, 0, 2, 1, 1, 1)],
}
WORDS = ["True", "Neither", "False"]


def make_inspect() -> None:
    """Two `.eval` logs of multiple choice, and one JSON log with free text."""
    from inspect_ai import Task
    from inspect_ai import eval as evaluate
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import get_model
    from inspect_ai.scorer import choice, includes
    from inspect_ai.solver import generate, multiple_choice

    def fields(number: int) -> dict[str, str]:
        premise, hypothesis, label = PAIRS[number]
        return {"premise": premise, "hypothesis": hypothesis, "label": label}

    chosen = [
        Sample(
            id=f"pair-{number}",
            input=f"Premise: {premise}\nHypothesis: {hypothesis}\nIs the hypothesis true?",
            choices=WORDS,
            target="ABC"[LABELS.index(label)],
            metadata=fields(number),
        )
        for number, (premise, hypothesis, label) in enumerate(PAIRS)
    ]
    free = [
        Sample(
            id=f"pair-{number}", input=f"Premise: {premise}\nHypothesis: {hypothesis}\nName the label.", target=label
        )
        for number, (premise, hypothesis, label) in enumerate(PAIRS[:3])
    ]
    with tempfile.TemporaryDirectory() as folder:
        for name, labels in ANSWERS.items():
            outputs = [_reply(f"ANSWER: {'ABC'[LABELS.index(each)]}") for each in labels]
            task = Task(dataset=MemoryDataset(chosen), solver=multiple_choice(), scorer=choice(), name="nli")
            model = get_model("mockllm/model", custom_outputs=outputs)
            log = evaluate(task, model=model, log_dir=folder, max_connections=1, max_samples=1, display="none")[0]
            shutil.copyfile(log.location, LOGS / f"inspect-{name}.eval")
        outputs = [_reply(f"The answer is {each}.") for each in ANSWERS["first"]]
        task = Task(dataset=MemoryDataset(free), solver=generate(), scorer=includes(), name="nli-free")
        model = get_model("mockllm/model", custom_outputs=outputs)
        log = evaluate(
            task, model=model, log_dir=folder, log_format="json", max_connections=1, max_samples=1, display="none"
        )[0]
        shutil.copyfile(log.location, LOGS / "inspect-free.json")


def _reply(text: str) -> Any:
    from inspect_ai.model import ModelOutput, ModelUsage

    output = ModelOutput.from_content("mock", text)
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # counting would need a download
    return output


def run_exported(task: Path) -> None:
    """The log of an exported suite; the answer is the first choice to every second case, and else the last one."""
    from inspect_ai import eval as evaluate
    from inspect_ai.model import get_model

    cases = [json.loads(line) for line in (task / "cases.jsonl").read_text(encoding="utf-8").splitlines()]
    letters = ["A" if place % 2 == 0 else "ABC"[len(case["choices"]) - 1] for place, case in enumerate(cases)]
    model = get_model("mockllm/model", custom_outputs=[_reply(f"ANSWER: {letter}") for letter in letters])
    with tempfile.TemporaryDirectory() as folder, chdir(task):  # Inspect finds tasks by relative paths
        options: dict[str, Any] = {"log_dir": folder, "max_connections": 1, "max_samples": 1, "display": "none"}
        log = evaluate("assay_suite.py", model=model, **options)[0]
        print(log.status, {metric: each.value for metric, each in log.results.scores[0].metrics.items()})
        shutil.copyfile(log.location, LOGS / "inspect-exported.eval")


def run_exported_tasks(tasks: Path) -> None:
    """The samples of an exported suite, one file for each family, with random likelihoods."""
    group = min((path.stem for path in tasks.glob("assay_*.yaml")), key=len)
    with tempfile.TemporaryDirectory() as folder:
        _run_lm_eval(group, tasks, Path(folder))
        for log in Path(folder).rglob("samples_*.jsonl"):
            place = LOGS / "lm-eval-exported" / f"{log.name.rpartition('_')[0]}.jsonl"
            place.parent.mkdir(exist_ok=True)
            shutil.copyfile(log, place)


def _run_lm_eval(task: str, tasks: Path, out: Path) -> None:
    command = f"lm_eval run --model dummy --tasks {task} --include_path {tasks} --output_path {out} --log_samples"
    offline = {**os.environ, "HF_HUB_OFFLINE": "1"}
    subprocess.run([sys.executable, "-m", *command.split()], check=True, env=offline)  # noqa: S603 - a fixed command


TASK = """task: nli
custom_dataset: !function cases.load
output_type: multiple_choice
test_split: test
doc_to_text: "Premise: {{premise}}\\nHypothesis: {{hypothesis}}\\nTrue, Neither or False? Answer:"
doc_to_choice: [True, Neither, False]
doc_to_target: label
metric_list: [{metric: acc, aggregation: mean, higher_is_better: true}]
"""
LOADER = """import datasets

def load(**_):
    return {"test": datasets.Dataset.from_list(%r)}
"""


def make_lm_eval() -> None:
    """The samples of a task with three choices, labels by number, and random likelihoods."""
    rows = [
        {"premise": premise, "hypothesis": hypothesis, "label": LABELS.index(label)}
        for premise, hypothesis, label in PAIRS
    ]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "nli.yaml").write_text(TASK.replace("[True, Neither, False]", json.dumps(WORDS)))
        (place / "cases.py").write_text(LOADER % rows)
        _run_lm_eval("nli", place, place / "out")
        (log,) = place.rglob("samples_*.jsonl")
        shutil.copyfile(log, LOGS / "samples_nli.jsonl")


def make_deepeval() -> None:
    """One run with labels as outputs, and one of a metric with scores."""
    from deepeval import evaluate
    from deepeval.evaluate.configs import AsyncConfig, CacheConfig, DisplayConfig
    from deepeval.metrics import BaseMetric, ExactMatchMetric
    from deepeval.test_case import LLMTestCase

    class Support(BaseMetric):
        """A metric without a language model: a fixed score for each output."""

        threshold = 0.5
        async_mode = False

        def measure(self, test_case: LLMTestCase, *_: object, **__: object) -> float:
            number = next(n for n, pair in enumerate(PAIRS) if pair[1] == test_case.actual_output)
            self.score = 0.9 if ANSWERS["first"][number] == "entailment" else 0.2
            self.success = self.score >= self.threshold
            return self.score

        def is_successful(self) -> bool:
            return bool(self.success)

        @property
        def __name__(self) -> str:  # type: ignore[override]
            return "Faithfulness"

    said = [
        LLMTestCase(
            name=f"pair-{number}",
            input=f"Premise: {premise}\nHypothesis: {hypothesis}\nName the label.",
            actual_output=answer,
            expected_output=label,
        )
        for number, ((premise, hypothesis, label), answer) in enumerate(zip(PAIRS, ANSWERS["first"], strict=True))
    ]
    checked = [
        LLMTestCase(
            name=f"pair-{number}",
            input="What happens?",
            actual_output=hypothesis,
            expected_output="supported" if label == "entailment" else "unsupported",
            retrieval_context=[premise],
        )
        for number, (premise, hypothesis, label) in enumerate(PAIRS)
    ]
    for name, cases, metric in (("labels", said, ExactMatchMetric()), ("support", checked, Support())):
        with tempfile.TemporaryDirectory() as folder:
            os.environ["DEEPEVAL_RESULTS_FOLDER"] = folder
            evaluate(
                cases,
                [metric],
                async_config=AsyncConfig(run_async=False),
                cache_config=CacheConfig(write_cache=False),
                display_config=DisplayConfig(print_results=False, show_indicator=False),
            )
            (log,) = Path(folder).rglob("*.json")
            shutil.copyfile(log, LOGS / f"deepeval-{name}.json")


def make_promptfoo() -> None:
    """Results of the provider `echo`, which repeats its prompt, so the answer is a variable of the test."""
    tests = [
        {
            "vars": {"premise": premise, "hypothesis": hypothesis, "label": label, "said": answer},
            "assert": [{"type": "equals", "value": label}],
        }
        for (premise, hypothesis, label), answer in zip(PAIRS, ANSWERS["first"], strict=True)
    ]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        config = {"prompts": ["{{said}}"], "providers": ["echo"], "tests": tests}
        (place / "promptfooconfig.json").write_text(json.dumps(config))
        quiet = {**os.environ, "PROMPTFOO_DISABLE_TELEMETRY": "1", "PROMPTFOO_DISABLE_UPDATE": "1"}
        for name in ("promptfoo.json", "promptfoo.jsonl"):
            command = ["promptfoo", "eval", "--no-cache", "--output", name]
            subprocess.run(command, cwd=place, check=False, env=quiet)  # noqa: S603 - fails if an answer is wrong
            shutil.copyfile(place / name, LOGS / name)


if __name__ == "__main__":
    LOGS.mkdir(parents=True, exist_ok=True)
    made = {"inspect": make_inspect, "lm-eval": make_lm_eval, "deepeval": make_deepeval, "promptfoo": make_promptfoo}
    if sys.argv[1] == "exported":
        folder = Path(sys.argv[2])
        (run_exported if (folder / "assay_suite.py").exists() else run_exported_tasks)(folder)
    else:
        made[sys.argv[1]]()
