"""Numbers: what is a quantity, what it is worth and means, and how another one is written."""

import gzip
import json
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.language.numbers.number_words import spell_number, value_of
from assay.language.numbers.quantities import (
    NumberRange,
    OtherNumber,
    Quantity,
    find_numbers,
    find_quantities,
    quantity_range,
    render_quantity,
)


def only(text: str) -> Quantity:
    found = find_numbers(text)
    assert len(found) == 1, found
    assert isinstance(found[0], Quantity), found
    return found[0]


@pytest.mark.parametrize(
    ("text", "written", "value", "form", "unit"),
    [
        ("Ann feeds 3 goats.", "3", "3", "integer", ""),
        ("Ann feeds 1,250 goats.", "1,250", "1250", "thousands", ""),
        ("The rope is 3.5 meters long.", "3.5", "3.5", "decimal", ""),
        ("It weighs .5 ounces.", ".5", "0.5", "decimal", ""),
        ("It costs $40.", "$40", "40", "integer", "money"),
        ("It costs $ 40 .", "$ 40", "40", "integer", "money"),
        ("It costs US$1,250.75!", "US$1,250.75", "1250.75", "thousands", "money"),
        ("It costs $1.5 million.", "$1.5 million", "1500000", "mixed", "money"),
        ("It costs $40k.", "$40k", "40000", "mixed", "money"),
        ("It costs 40 dollars.", "40 dollars", "40", "integer", "money"),
        ("It costs forty dollars.", "forty dollars", "40", "words", "money"),
        ("It costs 50 cents.", "50 cents", "50", "integer", "money"),
        ("It costs (£3).", "£3", "3", "integer", "money"),
        ("It costs €7.", "€7", "7", "integer", "money"),
        ("It costs 400 $ .", "400 $", "400", "integer", "money"),
        ("It costs Rs . 1950 .", "Rs . 1950", "1950", "integer", "money"),
        ("Prices rose 15%.", "15%", "15", "integer", "percent"),
        ("Prices rose 15 % .", "15 %", "15", "integer", "percent"),
        ("Prices rose 15 percent.", "15 percent", "15", "integer", "percent"),
        ("Prices rose 15 per cent.", "15 per cent", "15", "integer", "percent"),
        ("Prices rose fifteen percent.", "fifteen percent", "15", "words", "percent"),
        ("Ann feeds seven goats.", "seven", "7", "words", ""),
        ("Twenty-one goats sleep.", "Twenty-one", "21", "words", ""),
        ("Ann feeds two hundred and five goats.", "two hundred and five", "205", "words", ""),
        ("Ann buys a dozen eggs.", "a dozen", "12", "words", ""),
        ("Ann buys two dozen eggs.", "two dozen", "24", "words", ""),
        ("Ann wins half a million francs.", "half a million francs", "500000", "words", "money"),
        ("Ann counts 3 million ants.", "3 million", "3000000", "mixed", ""),
        ("Ann counts one thousand, two hundred ants.", "one thousand, two hundred", "1200", "words", ""),
        ("Ann counts fifteen hundred ants.", "fifteen hundred", "1500", "words", ""),
        ("Ann carries 5kg of rice.", "5kg", "5", "integer", ""),
        ("There are 1500 people here.", "1500", "1500", "integer", ""),
        ("Ann has one brother.", "one", "1", "words", ""),
        ("Then came 40--not more.", "40", "40", "integer", ""),
    ],
)
def test_a_quantity_is_read(text: str, written: str, value: str, form: str, unit: str) -> None:
    found = only(text)
    assert (found.text, found.value, found.form, found.unit) == (written, Decimal(value), form, unit)
    assert found.prefix + found.number + found.suffix == found.text == text[found.start : found.end]
    assert text[found.number_start : found.number_end] == found.number


