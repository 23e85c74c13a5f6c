"""Mitigations by shortcut, and the suites that measure them."""

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from assay.core.judgement import Effect, Shortcut

if TYPE_CHECKING:
    from assay.studies.plan.study_plan import StudyPlan


class Mitigation(msgspec.Struct, frozen=True, kw_only=True):
    """A way to train a system that may keep it from a shortcut."""

    name: str
    """Name of the condition in the plan."""
    options: dict[str, Any]
    """The options of the condition, as a plan has them."""
    against: tuple[Shortcut, ...]
    """The shortcuts that it is meant to mitigation."""
    treats: tuple[str, ...]
    """The suites that show what it treats; all others are withheld from it."""
    why: str
    """A sentence about its mechanism."""


class Measure(msgspec.Struct, frozen=True, kw_only=True):
    """A suite that shows what mitigations do."""

    name: str
    """Name in the plan."""
    options: dict[str, Any]
    """Options of the suite in the plan."""
    why: str
    """A sentence about its purpose."""


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """The diagnosed model, and the system that is trained for it."""

    model: str
    headline: str
    """The diagnosis as a predicate, without a full stop."""
    system: str
    options: dict[str, Any] = {}
    """Its options, as a plan has them."""
    is_own: bool = False
    """True if the model is itself such a system, trained by Assay."""
    goes_on: bool = False
    """True if training starts from the weights of the model."""


