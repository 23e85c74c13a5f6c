"""The page of the shipped models: how each was trained, what it reaches, and what not to use it for."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cells import cell, table
from measured import FOLDER, HEURISTICS, PLAIN, TWO, Measured, categories, measured

from assay.export.export_model import ExportAgreement
from assay.training.presets import presets
from assay.training.train_system import TrainingProvenance

INTRODUCTION = """# Shipped models

Small models that come with Assay, to try it offline and to compare your own model with. Don't use them to decide
anything about people, texts or claims. They were trained on photo captions and a sample of genres, and they ship
because they fail in instructive ways. Their probabilities are not calibrated for other texts. They read only English.
The [data statement](../results/data.md) says how the training pairs were chosen and what is special about the word
vectors. [Results](../results/README.md) has the stress tests.

In the tables, `shipped` is the accuracy in percent with its 95% interval. `seeds` is the mean of all seeds, with the
lowest and the highest, before weights were reduced to eight bits.
"""


def page() -> str:
    """All cards on one page, with a table of all models first."""
    found = measured()
    head = ["model", "learned numbers", "size", *PLAIN.values()]
    rows = [
        [
            f"[{name}](#{name})",
            f"{model.seeds[0].parameters:,}",
            f"{model.size / 1e6:.1f} MB",
            *(cell(model.find(key)) for key in PLAIN),
        ]
        for name, model in found.items()
    ]
    return "\n".join([INTRODUCTION, table(head, rows), *(card(name, model) for name, model in found.items())])


def card(name: str, model: Measured) -> str:
    """What to know about a model before you use it."""
    first = model.seeds[0]
    known = presets(first.spec.system.partition("/")[0])
    about = _about()
    data = about["data_of"].get(name, about["data"])
    tried = about["tried"].get(name)
    title = about["title"].get(name, f"{known.title} ({known.reference})")
    seeds = ", ".join(f"{each.seed} ({100 * each.accuracy:.1f}% of the development pairs)" for each in model.seeds)
    parts = [
        f"## {name}\n",
        f"{title}. `assay run --model assay:{name}` tests it.\n",
        "How it was trained (see the [data statement](../results/data.md)):\n",
        table(
            ["", ""],
            [
                ["data", "; ".join([*data, about["vectors" if first.spec.vectors else "checkpoint"]])],
                ["pairs", f"{first.data.pairs:,}: {', '.join(f'{k} {v:,}' for k, v in first.data.labels.items())}"],
                ["development pairs", _short(first.spec.dev.source)],
                ["preset", f"{first.spec.preset}: {known.setting(first.spec.preset).reduced}"],
                ["learned numbers", f"{first.parameters:,}{', without word vectors' if first.spec.vectors else ''}"],
                ["passes", ", ".join(str(each.epochs) for each in model.seeds)],
                ["seeds", f"{seeds}; the best is shipped"],
                ["configurations tried", str(tried) if tried else "not recorded"],
                ["size", f"{model.size / 1e6:.1f} MB{', without shared vectors' if first.spec.vectors else ''}"],
                ["packed", _packed(first, model.agreement)],
            ],
        ),
        f"```sh\n{command(name, model)}\n```\n",
        table(["", "shipped", "seeds", "cases"], _card_rows(model)),
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


def _card_rows(model: Measured) -> Iterator[list[str]]:
    for key, title in PLAIN.items():
        slices: list[dict[str, str]] = [{}]
        if key == "hans":
            names = [(h, k) for h in HEURISTICS for k in TWO]
            slices += [{"heuristic": heuristic, "label": label} for heuristic, label in names]
        if key == "breaking-nli":
            slices += [{"category": category} for category in categories([model])]
        for where in slices:
            if figure := model.find(key, **where):
                shown = ", ".join(where.values())
                yield [
                    f"- {shown}" if shown else title,
                    cell(figure),
                    cell(model.band(key, **where)),
                    f"{figure.n:,}",
                ]


def _packed(made: TrainingProvenance, agreement: ExportAgreement) -> str:
    changed = agreement.pairs - agreement.same
    how = "eight bits, without the vectors of rare words that training never saw" if made.spec.vectors else "eight bits"
    return f"{how}: {changed:,} of {agreement.pairs:,} labels changed ({changed / max(agreement.pairs, 1):.2%})"


def _about() -> dict[str, Any]:
    import tomllib

    return tomllib.loads((FOLDER / "about.toml").read_text(encoding="utf-8"))


def _short(source: str | None) -> str:
    """A file by its folder and name, which are the same everywhere."""
    return "/".join(Path(source or "").parts[-2:])
