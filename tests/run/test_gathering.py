"""Asking once: what is asked, in which batches, and what is kept."""

import itertools
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.conftest import case

from assay.core.case import Answer, Case, Prediction
from assay.core.errors import ModelError, PartialAnswersError, UserError
from assay.core.label import Label
from assay.core.protocols import Cost, Endpoint, Ready, SentenceModel, TextModel, Texts
from assay.models.adapters.pair_tokens import batches
from assay.run.predict.answer_checks import CaseTexts
from assay.run.predict.answer_strategies import EndpointStrategy, PairStrategy, SentenceStrategy
from assay.run.predict.predict_options import PredictOptions
from assay.storage.answer_cache import AnswerCache

LABELS = tuple(Label)


def truth(pair: Texts) -> Label:
    """What a right answer is: it depends on the texts alone."""
    return LABELS[(len(pair.premise) * 7 + len(pair.hypothesis)) % 3]


class Counting:
    """A text model that remembers what it was asked."""

    identity = "counting"
    budget = 64

    def __init__(self, *, fails_at: int | None = None, longest: int = 10_000) -> None:
        self.batches: list[list[Texts]] = []
        self.widths: list[int] = []
        self.fails_at = fails_at
        self.longest = longest

    @property
    def asked(self) -> list[Texts]:
        return [pair for batch in self.batches for pair in batch]

    def predict(self, cases: Sequence[Case]) -> list[Prediction]:
        raise NotImplementedError

    def ready(self, pairs: Sequence[Texts]) -> list[Ready]:
        return [Ready(pair, len(pair.premise), len(pair.premise) > self.longest) for pair in pairs]

    def answer(self, batch: Sequence[Ready], *, width: int) -> list[Answer]:
        if len(self.batches) == self.fails_at:
            raise RuntimeError("out of memory")
        self.batches.append([each.content for each in batch])
        self.widths.append(width)
        return [Answer(label=truth(each.content), truncated=each.truncated) for each in batch]


def asked(pairs: Sequence[Texts]) -> list[CaseTexts]:
    return [CaseTexts(f"case-{number}", *pair) for number, pair in enumerate(pairs)]


def no_progress(_: int) -> None:
    pass


PAIRS = [Texts("p" * (1 + number % 17), "h" * (1 + number % 5)) for number in range(200)]
DISTINCT = len(set(PAIRS))

ManyPairs = st.lists(st.builds(Texts, st.text(max_size=12), st.text(max_size=4)), max_size=60)


def test_it_is_a_text_model() -> None:
    assert isinstance(Counting(), TextModel)
    assert not isinstance(Counting(), SentenceModel | Endpoint)


@given(sizes=st.lists(st.integers(1, 50), max_size=60), budget=st.integers(1, 200))
def test_batches_hold_every_row_once_within_the_budget(sizes: list[int], budget: int) -> None:
    planned = batches(sizes, budget)
    assert sorted(row for batch in planned for row in batch.rows) == list(range(len(sizes)))
    for batch in planned:
        assert batch.width == max(sizes[row] for row in batch.rows)
        assert len(batch.rows) == 1 or len(batch.rows) * batch.width <= budget
    widths = [batch.width for batch in planned]
    assert widths == sorted(widths, reverse=True)


@given(pairs=ManyPairs)
def test_every_distinct_pair_is_asked_once_and_every_case_is_answered(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[Texts]
) -> None:
    model = Counting()
    with AnswerCache(tmp_path_factory.mktemp("store") / "kept.sqlite") as store:
        done: list[int] = []
        way = PairStrategy("m", model, store)
        way.gather(asked(pairs), done.append)
        assert sorted(model.asked) == sorted(set(pairs))
        assert sum(done) == len(pairs)
        assert [answer.label for answer in way.recall(pairs)] == [truth(pair) for pair in pairs]


def test_a_look_at_lengths_does_not_tokenise_twice(tmp_path: Path) -> None:
    read: list[Texts] = []

    class Reading(Counting):
        def ready(self, pairs: Sequence[Texts]) -> list[Ready]:
            read.extend(pairs)
            return super().ready(pairs)

    with AnswerCache(tmp_path / "kept.sqlite") as store:
        way = PairStrategy("m", Reading(), store)
        assert [*way.too_long(asked(PAIRS))] == []
        way.gather(asked(PAIRS), no_progress)
        assert read == list(dict.fromkeys(PAIRS))
        assert [answer.label for answer in way.recall(PAIRS)] == [truth(pair) for pair in PAIRS]


def test_windows_change_nothing_but_batches(tmp_path: Path) -> None:
    model = Counting()
    with AnswerCache(tmp_path / "kept.sqlite") as store:
        way = PairStrategy("m", model, store, window=16)
        done: list[int] = []
        way.gather(asked(PAIRS), done.append)
        assert sorted(model.asked) == sorted(set(PAIRS))
        assert sum(done) == len(PAIRS)
        assert [answer.label for answer in way.recall(PAIRS)] == [truth(pair) for pair in PAIRS]


