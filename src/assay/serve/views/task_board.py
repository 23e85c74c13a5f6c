"""The owner's page of an annotation task: invitations, progress, live agreement, the matrix, and files."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import msgspec
from starlette.responses import RedirectResponse, Response

from assay.annotate.annotation_progress import BUILT, AnnotationProgress, AnnotatorProgress, Matrix, columns_of
from assay.annotate.answer_store import AnswerStore, Imported, exported_sheet, import_sheets
from assay.annotate.merge_answers import lines_of, merged_lines
from assay.annotate.sample import ADJUDICATION, files_of
from assay.core.errors import UserError
from assay.core.label_space import LabelNames
from assay.serve.addresses import task_link
from assay.serve.auth import TASK, AuthorisedRequest, HttpError, json_response, routes_for
from assay.serve.server import is_loopback
from assay.storage.folders import scratch

GOLD = "gold.jsonl"  # the file of gold labels


class Axes(msgspec.Struct):
    column: str = ""
    one: str = ""  # whose answers are the rows
    other: str = ""  # whose answers are the columns


def show(asked: AuthorisedRequest, *, told: str = "") -> Response:
    task = asked.path["task"]
    store = asked.site.tasks.get(task)
    board = AnnotationProgress(store)
    columns = columns_of(store.layout)
    axes = _axes(board, columns, asked.asked_for(Axes))
    matrix = board.matrix(axes.column, axes.one, axes.other) if axes.one and axes.other else None
    found = board.settled().merged
    return asked.page(
        "board.html",
        task=task,
        told=told,
        what=store.layout.asks,
        people=[_invited(asked, task, each) for each in board.standings()],
        is_local=is_loopback(asked.request.url.hostname or ""),
        columns=columns,
        own=store.layout.questions[0].text if store.layout.name == "own" else "",
        axes=axes,
        choices=_choices(board, axes.column),
        names=LabelNames(found.names),
        agreement=board.agreement(),
        matrix=matrix,
        rows=_rows(task, matrix) if matrix else [],
        disputed=len(board.disputed(axes.column)) if axes.column else 0,
        decided=len(board.decided()),
        decide=_decide_link(task, {"column": axes.column}),
        result=list(merged_lines(found)) if found.annotators else [],
        waiting=[path.name for path in _waiting(store)],
        data={"task": task},
    )


def add(asked: AuthorisedRequest) -> Response:
    task, name = asked.path["task"], asked.form().get("name", "").strip()
    asked.site.tasks.invite(task, asked.site.tasks.get(task).add(name))
    return _back(task)


def invite(asked: AuthorisedRequest) -> Response:
    """Make a new link for somebody; the old one no longer works."""
    task = asked.path["task"]
    store = asked.site.tasks.get(task)
    names = {each.name: each for each in store.people()}
    name = asked.form().get("name", "")
    if name not in names:
        raise HttpError(404, "No annotator has this name.")
    asked.site.tasks.invite(task, names[name])
    return _back(task)


def file(asked: AuthorisedRequest) -> Response:
    """A person's file, the decisions, or the gold labels so far."""
    store = asked.site.tasks.get(asked.path["task"])
    name = asked.path["file"]
    if name == GOLD:
        return _download(name, lines_of(AnnotationProgress(store).settled().outcomes))
    people = {f"{each.name}.{each.storage}": each for each in (*store.people(), store.person(ADJUDICATION))}
    if name not in people:
        raise HttpError(404, "There is no such file.")
    return _download(name, exported_sheet(store, people[name]))


def read_waiting(asked: AuthorisedRequest) -> Response:
    """Read annotators' files in the folder of the key."""
    store = asked.site.tasks.get(asked.path["task"])
    return show(asked, told=_told(import_sheets(store, _waiting(store))))


