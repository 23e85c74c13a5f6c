"""Forms: all pairs of patterns that the templates of a family make, each with the label that natural logic gives it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

import msgspec

from assay.core.label import Label
from assay.stress.logic.logic_lexicon import EntryError
from assay.stress.logic.natural_logic import (
    conditional_label,
    is_more_specific,
    label_change,
    order_label,
    polarity_of,
    quantity_label,
)
from assay.stress.logic.operators import Operators, Polarity, compose_polarity, load_operators
from assay.stress.logic.sentence_patterns import (
    Piece,
    check_marks,
    drop_marks,
    fill_determiner,
    parse_braces,
    parse_pattern,
)

Family = Literal["scope", "monotonicity", "conjunction", "quantifiers", "comparatives", "conditionals"]
LOGIC_FAMILIES: tuple[Family, ...] = (
    *("scope", "monotonicity", "conjunction", "quantifiers"),
    *("comparatives", "conditionals"),
)

Labelling = Callable[[Sequence[Piece], Sequence[Piece]], Label | None]

LABELLING: Mapping[str, Labelling] = {
    "quantifiers": quantity_label,
    "comparatives": order_label,
    "conditionals": conditional_label,
}
"""Labelling functions for premises and hypotheses that a template lists."""


class LogicTemplate(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A sentence with a part to replace, and its denial; or premises and hypotheses."""

    id: str
    subcase: str
    """The subcase; the same number of pairs is made for each."""
    sentence: str = ""
    """A pattern with one part in braces."""
    denial: str = ""
    """A pattern with the opposite meaning and the same part in braces; without it, there are no contradictions."""
    determiners: tuple[str, ...] = ()
    """The determiners that replace DET; OPP is replaced by the opposite."""
    premises: tuple[str, ...] = ()
    """Patterns, each paired with every hypothesis."""
    hypotheses: tuple[str, ...] = ()
    label: Label | None = None
    """The label that all its pairs should have, if it is to be checked."""


class PairForm(NamedTuple):
    """A pair of patterns with a label."""

    id: str
    """The template's id, and how it was changed."""
    template: str
    subcase: str
    premise: tuple[Piece, ...]
    hypothesis: tuple[Piece, ...]
    label: Label | None
    """The label by natural logic; None if it depends on a reading."""
    polarity: Polarity | None = None
    """The polarity of the changed position; None if there are other changes."""
    change: str = ""
    """The direction of the change, more general or more specific; empty if there are other changes."""


def forms_of(template: LogicTemplate, family: str, table: Operators | None = None) -> list[PairForm]:
    """The forms of a template; an invalid one raises an `EntryError`.

    >>> made = forms_of(LogicTemplate(id="t", subcase="s", sentence="NAME1 did not DEED.base {THING}"), "scope")
    >>> [(form.id, form.label.value) for form in made]
    [('t/to-general', 'neutral'), ('t/to-specific', 'entailment')]
    """
    table = table or load_operators()
    if bool(template.sentence) == bool(template.premises) or bool(template.premises) != bool(template.hypotheses):
        raise EntryError(
            f"the template {template.id!r} needs a sentence, or premises and hypotheses",
            entry=template.id,
            hint="Give either `sentence`, or both `premises` and `hypotheses`.",
        )
    if template.premises and family not in LABELLING:
        raise EntryError(
            f"the template {template.id!r}: {family} can't compare premises with hypotheses",
            entry=template.id,
            hint=f"Only {', '.join(LABELLING)} can; give a `sentence` with a place in braces.",
        )
    for text in (*filter(None, (template.sentence, template.denial)), *template.premises, *template.hypotheses):
        check_marks(text)
    make = _replaced_forms if template.sentence else _paired_forms
    return [form for determiner in template.determiners or ("",) for form in make(template, family, determiner, table)]


def _replaced_forms(template: LogicTemplate, _family: str, determiner: str, table: Operators) -> Iterator[PairForm]:
    opposite = table.opposite(determiner) if determiner else ""
    sentence = parse_braces(fill_determiner(template.sentence, determiner, opposite))
    denial = None
    if template.denial and not ("OPP" in template.denial and not opposite):
        denial = parse_braces(fill_determiner(template.denial, determiner, opposite))
    polarity, specific = polarity_of(sentence, table), is_more_specific(sentence)
    name = f"{template.id}/{determiner.replace(' ', '-')}" if determiner else template.id
    for side in (0, 1):
        change = "general" if specific is (side == 0) else "specific"
        weaker = None if polarity == "none" else (change == "general") == (polarity == "up")
        for first, one in ((False, sentence), (True, denial)):
            for second, other in ((False, sentence), (True, denial)):
                if one and other:
                    tag = "-denied" * (first or second) + "-both" * (first and second)
                    yield PairForm(
                        f"{name}/to-{change}{'-from-denied' if first and not second else tag}",
                        template.id,
                        template.subcase,
                        drop_marks(one.with_(side)),
                        drop_marks(other.with_(1 - side)),
                        label_change(weaker, denied=first, also_denied=second),
                        (compose_polarity(polarity, "down") if first else polarity) if first == second else None,
                        change if first == second else "",
                    )


def _paired_forms(template: LogicTemplate, family: str, determiner: str, table: Operators) -> Iterator[PairForm]:
    opposite = table.opposite(determiner) if determiner else ""
    premises = [parse_pattern(fill_determiner(each, determiner, opposite)) for each in template.premises]
    hypotheses = [parse_pattern(fill_determiner(each, determiner, opposite)) for each in template.hypotheses]
    for number, premise in enumerate(premises, 1):
        for other, hypothesis in enumerate(hypotheses, 1):
            if drop_marks(premise) != drop_marks(hypothesis):
                label = LABELLING[family](premise, hypothesis)
                name = f"{template.id}/{number}-{other}"
                yield PairForm(name, template.id, template.subcase, drop_marks(premise), drop_marks(hypothesis), label)
