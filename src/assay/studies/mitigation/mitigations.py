"""Mitigations by shortcut, and the suites that measure them."""

import tomllib
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from assay.core.judgement import Effect, Shortcut

if TYPE_CHECKING:
    from assay.studies.plan.study_plan import StudyPlan


class Mitigation(msgspec.Struct, frozen=True, kw_only=True):
    """A way to train a system that may keep it from a shortcut."""

    name: str
    options: dict[str, Any]  # the options of the condition, as a plan has them
    against: tuple[Shortcut, ...]  # the shortcuts that it is meant to prevent
    treats: tuple[str, ...]  # the suites that show what it treats; all others are withheld from it
    why: str


class Measure(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    options: dict[str, Any]  # options of the suite in the plan
    why: str


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """The diagnosed model, and the system that is trained for it."""

    model: str
    headline: str  # the diagnosis as a predicate, without a full stop
    system: str
    options: dict[str, Any] = {}  # its options, as a plan has them
    is_own: bool = False  # true if the model is itself such a system, trained by Assay
    goes_on: bool = False  # true if training starts from the weights of the model


class MitigationProposal(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that goes into the plan."""

    subject: Subject
    shortcuts: tuple[Effect, ...]  # the shortcuts that the mitigations are against, with numbers
    unmitigated: tuple[Effect, ...]
    mitigations: tuple[Mitigation, ...]  # the conditions, apart from the untreated one
    measures: tuple[Measure, ...]  # the suites; the first has real pairs
    corpora: dict[str, dict[str, str]]
    sources: tuple[str, ...]
    data: str = ""  # the folder of data; empty if there is none, and the bundled corpus stands in
    vectors: str = ""  # the file of word vectors in it; empty for those that come with Assay

    @property
    def text(self) -> str:
        """The plan as a file, with comments that say why each mitigation and each suite is there."""
        from assay.studies.mitigation.propose_mitigations import plan_lines

        return "\n".join(plan_lines(self)) + "\n"

    def plan(self) -> "StudyPlan":
        from assay.storage.folders import scratch
        from assay.studies.plan.plan_file import read_plan

        with scratch() as folder:
            (folder / "mitigation.yaml").write_text(self.text, encoding="utf-8")
            return read_plan(folder / "mitigation.yaml")

    def withheld(self, mitigation: Mitigation) -> tuple[str, ...]:
        return tuple(each.name for each in self.measures[1:] if each.name not in mitigation.treats)


CATALOGUE: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))

MITIGATIONS = msgspec.convert(CATALOGUE["mitigation"], tuple[Mitigation, ...])

MITIGATED = frozenset(CATALOGUE["mitigated"])  # shortcuts that something can be done about
WITHHELD = tuple(CATALOGUE["withheld"])  # subcases that no mitigation trains on
UNTREATED = "untreated"  # the condition that all others are compared with


def mitigations_for(
    found: Sequence[Shortcut], suites: Collection[str], *, generated_like: Sequence[str]
) -> list[Mitigation]:
    """The mitigations for these shortcuts. `generated_like` are suites whose pairs are made as the generated ones are.

    >>> [each.name for each in mitigations_for(["negation"], ["negation"], generated_like=[])]
    ['poe-hypothesis', 'negation-copies', 'poe-shallow', 'ambiguous-third']
    """
    chosen = []
    for mitigation in MITIGATIONS:
        against = [each for each in mitigation.against if each in found]
        shown = {suite for each in against for suite in CATALOGUE["shown_by"][each]}
        treats = [each for each in mitigation.treats if each in suites and each in shown]
        options = dict(mitigation.options)
        if "augment" in options and "heuristics" in treats:
            treats += generated_like
        if "withhold" in options:
            options["withhold"] = {"subcase": [*WITHHELD]}
        if against:
            chosen.append(
                msgspec.structs.replace(mitigation, options=options, against=tuple(against), treats=tuple(treats))
            )
    return chosen


def built_measures(found: Sequence[Shortcut], subcases: Sequence[str]) -> Iterator[Measure]:
    """The suites that need nothing but test pairs; `subcases` are all that can be generated."""
    groups = {"withheld": [*WITHHELD], "others": [each for each in subcases if each not in WITHHELD]}
    for row in CATALOGUE["measure"]:
        if row.get("for") in (None, *found):
            options = dict(row["options"])
            if "subcases" in options:
                options["subcases"] = groups[options["subcases"]]
            yield Measure(name=row["name"], options=options, why=row["why"])
