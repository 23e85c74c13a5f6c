"""assay study plan."""

import click

from assay.app.cli.talk import say


@click.command("plan")
@click.argument("name")
def plan(name: str) -> None:
    """Print the plan of a built-in study, to change it and run it as your own: `assay study run FILE`."""
    from assay.bench.experiment.plan_file import built_in_plans
    from assay.core.errors import UnknownNameError, did_you_mean

    plans = built_in_plans()
    if name not in plans:
        raise UnknownNameError(f"No study {name!r}{did_you_mean(name, plans)} See `assay list studies`.")
    say(plans[name].read_text(encoding="utf-8"), nl=False)
