"""assay audit, as a user calls it."""

import json

from tests.conftest import Assay

ROWS = "".join(
    json.dumps({"id": n, "premise": f"Cook {n} fries egg {n * 7}.", "hypothesis": hypothesis, "label": label}) + "\n"
    for n in range(60)
    for label, hypothesis in [
        ("entailment", f"Somebody fries egg {n * 7}.") if n % 2 else ("contradiction", f"Nobody fries egg {n}.")
    ]
)


def test_a_verdict_of_two_lines_comes_first(assay: Assay) -> None:
    shown = assay("audit", "-", stdin=ROWS).stdout
    flat = " ".join(shown.split())
    assert flat.startswith("Shortcuts: hypothesis words alone are right on 100.0%")
    assert "Repeats:" in flat
    assert "nobody" in shown
    assert "95%" in shown


def test_strict_fails_where_something_is_wrong(assay: Assay) -> None:
    assay("audit", "-", "--strict", stdin=ROWS, code=1)
    found = json.loads(assay("audit", "-", "--strict", "--json", stdin=ROWS, code=1).stdout)
    assert {"shortcut", "words"} <= {each["kind"] for each in found["concerns"]}


def test_training_data_is_shown(assay: Assay) -> None:
    shown = " ".join(assay("audit", "bundled", "--train", "bundled").stdout.split())
    assert "100.0% of the cases are in bundled, exactly or nearly." in shown


def test_a_suite_has_a_column_for_each_family(assay: Assay) -> None:
    assay("build", "negation", "--limit", "60", "--out", "suite")
    shown = assay("audit", "suite").stdout
    assert "negation" in shown
    assert "edited words" in shown
    assert "is a suite" in assay("audit", "suite", "--limit", "5", code=2).stderr


def test_hostile_words_stay_text(assay: Assay) -> None:
    rows = ROWS.replace("Nobody", "\\u001b[31mNobody")
    shown = assay("audit", "-", stdin=rows).stdout
    assert "\x1b[31mnobody" not in shown.lower()
    assert "\\x1b[31mnobody" in shown


def test_rare_things_are_shown_where_they_occur(assay: Assay) -> None:
    assert "foreign" not in assay("audit", "bundled").stdout
    row = {"premise": "Die Katze ist nicht auf dem Dach.", "hypothesis": "Die Katze ist im Haus.", "label": "neutral"}
    rows = [row, row | {"label": "entailment"}]
    shown = assay("audit", "-", stdin="".join(json.dumps(each) + "\n" for each in rows)).stdout
    assert "foreign" in shown
    assert "conflicts" in shown
    assert "repeat a case under another label" in " ".join(shown.split())


def test_two_labels_are_named(assay: Assay) -> None:
    shown = " ".join(assay("audit", "bundled", "--two-way").stdout.split())
    assert "Judged by two labels" in shown
