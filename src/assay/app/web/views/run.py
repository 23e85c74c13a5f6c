"""A run: the report's page, whose cells lead to their cases."""

from starlette.responses import HTMLResponse, Response

from assay.app.web.gate import Asked, route
from assay.app.web.indexes import is_small
from assay.app.web.show.links import cases_link
from assay.app.web.show.pages import Step
from assay.bench.browse.layout import index_is_there
from assay.bench.browse.measured import slice_accuracies
from assay.reports.view import view_of
from assay.reports.write.page.document import page


def show(asked: Asked) -> Response:
    """The page."""
    record = asked.site.runs.whole(asked.path["run"])
    frame = asked.frame(Step("Runs", "/"), Step(record.id), cases=cases_link(record.id))
    slices = slice_accuracies(record) if is_small(record) or index_is_there(record) else []
    return HTMLResponse(page(view_of([record], slices={record.id: slices}), frame=frame))


ROUTES = [route("/runs/{run}", show)]
