"""What `tools/docs/measure.py` stores about each shipped model, on which data, and what is published for the same."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from assay.export.export_model import ExportAgreement
from assay.reports.published.published_results import AS_THEY_ARE, Data, published_accuracies
from assay.reports.published.published_results import PublishedFigure as Published
from assay.stress.logic.pair_forms import LOGIC_FAMILIES as LOGIC
from assay.training.train_system import TrainingProvenance

FOLDER = Path(__file__).parents[2] / "docs" / "results"

SEEDS = FOLDER / "seeds.json"
"""What `tools/docs/measure_seeds.py` stores."""

PREDICTED = ("snli-hard", "breaking-nli")
"""Sets on which accuracy is predicted from stress tests."""

STRESS, CODE, CODE_MISMATCHED = "stress", "code-matched", "code-mismatched"
AQUA, AQUA_CODE = "aqua-strict", "aqua-code"

MED, CONJNLI = "med", "conjnli"
MONLI = {"pmonli": "MoNLI, positive", "nmonli-train": "MoNLI, negated, train", "nmonli-test": "MoNLI, negated, test"}

DATA = {
    "snli-test": Data(corpus="SNLI", split="test"),
    "snli-hard": Data(corpus="SNLI", split="hard"),
    "mnli-matched": Data(corpus="MultiNLI", split="dev matched"),
    "mnli-mismatched": Data(corpus="MultiNLI", split="dev mismatched"),
    "hans": Data(corpus="HANS", split="evaluation"),
    "breaking-nli": Data(corpus="Breaking NLI", split="test"),
    STRESS: Data(corpus="MultiNLI", split="dev matched", fidelity="strict"),
    CODE: Data(corpus="MultiNLI", split="dev matched", fidelity="code"),
    CODE_MISMATCHED: Data(corpus="MultiNLI", split="dev mismatched", fidelity="code"),
    AQUA: Data(corpus="AQuA-RAT", split="train, a part", fidelity="strict"),
    AQUA_CODE: Data(corpus="AQuA-RAT", split="train, a part", fidelity="code"),
    **{family: Data(corpus="templates", split="evaluation", fidelity="strict") for family in LOGIC},
    MED: Data(corpus="MED"),
    **{key: Data(corpus="MoNLI", split=key) for key in MONLI},
    CONJNLI: Data(corpus="ConjNLI", split="dev"),
}
"""The data of each set; source and swapped pairs of a built one have no fidelity."""

PLAIN = {
    "snli-test": "SNLI test",
    "snli-hard": "SNLI hard",
    "mnli-matched": "MultiNLI dev, matched",
    "mnli-mismatched": "MultiNLI dev, mismatched",
    "hans": "HANS",
    "breaking-nli": "Breaking NLI",
}
"""Sets of unchanged pairs."""

HEURISTICS = ("lexical_overlap", "subsequence", "constituent")
TWO = ("entailment", "non-entailment")
THREE = ("entailment", "neutral", "contradiction")

IS_THE_TEST = {"hans": "heuristics", "breaking-nli": "lexical"}
"""Sets that are themselves a test, with their family."""


class Set(msgspec.Struct, frozen=True, kw_only=True):
    """A data set that models were asked."""

    source: str
    """The corpus."""
    cases: int
    """How many, built families included."""
    digest: str
    """SHA-256 of the texts and labels."""


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """A measured figure, or the mean of several seeds with their extremes."""

    set: str
    """On which data set."""
    name: str
    """What was measured."""
    slice: dict[str, str]
    """Family, label and group."""
    value: float | None
    """As a share."""
    low: float | None
    """Lower end: of the 95% interval, or the lowest seed."""
    high: float | None
    """Upper end."""
    n: int
    """How many cases it is based on."""


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """All that is known about a shipped model."""

    files: dict[str, str]
    """SHA-256 of its graphs."""
    size: int
    """Bytes of its own files."""
    sets: dict[str, Set]
    """What it was asked."""
    agreement: ExportAgreement
    """How far eight bits changed it."""
    seeds: tuple[TrainingProvenance, ...]
    """How it was trained, one entry per seed; one of them is shipped."""
    figures: tuple[Figure, ...]
    """Of the shipped model."""
    bands: tuple[Figure, ...]
    """Figures over the seeds before they were packed; empty if there is only one."""

    def find(self, set_: str, family: str = "original", *, name: str = "accuracy", **where: str) -> Figure | None:
        """A figure of the shipped model; None if it was not measured."""
        return _found(self.figures, set_, {"family": family, **where}, name)

    def band(self, set_: str, **where: str) -> Figure | None:
        """The band of the seeds, if there are several."""
        return _found(self.bands, set_, {"family": "original", **where}, "accuracy")

    def answered(self, set_: str, family: str, label: str, answer: str) -> float | None:
        """The share of a label's cases that got an answer; None if nothing was counted."""
        counted = [each for each in self.figures if (each.set, each.name) == (set_, "answers")]
        here = [each for each in counted if (each.slice["family"], each.slice["label"]) == (family, label)]
        return sum(each.value or 0.0 for each in here if each.slice["answer"] == answer) if here else None


class SeededModel(msgspec.Struct, frozen=True, kw_only=True):
    """One seed of a system that was trained to be compared, and is not shipped."""

    system: str
    """Its system."""
    seed: int
    """Its seed."""
    dev: float
    """Its accuracy on the development pairs."""
    figures: tuple[Figure, ...]
    """Its accuracy by set and family."""


class SeededModels(msgspec.Struct, frozen=True, kw_only=True):
    """Systems that were trained with several seeds, all in one way."""

    pairs: int
    """Training pairs of each."""
    epochs: int
    """Epochs of each."""
    sampled: int
    """From how many pairs the stress tests were built."""
    models: tuple[SeededModel, ...]
    """What was measured."""


def _found(figures: Sequence[Figure], set_: str, where: dict[str, str], name: str) -> Figure | None:
    fitting = (each for each in figures if (each.set, each.name, each.slice) == (set_, name, where))
    return next((each for each in fitting if each.value is not None), None)


def measured(folder: Path = FOLDER) -> dict[str, Measured]:
    """What was measured, by model, from the simplest to the best."""
    from assay.models.shipped import NAMES

    files = {name: folder / f"{name}.json" for name in NAMES}
    return {
        name: msgspec.json.decode(file.read_bytes(), type=Measured) for name, file in files.items() if file.is_file()
    }


def seeded(file: Path = SEEDS) -> SeededModels | None:
    """What was measured of systems with several seeds, if anything was."""
    return msgspec.json.decode(file.read_bytes(), type=SeededModels) if file.is_file() else None


def data_of(set_: str, family: str) -> Data:
    """The data of a family of a set.

    >>> data_of("stress", "original") == data_of("mnli-matched", "original")
    True
    """
    data = DATA[set_]
    return msgspec.structs.replace(data, fidelity="") if family in AS_THEY_ARE else data


def published_for(set_: str, family: str, **where: str) -> list[Published]:
    """The published figures for the same test on the same corpus, split and fidelity."""
    return [each for each in all_published(set_, family, **where) if each.data == data_of(set_, family)]


def all_published(set_: str, family: str, **where: str) -> list[Published]:
    """The published figures for the same test, on any data."""
    wanted = {"family": IS_THE_TEST.get(set_, family), **where}
    return list(published_accuracies(wanted))


def categories(models: Iterable[Measured]) -> list[str]:
    """The categories of Breaking NLI."""
    return sorted(
        {
            each.slice["category"]
            for model in models
            for each in model.figures
            if each.set == "breaking-nli" and {*each.slice} == {"family", "category"}
        }
    )
