"""Saving a filter as a named slice."""

from starlette.responses import RedirectResponse, Response

from assay.run.case_index.case_filter import FilteredCases
from assay.run.case_index.saved_slices import FILE
from assay.serve.addresses import run_link
from assay.serve.auth import AuthorisedRequest, HttpError, routes_for
from assay.serve.served_files import place_to_write
from assay.serve.views.case_browser import choice_of, index_of, query_of


def save(asked: AuthorisedRequest) -> Response:
    """Save the filter in the address under a name, and show its cases again."""
    if asked.query.get("beside"):
        raise HttpError(422, "A slice is about one run.", "Go back, and choose no other run beside it.")
    index = index_of(asked)
    if isinstance(index, Response):
        return index
    place_to_write(asked.site.folder, FILE)
    choice = FilteredCases(index, choice_of(asked)).choice
    asked.site.slices.save(asked.form().get("name", "").strip(), choice)
    return RedirectResponse(f"{run_link(index.record.id)}/cases?{query_of(choice)}", status_code=303)


ROUTES = [routes_for("/runs/{run}/slices", save, methods=("POST",))]
