"""The small tables of docs/results, filled from the records beside them, so that no number is typed by hand."""

import csv
import re
from collections.abc import Callable, Sequence

import gets_past
from cells import table
from measured import CODE, THREE, TWO, Figure, Measured, measured
from plots import RESULTS, study_numbers

from assay.reports.published.published_results import figure

Find = Callable[[Measured], Figure | None]

STRONG_HEURISTICS = "heuristics-frozen/deberta.json"


def tables() -> dict[str, dict[str, str]]:
    """The content of each mark, by page."""
    return {
        "README.md": {"table of models": models()},
        "naik.md": {"table of stress tests": stress_tests()},
        "mitigations.md": {
            "table of mitigations of a strong encoder": mitigations_of_a_strong_encoder(),
            "table of mitigations": mitigations(),
        },
        "mccoy.md": {
            "table of augmentation": augmentation(),
            "table of augmentation of a strong encoder": augmentation_of_a_strong_encoder(),
            "table of withheld subcases": withheld_subcases(),
        },
        "wang.md": {"table of swapped pairs": swapped()},
        "glockner.md": {"table of corpora": corpora()},
        "fact-checkers.md": {"table of what passes": gets_past.table()},
    }


def calibration() -> str:
    """How often each verdict was wrong in simulations: the conditions with the fewest and the most wrong ones."""
    found: dict[str, list[dict[str, str]]] = {}
    with (RESULTS / "calibration.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            found.setdefault(row["verdict"], []).append(row)
    rows = []
    for verdict, own in found.items():
        wrong = [(float(row["wrong (95% interval)"].partition("%")[0]), row["condition"]) for row in own]
        most, where = max(wrong)
        nominal = own[0]["nominal"]
        rows.append(
            [
                verdict.replace("trainings", "training runs"),
                nominal,
                str(len(own)),
                f"{min(wrong)[0]:g}%",
                f"{most:g}%",
                _condition_words(where),
            ]
        )
    return table(["verdict", "nominal", "conditions", "least wrong", "most wrong", "worst condition"], rows)


def _condition_words(name: str) -> str:
    """The name of a condition, with the words that its short form leaves out."""
    name = re.sub(r"^(\d+) of 1 and (\d+) of (\d+)", r"\1 clusters of 1 case and \2 of \3 cases", name)
    name = re.sub(r" of 1, others of (\d+)", r" of 1 case, the others of \1 cases", name)
    name = name.replace(" of 1,", " of one,").replace(" 1 trainings a side", " one training run per side")
    return re.sub(r"trainings( a side)?", lambda m: "training runs" + " per side" * bool(m[1]), name).replace(
        " (whole)", ""
    )


def models() -> str:
    """The shipped models on six sets."""
    return _models(
        {
            "SNLI": lambda model: model.find("snli-test"),
            "MultiNLI": lambda model: model.find("mnli-matched"),
            '+ "false is not true"': lambda model: model.find(CODE, "negation"),
            "Breaking NLI": lambda model: model.find("breaking-nli"),
            "HANS, entailed": lambda model: model.find("hans", label=TWO[0]),
            "HANS, non-entailed": lambda model: model.find("hans", label=TWO[1]),
        }
    )


def stress_tests() -> str:
    """The shipped models on the stress tests as the paper's code makes them."""
    return _models(
        {
            "MultiNLI": lambda model: model.find("mnli-matched"),
            '+ "true is true"': lambda model: model.find(CODE, "word-overlap"),
            '+ "false is not true"': lambda model: model.find(CODE, "negation"),
            "+ long premise": lambda model: model.find(CODE, "length-mismatch"),
            "typos": lambda model: model.find(CODE, "spelling", variant="content-word"),
            "antonyms": lambda model: model.find(CODE, "antonymy"),
        }
    )


def swapped() -> str:
    """How often the shipped models give a pair's label, before and after the swap."""
    finds: dict[str, Find] = {}
    for label in THREE[::-1]:
        finds[label] = lambda model, label=label: model.find("snli-test", label=label)
        finds[f"{label}, swapped"] = lambda model, label=label: model.find(
            "snli-test", "swap", name="kept", label=label
        )
    return _models(finds)


def mitigations() -> str:
    """HANS by label before and after each mitigation, with the area under the ROC curve where it was measured."""
    with (RESULTS / "studies" / "hans-auc.csv").open(encoding="utf-8", newline="") as file:
        areas = {
            (row["system"], row["training_pairs"], row["condition"]): row["hans_auc_percent"]
            for row in csv.DictReader(file)
        }
    rows = []
    for title, key, file_name, conditions in (
        (
            "ESIM, 20,000 pairs",
            ("esim", "20000"),
            "treatment-of-esim/esim.json",
            {"untreated": "none", "reweight": "reweighting", "poe": "product of experts", "mixin": "learned mixin"},
        ),
        (
            "ESIM, 60,000 pairs",
            ("esim", "60000"),
            "treatment-of-esim-on-more-pairs/esim.json",
            {"untreated": "none", "reweight": "reweighting"},
        ),
        (
            "MiniLM",
            ("minilm", "147786"),
            "treatment/minilm.json",
            {"untreated": "none", "drawn by overlap": "pairs drawn where overlap misleads"},
        ),
        (
            "MiniLM",
            ("minilm", "generated"),
            "treatment-with-copies/minilm.json",
            {"without the paper's six": "20% generated pairs", "without the paper's six, 60 %": "60% generated pairs"},
        ),
    ):
        labels = _by_condition(file_name, "Accuracy by label", suite="hans")
        whole = _by_condition(file_name, "Accuracy on real pairs and on HANS")
        for condition, said in conditions.items():
            own = labels[condition]
            area = areas.get((*key, "untreated" if said == "none" else said), "not measured")
            mean = whole[condition]["hans", ""]
            rows.append(
                [
                    title,
                    said,
                    _percent(own["hans", TWO[0]]),
                    _percent(own["hans", TWO[1]]),
                    _percent(mean),
                    area,
                    _percent(whole[condition]["mnli", ""]),
                ]
            )
    return table(["model", "mitigation", "HANS entailed", "non-entailed", "all", "AUC", "MultiNLI"], rows)


def mitigations_of_a_strong_encoder() -> str:
    """AUC and accuracy on HANS, and accuracy elsewhere, of classifiers on a frozen encoder."""
    file = "frozen-encoders/deberta.json"
    suites = {
        "mismatched": "MultiNLI",
        "hard": "hard SNLI",
        "breaking": "Breaking NLI",
        "monli-negated": "MoNLI, negated",
    }
    areas = {each["condition"]: each["band"] for each in study_numbers(file, "Ranking on HANS")}
    labels = _by_condition(file, "Accuracy on HANS by label")
    whole = _by_condition(file, "Accuracy on all suites")
    rows = [
        [
            condition.removeprefix("with ").replace("untreated", "none"),
            f"{_percent(area['mean'])} ({_percent(area['low'])}-{_percent(area['high'])})",
            *(_percent(labels[condition]["hans", label]) for label in TWO),
            *(_percent(whole[condition][suite, ""]) for suite in suites),
        ]
        for condition, area in areas.items()
    ]
    return table(["mitigation", "AUC on HANS", "entailed", "non-entailed", *suites.values()], rows)


def augmentation() -> str:
    """Accuracy on non-entailed pairs of HANS with and without generated training pairs."""
    heuristics = ("lexical_overlap", "subsequence", "constituent")
    rows = []
    for system in ("decomposable-attention", "esim", "spinn"):
        file = f"heuristics-augmentation/{system}.json"
        found = {
            (each["condition"], each["slice"]["heuristic"]): each["band"]["mean"]
            for each in study_numbers(file, "Accuracy on HANS by heuristic and label")
            if each["slice"]["label"] == TWO[1]
        }
        real = _by_condition(file, "Accuracy on real pairs")
        for condition, said in (("pairs alone", "none"), ("all subcases", "7%")):
            shares = [_percent(found[condition, heuristic]) for heuristic in heuristics]
            rows.append([system, said, *shares, _percent(real[condition]["mismatched", ""])])
    head = ["system", "generated pairs", *(each.replace("_", " ") for each in heuristics), "MultiNLI"]
    return table(head, rows)


def augmentation_of_a_strong_encoder() -> str:
    """Accuracy of a classifier on a frozen encoder, with and without 30,000 generated training pairs."""
    heuristics = ("lexical_overlap", "subsequence", "constituent")
    found = {
        (each["condition"], each["slice"]["heuristic"], each["slice"]["label"]): each["band"]["mean"]
        for each in study_numbers(STRONG_HEURISTICS, "Accuracy on HANS by heuristic and label")
    }
    areas = {each["condition"]: each["band"] for each in study_numbers(STRONG_HEURISTICS, "Ranking on HANS")}
    real = _by_condition(STRONG_HEURISTICS, "Accuracy on MultiNLI and on all of HANS")
    rows = [
        [
            {"pairs alone": "none", "six withheld": "without six subcases"}.get(condition, condition),
            *(_percent(found[condition, heuristic, TWO[1]]) for heuristic in heuristics),
            _percent(sum(found[condition, heuristic, TWO[0]] for heuristic in heuristics) / len(heuristics)),
            _percent(area["mean"]),
            _percent(real[condition]["mismatched", ""]),
        ]
        for condition, area in areas.items()
    ]
    head = ["generated pairs", *(each.replace("_", " ") for each in heuristics), "entailed", "AUC", "MultiNLI"]
    return table(head, rows)


def withheld_subcases() -> str:
    """The subcases that no generated training pair had, beside the paper's BERT."""
    names = {
        "ln_conjunction": "lexical overlap, conjunction, non-entailment",
        "sn_NP/Z": "subsequence, NP/Z, non-entailment",
        "cn_adverb": "constituent, adverb, non-entailment",
        "le_passive": "lexical overlap, passive, entailment",
        "se_PP_on_obj": "subsequence, prepositional phrase on object, entailment",
        "ce_adverb": "constituent, adverb, entailment",
    }
    found = {
        (each["condition"], each["slice"]["subcase"]): each["band"]
        for each in study_numbers(STRONG_HEURISTICS, "Accuracy on the six subcases that are withheld together")
    }
    rows = []
    for subcase, name in names.items():
        own = [found[condition, subcase] for condition in ("pairs alone", "all subcases", "six withheld")]
        paper = figure("mccoy2019", "5", row=name, column="BERT")
        assert paper.share is not None
        rows.append(
            [
                name.replace("lexical overlap", "overlap").replace("prepositional phrase on object", "PP on object"),
                *(f"{_percent(each['mean'])} ({_percent(each['low'])}-{_percent(each['high'])})" for each in own),
                _percent(paper.share),
            ]
        )
    return table(["withheld subcase", "none", "all subcases", "six withheld", "BERT, six withheld"], rows)


def corpora() -> str:
    """Accuracy on SNLI and Breaking NLI by training corpora."""
    rows = []
    for file in ("lexical-training/esim.json", "lexical-training/three.json"):
        title = "Accuracy on SNLI and on the new test set by training corpora"
        found: dict[tuple[str, str], dict[str, float]] = {}
        for each in study_numbers(file, title):
            found.setdefault((each["system"], each["condition"]), {})[each["slice"]["suite"]] = each["band"]["mean"]
        rows += [
            [system, condition, _percent(own["snli-test"]), _percent(own["breaking"])]
            for (system, condition), own in found.items()
        ]
    return table(["system", "trained on", "SNLI", "Breaking NLI"], rows)


def _models(finds: dict[str, Find]) -> str:
    rows: list[Sequence[str]] = []
    for name, model in measured().items():
        found = [find(model) for find in finds.values()]
        rows.append([name, *("-" if each is None or each.value is None else _percent(each.value) for each in found)])
    return table(["model", *finds], rows)


def _by_condition(file: str, title: str, *, suite: str = "") -> dict[str, dict[tuple[str, str], float]]:
    """Means by condition, then by suite and label."""
    found: dict[str, dict[tuple[str, str], float]] = {}
    for each in study_numbers(file, title):
        place = each["slice"]["suite"], each["slice"].get("label", "")
        if suite in ("", place[0]):
            found.setdefault(each["condition"], {})[place] = each["band"]["mean"]
    return found


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"
