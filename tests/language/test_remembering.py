"""What is remembered of texts."""

from assay.language.text.tokens import FEW, LONG, TextCache


def test_many_short_texts_are_remembered_and_few_long_ones() -> None:
    asked: list[int] = []

    @TextCache
    def length(text: str) -> int:
        asked.append(len(text))
        return len(text)

    for size in range(FEW + 1):
        length("x" * (LONG - 1 - size))
        length("x" * (LONG + size))
    asked.clear()
    assert length("x" * (LONG - 1)) == LONG - 1
    assert not asked
    assert length("x" * LONG) == LONG
    assert asked == [LONG], "the first long text is forgotten"
    length.cache_clear()
    length("x")
    assert asked == [LONG, 1]
