"""assay list."""

import tomllib
from importlib.resources import files
from pathlib import Path
from textwrap import shorten
from typing import Any

import click

from assay.cli import options, output

KINDS = ("families", "transforms", "models", "systems", "formats", "corpora", "studies", "runs", "published")


@click.command(
    "list", cls=options.AssayCommand, examples=("assay list families", "assay list published glockner2018 3")
)
@click.argument("kind", type=click.Choice(KINDS))
@click.argument("names", nargs=-1, metavar="[FOLDER|PAPER [TABLE]]")
@click.option("--family", metavar="FAMILY", help="published: only numbers for this family of tests.")
@options.as_json
@options.talk
def command(kind: str, names: tuple[str, ...], family: str | None) -> None:
    """List what is available: families with an example, models, systems, formats, corpora, studies, or stored runs.

    FOLDER is where runs are stored, by default `runs`. The oldest run comes first. `published` lists the tables of the
    papers, or shows those of PAPER, or only TABLE; doubtful numbers are marked with * and explained.
    """
    if kind == "published":
        paper, table = (*names, None, None)[:2]
        _show_published(paper, table, family)
        return
    if family is not None:
        raise click.UsageError("--family is only for `assay list published`.")
    if names and kind != "runs":
        raise click.UsageError(f"FOLDER is only for `assay list runs`; leave out {names[0]} to list {kind}.")
    place = options.PathOrAddress().convert(names[0], None, None) if names else Path("runs")
    rows = _rows(kind, place)
    if output.wants_json():
        output.show_json(rows)
    elif rows:
        from assay.reports.tables.sheet import plain_sheet
        from assay.reports.terminal.terminal_tables import SheetTable

        columns = [key for key in rows[0] if key != "kind" and any(row[key] for row in rows)]  # the name tells the kind
        named = [{key.replace("_", " "): row[key] for key in columns} for row in rows]
        output.show(SheetTable(plain_sheet(named)))
    else:
        output.note(f"No {kind} in {place}." if kind == "runs" else f"No {kind}.")


def _show_published(paper: str | None, table: str | None, family: str | None) -> None:
    """Show published numbers of the four papers and of later sets."""
    from assay.reports.published import published_results as published
    from assay.reports.tables.report_tables import paper_tables
    from assay.reports.tables.sheet import plain_sheet
    from assay.reports.terminal.terminal_tables import SheetTable, show_parts

    if paper:
        published.table(paper, table) if table else published.paper(paper)  # lists what there is, if it is missing
    found = [
        figure
        for figure in published.figures()
        if paper in (None, figure.paper)
        and table in (None, figure.table)
        and family in (None, figure.slice.get("family"))
    ]
    if output.wants_json():
        output.show_json(found)
    elif not found:
        output.note(f"No published numbers for {family}.")
    elif paper or family:
        output.show(show_parts(part for sheet in paper_tables(found) for part in (sheet, "")))
    else:
        rows = [
            {"paper": each.key, "table": shown.number, "what it shows": shown.title}
            for each in published.papers()
            for shown in each.tables
        ]
        output.show(SheetTable(plain_sheet(rows)))


def _rows(kind: str, place: Path) -> list[dict[str, str]]:
    match kind:
        case "families":
            return _families()
        case "models":
            return _models()
        case "systems":
            return _systems()
        case "formats":
            return [*_registered("formats"), *_registered("logs")]
        case "corpora":
            return _corpora()
        case "studies":
            return _studies()
        case "runs":
            return _runs(place)
    return _registered(kind)


LONGEST = 300  # maximum number of characters of a premise in an example


def _families() -> list[dict[str, str]]:
    from assay.core import registry
    from assay.run.build.recipes import traits_of

    rows, names = [], registry.transforms.newest()
    with_corpus = {traits_of(name).from_corpus for name in names}  # another transform of a family that generates pairs
    for name in names:
        traits, what = traits_of(name), _what_it_is(registry.transforms.get(name))
        variants = ", ".join(traits.variants) or ("with --from" if name in with_corpus else "-")
        rows.append({"family": traits.family, "variants": variants, "what_it_does": what, "example": _example(name)})
    return rows


