"""The specification of a run, and the record of its results."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

import msgspec

from assay.core.case import Recipe
from assay.core.dataframes import (
    MARK,
    REFERENCE,
    ShownNumber,
    ShownTable,
    TableRecord,
    estimate_columns,
    frame_library,
    share,
)
from assay.core.errors import check_known
from assay.core.estimate import FAMILY, Estimate, SupportCurve, find, key_of
from assay.core.judgement import Diagnosis, Example, Judgement
from assay.core.label_space import Collapse, LabelNames, LabelSpace, merged_names
from assay.core.manifest import Manifest, Sampling
from assay.core.serialise import with_seal

if TYPE_CHECKING:
    import pandas
    import polars

RECORD_SCHEMA = 3  # the version of `record.json`; a reader refuses any other


class CorpusReading(msgspec.Struct, frozen=True, kw_only=True):
    """The source of pairs, and the settings for reading it."""

    source: str  # a path, `-` for standard input, `hf:NAME`, or `bundled`
    input_format: str | None = None  # the format; None means that it is detected
    columns: dict[str, str] = {}
    labels: dict[str, str] = {}  # what the values of the label column mean
    encoding: str = "utf-8"
    on_error: Literal["stop", "skip"] = "stop"  # the treatment of a broken record: stop, or skip and report it
    limit: int | None = None  # maximum number of records to read
    sample: Sampling | msgspec.UnsetType = msgspec.UNSET  # the sample to draw; unset if all pairs are used


class FromCorpus(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="corpus"):
    """A suite that is built from a corpus."""

    reading: CorpusReading
    recipes: tuple[Recipe, ...]  # the transforms with their options, the original pairs first


class FromPairs(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="pairs"):
    """A suite that is built from pairs in memory."""

    name: str
    digest: str  # SHA-256 of the pairs as JSON lines
    recipes: tuple[Recipe, ...]


class Generated(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="generated"):
    """A suite whose pairs are generated, not read."""

    recipe: Recipe
    per_subcase: int


class StoredSuite(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="stored"):
    """A suite that already exists."""

    folder: str  # its path, as it was given
    digest: str


SuiteSpec = FromCorpus | FromPairs | Generated | StoredSuite  # the origin of a suite of a run


class RunSpec(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that decides the results of a run. The number of workers is not part of it."""

    suites: dict[str, SuiteSpec]  # origins of the suites, by name
    models: tuple[str, ...]
    """The models, by kind and versioned name; `object:NAME` was passed as an object or a function."""
    seed: int = 0
    truncate: Literal["premise", "error"] = "error"
    """The treatment of a premise that is too long for a model: cut off its end, or stop the run."""
    windows: str = ""  # rule for splitting long premises into windows, such as `max:200`; empty if they are not split
    collapse: Collapse = "argmax"  # how three-way answers become two-way if a suite has two labels
    two_way: bool | None = None
    """True if cases and answers are judged by two labels; None means only if a suite comes from a two-way corpus."""

    @property
    def leaves_labels_open(self) -> bool:
        """True if corpora and models decide whether there are two labels or three."""
        return self.two_way is None

    @property
    def may_be_binary(self) -> bool:
        return self.two_way is not False

    def resize(self, other: "RunSpec | LabelSpace") -> "RunSpec":
        """The same run, judged by as many labels as another one, or as a space has."""
        size = other.two_way if isinstance(other, RunSpec) else other.is_binary
        return msgspec.structs.replace(self, two_way=size)

    def label_space(self, suites: Mapping[str, Manifest]) -> LabelSpace:
        """The labels that all suites of the run are judged by, and all names that users have for them."""
        by_default = any(manifest.label_space.is_binary for manifest in suites.values())
        names = merged_names(manifest.names for manifest in suites.values())
        space = LabelSpace(names=names, collapse=self.collapse)
        return space.resize(by_default if self.two_way is None else self.two_way)


class AnswerFileEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A model's answers to one suite."""

    file: str  # the path of the file, relative to the run's folder
    digest: str
    n: int


