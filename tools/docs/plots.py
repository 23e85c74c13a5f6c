"""The plots of docs/results, drawn from the records beside them with Vega-Lite.

`drawings()` has each as SVG. vl-convert draws them without a network.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from measured import CODE, TWO, Measured, measured

from assay.reports.published.published_results import figures as published_numbers

RESULTS = Path(__file__).parents[2] / "docs" / "results"
FOLDER = RESULTS / "plots"
BLUE, ORANGE, GREY = "#1f6fb4", "#d9622b", "#8a8f98"
FAMILIES = {"spelling error": "spelling", "word overlap": "word-overlap"}
"""Families as Wang et al. (2019) name them, and as we do."""
Rows = list[dict[str, Any]]
Spec = dict[str, Any]

CONFIG = {
    "background": "white",
    "config": {
        "font": "Helvetica, Arial, sans-serif",
        "view": {"stroke": None},
        "axis": {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal", "gridColor": "#e6e8eb"},
        "legend": {
            "labelFontSize": 12,
            "titleFontSize": 12,
            "titleFontWeight": "normal",
            "orient": "top",
            "labelLimit": 400,
        },
        "header": {"labelFontSize": 12, "title": None},
    },
    "padding": 8,
}


def drawings() -> dict[str, str]:
    """Every plot as SVG, by the name of its file."""
    import vl_convert

    return {
        name: f"{_small(vl_convert.vegalite_to_svg(CONFIG | spec))}\n<!-- {_digest(spec)} -->\n"
        for name, spec in specs().items()
    }


def specs() -> dict[str, Spec]:
    """Every plot in Vega-Lite, by the name of its file."""
    made: tuple[Callable[[], Spec], ...] = (
        models_by_test,
        hans_mitigations,
        hans_dose,
        hans_seeds,
        hans_systems,
        swap_training,
        swapped_pairs,
        breaking_categories,
        breaking_frequency,
        stress_losses,
        audited_sets,
    )
    return {f"{each.__name__.replace('_', '-')}.svg": each() for each in made}


def is_drawn(name: str, spec: Spec) -> bool:
    """True if the file of a plot was drawn from this; fonts differ between machines, so bytes are not compared."""
    file = FOLDER / name
    return file.is_file() and file.read_text(encoding="utf-8").endswith(f"<!-- {_digest(spec)} -->\n")


def _digest(spec: Spec) -> str:
    return hashlib.sha256(json.dumps(spec, sort_keys=True).encode()).hexdigest()[:16]


def models_by_test() -> Spec:
    """Accuracy of all shipped models on every kind of test."""
    tests: dict[str, Callable[[Measured], Any]] = {
        "SNLI": lambda model: model.find("snli-test"),
        "MultiNLI": lambda model: model.find("mnli-matched"),
        "+ true is true": lambda model: model.find(CODE, "word-overlap"),
        "+ false is not true": lambda model: model.find(CODE, "negation"),
        "+ long premise": lambda model: model.find(CODE, "length-mismatch"),
        "typos": lambda model: model.find(CODE, "spelling", variant="content-word"),
        "antonyms": lambda model: model.find(CODE, "antonymy"),
        "one word changed": lambda model: model.find("breaking-nli"),
        "HANS, shortcut right": lambda model: model.find("hans", label=TWO[0]),
        "HANS, shortcut wrong": lambda model: model.find("hans", label=TWO[1]),
    }
    rows = [
        {"model": name, "test": test, "accuracy": 100 * figure.value}
        for name, model in measured().items()
        for test, find in tests.items()
        if (figure := find(model)) and figure.value is not None
    ]
    place = {
        "x": {"field": "test", "type": "nominal", "sort": [*tests], "title": None, "axis": {"labelAngle": -35}},
        "y": {"field": "model", "type": "nominal", "sort": [*measured()], "title": None},
    }
    shade = {"scheme": "blues", "domain": [0, 100]}
    return {
        "data": {"values": rows},
        "width": 560,
        "height": 300,
        "layer": [
            {
                "mark": {"type": "rect", "stroke": "white"},
                "encoding": place
                | {
                    "color": {
                        "field": "accuracy",
                        "type": "quantitative",
                        "scale": shade,
                        "title": "accuracy in percent",
                    }
                },
            },
            {
                "mark": {"type": "text", "fontSize": 12},
                "encoding": place
                | {
                    "text": {"field": "accuracy", "type": "quantitative", "format": ".0f"},
                    "color": {"condition": {"test": "datum.accuracy > 60", "value": "white"}, "value": "#222"},
                },
            },
        ],
    }


def hans_mitigations() -> Spec:
    """Entailed against non-entailed accuracy on HANS, before and after each mitigation."""
    before = "untreated"
    rows: Rows = []
    for name, file, conditions in (
        (
            "MiniLM, generated pairs",
            "treatment-with-copies/minilm.json",
            {
                "without the paper's six": "20% generated",
                "without the paper's six, 60 %": "60% generated",
                "without six others": "20% generated",
                "without six others, 60 %": "60% generated",
            },
        ),
        ("MiniLM, debiasing", "treatment/minilm.json", {"drawn by overlap": ""}),
        (
            "ESIM, 20,000 pairs, debiasing",
            "treatment-of-esim/esim.json",
            {"reweight": "reweighting", "poe": "product of experts", "mixin": ""},
        ),
        ("ESIM, 60,000 pairs, debiasing", "treatment-of-esim-on-more-pairs/esim.json", {"reweight": ""}),
    ):
        places: dict[str, dict[str, float]] = {}
        for each in study_numbers(file, "Accuracy by label"):
            if each["slice"]["suite"] == "hans":
                places.setdefault(each["condition"], {})[each["slice"]["label"]] = 100 * each["band"]["mean"]
        rows += [
            {
                "study": name,
                "name": short,
                "x": places[before][TWO[0]],
                "y": places[before][TWO[1]],
                "x2": places[condition][TWO[0]],
                "y2": places[condition][TWO[1]],
            }
            for condition, short in conditions.items()
        ]
    ends = {
        "x": _axis("x", "accuracy on entailed pairs of HANS, percent", [40, 102])
        | {"axis": {"values": [40, 50, 60, 70, 80, 90, 100]}},
        "y": _axis("y", "on non-entailed pairs, percent", [0, 65]),
    }
    tips = {"x": ends["x"] | {"field": "x2"}, "y": ends["y"] | {"field": "y2"}}
    color = {
        "field": "study",
        "type": "nominal",
        "title": None,
        "scale": {"range": [BLUE, "#74a9cf", ORANGE, "#7a5195"]},
        "legend": {"columns": 2},
    }
    guess = [{"x": 40, "y": 60}, {"x": 100, "y": 0}]
    return {
        "width": 420,
        "height": 360,
        "layer": [
            {
                "data": {"values": guess},
                "mark": {"type": "line", "color": GREY, "strokeDash": [4, 4]},
                "encoding": ends,
            },
            {
                "data": {"values": [{"x": 60.5, "y": 36, "text": "as good as guessing"}]},
                "mark": {"type": "text", "color": GREY, "angle": 44, "fontSize": 11},
                "encoding": ends | {"text": {"field": "text"}},
            },
            {
                "data": {"values": rows},
                "mark": {"type": "rule", "strokeWidth": 1.5},
                "encoding": ends | {"x2": {"field": "x2"}, "y2": {"field": "y2"}, "color": color},
            },
            {
                "data": {"values": rows},
                "mark": {"type": "point", "filled": False, "size": 45},
                "encoding": ends | {"color": color},
            },
            {
                "data": {"values": rows},
                "mark": {"type": "point", "filled": True, "size": 60},
                "encoding": tips | {"color": color},
            },
            {
                "data": {"values": rows},
                "mark": {"type": "text", "dx": 0, "dy": -10, "align": "center", "fontSize": 11},
                "encoding": tips | {"text": {"field": "name"}, "color": color},
            },
        ],
    }


def hans_dose() -> Spec:
    """Non-entailed accuracy on HANS, and accuracy on MultiNLI, by the share of generated pairs in training."""
    rows: Rows = []
    for system in ("decomposable-attention", "esim"):
        file = f"heuristics-augmentation/{system}.json"
        for title, suite, panel in (
            ("Accuracy on HANS by the share of pairs that contradict a heuristic", "hans", "HANS, non-entailed pairs"),
            ("Accuracy on real pairs", "mismatched", "MultiNLI, unmodified pairs"),
        ):
            for each in study_numbers(file, title):
                share = _dose(each["condition"])
                if share is not None and each["slice"].get("label", TWO[1]) == TWO[1]:
                    rows += _points({"system": system, "share": share, "panel": panel, "suite": suite}, each)
    return {
        "data": {"values": rows},
        "facet": {"column": {"field": "panel", "type": "nominal", "sort": None}},
        "spec": _lines("share", "generated pairs in training, percent", "system", [BLUE, ORANGE]),
    }


def hans_seeds() -> Spec:
    """The spread of six trainings of ESIM on each non-entailed subcase of HANS."""
    rows = [
        {
            "subcase": re.sub(r"^\wn_", "", each["slice"]["subcase"]).replace("_", " "),
            "low": 100 * each["band"]["low"],
            "high": 100 * each["band"]["high"],
            "mean": 100 * each["band"]["mean"],
        }
        for each in study_numbers("seeds/esim.json", "Accuracy on HANS by subcase")
        if re.match(r"^\wn_", each["slice"]["subcase"])
    ]
    order = [row["subcase"] for row in sorted(rows, key=lambda row: row["low"] - row["high"])]
    y = {"field": "subcase", "type": "nominal", "sort": order, "title": None}
    x = _axis("low", "accuracy in percent: lowest, mean and highest of six trainings", [0, 50])
    return {
        "data": {"values": rows},
        "width": 380,
        "height": 280,
        "layer": [
            {
                "mark": {"type": "rule", "color": BLUE, "strokeWidth": 5, "opacity": 0.35},
                "encoding": {"x": x, "x2": {"field": "high"}, "y": y},
            },
            {
                "mark": {"type": "tick", "color": BLUE, "thickness": 2},
                "encoding": {"x": x | {"field": "mean"}, "y": y},
            },
        ],
    }


def hans_systems() -> Spec:
    """Entailed and non-entailed accuracy on HANS of the shipped models."""
    rows = [
        {"model": name, "label": said, "accuracy": 100 * figure.value}
        for name, model in measured().items()
        for label, said in zip(TWO, ("shared words give the right answer", "they mislead"), strict=True)
        if (figure := model.find("hans", label=label)) and figure.value is not None
    ]
    return _dumbbells(rows, "model", "label", [*measured()], "accuracy in percent", height=240)


def swap_training() -> Spec:
    """Accuracy by the share of swapped training pairs, ours and published."""
    shown = {
        "original": "unmodified pairs",
        "word-overlap": "+ true is true",
        "negation": "+ false is not true",
        "spelling": "typos",
    }
    rows: Rows = []
    for system in ("infersent", "esim"):
        title = "Accuracy on stress tests by the share of training pairs that were swapped"
        for each in study_numbers(f"swap-training/{system}.json", title):
            family = each["slice"]["family"]
            if each["slice"]["suite"] == "matched" and family in shown:
                share = int(each["condition"].rstrip(" %"))
                rows += _points({"system": f"{system}, ours", "share": share, "panel": shown[family]}, each)
    for number in published_numbers():
        if number.paper == "wang2019" and number.table == "2" and number.share is not None:
            model, family, split = number.row.lower().split(", ")
            if model in ("infersent", "esim") and FAMILIES.get(family, family) in shown and split == "matched":
                place = {"system": f"{model}, published", "panel": shown[FAMILIES.get(family, family)], "kind": "mean"}
                share = int(number.column.rstrip(" %"))
                rows.append({**place, "share": share, "accuracy": 100 * number.share})
    return {
        "data": {"values": rows},
        "facet": {"field": "panel", "type": "nominal", "sort": [*shown.values()]},
        "columns": 2,
        "spec": _lines("share", "swapped training pairs, percent", "system", [ORANGE, "#f2b48f", BLUE, "#9cc3e4"]),
    }


def swapped_pairs() -> Spec:
    """The share of answers that agree with the label of the pair, before and after the swap, by system and label."""
    rows: Rows = [
        {
            "system": each["system"],
            "label": each["slice"]["label"],
            "pairs": "swapped" if each["slice"]["family"] == "swap" else "unmodified",
            "accuracy": 100 * each["band"]["mean"],
        }
        for file in ("swap/four.json", "swap/adv.json")
        for each in study_numbers(file, "Accuracy by label on SNLI, as it is and swapped")
        if each["slice"]["suite"] == "test"
    ]
    spec = _dumbbells(rows, "system", "pairs", None, "answers with the pair's label, percent", height=120)
    spec.pop("data")
    return {
        "data": {"values": rows},
        "facet": {"row": {"field": "label", "type": "nominal", "sort": ["contradiction", "neutral", "entailment"]}},
        "spec": spec,
    }


def breaking_categories() -> Spec:
    """Accuracy on Breaking NLI by category: shipped models, and published systems trained on SNLI."""
    rows: Rows = []
    for name in ("esim", "kim", "minilm"):
        for each in measured()[name].figures:
            if each.set == "breaking-nli" and each.name == "accuracy" and {*each.slice} == {"family", "category"}:
                said = each.slice["category"].replace("_", " ")
                rows.append({"category": said, "system": f"{name}, ours", "accuracy": 100 * (each.value or 0)})
    for number in published_numbers():
        if number.paper == "glockner2018" and number.table == "4" and number.share is not None:
            category = number.slice.get("category")
            if category and number.model in ("ESIM", "KIM"):
                rows.append(
                    {
                        "category": category.replace("_", " "),
                        "system": f"{number.model}, published",
                        "accuracy": 100 * number.share,
                    }
                )
    minilm = {row["category"]: row["accuracy"] for row in rows if row["system"] == "minilm, ours"}
    color = {
        "field": "system",
        "type": "nominal",
        "title": None,
        "scale": {
            "domain": ["esim, ours", "ESIM, published", "kim, ours", "KIM, published", "minilm, ours"],
            "range": [BLUE, BLUE, ORANGE, ORANGE, "#333333"],
        },
        "legend": {"columns": 3, "symbolType": "circle"},
    }
    return {
        "data": {"values": rows},
        "width": 420,
        "height": 320,
        "mark": {"type": "point", "size": 70},
        "encoding": {
            "x": _axis("accuracy", "accuracy in percent", [0, 100]),
            "y": {
                "field": "category",
                "type": "nominal",
                "title": None,
                "sort": sorted(minilm, key=lambda name: -minilm[name]),
            },
            "color": color,
            "shape": {
                "field": "system",
                "type": "nominal",
                "title": None,
                "scale": {
                    "domain": ["esim, ours", "ESIM, published", "kim, ours", "KIM, published", "minilm, ours"],
                    "range": ["circle", "diamond", "circle", "diamond", "circle"],
                },
            },
        },
    }


def breaking_frequency() -> Spec:
    """Accuracy on Breaking NLI by how often the two words were seen together in training."""
    found = json.loads((RESULTS / "analyses.json").read_text(encoding="utf-8"))["analyses"]["frequency breaking-nli"]
    steps = ["0", "1-4", "5-9", "10-49", "50-99", "100 or more"]
    rows = [
        {
            "model": name,
            "together": each["slice"]["together"],
            "accuracy": 100 * each["value"],
        }
        for each in found["estimates"]
        if each["name"] == "accuracy"
        and {*each["slice"]} == {"family", "model", "suite", "together"}
        and each["value"] is not None
        and (name := each["slice"]["model"].removeprefix("assay:").partition("/")[0])
        in ("cbow", "esim", "kim", "minilm")
    ]
    known = list(dict.fromkeys(row["together"] for row in rows))
    steps = [step for step in steps if step in known] + [step for step in known if step not in steps]
    return {
        "data": {"values": rows},
        "width": 420,
        "height": 240,
        "mark": {"type": "line", "point": True},
        "encoding": {
            "x": {
                "field": "together",
                "type": "nominal",
                "sort": steps,
                "title": "training pairs that have both words",
                "axis": {"labelAngle": 0},
            },
            "y": _axis("accuracy", "accuracy in percent", [0, 100]),
            "color": {
                "field": "model",
                "type": "nominal",
                "title": None,
                "scale": {"range": [GREY, BLUE, ORANGE, "#333333"]},
            },
        },
    }


def stress_losses() -> Spec:
    """Points lost on each stress test: our six trained systems and the paper's."""
    shown = {
        "word-overlap": "+ true is true",
        "negation": "+ false is not true",
        "length-mismatch": "+ long premise",
        "spelling": "typos",
    }
    rows: Rows = []
    for file in ("stress/four.json", "stress/two.json"):
        found = {
            (each["system"], each["slice"]["family"]): 100 * each["band"]["mean"]
            for each in study_numbers(file, "Accuracy on tests made as the paper's code made them")
            if each["slice"]["suite"] == "matched-code" and {*each["slice"]} == {"family", "suite"}
        }
        rows += [
            {"test": shown[family], "from": "ours", "points": value - found[system, "original"]}
            for (system, family), value in found.items()
            if family in shown
        ]
    theirs: dict[tuple[str, str], float] = {}
    for number in published_numbers():
        if number.paper == "naik2018" and number.table == "3" and number.share is not None and _matched(number):
            variant = number.slice.get("variant", "content-word")
            if variant == "content-word" and "label" not in number.slice:
                theirs[number.model, number.slice.get("family", "original")] = 100 * number.share
    rows += [
        {"test": shown[family], "from": "published", "points": value - theirs[model, "original"]}
        for (model, family), value in theirs.items()
        if family in shown and (model, "original") in theirs
    ]
    return {
        "data": {"values": rows},
        "width": 420,
        "height": 190,
        "mark": {"type": "point", "filled": True, "size": 70, "opacity": 0.7},
        "encoding": {
            "x": {"field": "points", "type": "quantitative", "title": "change from the unmodified pairs, points"},
            "y": {"field": "test", "type": "nominal", "title": None, "sort": [*shown.values()]},
            "yOffset": {"field": "from", "type": "nominal"},
            "color": {
                "field": "from",
                "type": "nominal",
                "title": "one point per system",
                "scale": {"range": [BLUE, ORANGE]},
            },
        },
    }


