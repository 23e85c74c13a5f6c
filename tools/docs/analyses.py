"""The page of what `tools/docs/analyse.py` found: tables, and sentences on what agrees with the papers."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import msgspec
from measured import PREDICTED, STRESS, measured, seeded

from assay.core.case import ORIGINAL
from assay.core.estimate import Estimate
from assay.reports.phrases import short_name
from assay.reports.published.published_results import figure
from assay.studies.analyses.analysis_list import analysis_text
from assay.studies.analyses.analysis_result import Analysis
from assay.studies.analyses.epochs import MOST
from assay.studies.analyses.prediction_of_failure import Scores, correlate_scores

FILE = Path(__file__).parents[2] / "docs" / "results" / "analyses.json"

INTRODUCTION = """`python tools/docs/analyse.py --data DATA` made these figures; [analyses](../reference/analyses.md)
explains each analysis. Shares are in percent with 95% intervals. A published figure is in a table only if corpus,
split and fidelity are the same; the papers' systems were trained on more pairs. The sentences before the tables are
computed from the figures. Where they count models, they compare the figures as they are; most then say for how many
of them the intervals do not overlap. Each model is one training of its system. Except for similarity and frequency,
intervals count only the cases of one source pair together, so those on antonymy are too narrow.
"""


SNLI_TEST = 9824
"""Labelled pairs of SNLI's test set."""


class Stored(msgspec.Struct, frozen=True):
    """What is stored: analyses by name and suites."""

    analyses: dict[str, Analysis]


TITLES = {
    "directions code": "Which way models err (Naik et al. 2018, Table 4 and section 4.4)",
    "directions antonymy": "Which way models err on antonymy (Naik et al. 2018, Table 7)",
    "antonyms antonymy": "Antonyms that training contradicts (Naik et al. 2018, section 4.3)",
    "numbers numeracy": "Errors about numbers that two models share (Naik et al. 2018, section 4.3)",
    "errors code": "Why models err (Naik et al. 2018, section 2)",
    "similarity breaking-nli": "Accuracy by similarity of the two words (Glockner et al. 2018, section 5.2)",
    "frequency breaking-nli": "Accuracy by frequency in training (Glockner et al. 2018, sections 3 and 5.3)",
    "subcases hans": "Subcases of HANS (McCoy et al. 2019, Table 3 and sections 2 and 5)",
    "swap code snli-swap": "Training with swapped pairs (Wang et al. 2019, Table 2)",
    "epochs snli-swap": "Errors that stay during training (Wang et al. 2019, Tables A1 and A2)",
    "prediction": "Does a stress figure predict failure elsewhere?",
}


def whole_page(file: Path = FILE) -> str:
    """The page of everything that was analysed."""
    found = msgspec.json.decode(file.read_bytes(), type=Stored).analyses
    return page({**found, "prediction": prediction()})


def prediction() -> Analysis:
    """Families against targets, over the shipped models and over systems that were trained with several seeds."""
    models, seeds = measured(), seeded()
    own = {name: (name, model.figures) for name, model in models.items()}
    trained = {f"{each.system}@{each.seed}": (each.system, each.figures) for each in seeds.models} if seeds else {}
    systems = {name: system for name, (system, _) in (own | trained).items()}
    accuracies: dict[tuple[str, str], dict[str, float]] = {}
    for name, (_, figures) in (own | trained).items():
        for each in figures:
            if each.name == "accuracy" and {*each.slice} == {"family"} and each.value is not None:
                accuracies.setdefault((each.set, each.slice["family"]), {})[name] = each.value
    plain = accuracies[STRESS, ORIGINAL]
    estimates: list[Estimate] = []
    for target in PREDICTED:
        there = accuracies[target, ORIGINAL]
        for (key, family), here in accuracies.items():
            if key == STRESS:
                both = [name for name in here if name in there]
                columns = ([by[name] for name in both] for by in (here, there, plain))
                scores = Scores(*columns, [systems[name] for name in both])
                estimates += correlate_scores(scores, {"suite": key, "family": family, "target": target})
    notes = [f"{len(models)} shipped models, one of each system, whose figures are in this folder."]
    if seeds:
        names = ", ".join(dict.fromkeys(each.system for each in seeds.models))
        notes.append(
            f"{len(seeds.models)} more, which are not shipped: {names}, each trained with several seeds on "
            f"{seeds.pairs:,} pairs for {seeds.epochs} epochs, and asked about tests of {seeds.sampled:,} source pairs "
            "instead of all. Models of one system together count as much as one model of another. `python "
            "tools/docs/measure_seeds.py --data DATA` made them."
        )
    notes.append("`assay show --table prediction` does the same for your own runs and seeds.")
    return Analysis(name="prediction", runs=(), estimates=tuple(estimates), notes=tuple(notes))


