"""Saving a filter as a named slice."""

from starlette.responses import RedirectResponse, Response

from assay.app.web.gate import Asked, Refused, route
from assay.app.web.places import place_to_write
from assay.app.web.show.links import run_link
from assay.app.web.views.cases import choice_of, index_of, query_of
from assay.bench.browse.choice import Chosen
from assay.bench.browse.slices import FILE


def save(asked: Asked) -> Response:
    """Save the filter in the address under a name, and show its cases again."""
    if asked.query.get("beside"):
        raise Refused(422, "A slice is about one run.", "Go back, and choose no other run beside it.")
    index = index_of(asked)
    if isinstance(index, Response):
        return index
    place_to_write(asked.site.folder, FILE)
    choice = Chosen(index, choice_of(asked)).choice
    asked.site.slices.save(asked.form().get("name", "").strip(), choice)
    return RedirectResponse(f"{run_link(index.record.id)}/cases?{query_of(choice)}", status_code=303)


ROUTES = [route("/runs/{run}/slices", save, methods=("POST",))]
