"""Published results, as data: by paper, table, row and column, with the data and split that each is of."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Literal, Protocol

import msgspec

from assay.core.case import ORIGINAL, Recipe
from assay.core.errors import UnknownNameError, did_you_mean
from assay.core.estimate import Key, key_of
from assay.core.manifest import Source

AS_THEY_ARE = frozenset({ORIGINAL, "swap"})  # families without a fidelity: there is one way to make them
RELEASED = "stress-tests/v1"  # the format of the released stress tests, which their authors' code generated
CODE = "code"  # the fidelity of what the authors' code generated


class Data(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The data that a number was measured on."""

    corpus: str = ""  # the corpus that cases are from, or were made from
    split: str = ""
    fidelity: str = ""  # of its cases, with any other switches; empty for its own pairs, unchanged or swapped

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
    name: str  # the name of its file, as a pattern; empty if the name does not identify it
    labels: dict[str, int] = {}  # the pairs of the whole split, by label
    format: str = ""  # its format, if name and labels alone do not identify it

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
    """The splits that published numbers are about, and others that can be recognised."""
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
        return Data(corpus="AQuA-RAT", split="not stated", fidelity=CODE)
    named = re.search(r"_(mismatched|matched)\b", source.name)
    return Data(corpus="MultiNLI", split=f"dev {named[1] if named else 'matched and mismatched'}", fidelity=CODE)


def part_of(origin: ResultOrigin) -> str:
    """The fraction of a known split that was read, if not all of it.

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
    built = set()
    for options in (each.options for each in recipes if each.transform.partition("/")[0] == family):
        others = [f"{name}={value}" for name, value in sorted(options.items()) if name not in ("fidelity", "variant")]
        built.add(", ".join([str(options.get("fidelity", "strict")), *others]))
    return built.pop() if len(built) == 1 else "several settings" if built else ""


class PublishedFigure(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    paper: str  # the key of the paper, such as naik2018
    table: str  # the number of the table, or the section if the table has none
    row: str
    column: str
    printed: str
    measures: str
    unit: str
    model: str = ""  # the system that the number belongs to, as the paper calls it
    system: str = ""  # description of that system; systems that only share a name differ here
    data: Data = Data()
    trained: str = ""
    slice: dict[str, str] = {}
    """The slice of ours that measures the same: family, label, group. Empty if there is none."""
    doubt: str = ""

    @property
    def value(self) -> float:
        return float(self.printed)

    @property
    def share(self) -> float | None:
        """The value as a fraction of 1; None if it is not a fraction."""
        return {"per cent": self.value / 100, "share": self.value}.get(self.unit)


class TableLine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: str
    slice: dict[str, str] = {}  # the slice that all of its cells share
    data: dict[str, str] = {}  # corpus, split, fidelity and training data of its cells, if they differ from the table's
    values: tuple[Any, ...] = ()


class PublishedTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    number: str  # its number, or its section
    title: str
    measures: str
    unit: str
    columns: tuple[TableLine, ...]
    rows: tuple[TableLine, ...]
    models: Literal["", "rows", "columns"] = ""  # `rows` or `columns`, if each is for one system
    model: str = ""
    data: dict[str, str] = {}
    """Corpus, split, fidelity and training data of its numbers; columns can override them, and rows both."""
    note: str = ""


class Doubt(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A number that does not fit with others of its paper."""

    table: str
    row: str
    column: str
    kind: Literal["misprint", "rounding", "suspicious"]
    """A misprint contradicts other numbers; rounding explains it; or it only looks wrong."""
    fact: str


