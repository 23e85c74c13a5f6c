"""A sample has every label and genre in its share, and is the same each time."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.core.errors import UserError
from assay.core.label import Label
from assay.core.manifest import NOT_DRAWN, Sampling
from assay.core.pair import Pair
from assay.core.run_record import RunRecord
from assay.corpora.reader import read
from assay.corpora.sampling import Stratum, draw_pairs, draw_shares
from assay.reports.repeat_command import command_of

LABELS = [Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION]


def pairs(count: int) -> list[Pair]:
    """Two thirds of them travel, and all of that before the rest."""
    genre = ["travel" if n < count * 2 // 3 else "news" for n in range(count)]
    return [
        Pair(id=str(n), premise=f"p{n}", hypothesis="h", label=LABELS[n % 3], group={"genre": genre[n]})
        for n in range(count)
    ]


def sample(some: list[Pair], n: int, seed: int = 0) -> list[str]:
    return [each.id for each in draw_pairs(some, Sampling(n=n, seed=seed), name="corpus")]


def test_labels_and_genres_have_their_share() -> None:
    some = draw_pairs(pairs(900), Sampling(n=90), name="corpus")
    assert Counter((each.label.value, each.group["genre"]) for each in some) == {
        (label.value, genre): n for label in LABELS for genre, n in (("travel", 20), ("news", 10))
    }


@given(
    sizes=st.dictionaries(st.tuples(st.sampled_from("enc"), st.text(max_size=2)), st.integers(1, 50), min_size=1),
    n=st.integers(1, 200),
)
def test_shares_add_up_and_no_stratum_is_left_out(sizes: dict[Stratum, int], n: int) -> None:
    asked = max(n, len(sizes))
    found = draw_shares(sizes, asked)
    assert sum(found.values()) == min(asked, sum(sizes.values()))
    assert all(1 <= found[each] <= sizes[each] for each in sizes)


def test_the_same_pairs_in_any_order_and_others_by_another_seed() -> None:
    some = pairs(300)
    assert {*sample(some, 30)} == {*sample(some[::-1], 30)}
    assert {*sample(some, 30)} < {*sample(some, 60)}
    assert sample(some, 30) != sample(some, 30, seed=1)
    assert sample(some, 30) == sorted(sample(some, 30), key=int)


def test_all_are_taken_where_there_are_no_more() -> None:
    assert len(sample(pairs(20), 50)) == 20
    corpus = read("bundled", sample=1000)
    assert len(list(corpus)) == 750
    assert corpus.notes() == ["all 750 pairs are used: --sample 1,000 asks for that many or more"]


def test_too_small_a_sample_says_what_it_takes() -> None:
    with pytest.raises(UserError, match=r"--sample 5: bundled has 30 combinations.*\n.*Ask for 30 or more"):
        list(read("bundled", sample=5))


@pytest.mark.parametrize(("sample", "limit", "said"), [(0, None, "1 pair or more"), (60, 9, "use only one of them")])
def test_what_makes_no_sense_is_refused(sample: int, limit: int | None, said: str) -> None:
    with pytest.raises(UserError, match=said):
        read("bundled", sample=sample, limit=limit)


def test_counts_say_what_was_drawn() -> None:
    corpus = read("bundled", sample=60, seed=3)
    some = list(corpus)
    assert Counter(each.group["genre"] for each in some) == dict.fromkeys({each.group["genre"] for each in some}, 6)
    source = corpus.summary()
    assert (source.rows, source.pairs, source.labels, source.skipped) == (
        750,
        60,
        {"contradiction": 20, "entailment": 20, "neutral": 20},
        {NOT_DRAWN: 690},
    )
    assert source.sample == Sampling(n=60, seed=3)


def test_a_run_draws_by_its_seed_and_can_be_made_again(tmp_path: Path) -> None:
    record: RunRecord = assay.run(
        assay.read("bundled", sample=30, seed=4), families="negation", models="assay:majority", seed=4, out=tmp_path
    )
    spec = json.loads((tmp_path / record.id / "record.json").read_text())["spec"]
    assert spec["suites"]["stress"]["reading"]["sample"] == {"n": 30, "seed": 4}
    assert record.suites["stress"].source.sample == Sampling(n=30, seed=4)
    assert "--family negation --model assay:majority/v1 --seed 4 --sample 30" in command_of(record.spec)