def test_a_second_run_asks_nothing_and_a_new_suite_only_what_is_new(tmp_path: Path) -> None:
    for pairs, new in ((PAIRS, DISTINCT), (PAIRS[::-1], 0), ([*PAIRS, Texts("new", "pair")], 1)):
        model = Counting()
        with AnswerCache(tmp_path / "kept.sqlite") as store:
            way = PairStrategy("m", model, store)
            way.gather(asked(pairs), no_progress)
            assert len(model.asked) == new
            assert [answer.label for answer in way.recall(pairs)] == [truth(pair) for pair in pairs]


@pytest.mark.parametrize("fails_at", [0, 1, 5])
def test_what_was_answered_before_a_failure_is_kept_and_batches_stay_as_planned(tmp_path: Path, fails_at: int) -> None:
    whole, first, second = Counting(), Counting(fails_at=fails_at), Counting()
    with AnswerCache(tmp_path / "undisturbed.sqlite") as store:
        PairStrategy("m", whole, store).gather(asked(PAIRS), no_progress)
    with AnswerCache(tmp_path / "kept.sqlite") as store, pytest.raises(ModelError, match="m failed: RuntimeError"):
        PairStrategy("m", first, store).gather(asked(PAIRS), no_progress)
    with AnswerCache(tmp_path / "kept.sqlite") as store:
        PairStrategy("m", second, store).gather(asked(PAIRS), no_progress)
    assert first.batches + second.batches == whole.batches
    assert first.widths + second.widths == whole.widths


def test_half_a_batch_is_kept_too(tmp_path: Path) -> None:
    class Dying(Counting):
        def answer(self, batch: Sequence[Ready], *, width: int) -> list[Answer]:
            raise PartialAnswersError("it died", answers=super().answer(batch, width=width)[:2])

    with AnswerCache(tmp_path / "kept.sqlite") as store:
        with pytest.raises(ModelError, match="it died"):
            PairStrategy("m", Dying(), store).gather(asked(PAIRS), no_progress)
        model = Counting()
        PairStrategy("m", model, store).gather(asked(PAIRS[:0]), no_progress)
    with AnswerCache(tmp_path / "kept.sqlite") as store:
        PairStrategy("m", model, store).gather(asked(PAIRS), no_progress)
    assert len(model.asked) == DISTINCT - 2
    assert model.widths[0] == 17, "the rest of a batch is asked at the width of the whole"


def test_too_few_rows(tmp_path: Path) -> None:
    class Few(Counting):
        def answer(self, batch: Sequence[Ready], *, width: int) -> list[Answer]:
            return super().answer(batch, width=width)[1:]

    with AnswerCache(tmp_path / "kept.sqlite") as store, pytest.raises(ModelError, match="m gave 2 answers to 3 cases"):
        PairStrategy("m", Few(), store).gather(asked(PAIRS), no_progress)


def test_long_input_is_refused_with_all_counted_unless_it_may_be_cut(tmp_path: Path) -> None:
    pairs = [Texts("p" * (30 if number % 10 == 7 else 5), f"{number}") for number in range(100)]
    with (
        AnswerCache(tmp_path / "kept.sqlite") as store,
        pytest.raises(UserError, match=r"10 cases are too long for m, such as 'case-7'.*\n.*truncate='premise'"),
    ):
        PairStrategy("m", Counting(longest=20), store, window=20).gather(asked(pairs), no_progress)
    with AnswerCache(tmp_path / "kept.sqlite") as store:
        way = PairStrategy("m", Counting(longest=20), store, PredictOptions(truncate="premise"), window=20)
        way.gather(asked(pairs), no_progress)
        assert [answer.truncated for answer in way.recall(pairs)] == [len(pair.premise) == 30 for pair in pairs]


class Encoder:
    """A sentence model that remembers what it encoded."""

    identity = "encoder"
    budget = 64

    def __init__(self, *, longest: int = 10_000) -> None:
        self.encoded: list[str] = []
        self.longest = longest

    def predict(self, cases: Sequence[Case]) -> list[Prediction]:
        raise NotImplementedError

    def ready_texts(self, texts: Sequence[str]) -> list[Ready]:
        return [Ready(text, 1 + len(text), len(text) > self.longest) for text in texts]

    def encode(self, batch: Sequence[Ready], *, width: int) -> NDArray[np.float32]:
        self.encoded += [each.content for each in batch]
        return np.array([[len(each.content), 1] for each in batch], dtype=np.float32)

    def judge(self, premises: NDArray[np.float32], hypotheses: NDArray[np.float32]) -> list[Answer]:
        sizes = zip(premises[:, 0], hypotheses[:, 0], strict=True)
        return [Answer(label=truth(Texts("p" * int(one), "h" * int(two)))) for one, two in sizes]


