"""Stored runs: cases joined with answers."""

import shutil
from pathlib import Path

import msgspec
import pytest

from assay.core.case import Prediction
from assay.core.errors import BadInputError, UserError
from assay.core.label_space import LABELS
from assay.evaluate.case_columns import Encoder
from assay.run.measure import measure_run
from assay.run.stored_run import StoredRun, join_answers, open_run


@pytest.fixture
def stored(made: Path, tmp_path: Path) -> StoredRun:
    """A copy of a run of three models."""
    folder = shutil.copytree(made, tmp_path / "run")
    return StoredRun.of(folder, open_run(folder))


def files(stored: StoredRun) -> dict[str, Path]:
    """The files of answers, by model."""
    return {each.model: stored.folder / each.files["stress"].file for each in stored.models}


def join(stored: StoredRun) -> None:
    """Join the files as they are; a stored run compares their digests before it does."""
    for _ in join_answers(stored.suites["stress"], [*files(stored).values()], Encoder()):
        pass


def test_each_case_comes_with_every_models_answer(stored: StoredRun) -> None:
    encoder = Encoder()
    cases = list(stored.suites["stress"])
    whole, last = stored.joined("stress", encoder)  # nobody knows that the last pair is the last before the file ends
    cases, rest = cases[: len(whole.cases.ids)], cases[len(whole.cases.ids) :]
    assert last.cases.ids == [case.id for case in rest]
    assert len({case.origin for case in rest}) == 1
    assert whole.cases.ids == [case.id for case in cases]
    assert [LABELS[code] for code in whole.cases.label] == [case.label for case in cases]
    assert [encoder.families[code] for code in whole.cases.family] == [case.family for case in cases]
    for path, said in zip(files(stored).values(), whole.answers.label, strict=True):
        answers = [msgspec.json.decode(line, type=Prediction) for line in path.read_bytes().splitlines()]
        assert [LABELS[code] for code in said] == [answer.label for answer in answers[: len(cases)]]


@pytest.mark.parametrize("at_once", [1, 7, 64])
def test_batches_part_no_source_pair_and_change_no_figure(stored: StoredRun, at_once: int) -> None:
    small = StoredRun(stored.folder, stored.suites, stored.models, at_once=at_once)
    origins = [{case.split(":")[1] for case in each.cases.ids} for each in small.joined("stress", Encoder())]
    assert sum(map(len, origins)) == len(set.union(*origins)) == 90
    assert max(map(len, origins)) <= at_once
    spec = open_run(stored.folder).spec
    for one, other in zip(measure_run(small, spec).estimates, measure_run(stored, spec).estimates, strict=True):
        assert (one.name, one.slice, one.n) == (other.name, other.slice, other.n)
        assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high), abs=1e-12)


@pytest.mark.parametrize("line", [b"{}", b"[]", b"\xff", b'{"id":"1","label":"maybe"}', b""])
def test_a_damaged_answer_is_named(stored: StoredRun, line: bytes) -> None:
    path = files(stored)["assay:overlap/v1"]
    lines = path.read_bytes().splitlines()
    path.write_bytes(b"\n".join([lines[0], line, *lines[2:], b""]))
    with pytest.raises(BadInputError, match=r"stress\.jsonl:2: not a prediction"):
        join(stored)


def test_a_damaged_case_is_named(stored: StoredRun) -> None:
    path = stored.suites["stress"].cases_file
    lines = path.read_bytes().splitlines()
    path.write_bytes(b"\n".join([*lines[:3], lines[3].replace(b'"label"', b'"lable"'), *lines[4:], b""]))
    with pytest.raises(BadInputError, match=r"cases\.jsonl:4: not a case"):
        join(stored)


def test_no_answers_at_all(stored: StoredRun) -> None:
    files(stored)["assay:overlap/v1"].unlink()
    with pytest.raises(UserError, match="No predictions at"):
        join(stored)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda lines: lines[:-1], "not have as many answers"),
        (lambda lines: [*lines, lines[-1]], "not have as many answers"),
        (lambda lines: lines[1:], "but the suite has"),
        (lambda lines: [], "not have as many answers"),
    ],
)
def test_answers_to_other_cases_are_refused(stored: StoredRun, change: object, said: str) -> None:
    path = files(stored)["assay:overlap/v1"]
    path.write_bytes(b"".join(change(path.read_bytes().splitlines(keepends=True))))  # type: ignore[operator]
    with pytest.raises(BadInputError, match=said):
        join(stored)
