"""A shortcut with its figures, in words."""

from assay.core.results.diagnosis import Effect


def shortcut_told(effect: Effect) -> str:
    """What the shortcut is, and how closely the model follows it, without a full stop.

    >>> shortcut_told(Effect(name="overlap", rule="all is shared", answer="entailment", n=40, followed=0.9, base=0.1))
    'overlap (entailment if all is shared): followed in 90% of 40 cases where it is wrong; in 10% of comparable cases'
    """
    rule = f"{effect.answer} if {effect.rule}" if effect.answer else effect.rule
    told = f"{effect.name} ({rule})"
    if effect.followed is not None:
        told += f": followed in {100 * effect.followed:.0f}% of {effect.n:,} cases where it is wrong"
    if effect.base is not None:
        told += f"; in {100 * effect.base:.0f}% of comparable cases"
    return told
