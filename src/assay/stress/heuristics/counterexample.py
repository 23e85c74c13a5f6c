"""Entailment by looking for a counterexample: a world where the premise holds and the hypothesis does not."""

from collections.abc import Collection
from itertools import product
from typing import Final, NamedTuple

from assay.core.errors import UserError, did_you_mean
from assay.core.label import Label
from assay.core.protocols import Fidelity
from assay.language.fragment.chart_parser import PhraseNode
from assay.language.fragment.fragment_lexicon import FragmentLexicon, standard_fragment_lexicon
from assay.stress.formulas import Formula, facts_of
from assay.stress.heuristics.sentence_meaning import Atom, MeaningReader, count_some, find_world, make_axioms

DOUBLED_THE: Final = "doubled-the"
OBJECT_TAG: Final = "object-tag"
TOWN_TWICE: Final = "town-twice"

ALL = frozenset({DOUBLED_THE, OBJECT_TAG, TOWN_TWICE})


def quirks_of(fidelity: Fidelity, quirks: Collection[str] | None = None) -> frozenset[str]:
    """The quirks that are on: all with the released code, none otherwise, or those that are named.

    >>> sorted(quirks_of("code")), sorted(quirks_of("strict")), sorted(quirks_of("strict", ["town-twice"]))
    (['doubled-the', 'object-tag', 'town-twice'], [], ['town-twice'])
    """
    if quirks is None:
        return ALL if fidelity == "code" else frozenset()
    for quirk in quirks:
        if quirk not in ALL:
            raise UserError(f"No quirk {quirk!r}{did_you_mean(quirk, ALL)} Choose from {', '.join(sorted(ALL))}.")
    return frozenset(quirks)


def named_quirks(names: str) -> list[str] | None:
    """The quirks that an option names, separated by blanks; `none` means none, and an empty text those of the fidelity.

    >>> named_quirks("doubled-the town-twice"), named_quirks("none"), named_quirks("")
    (['doubled-the', 'town-twice'], [], None)
    """
    return None if not names.strip() else [] if names.strip() == "none" else names.split()


def without_doubled_the(text: str) -> str:
    """A sentence without the doubled "the" of the released code.

    >>> without_doubled_the("The actor saw the the judge .")
    'The actor saw the judge .'
    """
    return text.replace(" the the ", " the ")


class HeuristicsProof(NamedTuple):
    """The result of a proof for a pair."""

    label: Label | None
    """Entailment, non-entailment, or None if a sentence is not in the fragment or its readings differ."""
    reason: str = ""
    world: tuple[str, ...] | None = None
    """The facts of a world where the premise holds and the hypothesis does not; none at all may be needed."""
    conventions: tuple[str, ...] = ()
    """The conventions without which entailment could not be proven."""
    readings: int = 1
    """The number of ways to read the two sentences together; all of them have this label."""
    quirks: tuple[str, ...] = ()
    """Quirks that were repaired before the sentences could be read."""


def prove(premise: str, hypothesis: str, *, lexicon: FragmentLexicon | None = None) -> HeuristicsProof:
    """Prove or refute that a premise entails a hypothesis, from their words alone.

    >>> prove("The doctor near the actor slept .", "The doctor slept .").label
    <Label.ENTAILMENT: 'entailment'>
    >>> proof = prove("Before the doctor slept , the actor ran .", "The doctor slept .")
    >>> proof.label, proof.conventions
    (<Label.ENTAILMENT: 'entailment'>, ('subordinator: before',))
    >>> prove("The doctor saw the actor .", "The actor saw the doctor .").world
    ('saw(doctor, actor)',)
    """
    lexicon = lexicon or standard_fragment_lexicon()
    sides = [without_doubled_the(premise), without_doubled_the(hypothesis)]
    quirks = ("doubled-the",) if sides != [premise, hypothesis] else ()
    trees = [lexicon.parse(side) for side in sides]
    for name, found in zip(("premise", "hypothesis"), trees, strict=True):
        if not found:
            return HeuristicsProof(None, f"the {name} is not in the fragment", quirks=quirks)
    shown = [_prove_reading(first, second, lexicon) for first, second in product(*trees)]
    if len({proof.label for proof in shown}) > 1:
        return HeuristicsProof(None, "its readings differ", readings=len(shown), quirks=quirks)
    return shown[0]._replace(readings=len(shown), quirks=quirks)


def _prove_reading(premise: PhraseNode, hypothesis: PhraseNode, lexicon: FragmentLexicon) -> HeuristicsProof:
    world, used = _search_worlds(premise, hypothesis, lexicon, frozenset())
    if world is not None:
        return HeuristicsProof(Label.NON_ENTAILMENT, world=tuple(sorted(map(describe_atom, world))))
    needed = [
        name for name in sorted(used) if _search_worlds(premise, hypothesis, lexicon, frozenset([name]))[0] is not None
    ]
    return HeuristicsProof(Label.ENTAILMENT, conventions=tuple(needed))


def _search_worlds(
    premise: PhraseNode, hypothesis: PhraseNode, lexicon: FragmentLexicon, without: frozenset[str]
) -> tuple[frozenset[Atom] | None, set[str]]:
    """Look for a counterexample; return it with the conventions that were used."""
    nameless = tuple(f"somebody {n}" for n in range(1, count_some(premise) + count_some(hypothesis) + 1))
    reader = MeaningReader(lexicon, nameless=nameless, without=without)
    taken, claimed = reader.read(premise), reader.read(hypothesis)
    atoms = {atom for formula in (taken.whole, claimed.whole) for atom in facts_of(formula)}
    axioms, understood = make_axioms(atoms, lexicon, without=without)
    used = taken.conventions | ({"understood object"} if understood else set())
    return find_world([taken.whole, *axioms], false=claimed.whole), {*used}


def describe_atom(atom: Atom) -> str:
    """An atom in readable form.

    >>> describe_atom(Atom("paid", ("doctor", None, "office")))
    'paid(doctor, _, office)'
    >>> describe_atom(Atom("said", ("actor", Atom("ran", ("judge", None, None)))))
    'said(actor, ran(judge))'
    """
    arguments = [
        "_" if each is None else each if isinstance(each, str) else _describe_formula(each) for each in atom.arguments
    ]
    while arguments and arguments[-1] == "_":
        arguments.pop()
    return f"{atom.predicate}({', '.join(arguments)})"


def _describe_formula(formula: Formula) -> str:
    if isinstance(formula, Atom):
        return describe_atom(formula)
    return " & ".join(dict.fromkeys(describe_atom(atom) for atom in facts_of(formula)))
