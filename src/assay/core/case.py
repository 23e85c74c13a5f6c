"""A case: one question of a suite, and where it comes from."""

import hashlib
from functools import lru_cache

import msgspec

from assay.core.edit import Edit, Expectation
from assay.core.label import Label
from assay.core.pair import Pair, premise_cluster

Option = str | int | float | bool  # the value of a transform's option
ORIGINAL = "original"  # the family of the unchanged source pairs

SUBMISSION = "submission"
"""The family of pairs that were answered elsewhere and don't say which released test they belong to."""

DEFAULT_FAMILIES = (
    *("antonymy", "numeracy", "lexical", "word-overlap", "negation", "length-mismatch", "spelling", "swap"),
    "heuristics",
    *("scope", "monotonicity", "conjunction", "quantifiers", "comparatives", "conditionals"),
)
"""The families of a run by default, in the order in which every table shows them."""

CLAIM_FAMILIES = ("quantities", "roles", "denial", "foreign")
"""The families that a run on claims with evidence has instead of numeracy and swap."""

FAMILIES_OF_CLAIMS = (*(family for family in DEFAULT_FAMILIES if family not in ("numeracy", "swap")), *CLAIM_FAMILIES)
"""The families of a run on claims by default."""

_BLANK = hashlib.blake2b(digest_size=8)


