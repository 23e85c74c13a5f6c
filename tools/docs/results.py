"""Pages of what `tools/docs/measure.py` measured: docs/results/README.md, and a card for each shipped model."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from claims import CLAIMS, Claim

from assay.bench.export.model import Agreement
from assay.bench.training.train import Made
from assay.reports.published.figures import Figure as Published
from assay.reports.published.figures import kin
from assay.train.presets import presets

FOLDER = Path(__file__).parents[2] / "docs" / "results"

MADE = "<!-- Made by tools/docs/generate.py from what tools/docs/measure.py measured. -->\n"

INTRODUCTION = """`python tools/docs/measure.py MODELS --data DATA` measured these figures on whole data sets. Each
is an accuracy in per cent with its 95 % interval, unless stated otherwise. The
[cards](../training.md#models-that-ship) say how the models were trained. Published figures come from other systems,
trained on more pairs and asked other cases of the same tests. Read them as context, not as a target.
"""

NOT_FOR = """Don't use it to decide anything about people, texts or claims. It is small, and was trained on photo
captions and a sample of genres. It ships because it fails in instructive ways: it is a specimen for the bench, not a
tool. Its probabilities are not calibrated for other texts. It reads only English.
"""

SET_NAMES = {
    "snli-test": "SNLI test",
    "snli-hard": "SNLI hard",
    "mnli-matched": "MultiNLI dev, matched",
    "mnli-mismatched": "MultiNLI dev, mismatched",
    "hans": "HANS",
    "breaking-nli": "Breaking NLI",
    "stress": "MultiNLI dev, matched",
}

SAME_SYSTEM = {
    "cbow": {"CBOW"},
    "infersent": {"InferSent", "IS"},
    "decomposable-attention": {"Decomposable Attention", "DA"},
    "esim": {"ESIM"},
    "minilm": {"BERT"},
}
"""What the papers call a system of the same kind."""

STRESS = "stress"


class Set(msgspec.Struct, frozen=True, kw_only=True):
    """A data set that models were asked."""

    source: str
    """The corpus."""
    cases: int
    """How many, built families included."""
    digest: str
    """SHA-256 of the cases."""


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """A measured figure, or the mean of several seeds with their extremes."""

    set: str
    """On which data set."""
    name: str
    """What was measured."""
    slice: dict[str, str]
    """Family, label and group."""
    value: float | None
    """As a share."""
    low: float | None
    """Lower end: of the 95 % interval, or the lowest seed."""
    high: float | None
    """Upper end."""
    n: int
    """How many cases it is based on."""


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """All that is known about a shipped model."""

    files: dict[str, str]
    """SHA-256 of its graphs."""
    size: int
    """Bytes of its own files."""
    sets: dict[str, Set]
    """What it was asked."""
    agreement: Agreement
    """How far eight bits changed it."""
    seeds: tuple[Made, ...]
    """How it was trained, one entry per seed; one of them is shipped."""
    figures: tuple[Figure, ...]
    """Of the shipped model."""
    bands: tuple[Figure, ...]
    """Over the seeds before they were packed; empty where there is one."""

    def find(self, set_: str, family: str = "original", *, name: str = "accuracy", **where: str) -> Figure | None:
        """A figure of the shipped model; None where it was not measured."""
        return _found(self.figures, set_, {"family": family, **where}, name)

    def band(self, set_: str, **where: str) -> Figure | None:
        """The band of the seeds, where there are several."""
        return _found(self.bands, set_, {"family": "original", **where}, "accuracy")


def _found(figures: Sequence[Figure], set_: str, where: dict[str, str], name: str) -> Figure | None:
    fitting = (each for each in figures if (each.set, each.name, each.slice) == (set_, name, where))
    return next((each for each in fitting if each.value is not None), None)


def measured(folder: Path = FOLDER) -> dict[str, Measured]:
    """What was measured, by model, from the simplest to the best."""
    from assay.models.shipped import NAMES

    files = {name: folder / f"{name}.json" for name in NAMES}
    return {
        name: msgspec.json.decode(file.read_bytes(), type=Measured) for name, file in files.items() if file.is_file()
    }


def documents(folder: Path = FOLDER) -> dict[str, str]:
    """The page of results and the cards, by their place; nothing where nothing was measured."""
    found = measured(folder)
    if not found:
        return {}
    cards = {f"docs/models/cards/{name}.md": card(name, each) for name, each in found.items()}
    return {"docs/results/README.md": page(found), **cards}


def page(found: dict[str, Measured]) -> str:
    """The results of the shipped models, next to the published figures."""
    parts = [
        f"{MADE}# Results of the shipped models\n",
        INTRODUCTION,
        "## Data sets\n",
        _table(["", *found], _plain_rows(found)),
        "## Stress tests built from MultiNLI dev, matched\n",
        "`original` means the source pairs. Swapped pairs claim no label; they follow below.\n",
        _table(["", *found, "published"], _family_rows(found)),
        "## Swapped, by label\n",
        "How often the answer is still the pair's label after premise and hypothesis changed places. This share\n"
        "should drop for entailment and hold for the others.\n",
        _table(["", *found, "published"], _swap_rows(found)),
        "## HANS\n",
        _table(["", *found, "published"], _hans_rows(found)),
        "## Breaking NLI\n",
        _table(["", *found, "published"], _category_rows(found)),
        "## The same system in the papers\n",
        _table(["model", "test", "measured", "published", "in"], _same_rows(found)),
        "## Findings of the papers\n",
        "Each finding is a rule in [claims.py](../../tools/docs/claims.py), applied to the figures above. A cell says\n"
        "whether the model repeats the finding, and gives the figure that decides.\n",
        _table(["finding", *found], _claim_rows(found)),
        *(_summary(name, each) for name, each in found.items()),
    ]
    return "\n".join(parts)


def card(name: str, model: Measured) -> str:
    """What to know about a model before you use it."""
    first = model.seeds[0]
    known = presets(first.spec.system.partition("/")[0])
    about = _about()
    tried = about["tried"].get(name)
    seeds = ", ".join(f"{each.seed} ({100 * each.accuracy:.1f} % of the development pairs)" for each in model.seeds)
    parts = [
        f"{MADE}# {name}\n",
        f"{known.title} ({known.reference}). `assay run --model assay:{name}` puts it on the bench.\n",
        "## How it was trained\n",
        _table(
            ["", ""],
            [
                ["data", "; ".join([*about["data"], about["vectors" if first.spec.vectors else "checkpoint"]])],
                ["pairs", f"{first.data.pairs:,}: {', '.join(f'{k} {v:,}' for k, v in first.data.labels.items())}"],
                ["development pairs", _short(first.spec.dev.source)],
                ["preset", f"{first.spec.preset}: {getattr(known, first.spec.preset).reduced}"],
                ["learned numbers", f"{first.parameters:,}{', without word vectors' if first.spec.vectors else ''}"],
                ["passes", ", ".join(str(each.epochs) for each in model.seeds)],
                ["seeds", f"{seeds}; the best is shipped"],
                ["configurations tried", str(tried) if tried else "not recorded"],
                ["size", f"{model.size / 1e6:.1f} MB{', without shared vectors' if first.spec.vectors else ''}"],
                ["packed", _packed(first, model.agreement)],
            ],
        ),
        f"```sh\n{command(name, model)}\n```\n",
        "## Results\n",
        "`shipped` is the accuracy in per cent with its 95 % interval. `seeds` is the mean of all seeds, with the\n"
        "lowest and the highest, before weights were reduced to eight bits.\n",
        _table(["", "shipped", "seeds", "cases"], _card_rows(model)),
        "[Results](../../results/README.md) has the stress tests, next to the published figures.\n",
        "## What not to use it for\n",
        NOT_FOR,
    ]
    return "\n".join(parts)


def command(name: str, model: Measured) -> str:
    """The command that trained it."""
    spec = model.seeds[0].spec
    words = [f"assay train {spec.system.partition('/')[0]}", f"--preset {spec.preset}"]
    for source, rate in zip(spec.sources, spec.rates, strict=True):
        words.append(f"--from {_short(source.source)}{'' if rate >= 1 else f'@{rate}'}")
    words.append(f"--dev {_short(spec.dev.source)}")
    words += [f"--vectors {_short(spec.vectors)}"] if spec.vectors else []
    words += [f"--set {','.join(f'{k}={v}' for k, v in spec.switches.items())}"] if spec.switches else []
    words += [f"--seed {each.seed}" for each in model.seeds]
    return " \\\n    ".join([*words, f"--out models/{name}"])


def _plain_rows(found: dict[str, Measured]) -> Iterator[list[str]]:
    for key, title in _plain():
        if any(model.find(key) for model in found.values()):
            yield [title, *(_cell(model.find(key)) for model in found.values())]
            if any(model.band(key) for model in found.values()):
                yield ["- seeds", *(_cell(model.band(key)) for model in found.values())]


def _plain() -> list[tuple[str, str]]:
    return [(key, title) for key, title in SET_NAMES.items() if key != STRESS]


def _family_rows(found: dict[str, Measured]) -> Iterator[list[str]]:
    names = dict.fromkeys(
        each.slice["family"]
        for model in found.values()
        for each in model.figures
        if each.set == STRESS and {*each.slice} == {"family"}
    )
    for family in names:
        if family != "swap":
            cells = (_cell(model.find(STRESS, family)) for model in found.values())
            yield [family, *cells, _range(kin({"family": family}))]


def _swap_rows(found: dict[str, Measured]) -> Iterator[list[str]]:
    for key in ("snli-test", STRESS):
        for label in ("entailment", "neutral", "contradiction"):
            cells = (_cell(model.find(key, "swap", name="kept", label=label)) for model in found.values())
            yield [f"{SET_NAMES[key]}, {label}", *cells, _range(kin({"family": "swap", "label": label}))]


def _hans_rows(found: dict[str, Measured]) -> Iterator[list[str]]:
    for heuristic in ("lexical_overlap", "subsequence", "constituent"):
        for label in ("entailment", "non-entailment"):
            where = {"heuristic": heuristic, "label": label}
            cells = (_cell(model.find("hans", **where)) for model in found.values())
            yield [f"{heuristic}, {label}", *cells, _range(kin({"family": "heuristics", **where}))]


def _category_rows(found: dict[str, Measured]) -> Iterator[list[str]]:
    for category in _categories(found.values()):
        cells = (_cell(model.find("breaking-nli", category=category)) for model in found.values())
        yield [category, *cells, _range(kin({"family": "lexical", "category": category}))]


def _categories(models: Iterable[Measured]) -> list[str]:
    return sorted(
        {
            each.slice["category"]
            for model in models
            for each in model.figures
            if each.set == "breaking-nli" and {*each.slice} == {"family", "category"}
        }
    )


def _same_rows(found: dict[str, Measured]) -> Iterator[list[str]]:
    """Every measured figure that the papers have for a system of the same kind."""
    for name, model in found.items():
        for each in model.figures:
            if each.name not in ("accuracy", "kept") or each.value is None:
                continue
            where = _published_slice(each)
            own = [other for other in kin(where) if other.model in SAME_SYSTEM.get(name, ())]
            if own and where["family"] != "original":
                test = ", ".join(value for value in each.slice.values() if value != "original") or "all"
                places = ", ".join(dict.fromkeys(f"{other.paper} {other.table}" for other in own))
                yield [name, f"{SET_NAMES[each.set]}: {test}", _cell(each), _range(own), places]


def _published_slice(figure: Figure) -> dict[str, str]:
    """The slice as the papers' figures have it: two of the sets are tests themselves."""
    family = {"hans": "heuristics", "breaking-nli": "lexical"}.get(figure.set)
    return {**figure.slice, "family": family} if family else figure.slice


def _claim_rows(found: dict[str, Measured]) -> Iterator[list[str]]:
    for claim in CLAIMS:
        yield [f"{claim.text} ({claim.paper})", *(_repeated(claim, model) for model in found.values())]


def _repeated(claim: Claim, model: Measured) -> str:
    found = claim.judge(model)
    return f"{'yes' if found.repeats else 'no'}: {found.figure}" if found else "-"


def _summary(name: str, model: Measured) -> str:
    judged = [repeated for claim in CLAIMS if (repeated := claim.judge(model))]
    return f"- {name} repeats {sum(each.repeats for each in judged)} of {len(judged)} findings."


def _card_rows(model: Measured) -> Iterator[list[str]]:
    for key, title in _plain():
        slices: list[dict[str, str]] = [{}]
        if key == "hans":
            names = [(h, k) for h in ("lexical_overlap", "subsequence", "constituent") for k in _TWO]
            slices += [{"heuristic": heuristic, "label": label} for heuristic, label in names]
        if key == "breaking-nli":
            slices += [{"category": category} for category in _categories([model])]
        for where in slices:
            if figure := model.find(key, **where):
                shown = ", ".join(where.values())
                yield [
                    f"- {shown}" if shown else title,
                    _cell(figure),
                    _cell(model.band(key, **where)),
                    f"{figure.n:,}",
                ]


_TWO = ("entailment", "non-entailment")


def _packed(made: Made, agreement: Agreement) -> str:
    changed = agreement.pairs - agreement.same
    how = "eight bits, without the vectors of rare words that training never saw" if made.spec.vectors else "eight bits"
    return f"{how}: {changed:,} of {agreement.pairs:,} labels changed ({changed / max(agreement.pairs, 1):.2%})"


def _about() -> dict[str, Any]:
    import tomllib

    return tomllib.loads((FOLDER / "about.toml").read_text(encoding="utf-8"))


def _short(source: str | None) -> str:
    """A file by its folder and name, which are the same everywhere."""
    return "/".join(Path(source or "").parts[-2:])


def _cell(figure: Figure | None) -> str:
    if figure is None or figure.value is None:
        return "-"
    if figure.low is None or figure.high is None:
        return f"{100 * figure.value:.1f}"
    return f"{100 * figure.value:.1f} ({100 * figure.low:.1f}-{100 * figure.high:.1f})"


def _range(figures: Sequence[Published]) -> str:
    shares = [each.share for each in figures if each.share is not None]
    if not shares:
        return "-"
    ends = dict.fromkeys(f"{100 * end:.1f}" for end in (min(shares), max(shares)))
    return "-".join(ends)


def _table(head: Sequence[str], rows: Iterator[list[str]] | list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines) + "\n"
