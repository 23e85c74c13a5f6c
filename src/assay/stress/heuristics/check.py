"""Check of the heuristics' pairs: both sentences are parsed, and a counterexample is searched for."""

from assay.core.case import Case
from assay.core.edit import Skip
from assay.core.label_space import TWO_LABELS
from assay.stress.heuristics.counterexample import prove
from assay.stress.heuristics.grammar import load_grammar
from assay.stress.original import CHANGED, source_of

OTHER = Skip("not verified: the proof gives the other label")


class HeuristicsCheck:
    """Check of the family heuristics. It knows the words and rules of the fragment, but not the templates."""

    def __call__(self, case: Case) -> Skip | None:
        """Parse both sentences, and search for a world where the premise holds and the hypothesis does not."""
        edit = case.provenance.edit
        if source_of(case) is None or edit.label is not None or edit.premise or edit.hypothesis:
            return CHANGED
        grammar = load_grammar(str(case.provenance.recipe.options.get("grammar", "")))
        proof = prove(case.premise, case.hypothesis, lexicon=grammar.lexicon)
        if proof.label is None:
            return Skip(f"not verified: {proof.reason}")
        if proof.quirks:
            return Skip("not verified: the sentence has an error of the released code")
        return None if proof.label is TWO_LABELS.read(case.compared_with) else OTHER
