"""What each switch changes on the bundled corpus: `python tools/docs/switches.py` fills the tables of docs/families.

Too slow for `make docs`, which runs in the tests; run it when a family changes.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import msgspec
from generate import _filled

import assay
from assay.core import registry
from assay.core.case import Case, Recipe
from assay.core.protocols import described
from assay.run.build.case_builder import BuildStep
from assay.stress.antonymy import build as antonymy_build
from assay.stress.numeracy import build as numeracy_build
from assay.stress.spelling import build as spelling_build
from assay.stress.tautology.build import LengthMismatch, Negation

PAGES = Path(__file__).parents[2] / "docs" / "families"
WHAT = "what each switch changes"
FAMILIES: dict[str, tuple[str, dict[Any, Any]]] = {
    "antonymy/v1": ("antonymy", antonymy_build.RULES),
    "numeracy/v1": ("numeracy", numeracy_build.SWITCHES),
    "spelling/v1": ("spelling", spelling_build.RULES),
    "negation/v1": ("tautologies", Negation.quirks),
    "length-mismatch/v1": ("tautologies", LengthMismatch.quirks),
}
"""By transform: its page, and what a fidelity sets the switches to."""

Made = set[tuple[str, str, str, str]]
"""Cases by variant, texts and label."""


def main() -> None:
    pairs = list(assay.read("bundled"))
    tables: dict[str, list[str]] = {}
    for transform, (page, _) in FAMILIES.items():
        tables.setdefault(page, []).append("\n".join(table(transform, pairs)))
    for page, found in tables.items():
        path = PAGES / f"{page}.md"
        content = f"Of the {len(pairs)} pairs of the bundled corpus, by `python tools/docs/switches.py`:\n\n"
        filled = _filled(path.read_text(encoding="utf-8"), WHAT, content + "\n\n".join(found) + "\n")
        path.write_text(filled, encoding="utf-8")


def table(transform: str, pairs: list[assay.Pair]) -> Iterator[str]:
    """A row for each fidelity as it is, and for each of its switches set otherwise."""
    yield f"| {transform.partition('/')[0]} | cases | new | gone |"
    yield "| --- | --- | --- | --- |"
    for fidelity in ("strict", "code"):
        usual = made(transform, {"fidelity": fidelity}, pairs)
        yield f"| {fidelity} | {len(usual):,} | | |"
        for switch, value in settings(transform, fidelity):
            found = made(transform, {"fidelity": fidelity, switch: value}, pairs)
            new, gone = len(found - usual), len(usual - found)
            yield f"| {fidelity}, `{switch}={_said(value)}` | {len(found):,} | {new:,} | {gone:,} |"


def settings(transform: str, fidelity: str) -> Iterator[tuple[str, Any]]:
    """Every switch with each value that it could have instead: of the other fidelities, or of a few."""
    set_by = FAMILIES[transform][1]
    for field in msgspec.structs.fields(registry.transforms.get(transform)):
        if not hasattr(set_by["strict"], field.name):
            continue
        kinds = (field.type, *get_args(field.type))
        choices = [value for kind in kinds if get_origin(kind) is Literal for value in get_args(kind)]
        others = dict.fromkeys([*(getattr(rules, field.name) for rules in set_by.values()), *choices])
        if bool in kinds:
            others = dict.fromkeys([False, True])
        usual = getattr(set_by[fidelity], field.name)
        yield from ((field.name, value) for value in others if value != usual)


def made(transform: str, options: dict[str, Any], pairs: list[assay.Pair]) -> Made:
    """The cases of all variants, seed 0."""
    found: Made = set()
    for variant in described(registry.transforms.get(transform), name=transform).variants or ("",):
        own = {**options, "variant": variant} if variant else options
        step = BuildStep(Recipe(transform=transform, options=own, seed=0))
        cases = (case for pair in pairs for case in step.cases(pair) if isinstance(case, Case))
        found.update((case.variant, case.premise, case.hypothesis, case.label) for case in cases)
    return found


def _said(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


if __name__ == "__main__":
    main()
