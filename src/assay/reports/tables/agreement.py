"""How far annotators agree, as a table."""

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from assay.reports.write.terminal import plain_table


def agreement_table(found: Mapping[str, Any]) -> RenderableType:
    """Kappa overall and by label, alpha and human performance; `found` is an agreement as plain data."""
    rows = [{"": "all labels", ">pairs": f"{found['pairs']:,}", ">Fleiss' kappa": _figure(found["kappa"])}]
    rows += [
        {"": label, ">pairs": f"{found['gold'].get(label, 0):,}", ">Fleiss' kappa": _figure(kappa)}
        for label, kappa in found["kappas"].items()
    ]
    human = "-" if found["human"] is None else f"{found['human']:.2%}".replace("%", " %")
    lines = [
        f"Krippendorff's alpha: {_figure(found['alpha'])}",
        f"estimated human performance: {human} of single labels are the gold label",
        f"{found['annotators']} labels a pair; all say the same on {found['unanimous']:,} pairs",
    ]
    return Group(plain_table(rows), *map(Text, lines))


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"
