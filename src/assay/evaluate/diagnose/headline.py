"""A diagnosis in one sentence that people can quote."""

from collections.abc import Iterable, Mapping, Sequence

from assay.core.label import Label, LabelNames
from assay.core.results.diagnosis import Effect, Moves, Shortcut
from assay.evaluate.judge.findings import LARGE
from assay.evaluate.judge.verdict import UNUSABLE

MOST_NAMED = 2
"""How many shortcuts a headline names."""

TREATED: Mapping[Shortcut, str] = {
    "overlap": "shared words",
    "subsequence": "a piece of the premise",
    "constituent": "a phrase of the premise",
    "negation": "a negation word",
    "replacement": "every replacement",
}
"""What a model takes for a label."""

MOSTLY = 0.5
"""A model that gives a shortcut's answer less often than this only treats something as a label sometimes."""

NOTHING = "follows no shortcut that shows in this run"


def headline(effects: Sequence[Effect], moves: Sequence[Moves], names: LabelNames) -> str:
    """What a model does, without its name and the full stop.

    >>> found = Effect(name="overlap", rule="", answer="entailment", n=450, followed=0.99, base=0.2, follows=True)
    >>> headline([found], [], LabelNames())
    'treats shared words as entailment (99 % of the 450 cases where that is wrong, against 20 % elsewhere)'
    """
    followed = [each for each in effects if each.follows]
    fall = _fall(moves, names)
    if not followed:
        return f"{NOTHING}, but {fall}" if fall else NOTHING
    said = [_said(each, names, brief=bool(place)) for place, each in enumerate(followed[:MOST_NAMED])]
    if len(said) > 1 and said[0].startswith("treats ") and "treats " in said[1]:
        said[1:] = [each.replace("treats ", "", 1) for each in said[1:]]
    told = " and ".join(said)
    return f"{told}; {fall}" if fall and not _is_constant(followed) else told


def unusable(fallbacks: int, n: int) -> str:
    """What is said about a model most of whose answers are fallbacks; empty if they are not.

    >>> unusable(12, 12), unusable(1, 12)
    ('gave no usable answer to 12 of 12 cases', '')
    """
    return f"gave no usable answer to {fallbacks:,} of {n:,} cases" if n and fallbacks / n >= UNUSABLE else ""


def _said(effect: Effect, names: LabelNames, *, brief: bool) -> str:
    label = names(effect.answer)
    share = _percent(effect.followed)
    of = f"{effect.n:,}" if brief else f"the {effect.n:,} cases where that is wrong"
    wrong = f"({share} of {of}, against {_percent(effect.base)} elsewhere)"
    match effect.name:
        case "constant":
            return f"always answers {label}" if effect.followed == 1 else f"answers {label} nearly always ({share})"
        case "prior":
            return f"prefers {label} ({share} of its answers, if all labels were equally often right)"
        case "hypothesis":
            return f"answers as the hypothesis alone suggests {wrong}"
        case "length":
            return f"answers as length suggests {wrong}"
        case "order":
            return f"keeps {share} of its {names(Label.ENTAILMENT)} when the sides are swapped"
        case "scope":
            return f"answers as if negation had no scope {wrong}"
        case _:
            often = "" if (effect.followed or 0.0) >= MOSTLY else "sometimes "
            return f"{often}treats {TREATED[effect.name]} as {label} {wrong}"


def _fall(moves: Iterable[Moves], names: LabelNames) -> str:
    """The family of copies in which a label that is still right is given far less often; the largest such fall."""
    falls = [
        (shift.before - shift.after, each, shift)
        for each in moves
        for shift in each.shifts
        if shift.lost and shift.before - shift.after >= LARGE
    ]
    if not falls:
        return ""
    _, where, shift = max(falls, key=lambda each: each[0])
    before, after = _percent(shift.before), _percent(shift.after)
    return f"{names(where.label)} falls from {before} to {after} in {where.family}"


def _is_constant(followed: Sequence[Effect]) -> bool:
    return any(each.name == "constant" for each in followed)


def _percent(share: float | None) -> str:
    return f"{100 * (share or 0.0):.0f} %"