def audited_sets() -> Spec:
    """The best surface shortcut of each audited set, and its most frequent label."""
    sets = {
        "SNLI": ("snli-test", "original"),
        "MultiNLI matched": ("mnli-matched", "original"),
        "MultiNLI mismatched": ("mnli-mismatched", "original"),
        "HANS": ("hans", "original"),
        "Breaking NLI": ("breaking-nli", "original"),
        "our lexical cases": ("stress", "lexical"),
        "our HANS-style pairs": ("heuristics", "heuristics"),
    }
    rows: Rows = []
    for shown, (file, family) in sets.items():
        audit = json.loads((RESULTS / "audits" / f"{file}.json").read_bytes())
        usual, *others = (each["value"] for each in audit["families"][family]["shortcuts"])
        guesses = {"most frequent label": usual, "best shortcut": max(others)}
        rows += [{"set": shown, "guess": guess, "accuracy": 100 * value} for guess, value in guesses.items()]
    return _dumbbells(rows, "set", "guess", [*sets], "accuracy in percent", height=180)


def _matched(number: Any) -> bool:
    """True if a published number is about MultiNLI's matched pairs."""
    return "mismatched" not in number.data.split and "matched" in number.data.split


@cache
def _record(file: str) -> Any:
    return json.loads((RESULTS / "studies" / file).read_text(encoding="utf-8"))


