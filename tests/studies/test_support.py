"""The study of support: counts, pairs, workers and resuming."""

import json
from collections import Counter
from pathlib import Path

import pytest

from assay.core.errors import OutputExistsError, UserError
from assay.core.label import Label
from assay.corpora.reader import read
from assay.studies.experiments import heuristic_support
from assay.studies.experiments.heuristic_support import study_support

ROWS = [
    ("If it rains , we go .", "It rains .", "neutral", "( ( If ( it rains ) ) ( , ( ( we go ) . ) ) )"),
    ("If it rains , we go .", "We go .", "entailment", "( ( If ( it rains ) ) ( , ( ( we go ) . ) ) )"),
    ("The cooks ran .", "The cook", "contradiction", ""),
    ("The cook saw us .", "Us saw the cook .", "contradiction", ""),
    ("The cook saw us .", "The chef saw us .", "entailment", ""),
]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.jsonl"
    rows = [
        {"pairID": f"p{n}", "sentence1": a, "sentence2": b, "gold_label": label, "sentence1_binary_parse": tree}
        for n, (a, b, label, tree) in enumerate(ROWS * 500)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_the_counts(corpus: Path) -> None:
    found = study_support(corpus)
    shares = {
        definition: {name: share and (share.support, share.contradict) for name, share in counts.items()}
        for definition, counts in found.counts.items()
    }
    assert shares == {
        "released": {"lexical_overlap": (500, 1000), "subsequence": (500, 1000), "constituent": (500, 500)},
        "tokens": {"lexical_overlap": (500, 1000), "subsequence": (500, 500), "constituent": (500, 500)},
    }
    assert (found.parsed, found.source.pairs) == (1000, 2500)
    released = found.counts["released"]["subsequence"]
    assert released
    assert released.labels == {"contradiction": 500, "entailment": 500, "neutral": 500}


def test_without_trees_constituents_are_not_zero() -> None:
    found = study_support(read("bundled", limit=50))
    assert [counts["constituent"] for counts in found.counts.values()] == [None, None]


def test_workers_change_nothing_and_files_are_told_apart_by_their_ending(corpus: Path, tmp_path: Path) -> None:
    one = study_support(corpus, out=tmp_path / "one.jsonl")
    two = study_support(corpus, out=tmp_path / "two.jsonl", workers=2)
    assert one == two
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()
    assert not list(tmp_path.glob(".*"))
    first = json.loads((tmp_path / "one.jsonl").read_text().splitlines()[0])
    held = ["lexical_overlap", "subsequence", "constituent"]
    assert first == {
        "id": "p0",
        "premise": ROWS[0][0],
        "hypothesis": ROWS[0][1],
        "label": "neutral",
        "side": "contradict",
        "holds": {"released": held, "tokens": held},
    }
    wanted = {"heuristic": "lexical_overlap", "definition": "released", "side": "contradict"}
    study_support(corpus, out=tmp_path / "list.tsv", **wanted)
    lines = (tmp_path / "list.tsv").read_text().splitlines()
    assert Counter(lines) == {"\t".join(ROWS[0][:3]): 500, "\t".join(ROWS[3][:3]): 500}
    assert Counter(pair.label for pair in read(tmp_path / "list.tsv")) == {Label.NEUTRAL: 500, Label.CONTRADICTION: 500}


def test_finished_parts_are_not_made_again(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    def find(batch: bytes) -> bytes:
        if len(made) == 2 and not done:
            raise KeyboardInterrupt
        made.append(len(batch))
        return original(batch)

    original, done = heuristic_support.find_in_batch, False
    monkeypatch.setattr(heuristic_support, "find_in_batch", find)
    with pytest.raises(KeyboardInterrupt):
        study_support(corpus, out=tmp_path / "out.jsonl")
    assert not (tmp_path / "out.jsonl").exists()
    done = True
    study_support(corpus, out=tmp_path / "out.jsonl")
    assert len(made) == 3  # batches of 1,000
    assert not list(tmp_path.glob(".*"))


def test_what_is_there_is_not_replaced(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.tsv"
    out.write_text("mine")
    with pytest.raises(OutputExistsError, match="--overwrite"):
        study_support(corpus, out=out)
    with pytest.raises(OutputExistsError, match="--overwrite replaces nothing else"):
        study_support(corpus, out=out, overwrite=True)
    assert out.read_text() == "mine"
    out.unlink()
    study_support(corpus, out=out)
    study_support(corpus, out=out, overwrite=True)


@pytest.mark.parametrize("wanted", [{"heuristic": "overlap"}, {"definition": "token"}, {"side": "supports"}])
def test_an_unknown_choice_is_refused(wanted: dict[str, str]) -> None:
    with pytest.raises(UserError, match="must be '"):
        study_support("bundled", **wanted)


def test_wrong_input_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text('{"premise": "a", "hypothesis": "b", "label": "neutral"}\n{\n')
    with pytest.raises(UserError, match=r"bad\.jsonl:2"):
        study_support(tmp_path / "bad.jsonl", out=tmp_path / "out.jsonl")
    assert [path.name for path in tmp_path.iterdir()] == ["bad.jsonl"]


def phrases(tree: object) -> list[str]:
    """Every bracketed phrase of a nested list, as text; written apart from the code that is tested."""
    if isinstance(tree, str):
        return []
    assert isinstance(tree, list)
    return [text(tree), *(phrase for part in tree for phrase in phrases(part))]


def text(tree: object) -> str:
    if isinstance(tree, str):
        return "" if tree in ".?!" else tree
    assert isinstance(tree, list)
    return " ".join(filter(None, map(text, tree)))


def nested(tree: str) -> object:
    pieces = {"(": "[", ")": "]"}
    written = " ".join(pieces.get(piece) or json.dumps(piece) for piece in tree.lower().split())
    return json.loads(
        written.replace("] [", "], [").replace('] "', '], "').replace('" [', '", [').replace('" "', '", "')
    )


def test_real_pairs_are_counted_as_a_plain_script_counts_them(shared: Path) -> None:
    path = shared / "snli" / "snli_1.0_dev.jsonl.gz"
    expected: Counter[tuple[str, Label]] = Counter()
    for pair in read(path):
        assert pair.parses
        assert pair.parses.premise_binary
        said, claimed = (
            [w.lower() for w in side.split() if w not in (".", "?", "!")] for side in (pair.premise, pair.hypothesis)
        )
        bare = " ".join(w.replace(".", "").replace("?", "").replace("!", "") for w in claimed)
        expected["lexical_overlap", pair.label] += all(word in said for word in claimed)
        expected["subsequence", pair.label] += " ".join(said).find(" ".join(claimed)) >= 0
        if set(bare.split()) <= set(pair.parses.premise_binary.lower().split()):
            expected["constituent", pair.label] += bare in phrases(nested(pair.parses.premise_binary))
    found = study_support(path)
    assert found.parsed == found.source.pairs == 9842
    for heuristic, share in found.counts["released"].items():
        assert share
        assert share.labels == {label.value: n for (name, label), n in expected.items() if name == heuristic and n}
