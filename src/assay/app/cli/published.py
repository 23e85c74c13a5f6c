"""assay published."""

import click

from assay.app.cli import options, talk


@click.command("published")
@click.argument("paper", required=False)
@click.argument("table", required=False)
@click.option("--family", metavar="FAMILY", help="Only figures for this family of tests.")
@options.as_json
@options.talk
def command(paper: str | None, table: str | None, family: str | None, as_json: bool, quiet: bool) -> None:  # noqa: ARG001 - a list is never noisy
    """Show published figures: of the four papers, and of later sets.

    Without PAPER, lists the tables. With PAPER, shows its tables, or only TABLE. Doubtful figures are marked with * and
    explained. --json gives every figure with its place.
    """
    from assay.reports.published import figures as published
    from assay.reports.tables.published import paper_tables
    from assay.reports.tables.sheet import plain_sheet
    from assay.reports.write.terminal.tables import SheetTable, shown

    if paper:
        published.table(paper, table) if table else published.paper(paper)  # lists what there is, if it is missing
    found = [
        figure
        for figure in published.figures()
        if paper in (None, figure.paper)
        and table in (None, figure.table)
        and family in (None, figure.slice.get("family"))
    ]
    if as_json:
        talk.show_json(found)
    elif not found:
        talk.note(f"No published figures for {family}.", silently=False)
    elif paper or family:
        talk.show(shown(part for sheet in paper_tables(found) for part in (sheet, "")))
    else:
        rows = [
            {"paper": each.key, "table": shown.number, "what it shows": shown.title}
            for each in published.papers()
            for shown in each.tables
        ]
        talk.show(SheetTable(plain_sheet(rows)))
