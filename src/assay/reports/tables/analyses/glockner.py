"""Tables of what Glockner et al. (2018) analyse: similarity and frequency."""

from assay.core.analysis import Analysis
from assay.reports.published.figures import figure
from assay.reports.tables.analyses.grid import PUBLISHED, cases, grid, has_published, named, number, published
from assay.reports.tables.sheet import Cell, Part, Row, Sheet, numbers, texts

CLUSTERS = (
    "Per cent of the contradictions with one word replaced, with 95 % intervals that take cases with the same two "
    "words as one cluster."
)
STATISTICS = ("least", "most", "mean", "median")


def similarity(found: Analysis) -> list[Part]:
    """Accuracy by the cosine of the two words."""
    return [_by(found, "cosine", "Accuracy by the cosine of the two words", "accuracy by similarity"), *found.notes]


def frequency(found: Analysis) -> list[Part]:
    """Accuracy by how often training shows the two words together, and the new word; then the words themselves."""
    return [
        f"Training: {found.settings['train']}.",
        _by(found, "together", "Accuracy by training contradictions with both words", "accuracy by frequency"),
        _by(found, "word", "Accuracy by training pairs with the new word", ""),
        _words(found),
        *found.notes,
    ]


def _by(found: Analysis, name: str, title: str, measures: str) -> Sheet:
    pairs = {
        (e.slice["suite"], e.slice["family"], e.slice[name]): e
        for e in named(found, "pairs", name)
        if "model" not in e.slice
    }
    sheet = grid(
        named(found, "accuracy", name),
        ("suite", "family", name),
        name=name,
        title=title,
        note=CLUSTERS,
        after={
            "cases": cases,
            "word pairs": lambda e: number(pairs[e.slice["suite"], e.slice["family"], e.slice[name]]),
            PUBLISHED: published(found, measures, as_family="lexical"),
        },
    )
    return has_published(sheet)


def _words(found: Analysis) -> Sheet:
    """How often training has the new words."""
    own = {
        (e.slice["suite"], e.slice["family"], e.name.partition(" ")[0]): e
        for e in found.estimates
        if e.name.endswith("of a new word")
    }
    rows = []
    for suite, family in dict.fromkeys(key[:2] for key in own):
        figures = [own[suite, family, each] for each in STATISTICS]
        rows.append(Row("", (Cell(suite), Cell(family), *map(number, figures), Cell(f"{figures[0].n:,}"))))
    said = ", ".join(
        f"{each} {figure('glockner2018', 'section 3', row=each, column='training pairs').printed}"
        for each in STATISTICS
    )
    return Sheet(
        "new-words",
        "Training pairs that have a new word",
        f"Over distinct new words. In Glockner et al. (2018), with all of SNLI: {said}.",
        (*texts("suite", "family"), *numbers(*STATISTICS, "words")),
        tuple(rows),
    )
