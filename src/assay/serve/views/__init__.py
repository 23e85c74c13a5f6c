"""The views, one file each: ROUTES says who may use which address, TAB what the bar on top calls it."""

from assay.serve.views import (
    answering,
    case_browser,
    compare_models,
    download_cases,
    run_list,
    run_page,
    start_run,
    study_pages,
    task_board,
    task_list,
    threshold_view,
    try_pair,
    web_api,
)

VIEWS = (
    run_list,
    run_page,
    threshold_view,
    case_browser,
    download_cases,
    compare_models,
    try_pair,
    task_list,
    task_board,
    answering,
    study_pages,
    start_run,
    web_api,
)
"""In the order of the bar on top. To add a view, write its file and name it here."""
