"""The cases of a run as scripts, because a page that was opened as a file may load nothing else."""

from base64 import b64encode
from collections.abc import Iterator
from typing import Any
from unicodedata import category, normalize

import msgspec
import numpy

from assay.app.web.show.case import Shown, shown_case
from assay.app.web.views.cases import FEW, FIRST, NAMES, PAGE, SHOWS
from assay.bench.browse.index import CaseIndex
from assay.bench.browse.layout import FAILED, HELD, RIGHT
from assay.core.case import Case, family_rank
from assay.core.label import Label
from assay.reports.edits import Span
from assay.reports.printable import printable
from assay.reports.view import View, view_of

CHUNK = 250
"""Cases in one file of texts."""

TYPES = {"uint8": "u1", "uint16": "u2", "uint32": "u4", "int32": "i4", "float32": "f4"}
"""The types of columns that a script can read."""


class _Kept(dict[int, int | None]):
    """What a search keeps of each character: letters and digits; accents vanish, and all else is a blank."""

    def __missing__(self, code: int) -> int | None:
        kind = category(chr(code))
        self[code] = code if kind[0] in "LN" or kind == "Co" else None if kind[0] == "M" else ord(" ")
        return self[code]


_KEPT = _Kept()


class Words:
    """The words of cases as they are searched. Cases that share a text share its words."""

    def __init__(self) -> None:
        self._texts: dict[str, int] = {}
        self._sides: dict[str, list[int]] = {"premise": [], "hypothesis": []}

    def add(self, case: Case) -> None:
        """The words of the next case."""
        for side, text in (("premise", case.premise), ("hypothesis", case.hypothesis)):
            self._sides[side].append(self._texts.setdefault(searched(text), len(self._texts)))

    def told(self) -> dict[str, Any]:
        """All texts in one, because a browser reads one long text much faster than many; and which ones a case has."""
        sides = {side: _column(numpy.array(places, dtype="u4")) for side, places in self._sides.items()}
        return {"texts": "\n".join(self._texts), **sides}


def searched(text: str) -> str:
    """The words of a text as the server's index has them, without case and accents, with blanks around each.

    >>> searched("Café-Bar No. 7!")
    ' cafe bar no 7 '
    """
    return f" {' '.join(normalize('NFD', text).translate(_KEPT).lower().split())} "


def scripts(index: CaseIndex) -> Iterator[tuple[str, bytes]]:
    """The files of a run: its columns, the probabilities, its texts in parts, and what is searched."""
    view, words = view_of([index.record]), Words()
    yield "columns.js", _script("columns", _columns(index, view))
    shares = [_column(index.of_model("shares", model).reshape(-1)) for model in index.described.models]
    yield "shares.js", _script("shares", shares)
    for number, start in enumerate(range(0, len(index), CHUNK)):
        rows = range(start, min(start + CHUNK, len(index)))
        cases = []
        for row in index.rows(rows):
            cases.append(_case(shown_case(row, view)))
            words.add(row.case)
        yield f"texts-{number}.js", _script("texts", {"number": number, "cases": cases})
    yield "words.js", _script("words", words.told())


def _script(name: str, value: Any) -> bytes:
    """A call of a function of the page with a value."""
    return b"ASSAY." + name.encode() + b"(" + msgspec.json.encode(value) + b");\n"


def _columns(index: CaseIndex, view: View) -> dict[str, Any]:
    described = index.described
    shown = [name for name in FIRST if name != "answer"]
    return {
        "cases": len(index),
        "chunk": CHUNK,
        "page": PAGE,
        "few": FEW,
        "flags": {"failed": FAILED, "right": RIGHT, "held": HELD},
        "shows": SHOWS,
        "models": [{"id": model, "name": printable(view.name(model))} for model in described.models],
        "facets": [
            {
                "name": name,
                "title": NAMES.get(name) or printable(name.removeprefix("group.")),
                **_values(index, view, name),
            }
            for name in [*shown, *index.groups]
        ],
        "answers": _values(index, view, "answer"),
        "kind": _column(index.column("kind")),
        "pair": _column(index.column("pair")),
        "length": _column(numpy.diff(index.column("line"), append=index.column("line")[-1:]).astype("i4")),
        "answer": [_column(index.of_model("answer", model)) for model in described.models],
        "flag": [_column(index.of_model("flags", model)) for model in described.models],
        "confidence": [_column(index.of_model("confidence", model)) for model in described.models],
    }


def _values(index: CaseIndex, view: View, facet: str) -> dict[str, Any]:
    """The values of a facet, how they are shown, in which order, and the code of each kind of cases."""
    values = index.described.values[facet]
    is_label = facet in ("label", "answer")
    by_name = sorted(range(len(values)), key=lambda code: values[code])
    ordered = sorted(range(len(values)), key=lambda code: (family_rank(values[code]), values[code]))
    return {
        "values": values,
        "shown": [printable(view.label(value) if is_label and value in [*Label] else value) for value in values],
        "ranks": [by_name.index(code) for code in range(len(values))],
        "order": ordered if facet == "family" else [*range(len(values))] if is_label or facet == "suite" else None,
        "kinds": [] if facet == "answer" else index.of_kinds(facet).tolist(),
    }


def _column(values: Any) -> dict[str, str]:
    """A column, as text that a script can turn into an array."""
    values = numpy.ascontiguousarray(values)
    kind = TYPES[values.dtype.name]
    return {"type": kind, "data": b64encode(values.astype(f"<{kind}").tobytes()).decode()}


def _case(shown: Shown) -> dict[str, Any]:
    """A case without its answers, which are columns."""
    case = shown.case
    recipe = case.provenance.recipe
    options = "".join(f", {name} {value}" for name, value in recipe.options.items())
    severity = f", severity {recipe.severity}" if recipe.severity is not None else ""
    labelled = f", labelled {case.provenance.label.value}" if case.provenance.label else ""
    facts = {
        "id": case.id,
        "suite": shown.suite,
        "recipe": f"{recipe.transform}{options}, seed {recipe.seed}{severity}",
        "source pair": f"{case.origin}{labelled}, digest {case.provenance.source}",
        **case.provenance.edit.facts,
        **case.group,
    }
    return {
        "family": printable(case.family + (f", {case.variant}" if case.variant else "")),
        "groups": printable(", ".join(value for _, value in shown.groups)),
        "premise": [_piece(each) for each in shown.texts.premise],
        "hypothesis": [_piece(each) for each in shown.texts.hypothesis],
        "remark": shown.texts.remark,
        "expects": case.expects,
        "label": shown.label,
        "why": printable(shown.why),
        "facts": [[printable(name), printable(str(value))] for name, value in facts.items()],
        "notes": {said.model: printable(said.note) for said in shown.said if said.note},
    }


def _piece(span: Span) -> list[str]:
    return [span.text, span.kind]