class MitigationProposal(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that goes into the plan."""

    subject: Subject
    """The diagnosed model."""
    shortcuts: tuple[Effect, ...]
    """The shortcuts that the mitigations are against, with numbers."""
    unmitigated: tuple[Effect, ...]
    """Shortcuts without a mitigation."""
    mitigations: tuple[Mitigation, ...]
    """The conditions beside the untreated one."""
    measures: tuple[Measure, ...]
    """The suites; the first has real pairs."""
    corpora: dict[str, dict[str, str]]
    """The corpora, as a plan has them."""
    sources: tuple[str, ...]
    """The corpora that are trained on."""
    data: str = ""
    """The folder of data; empty if there is none, and the bundled corpus stands in."""
    vectors: str = ""
    """The file of word vectors in it; empty for those that come with Assay."""

    @property
    def text(self) -> str:
        """The plan as a file, with comments that say why each mitigation and each suite is there."""
        from assay.studies.mitigation.propose_mitigations import plan_text

        return plan_text(self)

    def plan(self) -> "StudyPlan":
        """The plan, for `study`."""
        from assay.storage.folders import scratch
        from assay.studies.plan.plan_file import read_plan

        with scratch() as folder:
            (folder / "prescription.yaml").write_text(self.text, encoding="utf-8")
            return read_plan(folder / "prescription.yaml")

    def withheld(self, mitigation: Mitigation) -> tuple[str, ...]:
        """The suites that a mitigation is a stranger to."""
        return tuple(each.name for each in self.measures[1:] if each.name not in mitigation.treats)


SHARED: tuple[Shortcut, ...] = ("overlap", "subsequence", "constituent")
"""Shortcuts by what both texts share."""

MITIGATED: tuple[Shortcut, ...] = (*SHARED, "negation", "hypothesis", "length", "order")
"""Shortcuts that something can be done about; the others are about one label that is given too often."""

UNTREATED = "untreated"
"""The condition that all others are compared with."""

WITHHELD = ("ln_conjunction", "le_passive", "sn_NP/Z", "se_PP_on_obj", "cn_adverb", "ce_adverb")
"""Subcases that no mitigation trains on: those that McCoy et al. (2019) withheld, one for each heuristic and label."""

COPIES = 30
"""Percent of training pairs that are copies with a tautology."""

GENERATED = 7
"""Percent of training pairs that are generated, as in McCoy et al. (2019)."""

OTHER_NEGATION, OTHER_LENGTH = "and green is not red", "and seven is seven"
"""Clauses that no copy has."""


def _debias(method: str, bias: str, against: tuple[Shortcut, ...], treats: tuple[str, ...], why: str) -> Mitigation:
    options = {"debias": method, "bias": bias}
    return Mitigation(name=f"{method}-{bias}", options=options, against=against, treats=treats, why=why)


def _add_copies(family: str, against: tuple[Shortcut, ...], why: str) -> Mitigation:
    added = {"from": "train", "families": family, "share": COPIES}
    return Mitigation(name=f"{family}-copies", options={"augment": added}, against=against, treats=(family,), why=why)


MITIGATIONS = (
    _debias(
        "poe",
        "overlap",
        SHARED,
        ("heuristics",),
        "A model of shared words is combined with the system, so that it gains little from shared words.",
    ),
    _debias("reweight", "overlap", SHARED, ("heuristics",), "Pairs that shared words give away count less."),
    _debias(
        "draw",
        "overlap",
        SHARED,
        ("heuristics",),
        "Half of each epoch is drawn by where shared words mislead, so these pairs come up more often.",
    ),
    Mitigation(
        name="confreg-overlap",
        options={"debias": "confreg", "bias": "overlap", "teacher": UNTREATED},
        against=SHARED,
        treats=("heuristics",),
        why="It learns from the untreated system, but to be less certain of pairs that shared words give away.",
    ),
    Mitigation(
        name="heuristics-copies",
        options={
            "augment": {"families": "heuristics", "share": GENERATED},
            "withhold": {"subcase": list(WITHHELD)},
        },
        against=SHARED,
        treats=("heuristics",),
        why="Generated pairs, half of which contradict the shortcut. They share no premise with generated tests.",
    ),
    _debias(
        "poe",
        "hypothesis",
        ("hypothesis", "negation"),
        ("hard", "negation"),
        "A model of the hypothesis alone is combined with the system, so that it gains little from the wording.",
    ),
    _debias(
        "reweight", "hypothesis", ("hypothesis",), ("hard",), "Pairs that the hypothesis alone gives away count less."
    ),
    _add_copies("negation", ("negation",), "Copies with a negation word that changes nothing."),
    _add_copies("length-mismatch", ("length",), "Copies with a longer premise that says no more."),
    Mitigation(
        name="swapped",
        options={"swap": 50},
        against=("order",),
        treats=("swap",),
        why="Half of the neutral pairs and contradictions are swapped.",
    ),
    _debias(
        "poe",
        "shallow",
        MITIGATED,
        ("heuristics", "negation", "length-mismatch", "swap", "hard"),
        "A small copy of the system, trained on few pairs, is combined with it, so it gains little from easy cues.",
    ),
    Mitigation(
        name="ambiguous-third",
        options={"map-from": UNTREATED, "keep": "ambiguous:0.33"},
        against=MITIGATED,
        treats=("heuristics", "negation", "length-mismatch", "swap", "hard"),
        why="Only the third of the pairs on which the untreated system was least certain.",
    ),
)
"""All mitigations, in the order in which a plan has them."""

SHOWN_BY: dict[Shortcut, tuple[str, ...]] = {
    "overlap": ("heuristics",),
    "subsequence": ("heuristics",),
    "constituent": ("heuristics",),
    "negation": ("negation",),
    "hypothesis": ("hard",),
    "length": ("length-mismatch",),
    "order": ("swap",),
}
"""The suites that show a shortcut."""


def mitigations_for(
    found: Sequence[Shortcut], suites: Collection[str], *, generated_like: Sequence[str]
) -> list[Mitigation]:
    """The mitigations for these shortcuts. `generated_like` are suites whose pairs are made as the generated ones are.

    >>> [each.name for each in mitigations_for(["negation"], ["negation"], generated_like=[])]
    ['poe-hypothesis', 'negation-copies', 'poe-shallow', 'ambiguous-third']
    """
    made = []
    for mitigation in MITIGATIONS:
        against = [each for each in mitigation.against if each in found]
        shown = {suite for each in against for suite in SHOWN_BY[each]}
        treats = [each for each in mitigation.treats if each in suites and each in shown]
        if "augment" in mitigation.options and "heuristics" in treats:
            treats += generated_like
        if against:
            made.append(msgspec.structs.replace(mitigation, against=tuple(against), treats=tuple(treats)))
    return made


def built_measures(found: Sequence[Shortcut], subcases: Sequence[str]) -> Iterator[Measure]:
    """The suites that need nothing but test pairs; `subcases` are all that can be generated."""

    def copies(family: str, why: str, name: str = "", **switches: str) -> Measure:
        options: dict[str, Any] = {"from": "test", "families": family, "sample": 1000}
        return Measure(name=name or family, options=options | ({"set": switches} if switches else {}), why=why)

    yield Measure(
        name="real",
        options={"from": "test", "families": "original", "sample": 2000},
        why="Real pairs: what a mitigation should not cost.",
    )
    treated = [each for each in subcases if each not in WITHHELD]
    yield Measure(
        name="heuristics",
        options={"families": "heuristics", "per-subcase": 40, "subcases": treated},
        why="Generated pairs where shared words mislead.",
    )
    yield Measure(
        name="other-subcases",
        options={"families": "heuristics", "per-subcase": 100, "subcases": list(WITHHELD)},
        why="Generated pairs of subcases that no mitigation trains on.",
    )
    yield copies("negation", "A clause with a negation word, which changes nothing.")
    if "negation" in found:
        yield copies("negation", "Another clause, which no copy has.", "other-negation", tautology=OTHER_NEGATION)
    yield copies("length-mismatch", "A premise that is longer and says no more.")
    if "length" in found:
        yield copies("length-mismatch", "Another clause, which no copy has.", "other-length", tautology=OTHER_LENGTH)
    yield copies("word-overlap", "A clause of words that the premise lacks.")
    if "order" in found:
        yield copies("swap", "Premise and hypothesis swapped; entailment should not be kept.")