class PublishedPaper(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    key: str
    authors: str
    year: int
    title: str
    venue: str
    tables: tuple[PublishedTable, ...]
    systems: dict[str, str] = {}  # descriptions of its systems, by their names in the paper
    doubts: tuple[Doubt, ...] = ()

    def figures(self) -> Iterator[PublishedFigure]:
        """Every cell of every table."""
        doubts = {(each.table, each.row, each.column): each.fact for each in self.doubts}
        for table in self.tables:
            for row in table.rows:
                for column, cell in zip(table.columns, row.values, strict=True):
                    if cell != "-":  # the paper gives no number
                        where = {**column.slice, **row.slice}
                        owner = {"rows": row.name, "columns": column.name, "": table.model}[table.models]
                        model = where.pop("model", owner)
                        on = {**table.data, **column.data, **row.data}
                        trained = on.pop("trained", "")
                        yield PublishedFigure(
                            paper=self.key,
                            table=table.number,
                            row=row.name,
                            column=column.name,
                            printed=str(cell),
                            measures=table.measures,
                            unit=table.unit,
                            model=model,
                            system=self.systems.get(model, ""),
                            data=msgspec.convert(on, Data),
                            trained=trained,
                            slice=where,
                            doubt=doubts.get((table.number, row.name, column.name), ""),
                        )


@cache
def published_values(paper: str, name: str) -> frozenset[str]:
    """The values in the tables of a paper for a name of our slices, such as its families.

    >>> sorted(published_values("mccoy2019", "heuristic"))
    ['constituent', 'lexical_overlap', 'subsequence']
    """
    return frozenset(each.slice[name] for each in figures() if each.paper == paper and name in each.slice)


@lru_cache(maxsize=1)
def papers() -> tuple[PublishedPaper, ...]:
    """All papers, by year and name.

    >>> [paper.key for paper in papers()]
    ['glockner2018', 'naik2018', 'mccoy2019', 'wang2019', 'jeretic2020', 'saha2020']
    """
    folder = files("assay.reports") / "published"
    found = [file for file in folder.iterdir() if file.name.endswith(".toml")]
    # Decimals keep the digits that are printed: 0.080 is more than 0.08.
    loaded = [
        msgspec.convert(tomllib.loads(file.read_text("utf-8"), parse_float=Decimal), PublishedPaper) for file in found
    ]
    return tuple(sorted(loaded, key=lambda paper: (paper.year, paper.key)))


def paper(key: str) -> PublishedPaper:
    known = {each.key: each for each in papers()}
    if key not in known:
        raise UnknownNameError(f"No paper {key!r}{did_you_mean(key, known)} See `assay list published`.")
    return known[key]


def table(key: str, number: str) -> PublishedTable:
    """A table of a paper by its number.

    >>> table("wang2019", "A2").title
    'Kinds of errors among those 400'
    """
    known = {each.number: each for each in paper(key).tables}
    if number not in known:
        raise UnknownNameError(f"No table {number!r} in {key}; it has {', '.join(known)}.")
    return known[number]


@lru_cache(maxsize=1)
def figures() -> tuple[PublishedFigure, ...]:
    """Every published number.

    >>> len({(each.paper, each.table, each.row, each.column) for each in figures()}) == len(figures())
    True
    """
    return tuple(figure for paper in papers() for figure in paper.figures())


def figure(key: str, number: str, *, row: str, column: str) -> PublishedFigure:
    """One number by its position.

    >>> figure("wang2019", "1", row="ADV, entailment", column="swapped test").printed
    '0.860'
    """
    for each in figures():
        if (each.paper, each.table, each.row, each.column) == (key, number, row, column):
            return each
    raise UnknownNameError(f"No number in {key}, table {number}: row {row!r}, column {column!r}.")


def published_accuracies(where: Mapping[str, str]) -> tuple[PublishedFigure, ...]:
    """The published accuracies that correspond to one of ours: those with the same family, label and group.

    `where` is the slice of an estimate; its model and suite do not matter. A number that belongs to no family has no
    related numbers. Related numbers can come from another corpus, split or fidelity: see their `data`.

    >>> [(each.model, each.share) for each in published_accuracies({"model": "m", "family": "numeracy"})][:2]
    [('NB', 0.212), ('CH', 0.303)]
    """
    if "family" not in where:
        return ()
    return _accuracies().get(frozenset(part for part in where.items() if part[0] not in ("model", "suite")), ())


@lru_cache(maxsize=1)
def _accuracies() -> dict[Key, tuple[PublishedFigure, ...]]:
    """The published accuracies by their slices."""
    found: dict[Key, tuple[PublishedFigure, ...]] = {}
    for each in figures():
        if each.measures == "accuracy" and each.share is not None:
            key = key_of(each.slice)
            found[key] = (*found.get(key, ()), each)
    return found