class ModelAnswers(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, eq=False):
    """A model's part in a run. Equality compares the answers, not how long they took."""

    model: str
    files: dict[str, AnswerFileEntry]
    identity: str = ""  # a digest of what decides its answers, if the model gives one
    truncated: int = 0  # number of cases that had their premise cut off
    notes: tuple[str, ...] = ()
    seconds_per_pair: float | None = None
    """Seconds per pair when the answers were computed; None if that was not measured."""
    reference: bool = False
    """True if it is a baseline that decides by a known rule and that other models are compared with."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ModelAnswers):
            return NotImplemented
        own, theirs = (msgspec.structs.replace(each, seconds_per_pair=None) for each in (self, other))
        return msgspec.structs.astuple(own) == msgspec.structs.astuple(theirs)


class RunRecord(TableRecord, msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One run: its spec, its suites, every number and the verdicts. Reports read only this."""

    schema: int = RECORD_SCHEMA
    id: str  # the name of the run, and of its folder
    created: str  # when the run started, in UTC
    spec: RunSpec
    suites: dict[str, Manifest]  # the manifests of the suites, by name, with digests
    models: tuple[ModelAnswers, ...]
    estimates: tuple[Estimate, ...]
    support: tuple[SupportCurve, ...] = ()
    """The threshold curves of models that give probabilities, in suites that are judged by two labels."""
    judgement: Judgement = Judgement()
    diagnosis: Diagnosis | None = None  # diagnoses of models; None in a run that was stored before there were diagnoses
    examples: tuple[Example, ...] = ()  # a few informative failures of each family and model
    cards: dict[str, dict[str, str]] = {}  # facts about the data of each suite, such as its licence, by suite
    about: dict[str, str] = {}  # a one-sentence description of each model, by name
    seconds: float | None = None
    """Duration of the run, or of its last part if it was resumed; None if that was not measured."""
    versions: dict[str, str]  # versions of Assay, Python and the libraries that affect results
    seal: str = ""
    """SHA-256 of this record without its seal. With the record's digests, it covers everything behind the numbers."""

    def sealed(self) -> "RunRecord":
        return with_seal(self)

    @property
    def folder(self) -> Path | None:
        """The folder of the run, if the record comes from `assay.run` or a folder. It is not part of the file."""
        found: Path | None = self.__dict__.get("_folder")
        return found

    def stored_in(self, folder: str | Path) -> "RunRecord":
        """The same record, with its folder set."""
        made = msgspec.structs.replace(self)
        made.__dict__["_folder"] = Path(folder)
        return made

    def diagnosed(self, found: Diagnosis) -> "RunRecord":
        """A copy with this diagnosis, perhaps of only some models; its seal no longer matches."""
        made = msgspec.structs.replace(self, diagnosis=found)
        made.__dict__.update(self.__dict__)
        return made

    @property
    def label_space(self) -> LabelSpace:
        """The labels that its cases and answers are judged by."""
        return self.spec.label_space(self.suites)

    @property
    def own_names(self) -> dict[str, str]:
        """The user's own names for labels, each with our name."""
        return dict(self.label_space.names)

    @property
    def label_names(self) -> LabelNames:
        return LabelNames(self.own_names)

    def find(self, name: str, by: Sequence[str] = FAMILY, **where: str) -> dict[tuple[str, ...], Estimate]:
        """The numbers of one name, keyed by the values of the names in `by`; `where` selects one model or suite.

        Only slices with exactly these names are found: without "label" in `by` or `where`, whole families.
        `record.find("accuracy", by=("model", "family"))["assay:overlap/v1", "negation"].value` is one accuracy.
        """
        names = dict.fromkeys(e.name for e in self.estimates)
        check_known(name, names, f"There is no metric {name!r} in {self.id}")
        slices = dict.fromkeys(each for e in self.estimates for each in e.slice)
        for each in (*by, *where):
            check_known(each, slices, f"No number in {self.id} is measured by {each!r}")
        return find(self.estimates, name, by, **where)

    def to_pandas(self) -> "pandas.DataFrame":
        """The numbers as a pandas data frame: one row per number, with a column for every name in a slice."""
        return cast("pandas.DataFrame", frame_library("pandas").DataFrame(estimate_columns(self.estimates)))

    def to_polars(self) -> "polars.DataFrame":
        """The numbers as a polars data frame, with the same columns."""
        return cast("polars.DataFrame", frame_library("polars").DataFrame(estimate_columns(self.estimates)))

    def _tables(self, *, brief: bool) -> list[ShownTable]:
        """Accuracy by family and model, with marked losses and the verdicts."""
        found = find(self.estimates, "accuracy", ("suite", "family", "model"))
        lost = {key_of(each.slice) for each in self.judgement.losses}
        models = list(dict.fromkeys(model for _, _, model in found))
        references = {each.model for each in self.models if each.reference}
        heads = [f"{model} ({REFERENCE})" if model in references else model for model in models]
        rows: list[list[object]] = []
        for suite, family in dict.fromkeys((suite, family) for suite, family, _ in found):
            here = [found.get((suite, family, model)) for model in models]
            cells = (share(e.value, marked=key_of(e.slice) in lost) if e else share(None) for e in here)
            rows.append([suite, family, *cells, max(e.n for e in here if e)])
        verdicts = {each.model: each.outcome for each in self.judgement.verdicts}
        rows += [["verdict", "", *(ShownNumber(verdicts.get(model, "-")) for model in models), ""]] if verdicts else []
        caption = (
            f"{self.id}: accuracy in %; {MARK}: significantly below the unmodified pairs"
            + (f"; judged by two labels: {', '.join(self.suites)}" if self.label_space.is_binary else "")
            + (f"; {REFERENCE}: shown for comparison" if references else "")
            + (f"; stored in {str(self.folder)!r}" if brief and self.folder else "")
        )
        return [ShownTable(caption, ["suite", "family", *heads, "cases"], rows)]
