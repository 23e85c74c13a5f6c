"""Labels that the texts refute: what is read, what is left alone, and what a user gets."""

import csv
import json
from pathlib import Path

import pytest
from tests.conftest import Assay

from assay.audit.label_audit import audit_labels, derive_labels
from assay.core.errors import UserError
from assay.core.label import Label

E, N, C = Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION

READ = [
    ("Nobody is carrying a ladder.", "Someone is carrying a ladder.", C),
    ("Someone is carrying a ladder.", "Nobody is carrying a ladder.", C),
    ("No one is painting a fence.", "A woman is painting a fence.", C),
    ("There is no person painting a fence.", "A woman is painting a fence.", C),
    ("There is no woman painting a white fence.", "A woman is painting a fence.", N),
    ("There is no woman painting a fence.", "There is no woman painting a white fence.", E),
    ("A fence is being painted by a tall woman.", "A woman is painting a fence.", E),
    ("A woman is painting a fence.", "A fence is being painted.", E),
    ("A gardener is sitting on a bench.", "A gardener is standing on a bench.", C),
    ("A gardener is cutting a hedge.", "A gardener is cutting a hedge with shears.", N),
    ("The gardener is not cutting a hedge.", "The gardener is cutting a hedge with shears.", C),
    ("A group of nurses is waiting in a hall.", "Nurses are waiting in a hall.", E),
    ("A nurse who is smiling is holding a cup.", "A nurse is holding a cup.", E),
]
LEFT_ALONE = [
    ("A woman is slicing a melon.", "A woman is slicing a melon into pieces."),
    ("A girl is holding a toad.", "A girl is holding a frog."),
    ("There is no woman painting a fence.", "A person is painting a fence."),
    ("A dog with a ball on a rope is running.", "A dog on a rope is running."),
    ("A large mouse is eating.", "A large animal is eating."),
    ("A boy is holding a toy car.", "A boy is holding a car."),
    ("Only a boy is singing.", "A boy is singing."),
    ("The cup is held by nobody.", "The cup is held by somebody."),
    ("A dog is walking up a hill.", "A person is walking up a hill."),
    ("A boy is not singing.", "A girl is singing."),
    ("A man painted a fence.", "A man is painting a fence."),
]
SCOPES = [
    ("It is a lie that the man is not holding a {}.", "up"),
    ("It is false that the man is holding a {}.", "down"),
    ("The statement that the man is not holding a {} is untrue.", "up"),
    ("The claim that the man is holding a {} is wrong.", "down"),
    ("It is not the case that nobody bought a {}.", "up"),
    ("There is no way that the man did not buy a {}.", "up"),
    ("The man not in the room is holding a {}.", "up"),
    ("The man not in the room is not holding a {}.", "down"),
    ("The people with no money are not buying a {}.", "down"),
    ("The man does not deny that he bought a {}.", ""),
    ("The statement that it is not true that the man did not buy a {} is false.", ""),
]


@pytest.mark.parametrize(("premise", "hypothesis", "label"), READ)
def test_a_label_follows(premise: str, hypothesis: str, label: Label) -> None:
    found = derive_labels(premise, hypothesis)
    assert found.labels == {label}
    assert found.reason


@pytest.mark.parametrize(("premise", "hypothesis"), LEFT_ALONE)
def test_nothing_follows_where_a_word_has_no_place(premise: str, hypothesis: str) -> None:
    assert not derive_labels(premise, hypothesis).labels


@pytest.mark.parametrize(("form", "polarity"), SCOPES)
def test_negations_scope_as_they_should(form: str, polarity: str) -> None:
    narrow, broad = form.format("guitar"), form.format("musical instrument")
    forth, back = derive_labels(narrow, broad), derive_labels(broad, narrow)
    expected = {"up": [[E], [N]], "down": [[N], [E]], "": [[], []]}[polarity]
    assert [[*forth.labels], [*back.labels]] == expected


ROWS = [
    {"id": "a", "premise": "Nobody is singing.", "hypothesis": "A man is singing.", "label": "neutral"},
    {"id": "b", "premise": "Nobody is singing.", "hypothesis": "A man is singing.", "label": "contradiction"},
    {"id": "c", "premise": "A man is singing.", "hypothesis": "There is no man singing.", "label": "entailment"},
    {"id": "d", "premise": "It may rain.", "hypothesis": "We got wet.", "label": "neutral"},
]


def test_the_worst_comes_first_and_a_file_has_all(tmp_path: Path) -> None:
    found = audit_labels(ROWS, out=tmp_path / "refuted.csv")
    assert [each.id for each in found.refuted] == ["c", "a"]
    assert (sum(found.read.values()), sum(found.unread.values())) == (3, 1)
    with (tmp_path / "refuted.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["id"], row["gold"], row["follows"]) for row in rows] == [
        ("c", "entailment", "contradiction"),
        ("a", "neutral", "contradiction"),
    ]
    assert not list(tmp_path.glob(".*"))
    with pytest.raises(UserError, match="exists"):
        audit_labels(ROWS, out=tmp_path / "refuted.csv")
    with pytest.raises(UserError, match="must end in"):
        audit_labels(ROWS, out=tmp_path / "refuted.xlsx")


def test_two_labels_are_judged_as_two() -> None:
    assert [each.id for each in audit_labels(ROWS, two_way=True).refuted] == ["c"]
    rows = [{**row, "label": "yes" if row["label"] == "entailment" else "no"} for row in ROWS]
    found = audit_labels(
        [*rows, {"id": "e", "premise": "A man is singing.", "hypothesis": "Someone is singing.", "label": "no"}]
    )
    assert found.two_way
    assert [(each.id, each.gold, each.follows) for each in found.refuted] == [
        ("c", "yes", ("no",)),
        ("e", "no", ("yes",)),
    ]


def test_the_number_of_workers_changes_nothing() -> None:
    assert audit_labels(ROWS, workers=2) == audit_labels(ROWS)


def test_the_command_lists_and_writes_them(assay: Assay) -> None:
    rows = "".join(json.dumps(row) + "\n" for row in ROWS)
    shown = " ".join(assay("audit", "-", "--gold-labels", "--out", "refuted.jsonl", stdin=rows).stdout.split())
    assert shown.startswith("Labels: 2 of 4 gold labels are refuted by the texts.")
    assert "denies it" in shown
    assert len(Path("refuted.jsonl").read_text().splitlines()) == 2
    assay("audit", "-", "--gold-labels", "--strict", stdin=rows, code=1)
    assert "add --gold-labels" in assay("audit", "-", "--out", "x.csv", stdin=rows, code=2).stderr
    assert (
        "can't be combined with --train"
        in assay("audit", "bundled", "--gold-labels", "--train", "bundled", code=2).stderr
    )
