"""The study of transfer: from files to figures, what is kept, and what is refused."""

import itertools
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy
import pytest
from numpy.typing import NDArray

from assay.core import registry
from assay.core.errors import BadInputError, ModelError, UnknownNameError, UserError
from assay.core.protocols import Ready
from assay.models.text_encoders import TextEncoder
from assay.studies.transfer.transfer_study import study_transfer
from assay.studies.transfer.transfer_tasks import TASKS, find_tasks, load_task

QUICK = {"folds": "2", "grid": "1/8"}
GOOD, BAD = ("grand", "lovely", "bright"), ("dreary", "awful", "dull")


class Moody:
    """Encodes how often a text has good and bad words; counts what it encodes."""

    budget = 64
    encoded = 0
    widths: Iterator[int] = itertools.repeat(3)

    @property
    def identity(self) -> str:
        return "moody"

    def ready_texts(self, texts: Sequence[str]) -> list[Ready]:
        return [Ready(text) for text in texts]

    def encode(self, batch: Sequence[Ready], *, width: int) -> NDArray[numpy.float32]:
        type(self).encoded += len(batch)
        rows = [[sum(word in each.content for word in words) for words in (GOOD, BAD)] for each in batch]
        extra = numpy.ones((len(rows), next(self.widths) - 2))
        return numpy.hstack([numpy.array(rows), extra]).astype(numpy.float32)

    def predict(self, cases: Any) -> Any:
        raise NotImplementedError