def test_the_sign_stands_apart_from_the_number() -> None:
    found = only("It costs $1.5 million.")
    assert (found.prefix, found.number, found.suffix) == ("$", "1.5 million", "")
    assert only("It rose by 15 % .").suffix == " %"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("It opened in 1984.", "year"),
        ("The 1996 elections were close.", "year"),
        ("It began in the 1990s.", "year"),
        ("He was born in '72.", "year"),
        ("The town fell in 334 b.c. to an army.", "year"),
        ("She left on March 3.", "date"),
        ("She left on 3 March.", "date"),
        ("She left on 3/4/2010.", "date"),
        ("She came 3rd.", "ordinal"),
        ("She came 21 st .", "ordinal"),
        ("She took the third seat.", "ordinal"),
        ("She took the twenty-first seat.", "ordinal"),
        ("We met at 7:30.", "time"),
        ("We met at 5 p.m. today.", "time"),
        ("We met at five o'clock.", "time"),
        ("We met at 5 o ' clock .", "time"),
        ("We met at five.", "time"),
        ("She is in Room 214.", "identifier"),
        ("She took flight 12.", "identifier"),
        ("It is No. 5 on the list.", "identifier"),
        ("Read chapter three.", "identifier"),
        ("Take Highway 66.", "identifier"),
        ("See page 12.", "identifier"),
        ("Call 555-1234.", "identifier"),
        ("It has an X20 chip.", "identifier"),
        ("He flew a B-52.", "identifier"),
        ("It ran Windows 95.", "identifier"),
        ("She plays in the Big Ten.", "identifier"),
        ("She lives at 221 Baker Street.", "identifier"),
        ("See part 1.2.3 below.", "identifier"),
        ("(2) The goats sleep.", "identifier"),
        ("5 The goats sleep.", "identifier"),
        ("They won 3-2.", "range"),
        ("The odds are 3:1.", "ratio"),
        ("The odds are 3 : 1 .", "ratio"),
        ("It hit four out of five goats.", "ratio"),
        ("Eat 1/2 of it.", "fraction"),
        ("She ate 1 / 2 of it.", "fraction"),
        ("Eat half of it.", "fraction"),
        ("Eat two thirds of it.", "fraction"),
        ("Wait two and a half hours.", "fraction"),
        ("Bring 10-12 goats.", "range"),
        ("Bring between 5 and 10 goats.", "range"),
        ("Bring between one hundred and two hundred goats.", "range"),
        ("Bring from 3 to 7 goats.", "range"),
        ("Bring two or three goats.", "range"),
        ("No one came.", "pronoun"),
        ("It is one of them.", "pronoun"),
        ("They like one another.", "pronoun"),
        ("I want the one with horns.", "pronoun"),
        ("I want this one.", "pronoun"),
        ("Know one's goats.", "pronoun"),
        ("I left one day.", "indefinite"),
        ("Hundreds of goats came.", "indefinite"),
        ("A few hundred goats came.", "indefinite"),
        ("It has zero goats.", "zero"),
        ("It has 0 goats.", "zero"),
        ("It was -5 degrees.", "negative"),
        ("It was minus five degrees.", "negative"),
        ("It is a five-year plan.", "compound"),
        ("It is a 5 mile run.", "compound"),
        ("It is a 5 - member team.", "compound"),
        ("It is a ten thousand dollar car.", "compound"),
        ("Let x = 5 here.", "formula"),
        ("Wait two three days.", "unclear"),
    ],
)
def test_what_is_no_quantity_says_why(text: str, kind: str) -> None:
    found = find_numbers(text)
    assert [each.kind if isinstance(each, OtherNumber) else "quantity" for each in found] == [kind]
    assert find_quantities(text) == []


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("She has 3 goats.", "bare"),
        ("She has more than 3 goats.", "more"),
        ("She has over 200 goats.", "more"),
        ("Over $ 40 was lost.", "more"),
        ("She has less than 3 goats.", "less"),
        ("She has fewer than three goats.", "less"),
        ("She has at least five goats.", "least"),
        ("She has no fewer than five goats.", "least"),
        ("She has five goats or more.", "least"),
        ("She has 5 or more goats.", "least"),
        ("She has 40+ goats.", "least"),
        ("She has at most five goats.", "most"),
        ("She has up to 10 goats.", "most"),
        ("She has no more than 10 goats.", "most"),
        ("She has 10 goats or fewer.", "most"),
        ("She has exactly 7 goats.", "exactly"),
        ("She has only seven goats.", "exactly"),
        ("She has about 40 goats.", "about"),
        ("She has almost forty goats.", "about"),
        ("She has nearly 40 goats.", "about"),
        ("She has just over 40 goats.", "about"),
        ("She has 40 or so goats.", "about"),
        ("It is cheaper than 40 goats.", "about"),
        ("She has over 40 goats or so.", "about"),
        ("She does not have 3 goats.", "not"),
        ("She doesn't have three goats.", "not"),
        ("She does n't have more than three goats.", "not"),
        ("No farmer owns 3 goats.", "not"),
        ("No, she has 3 goats.", "bare"),
    ],
)
def test_a_bound_is_read(text: str, bound: str) -> None:
    assert only(text).bound == bound


