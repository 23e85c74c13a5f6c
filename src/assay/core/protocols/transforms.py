"""Families of tests: transforms from pairs to edits, what they can say about themselves, and checks of their labels."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import ClassVar, Literal, Protocol, runtime_checkable

import msgspec

from assay.core.case import Case
from assay.core.edit import Edit, Skip
from assay.core.errors import UserError
from assay.core.pair import Pair, Problem
from assay.core.protocols.corpora import GeneratedCorpus

Fidelity = Literal["strict", "paper", "code"]
"""Whose rules a family follows: ours, those of the paper's text, or those of its released code."""

Excerpting = Literal["", "provable", "nearest"]
"""Which sentence of a long premise a family is built from: none, because it keeps the premise; the one with most of the
hypothesis's words; or, in that order, the first of which a case can be proven."""


class Transform(Protocol):
    """A pure, versioned function from a pair to edits. Entry points: `assay.transforms`.

    It is a class, whose fields are the switches of the family, or a plain function, which has none. It can declare the
    `Traits`, and it can also be `Varied`, `Sliced`, `WordReplacing`, `Generating` or `Splitting`.
    """

    def __call__(self, pair: Pair, rng: Random) -> list[Edit] | Skip:
        """The edits that turn the pair into cases, or why there are none."""


class Traits(msgspec.Struct, frozen=True, kw_only=True):
    """What a transform says about itself: class attributes of these names, each of which can be left out.

    >>> class Shout:
    ...     distinct = True
    >>> traits = described(Shout, name="shout/v1")
    >>> traits.family, traits.distinct, traits.with_original
    ('shout', True, False)
    """

    family: str
    """The family of tests that its cases belong to; by default the name under which it is registered."""
    variants: tuple[str, ...] = ()
    """The values of its switch `variant`, all of which `assay build all` builds."""
    strength: str = ""
    """The switch that sets how strong the test is, which a ladder varies; empty if there is none."""
    uses: tuple[str, ...] = ()
    """The resources that it needs: `wordnet`, `tagger`. They are English, so pairs in other languages are skipped."""
    english: bool = False
    """Skip pairs that are plainly not English, even if no resource is used."""
    distinct: bool = False
    """Drop a case with the same texts as an earlier one."""
    with_original: bool = False
    """Build the original pairs too, because its cases mean nothing without them."""
    excerpt: Excerpting = ""
    """Which sentence of a long premise it gets, because it makes a hypothesis of the premise; empty if it does not."""
    on_request: bool = False
    """Leave it out of `all`, because it costs much: it is built only if it is named."""
    from_corpus: str = ""
    """The transform that takes its place where a corpus is given, because this one generates its pairs."""
    any_length: bool = False
    """Accept texts of any length, because it does not search them; other transforms skip texts as long as a book."""


def described(transform: object, *, name: str) -> Traits:
    """What a transform or its class says about itself, with defaults for what it leaves out."""
    said = {field: getattr(transform, field) for field in Traits.__struct_fields__ if hasattr(transform, field)}
    try:
        return msgspec.convert({"family": name.partition("/")[0], **said}, Traits)
    except msgspec.ValidationError as error:
        raise UserError(f"The transform {name!r} declares something invalid about itself: {error}.") from error


@runtime_checkable
class Varied(Protocol):
    """A transform that has several variants."""

    @property
    def variant(self) -> str:
        """The variant that this one makes."""


@runtime_checkable
class Sliced(Transform, Protocol):
    """A transform whose cases fall into slices that are counted separately, such as categories of words."""

    family: ClassVar[str]
    """The family of tests that it belongs to."""
    slice_by: ClassVar[str]
    """The key of a case's `group` that names its slice."""
    absent: ClassVar[str]
    """The skip reason for a slice that no pair of the corpus can fill."""

    def slices(self) -> Sequence[str]:
        """The names of all slices that it can fill."""

    def slices_of(self, pair: Pair) -> Mapping[str, Skip | None]:
        """The slices that apply to a pair: for each, why it gives no case, or None if it can."""


@runtime_checkable
class WordReplacing(Protocol):
    """A transform that replaces one word by another, so that the cases of each word pair can be limited."""

    @property
    def per_word_pair(self) -> int | None:
        """The most cases of a word pair; 0 for no limit, None for a tenth of the family's cases."""

    def word_pair(self, edit: Edit) -> str:
        """The name of the word pair that an edit exchanges; it is the same in both directions."""


@runtime_checkable
class Generating(Protocol):
    """A transform that brings its own pairs, for instance from templates, so that it needs no corpus."""

    def generate(self, per_subcase: int, *, seed: int) -> GeneratedCorpus:
        """Pairs of every kind that it knows, `per_subcase` of each; the same pairs for the same seed."""


class Splitter(Protocol):
    """Makes pairs from word problems, and counts what it leaves out."""

    @property
    def skips(self) -> Counter[str]:
        """Problems and sentences that were left out, by reason."""

    def __call__(self, problem: Problem) -> Iterable[Pair]:
        """The pairs made from a problem."""

    def told(self) -> tuple[str, ...]:
        """What a careful user should know about what was split."""


@runtime_checkable
class Splitting(Protocol):
    """A transform that can make pairs from records that are not pairs."""

    def splitter(self) -> Splitter:
        """A new splitter, with all counts at zero."""


class Check(Protocol):
    """Proves the label of a case by other means than those that made it. It only sees the case.

    Entry points: `assay.checks`, under the versioned name of the transform whose cases it proves.
    """

    def __call__(self, case: Case) -> Skip | None:
        """None if the label is proven, or else why it is not."""


@runtime_checkable
class Foresighted(Check, Protocol):
    """A check that can say in advance that it will prove none of a transform's cases."""

    def foresee(self, transform: Transform) -> str:
        """Why no case can be proven, and what to do about it; empty if some can."""