@pytest.fixture
def moody(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(Moody, "encoded", 0)
    monkeypatch.setitem(registry.models._own, "moody/v1", registry.EntryTarget("x:y", "here"))
    monkeypatch.setitem(registry.models._objects, "moody/v1", Moody)
    return "assay:moody"


def sentences(n: int, start: int = 0) -> Iterator[tuple[str, int]]:
    for number in range(start, start + n):
        label = number % 2
        yield f"the {(BAD, GOOD)[label][number % 3]} film number {number}", label


def lines(rows: Iterator[dict[str, Any]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """All tasks, each with rows that a mood decides."""
    (tmp_path / "transfer").mkdir()
    (tmp_path / "sick").mkdir()

    def single(name: str, n: int, start: int = 0, names: Sequence[str] = ("0", "1")) -> None:
        rows = ({"text": text, "label": names[label]} for text, label in sentences(n, start))
        (tmp_path / "transfer" / f"{name}.jsonl").write_text(lines(rows))

    for name in ("MR", "CR", "MPQA", "SUBJ"):
        single(name, 40)
    for part, n in (("train", 40), ("dev", 20), ("test", 20)):
        single(f"SST2.{part}", n, n)
    for part, n in (("train", 40), ("test", 20)):
        single(f"TREC.{part}", n, n, ("ENTY", "HUM"))
        pairs = zip(sentences(n), sentences(n, 1), strict=True)
        rows = ({"text_a": a[0], "text_b": b[0] if k % 4 else a[0], "label": str(int(k % 4 == 0))}
                for k, (a, b) in enumerate(pairs))  # fmt: skip
        (tmp_path / "transfer" / f"MRPC.{part}.jsonl").write_text(lines(rows))
    head = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"
    for part, n in (("train", 40), ("trial", 20), ("test_annotated", 20)):
        written = [
            f"{k}\t{a[0]}\t{a[0] if k % 2 else b[0]}\t{4.5 if k % 2 else 1.5}\t{'ENTAILMENT' if k % 2 else 'NEUTRAL'}\n"
            for k, (a, b) in enumerate(zip(sentences(n), sentences(n, 1), strict=True))
        ]
        (tmp_path / "sick" / f"SICK_{part}.txt").write_text(head + "".join(written))
    return tmp_path


def test_every_task_is_measured(moody: str, data: Path) -> None:
    found = study_transfer([moody], data, switches=QUICK)
    assert [each.task for each in found.measured] == [task.name for task in TASKS]
    by_name = {(each.slice["task"], each.name): each for each in found.estimates}
    assert {name for task, name in by_name if task == "MRPC"} == {"accuracy", "f1"}
    assert {name for task, name in by_name if task == "SICK-R"} == {"pearson", "spearman"}
    for place in (("MR", "accuracy"), ("TREC", "accuracy"), ("SST", "accuracy"), ("SICK-R", "pearson")):
        value = by_name[place].value
        assert value is not None
        assert value > 0.9
    assert by_name["MR", "accuracy"].n == 40
    assert by_name["SST", "accuracy"].n == 20
    assert found.tasks[0].classes == ("0", "1")


def test_vectors_and_finished_tasks_are_kept(moody: str, data: Path) -> None:
    first = study_transfer([moody], data, tasks=["MR", "TREC"], switches=QUICK)
    encoded = Moody.encoded
    assert encoded == 80  # the rows that TREC tests are in MR too
    assert study_transfer([moody], data, tasks=["MR", "TREC"], switches=QUICK) == first
    study_transfer([moody], data, tasks=["MR"], seed=5, switches=QUICK)
    assert Moody.encoded == encoded
    study_transfer([moody], data, tasks=["MR"], switches=QUICK, cache=False)
    assert Moody.encoded > encoded


def test_another_row_is_another_task(moody: str, data: Path) -> None:
    first = study_transfer([moody], data, tasks=["MR"], switches=QUICK)
    with (data / "transfer" / "MR.jsonl").open("a") as file:
        file.write('{"text": "one more grand film", "label": "1"}\n')
    second = study_transfer([moody], data, tasks=["MR"], switches=QUICK)
    assert second.estimates[0].n == first.estimates[0].n + 1


def test_rows_are_sorted_by_length_and_class(data: Path) -> None:
    file = data / "transfer" / "MR.jsonl"
    file.write_text(lines({"text": t, "label": y} for t, y in [("a b", "1"), ("c", "1"), ("d", "0"), ("e f", "0")]))
    task = load_task(find_tasks(["mr"])[0], data)
    assert [row.texts[0] for row in task.rows] == ["d", "c", "e f", "a b"]


def test_vectors_of_different_sizes_are_refused(moody: str, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Moody, "widths", itertools.count(3))
    monkeypatch.setattr(Moody, "budget", 4)
    with pytest.raises(ModelError, match="vectors of 3 and of 12 dimensions"):
        study_transfer([moody], data, tasks=["MR"], switches=QUICK)


def remove(name: str) -> Callable[[Path], object]:
    return lambda data: next(data.rglob(name)).unlink()


def write(name: str, text: str) -> Callable[[Path], object]:
    return lambda data: next(data.rglob(name)).write_text(text)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (remove("SST2.dev.jsonl"), r"SST2\.dev\.jsonl: missing: SST needs it\n.*--set tasks=NAME"),
        (write("TREC.test.jsonl", '{"text": "who", "label": "LOC"}\n'), "TREC has no class 'LOC' in its training rows"),
        (write("MR.jsonl", '{"text": "a", "label": "1"}\n'), "MR needs at least two classes"),
        (write("MR.jsonl", '{"text_a": "a", "text_b": "b", "label": "1"}\n'), "not a file of MR"),
        (write("MR.jsonl", ""), "empty"),
    ],
)
def test_a_bad_file_is_named(moody: str, data: Path, spoil: Callable[[Path], object], said: str) -> None:
    spoil(data)
    with pytest.raises(BadInputError, match=said):
        study_transfer([moody], data, switches=QUICK)
    assert not Moody.encoded


def test_a_score_outside_the_scale(moody: str, data: Path) -> None:
    file = data / "sick" / "SICK_trial.txt"
    file.write_text(file.read_text().replace("\t4.5\t", "\t7\t", 1))
    with pytest.raises(BadInputError, match="'7' is not a relatedness score from 1 to 5"):
        study_transfer([moody], data, tasks=["SICK-R"], switches=QUICK)


def test_what_is_not_there(data: Path, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match=r"No transfer task 'TRECK'; did you mean 'TREC'\?"):
        study_transfer(["assay:cbow"], data, tasks=["TRECK"])
    with pytest.raises(BadInputError, match="not a folder"):
        study_transfer(["assay:cbow"], tmp_path / "nowhere")
    with pytest.raises(UserError, match="at least one model"):
        study_transfer([], data)


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("assay:esim", "reads both texts of a pair together"),
        ("assay:decomposable-attention", "reads both texts of a pair together"),
        ("assay:majority", "reads both texts of a pair together"),
        ("assay:hypothesis-only", "exported as one network for pairs"),
    ],
)
def test_a_model_without_vectors_of_texts_is_refused(model: str, said: str, data: Path) -> None:
    with pytest.raises(UserError, match=said):
        study_transfer([model], data)


def test_pooling_is_for_transformers(moody: str, data: Path) -> None:
    assert isinstance(Moody(), TextEncoder)
    with pytest.raises(UserError, match="not a transformer"):
        study_transfer([moody], data, pooling="cls")


def test_seeds_become_a_band(data: Path, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="systems need PyTorch")
    from tests.models.small_systems import make

    from assay.models.systems.system import save_system

    for seed in (1, 2):
        save_system(make("cbow"), "cbow/v1", tmp_path / "trained" / f"seed-{seed}")
    name = f"trained:{tmp_path / 'trained'}"
    found = study_transfer([name], data, tasks=["TREC"], switches=QUICK)
    assert [each.model for each in found.measured] == [f"{name}@1", f"{name}@2"]
    (band,) = found.bands
    assert band.slice == {"model": name, "task": "TREC", "seeds": "2"}
