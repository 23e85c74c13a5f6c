"""For notebooks: small HTML tables, in which everything is escaped."""

from collections.abc import Iterable, Sequence
from html import escape

MOST = 60
"""How many rows are shown; the rest are counted."""

MARK = "*"
"""Marks a figure that shows a problem, in tables that are plain text."""

REFERENCE = "ref"
"""Marks a model that is a reference, after its name."""


def html_table(caption: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table with a caption; figures are right-aligned.

    >>> html_table("<b>", ["family", "cases"], [["a & b", 3]])
    '<table><caption>&lt;b&gt;</caption><thead><tr><th>family</th><th>cases</th></tr></thead><tbody><tr><td>a &amp; b</td><td style="text-align: right">3</td></tr></tbody></table>'
    """  # noqa: E501 - one line of HTML
    found = list(rows)
    head = "".join(f"<th>{_text(name)}</th>" for name in columns)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in found[:MOST])
    if len(found) > MOST:
        body += f'<tr><td colspan="{len(columns)}">... and {len(found) - MOST:,} more</td></tr>'
    return f"<table><caption>{_text(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


class Figure(str):
    """A figure as it is shown."""

    __slots__ = ()


def share(value: float | None, *, marked: bool = False) -> Figure:
    """A share in per cent, to one decimal; a dash if nothing was measured.

    >>> share(0.5), share(0.25, marked=True), share(None)
    ('50.0', '25.0*', '-')
    """
    return Figure("-" if value is None else f"{value * 100:.1f}{MARK if marked else ''}")


def _cell(value: object) -> str:
    if isinstance(value, int | Figure):
        shown = f"{value:,}" if isinstance(value, int) else value
        return f'<td style="text-align: right">{shown}</td>'
    return f"<td>{_text(str(value))}</td>"


def _text(text: str) -> str:
    """Escaped for HTML, with nothing in it that changes the direction of writing."""
    seen = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return escape(seen)
