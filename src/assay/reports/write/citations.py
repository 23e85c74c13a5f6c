"""Citations for a paper about a run: its references as BibTeX, and a paragraph on methods."""

import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import ClassVar, Literal, NamedTuple

import msgspec

from assay.core.case import ORIGINAL, family_rank
from assay.core.manifest import Manifest
from assay.core.registry import split_alias
from assay.corpora.cards import find_card
from assay.evaluate.seeds import split_seed
from assay.reports.phrases import short_name
from assay.reports.published.published_results import papers
from assay.reports.repeat_command import command_of
from assay.reports.view import ReportView
from assay.reports.write.hub_results import HUB_NAME
from assay.reports.write.latex import escape_tex
from assay.version import __version__

HOME = "https://github.com/nli-assay/assay"


class CitedWork(msgspec.Struct, frozen=True, kw_only=True):
    """A publication, a data set or a model to cite."""

    authors: str = ""
    year: int | None = None
    title: str
    venue: str = ""
    journal: str = ""
    url: str = ""

    def entry(self, key: str) -> str:
        authors = " and ".join(self.authors.split(", "))
        fields = {
            "author": f"{{{authors}}}" if authors.startswith("The ") else authors,
            "title": f"{{{self.title}}}",
            "booktitle": self.venue,
            "journal": self.journal,
            "year": str(self.year or ""),
            "howpublished": rf"\url{{{self.url}}}" if self.url else "",
        }
        lines = "".join(f"  {name} = {{{text}}},\n" for name, text in fields.items() if text)
        kind = "inproceedings" if self.venue else "article" if self.journal else "misc"
        return f"@{kind}{{{key},\n{lines}}}\n"


