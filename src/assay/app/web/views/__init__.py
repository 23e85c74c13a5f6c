"""The views, one file each: ROUTES says who may use which address, TAB what the bar on top calls it."""

from assay.app.web.views import (
    annotate,
    api,
    board,
    cases,
    compare,
    decide,
    run,
    runs,
    slices,
    start,
    studies,
    take,
    task,
    try_,
)

VIEWS = (runs, run, cases, take, slices, compare, try_, annotate, board, decide, task, studies, start, api)
"""In the order of the bar on top. To add a view, write its file and name it here."""
