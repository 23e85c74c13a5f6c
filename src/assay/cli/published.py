"""assay published."""

import click

from assay.cli import options, output


@click.command("published")
@click.argument("paper", required=False)
@click.argument("table", required=False)
@click.option("--family", metavar="FAMILY", help="Only figures for this family of tests.")
@options.as_json
@options.talk
def command(paper: str | None, table: str | None, family: str | None, as_json: bool, quiet: bool) -> None:  # noqa: ARG001 - a list is never noisy
    """Show published numbers: of the four papers, and of later sets.

    Without PAPER, lists the tables. With PAPER, shows its tables, or only TABLE. Doubtful figures are marked with * and
    explained. --json gives every figure with its place.
    """
    from assay.reports.published import published_results as published
    from assay.reports.tables.published_tables import paper_tables
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
    if as_json:
        output.show_json(found)
    elif not found:
        output.note(f"No published numbers for {family}.", silently=False)
    elif paper or family:
        output.show(show_parts(part for sheet in paper_tables(found) for part in (sheet, "")))
    else:
        rows = [
            {"paper": each.key, "table": shown.number, "what it shows": shown.title}
            for each in published.papers()
            for shown in each.tables
        ]
        output.show(SheetTable(plain_sheet(rows)))