class _Catalogue(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    families: dict[str, tuple[str, ...]]
    models: dict[str, tuple[str, ...]]
    papers: dict[str, CitedWork]

    def key_of(self, name: str, kind: Literal["families", "models"]) -> Iterator[str]:
        yield from (key for key, names in getattr(self, kind).items() if name in names)


@cache
def _catalogue() -> _Catalogue:
    text = (files("assay.reports") / "write" / "citations.toml").read_text("utf-8")
    found = msgspec.convert(tomllib.loads(text), _Catalogue)
    published = {
        each.key: CitedWork(authors=each.authors, year=each.year, title=each.title, venue=each.venue)
        for each in papers()
    }
    return msgspec.structs.replace(found, papers={**published, **found.papers})


class Citations(NamedTuple):
    """The works that runs used, by key, and who uses them."""

    works: dict[str, CitedWork]
    suites: dict[str, str]
    families: dict[str, str]
    models: dict[str, str]


def cite_runs(view: ReportView) -> Citations:
    """The papers behind the families, data sets and models of the runs."""
    known = _catalogue()
    year = int(view.runs[0].created[:4])
    title = "Assay: is a natural-language-inference model right for the right reasons?"
    works = {
        "assay": CitedWork(authors="The Assay authors", year=year, title=f"{title} Version {__version__}", url=HOME)
    }
    data = {suite: key for suite, manifest in view.suites.items() for key in _cite_data(manifest, works)}
    families = {
        family: key
        for manifest in view.suites.values()
        for family in dict.fromkeys(recipe.transform.partition("/")[0] for recipe in manifest.recipes)
        if family != ORIGINAL
        for key in known.key_of(family, "families")
    }
    models = {model: key for model in view.models for key in _cite_model(model, works)}
    works |= {key: known.papers[key] for key in (*families.values(), *models.values()) if key in known.papers}
    return Citations(works, data, families, models)


def _cite_data(manifest: Manifest, works: dict[str, CitedWork]) -> Iterator[str]:
    card = find_card(manifest.source)
    if card and card.paper:
        key = f"{card.paper.authors.partition(', ')[0].rpartition(' ')[2].lower()}{card.paper.year}"
        same = _catalogue().papers.get(key)
        works[key] = (
            same
            if same and same.title == card.paper.title
            else CitedWork(authors=card.paper.authors, year=card.paper.year, title=card.paper.title, url=card.homepage)
        )
        yield key


def _cite_model(model: str, works: dict[str, CitedWork]) -> Iterator[str]:
    kind, _, what = split_alias(model).model.partition(":")
    name = split_seed(what.partition("?")[0]).system
    if kind == "hf" and HUB_NAME.fullmatch(name):
        key = name.replace("/", "-").lower()
        works[key] = CitedWork(title=name, url=f"https://huggingface.co/{name}")
        yield key
    elif kind == "assay":
        yield from _catalogue().key_of(name.partition("/")[0], "models")


class BibTex(msgspec.Struct, frozen=True, kw_only=True):
    """The papers, data sets and models that runs used, and Assay, as a BibTeX file."""

    title: ClassVar[str] = "references of a run for BibTeX, .bib"

    def __call__(self, view: ReportView) -> dict[str, bytes]:
        works = cite_runs(view).works
        return {"references.bib": "\n".join(works[key].entry(key) for key in sorted(works)).encode()}


class Methods(msgspec.Struct, frozen=True, kw_only=True):
    r"""A paragraph about how runs were made, for an article with natbib's \citep."""

    title: ClassVar[str] = "a paragraph on methods in LaTeX, .tex"

    def __call__(self, view: ReportView) -> dict[str, bytes]:
        return {"methods.tex": ("\n".join(_sentences(view, cite_runs(view))) + "\n").encode()}


def _sentences(view: ReportView, cited: Citations) -> Iterator[str]:
    tested = [model for model in view.models if model not in view.references]
    baselines = [model for model in view.models if model in view.references]
    also = "The baseline is" if len(baselines) == 1 else "The baselines are"
    for models, words in ((tested, "We tested"), (baselines, also if tested else "We tested")):
        if models:
            named = join_words([_cite(escape_tex(short_name(each)), cited.models.get(each)) for each in models])
            assay = rf" with Assay {__version__} \citep{{assay}}" if words == "We tested" else ""
            yield f"{words} {named}{assay}."
    for suite, manifest in view.suites.items():
        yield _suite_words(suite, manifest, cited)
    two = [suite for suite in view.suites if suite in view.binary_suites]
    if two:
        yield f"In {join_words(map(_code, two))}, neutral and contradiction count as one label."
    yield (
        r"Accuracies have 95\% intervals (Wilson's, with clusters of cases that share a premise or a word pair). "
        r"A difference is called significant if its $p$ is below 0.05 after Holm's correction."
    )
    if view.systems:
        seeds = join_words(f"{escape_tex(short_name(name))} ({n})" for name, n in view.systems.items())
        yield f"Means over training runs ({seeds}) are given with the lowest and the highest."
    for run in view.runs:
        yield f"% {run.id}: {command_of(run.spec).removeprefix('# ')}"


def _suite_words(suite: str, manifest: Manifest, cited: Citations) -> str:
    source = manifest.source
    cases = {family: sum(manifest.counts[family].values()) for family in sorted(manifest.counts, key=family_rank)}
    named = {family: f"cases of {_cite(escape_tex(family), cited.families.get(family))}" for family in cases}
    built = [f"{n:,} {(named | {ORIGINAL: 'unmodified pairs'})[family]}" for family, n in cases.items()]
    pairs = f"{source.pairs:,} pairs of {_cite(_code(source.name), cited.suites.get(suite))}"
    drawn = ", a random sample," if source.sample is not msgspec.UNSET else ""
    return (
        f"The suite {_code(suite)} has {join_words(built)}, from {pairs}{drawn} with seed {manifest.seed} "
        f"(SHA-256 {manifest.digest[:12]})."
    )


def _cite(name: str, key: str | None) -> str:
    return rf"{name} \citep{{{key}}}" if key else name


def _code(name: str) -> str:
    return rf"\texttt{{{escape_tex(name)}}}"


def join_words(words: Iterable[str]) -> str:
    """Names in a sentence.

    >>> join_words(["a"]), join_words(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last
