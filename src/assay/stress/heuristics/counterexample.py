"""Entailment by searching for a counterexample: a world where the premise holds and the hypothesis does not.

The meaning of a sentence of the fragment is derived from its tree, never from a template or a label. Where English
leaves room, a convention decides. Each has a name and can be left out, which makes the sentence say less. A label
depends on the conventions without which it could not be proven.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import product
from typing import Final, NamedTuple

from assay.core.errors import UserError, did_you_mean
from assay.core.label import Label
from assay.core.protocols import Fidelity
from assay.language.fragment.chart_parser import PhraseNode, leaves
from assay.language.fragment.fragment_lexicon import FragmentLexicon, standard_fragment_lexicon
from assay.stress.formulas import Every, Formula, Not, Some, evaluate, facts_of, if_then

MOST_ATOMS = 18
"""Maximum number of atoms: a table has 2 to this many bits."""


class Atom(NamedTuple):
    """A fact: a predicate with individuals, or with formulas that are not evaluated."""

    predicate: str
    arguments: tuple[str | Formula | None, ...]


def find_world(true: Iterable[Formula], *, false: Formula) -> frozenset[Atom] | None:
    """The atoms that are true in a world where all of `true` hold and `false` does not; None if there is no such world.

    >>> rain, wet = Atom("rains", ()), Atom("wet", ())
    >>> find_world([rain, if_then(rain, wet)], false=wet)
    >>> sorted(atom.predicate for atom in find_world([wet], false=rain))
    ['wet']
    """
    formulas = [*true, Not(false)]
    atoms = list(dict.fromkeys(atom for formula in formulas for atom in facts_of(formula)))
    if len(atoms) > MOST_ATOMS:
        raise OverflowError(f"{len(atoms)} atoms make too many worlds")
    columns = dict(zip(atoms, _atom_columns(len(atoms)), strict=True))
    worlds = evaluate(Every(tuple(formulas)), columns.__getitem__, (1 << (1 << len(atoms))) - 1)
    if not worlds:
        return None
    first = (worlds & -worlds).bit_length() - 1
    return frozenset(atom for number, atom in enumerate(atoms) if first >> number & 1)


def _atom_columns(count: int) -> Sequence[int]:
    """The truth table of each atom: in world number w, atom number k is true if w has bit k."""
    worlds = 1 << count
    columns = []
    for number in range(count):
        block = 1 << number
        column, width = ((1 << block) - 1) << block, 2 * block
        while width < worlds:
            column |= column << width
            width *= 2
        columns.append(column)
    return columns


CONVENTIONS = {
    "subordinator": "the clause after the word is taken as true",
    "factive": "what follows the verb is taken as true",
    "adverb": "the word or phrase adds to the sentence and does not weaken it",
    "in case": "the main clause is a precaution that is taken in any case, not a condition",
    "relative clause": "what a relative clause says of somebody is true",
    "conjoined": "what two people did together, each of them did",
    "bare plural": "a plural without an article means some of them",
    "understood object": "whoever does it to something does it",
}
"""Conventions by kind; one that depends on a word is named `kind: word`."""


class Meaning(NamedTuple):
    """The meaning of a sentence."""

    asserted: Formula
    presupposed: tuple[Formula, ...]
    """Presuppositions, which hold whatever the sentence is embedded in."""
    conventions: frozenset[str]

    @property
    def whole(self) -> Formula:
        """Claim and presuppositions."""
        return Every((self.asserted, *self.presupposed))


class Bare(NamedTuple):
    """A noun phrase without an article: an unspecified number of individuals with all of these properties."""

    are: tuple[str, ...]


class Definite(NamedTuple):
    """A noun phrase with an article: one individual, or several that are coordinated."""

    names: tuple[str, ...]


Phrase = Bare | Definite
Property = Callable[[str], Formula]
"""The meaning of a verb phrase: a function of an individual."""


def make_event(verb: str, *, agent: str | None = None, theme: str | None = None, place: str | None = None) -> Atom:
    """The atom of an event; a role that the sentence does not mention is None."""
    return Atom(verb, (agent, theme, place))


class MeaningReader:
    """Turns trees into meanings, given a lexicon, a number of nameless individuals and the conventions to leave out."""

    def __init__(self, lexicon: FragmentLexicon, *, nameless: tuple[str, ...], without: frozenset[str]) -> None:
        self.lexicon = lexicon
        self.nameless = nameless
        self.without = without
        self._presupposed: list[Formula] = []
        self._used: set[str] = set()

    def read(self, tree: PhraseNode) -> Meaning:
        """The meaning of a sentence's tree."""
        self._presupposed, self._used = [], set()
        asserted = self._read_sentence(tree)
        return Meaning(asserted, tuple(self._presupposed), frozenset(self._used))

    def _may_use(self, convention: str) -> bool:
        """True if a convention may be used; notes that it was."""
        self._used.add(convention)
        return convention not in self.without

    def _read_sentence(self, tree: PhraseNode) -> Formula:
        match tree.rule:
            case "clause":
                return self._read_clause(*tree.phrases())
            case "coordinate":
                first, second = map(self._read_sentence, tree.phrases())
                return Every((first, second)) if "and" in tree.words() else Some((first, second))
            case "subordinate":
                before, main = tree.phrases()
                return self._read_subordinate(before, self._read_sentence(main))
            case "closed":
                before, subject, verb = tree.phrases()
                return self._read_subordinate(before, self._read_clause(subject, verb))
            case "adverb":
                adverb, main = tree.phrases()
                return self._read_adverb(adverb, self._read_sentence(main))
            case _:
                raise ValueError(f"no meaning for the rule {tree.rule!r}")

    def _read_subordinate(self, before: PhraseNode, main: Formula) -> Formula:
        clause = self._read_sentence(before.phrases()[-1])
        if before.rule == "whether":
            return main
        if before.rule == "case":
            return main if self._may_use("in case") else if_then(clause, main)
        (word,) = before.words()
        match self.lexicon.means(word):
            case "if":
                return if_then(clause, main)
            case "unless":
                return Some((clause, main))
            case _:
                return Every((clause, main)) if self._may_use(f"subordinator: {word}") else main

    def _read_adverb(self, adverb: PhraseNode, main: Formula) -> Formula:
        word = {"doubt": "without a doubt", "course": "of course"}.get(adverb.rule) or adverb.words()[0]
        if adverb.rule == "sure" and self.lexicon.means(word) == "open":
            return Atom(word, (main,))
        return main if self._may_use(f"adverb: {word}") else Atom(word, (main,))

    def _read_clause(self, subject: PhraseNode, verb: PhraseNode) -> Formula:
        predicate = self._read_property(verb)
        return self._say_of_each(self._read_phrase(subject), predicate, verb)

    def _say_of_each(self, phrase: Phrase, said: Property, verb: PhraseNode) -> Formula:
        """The statement that all of a phrase's individuals, or some of them, have a property."""
        if isinstance(phrase, Definite):
            if len(phrase.names) > 1 and not self._may_use("conjoined"):
                return said(" and ".join(phrase.names))
            return Every(tuple(map(said, phrase.names)))
        if not self._may_use("bare plural"):
            return Atom("in general", (*phrase.are, *map(str, _leaf_words(verb))))
        return Some(tuple(Every((*(Atom(each, (one,)) for each in phrase.are), said(one))) for one in self.nameless))

    def _read_phrase(self, tree: PhraseNode) -> Phrase:
        match tree.rule:
            case "the" | "phrase":
                return Definite((_head_noun(tree),))
            case "some":
                return Bare(tuple(tree.words()))
            case "both":
                return Definite(tuple(map(_head_noun, tree.phrases())))
            case "near":
                head, place = tree.phrases()
                return self._describe_head(head, lambda one: Atom(" ".join(_leaf_words(place)), (one,)))
            case "relative":
                head, clause = tree.phrases()
                return self._describe_head(head, self._read_relative(clause), convention="relative clause")
            case "reduced":
                head, participle = tree.phrases()
                (verb,), (place,) = participle.words(), participle.phrases()
                return self._describe_head(
                    head,
                    lambda one: make_event(verb, theme=one, place=_head_noun(place.phrases()[0])),
                    convention="relative clause",
                )
            case _:
                raise ValueError(f"no meaning for the rule {tree.rule!r}")

    def _describe_head(self, head: PhraseNode, said: Property, *, convention: str = "") -> Definite:
        one = _head_noun(head)
        if not convention or self._may_use(convention):
            self._presupposed.append(said(one))
        return Definite((one,))

    def _read_relative(self, tree: PhraseNode) -> Property:
        clause = tree.phrases()[1]
        if clause.rule == "subject":
            return self._read_property(clause.phrases()[0])
        subject, gap = clause.phrases()
        (verb,) = gap.words()
        return lambda one: make_event(verb, agent=_head_noun(subject), theme=one)

    def _read_property(self, tree: PhraseNode) -> Property:
        verb, parts = tree.words()[0], tree.phrases()
        match tree.rule:
            case "alone":
                return lambda one: make_event(verb, agent=one)
            case "object":
                objects = self._read_phrase(parts[0])
                return lambda one: self._say_of_each(
                    objects, lambda other: make_event(verb, agent=one, theme=other), tree
                )
            case "place":
                place = _head_noun(parts[0].phrases()[0])
                return lambda one: make_event(verb, agent=one, place=place)
            case "passive":
                (participle,), (by,) = parts[0].words(), parts[0].phrases()
                agent = _head_noun(by.phrases()[0])
                return lambda one: make_event(participle, agent=agent, theme=one)
            case "that":
                return self._read_attitude(verb, self._read_sentence(parts[0].phrases()[0]))
            case _:
                raise ValueError(f"no meaning for the rule {tree.rule!r}")

    def _read_attitude(self, verb: str, clause: Formula) -> Property:
        if self.lexicon.factive(verb) and self._may_use(f"factive: {verb}"):
            return lambda one: Every((Atom(verb, (one, clause)), clause))
        return lambda one: Atom(verb, (one, clause))


