"""Makes the table of letters by which other languages are told apart from English, from WordNet's definitions.

python tools/letters.py > src/assay/language/resources/data/letters.txt
"""

import math
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator

from assay.language.resources.installed import wordnet

LETTERS = "_abcdefghijklmnopqrstuvwxyz"
"""An underscore is the start or the end of a word."""
UNSEEN = 0.1
"""What is added to each count, so that nothing is impossible."""
HEAD = """\
# How many bits each letter costs in English after two others: after "th", what "_", "a", "b" ... "z" cost, in
# hexadecimal digits. "_" is the start or the end of a word. Made by tools/letters.py from WordNet's definitions.
"""


def rows(definitions: Iterable[str]) -> Iterator[str]:
    """The lines of the table: two letters, and the costs of all letters after them."""
    words = Counter(word for text in definitions for word in re.findall("[a-z]+", text.lower()))
    triples: Counter[str] = Counter()
    for word, count in words.items():
        padded = f"_{word}_"
        for i in range(len(word)):
            triples[padded[i : i + 3]] += count
    for two in (one + other for one in LETTERS for other in LETTERS[1:]):
        counts = [triples[two + letter] + UNSEEN for letter in LETTERS]
        yield two + " " + "".join(f"{min(15, round(math.log2(sum(counts) / count))):x}" for count in counts)


if __name__ == "__main__":
    sys.stdout.write(HEAD + "\n".join(rows(synset.definition for synset in wordnet().data.synsets)) + "\n")
