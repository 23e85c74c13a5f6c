"""The template of a pair: what is left of two texts when their content words are replaced by marks."""

from collections.abc import Iterable

from assay.language.resources.data import word_list

OTHER = "_"
"""The mark of a content word that only one of the texts has."""


def template(premise: Iterable[str], hypothesis: Iterable[str]) -> str:
    """The tokens of both texts, in lower case; content words that both share are numbered, all others look the same.

    Pairs that were made from one pattern with other words have the same template.

    >>> template("the actor near the doctors danced".split(), "the doctors danced".split())
    'the _ near the 1 2 | the 1 2'
    >>> template("the judge near the bakers slept".split(), "the bakers slept".split())
    'the _ near the 1 2 | the 1 2'
    """
    premise, hypothesis = list(premise), list(hypothesis)
    kept, shared = word_list("function_words"), {*premise} & {*hypothesis}
    numbers: dict[str, str] = {}

    def mark(word: str) -> str:
        if word in kept:
            return word
        return numbers.setdefault(word, str(len(numbers) + 1)) if word in shared else OTHER

    return f"{' '.join(map(mark, premise))} | {' '.join(map(mark, hypothesis))}"
