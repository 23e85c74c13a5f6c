"""Label spaces: the labels that cases and answers are judged by, two or three, and the user's names for them."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal

import msgspec

from assay.core.label import THREE_WAY, Label
from assay.core.option_fields import OptionInfo

Collapse = Literal["argmax", "sum"]
"""Rule for reading a three-way answer as two: the best label is read as one of two, or neutral and contradiction
are added up first."""

LABELS = tuple(Label)  # labels by code: a label's code is its index here
NO_ANSWER = len(LABELS)  # the code of an answer that is missing
TWO_WAY_KEY = "two_way"  # the key under which records and tables store who or what is judged by two labels


class LabelNames:
    """Names of labels for a user, who may have their own.

    A label for which the user has several names is shown by ours. If entailment alone has a name,
    non-entailment is named after it.

    >>> names = LabelNames({"SUPPORTED": "entailment", "REFUTED": "contradiction"})
    >>> names("entailment"), names("neutral"), names("non-entailment"), names("none")
    ('SUPPORTED', 'neutral', 'not SUPPORTED', 'none')
    """

    def __init__(self, own: Mapping[str, str] = MappingProxyType({})) -> None:
        labels = list(own.values())
        self._shown = {label: name for name, label in own.items() if labels.count(label) == 1}
        entailed = self._shown.get(Label.ENTAILMENT, Label.ENTAILMENT)
        if entailed != Label.ENTAILMENT and Label.NON_ENTAILMENT not in labels:
            self._shown[Label.NON_ENTAILMENT] = f"not {entailed}"

    def __call__(self, label: str) -> str:
        """The name of a label; any other text is returned as it is."""
        return self._shown.get(label, str(label))

    def __bool__(self) -> bool:
        return bool(self._shown)


def merged_names(named: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """Own names from several places, merged; a name that means two labels is left out.

    >>> merged_names([{"yes": "entailment", "no": "neutral"}, {"no": "non-entailment"}])
    {'yes': 'entailment'}
    """
    meant: dict[str, set[str]] = {}
    for names in named:
        for own, label in names.items():
            meant.setdefault(own, set()).add(label)
    return {own: next(iter(labels)) for own, labels in meant.items() if len(labels) == 1}


class LabelSpace(msgspec.Struct, frozen=True, kw_only=True):
    """The labels that cases and answers are judged by. In a space of two, neutral and contradiction are non-entailment.

    >>> space = LabelSpace.of(["entailment", "non-entailment"], names={"no": "non-entailment"})
    >>> space.is_binary, space.chance, space.read(Label.NEUTRAL).value, space.name("neutral")
    (True, 0.5, 'non-entailment', 'no')
    >>> THREE_LABELS.read(Label.NEUTRAL).value
    'neutral'
    """

    labels: tuple[Label, ...] = THREE_WAY  # the possible labels, in the order in which ties are broken
    names: Mapping[str, str] = {}  # the user's own names for labels, each with our name
    collapse: Collapse = "argmax"  # rule for three-way answers where cases have two labels

    @classmethod
    def of(cls, labels: Iterable[str], *, names: Mapping[str, str] = MappingProxyType({})) -> "LabelSpace":
        """The space of labels that were found in data, and of those that the user's names mean.

        >>> LabelSpace.of(["neutral", "non-entailment"]).is_binary, LabelSpace.of(["entailment"]).is_binary
        (False, False)
        """
        found = {*labels, *names.values()}
        is_binary = Label.NON_ENTAILMENT in found and not found & {Label.NEUTRAL, Label.CONTRADICTION}
        return cls(labels=TWO_LABELS.labels if is_binary else THREE_WAY, names=names)

    @property
    def is_binary(self) -> bool:
        """True if there are only entailment and non-entailment."""
        return len(self.labels) == 2

    @property
    def chance(self) -> float:
        """Accuracy of a random guess."""
        return 1 / len(self.labels)

    @property
    def codes(self) -> tuple[int, ...]:
        """The code of every label, and of a missing answer, as it is read here."""
        return (*(LABELS.index(self.read(label)) for label in LABELS), NO_ANSWER)

    def read(self, label: Label) -> Label:
        """The label as it is judged here.

        >>> [TWO_LABELS.read(label).value for label in Label]
        ['entailment', 'non-entailment', 'non-entailment', 'non-entailment']
        """
        return label if label is Label.ENTAILMENT or not self.is_binary else Label.NON_ENTAILMENT

    def name(self, label: str) -> str:
        """The name that a label is shown by; any other text is returned as it is."""
        return LabelNames(self.names)(self.read(Label(label)) if label in THREE_WAY else label)

    def count(self, counts: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
        """Cases by family and label, with labels as they are read here.

        >>> TWO_LABELS.count({"original": {"entailment": 3, "neutral": 2, "contradiction": 4}})
        {'original': {'entailment': 3, 'non-entailment': 6}}
        """
        if not self.is_binary:
            return {family: dict(labels) for family, labels in counts.items()}
        found: dict[str, dict[str, int]] = {}
        for family, labels in counts.items():
            merged = found[family] = {}
            for label, n in labels.items():
                name = self.read(Label(label)).value
                merged[name] = merged.get(name, 0) + n
        return found

    def stored(self) -> dict[str, Any]:
        """The fields of a `LabelledRecord`."""
        return {TWO_WAY_KEY: self.is_binary, "names": dict(self.names)}

    def resize(self, two_way: bool | None) -> "LabelSpace":
        """The space with two labels or with three, as `--two-way` says; None leaves it unchanged.

        >>> THREE_LABELS.resize(None) is THREE_LABELS, THREE_LABELS.resize(True) == TWO_LABELS
        (True, True)
        """
        if two_way is None or two_way is self.is_binary:
            return self
        return msgspec.structs.replace(self, labels=TWO_LABELS.labels if two_way else THREE_WAY)


TWO_LABELS = LabelSpace(labels=(Label.ENTAILMENT, Label.NON_ENTAILMENT))
"""Two-way sets: neutral or contradiction, without saying which, are one label."""

THREE_LABELS = LabelSpace()


LabelChoice = Annotated[
    bool | None,
    OptionInfo(
        "Judge by two labels (neutral and contradiction as one), or by the labels as built.",
        "--two-way/--three-way",
        default="two-way if the corpus has two labels or a model gives one score per pair",
    ),
]


class LabelOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The option of judging by two labels or three."""

    two_way: LabelChoice = None

    def resize(self, space: LabelSpace) -> LabelSpace:
        """The space with as many labels as the option says."""
        return space.resize(self.two_way)


class LabelledRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A result that names the labels by which cases and answers were judged."""

    two_way: bool = False  # True if neutral and contradiction count as one label
    names: dict[str, str] = {}  # the user's own names for labels, each with our name

    @property
    def label_space(self) -> LabelSpace:
        """The labels that cases and answers were judged by."""
        return LabelSpace(names=self.names).resize(self.two_way)
