"""Tables of Markdown, and measured figures in their cells."""

import re
from collections.abc import Iterable, Sequence

from measured import Figure

from assay.reports.published.published_results import PublishedFigure as Published

NUMBER = re.compile(r"[-+]?[0-9][0-9.,]*%?|-|not measured|")
"""What a column of numbers may hold; such columns are aligned to the right."""


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; a sentence if it would be empty."""
    own = list(rows)
    if not own:
        return "Not measured.\n"
    rules = ["--:" if all(NUMBER.fullmatch(row[place]) for row in own) else "---" for place in range(len(head))]
    lines = [head, rules, *own]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines) + "\n"


def cell(figure: Figure | None, *, separator: str = " ") -> str:
    """A share in percent, with its interval after the separator."""
    if figure is None or figure.value is None:
        return "-"
    if figure.low is None or figure.high is None:
        return f"{100 * figure.value:.1f}"
    return f"{100 * figure.value:.1f}{separator}({100 * figure.low:.1f}-{100 * figure.high:.1f})"


def span(figures: Sequence[Published]) -> str:
    """The lowest and the highest of published figures, and the number of systems."""
    shares = [each.share for each in figures if each.share is not None]
    if not shares:
        return "-"
    ends = "-".join(dict.fromkeys(f"{100 * end:.1f}" for end in (min(shares), max(shares))))
    systems = len({each.system for each in figures})
    return f"{ends} ({systems} systems)" if systems > 1 else ends


def places(figures: Sequence[Published]) -> str:
    """Where figures are printed."""
    return ", ".join(dict.fromkeys(f"{each.paper} {each.table}" for each in figures))
