"""The page of all tables of what `tools/docs/measure.py` measured."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from cells import cell, places, span, table
from claims import CLAIMS, Claim
from measured import (
    AQUA,
    AQUA_CODE,
    CODE,
    CODE_MISMATCHED,
    CONJNLI,
    FOLDER,
    HEURISTICS,
    IS_THE_TEST,
    LOGIC,
    MED,
    MONLI,
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

from assay.reports.published.published_results import Data
from assay.reports.published.published_results import PublishedFigure as Published

INTRODUCTION = """`python tools/docs/measure.py MODELS --data DATA` measured these numbers on whole data sets. Each is
an accuracy in percent with its 95% interval, unless stated otherwise. The [cards](../reference/models.md) say how the
models were trained, and the [data statement](data.md) on which files. MultiNLI mismatched is a tokenised copy.

A published number is shown next to a measured one only if corpus, split and fidelity are the same. `published` is the
lowest and the highest of the papers' systems. They were trained on more pairs, except the WordNet baseline of Breaking
NLI, which is not trained. Read it as context, not as a target.
"""

REMEASURED = ("snli-test", "breaking-nli", STRESS)
"""Sets that were measured again when clusters and cases had changed."""

CODE_TEXT = """Built with `--fidelity code`, which does what the authors' released code does, including its slips.
`original` means the source pairs. The published figures are for the released files, which that code made from the same
pairs.
"""

STRICT_TEXT = """Built with the default fidelity, `strict`, which leaves out what its checks can't prove under
the assumptions of each [family](../reference/tests/README.md). There are no published
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

LOGIC_TEXT = """About 1,200 pairs of each family, from templates, with labels on which two methods agree; the same
number of each subcase. Always giving the most frequent label would be right for half of `scope`, `monotonicity` and
`conjunction`, and for a third of the others.
"""

ENTAILED_TEXT = """How often each model answers entailment to pairs that are not entailed:
"""

LOGIC_SETS_TEXT = """MED and MoNLI have two labels, and half of their pairs are entailed. ConjNLI has three.
"""

SYSTEMS = {
    "cbow": ("CBOW, averaged",),
    "infersent": ("InferSent",),
    "rivercorners": ("RiverCorners",),
    "residual-stacked": ("residual-stacked encoder",),
    "shortcut-stacked": ("shortcut-stacked encoder",),
    "gated-attention": ("DGA",),
    "decomposable-attention": ("decomposable attention",),
    "esim": ("ESIM", "ESIM, AllenNLP"),
    "kim": ("KIM",),
    "spinn": ("SPINN",),
}
"""The published systems that each shipped model stands for, the most similar first. MiniLM, which is distilled, has
none: it is not BERT."""

STRESSED = ("word-overlap", "negation", "length-mismatch", "antonymy")
TYPOS = ("content-word", "function-word", "adjacent-swap", "keyboard")

Found = Mapping[str, Measured]


def whole_page(folder: Path = FOLDER) -> str:
    """The tables of all models that were measured."""
    return page(measured(folder))


def page(found: Found) -> str:
    """The results of the shipped models, next to the published figures; models are rows, because there are many."""
    parts = [
        "# All tables of results\n",
        INTRODUCTION,
        _suites_text(found),
        "## Data sets\n",
        by_model(found, _plain(found)),
        *_seeds(found),
        "## Stress tests as the released code makes them\n",
        CODE_TEXT,
        "### From MultiNLI dev, matched\n",
        by_model(found, _code(found, CODE)),
        "### From MultiNLI dev, mismatched\n",
        by_model(found, _code(found, CODE_MISMATCHED)),
        "## Stress tests by strict rules\n",
        STRICT_TEXT,
        by_model(found, _strict(found)),
        "## What fidelity changes\n",
        FIDELITY_TEXT,
        _antonyms(found),
        by_model(found, _fidelity(found)),
        "## Numeracy from word problems\n",
        NUMERACY_TEXT,
        by_model(found, _numeracy(found)),
        "## Logic families\n",
        LOGIC_TEXT,
        by_model(found, _logic(found)),
        ENTAILED_TEXT,
        _entailed(found),
        "## Sets about logic\n",
        LOGIC_SETS_TEXT,
        by_model(found, _logic_sets(found)),
        "## Swapped, by label\n",
        "How often the answer is still the pair's label after premise and hypothesis changed places. This share\n"
        "should drop for entailment and hold for the others.\n",
        by_model(found, _swapped(found)),
        "## HANS\n",
        by_model(found, _hans(found)),
        "## Breaking NLI\n",
        by_model(found, _categories(found)),
        "## The same system in the papers\n",
        "Only figures of the same system on the same corpus, split and fidelity. The shipped systems are smaller, and\n"
        "were trained on fewer pairs of SNLI and MultiNLI together. MiniLM is in no paper.\n",
        table(["model", "test", "measured", "published", "trained on", "in"], _same_rows(found)),
        "## Related published figures\n",
        "Published for the same kind of test on other data. Don't compare them with what was measured here.\n",
        table(["test", "measured here on", "published for", "differs in", "published", "in"], _related_rows(found)),
        "## Findings of the papers\n",
        "Each finding is a rule in [claims.py](../../tools/docs/claims.py), applied to figures of the paper's own\n"
        "data. The table says whether a model repeats it; the figures that decide follow. Losses are decided by\n"
        "corrected tests, comparisons with chance, a baseline or another set by intervals, and everything else by the\n"
        "figures as they are, without a test. Each model is one training of its system, so a repeated finding is\n"
        "about that model.\n",
        "\n".join(f"{number}. {claim.text} ({claim.paper}, {claim.place})." for number, claim in _numbered()) + "\n",
        table(["", *(str(number) for number, _ in _numbered()), "repeats"], _claim_rows(found)),
        *(_deciding(number, claim, found) for number, claim in _numbered()),
    ]
    return "\n".join(parts)


