"""Whether a form is an English word, so that a typo is not one by accident."""

import re
from functools import lru_cache

from assay.language.words.forms import SHORT, known_forms, listed

_POSSESSIVE = re.compile(r"(?<=.)['\u2019](?:s|S)?$")


@lru_cache(maxsize=1 << 17)
def is_word(form: str) -> bool:
    """Whether a form is a word of English, inflected or not, whatever its capitals.

    In doubt, the answer is yes: WordNet's endings also allow "goed", and a typo that is taken for a word is
    only left out.

    >>> is_word("From"), is_word("don't"), is_word("teh"), is_word("th"), is_word("3")
    (True, True, False, False, False)

    `is_word("children")` is true and `is_word("wnet")` is false; both need WordNet.
    """
    folded = form.lower().replace("\u2019", "'")
    if folded in listed():
        return True
    if folded.isalpha():  # as nearly always
        return len(folded) > SHORT and folded in known_forms()
    if "'" in folded and (bare := _POSSESSIVE.sub("", folded)):
        folded = bare
    if "-" in folded:
        return all(is_word(part) for part in folded.split("-"))
    if len(folded) <= SHORT or not folded.isalpha():
        return folded in listed()
    return folded in listed() or folded in known_forms()
