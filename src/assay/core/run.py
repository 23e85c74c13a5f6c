"""What a run was asked to do, and the one record of what came of it."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from assay.core.case import Recipe
from assay.core.errors import UnknownNameError, did_you_mean
from assay.core.guard.seal import with_seal
from assay.core.notebook import MARK, html_table, share
from assay.core.results.estimate import FAMILY, Estimate, find, key_of
from assay.core.results.example import Example
from assay.core.results.judgement import Judgement
from assay.core.sampling import Sampling
from assay.core.suite import Manifest
from assay.core.tables import estimate_columns, library

if TYPE_CHECKING:
    import pandas
    import polars

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
    sample: Sampling | msgspec.UnsetType = msgspec.UNSET
    """How a sample is drawn; unset where all pairs are taken."""


class FromCorpus(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="corpus"):
    """A suite that is built from a corpus."""

    reading: Reading
    """Where the pairs come from."""
    recipes: tuple[Recipe, ...]
    """The transforms with their options, the original pairs first."""


class FromPairs(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="pairs"):
    """A suite that is built from pairs which a program held in memory."""

    name: str
    """What they were called."""
    digest: str
    """SHA-256 of the pairs as JSON lines."""
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


SuiteSpec = FromCorpus | FromPairs | Generated | Stored
"""Where a suite of a run comes from."""


class RunSpec(msgspec.Struct, frozen=True, kw_only=True):
    """All that decides the results of a run. How many workers share the work is not part of it."""

    suites: dict[str, SuiteSpec]
    """What is asked, by the suites' names."""
    models: tuple[str, ...]
    """The models on the bench, by kind and versioned name; `object:NAME` was given as an object or a function."""
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


class RunRecord(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One run: what was asked, what it was measured on, every figure and what they come to. Reports read only this."""

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
    judgement: Judgement = Judgement()
    """What the figures come to: losses, findings and verdicts."""
    examples: tuple[Example, ...] = ()
    """A few telling failures of each family and model."""
    cards: dict[str, dict[str, str]] = {}
    """What is known about the data of each suite, such as its licence, by the suite's name."""
    about: dict[str, str] = {}
    """What each model is, in a sentence, by its name."""
    versions: dict[str, str]
    """Of Assay, Python and the libraries that decide results."""
    seal: str = ""
    """SHA-256 of this record without its seal. With the digests in the record it covers all that figures rest on."""

    def sealed(self) -> "RunRecord":
        """The record with the seal that belongs to it."""
        return with_seal(self)

    @property
    def folder(self) -> Path | None:
        """Where the run is stored, if the record comes from `assay.run` or from a folder; not part of the file."""
        found: Path | None = self.__dict__.get("_folder")
        return found

    def stored_in(self, folder: str | Path) -> "RunRecord":
        """The same record, which knows its folder."""
        made = msgspec.structs.replace(self)
        made.__dict__["_folder"] = Path(folder)
        return made

    def find(self, name: str, by: Sequence[str] = FAMILY, **where: str) -> dict[tuple[str, ...], Estimate]:
        """The figures of one name, by the values of what `by` names; `where` keeps those of one model, suite and so on.

        Only slices of exactly these names are meant: without "label" in `by` or `where`, whole families.
        `record.find("accuracy", by=("model", "family"))["assay:overlap/v1", "negation"].value` is one accuracy.
        """
        names = dict.fromkeys(e.name for e in self.estimates)
        if name not in names:
            raise UnknownNameError(
                f"No figure {name!r} in {self.id}{did_you_mean(name, names)} There are {', '.join(names)}."
            )
        slices = dict.fromkeys(each for e in self.estimates for each in e.slice)
        for each in (*by, *where):
            if each not in slices:
                raise UnknownNameError(
                    f"Nothing in {self.id} is measured by {each!r}{did_you_mean(each, slices)} "
                    f"There are {', '.join(slices)}."
                )
        return find(self.estimates, name, by, **where)

    def to_pandas(self) -> "pandas.DataFrame":
        """The figures as a data frame of pandas: one row for each, with a column for every name of a slice."""
        made = library("pandas", extra="pandas", needed_for="A data frame of pandas")
        frame: pandas.DataFrame = made.DataFrame(estimate_columns(self.estimates))
        return frame

    def to_polars(self) -> "polars.DataFrame":
        """The figures as a data frame of polars, with the same columns."""
        made = library("polars", extra="polars", needed_for="A data frame of polars")
        frame: polars.DataFrame = made.DataFrame(estimate_columns(self.estimates))
        return frame

    def __repr__(self) -> str:
        suites = ", ".join(f"{name} ({manifest.cases:,} cases)" for name, manifest in self.suites.items())
        place = f", stored in {str(self.folder)!r}" if self.folder else ""
        verdicts = [f"  {each.model}: {each.outcome}" for each in self.judgement.verdicts]
        return "\n".join([f"RunRecord({self.id!r}: {len(self.estimates):,} figures on {suites}{place})", *verdicts])

    def _repr_html_(self) -> str:
        """Accuracy by family and model, for notebooks; what is a loss is marked."""
        found = find(self.estimates, "accuracy", ("suite", "family", "model"))
        lost = {key_of(each.slice) for each in self.judgement.losses}
        models = list(dict.fromkeys(model for _, _, model in found))
        rows = []
        for suite, family in dict.fromkeys((suite, family) for suite, family, _ in found):
            here = [found.get((suite, family, model)) for model in models]
            cells = (share(e.value, marked=key_of(e.slice) in lost) if e else share(None) for e in here)
            rows.append([suite, family, *cells, max(e.n for e in here if e)])
        caption = (
            f"{self.id}: accuracy in per cent; {MARK}: less than on the source pairs, by more than chance explains"
        )
        return html_table(caption, ["suite", "family", *models, "cases"], rows)