def make_axioms(atoms: set[Atom], lexicon: FragmentLexicon, *, without: frozenset[str]) -> tuple[list[Formula], bool]:
    """Axioms: an event implies the same event with fewer roles. And whether the rule on omitted objects was used."""
    axioms: list[Formula] = []
    used = False
    for more in atoms:
        for less in atoms:
            if more == less or more.predicate != less.predicate or not _says_less(less, more):
                continue
            agent, theme, _ = less.arguments
            if theme is None and more.arguments[1] is not None:
                if agent is None or not lexicon.understood(more.predicate):
                    continue
                used = True
                if "understood object" in without:
                    continue
            axioms.append(if_then(more, less))
    return axioms, used


def _says_less(less: Atom, more: Atom) -> bool:
    """True if `more` fills every role that `less` fills, with the same individual."""
    if len(less.arguments) != 3 or len(more.arguments) != 3:
        return False
    return all(ours is None or ours == theirs for ours, theirs in zip(less.arguments, more.arguments, strict=True))


def count_some(tree: PhraseNode) -> int:
    """The number of indefinite noun phrases of a sentence."""
    return (tree.rule == "some" and tree.label == "NP") + sum(map(count_some, tree.phrases()))


def _head_noun(tree: PhraseNode) -> str:
    """The head noun of a simple definite noun phrase: the same description means the same individual."""
    return tree.words()[-1] if tree.rule == "the" else _head_noun(tree.phrases()[-1])


