"""Answers while people work: nothing lost, nothing doubled, conflicts shown, and the same files as the command line."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.annotate.test_annotation import CASES, HANS, NAMES
from tests.conftest import Assay, case

from assay.annotate.agreement import annotator_agreement
from assay.annotate.annotation_progress import BUILT, INCORRECT, AnnotationProgress
from assay.annotate.answer_rows import FILE
from assay.annotate.answer_store import (
    AnswerStore,
    ConflictError,
    export_sheets,
    exported_sheet,
    faults,
    history,
    import_sheets,
)
from assay.annotate.layouts import LayoutName
from assay.annotate.merge_answers import lines_of, merge_answers
from assay.annotate.sample import ADJUDICATION, draw_sample
from assay.core.errors import BadInputError, BadRecordError, ExternalError, UnknownNameError, UserError

SAME = {"q1_same_event": "yes", "q2_adds_information": "no", "q3_incorrect": "no"}
OTHER = {"q1_same_event": "no", "q3_incorrect": "no"}
BROKEN = {"q3_incorrect": "yes"}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[AnswerStore]:
    draw_sample(CASES, tmp_path, annotators=(), size=12)
    with AnswerStore(tmp_path) as opened:
        for name in NAMES:
            opened.add(name)
        yield opened


def test_an_answer_is_kept_with_version_and_time(store: AnswerStore) -> None:
    ann, key = store.person("ann"), next(iter(store.drawn))
    assert store.state(ann, key).version == 0
    first = store.answer(ann, key, {"q1_same_event": "yes"}, base=0, request="r1")
    assert (first.version, first.done) == (1, False)
    second = store.answer(ann, key, SAME, base=1, request="r2")
    assert (second.version, second.done, second.said) == (2, True, SAME)
    with AnswerStore(store.folder) as again:
        assert again.state(ann, key) == second
    assert [(each.person, each.version, each.request) for each in history(store)] == [
        ("ann", 1, "r1"),
        ("ann", 2, "r2"),
    ]
    assert not faults(store)


def test_a_second_tab_is_told_what_the_first_one_said(store: AnswerStore) -> None:
    ann, key = store.person("ann"), next(iter(store.drawn))
    store.answer(ann, key, SAME, base=0, request="tab 1")
    with pytest.raises(ConflictError, match="answered elsewhere") as conflict:
        store.answer(ann, key, OTHER, base=0, request="tab 2")
    assert conflict.value.now == store.state(ann, key)
    assert store.answer(ann, key, OTHER, base=1, request="tab 2 again").said == OTHER


def test_two_people_do_not_disturb_each_other(store: AnswerStore) -> None:
    key = next(iter(store.drawn))
    for name, said in (("ann", SAME), ("bob", OTHER)):
        store.answer(store.person(name), key, said, base=0, request="the same name")
    assert store.state(store.person("ann"), key).said == SAME
    assert store.state(store.person("bob"), key).said == OTHER


def test_a_request_that_comes_twice_is_stored_once(store: AnswerStore) -> None:
    ann, key = store.person("ann"), next(iter(store.drawn))
    first = store.answer(ann, key, SAME, base=0, request="r")
    assert store.answer(ann, key, SAME, base=0, request="r") == first
    assert len(history(store)) == 1
    with pytest.raises(UserError, match="used for another answer"):
        store.answer(ann, key, OTHER, base=1, request="r")


def test_undo_goes_back_step_by_step_and_loses_nothing(store: AnswerStore) -> None:
    ann = store.person("ann")
    one, two, *_ = store.drawn
    for number, (key, base, said) in enumerate([(one, 0, SAME), (two, 0, SAME), (one, 1, OTHER)]):
        store.answer(ann, key, said, base=base, request=f"r{number}")
    for step, (key, left) in enumerate([(one, SAME), (two, {}), (one, {})]):
        last = store.undoable(ann)
        assert last
        undone = store.undo(ann, last.key, version=last.version, request=f"u{step}")
        assert (undone.key, undone.said) == (key, left)
        assert store.undo(ann, last.key, version=last.version, request=f"u{step}") == undone
    assert store.undoable(ann) is None
    with pytest.raises(ConflictError, match="nothing to undo"):
        store.undo(ann, one, version=1, request="u9")
    assert len(history(store)) == 6
    assert not faults(store)


def test_undo_in_a_second_tab_does_not_take_back_something_else(store: AnswerStore) -> None:
    ann = store.person("ann")
    one, two, *_ = store.drawn
    seen = store.answer(ann, one, SAME, base=0, request="tab 1")
    store.answer(ann, two, SAME, base=0, request="tab 2")
    with pytest.raises(ConflictError, match="changed in the meantime"):
        store.undo(ann, one, version=seen.version, request="u")
    assert store.state(ann, two).said == SAME


@pytest.mark.parametrize("statement", ["UPDATE answers SET said = '{}'", "DELETE FROM answers"])
def test_the_history_can_not_be_changed(store: AnswerStore, statement: str) -> None:
    store.answer(store.person("ann"), next(iter(store.drawn)), SAME, base=0, request="r")
    with pytest.raises(ExternalError, match="answers are never"), store.file.writing() as file:
        file.execute(statement)
    assert len(history(store)) == 1


@pytest.mark.parametrize(
    ("damage", "fault"),
    [
        ("DELETE FROM answers WHERE seq = 2", "should be change 2"),
        ("UPDATE answers SET digest = NULL, at = '1999' WHERE seq = 3", "is dated before"),
        ("UPDATE answers SET digest = NULL, version = 7 WHERE seq = 3", "is version 7, not 3"),
        ("UPDATE answers SET digest = NULL, said = '{}' WHERE seq = 3", "is marked as complete"),
        ("UPDATE answers SET digest = NULL, said = '{}', done = 0 WHERE seq = 4", "does not restore"),
        ("UPDATE answers SET digest = NULL, undoes = 1 WHERE seq = 4", "does not restore"),
        ("UPDATE answers SET digest = NULL, undoes = 4 WHERE seq = 4", "not an earlier change"),
        ("UPDATE answers SET digest = NULL, key = 'x' WHERE seq = 1", "not in the sample"),
        (
            "UPDATE answers SET at = '2021' || substr(at, 5) WHERE seq = 1",
            "change 1 (ann, {key}): is not as it was stored",
        ),
        ("UPDATE answers SET said = replace(said, ':', ';') WHERE seq = 4", "change 4 (ann, {key}): is not as it was"),
    ],
)
def test_a_history_that_was_tampered_with_is_noticed(store: AnswerStore, damage: str, fault: str) -> None:
    ann, key = store.person("ann"), next(iter(store.drawn))
    for number, said in enumerate([SAME, OTHER, BROKEN]):
        last = store.answer(ann, key, said, base=number, request=f"r{number}")
    store.undo(ann, key, version=last.version, request="u")
    assert not faults(store)
    with closing(sqlite3.connect(store.folder / FILE)) as file, file:
        file.execute("DROP TRIGGER answers_stay")
        file.execute("DROP TRIGGER answers_are_kept")
        file.execute(damage)
    assert any(fault.format(key=key) in each for each in faults(store)), faults(store)


def test_an_answer_that_is_not_as_it_was_stored_is_not_used(store: AnswerStore) -> None:
    ann, key = store.person("ann"), next(iter(store.drawn))
    store.answer(ann, key, SAME, base=0, request="r")
    with closing(sqlite3.connect(store.folder / FILE)) as file, file:
        file.execute("DROP TRIGGER answers_stay")
        file.execute("UPDATE answers SET said = replace(said, ':', ';')")
    with pytest.raises(ExternalError, match=r"answers\.sqlite: change 1 is not as it was stored.*\n.*restore it"):
        store.state(ann, key)


def test_answers_of_an_older_version_get_digests_from_now_on(store: AnswerStore) -> None:
    ann, (one, two, *_) = store.person("ann"), store.drawn
    store.answer(ann, one, SAME, base=0, request="1")
    with closing(sqlite3.connect(store.folder / FILE)) as file, file:
        file.execute("ALTER TABLE answers DROP COLUMN digest")
        file.execute("PRAGMA user_version = 1")
    with AnswerStore(store.folder) as opened:
        assert opened.state(ann, one).said == SAME
        opened.answer(ann, two, SAME, base=0, request="2")
        assert not faults(opened)
    with closing(sqlite3.connect(store.folder / FILE)) as file:
        assert [digest is None for (digest,) in file.execute("SELECT digest FROM answers ORDER BY seq")] == [
            True,
            False,
        ]


@pytest.mark.parametrize(
    ("key", "said", "message"),
    [
        (None, {"q1_same_event": "perhaps"}, "is 'perhaps'"),
        (None, {"label": "neutral"}, "no question 'label'"),
        (None, {"q1_same_event": "y" * 10_001}, "more than 10,000"),
        (None, {"q1_same_event": "yes\0"}, "NUL"),
        ("c0", SAME, "not in the sample"),
    ],
)
def test_what_is_no_answer_is_refused(store: AnswerStore, key: str | None, said: dict[str, str], message: str) -> None:
    with pytest.raises((BadRecordError, UnknownNameError), match=message):
        store.answer(store.person("ann"), key or next(iter(store.drawn)), said, base=0, request="r")
    assert not history(store)


def test_everybody_has_their_own_order_and_names(store: AnswerStore) -> None:
    places = {name: store.places(store.person(name)) for name in NAMES}
    assert len({tuple(each.key for each in one) for one in places.values()}) == 3
    shown = [each.shown for one in places.values() for each in one]
    assert len({*shown, *store.drawn}) == 4 * 12
    with pytest.raises(UserError, match="would share a file"):
        store.add("Ann")
    with pytest.raises(UserError, match="are taken"):
        store.add(ADJUDICATION)


def test_threads_and_processes_share_a_file(store: AnswerStore) -> None:
    """Four tabs, two of them in another process, add to the same cases; every acknowledged answer has its version."""
    ann, keys = store.person("ann"), list(store.drawn)
    acknowledged: list[tuple[str, str, int]] = []

    def work(tab: int, one: AnswerStore) -> None:
        for step in range(24):
            key, request = keys[step % 3], f"{tab} {step}"
            while True:
                now = one.state(ann, key)
                said = SAME if now.said != SAME else OTHER
                try:
                    made = one.answer(ann, key, said, base=now.version, request=request)
                except ConflictError:
                    continue
                acknowledged.append((request, key, made.version))
                break

    with AnswerStore(store.folder) as other:
        threads = [threading.Thread(target=work, args=(tab, (store, other)[tab % 2])) for tab in range(4)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    assert sorted(acknowledged) == sorted((each.request, each.key, each.version) for each in history(store))
    assert len(acknowledged) == 96
    assert not faults(store)


def test_answers_to_another_sample_are_refused(store: AnswerStore) -> None:
    draw_sample(CASES, store.folder / "other", annotators=(), size=5)
    (store.folder / "key.jsonl").write_bytes((store.folder / "other" / "key.jsonl").read_bytes())
    with pytest.raises(BadInputError, match="belong to another sample"):
        AnswerStore(store.folder)


FILLED: dict[LayoutName, tuple[dict[str, str], ...]] = {
    "events": (SAME, {"q1_same_event": "Y", "q2_adds_information": "1"}, BROKEN, {}),
    "label": ({"label": "entailment"}, {"label": "Neutral"}, {}),
    "check": ({"label": "contradiction", "grammatical": "yes", "easy": "no"}, {"easy": "no"}),
    "notes": ({"note": '=1+1, "quoted"\nand more'}, {"note": "-"}, {"note": "' odd"}, {"note": " spaces "}),
}


@pytest.mark.parametrize("storage", ["csv", "jsonl"])
@pytest.mark.parametrize("layout", FILLED)
def test_files_go_in_and_come_out_byte_for_byte(tmp_path: Path, layout: LayoutName, storage: str) -> None:
    """What is answered here is the file of the command line, filled in; and such a file, read, comes out the same."""
    hostile = [*CASES, case(500, premise="=HYPERLINK('x')", hypothesis='<script>alert("1")</script>\r\n')]
    drawing = {"size": 100, "seed": 3, "layout": layout, "storage": storage}
    draw_sample(hostile, tmp_path / "files", annotators=NAMES, **drawing)  # type: ignore[arg-type]
    draw_sample(hostile, tmp_path / "web", annotators=(), **drawing)  # type: ignore[arg-type]
    with AnswerStore(tmp_path / "web", seed=3) as store:
        for name in NAMES:
            person = store.add(name, storage)  # type: ignore[arg-type]
            assert exported_sheet(store, person) == (tmp_path / "files" / f"{name}.{storage}").read_bytes()
            for number, place in enumerate(store.places(person)):
                if said := FILLED[layout][number % len(FILLED[layout])]:
                    store.answer(person, place.key, said, base=0, request=f"r{number}")
        written = export_sheets(store, tmp_path / "out")
        with AnswerStore(tmp_path / "files") as other:
            found = import_sheets(other, written)
            again = import_sheets(other, written)
            out = export_sheets(other, tmp_path / "again")
    for one, two in zip(written, out, strict=True):
        assert one.read_bytes() == two.read_bytes()
    answers = sum(bool(FILLED[layout][number % len(FILLED[layout])]) for number in range(len(store.drawn)))
    assert [(each.added, each.same) for each in found] == [(answers, 0)] * 3
    assert [(each.added, each.same) for each in again] == [(0, answers)] * 3


@settings(max_examples=25)
@given(
    notes=st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=30), max_size=3)
)
@pytest.mark.parametrize("storage", ["csv", "jsonl"])
def test_any_note_survives_a_file(tmp_path_factory: pytest.TempPathFactory, storage: str, notes: list[str]) -> None:
    folder = tmp_path_factory.mktemp("notes")
    draw_sample(CASES, folder, annotators=(), size=3, layout="notes")
    with AnswerStore(folder) as store:
        ann = store.add("ann", storage)  # type: ignore[arg-type]
        said = dict(zip(store.drawn, notes, strict=False))
        for key, note in said.items():
            store.answer(ann, key, {"note": note}, base=0, request=key)
        (path,) = export_sheets(store, folder / "out")
        draw_sample(CASES, folder / "other", annotators=(), size=3, layout="notes")
        with AnswerStore(folder / "other") as other:
            import_sheets(other, [path])
            assert other.states(other.person("ann")).keys() == store.states(ann).keys()
            for key, state in other.states(other.person("ann")).items():
                assert state.said == store.state(ann, key).said


def test_a_file_does_not_replace_an_answer(store: AnswerStore, tmp_path: Path) -> None:
    ann = store.person("ann")
    one, two, *_ = store.drawn
    store.answer(ann, one, SAME, base=0, request="1")
    store.answer(ann, two, SAME, base=0, request="2")
    (path, *_) = export_sheets(store, tmp_path / "out")
    store.answer(ann, one, OTHER, base=1, request="3")
    (found,) = import_sheets(store, [path])
    assert (found.added, found.same, found.different) == (0, 1, (one,))
    assert store.state(ann, one).said == OTHER
    with pytest.raises(UserError, match="already exists"):
        export_sheets(store, tmp_path / "out")


def test_answers_from_a_file_can_not_be_undone(store: AnswerStore, tmp_path: Path) -> None:
    store.answer(store.person("ann"), next(iter(store.drawn)), SAME, base=0, request="1")
    (path, *_) = export_sheets(store, tmp_path / "out")
    path.rename(path.with_name("dee.csv"))
    import_sheets(store, [path.with_name("dee.csv")])
    assert store.undoable(store.person("dee")) is None


def test_the_board_agrees_with_the_command_line(store: AnswerStore, tmp_path: Path) -> None:
    keys = list(store.drawn)
    for name in NAMES:
        for number, key in enumerate(keys):
            said = BROKEN if number == 0 else OTHER if number < 4 or (number == 4 and name == "bob") else SAME
            store.answer(store.person(name), key, said, base=0, request=key)
    board = AnnotationProgress(store)
    paths = export_sheets(store, tmp_path / "out")
    merged = merge_answers(store.folder, tmp_path / "gold.jsonl", files=paths)
    assert board.settled().merged == merged
    assert lines_of(board.settled().outcomes) == (tmp_path / "gold.jsonl").read_bytes()
    assert merged.discarded == {"a sentence is incorrect": 1}
    (agreed,) = board.agreement()
    assert (agreed.cases, agreed.unanimous) == (12, 11)
    assert annotator_agreement(tmp_path / "gold.jsonl").unanimous == 10
    assert [(each.name, each.done, each.total) for each in board.standings()] == [(name, 12, 12) for name in NAMES]


def test_a_cell_of_the_matrix_leads_to_its_cases_and_a_decision_counts(store: AnswerStore, tmp_path: Path) -> None:
    keys = list(store.drawn)
    for name, said in zip(NAMES, (SAME, OTHER, BROKEN), strict=True):
        store.answer(store.person(name), keys[0], said, base=0, request="1")
        store.answer(store.person(name), keys[1], SAME, base=0, request="2")
    board = AnnotationProgress(store)
    matrix = board.matrix("label", "ann", "bob")
    assert matrix.values == ["entailment", "contradiction"]
    assert matrix.keys == {("entailment", "contradiction"): [keys[0]], ("entailment", "entailment"): [keys[1]]}
    assert next(iter(board.matrix("label", "cid", BUILT).keys))[0] == INCORRECT
    assert board.disputed("label") == [keys[0]]
    store.answer(store.person(ADJUDICATION), keys[0], OTHER, base=0, request="d")
    board = AnnotationProgress(store)
    assert (board.disputed("label"), board.decided()) == ([], {keys[0]})
    found = board.settled()
    assert (found.merged.gold, found.merged.adjudicated) == ({"contradiction": 1, "entailment": 1}, 1)
    paths = export_sheets(store, tmp_path / "out")
    assert [path.name for path in paths] == ["ann.csv", "bob.csv", "cid.csv", "adjudication.csv"]
    merged = merge_answers(store.folder, tmp_path / "gold.jsonl", files=paths, missing="drop")
    assert merged == found.merged
    assert (tmp_path / "gold.jsonl").read_text().count('"adjudicated":true') == 1


def test_a_two_way_sample_has_two_labels_on_the_board(tmp_path: Path) -> None:
    draw_sample(HANS, tmp_path, annotators=(), size=10, layout="label")
    with AnswerStore(tmp_path) as store:
        for name, label in (("ann", "neutral"), ("bob", "non-entailment")):
            person = store.add(name)
            for key in store.drawn:
                store.answer(person, key, {"label": label}, base=0, request=key)
        (agreed,) = AnnotationProgress(store).agreement()
        assert (agreed.cases, agreed.unanimous) == (10, 10)


def test_the_command_line_carries_answers_to_files_and_back(store: AnswerStore, tmp_path: Path, assay: Assay) -> None:
    ann, key = store.person("ann"), next(iter(store.drawn))
    store.answer(ann, key, SAME, base=0, request="1")
    assay("annotate", "export", ".", "--out", "out")
    assert (tmp_path / "out" / "ann.csv").read_bytes() == exported_sheet(store, ann)
    assert "already exists" in assay("annotate", "export", ".", "--out", "out", code=2).stderr
    (tmp_path / "out" / "ann.csv").rename(tmp_path / "out" / "dee.csv")
    told = assay("annotate", "import", ".", "out/dee.csv", "out/bob.csv").stdout
    assert "1  answers of dee are new, 0 were known" in told
    assert store.state(store.person("dee"), key).said == SAME
    assert assay("annotate", "history", ".").stdout.splitlines() == [
        "2 changes by 2 people, 0 of them undo another",
        "The history is whole.",
    ]
    assert '"request":' in assay("annotate", "history", ".", "--json").stdout
    with closing(sqlite3.connect(store.folder / FILE)) as file, file:
        file.execute("DROP TRIGGER answers_stay")
        file.execute("UPDATE answers SET version = 3")
    said = assay("annotate", "history", ".", code=1).stderr
    assert "answers.sqlite: the answer history is incomplete or damaged:" in said
    assert "is not as it was stored" in said
    assert "Restore the file from a copy" in said
