"""The WordNet baseline on Breaking NLI: the paper read literally, and the setting that comes closest to its numbers.

The paper does not say which senses count, which relation is tested first, or where edges are counted from.
`python tools/wordnet_settings.py breaking_nli/dataset.jsonl` tries every combination, which takes about a minute. As in
the paper, a pair that can't be judged counts as wrong.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from assay.core.errors import BadInputError
from assay.core.label import Label
from assay.core.manifest import Source
from assay.corpora.reader import CorpusReader, read
from assay.language.text.tokens import find_differences
from assay.models.baselines.wordnet_baseline import ORDERS, Terms, WordNetBaseline, terms_of
from assay.reports.published.published_results import figure, table
from assay.reports.tables.sheet import Part, plain_sheet
from assay.reports.write import markdown

GRID: dict[str, tuple[Any, ...]] = {
    "senses": ("any", "first"),
    "edges": (1, 2, 3, 4),
    "count": ("each", "path"),
    "instances": (True, False),
    "similar": ("no", "hypernym", "synonym"),
    "antonyms": ("word", "synset", "similar"),
}
"""What is tried, each with every order of the tests."""

LITERAL = WordNetBaseline()


class WordNetSetting(msgspec.Struct, frozen=True, kw_only=True):
    """The results of one setting of the baseline."""

    model: str
    """Its name, with the options that differ from the literal reading."""
    accuracy: float
    """The share of all pairs that it gets right; one that it can't judge counts as wrong, as in the paper."""
    categories: dict[str, float]
    distance: float
    """The mean distance to the published shares, each category counted by its pairs."""


class WordNetStudy(msgspec.Struct, frozen=True, kw_only=True):
    """The results of all settings."""

    source: Source
    pairs: dict[str, int]
    """Pairs by category."""
    fallbacks: dict[str, int]
    """Pairs that the literal reading can't judge, by reason."""
    tried: int
    """How many settings."""
    literal: WordNetSetting
    """The paper read literally."""
    best: WordNetSetting
    """The setting that is nearest to the published shares."""


class _Question(NamedTuple):
    """What all pairs that ask the same have in common."""

    category: str
    label: Label
    terms: Terms | None


def try_settings(
    source: str | Path | CorpusReader, published: Mapping[str, float], *, grid: Mapping[str, Sequence[Any]] = GRID
) -> WordNetStudy:
    """Try every setting of a grid on a corpus with categories, and compare with published shares by category."""
    corpus = source if isinstance(source, CorpusReader) else read(source)
    asked: Counter[_Question] = Counter()
    reasons: Counter[str] = Counter()
    for pair in corpus:
        category = pair.group.get("category", "")
        if category not in published:
            raise BadInputError(
                f"the category {category!r} of the pair {pair.id!r} has no published figure",
                where=corpus.reading.source,
                hint="This study is about Breaking NLI; to ask the baseline about any corpus: "
                "assay run --from CORPUS --model assay:wordnet",
            )
        if why := LITERAL.judge(pair.premise, pair.hypothesis).note:
            reasons[why] += 1
        found = find_differences(pair.premise, pair.hypothesis)
        asked[_Question(category, pair.label, terms_of(found[0]) if len(found) == 1 else None)] += 1
    settings = {model: _setting(model, right, asked, published) for model, right in _answers(asked, grid)}
    return WordNetStudy(
        source=corpus.summary(),
        pairs=_by_category(asked),
        fallbacks=dict(reasons.most_common()),
        tried=len(settings),
        literal=settings[LITERAL],
        best=min(settings.values(), key=lambda setting: setting.distance),
    )


def _answers(
    asked: Counter[_Question], grid: Mapping[str, Sequence[Any]]
) -> Iterator[tuple[WordNetBaseline, Counter[_Question]]]:
    """Every setting with the questions that it gets right; the tests are run once for all their orders."""
    terms = {question.terms for question in asked if question.terms}
    for values in product(*grid.values()):
        options = dict(zip(grid, values, strict=True))
        holds = {each: WordNetBaseline(**options).holds(each) for each in terms}
        for order in ORDERS:
            model = WordNetBaseline(**options, order=order)
            right = Counter({q: n for q, n in asked.items() if q.terms and model.first(holds[q.terms]) is q.label})
            yield model, right