def page(found: Mapping[str, Analysis]) -> str:
    """Every analysis with its sentences and tables."""
    parts = ["# The papers' analyses on the shipped models\n", INTRODUCTION]
    for key, title in TITLES.items():
        if key in found:
            said = "\n".join(f"- {sentence}" for sentence in SENTENCES[key](found[key]))
            parts.append(f"## {title}\n\n{said}\n\n{analysis_text(found[key], 'md')}")
    return "\n".join(parts)


def _find(found: Analysis, name: str, by: str = "model", **where: str) -> dict[str, Estimate]:
    """Figures of one name in this slice, by model or another name."""
    return {
        each.slice[by]: each
        for each in found.estimates
        if each.name == name and where.items() <= each.slice.items() and by in each.slice and each.value is not None
    }


def _value(estimate: Estimate) -> float:
    return estimate.value or 0.0


def _percent(estimate: Estimate) -> str:
    return f"{100 * _value(estimate):.1f}"


def _higher(one: Mapping[str, Estimate], other: Mapping[str, Estimate]) -> list[str]:
    """The models whose first figure is above the second."""
    return [model for model in one if model in other and _value(one[model]) > _value(other[model])]


def _of(models: list[str], every: Mapping[str, Estimate]) -> str:
    names = ", ".join(map(short_name, models))
    return f"{len(models)} of {len(every)} models" + (f" ({names})" if 0 < len(models) < len(every) else "")


def _compared(one: Mapping[str, Estimate], other: Mapping[str, Estimate]) -> str:
    """The models whose first figure is above the second, and how many of them are by more than their intervals."""
    above = _higher(one, other)
    sure = [model for model in above if (one[model].low or 0) > (other[model].high or 1)]
    return f"{_of(above, one)}, with intervals that do not overlap for {len(sure)}"


def _span(found: Mapping[str, Estimate]) -> str:
    values = [100 * _value(each) for each in found.values()]
    return f"{min(values):.1f} to {max(values):.1f}%"


def _directions(found: Analysis) -> Iterator[str]:
    plain = _find(found, "false-neutral", family="original")
    for family in ("word-overlap", "length-mismatch", "negation"):
        tested = _find(found, "false-neutral", family=family)
        yield (
            f"Paper: more errors answer neutral on {family} than on the source pairs, for all six systems. "
            f"Here: for {_compared(tested, plain)}."
        )
    tested, before = (_contradicted(found, family) for family in ("negation", "original"))
    more = [model for model in tested if tested[model] > before[model]]
    yield (
        "Paper: negation does not make models answer contradiction more often by mistake. "
        f"Here: such errors become more frequent for {len(more)} of {len(tested)} models."
    )


def _contradicted(found: Analysis, family: str) -> dict[str, float]:
    """The share of cases that are wrongly called contradictions."""
    sums: dict[str, float] = {}
    for label in ("entailment", "neutral"):
        for model, each in _find(found, "rate", family=family, label=label, answer="contradiction").items():
            sums[model] = sums.get(model, 0.0) + _value(each)
    return sums


def _antonymy(found: Analysis) -> Iterator[str]:
    own = _find(found, "direction", family="antonymy", label="contradiction", answer="entailment")
    way = "entailment, matched"
    yield (
        f"Paper: {_printed('7', 'RC', way)} to {_printed('7', 'CH', way)}% of the errors answer entailment. "
        f"Here: {_span(own)}, and more than half for {_of([m for m in own if _value(own[m]) > 0.5], own)}."
    )


def _antonyms(found: Analysis) -> Iterator[str]:
    seen = _find(found, "seen", "pairs")
    easy, hard = seen["easy"], seen["hard"]
    printed = [_printed("section 4.3, antonyms", row, "pairs in training contradictions") for row in ("easy", "hard")]
    apart = "do not overlap" if (easy.low or 0) > (hard.high or 1) else "overlap"
    yield (
        f"Paper: training contradicts {printed[0]}% of the easy pairs and {printed[1]}% of the hard ones. Here, with "
        f"a part of the training pairs: {_percent(easy)}% and {_percent(hard)}%; the intervals {apart}."
    )
    never, often = _find(found, "accuracy", together="0"), _find(found, "accuracy", together="10-49")
    yield (f"Pairs in 10 to 49 training contradictions are easier than pairs in none for {_compared(often, never)}.")
    yield "The paper's kinds (complementary, relational, gradable) need people; parts of speech are shown instead."


