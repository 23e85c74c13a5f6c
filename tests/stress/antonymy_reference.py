"""The released antonym rules, written out over NLTK's WordNet: what `code` fidelity is compared with."""

from collections.abc import Iterable, Iterator
from typing import Any

from assay.core.pair import Pair
from assay.language.text.tokens import tokens

LEFT_OUT = set(
    "here goodness yes no decision growing priority cheers volume right left goods addition income indecision there "  # noqa: SIM905
    "parent being parents lord lady put capital lowercase unions".split()
)


def lesk(reader: Any, context: set[str], word: str) -> Any:
    """NLTK's `lesk` of 2018: of equal scores the synset wins whose name comes last in the alphabet."""
    scored = [
        (len(context.intersection(synset.definition().split())), synset.name(), synset)
        for synset in reader.synsets(word)
    ]
    return max(scored)[2] if scored else None


def sentence_pairs(reader: Any, sentence: str, words: list[str]) -> Iterator[tuple[str, str]]:
    """A sentence and what it becomes, for every antonym of every word."""
    context = set(words)
    for word in words:
        if word in LEFT_OUT:
            continue
        synset = lesk(reader, context, word)
        if synset is None or synset.pos() not in ("s", "n"):
            continue
        for lemma in synset.lemmas():
            for antonym in lemma.antonyms():
                name = antonym.name()
                if "_" not in name and name != "civilian" and word in sentence:
                    yield sentence, sentence.replace(word, name, 1)


def all_pairs(reader: Any, pairs: Iterable[Pair]) -> set[tuple[str, str]]:
    """Every premise and hypothesis that the released code makes; a sentence that comes again is not looked at again."""
    made: set[tuple[str, str]] = set()
    seen: set[tuple[str, str]] = set()
    for pair in pairs:
        for side, sentence in (("premise", pair.premise), ("hypothesis", pair.hypothesis)):
            if (side, sentence) in seen:
                continue
            seen.add((side, sentence))
            for source, changed in sentence_pairs(reader, sentence, words_of(pair, side)):
                if source != changed:
                    made.add((source, changed) if side == "premise" else (changed, source))
    return made


def words_of(pair: Pair, side: str) -> list[str]:
    """The tokens of the binary parse in lower case, or ours where there is no parse."""
    parse = getattr(pair.parses, f"{side}_binary", None)
    if parse is None:
        return [token.text.lower() for token in tokens(getattr(pair, side))]
    return parse.replace("(", "").replace(")", "").lower().split()  # type: ignore[no-any-return]