def _suites_text(found: Found) -> str:
    """Which suite each model was measured on, where models differ, and which intervals are older."""
    lines = [
        "Cases that share a premise or the two words that they exchange\n"
        "[count together](../explanation/statistics.md#clusters) in the intervals of "
        f"{', '.join(f'`{key}`' for key in REMEASURED)}.\n"
        "Other sets, and older versions of these, were measured when only the cases of one source pair counted\n"
        "together, so their intervals may be too narrow.\n"
    ]
    for key in dict.fromkeys(key for model in found.values() for key in model.sets):
        by_digest: dict[str, list[str]] = {}
        for name, model in found.items():
            if key in model.sets:
                by_digest.setdefault(model.sets[key].digest[:8], []).append(name)
        if len(by_digest) > 1:
            suites = "; ".join(f"suite {digest} for {', '.join(names)}" for digest, names in by_digest.items())
            lines.append(f"Models were measured on different versions of `{key}`: {suites}.\n")
    return "\n".join(lines)


class Test(NamedTuple):
    """A column of a table: each model's figure, and what is published for it."""

    name: str
    figures: Mapping[str, Figure | None]
    published: str = ""


def by_model(found: Found, tests: Iterable[Test]) -> str:
    """A table with one row per model, then what is published and how many cases there are."""
    measured = [each for each in tests if any(each.figures.values())]
    rows = [[name, *(cell(each.figures[name], separator="<br>") for each in measured)] for name in found]
    if any(each.published not in ("", "-") for each in measured):
        rows.append(["published", *(each.published or "-" for each in measured)])
    rows.append(["cases", *(_cases(each.figures.values()) for each in measured)])
    return table(["", *(each.name for each in measured)], rows if measured else [])


def _test(
    found: Found, name: str, key: str, family: str = "original", *, measure: str = "accuracy", **where: str
) -> Test:
    figures = {model: each.find(key, family, name=measure, **where) for model, each in found.items()}
    return Test(name, figures, span(published_for(key, family, **where)))


def _plain(found: Found) -> Iterator[Test]:
    return (_test(found, title, key) for key, title in PLAIN.items())


def _seeds(found: Found) -> Iterator[str]:
    """The same over the seeds, for models that have several."""
    several = {name: each for name, each in found.items() if each.bands}
    if several:
        yield "Means of the seeds before they were packed, with the lowest and the highest:\n"
        bands = [Test(title, {name: each.band(key) for name, each in several.items()}) for key, title in PLAIN.items()]
        yield by_model(several, bands)


def _code(found: Found, key: str) -> Iterator[Test]:
    return (_test(found, _named(family, where), key, family, **where) for family, where in _families(found, key))


def _strict(found: Found) -> Iterator[Test]:
    tests = (each for each in _families(found, STRESS) if each[0] != "swap")
    return (_test(found, _named(family, where), STRESS, family, **where) for family, where in tests)


def _fidelity(found: Found) -> Iterator[Test]:
    for family, where in _families(found, CODE):
        both = [
            _test(found, f"{_named(family, where)}, {fidelity}", key, family, **where)._replace(published="")
            for key, fidelity in ((STRESS, "strict"), (CODE, "code"))
        ]
        if family != "original" and all(any(each.figures.values()) for each in both):
            yield from both


