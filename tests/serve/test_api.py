"""Whatever a program asks for, the answer is what the description of the interface says it is."""

from typing import Any
from urllib.parse import quote

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from assay.serve.served_runs import RunOverview
from assay.serve.views.web_api import OPERATIONS, Operation, RequestProblem, describe_api

TEXT = st.text(max_size=30) | st.sampled_from(
    ["negation", "assay:overlap/v1", "wrong", "differ", "disagreement", "1", "-1", "nan"]
)


def values(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values of a simple schema, and values that are not."""
    kinds = [each.get("type") for each in schema.get("anyOf", [schema])]
    right: dict[str | None, st.SearchStrategy[Any]] = {
        "string": TEXT,
        "integer": st.integers(),
        "number": st.floats(),
        "boolean": st.booleans(),
        "array": st.lists(TEXT, max_size=3),
        "null": st.none(),
    }
    return st.one_of(*(right.get(kind, TEXT) for kind in kinds), TEXT)


def parameters(operation: Operation) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = describe_api()["paths"][operation.path][operation.method.lower()]["parameters"]
    return found


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda each: f"{each.method} {each.path}")
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_every_answer_is_described(
    client: TestClient, run: RunOverview, operation: Operation, data: st.DataObject
) -> None:
    known = {"run": run.record.id, "beside": run.record.id}
    path, query = operation.path, {}
    for each in parameters(operation):
        value = data.draw(values(each["schema"]), label=each["name"])
        if each["in"] == "path":
            name = each["name"]
            given_here = known.get(name, "") if data.draw(st.integers(0, 9)) else value
            path = path.replace(f"{{{name}}}", quote(str(given_here), safe="") or "x")
        elif data.draw(st.booleans()):
            query[each["name"]] = (
                known[each["name"]] if each["name"] in known and data.draw(st.booleans()) else str(value)
            )
    body: bytes | None = None
    if operation.body:
        (_,), components = msgspec.json.schema_components([operation.body])
        fields = components[operation.body.__name__]["properties"]
        sent = {name: data.draw(values(schema), label=name) for name, schema in fields.items()}
        body = msgspec.json.encode({**sent, "models": []} if data.draw(st.booleans()) else sent)
    answer = client.request(operation.method, path, params=query, content=body)
    assert answer.status_code < 500, answer.text
    kind = operation.answer if answer.status_code == 200 else RequestProblem
    if answer.status_code not in (307, 404) or answer.content.startswith(b"{"):
        msgspec.json.decode(answer.content, type=kind)


def test_the_description_can_be_asked_for(client: TestClient) -> None:
    assert msgspec.json.decode(client.get("/api/openapi.json").content) == msgspec.json.decode(
        msgspec.json.encode(describe_api())
    )
    assert set(describe_api()["paths"]) == {each.path for each in OPERATIONS}
