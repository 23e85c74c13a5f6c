"""The words of a text that say what it is about: all but articles, prepositions, pronouns and the like."""

from functools import lru_cache

from assay.language.resources.data import word_list
from assay.language.text.words import folded


@lru_cache(maxsize=4096)  # a claim is compared with many sentences, and a sentence with many claims
def content_words(text: str) -> frozenset[str]:
    """The distinct words of a text in lower case, without function words; numbers count as words.

    >>> sorted(content_words("The mill on the Aare sold 40 sacks, and it did well."))
    ['40', 'aare', 'mill', 'sacks', 'sold', 'well']
    """
    return frozenset(folded(text)) - word_list("function_words")
