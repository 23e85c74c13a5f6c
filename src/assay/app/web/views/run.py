"""A run: the report's page, whose cells lead to their cases."""

from starlette.responses import HTMLResponse, Response

from assay.app.web.gate import Asked, route
from assay.app.web.show.links import cases_link
from assay.app.web.show.pages import Step
from assay.reports.view import view_of
from assay.reports.write.page.document import page


def show(asked: Asked) -> Response:
    """The page."""
    record = asked.site.runs.whole(asked.path["run"])
    frame = asked.frame(Step("Runs", "/"), Step(record.id), cases=cases_link(record.id))
    return HTMLResponse(page(view_of([record]), frame=frame))


ROUTES = [route("/runs/{run}", show)]