def _printed(table: str, row: str, column: str, paper: str = "naik2018") -> str:
    return figure(paper, table, row=row, column=column).printed


def _numbers(found: Analysis) -> Iterator[str]:
    (entailed,) = [each for each in found.estimates if each.name == "false-entailment"]
    neutral, contrary, every = (
        int(_printed("section 4.3", row, "errors"))
        for row in ("neutral answered entailment", "contradiction answered entailment", "all")
    )
    yield (
        f"Paper: {100 * (neutral + contrary) / every:.1f}% of the shared errors answer entailment. "
        f"Here: {100 * _value(entailed):.1f}% ({100 * (entailed.low or 0):.1f}-{100 * (entailed.high or 0):.1f})."
    )
    ways = [each for each in found.estimates if each.name == "direction"]
    by_way: dict[tuple[str, str], float] = {}
    for each in ways:
        key = (each.slice["label"], each.slice["answer"])
        by_way[key] = by_way.get(key, 0.0) + _value(each)
    first, second, *_ = sorted(by_way, key=lambda key: -by_way[key])
    yield (
        f"Paper: neutral answered entailment is the largest group ({100 * neutral / every:.1f}%), contradiction "
        f"answered entailment the second ({100 * contrary / every:.1f}%). "
        f"Here: {_way(first)} ({100 * by_way[first]:.1f}%), then {_way(second)} ({100 * by_way[second]:.1f}%)."
    )


def _way(way: tuple[str, str]) -> str:
    return f"{way[0]} answered {way[1]}" if way[1] != "different answers" else f"{way[0]} answered differently"


def _errors(found: Analysis) -> Iterator[str]:
    for name in ("word overlap", "negation", "antonymy"):
        people = f"{_printed('section 2', name, 'matched')} and {_printed('6', name, 'mismatched')}"
        own = _find(found, "explained", cue=name)
        beyond = _find(found, "excess", cue=name)
        above = sum((each.low or 0.0) > 0 for each in beyond.values())
        yield (
            f"{name.capitalize()}: people give it as the cause of {people} of 100 errors. Here its cue fits "
            f"{_span(own)} of the errors"
            + (
                f", and goes with errors beyond what label and hypothesis explain for {above} of {len(beyond)} models."
                if beyond
                else "."
            )
        )


def _similarity(found: Analysis) -> Iterator[str]:
    system, model = "Decomposable Attention", "assay:decomposable-attention/v1"
    printed = [_printed("section 5.2", system, band, "glockner2018") for band in ("0.5-0.6", "0.9-1.0")]
    far, near = _find(found, "accuracy", cosine="0.5-0.6"), _find(found, "accuracy", cosine="0.9-1.0")
    yield (
        f"Paper: the more similar the words, the worse {system}: {printed[0]}% at a cosine of 0.5 to 0.6, "
        f"{printed[1]}% at 0.9 to 1.0. Here: accuracy is lower in the highest band than at 0.5 to 0.6 for "
        f"{_compared(far, near)}; for {system} {_percent(far[model])} and {_percent(near[model])}%."
    )


def _frequency(found: Analysis) -> Iterator[str]:
    never, often = _find(found, "accuracy", together="0"), _find(found, "accuracy", together="100+")
    esim = "assay:esim/v1"
    printed = [_printed("section 5.3", "ESIM", band, "glockner2018") for band in ("0", "100+")]
    yield (
        f"Paper: the more training contradictions have the two words, the better ESIM: {printed[0]}% with none, "
        f"{printed[1]}% with 100 or more. Here: {_percent(never[esim])} and {_percent(often[esim])}% for ESIM, and a "
        f"rise for {_compared(often, never)}. The bands are not alike: ours count {found.settings['train']}, a sixth "
        'of the paper\'s, so "1-4" here is about "6-24" there. What the models saw of MultiNLI is not counted.'
    )
    rare, usual = _find(found, "accuracy", word="1-9"), _find(found, "accuracy", word="10,000+")
    yield f"New words in 10,000 training pairs are easier than those in 1 to 9 for {_compared(usual, rare)}."
    (least,) = [each for each in found.estimates if each.name.startswith("least")]
    yield (
        "Paper: every new word is in at least one training pair. "
        f"Here, with a part of the training pairs: the rarest is in {_value(least):.0f}."
    )


