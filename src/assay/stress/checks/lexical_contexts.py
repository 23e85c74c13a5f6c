"""Where a changed word does not give the label that the two words' relation promises."""

from collections.abc import Sequence
from functools import cached_property

from assay.language.analysis import Tagged
from assay.language.categories import Relation

NEGATIONS = {
    *("not", "n't", "n\u2019t", "no", "never", "none", "nobody", "nothing", "neither", "nor", "cannot", "nowhere"),
    *("hardly", "barely", "without", "except", "instead", "rather", "lack", "lacks", "lacking", "fail", "fails"),
    *("failed", "refuse", "refuses", "refused", "avoid", "avoids", "avoiding", "nt", "dont", "doesnt", "isnt", "isn"),
}
CONDITIONS = {"if", "whether", "unless", "or", "either", "versus", "vs", "perhaps", "maybe", "possibly", "probably"}
POSSIBLE = {"may", "might", "could", "would", "should", "must", "ought", "seem", "seems", "appears", "appear"} | {
    *("pretend", "pretends", "pretending", "imagine", "imagines", "want", "wants", "wanted", "hope", "hopes", "wish"),
}
HABITS = {"sometimes", "often", "usually", "occasionally", "rarely", "seldom"}
EXAMPLES = {"including", "like", "e.g.", "namely"}
QUESTIONS = {"what", "how", "why", "who", "whom", "which", "whose", "do", "does", "did", "is", "are", "was", "were"} | {
    *("can", "could", "would", "will", "should", "has", "have", "had", "am", "may"),
}
QUOTES = {'"', "``", "''", "\u201c", "\u201d"}


class Spot:
    """A changed word and what stands around it."""

    def __init__(self, tokens: Sequence[Tagged], first: int, last: int, new: str, category: str) -> None:
        sentence = tokens[first].sentence
        start = next(i for i, token in enumerate(tokens) if token.sentence == sentence)
        self.tokens = [token for token in tokens if token.sentence == sentence]
        self.first, self.last = first - start, last - start
        self.new = new.lower()
        self.category = category
        self.low = [token.text.lower() for token in self.tokens]

    @cached_property
    def old(self) -> str:
        """The word that was changed, as written, with single blanks."""
        return " ".join(token.text for token in self.tokens[self.first : self.last + 1])

    @property
    def tag(self) -> str:
        """The tag of its last token."""
        return self.tokens[self.last].tag

    def at(self, j: int) -> str:
        """The token at a place in lower case, empty outside of the sentence."""
        return self.low[j] if 0 <= j < len(self.low) else ""

    def tag_at(self, j: int) -> str:
        """The tag at a place, empty outside of the sentence."""
        return self.tokens[j].tag if 0 <= j < len(self.low) else ""

    def before(self, words: set[str]) -> bool:
        """Whether one of the words stands before the place."""
        return not words.isdisjoint(self.low[: self.first])


def doubt(spot: Spot, relation: Relation) -> str:
    """Why the label might not hold there; empty if nothing tells so."""
    return _sentence(spot) or _scope(spot, relation) or _place(spot)


def _sentence(spot: Spot) -> str:
    if spot.low[-1] == "?" or (spot.low[0] in QUESTIONS and spot.tag_at(0) != "NNP"):
        return "in a question"
    if sum(word in QUOTES for word in spot.low[: spot.first]) % 2:
        return "in a quotation"
    return ""


def _scope(spot: Spot, relation: Relation) -> str:
    if relation == "same":
        return ""
    if spot.before(NEGATIONS):
        return "negated"
    near = {*spot.low[max(0, spot.first - 3) : spot.first], *spot.low[spot.last + 1 : spot.last + 4]}
    if spot.before(CONDITIONS - {"or"}) or "or" in near:
        return "a condition or a choice"
    if spot.before(POSSIBLE):
        return "only possible"
    if spot.before(HABITS):
        return "of some, or at some time"
    if spot.at(spot.first - 1) in EXAMPLES or (spot.at(spot.first - 2), spot.at(spot.first - 1)) == ("such", "as"):
        return "one of several examples"
    return ""


def _place(spot: Spot) -> str:
    old = {spot.old.lower(), spot.new}
    others = spot.low[: spot.first] + spot.low[spot.last + 1 :]
    if old & set(others):
        return "the old or the new word stands elsewhere in the sentence"
    if spot.at(spot.first - 1) in {"/", "-"} or spot.at(spot.last + 1) in {"/", "-"}:
        return "part of a compound"
    if spot.first and spot.tokens[spot.first].text[:1].isupper():
        return "in a name"
    return ""