@pytest.mark.parametrize(
    ("text", "determined"),
    [
        ("The three goats sleep.", True),
        ("Ann's three goats sleep.", True),
        ("It takes a $40 fee.", True),
        ("All 12 goats sleep.", True),
        ("It's three goats.", False),
        ("A hundred goats sleep.", False),
        ("She has 3 goats.", False),
    ],
)
def test_a_determiner_is_seen(text: str, determined: bool) -> None:
    assert only(text).determined is determined


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("Ann has 3 goats.", 7, "7"),
        ("Ann has 3 goats.", 1250, "1,250"),
        ("Ann has 5000 goats.", 7000, "7000"),
        ("Ann has 1,250 goats.", 2250, "2,250"),
        ("Ann has 1,250 goats.", 300, "300"),
        ("It is 3.50 meters.", Decimal("4.5"), "4.50"),
        ("It is .5 ounces.", Decimal("0.25"), ".25"),
        ("It costs $40.", 60, "$60"),
        ("It costs $ 40 .", 60, "$ 60"),
        ("It costs $1.5 million.", 2_500_000, "$2.5 million"),
        ("It costs $40k.", 60_000, "$60k"),
        ("Ann has 3 million ants.", 1_234_567, "1,234,567"),
        ("Ann has 3 dozen eggs.", 48, "4 dozen"),
        ("Ann has 3 dozen eggs.", 40, "40"),
        ("It rose 15 per cent.", 25, "25 per cent"),
        ("Twenty-one goats sleep.", 32, "Thirty-two"),
        ("twenty one goats sleep", 32, "thirty two"),
        ("SEVEN GOATS SLEEP.", 21, "TWENTY-ONE"),
        ("Ann has two hundred and five goats.", 305, "three hundred and five"),
        ("Ann has two hundred five goats.", 305, "three hundred five"),
        ("A hundred goats sleep.", 1000, "A thousand"),
        ("A hundred goats sleep.", 200, "Two hundred"),
        ("Ann has half a million goats.", 2_000_000, "two million"),
        ("Ann has two dozen eggs.", 36, "three dozen"),
        ("Ann has two dozen eggs.", 37, "thirty-seven"),
        ("Ann has fifteen hundred goats.", 2500, "twenty-five hundred"),
        ("Ann has fifteen hundred goats.", 2000, "two thousand"),
    ],
)
def test_a_value_is_written_in_the_style_of_another(text: str, value: Decimal | int, expected: str) -> None:
    assert render_quantity(only(text), value) == expected


@pytest.mark.parametrize(("text", "value"), [("Ann has 3 goats.", 0), ("Ann has 3 goats.", -2), ("six goats", 2.5)])
def test_what_can_not_be_written_is_refused(text: str, value: float) -> None:
    with pytest.raises(ValueError, match="can't be written"):
        render_quantity(only(text), Decimal(value))


STYLES = st.sampled_from(
    [
        "3",
        "1,250",
        "5000",
        "3.5",
        ".5",
        "$40",
        "$ 40",
        "$1.5 million",
        "$40k",
        "15%",
        "15 percent",
        "3 million",
        "3 dozen",
    ]
)
WORD_STYLES = st.sampled_from(
    ["seven", "twenty-one", "twenty one", "two hundred and five", "a dozen", "two dozen", "half a million", "a hundred"]
) | st.sampled_from(["fifteen hundred", "forty dollars", "fifteen percent"])


@given(STYLES, st.decimals(min_value="0.01", max_value=999_999_999, places=2))
def test_digits_come_back(style: str, value: Decimal) -> None:
    quantity = only(f"At last the barn held {style} people.")
    assert only(f"At last the barn held {render_quantity(quantity, value)} people.").value == value


@given(WORD_STYLES, st.integers(1, 999_999_999))
def test_words_come_back(style: str, value: int) -> None:
    quantity = only(f"At last the barn held {style} people.")
    again = only(f"At last the barn held {render_quantity(quantity, value)} people.")
    assert again.form == "words"
    assert again.value == value


@given(STYLES | WORD_STYLES, st.integers(2, 999_999_999).filter(lambda value: not 1000 <= value < 2100))
def test_a_rendered_quantity_is_read_alone(style: str, value: int) -> None:
    assert only(render_quantity(only(style), value)).value == value


