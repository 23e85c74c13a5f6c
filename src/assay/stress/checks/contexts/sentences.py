"""Sentences that claim nothing: questions, orders, titles."""

from assay.stress.checks.contexts.place import Place
from assay.stress.checks.contexts.words import FINITE

QUESTIONS = {"what", "how", "why", "who", "whom", "which", "whose", "do", "does", "did", "is", "are", "was", "were"} | {
    *("can", "could", "would", "will", "should", "has", "have", "had", "am", "may"),
}
"""A sentence that begins with one of these asks, question mark or not."""
ASKING = {"what", "how", "why", "who", "whose"}
"""The same after words of speech, where the others may also tell."""
ORDERS = {"please", "let", "lets", "help", "make", "note", "see", "remember", "imagine"}
STEPS = {"first", "then", "next", "finally", "now", "also", "so", "and", ","}
"""Words before an order that is one of several: "first, wet the lens"."""


FILLERS = {
    *("so", "well", "and", "but", "or", "then", "now", "oh", "uh", "um", "yeah", "yes", "no", "okay", "hey", "like"),
    *("i", "you", "know", "mean", ",", "--", "-", "...", "``", '"'),
}
"""Words of speech before a question begins: "so what is the big deal"."""


def sentence(place: Place) -> str:
    """Why the sentence claims nothing; empty if it does."""
    if place.low[-1] == "?" or _asks(place):
        return "in a question"
    if place.tokens[place.i].text[:1].isupper() and place.i:
        return "in a name"
    if not (place.is_caption or any(token.tag in FINITE for token in place.tokens)):
        return "no finite verb"
    first = next((j for j, word in enumerate(place.low) if word not in STEPS), 0)
    if place.tokens[first].tag == "VB" or place.low[first] in ORDERS:
        return "in an order"
    return ""


def _asks(place: Place) -> bool:
    """Whether the sentence, or the word's clause, begins as a question does, or "what" hides what it is about."""
    first = next((j for j, word in enumerate(place.low) if word not in FILLERS), 0)
    if place.low[0] in QUESTIONS or place.low[first] in ASKING:
        return True
    return any(place.at(j) == "what" and place.tag_at(j + 1) in FINITE for j in range(place.clause.start, place.i))