def test_each_distinct_sentence_is_encoded_once(tmp_path: Path) -> None:
    assert isinstance(Encoder(), SentenceModel)
    assert not isinstance(Encoder(), TextModel)
    texts = {text for pair in PAIRS for text in pair}
    for new in (len(texts), 0):
        model = Encoder()
        with AnswerCache(tmp_path / "kept.sqlite") as store:
            way = SentenceStrategy("m", model, store)
            done: list[int] = []
            way.gather(asked(PAIRS), done.append)
            assert len(model.encoded) == new
            assert sum(done) == len(PAIRS)
            assert [answer.label for answer in way.recall(PAIRS)] == [truth(pair) for pair in PAIRS]


def test_a_long_sentence_marks_every_case_that_has_it(tmp_path: Path) -> None:
    too_long = sum(len(pair.premise) > 15 for pair in PAIRS)
    with (
        AnswerCache(tmp_path / "kept.sqlite") as store,
        pytest.raises(UserError, match=f"{too_long} cases are too long for m"),
    ):
        SentenceStrategy("m", Encoder(longest=15), store, window=80).gather(asked(PAIRS), no_progress)
    with AnswerCache(tmp_path / "kept.sqlite") as store:
        way = SentenceStrategy("m", Encoder(longest=15), store, PredictOptions(truncate="premise"), window=80)
        way.gather(asked(PAIRS), no_progress)
        assert [answer.truncated for answer in way.recall(PAIRS)] == [len(pair.premise) > 15 for pair in PAIRS]


@pytest.mark.parametrize(
    ("vectors", "said"),
    [
        (lambda right: right[1:], "vectors of shape"),
        (lambda right: right[:, 0], "vectors of shape"),
        (lambda right: right * np.nan, "NaN or infinity"),
    ],
)
def test_an_encoder_that_gives_no_vectors(tmp_path: Path, vectors: object, said: str) -> None:
    class Wrong(Encoder):
        def encode(self, batch: Sequence[Ready], *, width: int) -> NDArray[np.float32]:
            return vectors(super().encode(batch, width=width))  # type: ignore[operator, no-any-return]

    with AnswerCache(tmp_path / "kept.sqlite") as store, pytest.raises(ModelError, match=said):
        SentenceStrategy("m", Wrong(), store).gather(asked(PAIRS), no_progress)


class Remote:
    """An endpoint that remembers its calls, and may break at one of them."""

    identity = "remote"
    concurrency = 4

    def __init__(self, *, fails_at: int | None = None) -> None:
        self.calls = itertools.count()
        self.fails_at = fails_at
        self.answered: list[Texts] = []

    def predict(self, cases: Sequence[Case]) -> list[Prediction]:
        raise NotImplementedError

    def estimate(self, pairs: Iterable[Texts]) -> Cost:
        calls = len([*pairs])
        return Cost(calls, f"{calls} calls, and so on")

    def answer_one(self, pair: Texts) -> Answer:
        if next(self.calls) == self.fails_at:
            raise ModelError("the endpoint is gone")
        self.answered.append(pair)
        return Answer(label=truth(pair))


def test_an_endpoint_that_breaks_loses_no_answer(tmp_path: Path) -> None:
    first, second = Remote(fails_at=9), Remote()
    told: list[str] = []
    assert isinstance(first, Endpoint)
    with AnswerCache(tmp_path / "kept.sqlite") as store, pytest.raises(ModelError, match="the endpoint is gone"):
        EndpointStrategy("m", first, store, PredictOptions(tell=told.append)).gather(asked(PAIRS), no_progress)
    with AnswerCache(tmp_path / "kept.sqlite") as store:
        way = EndpointStrategy("m", second, store, PredictOptions(tell=told.append))
        done: list[int] = []
        way.gather(asked(PAIRS), done.append)
        assert sum(done) == len(PAIRS)
        assert sorted(first.answered + second.answered) == sorted(set(PAIRS))
        left = DISTINCT - len(first.answered)
        assert [text.partition(",")[0] for text in told] == [f"{DISTINCT} calls", f"{left} calls"]
        assert [answer.label for answer in way.recall(PAIRS)] == [truth(pair) for pair in PAIRS]


def test_an_answer_becomes_a_prediction() -> None:
    answer = Answer(label=Label.NEUTRAL, truncated=True, note="no label", read_from="text")
    stored = msgspec.json.decode(msgspec.json.encode(answer.to(case().id)), type=Prediction)
    assert stored == Prediction(id=case().id, label=Label.NEUTRAL, truncated=True, note="no label")