def study_numbers(file: str, title: str) -> Iterator[dict[str, Any]]:
    """The numbers of a table of a study; a condition was called regime in older records."""
    (table,) = [each for each in _record(file)["tables"] if each["plan"]["title"] == title]
    for each in table.get("figures", table.get("numbers", ())):
        yield {**each, "condition": each.get("condition", each.get("regime", ""))}


def _dose(condition: str) -> int | None:
    """The share of generated pairs, which is twice the share that contradicts a heuristic."""
    if condition == "pairs alone":
        return 0
    found = re.fullmatch(r"(\d+) % contradict", condition)
    return 2 * int(found[1]) if found else None


def _points(place: dict[str, Any], number: dict[str, Any]) -> Rows:
    """The mean of a number over trainings, and each training."""
    values: Iterable[float] = number.get("values", ())
    mean = {**place, "accuracy": 100 * number["band"]["mean"], "kind": "mean"}
    return [mean, *({**place, "accuracy": 100 * value, "kind": "training"} for value in values)]


def _lines(field: str, title: str, by: str, colors: list[str]) -> Spec:
    """Means as a line, and each training as a small circle."""
    encoding = {
        "x": {"field": field, "type": "quantitative", "title": title},
        "y": _axis("accuracy", "accuracy in percent", [0, 100]),
        "color": {
            "field": by,
            "type": "nominal",
            "title": None,
            "scale": {"range": colors},
            "legend": {"columns": 2},
        },
    }
    return {
        "width": 250,
        "height": 190,
        "layer": [
            {"mark": {"type": "line"}, "transform": [{"filter": "datum.kind == 'mean'"}], "encoding": encoding},
            {
                "mark": {"type": "point", "size": 18, "opacity": 0.7},
                "transform": [{"filter": "datum.kind == 'training'"}],
                "encoding": encoding,
            },
        ],
    }


