"""How much of Breaking NLI (Glockner et al. 2018) the family lexical reproduces, and how its labels compare.

`python tools/compare_breaking_nli.py breaking_nli/dataset.jsonl` makes all replacements in the set's premises, without
filters. The tables show how many of the set's own pairs are among them, how often the labels agree, and how many
remain after each filter that you give (--train, --vectors, --bigrams).
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec
from rich.console import Console

from assay.core.case import Case, Recipe, case_from
from assay.core.edit import Skip
from assay.core.errors import UserError
from assay.core.pair import Pair
from assay.corpora.reader import CorpusReader, read
from assay.reports.tables.sheet import Part, Sheet, plain_sheet
from assay.reports.terminal.terminal_tables import show_parts
from assay.run.build.case_builder import BuildStep
from assay.run.build.family_sources import lexical_switches
from assay.run.build.recipes import prepare, recipes_for

FILTERS = ("train", "vectors", "bigrams")
"""Switches that only leave cases out; each is measured separately."""


class CategoryFigures(msgspec.Struct, kw_only=True):
    """What was made for one category of the released set."""

    pairs: int = 0
    """Pairs of the released set."""
    usual: str = ""
    """The label that most of them have."""
    constant: int = 0
    """Pairs that have it."""
    built: int = 0
    """Pairs that the builder makes before its cases are proven."""
    made: int = 0
    """Pairs that are made and proven."""
    agree: int = 0
    """Of these, how many agree with our label."""
    constant_of_made: int = 0
    """Of these, how many have the usual label."""


class Different(msgspec.Struct, frozen=True, kw_only=True):
    """A pair of the released set whose label is not its category's usual one."""

    id: str
    category: str
    premise: str
    hypothesis: str
    gold: str
    ours: str
    """Our label; empty if the pair was not made."""
    reason: str
    """Why it was not made."""


class Filter(msgspec.Struct, frozen=True, kw_only=True):
    """What a filter leaves of everything that was made without it."""

    name: str
    cases: int
    """Proven cases of the premises."""
    pairs: int
    """Pairs of the released set among them."""


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """The whole comparison."""

    source: str
    """The released set's name."""
    premises: int
    """How many distinct premises it has."""
    cases: int
    """Proven cases that are made from them, without filters."""
    total: CategoryFigures
    categories: dict[str, CategoryFigures]
    different: list[Different]
    filters: list[Filter]


NOT_BUILT = "the builder does not make it"


def compare_with(corpus: CorpusReader, switches: Mapping[str, str]) -> Comparison:
    """Build from the premises of a set whose pairs name their category, and compare with the set's own pairs.

    Hypotheses that differ only in capitals and blanks count as the same.
    """
    asked = {**switches, "lexical.per_pair": "0"}
    plain = {key: value for key, value in asked.items() if key.rpartition(".")[2] not in FILTERS}
    by_premise: defaultdict[str, list[Pair]] = defaultdict(list)
    for pair in corpus:
        if "category" not in pair.group:
            raise UserError(f"{corpus.name} names no categories: this study compares with a set like Breaking NLI.")
        by_premise[pair.premise].append(pair)
    step = _step(plain)
    figures = _usual(by_premise)
    different: list[Different] = []
    cases = 0
    for pairs in by_premise.values():
        made = _made(step, pairs[0])
        cases += sum(case is not None for case, _ in made.values())
        for pair in pairs:
            _compare(pair, made, figures[pair.group["category"]], different)
    return Comparison(
        source=corpus.name,
        premises=len(by_premise),
        cases=cases,
        total=_sum(figures.values()),
        categories=dict(sorted(figures.items(), key=lambda item: -item[1].pairs)),
        different=different,
        filters=[_filtered(key, {**plain, key: asked[key]}, by_premise) for key in asked if key not in plain],
    )


def _step(switches: Mapping[str, str]) -> BuildStep:
    recipes: list[Recipe] = recipes_for(["lexical"], seed=0, switches=switches)
    prepare(recipes)
    return BuildStep(recipes[0])


Made = dict[str, tuple[Case | None, str]]
"""For each hypothesis, the proven case, or why there is none."""


def _made(step: BuildStep, pair: Pair) -> Made:
    edits = step.transform(pair, step.rng.keyed(pair.id))
    found: Made = {}
    for edit in [] if isinstance(edits, Skip) else edits:
        case = case_from(pair, edit, family="lexical", recipe=step.recipe)
        refusal = step.check(case) if step.check else None
        key = _folded(case.hypothesis)
        if found.get(key, (None, ""))[0] is None:
            found[key] = (None, refusal.reason) if refusal else (case, "")
    return found


def _folded(text: str) -> str:
    return " ".join(text.lower().split())