class Recipe(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A transform with all settings that determine its edits."""

    transform: str
    options: dict[str, Option] = {}  # the options that differ from the transform's defaults
    seed: int  # the seed of the build: chance is keyed by seed, transform and origin
    severity: int | None = None  # the rung of a ladder, if the same test is built in several strengths

    @property
    def claims_labels(self) -> bool:
        """True if its cases must be verified. Cases that follow a paper or its code are built without verification."""
        return self.options.get("fidelity", "strict") == "strict"


class Provenance(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Everything needed to rebuild a case from its source pair."""

    recipe: Recipe
    source: str  # a digest of the source pair's texts, so that undoing the change can be checked
    edit: Edit
    label: Label | None = None  # the source pair's label: undoing a change that keeps the label must give it
    root: str = ""  # if the source pair was itself a case of a suite: the id of the pair that it was made from
    unit: str = ""
    """A unit shared with cases of other premises, such as the words that are exchanged; empty if there is none."""


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """One question of a suite.

    Cases from the same source pair are next to each other in a suite, so that intervals can respect the cluster.
    """

    id: str  # unique in the suite; it names the recipe and the source pair
    premise: str
    hypothesis: str
    label: Label | None  # the right answer; None if it is unknown, as for a swapped pair
    family: str  # the family of tests, such as negation
    variant: str  # the variant within the family; empty if there is only one
    group: dict[str, str]  # named slices of the pair and of the edit, such as genre, category or subcase
    origin: str
    cluster: str  # a short name for the source pair's premise; folds are drawn by it
    provenance: Provenance

    def __post_init__(self) -> None:
        if (
            self.label is not None and self.provenance.edit.expects != "label"
        ):  # a suite of Assay 0.1 repeats the source pair's label
            msgspec.structs.force_setattr(self, "label", None)

    @property
    def root(self) -> str:
        """The pair that it ultimately comes from. Cases that share it are not independent."""
        return self.provenance.root or self.origin

    @property
    def clusters(self) -> tuple[str, str]:
        """The premise that it shares with other cases, and the unit; the premise again if it has no unit.

        Cases that share either are not independent. A case that was made from a case of a suite has the root instead of
        the premise, which may have been changed.
        """
        premise = self.provenance.root or self.cluster
        return premise, self.provenance.unit or premise

    @property
    def expects(self) -> Expectation:
        """The expected behaviour of a model that reads both texts. Most cases expect their label."""
        return self.provenance.edit.expects

    @property
    def compared_with(self) -> Label:
        """The label that answers are compared with: its own or, without one, the source pair's."""
        label = self.label or self.provenance.label
        if label is None:
            raise ValueError(f"{self.id} has no label, and neither does its provenance")
        return label


def family_rank(family: str) -> int:
    """The place of a family in every table: the source pairs, then the families above, then all others.

    >>> sorted(["swap", "mine", "negation", "original"], key=family_rank)
    ['original', 'negation', 'swap', 'mine']
    """
    order = (ORIGINAL, *DEFAULT_FAMILIES, *CLAIM_FAMILIES)
    return order.index(family) if family in order else len(order)


def case_from(pair: Pair, edit: Edit, *, family: str, recipe: Recipe, number: int = 0, unit: str = "") -> Case:
    """Turn an edit of a pair into a case; `number` counts the edits that one recipe made from the pair.

    `unit` names what the edit shares with edits of other pairs; if there is nothing, the case has the pair's unit.

    >>> pair = Pair(id="7", premise="It rains.", hypothesis="It is wet.", label=Label.ENTAILMENT)
    >>> case_from(pair, Edit(), family="original", recipe=Recipe(transform="original/v1", seed=0)).id
    'original/v1:7'
    """
    premise, hypothesis = edit.apply(pair)
    variant, severity = edit.variant, recipe.severity
    group = {**pair.group, **edit.group} if edit.group else pair.group
    name = f"{recipe.transform}.{variant}" if variant else recipe.transform
    if severity is not None:
        name += f"@{severity}"
        group = {**group, "severity": str(severity)}
    if number:
        name += f".{number}"
    source = text_digest(pair.premise, pair.hypothesis)
    return Case(
        id=f"{name}:{pair.id}",
        premise=premise,
        hypothesis=hypothesis,
        label=(edit.label or pair.label) if edit.expects == "label" else None,
        family=family,
        variant=variant,
        group=group,
        origin=pair.id,
        cluster=premise_cluster(pair.premise),
        provenance=Provenance(
            recipe=recipe, source=source, edit=edit, label=pair.label, root=pair.root, unit=unit or pair.unit
        ),
    )


@lru_cache(maxsize=256)  # the builder and the check of each family ask about the same pairs
def text_digest(premise: str, hypothesis: str) -> str:
    """A short name for two texts.

    >>> text_digest("a", "b") == text_digest("ab", "")
    False
    """
    digest = _BLANK.copy()  # faster than a new one
    digest.update(f"{premise}\0{hypothesis}".encode())
    return digest.hexdigest()


THRESHOLD = 0.5  # the support score from which the answer of a model is entailment, unless it has its own threshold
DECIMALS = 6  # decimals of a probability; more would mean nothing and take space


class Answer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A model's answer to two texts, whatever case they come from."""

    label: Label
    probabilities: dict[Label, float] | None = None  # by label, never by position; None if the model gives none
    truncated: bool = False  # True if the premise was too long for the model, and its end was cut off
    note: str = ""  # the reason for a fallback, if the model could not judge the texts; empty if it could
    read_from: str = ""  # the source of the label, such as `plain text`, if the model has several ways to give one
    threshold: float | None = None
    """The support score from which the answer is entailment; None if the model does not answer with one score."""

    @classmethod
    def scored(cls, score: float, *, threshold: float = THRESHOLD, read_from: str = "") -> "Answer":
        """The answer of a model that gives one number from 0 to 1: how well the premise supports the hypothesis.

        >>> Answer.scored(0.4).label, Answer.scored(0.4, threshold=0.3).label
        (<Label.NON_ENTAILMENT: 'non-entailment'>, <Label.ENTAILMENT: 'entailment'>)
        """
        score = round(score, DECIMALS)
        return cls(
            label=Label.ENTAILMENT if score >= threshold else Label.NON_ENTAILMENT,
            probabilities={Label.ENTAILMENT: score, Label.NON_ENTAILMENT: round(1 - score, DECIMALS)},
            threshold=threshold,
            read_from=read_from,
        )

    def to(self, case: str) -> "Prediction":
        return Prediction(
            id=case,
            label=self.label,
            probabilities=self.probabilities,
            note=self.note,
            truncated=self.truncated,
            threshold=self.threshold,
        )


class Prediction(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A model's answer to a case.

    >>> Prediction(id="negation/v1:7", label=Label.NEUTRAL).label
    <Label.NEUTRAL: 'neutral'>
    """

    id: str
    label: Label
    probabilities: dict[Label, float] | None = None  # by label, never by position; None if the model gives none
    note: str = ""  # the reason for a fallback, if the model could not judge the case; empty if it could
    truncated: bool = False  # True if the premise was too long for the model, and its end was cut off
    threshold: float | None = None
    """The support score from which the answer is entailment; None if the model does not answer with one score."""