def _dumbbells(rows: Rows, name: str, by: str, order: list[str] | None, title: str, *, height: int) -> Spec:
    y = {"field": name, "type": "nominal", "title": None, "sort": order}
    x = _axis("accuracy", title, [0, 100])
    return {
        "data": {"values": rows},
        "width": 420,
        "height": height,
        "layer": [
            {"mark": {"type": "line", "color": GREY}, "encoding": {"x": x, "y": y, "detail": {"field": name}}},
            {
                "mark": {"type": "point", "filled": True, "size": 80},
                "encoding": {
                    "x": x,
                    "y": y,
                    "color": {
                        "field": by,
                        "type": "nominal",
                        "title": None,
                        "scale": {"range": [BLUE, ORANGE]},
                        "sort": None,
                    },
                },
            },
        ],
    }


def _axis(field: str, title: str, domain: list[int]) -> Spec:
    return {"field": field, "type": "quantitative", "title": title, "scale": {"domain": domain}}


def _small(svg: str) -> str:
    """The drawing with coordinates of two digits, without descriptions for screen readers of each point."""
    svg = re.sub(r' (?:aria-[\w-]+|role)="[^"]*"', "", svg)
    return re.sub(r"-?\d+\.\d{3,}", lambda found: f"{float(found[0]):.2f}".rstrip("0").rstrip("."), svg)