def _leaf_words(tree: PhraseNode) -> list[str]:
    return [leaf.token.text for leaf in leaves(tree)]


DOUBLED_THE: Final = "doubled-the"
OBJECT_TAG: Final = "object-tag"
TOWN_TWICE: Final = "town-twice"

ALL = frozenset({DOUBLED_THE, OBJECT_TAG, TOWN_TWICE})


def quirks_of(fidelity: Fidelity, quirks: Collection[str] | None = None) -> frozenset[str]:
    """The quirks in effect: all with the released code, none otherwise, or those that are named.

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
    """A sentence without the doubled "the" that the released code produces.

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
    """The true facts of a world where the premise holds and the hypothesis does not; may be empty."""
    conventions: tuple[str, ...] = ()
    """The conventions that the proof of entailment depends on."""
    readings: int = 1
    """The number of combined readings of the two sentences, all of which have this label."""
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
    without = {name: _search_worlds(premise, hypothesis, lexicon, frozenset([name]))[0] for name in sorted(used)}
    needed = [name for name, counterexample in without.items() if counterexample is not None]
    return HeuristicsProof(Label.ENTAILMENT, conventions=tuple(needed))


def _search_worlds(
    premise: PhraseNode, hypothesis: PhraseNode, lexicon: FragmentLexicon, without: frozenset[str]
) -> tuple[frozenset[Atom] | None, set[str]]:
    """Search for a counterexample; return it with the conventions that were used."""
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
