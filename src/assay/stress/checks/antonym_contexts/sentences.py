"""Sentences that claim nothing: questions, orders, titles."""

from assay.stress.checks.antonym_contexts.place import Place
from assay.stress.checks.antonym_contexts.words import FINITE

QUESTIONS = {"what", "how", "why", "who", "whom", "which", "whose", "do", "does", "did", "is", "are", "was", "were"} | {
    *("can", "could", "would", "will", "should", "has", "have", "had", "am", "may"),
}
"""A sentence that begins with one of these asks, question mark or not."""
ORDERS = {"please", "let", "lets", "help", "make", "note", "see", "remember", "imagine"}


def sentence(place: Place) -> str:
    """Why the sentence claims nothing; empty if it does."""
    if place.low[-1] == "?" or place.low[0] in QUESTIONS:
        return "in a question"
    if place.tokens[place.i].text[:1].isupper() and place.i:
        return "in a name"
    if not any(token.tag in FINITE for token in place.tokens):
        return "no finite verb"
    if place.tokens[0].tag == "VB" or place.low[0] in ORDERS:
        return "in an order"
    return ""