@given(st.integers(1, 10**15 - 1))
def test_every_spelling_is_read(value: int) -> None:
    assert value_of(spell_number(value, "seven")) == value
    assert value_of(spell_number(value, "two hundred and five")) == value


PIECES = (
    "$ 40 1,250 3.5 one two hundred and a half - -- : / % . , ( ) 's ' between to or more than not the in May 1984 "
    "7:30 million dozen zero third th percent dollars X20 o'clock No. Room + = 0 007 n't "
    "\u00e9 \u00bd \u0663 \U0001d7db \u0130"
)
TOKENS = st.lists(st.sampled_from(PIECES.split()))


@given(st.text() | TOKENS.map(" ".join) | TOKENS.map("".join))
def test_spans_hold_on_any_text(text: str) -> None:
    end = 0
    for each in find_numbers(text):
        assert end <= each.start < each.end <= len(text)
        assert text[each.start : each.end] == each.text
        end = each.end
        if isinstance(each, Quantity):
            assert each.start <= each.number_start < each.number_end <= each.end
            assert each.value > 0
            assert render_quantity(each, each.value).startswith(each.prefix)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("1" * 50_000, ["identifier"]),
        ("1-" * 20_000, ["identifier"]),
        ("one " * 20_000, ["unclear"]),
        ("x" * 50_000 + "1", ["identifier"]),
        ("more than " * 5_000 + "3", ["more"]),
    ],
)
def test_a_very_long_text_is_read(text: str, kinds: list[str]) -> None:
    assert [each.kind if isinstance(each, OtherNumber) else each.bound for each in find_numbers(text)] == kinds


@pytest.mark.parametrize(
    ("text", "low", "high", "low_open", "high_open"),
    [
        ("3", "3", "3", False, False),
        ("exactly 7", "7", "7", False, False),
        ("more than 3", "3", "Infinity", True, True),
        ("less than $40", "-Infinity", "40", True, True),
        ("at least five", "5", "Infinity", False, True),
        ("up to 10 men", "-Infinity", "10", True, False),
    ],
)
def test_bounds_are_intervals(text: str, low: str, high: str, low_open: bool, high_open: bool) -> None:
    assert quantity_range(text) == NumberRange(Decimal(low), Decimal(high), low_open, high_open)
    assert quantity_range(only(text)) == quantity_range(text)


@pytest.mark.parametrize("text", ["about 40", "not 40", "almost three goats"])
def test_what_is_vague_has_no_interval(text: str) -> None:
    assert quantity_range(text) is None


@pytest.mark.parametrize("text", ["goats", "3 goats and 4 cows", "in 1984"])
def test_an_interval_needs_one_quantity(text: str) -> None:
    with pytest.raises(ValueError, match="not one quantity"):
        quantity_range(text)


ENDS = st.integers(-2, 3).map(Decimal) | st.sampled_from([Decimal("Infinity"), Decimal("-Infinity")])
INTERVALS = st.builds(NumberRange, ENDS, ENDS, st.booleans(), st.booleans()).filter(
    lambda each: each.low < each.high or (each.low == each.high and not each.low_open and not each.high_open)
)
POINTS = [Decimal(number) / 2 for number in range(-9, 10)]


def points(of: NumberRange) -> set[Decimal]:
    """Its members among enough numbers to tell any two such intervals apart."""
    return {
        point
        for point in POINTS
        if (of.low < point or (of.low == point and not of.low_open))
        and (point < of.high or (of.high == point and not of.high_open))
    }


@given(INTERVALS.filter(points), INTERVALS.filter(points))
def test_intervals_compare_as_sets_do(left: NumberRange, right: NumberRange) -> None:
    assert left.disjoint_from(right) == points(left).isdisjoint(points(right)) == right.disjoint_from(left)
    finite = [each for each in (left, right) if each.low.is_finite() and each.high.is_finite()]
    if len(finite) == 2:
        assert left.subset_of(right) == (points(left) <= points(right))
    if left.subset_of(right):
        assert points(left) <= points(right)


def test_real_text_is_read(shared: Path) -> None:
    with gzip.open(shared / "mnli" / "dev_matched.jsonl.gz", "rt", encoding="utf-8") as file:
        texts = [json.loads(line)["premise"] for line in file]
    found = [(text, each) for text in texts for each in find_quantities(text)]
    assert len(found) > 500
    for text, each in found:
        assert text[each.start : each.end] == each.text
        assert render_quantity(each, each.value) == each.text
