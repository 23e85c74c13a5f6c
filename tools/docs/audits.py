"""The page of all tables of what `tools/docs/measure_audits.py` stored."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
from cells import table

from assay.audit.audit_result import Audit, FamilyAudit
from assay.audit.audit_tables import verdict_lines
from assay.core.label_space import LabelNames
from assay.reports.formatting import interval, percent

FOLDER = Path(__file__).parents[2] / "docs" / "results" / "audits"

TITLES = {
    "snli-test": "SNLI test",
    "mnli-matched": "MultiNLI dev, matched",
    "mnli-mismatched": "MultiNLI dev, mismatched",
    "hans": "HANS",
    "breaking-nli": "Breaking NLI",
    "hans-halves": "Half of HANS, against the other half",
    "stress": "Our stress tests from MultiNLI dev, matched",
    "heuristics": "Our heuristics, against HANS",
}

INTRODUCTION = """Can these test sets be solved without reading? `assay audit` shows how far shortcuts get, which words
go with a label, what is repeated, and what is also in training data. [Audits](../how-to/audit.md) explains each figure.
The training data are parts of the training sets of SNLI and MultiNLI. `python tools/docs/measure_audits.py --data DATA`
measured everything here.
"""

READ = """How to read this:

- SNLI and MultiNLI give much away in the hypothesis, above all by negation words and by reasons and purposes that
  mostly neutral hypotheses add. Families that keep the label inherit that from their source pairs.
- In HANS, every subcase has one label, so words that only some subcases have, such as "unless", give the label away.
  Our heuristics follow the same design and share nearly all of its templates: never train on one and test on the other.
- Many lexical cases are nearly the same: they are made from the premise alone, and several pairs of MultiNLI share a
  premise. Breaking NLI repeats itself too, mostly for the same reason.
- Edited words give lexical labels away, because a word and its replacement have one relation wherever they occur.
  Premise or hypothesis alone do so too, but less.
"""

WORDS, FEW = 5, 3
"""How many words the page shows of a set with one family, and of each family if there are several."""


def whole_page(folder: Path = FOLDER) -> str:
    """The tables of all audits that were stored."""
    found = {
        name: msgspec.json.decode((folder / f"{name}.json").read_bytes(), type=Audit)
        for name in TITLES
        if (folder / f"{name}.json").is_file()
    }
    return page(found)


def page(found: Mapping[str, Audit]) -> str:
    """All audits on one page."""
    shortcuts = list(
        dict.fromkeys(e.name for audit in found.values() for f in audit.families.values() for e in f.shortcuts)
    )
    training = ["set", "training data", "pairs", "exact", "near", "template", "premise", "training pairs in the set"]
    return "\n".join(
        [
            "# All tables of the audits\n",
            INTRODUCTION,
            "## Verdicts\n",
            *(f"- **{TITLES[name]}.** {' '.join(verdict_lines(audit))}" for name, audit in found.items()),
            "",
            READ,
            "## Right without reading\n",
            "In percent, with 95% intervals, as learned from source pairs with other premises.\n",
            table(["set", "cases", *shortcuts], _surface_rows(found, shortcuts)),
            "## Words that go with a label\n",
            "The strongest of each family: the share of source pairs with the word that have the label, and\n"
            "the share of all source pairs that do, in percent. All pass Holm's correction for the number of words.\n",
            table(["set", "in all", "word", "in", "label", "pairs", "share", "usually", "z"], _word_rows(found)),
            "## Repeats\n",
            "Cases, and how many different templates they have: texts without their content words.\n",
            table(
                ["set", "cases", "same words", "other label", "near", "templates", "not English"], _repeat_rows(found)
            ),
            "## In the training data\n",
            "In percent of the cases; the last column counts training pairs.\n",
            table(training, _training_rows(found)),
        ]
    )


def _families(found: Mapping[str, Audit]) -> Iterator[tuple[str, Audit, FamilyAudit]]:
    """Every family of every set; one that is alone goes by the name of the set."""
    for name, audit in found.items():
        for family, each in audit.families.items():
            yield TITLES[name] if len(audit.families) == 1 else f"{TITLES[name]}: {family}", audit, each


def _surface_rows(found: Mapping[str, Audit], shortcuts: list[str]) -> Iterator[list[str]]:
    for title, _, family in _families(found):
        own = {each.name: f"{percent(each.value)} ({interval(each)})" for each in family.shortcuts}
        yield [title, f"{family.n:,}", *(own.get(name, "-") for name in shortcuts)]


def _word_rows(found: Mapping[str, Audit]) -> Iterator[list[str]]:
    for title, audit, family in _families(found):
        names = LabelNames(audit.names)
        for each in family.giveaways[: WORDS if len(audit.families) == 1 else FEW]:
            word = [f"`{each.phrase}`", each.side, names(each.label), f"{each.pairs:,}"]
            yield [title, f"{family.found:,}", *word, percent(each.share), percent(each.expected), f"{each.z:.1f}"]


def _repeat_rows(found: Mapping[str, Audit]) -> Iterator[list[str]]:
    for title, _, family in _families(found):
        own = family.repeated
        counts = (family.n, own.exact, own.conflicting, own.near, own.templates, family.not_english)
        yield [title, *(f"{count:,}" for count in counts)]


def _training_rows(found: Mapping[str, Audit]) -> Iterator[list[str]]:
    for name, audit in found.items():
        for each in audit.training:
            shares = (each.exact, each.near, each.template, each.premise)
            parts = [percent(count / each.cases) for count in shares]
            yield [TITLES[name], each.name, f"{each.pairs:,}", *parts, f"{each.of_training:,}"]
