"""assay study data-map."""

from pathlib import Path
from typing import Any, cast

import click

from assay.app.cli import options, talk


@click.command("data-map")
@click.argument("folder", type=options.Place(exists=True, file_okay=False))
@click.option("--out", type=options.Place(writes=True), help="Draw the map into this file: map.svg or map.png.")
@options.overwrite
@options.as_json
@options.talk
def data_map(folder: Path, out: Path | None, overwrite: bool, as_json: bool, quiet: bool) -> None:
    """Show how a system learned its training pairs: which are easy, ambiguous, hard or forgotten.

    FOLDER is a system that was trained with `assay train --data-map`. `assay train --map-from FOLDER --keep
    ambiguous:0.33` trains on a part of the pairs.
    """
    import msgspec

    from assay.bench.studies.data_map import study_map
    from assay.core.files import refuse_existing, write_whole
    from assay.reports.charts.data_map import map_chart
    from assay.reports.tables.studies.data_map import map_parts
    from assay.reports.write.pictures import drawn
    from assay.reports.write.terminal.tables import shown

    kind = out.suffix.lstrip(".").lower() if out else "svg"
    if kind not in ("svg", "png"):
        raise click.UsageError(f"--out {out}: name a file that ends in .svg or .png.")
    if out:
        refuse_existing(out, overwrite=overwrite)
    found = msgspec.to_builtins(study_map(folder))
    if out:
        write_whole(out, drawn(map_chart(found), cast("Any", kind)), over_any=False)
        talk.note(f"The map is in {out}", silently=quiet)
    if as_json:
        talk.show_json(found)
    else:
        talk.show(shown(map_parts(found)))
