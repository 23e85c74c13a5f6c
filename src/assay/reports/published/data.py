"""On what a figure was measured: corpus, split and fidelity. Figures are compared only where all three are the same."""

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Protocol

import msgspec

from assay.core.case import ORIGINAL, Recipe
from assay.core.suite import Source

AS_THEY_ARE = frozenset({ORIGINAL, "swap"})
"""Families without a fidelity: there is one way to make them."""

RELEASED = "stress-tests/v1"
"""The format of the released stress tests, which their authors' code made."""

CODE = "code"
"""The fidelity of what an author's code made."""

STATED_NOWHERE = "not stated"
"""A split that the paper does not name; it is never the same as one of ours, unless the authors' own file is read."""


class Data(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """On what a figure was measured."""

    corpus: str = ""
    """The corpus that cases are, or were made of."""
    split: str = ""
    """Which part of it."""
    fidelity: str = ""
    """How cases were made of it, and what else was set; empty where they are its pairs, as they are or swapped."""

    @property
    def name(self) -> str:
        """It in words.

        >>> Data(corpus="MultiNLI", split="dev matched", fidelity="code").name
        'MultiNLI dev matched, code'
        """
        return ", ".join(filter(None, (f"{self.corpus} {self.split}".strip(), self.fidelity)))

    def differs(self, other: "Data") -> tuple[str, ...]:
        """In what it is another.

        >>> Data(corpus="SNLI", split="test").differs(Data(corpus="SNLI", split="dev"))
        ('split',)
        """
        return tuple(name for name in self.__struct_fields__ if getattr(self, name) != getattr(other, name))


class Asked(Protocol):
    """The manifest of a suite, or what is known of a corpus that was scored."""

    @property
    def source(self) -> Source: ...

    @property
    def recipes(self) -> Sequence[Recipe]: ...


class Split(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A split of a corpus, and how to recognise it."""

    corpus: str
    """The corpus."""
    split: str
    """Its part."""
    name: str
    """What its file is called, as a pattern; empty where the name says nothing."""
    labels: dict[str, int] = {}
    """Pairs by label in all of it."""
    format: str = ""
    """How it is read, where its name and its labels alone say too little."""

    def is_all_of(self, source: Source) -> bool:
        """Whether a source holds every pair of it: files differ, the number of pairs by label does not."""
        counts = {label: n for label, n in source.labels.items() if n}
        return bool(self.labels) and counts == self.labels and self.format in ("", source.format)

    def is_part_of(self, source: Source) -> bool:
        """Whether a source is named like it and holds no more pairs than it."""
        if not self.name or self.format not in ("", source.format):
            return False
        fits = all(n <= self.labels.get(label, 0) for label, n in source.labels.items()) if self.labels else True
        return fits and bool(re.search(rf"(?<![a-z]){self.name}(?![a-z])", source.name))


@lru_cache(maxsize=1)
def splits() -> tuple[Split, ...]:
    """The splits that published figures are about, and those that are recognised beside them."""
    file = files("assay.reports") / "published" / "splits.json"
    return msgspec.json.decode(file.read_bytes(), type=tuple[Split, ...])


def data_of(asked: Asked, family: str) -> Data:
    """The data of a family of a suite. A corpus that is not known goes by the name of its file."""
    source = asked.source
    fidelity = "" if family in AS_THEY_ARE else fidelity_of(asked.recipes, family)
    for split in splits():
        if split.is_all_of(source) or split.is_part_of(source):
            return Data(corpus=split.corpus, split=split.split, fidelity=fidelity)
    return Data(corpus=source.name, fidelity=fidelity)


def released_data(source: Source, family: str) -> Data:
    """The data of a released stress test, whose file says which split it was made of."""
    if family == "numeracy":
        return Data(corpus="AQuA-RAT", split=STATED_NOWHERE, fidelity=CODE)
    named = re.search(r"_(mismatched|matched)\b", source.name)
    return Data(corpus="MultiNLI", split=f"dev {named[1] if named else 'matched and mismatched'}", fidelity=CODE)


def part_of(asked: Asked) -> str:
    """How much of a known split was read, where it was not all of it.

    A split whose size is not known is never said to be a part.
    """
    source = asked.source
    for split in splits():
        if split.labels and not split.is_all_of(source) and split.is_part_of(source):
            return f"{sum(source.labels.values()):,} of {sum(split.labels.values()):,} pairs"
    return ""


def fidelity_of(recipes: Sequence[Recipe], family: str) -> str:
    """How a family was built, with every switch that was set; a variant is a test of its own and is left out.

    >>> fidelity_of([Recipe(transform="negation/v1", options={"fidelity": "code", "times": 2}, seed=0)], "negation")
    'code, times=2'
    """
    built = {_setting(each) for each in recipes if each.transform.partition("/")[0] == family}
    return built.pop() if len(built) == 1 else "several settings" if built else ""


def _setting(recipe: Recipe) -> str:
    others = {name: value for name, value in recipe.options.items() if name not in ("fidelity", "variant")}
    return ", ".join([str(recipe.options.get("fidelity", "strict")), *(f"{k}={v}" for k, v in sorted(others.items()))])
