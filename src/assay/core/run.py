"""What a run was asked to do, and the one record of what came of it."""

from typing import Literal

import msgspec

from assay.core.case import Recipe
from assay.core.estimate import Estimate
from assay.core.files import with_seal
from assay.core.notebook import html_table, share
from assay.core.suite import Manifest

RECORD_SCHEMA = 3
"""The version of `record.json`; a reader refuses any other."""


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """Where pairs come from, and how they are read."""

    source: str
    """A path, `-` for standard input, `hf:NAME`, or `bundled`."""
    input_format: str | None = None
    """The format; None means that it is detected."""
    columns: dict[str, str] = {}
    """Which column holds which field."""
    labels: dict[str, str] = {}
    """Which label a value means."""
    encoding: str = "utf-8"
    """How the text is encoded."""
    on_error: Literal["stop", "skip"] = "stop"
    """What a broken record does: stop, or be skipped and reported."""
    limit: int | None = None
    """How many records at the most."""


class FromCorpus(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="corpus"):
    """A suite that is built from a corpus."""

    reading: Reading
    """Where the pairs come from."""
    recipes: tuple[Recipe, ...]
    """The transforms with their options, the original pairs first."""


class Generated(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="generated"):
    """A suite whose pairs are generated, not read."""

    recipe: Recipe
    """The transform with its options."""
    per_subcase: int
    """How many pairs of each subcase."""


class Stored(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="stored"):
    """A suite that was built before."""

    folder: str
    """Where it lies, as it was given."""
    digest: str
    """SHA-256 of its cases."""


class RunSpec(msgspec.Struct, frozen=True, kw_only=True):
    """All that decides the results of a run. How many workers share the work is not part of it."""

    suites: dict[str, FromCorpus | Generated | Stored]
    """What is asked, by the suites' names."""
    models: tuple[str, ...]
    """The models on the bench, by kind and versioned name."""
    seed: int = 0
    """Chance is keyed by it."""
    truncate: Literal["premise", "error"] = "error"
    """What happens to a premise that is longer than a model takes: its end is cut off, or the run stops."""
    collapse: Literal["argmax", "sum"] = "argmax"
    """How three-way answers are read where a suite knows two labels."""


class AnswerFile(msgspec.Struct, frozen=True, kw_only=True):
    """A model's answers to one suite."""

    file: str
    """Where they are, from the run's folder."""
    digest: str
    """SHA-256 of that file."""
    n: int
    """How many cases it answered."""


class ModelAnswers(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A model's part in a run."""

    model: str
    """Kind and versioned name."""
    files: dict[str, AnswerFile]
    """Its answers, by the suites' names."""
    identity: str = ""
    """A digest of what decides its answers, where the model can tell."""
    truncated: int = 0
    """Cases whose premise was cut off."""
    notes: tuple[str, ...] = ()
    """What a careful reader should know about it."""


class RunRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One run: the spec, what it was measured on, and every figure. Reports read this and nothing else."""

    schema: int = RECORD_SCHEMA
    """Version of this record's shape."""
    id: str
    """The name of the run, and of its folder."""
    created: str
    """When, in UTC."""
    spec: RunSpec
    """What was asked."""
    suites: dict[str, Manifest]
    """What the models were asked, by the suites' names and with digests."""
    models: tuple[ModelAnswers, ...]
    """Who answered."""
    estimates: tuple[Estimate, ...]
    """Every figure."""
    versions: dict[str, str]
    """Of Assay, Python and the libraries that decide results."""
    seal: str = ""
    """SHA-256 of this record without its seal. With the digests in the record it covers all that figures rest on."""

    def sealed(self) -> "RunRecord":
        """The record with the seal that belongs to it."""
        return with_seal(self)

    def _repr_html_(self) -> str:
        """Accuracy by family and model, for notebooks."""
        whole = {"model", "suite", "family"}
        found = {
            (e.slice["suite"], e.slice["family"], e.slice["model"]): e
            for e in self.estimates
            if e.name == "accuracy" and {*e.slice} == whole
        }
        models = list(dict.fromkeys(model for _, _, model in found))
        rows = []
        for suite, family in dict.fromkeys((suite, family) for suite, family, _ in found):
            here = [found.get((suite, family, model)) for model in models]
            rows.append([suite, family, *(share(e.value if e else None) for e in here), max(e.n for e in here if e)])
        return html_table(f"{self.id}: accuracy in per cent", ["suite", "family", *models, "cases"], rows)
