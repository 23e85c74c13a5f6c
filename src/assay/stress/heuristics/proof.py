"""Entailment by looking for a counterexample: a world where the premise holds and the hypothesis does not."""

from itertools import product
from typing import NamedTuple

from assay.core.label import Label
from assay.language.fragment.lexicon import Lexicon, standard
from assay.language.fragment.trees import Node
from assay.stress.heuristics.meaning import Reader, axioms, count_some
from assay.stress.heuristics.quirks import without_doubled_the
from assay.stress.heuristics.worlds import Atom, Formula, atoms_of, find_world


class Proof(NamedTuple):
    """What was shown about a pair."""

    label: Label | None
    """Entailment, non-entailment, or None if a sentence is not in the fragment or its readings differ."""
    reason: str = ""
    """Why there is no label."""
    world: tuple[str, ...] | None = None
    """The facts of a world where the premise holds and the hypothesis does not; none at all may be needed."""
    conventions: tuple[str, ...] = ()
    """The conventions without which entailment could not be proven."""
    readings: int = 1
    """The number of ways to read the two sentences together; all of them have this label."""
    quirks: tuple[str, ...] = ()
    """What had to be repaired before the sentences could be read."""


def prove(premise: str, hypothesis: str, *, lexicon: Lexicon | None = None) -> Proof:
    """Whether a premise entails a hypothesis, from their words alone.

    >>> prove("The doctor near the actor slept .", "The doctor slept .").label
    <Label.ENTAILMENT: 'entailment'>
    >>> proof = prove("Before the doctor slept , the actor ran .", "The doctor slept .")
    >>> proof.label, proof.conventions
    (<Label.ENTAILMENT: 'entailment'>, ('subordinator: before',))
    >>> prove("The doctor saw the actor .", "The actor saw the doctor .").world
    ('saw(doctor, actor)',)
    """
    lexicon = lexicon or standard()
    sides = [without_doubled_the(premise), without_doubled_the(hypothesis)]
    quirks = ("doubled-the",) if sides != [premise, hypothesis] else ()
    trees = [lexicon.parse(side) for side in sides]
    for name, found in zip(("premise", "hypothesis"), trees, strict=True):
        if not found:
            return Proof(None, f"the {name} is not in the fragment", quirks=quirks)
    shown = [_reading(first, second, lexicon) for first, second in product(*trees)]
    if len({proof.label for proof in shown}) > 1:
        return Proof(None, "its readings differ", readings=len(shown), quirks=quirks)
    return shown[0]._replace(readings=len(shown), quirks=quirks)


def _reading(premise: Node, hypothesis: Node, lexicon: Lexicon) -> Proof:
    world, used = _search(premise, hypothesis, lexicon, frozenset())
    if world is not None:
        return Proof(Label.NON_ENTAILMENT, world=tuple(sorted(map(fact, world))))
    needed = [
        name for name in sorted(used) if _search(premise, hypothesis, lexicon, frozenset([name])).world is not None
    ]
    return Proof(Label.ENTAILMENT, conventions=tuple(needed))


class _Search(NamedTuple):
    world: frozenset[Atom] | None
    used: frozenset[str]


def _search(premise: Node, hypothesis: Node, lexicon: Lexicon, without: frozenset[str]) -> _Search:
    """Look for a counterexample, and note which conventions were used."""
    nameless = tuple(f"somebody {n}" for n in range(1, count_some(premise) + count_some(hypothesis) + 1))
    reader = Reader(lexicon, nameless=nameless, without=without)
    taken, claimed = reader.read(premise), reader.read(hypothesis)
    atoms = {atom for formula in (taken.whole, claimed.whole) for atom in atoms_of(formula)}
    rules = axioms(atoms, lexicon, without=without)
    used = taken.conventions | ({"understood object"} if rules.understood else set())
    return _Search(find_world([taken.whole, *rules.formulas], false=claimed.whole), frozenset(used))


def fact(atom: Atom) -> str:
    """An atom in readable form.

    >>> fact(Atom("paid", ("doctor", None, "office")))
    'paid(doctor, _, office)'
    >>> fact(Atom("said", ("actor", Atom("ran", ("judge", None, None)))))
    'said(actor, ran(judge))'
    """
    arguments = ["_" if each is None else each if isinstance(each, str) else _formula(each) for each in atom.arguments]
    while arguments and arguments[-1] == "_":
        arguments.pop()
    return f"{atom.predicate}({', '.join(arguments)})"


def _formula(formula: Formula) -> str:
    if isinstance(formula, Atom):
        return fact(formula)
    return " & ".join(dict.fromkeys(fact(atom) for atom in atoms_of(formula)))