def upload(asked: AuthorisedRequest) -> Response:
    """Read a file that the page sends; its name says whose it is."""
    store = asked.site.tasks.get(asked.path["task"])
    name = asked.query.get("name", "")
    if not name.isprintable() or name[:1] in ("", ".") or "/" in name or "\\" in name:
        raise HttpError(422, "The file needs a plain name, such as ann.csv.")
    with scratch() as folder:
        path = folder / name
        try:
            path.write_bytes(asked.body)
            found = import_sheets(store, [path])
        except UserError as error:
            fact, _, hint = str(error).replace(f"{folder}/", "").partition("\n")
            raise HttpError(422, fact, hint) from error
    return json_response({"told": _told(found)})


def _invited(asked: AuthorisedRequest, task: str, standing: AnnotatorProgress) -> tuple[AnnotatorProgress, str, str]:
    """The progress of an annotator, the link to their task, which is empty if only they know it, and their file."""
    tasks = asked.site.tasks
    token = tasks.token(task, standing.name)
    link = f"{str(asked.request.base_url).rstrip('/')}{TASK}?{urlencode({'token': token})}" if token else ""
    return standing, link, f"{standing.name}.{tasks.get(task).person(standing.name).storage}"


def _axes(board: AnnotationProgress, columns: Sequence[str], asked: Axes) -> Axes:
    """The axes of the matrix: as given, or the first two people, or one person and the key."""
    if not columns or not board.names:
        return Axes()
    column = asked.column if asked.column in columns else columns[0]
    there = [name for name, _ in _choices(board, column)]
    first = asked.one if asked.one in there else there[0]
    usual = next((name for name in there if name != first), "")
    return Axes(column, first, asked.other if asked.other in there else usual)


def _choices(board: AnnotationProgress, column: str) -> list[tuple[str, str]]:
    """The axes to choose from, each with its name."""
    people = [(name, name) for name in board.names]
    if column == "label":
        return [*people, (ADJUDICATION, "the gold label"), (BUILT, "the label built with")]
    return [*people, (ADJUDICATION, "the gold category")] if column == "category" else people


def _rows(task: str, matrix: Matrix) -> list[tuple[str, list[tuple[str, int, str]]]]:
    """The cells of each row: the other answer, the number of cases, and the page on which they are decided."""

    def cell(row: str, says: str) -> tuple[str, int, str]:
        where = {"column": matrix.column, "one": matrix.one, "other": matrix.other, "row": row, "says": says}
        return says, len(matrix.keys.get((row, says), ())), _decide_link(task, where)

    return [(row, [cell(row, says) for says in matrix.values]) for row in matrix.values]


def _decide_link(task: str, where: dict[str, str]) -> str:
    return f"/annotate/decide/{quote(task)}?{urlencode(where)}"


def _waiting(store: AnswerStore) -> list[Path]:
    """Files in the folder of the key whose annotators are not yet known."""
    known = {each.name for each in store.people()}
    found = sorted(path for ending in ("csv", "jsonl") for path in store.folder.glob(f"*.{ending}"))
    own = [path for path in found if path.name not in ("key.jsonl", GOLD) and path.stem not in {*known, ADJUDICATION}]
    return [path for path in own if path in files_of(store.folder, path.stem)]


def _told(found: Sequence[Imported]) -> str:
    parts = []
    for each in found:
        kept = f", {len(each.different):,} kept as they were answered here" if each.different else ""
        parts.append(f"{each.name}: {each.added:,} new answers, {each.same:,} known{kept}")
    return "; ".join(parts) or "There was nothing to read."


def _back(task: str) -> Response:
    return RedirectResponse(task_link(task), status_code=303)


def _download(name: str, content: bytes) -> Response:
    kind = "text/csv; charset=utf-8" if name.endswith(".csv") else "application/jsonl; charset=utf-8"
    headers: dict[str, Any] = {"content-disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}"}
    return Response(content, media_type=kind, headers=headers)


ROUTES = [
    routes_for("/annotate/task/{task:path}", show),
    routes_for("/annotate/add/{task:path}", add, methods=["POST"]),
    routes_for("/annotate/invite/{task:path}", invite, methods=["POST"]),
    routes_for("/annotate/read/{task:path}", read_waiting, methods=["POST"]),
    routes_for("/annotate/file/{file}/{task:path}", file),
    routes_for("/api/annotate/file/{task:path}", upload, methods=["POST"]),
]