def _setting(
    model: WordNetBaseline, right: Counter[_Question], asked: Counter[_Question], published: Mapping[str, float]
) -> WordNetSetting:
    hits, pairs = _by_category(right), _by_category(asked)
    shares = {category: hits.get(category, 0) / n for category, n in pairs.items()}
    apart = sum(n * abs(shares[category] - published[category]) for category, n in pairs.items())
    return WordNetSetting(
        model=_name(model),
        accuracy=right.total() / asked.total(),
        categories=shares,
        distance=apart / asked.total(),
    )


def _by_category(asked: Counter[_Question]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for question, n in asked.items():
        counts[question.category] += n
    return dict(sorted(counts.items()))


def _name(model: WordNetBaseline) -> str:
    given = [
        f"{field}={str(value).lower()}"
        for field, value in msgspec.structs.asdict(model).items()
        if value != getattr(LITERAL, field)
    ]
    return "assay:wordnet" + ("?" + "&".join(given) if given else "")


PAPER, TABLE, COLUMN = "glockner2018", "4", "WordNet Baseline"
TOTAL = "all"


class CategoryShares(NamedTuple):
    """A category, and shares in per cent."""

    category: str
    pairs: int
    published: str
    literal: float
    best: float


def published_shares() -> dict[str, float]:
    """What the paper prints for the baseline, by category.

    >>> published_shares()["planets"]
    1.0
    """
    found = (figure(PAPER, TABLE, row=row.name, column=COLUMN) for row in table(PAPER, TABLE).rows)
    return {each.row: each.share for each in found if each.share is not None and each.row != TOTAL}


def tables(found: WordNetStudy) -> list[Part]:
    """Accuracy by category."""
    rows = [
        {
            "category": line.category,
            "pairs": f"{line.pairs:,}",
            "published": line.published,
            "literal": f"{line.literal:.1f}",
            "nearest": f"{line.best:.1f}",
            "apart": f"{_apart(line):+.1f}",
        }
        for line in _lines(found)
    ]
    return [plain_sheet(rows, figures=["pairs", "published", "literal", "nearest", "apart"]), *_notes(found)]


def _apart(line: CategoryShares) -> float:
    return line.best - float(line.published)


def _lines(found: WordNetStudy) -> Iterator[CategoryShares]:
    for row in table(PAPER, TABLE).rows:
        printed = figure(PAPER, TABLE, row=row.name, column=COLUMN).printed
        shares = [
            setting.accuracy if row.name == TOTAL else setting.categories.get(row.name)
            for setting in (found.literal, found.best)
        ]
        if shares[0] is not None and shares[1] is not None:
            pairs = sum(found.pairs.values()) if row.name == TOTAL else found.pairs[row.name]
            yield CategoryShares(row.name, pairs, printed, 100 * shares[0], 100 * shares[1])


def _notes(found: WordNetStudy) -> list[str]:
    literal, best = found.literal, found.best
    reasons = ", ".join(f"{why} ({count:,})" for why, count in found.fallbacks.items())
    return [
        f"literal: {literal.model}, {100 * literal.distance:.2f} points from the published figures on average, "
        "weighting each category by its pairs",
        f"nearest of {found.tried:,} settings: {best.model}, {100 * best.distance:.2f} points",
        f"pairs that the literal reading can't judge, counted as wrong: {reasons or 'none'}",
    ]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("source", help="Breaking NLI, or other pairs with a category")
    for part in tables(try_settings(options.parse_args().source, published_shares())):
        print(f"- {markdown.escape(part)}" if isinstance(part, str) else f"{markdown.table(part)}\n")


if __name__ == "__main__":
    main()
