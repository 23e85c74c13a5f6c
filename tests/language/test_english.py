"""English or not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.language.words.english import looks_english

pytestmark = pytest.mark.usefixtures("english")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "42",
        "Guten Tag!",
        "Men playing football outdoors",
        "Two dogs run through tall grass.",
        "Dogs chase cats",
        "yeah uh-huh i know what you mean",
        "We ate crème brûlée in a café near the Champs-Élysées.",
        "He said je ne sais quoi and left the room.",
        "The word Москва means Moscow.",
    ],
)
def test_english(text: str) -> None:
    assert looks_english(text)


@pytest.mark.parametrize(
    "text",
    [
        "Der Hund schläft nicht auf dem Sofa.",
        "Le chien dort dans la maison avec les enfants.",
        "El perro duerme en la casa con los niños.",
        "Il cane dorme nella casa con gli altri.",
        "De hond slaapt niet in het huis van mijn oom.",
        "Hunden sover inte på soffan och det är bra.",
        "O cão não dorme com os meninos da casa.",
        "Pies nie śpi na kanapie, bo jest głodny.",
        "Köpek çok yorgun ve bu evde uyuyor.",
        "Собака спит.",
        "犬は寝ています。",
        "الكلب نائم في البيت",
        "Qwrt plkj mnbv zxcv asdfg hjklq",
    ],
)
def test_not_english(text: str) -> None:
    assert not looks_english(text)


@given(st.text(max_size=60))
def test_any_text_gets_an_answer(text: str) -> None:
    assert looks_english(text) in {True, False}
