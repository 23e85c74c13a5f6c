"""Pages of what `tools/docs/measure.py` measured: docs/results/README.md, and a card for each shipped model."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from cards import card
from cells import MADE, cell, places, span, table
from claims import CLAIMS, Claim
from measured import (
    AQUA,
    AQUA_CODE,
    CODE,
    CODE_MISMATCHED,
    FOLDER,
    HEURISTICS,
    IS_THE_TEST,
    PLAIN,
    STRESS,
    THREE,
    TWO,
    Figure,
    Measured,
    all_published,
    categories,
    data_of,
    measured,
    published_for,
)

from assay.reports.published.data import Data
from assay.reports.published.figures import Figure as Published

INTRODUCTION = """`python tools/docs/measure.py MODELS --data DATA` measured these figures on whole data sets. Each
is an accuracy in per cent with its 95 % interval, unless stated otherwise. The
[cards](../training.md#models-that-ship) say how the models were trained.

A published figure is shown next to a measured one only if corpus, split and fidelity are the same. `published` is the
lowest and the highest of the papers' systems, which were trained on more pairs. Read it as context, not as a target.
Published figures for the same kind of test on other data are under [related figures](#related-published-figures).
"""

CODE_TEXT = """Built with `--fidelity code`, which does what the authors' released code does, including its slips.
`original` means the source pairs. The published figures are for the released files, which that code made from the same
pairs.
"""

STRICT_TEXT = """Built with the default fidelity, `strict`, which leaves out what it can't prove. There are no published
figures for this data. Typos are in content words, the default; the other kinds are above. Swapped pairs claim no label;
they follow below.
"""

FIDELITY_TEXT = """The same models on what the two fidelities make from MultiNLI dev, matched. The tests differ: strict
antonyms are other words in other sentences than those of the released code, which replaces only nouns, and any letters
that spell one. A model can do several times better on one than on the other, so never compare a strict figure with a
published one.
"""

NUMERACY_TEXT = """Numeracy built from 6,500 problems of AQuA-RAT's training set, the corpus of the paper. The
paper does not say which split it used, and it found names with CoreNLP, which Assay does not use. So its figures are
related, not the same.
"""

SYSTEM = {
    "cbow": "CBOW, averaged",
    "infersent": "InferSent",
    "decomposable-attention": "decomposable attention",
    "esim": "ESIM",
}
"""The published system that each shipped model corresponds to. MiniLM has none: it is distilled, so it is not BERT."""

STRESSED = ("word-overlap", "negation", "length-mismatch", "antonymy")
TYPOS = ("content-word", "function-word", "adjacent-swap", "keyboard")

Found = Mapping[str, Measured]


def documents(folder: Path = FOLDER) -> dict[str, str]:
    """The page of results and the cards, by their place; nothing where nothing was measured."""
    found = measured(folder)
    if not found:
        return {}
    cards = {f"docs/models/cards/{name}.md": card(name, each) for name, each in found.items()}
    return {"docs/results/README.md": page(found), **cards}


def page(found: Found) -> str:
    """The results of the shipped models, next to the published figures."""
    published = ["", *found, "published"]
    parts = [
        f"{MADE}# Results of the shipped models\n",
        INTRODUCTION,
        "## Data sets\n",
        table(published, _plain_rows(found)),
        "## Stress tests as the released code makes them\n",
        CODE_TEXT,
        table(published, _code_rows(found)),
        "## Stress tests with proven labels\n",
        STRICT_TEXT,
        table(["", *found, "cases"], _strict_rows(found)),
        "## What fidelity changes\n",
        FIDELITY_TEXT,
        _antonyms(found),
        table(["", *found, "cases"], _fidelity_rows(found)),
        "## Numeracy from word problems\n",
        NUMERACY_TEXT,
        table(["", *found, "cases"], _numeracy_rows(found)),
        "## Swapped, by label\n",
        "How often the answer is still the pair's label after premise and hypothesis changed places. This share\n"
        "should drop for entailment and hold for the others.\n",
        table(published, _swap_rows(found)),
        "## HANS\n",
        table(published, _hans_rows(found)),
        "## Breaking NLI\n",
        table(published, _category_rows(found)),
        "## The same system in the papers\n",
        "Only figures of the same system on the same corpus, split and fidelity. The shipped systems are smaller, and\n"
        "were trained on fewer pairs of SNLI and MultiNLI together. MiniLM is in no paper.\n",
        table(["model", "test", "measured", "published", "trained on", "in"], _same_rows(found)),
        "## Related published figures\n",
        "Published for the same kind of test on other data. Don't compare them with what was measured here.\n",
        table(["test", "measured here on", "published for", "differs in", "published", "in"], _related_rows(found)),
        "## Findings of the papers\n",
        "Each finding is a rule in [claims.py](../../tools/docs/claims.py), applied to figures of the paper's own\n"
        "data. A cell says whether the model repeats the finding, and gives the figure that decides.\n",
        table(["finding", "in", *found], _claim_rows(found)),
        *(_summary(name, each) for name, each in found.items()),
    ]
    return "\n".join(parts)


def _plain_rows(found: Found) -> Iterator[list[str]]:
    for key, title in PLAIN.items():
        if any(model.find(key) for model in found.values()):
            cells = (cell(model.find(key)) for model in found.values())
            yield [title, *cells, span(published_for(key, "original"))]
            if any(model.band(key) for model in found.values()):
                yield ["- seeds", *(cell(model.band(key)) for model in found.values()), ""]


def _code_rows(found: Found) -> Iterator[list[str]]:
    for key, split in ((CODE, "matched"), (CODE_MISMATCHED, "mismatched")):
        for family, where in _families(found, key):
            cells = (cell(model.find(key, family, **where)) for model in found.values())
            yield [f"{_named(family, where)}, {split}", *cells, span(published_for(key, family, **where))]


def _strict_rows(found: Found) -> Iterator[list[str]]:
    for family, where in _families(found, STRESS):
        if family != "swap":
            own = [model.find(STRESS, family, **where) for model in found.values()]
            yield [_named(family, where), *map(cell, own), _cases(own)]


def _fidelity_rows(found: Found) -> Iterator[list[str]]:
    for family, where in _families(found, CODE):
        if family != "original":
            own = {key: [model.find(key, family, **where) for model in found.values()] for key in (STRESS, CODE)}
            for key, fidelity in ((STRESS, "strict"), (CODE, "code")) if all(map(any, own.values())) else ():
                yield [f"{_named(family, where)}, {fidelity}", *map(cell, own[key]), _cases(own[key])]


def _antonyms(found: Found) -> str:
    """How much easier strict antonyms are than released ones."""
    own = [(model.find(STRESS, "antonymy"), model.find(CODE, "antonymy")) for model in found.values()]
    shares = [(strict.value or 0.0, code.value or 0.0) for strict, code in own if strict and code]
    if not shares:
        return ""
    strict, code = (100 * sum(each) / len(shares) for each in zip(*shares, strict=True))
    easier = sum(one > other for one, other in shares)
    return (
        f"Of antonyms, the models recognise {strict:.1f} % of the strict ones and {code:.1f} % of the released ones\n"
        f"on average. Strict ones are easier for {easier} of {len(shares)} models.\n"
    )


def _numeracy_rows(found: Found) -> Iterator[list[str]]:
    for key, fidelity in ((AQUA, "strict"), (AQUA_CODE, "code")):
        own = [model.find(key, "numeracy") for model in found.values()]
        if any(own):
            yield [fidelity, *map(cell, own), _cases(own)]


def _swap_rows(found: Found) -> Iterator[list[str]]:
    for key, title in (("snli-test", "SNLI test"), (STRESS, "MultiNLI dev, matched")):
        for label in THREE:
            cells = (cell(model.find(key, "swap", name="kept", label=label)) for model in found.values())
            yield [f"{title}, {label}", *cells, span(published_for(key, "swap", label=label))]


def _hans_rows(found: Found) -> Iterator[list[str]]:
    for heuristic in HEURISTICS:
        for label in TWO:
            where = {"heuristic": heuristic, "label": label}
            cells = (cell(model.find("hans", **where)) for model in found.values())
            yield [f"{heuristic}, {label}", *cells, span(published_for("hans", "original", **where))]


def _category_rows(found: Found) -> Iterator[list[str]]:
    for category in categories(found.values()):
        cells = (cell(model.find("breaking-nli", category=category)) for model in found.values())
        yield [category, *cells, span(published_for("breaking-nli", "original", category=category))]


def _same_rows(found: Found) -> Iterator[list[str]]:
    """Every measured figure that the papers have for the same system on the same data."""
    for name, model in found.items():
        for each, where in _tests(model):
            theirs = published_for(each.set, each.slice["family"], **where)
            for other in theirs:
                if other.system == SYSTEM.get(name):
                    said = [_test(each, where), cell(each), f"{100 * (other.share or 0.0):.1f}"]
                    yield [name, *said, other.trained, places([other])]


def _related_rows(found: Found) -> Iterator[list[str]]:
    """What is published for the measured tests on other data, once for each data set."""
    told: dict[tuple[str, Data], list[Published]] = {}
    own: dict[str, tuple[str, Data]] = {}
    for model in found.values():
        for each, where in _tests(model):
            if {*where} <= {"variant", "label"}:
                key = f"{each.set} {_test(each, where)}"
                data = data_of(each.set, each.slice["family"])
                own[key] = (_named(each.slice["family"], where), data)
                for other in all_published(each.set, each.slice["family"], **where):
                    if other.data != data and other not in told.setdefault((key, other.data), []):
                        told[key, other.data].append(other)
    rows = {}
    for (key, theirs), figures in told.items():
        if figures and own[key][1].fidelity:
            test, data = own[key]
            rows[test, data, theirs] = [
                *(test, data.name, theirs.name, ", ".join(data.differs(theirs)), span(figures), places(figures))
            ]
    yield from rows.values()


def _tests(model: Measured) -> Iterator[tuple[Figure, dict[str, str]]]:
    """The figures of a model that papers could have, with the groups of their slices; source pairs only as a test."""
    seen = set()
    for each in model.figures:
        where = {name: value for name, value in each.slice.items() if name != "family"}
        family = IS_THE_TEST.get(each.set, each.slice["family"])
        place = (str(data_of(each.set, each.slice["family"])), family, *where.items())
        if each.name in ("accuracy", "kept") and each.value is not None and place not in seen:
            seen.add(place)
            yield each, where


def _test(figure: Figure, where: Mapping[str, str]) -> str:
    """What a figure is about."""
    family = IS_THE_TEST.get(figure.set, figure.slice["family"])
    return f"{data_of(figure.set, figure.slice['family']).name}: {', '.join([family, *where.values()])}"


def _families(found: Found, key: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The tests of a built set: its families, and the variants of typos in their place."""
    there = {each.slice["family"] for model in found.values() for each in model.figures if each.set == key}
    for family in ("original", *STRESSED, *sorted(there - {"original", "spelling", *STRESSED})):
        if family in there:
            yield family, {}
    for variant in TYPOS:
        if any(model.find(key, "spelling", variant=variant) for model in found.values()):
            yield "spelling", {"variant": variant}


def _named(family: str, where: Mapping[str, str]) -> str:
    return ", ".join([family, *where.values()])


def _cases(figures: list[Figure | None]) -> str:
    return next((f"{each.n:,}" for each in figures if each), "-")


def _claim_rows(found: Found) -> Iterator[list[str]]:
    for claim in CLAIMS:
        place = f"{claim.paper}, {claim.place}"
        yield [claim.text, place, *(_repeated(claim, model) for model in found.values())]


def _repeated(claim: Claim, model: Measured) -> str:
    found = claim.judge(model)
    return f"{'yes' if found.repeats else 'no'}: {found.figure}" if found else "-"


def _summary(name: str, model: Measured) -> str:
    judged = [repeated for claim in CLAIMS if (repeated := claim.judge(model))]
    return f"- {name} repeats {sum(each.repeats for each in judged)} of {len(judged)} findings."
