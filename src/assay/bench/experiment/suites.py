"""The suites of a study: built once, kept under a digest of what decides them, and shared by all cells."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from assay.bench.api import build
from assay.bench.build.generated import generated
from assay.bench.build.recipes import are_generated
from assay.bench.experiment.data import StudyData
from assay.bench.stages import Stage, quiet
from assay.core.errors import UserError
from assay.core.study.plan import SuitePlan
from assay.core.suite import Suite
from assay.corpora.reading import CorpusReader, read
from assay.stress.heuristics.corpus import GeneratedPairs
from assay.stress.heuristics.splits import Split
from assay.stress.logic.corpus import LogicPairs


class StudySuite(msgspec.Struct, frozen=True, kw_only=True):
    """A suite that a study needs, and everything that decides it."""

    name: str
    """What the study calls it."""
    plan: SuitePlan
    """How it is built."""
    data: str
    """The digest of its corpus; empty if its pairs are generated."""
    seed: int = 0
    """The seed of what is drawn and edited."""
    split: Split = "evaluation"
    """The half of all generated pairs that it has."""
    subcases: tuple[str, ...] = ()
    """The subcases that are generated; all if none are named."""

    @property
    def key(self) -> str:
        """A digest of everything but the name."""
        own = msgspec.to_builtins(msgspec.structs.replace(self, name=""))
        own["plan"].pop("source", None)  # the digest says it
        return hashlib.sha256(msgspec.json.encode(own, order="deterministic")).hexdigest()[:16]

    def folder(self, out: Path) -> Path:
        """Where it is."""
        return out / "suites" / f"{self.name}-{self.key}"

    def make(self, data: StudyData, out: Path, *, workers: int, stage: Stage = quiet) -> Suite:
        """The suite, built if it is not there."""
        folder = self.folder(out)
        try:
            return Suite.open(folder)
        except UserError:
            return build(
                self.plan.families,
                self._corpus(data),
                out=folder,
                seed=self.seed,
                switches=None if self.is_generated else self.plan.switches,
                workers=workers,
                stage=stage,
                overwrite=folder.exists(),
            )

    @property
    def is_generated(self) -> bool:
        """Whether its pairs are generated."""
        return not self.plan.source and are_generated(self.plan.families)

    def _corpus(self, data: StudyData) -> CorpusReader | GeneratedPairs | LogicPairs:
        plan = self.plan
        if self.is_generated:
            more: dict[str, Any] = {"subcases": self.subcases} if self.subcases else {}
            more["family"] = plan.families[0]
            return generated(plan.per_subcase, split=self.split, seed=self.seed, switches=plan.switches, **more)
        return read(data.source(plan.source), sample=plan.sample, seed=self.seed)


def asked_suites(suites: dict[str, SuitePlan], data: StudyData) -> dict[str, StudySuite]:
    """The suites that every cell is asked."""
    return {name: suite_for(name, plan, data, subcases=plan.subcases) for name, plan in suites.items()}


def suite_for(
    name: str,
    plan: SuitePlan,
    data: StudyData,
    *,
    seed: int = 0,
    split: Split = "evaluation",
    subcases: Sequence[str] = (),
) -> StudySuite:
    """A suite of a plan with the data that decide it."""
    return StudySuite(
        name=name,
        plan=plan,
        data=data.digest(plan.source) if plan.source else "",
        seed=seed,
        split=split,
        subcases=tuple(subcases),
    )
