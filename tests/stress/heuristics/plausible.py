"""What is plausible: only people act, and verbs have only objects that the lexicon allows them."""

from collections.abc import Iterator

from assay.language.fragment.fragment_lexicon import FragmentLexicon, standard_fragment_lexicon
from assay.stress.formulas import Formula, facts_of
from assay.stress.heuristics.counterexample import Atom, MeaningReader


def implausible(sentence: str) -> list[str]:
    """What somebody does in a sentence that the lexicon does not hold plausible, in every reading."""
    lexicon = standard_fragment_lexicon()
    found: list[str] = []
    for tree in lexicon.parse(sentence):
        meaning = MeaningReader(lexicon, nameless=("somebody",), without=frozenset()).read(tree)
        for agent_of in _events(meaning.whole):
            found += _wrong(agent_of, lexicon)
    return list(dict.fromkeys(found))


def _wrong(event: Atom, lexicon: FragmentLexicon) -> Iterator[str]:
    people = {"somebody", *lexicon.words("N")}
    agent, theme, place = event.arguments
    if agent is not None and agent not in people:
        yield f"{agent} can do nothing"
    kind = lexicon.objects.get(event.predicate, "N")
    if theme is not None and theme not in lexicon.words(kind) and theme != "somebody":
        yield f"{event.predicate} takes {kind}, not {theme}"
    if place is not None and place in people:
        yield f"{place} is not a place"


def _events(formula: Formula) -> Iterator[Atom]:
    """Events, also those that are only said or believed."""
    for atom in facts_of(formula):
        inner = [each for each in atom.arguments if isinstance(each, tuple)]
        for each in inner:
            yield from _events(each)
        if len(atom.arguments) == 3 and not inner:
            yield atom
