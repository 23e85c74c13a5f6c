"""The data of a study: the corpora that its plan names in the user's folder, or the bundled corpus in their place."""

import hashlib
from collections.abc import Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from assay.core.errors import UserError
from assay.core.pair import Pair
from assay.corpora.reader import BUNDLED, CorpusReader, read
from assay.run.api import build
from assay.run.build.recipes import are_generated
from assay.run.build.suite_builder import generated
from assay.run.workers.pool import Stage, quiet
from assay.storage.files import digest, write_whole
from assay.storage.suite import Suite
from assay.stress.heuristics.build import GeneratedPairs
from assay.stress.logic.build import LogicPairs
from assay.stress.template_pairs import Split
from assay.studies.plan.study_plan import CorpusPlan, StudyPlan, SuitePlan

PARTS = {"train": range(6), "dev": range(6, 8), "test": range(8, 10)}  # tenths of the bundled premises in each part
PER_SUBCASE = 20  # number of generated pairs per subcase that stand in for HANS


class StudyData:
    """The corpora and vectors of a plan: files, sizes and digests."""

    def __init__(self, plan: StudyPlan, folder: Path | None, out: Path) -> None:
        self._plan = plan
        self._out = out
        self.folder = folder
        for name in plan.corpora if folder else ():
            self._refuse_missing(f"the corpus {name!r}", plan.corpora[name].file)
        if folder and plan.vectors:
            self._refuse_missing("the word vectors", plan.vectors)
        self._sizes: dict[str, int] = {}
        self._digests: dict[str, str] = {}
        self._written: set[Path] = set()

    def source(self, corpus: str) -> str:
        plan = self._plan.corpora[corpus]
        return str(self.folder / plan.file if self.folder else self._stand_in(plan))

    def size(self, corpus: str) -> int:
        source = self.source(corpus)
        if source not in self._sizes:
            self._sizes[source] = sum(1 for _ in read(source).records())
        return self._sizes[source]

    def sample(self, corpus: str) -> int | None:
        """The number of pairs that are drawn from it once for all seeds; None if all of them can be used."""
        most = self._plan.corpora[corpus].sample
        return most if most is not None and most < self.size(corpus) else None

    def training_size(self, corpus: str) -> int:
        return self.sample(corpus) or self.size(corpus)

    def draw_seed(self, corpus: str, seed: int) -> int:
        """The seed that a training run draws its pairs with."""
        return seed if self.sample(corpus) is None else 0

    def digest(self, corpus: str) -> str:
        return self._digest(self.source(corpus))

    @property
    def vectors(self) -> str:
        return str(self.folder / self._plan.vectors) if self.folder and self._plan.vectors else BUNDLED

    @property
    def vectors_digest(self) -> str:
        """Its SHA-256; for those that come with Assay, their name."""
        return BUNDLED if self.vectors == BUNDLED else self._digest(self.vectors)

    def _digest(self, source: str) -> str:
        if source not in self._digests:
            self._digests[source] = digest(Path(source))
        return self._digests[source]

    def _refuse_missing(self, what: str, file: str) -> None:
        assert self.folder is not None
        if not (self.folder / file).is_file():
            raise UserError(
                f"{self.folder / file}: no such file. It is {what} of the study {self._plan.name}.\n"
                "  Put it there, or name your own file in a copy of the plan: `assay study plan NAME` prints one."
            )

    def _stand_in(self, plan: CorpusPlan) -> Path:
        """A part of the bundled corpus as a file, written unless it is there and whole; no premise is in two parts."""
        path = self._out / "data" / f"{plan.part}.jsonl"
        if path not in self._written:
            pairs = generated(PER_SUBCASE) if plan.part == "heuristics" else self._bundled[plan.part]
            fields = ("id", "premise", "hypothesis", "label")
            rows = ({**pair.group, **{name: getattr(pair, name) for name in fields}} for pair in pairs)
            data = b"".join(msgspec.json.encode(row) + b"\n" for row in rows)
            if not path.is_file() or path.read_bytes() != data:
                write_whole(path, data)
            self._written.add(path)
        return path

    @cached_property
    def _bundled(self) -> dict[str, list[Pair]]:
        found: dict[str, list[Pair]] = {part: [] for part in PARTS}
        for pair in CorpusReader(read(BUNDLED).reading):
            tenth = sha256(pair.premise.encode()).digest()[0] % 10
            found[next(part for part, tenths in PARTS.items() if tenth in tenths)].append(pair)
        return found


class StudySuite(msgspec.Struct, frozen=True, kw_only=True):
    """A suite that a study needs, and everything that decides it."""

    name: str
    plan: SuitePlan
    data: str  # the digest of its corpus; empty if its pairs are generated
    seed: int = 0  # the seed of sampling and editing
    split: Split = "evaluation"  # the half of all generated pairs that it has
    subcases: tuple[str, ...] = ()  # the subcases that are generated; all if none are named

    @property
    def key(self) -> str:
        """A digest of everything but the name."""
        own = msgspec.to_builtins(msgspec.structs.replace(self, name=""))
        own["plan"].pop("source", None)  # the digest says it
        return hashlib.sha256(msgspec.json.encode(own, order="deterministic")).hexdigest()[:16]

    def folder(self, out: Path) -> Path:
        return out / "suites" / f"{self.name}-{self.key}"

    def make(self, data: StudyData, out: Path, *, workers: int, stage: Stage = quiet) -> Suite:
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
        return not self.plan.source and are_generated(self.plan.families)

    def _corpus(self, data: StudyData) -> CorpusReader | GeneratedPairs | LogicPairs:
        plan = self.plan
        if self.is_generated:
            more: dict[str, Any] = {"subcases": self.subcases} if self.subcases else {}
            more["family"] = plan.families[0]
            return generated(plan.per_subcase, split=self.split, seed=self.seed, switches=plan.switches, **more)
        return read(data.source(plan.source), sample=plan.sample, seed=self.seed)


def list_suites(suites: dict[str, SuitePlan], data: StudyData) -> dict[str, StudySuite]:
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
    return StudySuite(
        name=name,
        plan=plan,
        data=data.digest(plan.source) if plan.source else "",
        seed=seed,
        split=split,
        subcases=tuple(subcases),
    )
