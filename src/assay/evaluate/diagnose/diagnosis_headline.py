"""A diagnosis in one sentence that people can quote."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from assay.core.judgement import Effect, Moves, Profile, Shortcut
from assay.core.label import Label
from assay.core.label_space import LabelNames
from assay.evaluate.seeds import merge_seeds
from assay.evaluate.verdict import LARGE

MOST_NAMED = 2  # maximum number of shortcuts that a headline names
TREATED: Mapping[Shortcut, str] = {
    "overlap": "shared words",
    "subsequence": "a piece of the premise",
    "constituent": "a phrase of the premise",
    "few-shared": "few shared words",
    "negation": "a negation word",
    "number": "a number",
    "last-word": "the same last word",
    "replacement": "every replacement",
}
"""Features that a model takes for a label."""

SUGGESTS: Mapping[Shortcut, str] = {
    "hypothesis": "the hypothesis alone",
    "premise": "the premise alone",
    "first-word": "the first word of the hypothesis",
    "last-word": "the last word of the hypothesis",
    "word-pair": "the two changed words alone",
    "length": "the lengths of the texts",
    "overlap": "word overlap",
    "scope": "negation without its scope",
}
"""Features that suggest answers, if no label is part of the rule."""

MOSTLY = 0.5  # a model that gives a shortcut's answer less often than this only treats something as a label sometimes
NOTHING = "follows no shortcut that shows in this run"

UNKNOWN = "answers systematically from something other than the meaning, but from no known shortcut"


def headline(
    effects: Sequence[Effect], moves: Sequence[Moves], names: LabelNames, *, unseen: Sequence[Shortcut] = ()
) -> str:
    """One sentence about a model, without its name; `unseen` are the shortcuts that too few cases could show.

    >>> found = Effect(name="overlap", rule="", answer="entailment", n=450, followed=0.99, base=0.2, follows=True)
    >>> headline([found], [], LabelNames())
    'treats shared words as entailment (99% of the 450 cases where that is wrong; 20% of comparable cases)'
    >>> headline([], [], LabelNames(), unseen=["negation"])
    'follows no shortcut that shows in this run (too few cases to tell about a negation word)'
    """
    followed = [each for each in effects if each.follows]
    fall = _largest_fall(moves, names)
    if not followed:
        nothing = _undecided_words(effects, unseen)
        return f"{nothing}; {fall}" if fall else nothing
    told = join_phrases([shortcut_phrase(each, names) for each in followed[:MOST_NAMED]])
    is_constant = any(each.name == "constant" for each in followed)
    return f"{told}; {fall}" if fall and not is_constant else told


class ShortcutPhrase(NamedTuple):
    """A shortcut that a model follows, as parts of a sentence, which can be combined with other shortcuts."""

    verb: str  # the verb, such as `treats` or `sometimes treats`
    rest: str  # the rest of the phrase, such as `shared words as entailment`
    evidence: str = ""  # the evidence, such as `95% of the 459 cases where that is wrong; 21% of comparable cases`
    brief_evidence: str = ""  # the same, for use after a phrase that has already described the cases
    often: str = ""  # the frequency that `sometimes` means


def join_phrases(phrases: Sequence[ShortcutPhrase], *, evidence: bool = True) -> str:
    """Phrases as part of a sentence, what happens only sometimes last; the verb `treats` is not repeated.

    >>> overlap = ShortcutPhrase("treats", "shared words as entailment", "95% of the 459 cases")
    >>> negation = ShortcutPhrase("sometimes treats", "a negation word as neutral", "38% of the 90 cases", "38% of 90")
    >>> join_phrases([overlap, negation])
    'treats shared words as entailment (95% of the 459 cases) and sometimes a negation word as neutral (38% of 90)'
    """
    parts, ordered = [], sorted(phrases, key=lambda phrase: phrase.verb.startswith("sometimes"))
    for place, phrase in enumerate(ordered):
        repeats = place > 0 and ordered[0].verb == "treats"
        verb = phrase.verb.removesuffix("treats").strip() if repeats else phrase.verb
        numbers = (phrase.brief_evidence if place else phrase.evidence) if evidence else ""
        parts.append(" ".join(filter(None, (verb, phrase.rest, numbers and f"({numbers})"))))
    return " and ".join(parts)


def _undecided_words(effects: Sequence[Effect], unseen: Sequence[Shortcut]) -> str:
    """The sentence about a model that clearly follows no shortcut."""
    possible = [each.name for each in effects if each.possible]
    if "unknown" in possible:
        return UNKNOWN
    if possible:
        *others, last = [TREATED.get(name) or SUGGESTS[name] for name in possible]
        return f"follows a shortcut, but these cases can't tell which: {', '.join(others)} or {last}"
    if {*TREATED} - {*unseen} <= {"replacement"}:
        return "can't be diagnosed: a shortcut would be wrong in too few of these cases"
    # The last two are special cases of others.
    few = [TREATED.get(name) or SUGGESTS[name] for name in unseen if name not in ("subsequence", "constituent")]
    return f"{NOTHING} (too few cases to tell about {' and '.join(few)})" if few else NOTHING


def shortcut_phrase(effect: Effect, names: LabelNames) -> ShortcutPhrase:
    """The phrase about one shortcut that a model follows."""
    label = names(effect.answer)
    share = _percent(effect.followed)
    compared = f"{_percent(effect.base)} of comparable cases"
    wrong = f"{share} of the {effect.n:,} cases where that is wrong; {compared}"
    brief = f"{share} of {effect.n:,}; {compared}"
    match effect.name:
        case "constant" if effect.followed == 1:
            return ShortcutPhrase("always answers", label)
        case "constant":
            return ShortcutPhrase("answers", f"{label} nearly always", share, share)
        case "prior":
            often = f"{share} of its answers, if all labels were equally often right"
            return ShortcutPhrase("prefers", label, often, often)
        case "order":
            return ShortcutPhrase("keeps", f"{share} of its {names(Label.ENTAILMENT)} when the sides are swapped")
        case "scope":
            return ShortcutPhrase("ignores", "what a negation applies to", wrong, brief)
        case _ if not effect.answer:
            return ShortcutPhrase("answers", f"from {SUGGESTS[effect.name]}", wrong, brief)
        case _:
            rest = f"{TREATED[effect.name]} as {label}"
            if (effect.followed or 0.0) >= MOSTLY:
                return ShortcutPhrase("treats", rest, wrong, brief)
            return ShortcutPhrase("sometimes treats", rest, wrong, brief)


def _largest_fall(moves: Iterable[Moves], names: LabelNames) -> str:
    """The family of edited copies in which a label that is still right is given far less often; the largest fall."""
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


def _percent(share: float | None) -> str:
    return f"{100 * (share or 0.0):.0f}%"


def shortcut_words(effect: Effect) -> str:
    """A shortcut and how closely a model follows it, without a full stop.

    >>> shortcut_words(Effect(name="overlap", rule="all is shared", answer="entailment", n=40, followed=0.9, base=0.1))
    'overlap (entailment if all is shared): followed in 90% of 40 cases where it is wrong; in 10% of comparable cases'
    """
    rule = f"{effect.answer} if {effect.rule}" if effect.answer else effect.rule
    told = f"{effect.name} ({rule})"
    if effect.followed is not None:
        told += f": followed in {100 * effect.followed:.0f}% of {effect.n:,} cases where it is wrong"
    if effect.base is not None:
        told += f"; in {100 * effect.base:.0f}% of comparable cases"
    return told


def seeds_headline(seeds: Sequence[Profile], names: LabelNames) -> str:
    """The sentence about a system: shortcuts and falls that all of its seeds show, with mean shares."""
    effects = []
    for effect in seeds[0].followed:
        if all(any(each.name == effect.name for each in seed.followed) for seed in seeds):
            same = [each for seed in seeds for each in seed.followed if each.name == effect.name]
            effects.append(merge_seeds(same))
    return headline(effects, _mean_moves(seeds), names)


def _mean_moves(seeds: Sequence[Profile]) -> list[Moves]:
    """The matrices that all seeds have, with mean shifts and the largest p."""
    by_place = [{(each.suite, each.family, each.label): each for each in seed.moves} for seed in seeds]
    found = []
    for place, first in by_place[0].items():
        same = [places[place] for places in by_place if place in places]
        shifts = {answer: [s for each in same for s in each.shifts if s.answer == answer] for answer in first.answers}
        means = tuple(
            msgspec.structs.replace(merge_seeds(own), lost=all(each.lost for each in own))
            for own in shifts.values()
            if len(own) == len(seeds)
        )
        found.append(msgspec.structs.replace(first, shifts=means))
    return found
