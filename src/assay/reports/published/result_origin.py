"""The data of a figure: corpus, split and fidelity. Figures are compared only if all three are the same."""

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Protocol

import msgspec

from assay.core.case import ORIGINAL, Recipe
from assay.core.manifest import Source

AS_THEY_ARE = frozenset({ORIGINAL, "swap"})
"""Families without a fidelity: there is one way to make them."""

RELEASED = "stress-tests/v1"
"""The format of the released stress tests, which their authors' code generated."""

CODE = "code"
"""The fidelity of what the authors' code generated."""

STATED_NOWHERE = "not stated"
"""A split that the paper does not name; it never matches one of ours, unless the authors' own file is read."""


class Data(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The data that a figure was measured on."""

    corpus: str = ""
    """The corpus that cases are from, or were made from."""
    split: str = ""
    """Which part of it."""
    fidelity: str = ""
    """The fidelity of its cases, with any other switches; empty for its own pairs, unchanged or swapped."""

    @property
    def name(self) -> str:
        """The data, in words.

        >>> Data(corpus="MultiNLI", split="dev matched", fidelity="code").name
        'MultiNLI dev matched, code'
        """
        return ", ".join(filter(None, (f"{self.corpus} {self.split}".strip(), self.fidelity)))

    def differs(self, other: "Data") -> tuple[str, ...]:
        """The fields in which it differs from other data.

        >>> Data(corpus="SNLI", split="test").differs(Data(corpus="SNLI", split="dev"))
        ('split',)
        """
        return tuple(name for name in self.__struct_fields__ if getattr(self, name) != getattr(other, name))


class ResultOrigin(Protocol):
    """The manifest of a suite, or what is known about a corpus that was scored."""

    @property
    def source(self) -> Source: ...

    @property
    def recipes(self) -> Sequence[Recipe]: ...


class CorpusSplit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A split of a corpus, and how to recognise it."""

    corpus: str
    split: str
    name: str
    """The name of its file, as a pattern; empty if the name does not identify it."""
    labels: dict[str, int] = {}
    """The pairs of the whole split, by label."""
    format: str = ""
    """Its format, if name and labels alone do not identify it."""

    def is_all_of(self, source: Source) -> bool:
        """True if a source holds all of its pairs: files may differ, but the number of pairs by label does not."""
        counts = {label: n for label, n in source.labels.items() if n}
        return bool(self.labels) and counts == self.labels and self.format in ("", source.format)

    def is_part_of(self, source: Source) -> bool:
        """True if a source has its name and no more pairs than it."""
        if not self.name or self.format not in ("", source.format):
            return False
        fits = all(n <= self.labels.get(label, 0) for label, n in source.labels.items()) if self.labels else True
        return fits and bool(re.search(rf"(?<![a-z]){self.name}(?![a-z])", source.name))


@lru_cache(maxsize=1)
def splits() -> tuple[CorpusSplit, ...]:
    """The splits that published figures are about, and others that can be recognised."""
    file = files("assay.reports") / "published" / "splits.json"
    return msgspec.json.decode(file.read_bytes(), type=tuple[CorpusSplit, ...])


def data_of(origin: ResultOrigin, family: str) -> Data:
    """The data of a suite's family. An unknown corpus is called by the name of its file."""
    source = origin.source
    fidelity = "" if family in AS_THEY_ARE else fidelity_of(origin.recipes, family)
    for split in splits():
        if split.is_all_of(source) or split.is_part_of(source):
            return Data(corpus=split.corpus, split=split.split, fidelity=fidelity)
    return Data(corpus=source.name, fidelity=fidelity)


def released_data(source: Source, family: str) -> Data:
    """The data of a released stress test, whose file name says which split it was made from."""
    if family == "numeracy":
        return Data(corpus="AQuA-RAT", split=STATED_NOWHERE, fidelity=CODE)
    named = re.search(r"_(mismatched|matched)\b", source.name)
    return Data(corpus="MultiNLI", split=f"dev {named[1] if named else 'matched and mismatched'}", fidelity=CODE)


def part_of(origin: ResultOrigin) -> str:
    """The share of a known split that was read, if not all of it.

    A split of unknown size is never called a part.
    """
    source = origin.source
    for split in splits():
        if split.labels and not split.is_all_of(source) and split.is_part_of(source):
            return f"{sum(source.labels.values()):,} of {sum(split.labels.values()):,} pairs"
    return ""


def fidelity_of(recipes: Sequence[Recipe], family: str) -> str:
    """The fidelity of a family, with every switch that was set; variants are separate tests and are left out.

    >>> fidelity_of([Recipe(transform="negation/v1", options={"fidelity": "code", "times": 2}, seed=0)], "negation")
    'code, times=2'
    """
    built = {_setting(each) for each in recipes if each.transform.partition("/")[0] == family}
    return built.pop() if len(built) == 1 else "several settings" if built else ""


def _setting(recipe: Recipe) -> str:
    others = {name: value for name, value in recipe.options.items() if name not in ("fidelity", "variant")}
    return ", ".join([str(recipe.options.get("fidelity", "strict")), *(f"{k}={v}" for k, v in sorted(others.items()))])
