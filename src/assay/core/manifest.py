"""The manifest of a suite: what it was built from, and what it holds."""

from typing import Literal

import msgspec

from assay.core.case import Recipe
from assay.core.label_space import LabelSpace
from assay.core.serialise import with_seal


class Sampling(msgspec.Struct, frozen=True, kw_only=True):
    """A random sample of pairs, stratified by label and genre."""

    n: int
    seed: int = 0


MANIFEST_SCHEMA = 1  # the version of `manifest.json`; a reader refuses a newer one


Storage = Literal["jsonl", "jsonl.zst", "parquet", "parts"]
"""Storage of cases: in one file, or in several parquet files in a folder."""


NOT_DRAWN = "not drawn for the sample"  # the reason under which `Source.skipped` counts the pairs outside a sample


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """The corpus that a suite was built from, and what was read from it."""

    name: str
    format: str
    digest: str  # SHA-256 of the file, or of in-memory pairs as JSON lines; empty if there is neither
    rows: int
    pairs: int  # number that became pairs
    labels: dict[str, int]
    skipped: dict[str, int]
    sample: Sampling | msgspec.UnsetType = msgspec.UNSET  # the sample; unset if all pairs were used
    notes: tuple[str, ...] = ()  # notes, such as how numeric labels were read
    names: dict[str, str] | msgspec.UnsetType = msgspec.UNSET
    """The user's own names for labels, each with our name; unset if there are none."""

    @property
    def own_names(self) -> dict[str, str]:
        """The user's own names for labels, each with our name."""
        return {} if self.names is msgspec.UNSET else self.names

    @property
    def label_space(self) -> LabelSpace:
        """The labels of the corpus and the user's names for them."""
        return LabelSpace.of(self.labels, names=self.own_names)


class Slice(msgspec.Struct, frozen=True, kw_only=True):
    """The cases and skips of one slice of a family, such as a category of words."""

    cases: dict[str, int]
    skips: dict[str, int]
    not_drawn: int = 0  # pairs that could have given a case but were not drawn


class CaseSource(msgspec.Struct, frozen=True, kw_only=True):
    """Origin of the cases that models were run on."""

    source: Source
    recipes: tuple[Recipe, ...]


class Shortcuts(msgspec.Struct, frozen=True, kw_only=True):
    """Accuracy of labels guessed from the surface of a family's cases, as learned from other source pairs."""

    n: int
    majority: float  # the fraction of cases with the most frequent label, for comparison
    hypothesis_words: float  # the accuracy from the words of the hypothesis, without their order
    edited_words: float  # the accuracy from the words that were removed and added
    overlap: float | None = None  # the accuracy from the words that both texts share; None if it was not measured
    lengths: float  # the accuracy from the number of words in the hypothesis and its difference from the premise


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """Content and origin of a suite, with the digests that show damage."""

    schema: int = MANIFEST_SCHEMA
    source: Source
    recipes: tuple[Recipe, ...]  # the transforms, in the order in which they were applied to each pair
    seed: int
    storage: Storage
    cases: int
    counts: dict[str, dict[str, int]]
    """Cases by family and label; swapped pairs, which have no label, by the label of the source pair."""
    skips: dict[str, dict[str, int]]  # pairs that gave no case, by family and reason
    slices: dict[str, dict[str, Slice]] | msgspec.UnsetType = msgspec.UNSET
    """Cases and skips by family and slice; unset if no family has slices."""
    shortcuts: dict[str, Shortcuts] | msgspec.UnsetType = msgspec.UNSET
    """Accuracy from the surface alone, by family; unset if it was not measured."""
    digest: str  # SHA-256 of the cases as JSON lines, however they are stored
    file_digest: str  # SHA-256 of the stored file; for several parts, of their names and digests
    versions: dict[str, str]  # the version of Assay that built the suite
    seal: str = ""  # SHA-256 of this manifest without its seal, so that a change of any field is noticed

    @property
    def is_generated(self) -> bool:
        """True if a transform brought its own pairs, so that there is no corpus."""
        return self.source.format in {recipe.transform for recipe in self.recipes}

    @property
    def label_space(self) -> LabelSpace:
        """The labels that the suite is judged by, by default: two if it is built from a two-way corpus.

        Generated pairs do not count as such a corpus: they have two labels anyway.
        """
        space = self.source.label_space
        return space.resize(False) if self.is_generated else space

    @property
    def names(self) -> dict[str, str]:
        """The user's own names for labels, each with our name."""
        return self.source.own_names

    def sealed(self) -> "Manifest":
        return with_seal(self)