def _example(name: str) -> str:
    """The first case that the bundled corpus gives, or that is generated."""
    from assay.core.case import Case
    from assay.core.errors import UserError
    from assay.corpora.reader import read
    from assay.run.build.case_builder import BuildStep
    from assay.run.build.family_sources import with_filler
    from assay.run.build.recipes import generated_pairs, generates, recipes_for

    try:
        switches = with_filler([name], read("bundled"), None)
        recipes = recipes_for([name], seed=0, switches=switches)  # a family may include the original pairs
        recipe = next(recipe for recipe in recipes if recipe.transform == name)
        step, pairs = BuildStep(recipe), generated_pairs(recipe, 1) if generates(name) else read("bundled")
        found = (case for pair in pairs for case in step.cases(pair) if isinstance(case, Case))
        case = next(found, None)
    except UserError as error:
        return str(error).rpartition("\n")[2].strip()  # it says what to do
    if case is None:
        return "no example in the bundled corpus"
    expects = case.provenance.edit.expects
    told = case.compared_with if expects == "label" else f"{case.compared_with} should {expects}"
    return f"{shorten(case.premise, LONGEST, placeholder=' ...')} => {case.hypothesis} ({told})"


def _registered(kind: str, prefix: str = "") -> list[dict[str, str]]:
    from assay.core import registry

    known: Any = getattr(registry, kind)
    return [
        {"name": f"{prefix}{name}", "what_it_is": _what_it_is(known.get(name)), "from": known.target(name).source}
        for name in known.names()
    ]


def _models() -> list[dict[str, str]]:
    """The registered models, and the kinds of models that other people made."""
    from assay.core import registry

    rows = {row["name"]: row for row in _registered("adapters")}
    newest = ({**rows[name], "name": f"{name.partition('/')[0]}:..."} for name in registry.adapters.newest())
    return [*_registered("models", "assay:"), *newest]


def _corpora() -> list[dict[str, str]]:
    from assay.corpora.cards import load_cards

    return [
        {"corpus": card.name, "what_it_is": card.title, "format": card.format, "licence": card.licence}
        for card in load_cards()
    ]


def _systems() -> list[dict[str, str]]:
    from assay.core import registry
    from assay.training.presets import presets

    rows = []
    for name in registry.systems.newest():
        known = presets(name.partition("/")[0])
        told = {"what it is": known.title, "by": known.reference, "laptop": known.laptop.reduced}
        rows.append({"system": name, "kind": "trained", **told})
    others = tomllib.loads((files("assay.cli") / "other_systems.toml").read_text("utf-8"))
    return [*rows, *({**each, "laptop": ""} for each in others["systems"])]


def _runs(folder: Path) -> list[dict[str, str]]:
    """The runs that can be read, the oldest first, then those that can't, each with the reason."""
    from assay.core.errors import BadInputError
    from assay.run.stored_run import open_run

    records, broken = [], []
    for place in sorted(folder.glob("[!.]*/record.json")):
        try:
            records.append(open_run(place.parent))
        except BadInputError as error:
            empty = dict.fromkeys(("corpora", "cases", "models"), "")
            broken.append({"run": place.parent.name, **empty, "problem": error.fact})
    whole = [
        {
            "run": record.id,
            "corpora": ", ".join(suite.source.name for suite in record.suites.values()),
            "cases": f"{sum(suite.cases for suite in record.suites.values()):,}",
            "models": ", ".join(answers.model for answers in record.models),
            "problem": "",
        }
        for record in sorted(records, key=lambda record: (record.created, record.id))
    ]
    return whole + broken


def _what_it_is(thing: Any) -> str:
    """The title that formats have, or the first line of the documentation."""
    return getattr(thing, "title", None) or (thing.__doc__ or "").strip().partition("\n")[0]


def _studies() -> list[dict[str, str]]:
    from assay.storage.yaml_file import read_yaml
    from assay.studies.plan.plan_file import built_in_plans

    rows = []
    for name, path in built_in_plans().items():
        plan = read_yaml(path)
        trainings = (
            len(plan.get("systems", ())) * max(1, len(plan.get("conditions", ()))) * len(plan.get("seeds", (0,)))
        )
        runs = trainings + len(plan.get("models", ()))
        told = {"what it is": plan["title"], "reproduces": plan["reproduces"], "training_runs": str(runs)}
        rows.append({"study": name, **told})
    return rows
