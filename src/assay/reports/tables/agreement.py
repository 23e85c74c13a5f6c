"""How well annotators agree, as a table."""

from collections.abc import Mapping
from typing import Any

from assay.reports.tables.sheet import Part, plain_sheet


def agreement_parts(found: Mapping[str, Any]) -> list[Part]:
    """Kappa overall and by label, alpha and human performance; `found` is an agreement as plain data."""
    rows = [{"": "all labels", "pairs": f"{found['pairs']:,}", "Fleiss' kappa": _figure(found["kappa"])}]
    rows += [
        {"": label, "pairs": f"{found['gold'].get(label, 0):,}", "Fleiss' kappa": _figure(kappa)}
        for label, kappa in found["kappas"].items()
    ]
    human, guessing = ("-" if found[name] is None else f"{found[name]:.2%}" for name in ("human", "guessing"))
    return [
        plain_sheet(rows, figures=["pairs", "Fleiss' kappa"]),
        f"Krippendorff's alpha: {_figure(found['alpha'])}",
        f"estimated human performance: {human} of single labels match the gold label, which is made from them; for "
        f"{found['annotators']} people who guess, {guessing} do",
        f"{found['annotators']} labels per pair; unanimous on {found['unanimous']:,} pairs",
    ]


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"
