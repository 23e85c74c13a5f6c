"""JSON Schema for the files that Assay stores, with what the code says about each field."""

import ast
import inspect
from itertools import pairwise
from typing import Any

import msgspec

import assay
from assay.core.manifest import Manifest

KINDS = {
    "manifest": Manifest,
    "case": assay.Case,
    "prediction": assay.Prediction,
    "record": assay.RunRecord,
}
"""What is stored as JSON, by the names of the schema files."""


def files() -> dict[str, str]:
    """The schemas, by the names of their files."""
    return {f"{name}.json": schema(kind) for name, kind in KINDS.items()}


def page() -> str:
    """The fields of everything that is stored, from the same schemas."""
    parts = [
        "# Fields of stored files\n\n[Files](files.md) says what each file is for. The same as JSON Schema: "
        + ", ".join(f"[{name}.json](schemas/{name}.json)" for name in KINDS)
        + ".\n"
    ]
    definitions: dict[str, Any] = {}
    for kind in KINDS.values():
        definitions |= msgspec.json.decode(schema(kind))["$defs"]
    for name, definition in sorted(definitions.items()):
        properties = definition.get("properties", {})
        if properties:
            rows = [f"| `{field}` | {_type(one)} | {_words(one)} |" for field, one in properties.items()]
            table = "\n".join(["| field | type | meaning |", "| --- | --- | --- |", *rows])
            parts.append(f"## {name}\n\n{definition.get('description', '')}\n\n{table}\n")
    return "\n".join(parts)


def _type(one: dict[str, Any]) -> str:
    if "$ref" in one:
        name = one["$ref"].rpartition("/")[2]
        return f"`{name}`"
    if "anyOf" in one:
        return " or ".join(dict.fromkeys(_type(each) for each in one["anyOf"]))
    if one.get("type") == "array" and isinstance(one.get("items"), dict):
        return f"array of {_type(one['items'])}"
    return str(one.get("type", "any"))


def _words(one: dict[str, Any]) -> str:
    return str(one.get("description", "")).replace("|", "\\|")


def schema(kind: Any) -> str:
    """The schema of one kind of file."""
    made: dict[str, Any] = {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(kind)}
    said = _said([kind])
    for name, definition in made["$defs"].items():
        text = definition.get("description", "").partition(">>>")[0]
        definition["description"] = " ".join(text.split())
        for field, described in definition.get("properties", {}).items():
            if (name, field) in said:
                described["description"] = said[name, field]
    return msgspec.json.format(msgspec.json.encode(made), indent=2).decode() + "\n"


def _said(left: list[Any]) -> dict[tuple[str, str], str]:
    """The docstring under each field of the structs of a file, or the comment behind it, by struct and field."""
    found: dict[tuple[str, str], str] = {}
    seen: set[Any] = set()
    while left:
        kind = left.pop()
        if kind in seen:
            continue
        seen.add(kind)
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            found |= _fields(kind)
            left += [field.type for field in msgspec.structs.fields(kind)]
        else:
            left += getattr(kind, "__args__", ())
    return found


def _fields(kind: type[msgspec.Struct]) -> dict[tuple[str, str], str]:
    source = inspect.getsource(kind)
    lines = source.splitlines()
    (body,) = (
        node.body for node in ast.parse(source).body if isinstance(node, ast.ClassDef) and node.name == kind.__name__
    )
    found: dict[tuple[str, str], str] = {}
    for field, after in pairwise([*body, ast.Pass()]):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            comment = lines[field.lineno - 1].partition("  # ")[2]
            if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                found[kind.__name__, field.target.id] = " ".join(str(after.value.value).split())
            elif comment:
                text = comment if comment.startswith("p value") else f"{comment[0].upper()}{comment[1:]}"
                found[kind.__name__, field.target.id] = f"{text}."
    return found