def _usual(by_premise: Mapping[str, list[Pair]]) -> dict[str, CategoryFigures]:
    labels: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for pairs in by_premise.values():
        for pair in pairs:
            labels[pair.group["category"]][pair.label.value] += 1
    found = {}
    for name, counts in labels.items():
        ((label, count),) = counts.most_common(1)
        found[name] = CategoryFigures(pairs=counts.total(), usual=label, constant=count)
    return found


def _compare(pair: Pair, made: Made, figures: CategoryFigures, different: list[Different]) -> None:
    key = _folded(pair.hypothesis)
    case, reason = made.get(key, (None, NOT_BUILT))
    is_usual = pair.label.value == figures.usual
    figures.built += key in made
    if case:
        figures.made += 1
        figures.agree += case.label is pair.label
        figures.constant_of_made += is_usual
    if not is_usual:
        different.append(
            Different(
                id=pair.id,
                category=pair.group["category"],
                premise=pair.premise,
                hypothesis=pair.hypothesis,
                gold=pair.label.value,
                ours=case.compared_with.value if case else "",
                reason=reason,
            )
        )


def _sum(figures: Iterable[CategoryFigures]) -> CategoryFigures:
    total = CategoryFigures()
    for each in figures:
        for name in ("pairs", "constant", "built", "made", "agree", "constant_of_made"):
            setattr(total, name, getattr(total, name) + getattr(each, name))
    return total


def _filtered(key: str, switches: Mapping[str, str], by_premise: Mapping[str, list[Pair]]) -> Filter:
    step = _step(switches)
    cases = hits = 0
    for pairs in by_premise.values():
        proven = {text for text, (case, _) in _made(step, pairs[0]).items() if case}
        cases += len(proven)
        hits += sum(_folded(pair.hypothesis) in proven for pair in pairs)
    return Filter(name=key.rpartition(".")[2], cases=cases, pairs=hits)


def tables(study: Comparison) -> list[Part]:
    """What the study found: by category, where labels differ from the usual one, and what each filter leaves."""
    total = study.total
    others = total.pairs - total.made
    with_usual = total.agree + total.constant - total.constant_of_made
    parts: list[Part] = [
        f"{study.source}: {total.pairs:,} pairs from {study.premises:,} premises; we make {study.cases:,}",
        _categories(study),
        f"Always giving the category's usual label is right on {_share(total.constant, total.pairs)}% of pairs. "
        f"Giving our label if there is one, and the usual label for the other {others:,}, is right on "
        f"{_share(with_usual, total.pairs)}%.",
    ]
    parts += [_different(study)] if study.different else []
    return parts + ([_filters(study)] if study.filters else [])


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f}" if whole else "-"


def _categories(study: Comparison) -> Sheet:
    return plain_sheet(
        [
            {
                "category": name,
                "pairs": f"{row.pairs:,}",
                "usual label": row.usual,
                "built %": _share(row.built, row.pairs),
                "made %": _share(row.made, row.pairs),
                "agree %": _share(row.agree, row.made),
                "usual %": _share(row.constant_of_made, row.made),
            }
            for name, row in [*study.categories.items(), ("all", study.total)]
        ],
        figures=["pairs", "built %", "made %", "agree %", "usual %"],
    )


def _different(study: Comparison) -> Sheet:
    counts = Counter((each.category, each.gold, each.ours or "not made") for each in study.different)
    return plain_sheet(
        [
            {"category": category, "gold, not the usual label": gold, "ours": ours, "pairs": f"{count:,}"}
            for (category, gold, ours), count in sorted(counts.items())
        ],
        figures=["pairs"],
    )


def _filters(study: Comparison) -> Sheet:
    return plain_sheet(
        [
            {
                "filter": each.name,
                "cases left": f"{each.cases:,}",
                "%": _share(each.cases, study.cases),
                "released pairs left": f"{each.pairs:,}",
                "% ": _share(each.pairs, study.total.made),
            }
            for each in study.filters
        ],
        figures=["cases left", "%", "released pairs left", "% "],
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("against", help="the released set, or another whose pairs name their category")
    for name in ("categories", "train", "vectors", "bigrams"):
        options.add_argument(f"--{name}", help=f"as in `assay build lexical --{name}`")
    options.add_argument("--pairs", type=Path, help="write pairs with an unusual label as JSON lines")
    given = vars(options.parse_args())
    against, pairs = given.pop("against"), given.pop("pairs")
    study = compare_with(read(against), lexical_switches(**given))
    if pairs is not None:
        pairs.write_bytes(b"".join(msgspec.json.encode(each) + b"\n" for each in study.different))
    Console(width=100).print(show_parts(tables(study)))


if __name__ == "__main__":
    main()