def _subcases(found: Analysis) -> Iterator[str]:
    for heuristic in ("lexical_overlap", "subsequence", "constituent"):
        right = _find(found, "accuracy", heuristic=heuristic, label="entailment")
        wrong = _find(found, "accuracy", heuristic=heuristic, label="non-entailment")
        follow = [model for model in right if _value(right[model]) > 0.9 and _value(wrong[model]) < 0.2]
        yield (
            f"Paper: all systems are above 90% on entailed pairs of {heuristic.replace('_', ' ')} and below 20% on "
            f"the others. Here: {_of(follow, right)}."
        )
    support, against = (
        _find(found, "support", "heuristic", definition="tokens"),
        _find(found, "contradict", "heuristic", definition="tokens"),
    )
    yield "Paper: training pairs support each heuristic far more often than they contradict it. Here: " + (
        ", ".join(
            f"{name.replace('_', ' ')} {_value(support[name]):.0f} to {_value(against[name]):.0f}" for name in support
        )
        + "."
    )


def _swap(found: Analysis) -> Iterator[str]:
    own = {
        f"{each.slice['family']} of {each.slice['suite']}": each for each in found.estimates if each.name == "deviation"
    }
    most = max(own, key=lambda place: _value(own[place]))
    plain = _find(found, "accuracy", "swapped", suite="snli-swap", family="original")
    printed = _printed("2, deviations", "ADV, antonymy", "deviation", "wang2019")
    yield (
        f"Paper: deviations on stress tests are up to {printed}, for ADV on antonymy. Here, for CBOW trained on few "
        f"pairs of SNLI: up to {_value(own[most]):.3f}, on {most}."
    )
    yield (
        f"On SNLI itself, accuracy goes from {_percent(plain['0'])}% without swapping to {_percent(plain['100'])}% "
        "if every neutral and contradiction is swapped."
    )


def _epochs(found: Analysis) -> Iterator[str]:
    pairs = [each for each in found.estimates if each.name == "over ties" and "decomposable" in str(each.slice)]
    chance = [each for each in found.estimates if each.name == "by chance"]
    shared = [_value(each) for each in pairs]
    if shared:
        yield (
            f"Paper: two systems share 0 to {_printed('A1', 'KIM', 'ADV', 'wang2019')} of their {MOST} most frequent "
            f"errors, which is fewer than two random draws from SNLI's test set would ({MOST**2 / SNLI_TEST:.0f}). "
            f"Here, two different systems share {min(shared):.0f} to {max(shared):.0f} on average over ties; chance "
            f"would give {_value(chance[0]):.0f}."
        )
    own = _find(found, "direction", label="contradiction", answer="neutral")
    cells = [
        100 * float(_printed("A2", "contradiction answered neutral", system, "wang2019"))
        for system in ("InferSent", "DGA", "ESIM", "KIM", "ADV")
    ]
    yield (
        f"Paper: {min(cells):.1f} to {max(cells):.1f}% of these errors answer neutral to a contradiction. "
        f"Here: {_span(own)}."
    )


def _prediction(found: Analysis) -> Iterator[str]:
    for target in dict.fromkeys(each.slice["target"] for each in found.estimates):
        for name, text in (("correlation", "go with"), ("partial", "add to plain accuracy in predicting")):
            own = _find(found, name, "family", target=target, suite=STRESS)
            above = ", ".join(family for family, each in own.items() if (each.low or 0) > 0)
            below = ", ".join(family for family, each in own.items() if (each.high or 0) < 0)
            yield f"Families whose accuracies {text} that on {target}, by an interval above zero: {above or 'none'}" + (
                f"; by one below zero: {below}." if below else "."
            )
    tried = len({(each.name, *each.slice.values()) for each in found.estimates if each.value is not None})
    systems = max(each.n for each in found.estimates)
    yield (
        f"With {systems} systems, intervals are wide. They are not corrected for the {tried} correlations below: if no "
        f"test predicted anything, about {tried / 20:.0f} would still leave out zero. Read this as a first look."
    )


SENTENCES: Mapping[str, Callable[[Analysis], Iterator[str]]] = {
    "directions code": _directions,
    "directions antonymy": _antonymy,
    "antonyms antonymy": _antonyms,
    "numbers numeracy": _numbers,
    "errors code": _errors,
    "similarity breaking-nli": _similarity,
    "frequency breaking-nli": _frequency,
    "subcases hans": _subcases,
    "swap code snli-swap": _swap,
    "epochs snli-swap": _epochs,
    "prediction": _prediction,
}
"""What agrees with the papers and what does not, from the figures."""