def _antonyms(found: Found) -> str:
    """How much easier strict antonyms are than released ones."""
    own = [(model.find(STRESS, "antonymy"), model.find(CODE, "antonymy")) for model in found.values()]
    shares = [(strict.value or 0.0, code.value or 0.0) for strict, code in own if strict and code]
    if not shares:
        return ""
    strict, code = (100 * sum(each) / len(shares) for each in zip(*shares, strict=True))
    easier = sum(one > other for one, other in shares)
    return (
        f"Of antonyms, the models recognise {strict:.1f}% of the strict ones and {code:.1f}% of the released ones\n"
        f"on average. Strict ones are easier for {easier} of {len(shares)} models.\n"
    )


def _numeracy(found: Found) -> Iterator[Test]:
    return (_test(found, name, key, "numeracy") for key, name in ((AQUA, "strict"), (AQUA_CODE, "code")))


def _logic(found: Found) -> Iterator[Test]:
    return (_test(found, family, family, family) for family in LOGIC)


def _entailed(found: Found) -> str:
    rows = []
    for name, model in found.items():
        shares = [_shares_entailed(model, family) for family in LOGIC]
        if any(each is not None for each in shares):
            rows.append([name, *(f"{100 * each:.1f}" if each is not None else "-" for each in shares)])
    return table(["", *LOGIC], rows)


def _shares_entailed(model: Measured, family: str) -> float | None:
    """The share of pairs that are not entailed to which a model answers entailment."""
    own = [
        (model.answered(family, family, label, "entailment"), model.find(family, family, label=label))
        for label in THREE[1:]
    ]
    counted = [(share, of.n) for share, of in own if share is not None and of]
    return sum(share * n for share, n in counted) / sum(n for _, n in counted) if counted else None


def _logic_sets(found: Found) -> Iterator[Test]:
    yield _test(found, "MED", MED)
    for direction in ("upward", "downward", "non"):
        yield _test(found, f"MED, {direction}{'-monotone' if direction == 'non' else ''}", MED, monotonicity=direction)
    for key, title in MONLI.items():
        yield _test(found, title, key)
    yield _test(found, "ConjNLI dev", CONJNLI)


def _swapped(found: Found) -> Iterator[Test]:
    for key, title in (("snli-test", "SNLI test"), (STRESS, "MultiNLI dev, matched")):
        for label in THREE:
            yield _test(found, f"{title}, {label}", key, "swap", measure="kept", label=label)


def _hans(found: Found) -> Iterator[Test]:
    for label in TWO:
        for heuristic in HEURISTICS:
            name = f"{heuristic.replace('_', ' ')}, {label}"
            yield _test(found, name, "hans", heuristic=heuristic, label=label)


def _categories(found: Found) -> Iterator[Test]:
    names = categories(found.values())
    return (_test(found, name.replace("_", " "), "breaking-nli", category=name) for name in names)


def _same_rows(found: Found) -> Iterator[list[str]]:
    """Every measured figure that the papers have for the same system on the same data."""
    for name, model in found.items():
        for each, where in _tests(model):
            theirs = published_for(each.set, each.slice["family"], **where)
            for other in theirs:
                if other.system in SYSTEMS.get(name, ())[:1]:
                    said = [_told(each, where), cell(each), f"{100 * (other.share or 0.0):.1f}"]
                    yield [name, *said, other.trained, places([other])]


def _related_rows(found: Found) -> Iterator[list[str]]:
    """What is published for the measured tests on other data, once for each data set."""
    told: dict[tuple[str, Data], list[Published]] = {}
    own: dict[str, tuple[str, Data]] = {}
    for model in found.values():
        for each, where in _tests(model):
            if {*where} <= {"variant", "label"}:
                key = f"{each.set} {_told(each, where)}"
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


def _told(figure: Figure, where: Mapping[str, str]) -> str:
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


def _cases(figures: Iterable[Figure | None]) -> str:
    return next((f"{each.n:,}" for each in figures if each), "-")


def _numbered() -> Iterator[tuple[int, Claim]]:
    return enumerate(CLAIMS, start=1)


def _claim_rows(found: Found) -> Iterator[list[str]]:
    for name, model in found.items():
        judged = [claim.judge(model) for claim in CLAIMS]
        said = ["-" if each is None else "yes" if each.repeats else "no" for each in judged]
        known = [each for each in judged if each]
        yield [name, *said, f"{sum(each.repeats for each in known)} of {len(known)}"]


def _deciding(number: int, claim: Claim, found: Found) -> str:
    """The figures that decide about a finding, model by model."""
    return f"- {number}: " + "; ".join(f"{name} {_repeated(claim, model)}" for name, model in found.items())


def _repeated(claim: Claim, model: Measured) -> str:
    found = claim.judge(model)
    return f"{'yes' if found.repeats else 'no'}: {found.figure}" if found else "-"
