"""Facets of cases and their values in ordinary words."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from assay.core.case import ORIGINAL
from assay.core.label_space import LABELS
from assay.serve.run_view import ServedView


class FacetWords(NamedTuple):
    title: str
    about: str = ""  # one sentence


WORDS: Mapping[str, FacetWords] = {
    "suite": FacetWords("Suite", "Where the cases come from: a data set and its edits, or templates."),
    "family": FacetWords("Family", "What was changed in a pair, or what pairs from templates test."),
    "variant": FacetWords("Variant", "The version of the edit, where a family has several."),
    "label": FacetWords("Right label", "The right answer."),
    "answer": FacetWords("Answer", "The answer of the chosen model."),
    "group.heuristic": FacetWords("Shortcut", "The shortcut that these sentences invite a model to take."),
    "group.subcase": FacetWords("Sentence pattern", "The construction of these sentences."),
    "group.template": FacetWords("Template", "The exact template that the sentences were made from."),
    "group.category": FacetWords("Kind of word", "How the new word is related to the one that it replaced."),
    "group.old": FacetWords("Replaced word", "The word of the source pair that the edit replaced."),
    "group.new": FacetWords("New word", "The word that the edit put in."),
    "group.quantity": FacetWords("Kind of number", "What the changed number counts or measures."),
    "group.role": FacetWords("Relation of the names", "Why the two exchanged names can't trade places."),
    "group.change": FacetWords("Direction of change", "Whether a word became more general or more specific."),
    "group.polarity": FacetWords(
        "Place of the change", "Up: a more general word follows. Down, as under a negation: a more specific one does."
    ),
    "group.length": FacetWords("Length in tokens", "How long the text around the evidence is."),
    "group.depth": FacetWords("Depth", "How far down the evidence stands, as a share of the text."),
    "group.place": FacetWords("Length and depth", "How long the text is, and how far down the evidence stands."),
}
"""Facets that Assay makes; all others are groups of people's own data."""

RELATIONS: Mapping[str, str] = {
    "one_winner": "one defeats the other",
    "owning": "one owns, hires or pays the other",
    "fatal": "one kills, adopts or buries the other",
    "order": "one comes before the other",
    "origin": "one comes from the other",
    "inside": "one lies in the other",
    "relation": "one is a relative or a part of the other",
    "comparative": "one is more than the other",
    "direction": "one lies in a direction from the other",
    "move": "a move from one to the other",
    "speaker": "who said it",
    "title": "different titles",
    "symmetric": "the same both ways",
}
"""Values of the group `role`."""

_HANS = re.compile(r"([lsc])([en])_(.+)")
_SHORTCUTS = {"l": "shared words", "s": "a shared sequence", "c": "a shared clause"}


def facet_words(facet: str) -> FacetWords:
    return WORDS.get(facet) or FacetWords(facet.removeprefix("group."))


def value_words(view: ServedView, facet: str, value: str) -> str:
    """A value of a facet as people read it."""
    if facet in ("label", "answer"):
        return view.label(value) if value in LABELS else value
    if facet == "suite":
        return _suite_name(view, value)
    if facet == "group.role":
        return RELATIONS.get(value, value)
    return pattern_words(value) if facet in ("group.subcase", "group.heuristic", "group.category") else value


def pattern_words(value: str) -> str:
    """The name of a sentence pattern; the letters that HANS begins with are written out.

    >>> pattern_words("one-link"), pattern_words("ln_subject/object_swap")
    ('one link', 'subject/object swap: shared words mislead')
    """
    if match := _HANS.fullmatch(value):
        shortcut = _SHORTCUTS[match[1]]
        verb = ("help", "mislead")[match[2] == "n"] + ("" if shortcut.endswith("words") else "s")
        return f"{match[3].replace('_', ' ')}: {shortcut} {verb}"
    return value.replace("_", " ").replace("-", " ")


def _suite_name(view: ServedView, suite: str) -> str:
    """The data set of a suite, if no other suite of the run has it."""
    names = {each: manifest.source.name for each, manifest in view.suites.items()}
    name = names.get(suite, suite)
    if suite not in names or view.suites[suite].is_generated or [*names.values()].count(name) > 1:
        return suite
    return f"{name} and its edits" if {*view.suites[suite].counts} - {ORIGINAL} else name


def suite_words(view: ServedView, suite: str) -> str:
    """Words after the name of a suite, if only its cases are shown."""
    manifest = view.suites[suite]
    if manifest.is_generated:
        return "only: pairs from templates, none from a data set."
    without = "; cases from templates are left out" if any(each.is_generated for each in view.suites.values()) else ""
    return f"only{without}."
